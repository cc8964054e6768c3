"""The only place where configuration becomes modules."""

from collections.abc import Callable

from torch import nn

from seq2see.attention import Additive, Attention, Concat, Dot, General, ScaledDot, Scorer
from seq2see.config import ModelConfig
from seq2see.data.special import PAD
from seq2see.decoders import Bridge, DeepOutput, RNNDecoder
from seq2see.encoders import TextEncoder
from seq2see.layers import GRUCell, LSTMCell, RecurrentCell, RNNCell
from seq2see.seq2seq import Seq2Seq

FIRST_WEIGHTS = 0.1
CELLS: dict[str, type[LSTMCell] | type[GRUCell] | type[RNNCell]] = {"lstm": LSTMCell, "gru": GRUCell, "rnn": RNNCell}
NETWORKS: dict[str, type[nn.LSTM] | type[nn.GRU] | type[nn.RNN]] = {"lstm": nn.LSTM, "gru": nn.GRU, "rnn": nn.RNN}


def build_model(config: ModelConfig, *, source_vocab_size: int, target_vocab_size: int) -> Seq2Seq:
    """Make a model with its first weights; torch's random state decides them.

    Args:
        config: Kinds and sizes.
        source_vocab_size: Tokens of the source tokenizer.
        target_vocab_size: Tokens of the target tokenizer.
    """
    encoder = _encoder(config, source_vocab_size)
    memory_size, hidden_size = encoder.memory_size, config.decoder.hidden_size
    cell: RecurrentCell = CELLS[config.decoder.cell](
        input_size=config.embedding_size, context_size=memory_size, hidden_size=hidden_size
    )
    scorer = _scorer(config, query_size=hidden_size, memory_size=memory_size)
    decoder = RNNDecoder(
        embedding=nn.Embedding(target_vocab_size, config.embedding_size, padding_idx=PAD),
        attention=Attention(scorer=scorer),
        cell=cell,
        bridge=Bridge(final_size=encoder.final_size, hidden_size=hidden_size, num_parts=len(cell.state_names)),
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


def _encoder(config: ModelConfig, vocab_size: int) -> TextEncoder:
    network = NETWORKS[config.encoder.cell](
        input_size=config.embedding_size,
        hidden_size=config.encoder.hidden_size,
        num_layers=config.encoder.num_layers,
        batch_first=True,
        bidirectional=config.encoder.bidirectional,
        dropout=config.dropout if config.encoder.num_layers > 1 else 0.0,
    )
    return TextEncoder(
        embedding=nn.Embedding(vocab_size, config.embedding_size, padding_idx=PAD),
        rnn=network,
        residual=config.encoder.residual,
        dropout=config.dropout,
    )


def _scorer(config: ModelConfig, *, query_size: int, memory_size: int) -> Scorer:
    attention_size = config.attention.attention_size
    makers: dict[str, Callable[[], Scorer]] = {
        "additive": lambda: Additive(query_size=query_size, memory_size=memory_size, attention_size=attention_size),
        "concat": lambda: Concat(query_size=query_size, memory_size=memory_size, attention_size=attention_size),
        "dot": Dot,
        "general": lambda: General(query_size=query_size, memory_size=memory_size),
        "scaled_dot": lambda: ScaledDot(query_size=query_size, memory_size=memory_size, attention_size=attention_size),
    }
    return makers[config.attention.scorer]()


def set_first_weights(model: nn.Module) -> None:
    """Draw every weight from U(−0.1, 0.1), as Luong et al. 2015 (arXiv:1508.04025, §4.1) do."""
    for parameter in model.parameters():
        nn.init.uniform_(parameter, -FIRST_WEIGHTS, FIRST_WEIGHTS)
