"""The only place where configuration becomes modules."""

from torch import nn

from seq2see.attention import Additive, Attention
from seq2see.config import ModelConfig
from seq2see.data.special import PAD
from seq2see.decoders import Bridge, DeepOutput, RNNDecoder
from seq2see.encoders import TextEncoder
from seq2see.layers import LSTMCell
from seq2see.seq2seq import Seq2Seq

FIRST_WEIGHTS = 0.1


def build_model(config: ModelConfig, *, source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """Make a model with its first weights; torch's random state decides them.

    Args:
        config: Kinds and sizes.
        source_vocab_size: Tokens of the source tokenizer.
        target_vocab_size: Tokens of the target tokenizer.
    """
    encoder = TextEncoder(
        vocab_size=source_vocab_size,
        embedding_size=config.embedding_size,
        hidden_size=config.encoder.hidden_size,
        num_layers=config.encoder.num_layers,
        bidirectional=config.encoder.bidirectional,
        residual=config.encoder.residual,
        dropout=config.dropout,
        pad_id=PAD,
    )
    memory_size, hidden_size = encoder.memory_size, config.decoder.hidden_size
    scorer = Additive(query_size=hidden_size, memory_size=memory_size, attention_size=config.attention.attention_size)
    decoder = RNNDecoder(
        embedding=nn.Embedding(target_vocab_size, config.embedding_size, padding_idx=PAD),
        attention=Attention(scorer=scorer),
        cell=LSTMCell(input_size=config.embedding_size, context_size=memory_size, hidden_size=hidden_size),
        bridge=Bridge(final_size=encoder.final_size, hidden_size=hidden_size),
        output=DeepOutput(
            state_size=hidden_size,
            context_size=memory_size,
            embedding_size=config.embedding_size,
            hidden_size=hidden_size,
            vocab_size=target_vocab_size,
            dropout=config.dropout,
        ),
        dropout=config.dropout,
    )
    model = Seq2Seq(encoder=encoder, decoder=decoder)
    set_first_weights(model)
    return model


def set_first_weights(model: nn.Module) -> None:
    """Draw every weight from U(−0.1, 0.1), as Luong et al. 2015 (arXiv:1508.04025, §4.1) do.

    Measured on translation, learning starts several times faster so than with small normal weights.
    """
    for parameter in model.parameters():
        nn.init.uniform_(parameter, -FIRST_WEIGHTS, FIRST_WEIGHTS)
