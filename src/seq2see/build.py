"""The only place where configuration becomes modules."""

from collections.abc import Callable

from torch import nn

from seq2see.attention import (
    Additive,
    Attention,
    Concat,
    Coverage,
    Dot,
    General,
    LocalWindow,
    LocationAware,
    Monotonic,
    MultiHead,
    NoAttention,
    Normaliser,
    ScaledDot,
    Scorer,
    SingleHead,
    Softmax,
    Sparsemax,
)
from seq2see.config import ModelConfig
from seq2see.data.special import PAD, UNK
from seq2see.decoders import (
    BahdanauOrder,
    Bridge,
    ConcatFusion,
    CopiedState,
    Decoder,
    DeepOutput,
    FirstState,
    Fusion,
    LinearOutput,
    LuongOrder,
    NoFusion,
    Order,
    OutputLayer,
    PointerOutput,
    ProjectFusion,
    RNNDecoder,
    TargetEmbedding,
    TransformerDecoder,
    ZeroState,
)
from seq2see.encoders import GRU, LSTM, RNN, AddedTags, AttendedTags, Encoder, TextEncoder, TransformerEncoder
from seq2see.layers import Embedding, GRUCell, LSTMCell, RecurrentCell, RNNCell, StackedCells
from seq2see.seq2seq import Seq2Seq

FIRST_WEIGHTS = 0.1
TRANSFORMER_HEADS = 4
CELLS: dict[str, type[LSTMCell] | type[GRUCell] | type[RNNCell]] = {"lstm": LSTMCell, "gru": GRUCell, "rnn": RNNCell}
NETWORKS: dict[str, type[LSTM] | type[GRU] | type[RNN]] = {"lstm": LSTM, "gru": GRU, "rnn": RNN}
ORDERS: dict[str, type[BahdanauOrder] | type[LuongOrder]] = {"bahdanau": BahdanauOrder, "luong": LuongOrder}
TAGS: dict[str, type[AddedTags] | type[AttendedTags]] = {"added": AddedTags, "attended": AttendedTags}


def build_model(
    config: ModelConfig, *, source_vocab_size: int, target_vocab_size: int, tag_vocab_size: int | None = None
) -> Seq2Seq:
    """Make a model with its first weights; torch's random state decides them.

    Args:
        config: Kinds and sizes.
        source_vocab_size: Tokens of the source tokenizer.
        target_vocab_size: Tokens of the target tokenizer.
        tag_vocab_size: Tokens of the tag tokenizer, if sources have tags.
    """
    encoder: Encoder = _encoder(config, source_vocab_size)
    if tag_vocab_size is not None:
        tag_embedding = nn.Embedding(tag_vocab_size, config.embedding_size, padding_idx=PAD)
        encoder = TAGS[config.encoder.tags](encoder=encoder, tag_embedding=tag_embedding)
    target_embedding = TargetEmbedding(
        vocab_size=target_vocab_size,
        embedding_size=config.embedding_size,
        pad_id=PAD,
        unk_id=UNK,
        token_dropout=config.token_dropout,
    )
    if config.share_embeddings:
        target_embedding.weight = encoder.token_embedding.weight
    makers: dict[str, Callable[[ModelConfig, Encoder, TargetEmbedding], Decoder]] = {
        "rnn": _rnn_decoder,
        "transformer": _transformer_decoder,
    }
    decoder = makers[config.decoder.type](config, encoder, target_embedding)
    model = Seq2Seq(encoder=encoder, decoder=decoder)
    set_first_weights(model)
    return model


def num_attention_layers(config: ModelConfig) -> int:
    """Layers of the decoder that look at the source."""
    return config.decoder.num_layers if config.decoder.type == "transformer" else 1


def num_attention_heads(config: ModelConfig) -> int:
    """Heads of each of these layers."""
    return config.attention.num_heads or (TRANSFORMER_HEADS if config.decoder.type == "transformer" else 1)


def _encoder(config: ModelConfig, vocab_size: int) -> TextEncoder | TransformerEncoder:
    embedding = Embedding(
        vocab_size=vocab_size,
        embedding_size=config.embedding_size,
        pad_id=PAD,
        token_dropout=config.token_dropout,
    )
    settings = config.encoder
    if settings.type == "transformer":
        return TransformerEncoder(
            embedding=embedding,
            num_layers=settings.num_layers,
            num_heads=settings.num_heads,
            dropout=config.dropout,
        )
    network = NETWORKS[settings.cell](
        input_size=config.embedding_size,
        hidden_size=settings.hidden_size,
        num_layers=settings.num_layers,
        batch_first=True,
        bidirectional=settings.bidirectional,
        dropout=config.dropout if settings.num_layers > 1 else 0.0,
    )
    residual = settings.residual and config.attention.scorer != "none"  # nothing looks at the values then
    return TextEncoder(embedding=embedding, rnn=network, residual=residual, dropout=config.dropout)


def _transformer_decoder(config: ModelConfig, encoder: Encoder, embedding: TargetEmbedding) -> Decoder:
    size = config.decoder.hidden_size
    return TransformerDecoder(
        embedding=embedding,
        memory_size=encoder.memory_size,
        num_layers=config.decoder.num_layers,
        num_heads=num_attention_heads(config),
        output=_output(config, config.decoder.output or "linear", embedding, feature_size=size, context_size=size),
        dropout=config.dropout,
    )


