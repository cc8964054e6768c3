"""Attention weights made for people, and alignments made of them."""

from seq2see.alignment.agreement import agreed_links as agreed_links
from seq2see.alignment.alignment import Alignment as Alignment
from seq2see.alignment.alignment import format_links as format_links
from seq2see.alignment.alignment import label as label
from seq2see.alignment.gold import AlignmentErrors as AlignmentErrors
from seq2see.alignment.gold import GoldLinks as GoldLinks
from seq2see.alignment.gold import alignment_errors as alignment_errors
from seq2see.alignment.gold import parse_gold as parse_gold
from seq2see.alignment.npz import npz_bytes as npz_bytes
from seq2see.alignment.symmetrise import SYMMETRISATIONS as SYMMETRISATIONS
from seq2see.alignment.symmetrise import symmetrise as symmetrise
from seq2see.alignment.words import links_between_tokens as links_between_tokens
from seq2see.alignment.words import merge_to_words as merge_to_words
from seq2see.alignment.words import word_spans as word_spans
