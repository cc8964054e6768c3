"""A server and a page: use a model, and watch it look back."""

from seq2see.serve.app import create_app as create_app
from seq2see.serve.limits import Limits as Limits
from seq2see.serve.run import run_server as run_server
from seq2see.serve.served import Served as Served
