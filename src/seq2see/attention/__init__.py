"""Attention: scorers, normalisers, masks, and the weighted average they lead to."""

from seq2see.attention.additive import Additive as Additive
from seq2see.attention.attention import Attention as Attention
from seq2see.attention.attention import AttentionOutput as AttentionOutput
from seq2see.attention.carry import Carry as Carry
from seq2see.attention.concat import Concat as Concat
from seq2see.attention.coverage import Coverage as Coverage
from seq2see.attention.dot import Dot as Dot
from seq2see.attention.general import General as General
from seq2see.attention.local_window import LocalWindow as LocalWindow
from seq2see.attention.location_aware import LocationAware as LocationAware
from seq2see.attention.monotonic import Monotonic as Monotonic
from seq2see.attention.multi_head import MultiHead as MultiHead
from seq2see.attention.multi_head_dot import MultiHeadDot as MultiHeadDot
from seq2see.attention.no_attention import NoAttention as NoAttention
from seq2see.attention.normaliser import Normaliser as Normaliser
from seq2see.attention.scaled_dot import ScaledDot as ScaledDot
from seq2see.attention.scorer import Scorer as Scorer
from seq2see.attention.single_head import SingleHead as SingleHead
from seq2see.attention.softmax import Softmax as Softmax
from seq2see.attention.sparsemax import Sparsemax as Sparsemax
from seq2see.masks import causal_mask as causal_mask
from seq2see.masks import mask_from_lengths as mask_from_lengths
from seq2see.masks import masked_softmax as masked_softmax
