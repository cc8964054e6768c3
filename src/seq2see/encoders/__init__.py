"""Encoders: from a source to a memory."""

from seq2see.encoders.added_tags import AddedTags as AddedTags
from seq2see.encoders.attended_tags import AttendedTags as AttendedTags
from seq2see.encoders.encoder import Encoder as Encoder
from seq2see.encoders.networks import GRU as GRU
from seq2see.encoders.networks import LSTM as LSTM
from seq2see.encoders.networks import RNN as RNN
from seq2see.encoders.text import TextEncoder as TextEncoder
from seq2see.encoders.transformer import TransformerEncoder as TransformerEncoder
