"""Encoders: from a source to a memory."""

from seq2see.encoders.encoder import Encoder as Encoder
from seq2see.encoders.text import TextEncoder as TextEncoder
