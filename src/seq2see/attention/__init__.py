"""Attention: scorers, masks, and the weighted average they lead to."""

from seq2see.attention.additive import Additive as Additive
from seq2see.attention.attention import Attention as Attention
from seq2see.attention.attention import AttentionOutput as AttentionOutput
from seq2see.attention.concat import Concat as Concat
from seq2see.attention.dot import Dot as Dot
from seq2see.attention.general import General as General
from seq2see.attention.masks import mask_from_lengths as mask_from_lengths
from seq2see.attention.masks import masked_softmax as masked_softmax
from seq2see.attention.scaled_dot import ScaledDot as ScaledDot
from seq2see.attention.scorer import Scorer as Scorer
