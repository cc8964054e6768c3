"""Decoders: from a memory to the target, one step at a time."""

from seq2see.decoders.bridge import Bridge as Bridge
from seq2see.decoders.decoder import Decoder as Decoder
from seq2see.decoders.decoder import TeacherForcedOutput as TeacherForcedOutput
from seq2see.decoders.deep_output import DeepOutput as DeepOutput
from seq2see.decoders.rnn import RNNDecoder as RNNDecoder
