"""Element-wise work that is compiled when it is first needed, by numba, for the processor that it runs on.

It gives what the operations of torch beside it give, going through its tensors once where they go through them several
times. Where it cannot be used (``usable``), they are.
"""

from seq2see.compiled.calls import add_ as add_
from seq2see.compiled.calls import additive_look as additive_look
from seq2see.compiled.calls import additive_look_back as additive_look_back
from seq2see.compiled.calls import cross_entropy_ as cross_entropy_
from seq2see.compiled.calls import dropped as dropped
from seq2see.compiled.calls import lstm_step as lstm_step
from seq2see.compiled.calls import lstm_step_back as lstm_step_back
from seq2see.compiled.usable import usable as usable