def _rnn_decoder(config: ModelConfig, encoder: Encoder, embedding: TargetEmbedding) -> Decoder:
    order = _order(config, encoder)
    return RNNDecoder(
        embedding=embedding,
        order=order,
        output=_output(
            config,
            config.decoder.output or "deep",
            embedding,
            feature_size=order.feature_size,
            context_size=order.context_size,
        ),
        dropout=config.dropout,
    )


def _order(config: ModelConfig, encoder: Encoder) -> Order:
    settings = config.decoder
    attention = _attention(config, encoder)
    cells: list[RecurrentCell] = [
        CELLS[settings.cell](hidden_size=settings.hidden_size) for _ in range(settings.num_layers)
    ]
    cell = cells[0] if len(cells) == 1 else StackedCells(cells=cells, dropout=config.dropout)
    fed_size = attention.context_size if settings.order == "bahdanau" else settings.hidden_size
    return ORDERS[settings.order](
        attention=attention,
        fusion=_fusion(config, fed_size=fed_size, gates_size=cell.gates_size),
        cell=cell,
        first_state=_first_state(config, encoder, cell),
    )


def _fusion(config: ModelConfig, *, fed_size: int, gates_size: int) -> Fusion:
    embedding_size = config.embedding_size
    if not config.decoder.input_feeding:
        return NoFusion(embedding_size=embedding_size, gates_size=gates_size)
    if config.decoder.fusion == "project":
        return ProjectFusion(
            embedding_size=embedding_size,
            context_size=fed_size,
            hidden_size=config.decoder.hidden_size,
            gates_size=gates_size,
        )
    return ConcatFusion(embedding_size=embedding_size, context_size=fed_size, gates_size=gates_size)


def _first_state(config: ModelConfig, encoder: Encoder, cell: RecurrentCell) -> FirstState:
    makers: dict[str, Callable[[], FirstState]] = {
        "zeros": lambda: ZeroState(hidden_size=cell.hidden_size, num_parts=len(cell.state_names)),
        "last": lambda: CopiedState(state_names=cell.state_names),
        "bridge": lambda: Bridge(
            final_size=encoder.final_size, hidden_size=cell.hidden_size, state_names=cell.state_names
        ),
    }
    return makers[config.decoder.first_state]()


def _attention(config: ModelConfig, encoder: Encoder) -> Attention:
    if config.attention.scorer == "none":
        return NoAttention(final_size=encoder.final_size)
    num_heads = num_attention_heads(config)
    value_size = None if num_heads == 1 else encoder.memory_size // num_heads
    heads = [
        SingleHead(
            scorer=_scorer(config, encoder.memory_size, config.attention.attention_size // num_heads),
            normaliser=_normaliser(config),
            memory_size=encoder.memory_size,
            value_size=value_size,
        )
        for _ in range(num_heads)
    ]
    return heads[0] if num_heads == 1 else MultiHead(heads=heads, context_size=encoder.memory_size)


def _scorer(config: ModelConfig, memory_size: int, attention_size: int) -> Scorer:
    sizes = {"query_size": config.decoder.hidden_size, "memory_size": memory_size}
    makers: dict[str, Callable[[], Scorer]] = {
        "additive": lambda: Additive(**sizes, attention_size=attention_size),
        "concat": lambda: Concat(**sizes, attention_size=attention_size),
        "dot": Dot,
        "general": lambda: General(**sizes),
        "scaled_dot": lambda: ScaledDot(**sizes, attention_size=attention_size),
        "location_aware": lambda: LocationAware(**sizes, attention_size=attention_size),
        "coverage": lambda: Coverage(**sizes, attention_size=attention_size),
    }
    return makers[config.attention.scorer]()


def _normaliser(config: ModelConfig) -> Normaliser:
    makers: dict[str, Callable[[], Normaliser]] = {
        "softmax": Softmax,
        "sparsemax": Sparsemax,
        "local": lambda: LocalWindow(query_size=config.decoder.hidden_size, half_width=config.attention.half_width),
        "monotonic": Monotonic,
    }
    return makers[config.attention.normaliser]()


def _output(
    config: ModelConfig, kind: str, embedding: TargetEmbedding, *, feature_size: int, context_size: int
) -> OutputLayer:
    vocab_size, embedding_size = embedding.num_embeddings, embedding.embedding_dim
    output: LinearOutput | DeepOutput
    if kind == "linear":
        output = LinearOutput(feature_size=feature_size, vocab_size=vocab_size, dropout=config.dropout)
    else:
        output = DeepOutput(
            feature_size=feature_size,
            context_size=context_size,
            embedding_size=embedding_size,
            hidden_size=embedding_size if config.tie_output else config.decoder.hidden_size,
            vocab_size=vocab_size,
            dropout=config.dropout,
        )
    if config.tie_output:
        output.output_projection.weight = embedding.weight
    if not config.decoder.copies:
        return output
    return PointerOutput(
        output=output, feature_size=feature_size, context_size=context_size, embedding_size=embedding_size
    )


def set_first_weights(model: nn.Module) -> None:
    """Draw weights from U(−0.1, 0.1), as Luong et al. 2015 (arXiv:1508.04025, §4.1) do; norms keep their 1 and 0."""
    for module in model.modules():
        if not isinstance(module, nn.LayerNorm):
            for parameter in module.parameters(recurse=False):
                nn.init.uniform_(parameter, -FIRST_WEIGHTS, FIRST_WEIGHTS)
