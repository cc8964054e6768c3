"""Decoders: from a memory to a target, one token at a time."""

from seq2see.decoders.bahdanau import BahdanauOrder as BahdanauOrder
from seq2see.decoders.bridge import Bridge as Bridge
from seq2see.decoders.concat_fusion import ConcatFusion as ConcatFusion
from seq2see.decoders.copied_state import CopiedState as CopiedState
from seq2see.decoders.decoder import Decoder as Decoder
from seq2see.decoders.decoder import DecoderLoss as DecoderLoss
from seq2see.decoders.decoder import TeacherForcedOutput as TeacherForcedOutput
from seq2see.decoders.deep_output import DeepOutput as DeepOutput
from seq2see.decoders.first_state import FirstState as FirstState
from seq2see.decoders.fusion import Fusion as Fusion
from seq2see.decoders.linear_output import LinearOutput as LinearOutput
from seq2see.decoders.luong import LuongOrder as LuongOrder
from seq2see.decoders.no_fusion import NoFusion as NoFusion
from seq2see.decoders.order import Order as Order
from seq2see.decoders.order import OrderOutput as OrderOutput
from seq2see.decoders.output import Known as Known
from seq2see.decoders.output import OutputLayer as OutputLayer
from seq2see.decoders.own_tokens import read_own_tokens as read_own_tokens
from seq2see.decoders.pointer_output import PointerOutput as PointerOutput
from seq2see.decoders.project_fusion import ProjectFusion as ProjectFusion
from seq2see.decoders.rnn import RNNDecoder as RNNDecoder
from seq2see.decoders.target_embedding import TargetEmbedding as TargetEmbedding
from seq2see.decoders.transformer import TransformerDecoder as TransformerDecoder
from seq2see.decoders.zero_state import ZeroState as ZeroState
