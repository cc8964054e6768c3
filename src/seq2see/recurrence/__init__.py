"""The teacher-forced recurrence of attention and cell as one differentiable function, with its derivative by hand."""

from seq2see.recurrence.bahdanau import bahdanau_recurrence as bahdanau_recurrence
from seq2see.recurrence.energy import AdditiveEnergy as AdditiveEnergy
from seq2see.recurrence.energy import Energy as Energy
from seq2see.recurrence.energy import ProductEnergy as ProductEnergy
from seq2see.recurrence.gates import Gates as Gates
from seq2see.recurrence.gates import GRUGates as GRUGates
from seq2see.recurrence.gates import LSTMGates as LSTMGates
from seq2see.recurrence.luong import luong_recurrence as luong_recurrence
from seq2see.recurrence.parts import AttentionParts as AttentionParts
from seq2see.recurrence.parts import CellParts as CellParts
from seq2see.recurrence.parts import FusionParts as FusionParts
from seq2see.recurrence.parts import RecurrenceOutput as RecurrenceOutput
