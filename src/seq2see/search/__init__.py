"""Search over a step function, whatever stands behind it."""

from seq2see.search.beam import beam_search as beam_search
from seq2see.search.greedy import greedy_search as greedy_search
from seq2see.search.hypothesis import Hypothesis as Hypothesis
from seq2see.search.length_penalty import length_penalty as length_penalty
from seq2see.search.ranking import Ranking as Ranking
from seq2see.search.step_function import StepFunction as StepFunction
from seq2see.search.step_function import Symbols as Symbols
