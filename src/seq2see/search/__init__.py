"""Search over a step function, whatever stands behind it."""

from seq2see.search.beam import beam_search as beam_search
from seq2see.search.greedy import greedy_search as greedy_search
from seq2see.search.hypothesis import Hypothesis as Hypothesis
from seq2see.search.hypothesis import ranked as ranked
from seq2see.search.length_penalty import length_penalty as length_penalty
from seq2see.search.one_path import Chooser as Chooser
from seq2see.search.one_path import one_path_search as one_path_search
from seq2see.search.ranking import Ranking as Ranking
from seq2see.search.required import search_with_required as search_with_required
from seq2see.search.restrictions import MinLength as MinLength
from seq2see.search.restrictions import NoRepeatedNgrams as NoRepeatedNgrams
from seq2see.search.restrictions import NoSequence as NoSequence
from seq2see.search.restrictions import Prefix as Prefix
from seq2see.search.restrictions import Restriction as Restriction
from seq2see.search.sampling import Sampler as Sampler
from seq2see.search.step_function import StepFunction as StepFunction
from seq2see.search.step_function import Symbols as Symbols
