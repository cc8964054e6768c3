"""A demo that needs nothing but this package."""

from seq2see.demo.pairs import DemoPairs as DemoPairs
from seq2see.demo.pairs import demo_pairs as demo_pairs
from seq2see.demo.run import run_demo as run_demo
