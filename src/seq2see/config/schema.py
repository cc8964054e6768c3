"""Every key of the configuration, with its type, default, unit and reason. Knows nothing of torch.

A value of ``None`` means *chosen from the data*; ``automatic.py`` of the training package says how. Sizes of the model
and the number of epochs are chosen as well where they are left out (``sizes.py``); a number given here is what they are
where there are no data to choose by. The configuration that is stored with a model holds what was chosen.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from seq2see.config.legality import check_model

Size = Annotated[int, Field(ge=1, strict=True)]


def _no_truth_value(value: object) -> object:
    if isinstance(value, bool):
        raise PydanticCustomError("float_type", "Input should be a valid number")
    return value


Number = Annotated[float, BeforeValidator(_no_truth_value)]
Share = Annotated[Number, Field(ge=0.0, lt=1.0)]


class Section(BaseModel):
    """Frozen, and without room for misspelt keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class DataConfig(Section):
    """Where the pairs are, and which of them are used."""

    train: Path | None = Field(None, description="file of training pairs: TSV, .jsonl, .po or .tmx")
    source: Path | None = Field(None, description="file of training sources, with `target`")
    target: Path | None = Field(None, description="file of training targets, with `source`")
    valid: Path | None = Field(None, description="file of validation pairs, of the same kinds")
    valid_source: Path | None = Field(None, description="file of validation sources")
    valid_target: Path | None = Field(None, description="file of validation targets")
    cache: Path | None = Field(
        None, description="folder for the tokens of large data, mapped into memory and kept for further runs"
    )
    alignments: Path | None = Field(
        None, description="file of links between the words of each training pair (i-j), for attention to learn from"
    )
    copied_texts: bool = Field(
        False, description="learn to copy every text of either side, too; for targets made of what sources are made of"
    )
    source_vectors: Path | None = Field(None, description="text file of vectors from which source embeddings start")
    target_vectors: Path | None = Field(None, description="text file of vectors from which target embeddings start")
    max_source_length: Size = Field(1000, description="tokens; longer sources are left out of training, and said so")
    max_target_length: Size = Field(1000, description="tokens; longer targets are left out of training, and said so")


class SideConfig(Section):
    """The tokens of one side."""

    type: Literal["auto", "char", "space", "word", "bpe"] = Field("auto", description="what a token is")
    vocab_size: Annotated[int, Field(ge=8, strict=True)] | None = Field(
        None, description="for word and bpe: tokens at most, but no fewer than there are characters"
    )
    min_frequency: Size | None = Field(None, description="rarer tokens are unknown")


class SourceConfig(SideConfig):
    """The tokens of sources, which need not be written again."""

    decomposed: bool | None = Field(
        None, description="letters as their parts (Unicode NFD): Hangul syllables as letters, marks beside their base"
    )


class TokensConfig(Section):
    """How text becomes tokens."""

    source: SourceConfig = SourceConfig()
    target: SideConfig = SideConfig()
    shared: bool = Field(False, description="one vocabulary, learnt from both sides and used for both")


class EncoderConfig(Section):
    """The encoder."""

    type: Literal["rnn", "transformer"] = Field("rnn", description="kind of encoder")
    cell: Literal["lstm", "gru", "rnn"] = Field("lstm", description="recurrent cell; rnn is the plain tanh one")
    num_layers: Size = Field(1, description="stacked layers")
    hidden_size: Size = Field(256, description="units of one direction")
    bidirectional: bool = Field(True, description="read the source in both directions")
    residual: bool = Field(True, description="add a linear map of each token's embedding to its value")
    num_heads: Size = Field(4, description="of each layer of a Transformer")
    tags: Literal["none", "added", "attended"] = Field(
        "none", description="tags given with each source: added to every state, or attended to beside them"
    )


class DecoderConfig(Section):
    """The decoder."""

    type: Literal["rnn", "transformer"] = Field("rnn", description="kind of decoder")
    cell: Literal["lstm", "gru", "rnn"] = Field("lstm", description="recurrent cell; rnn is the plain tanh one")
    num_layers: Size = Field(1, description="stacked layers")
    order: Literal["bahdanau", "luong"] = Field(
        "bahdanau", description="bahdanau attends with the previous state, then steps; luong steps first"
    )
    input_feeding: bool = Field(True, description="in Luong's order, feed the attentional vector to the next step")
    fusion: Literal["concat", "project"] = Field(
        "concat", description="how the embedding and what was attended to enter the cell: as they are, or by a layer"
    )
    first_state: Literal["zeros", "last", "bridge"] = Field(
        "bridge", description="zeros; the encoder's last state; or that, by a layer"
    )
    output: Literal["deep", "linear"] | None = Field(
        None, description="hidden layer over all that is known, or state alone; None: deep, for a Transformer linear"
    )
    copies: bool = Field(False, description="a token may be copied from the source instead of being generated")
    hidden_size: Size = Field(256, description="units")


class AttentionConfig(Section):
    """The attention between them."""

    scorer: Literal["additive", "concat", "dot", "general", "scaled_dot", "location_aware", "coverage", "none"] = Field(
        "additive", description="how a query is compared with a key; none: the plain encoder–decoder"
    )
    normaliser: Literal["softmax", "sparsemax", "local", "monotonic"] = Field(
        "softmax", description="from energies to weights"
    )
    half_width: Size = Field(10, description="positions on each side that the normaliser local looks at")
    num_heads: Size | None = Field(None, description="heads; None: 1, in a Transformer 4")
    attention_size: Size = Field(256, description="units of the space in which query and keys are compared, all heads")


class ModelConfig(Section):
    """The model."""

    embedding_size: Size = Field(256, description="units, of source and target tokens")
    dropout: Share = Field(0.3, description="share of embedded, summary and output values zeroed in training")
    token_dropout: Share = Field(0.0, description="share of the tokens that are not seen in training")
    share_embeddings: bool = Field(False, description="one embedding for both sides; wants tokens.shared")
    tie_output: bool = Field(False, description="the output layer's weights are the target embedding")
    encoder: EncoderConfig = EncoderConfig()
    decoder: DecoderConfig = DecoderConfig()
    attention: AttentionConfig = AttentionConfig()

    @model_validator(mode="after")
    def _choices_fit(self) -> "ModelConfig":
        return check_model(self)


class TrainingConfig(Section):
    """The training run."""

    seed: Annotated[int, Field(ge=0, lt=2**31, strict=True)] = Field(1, description="of weights, order and dropout")
    max_epochs: Size = Field(30, description="passes over the data; not counted where `minutes` is given")
    max_updates: Size | None = Field(None, description="optimiser updates, in place of `max_epochs`")
    minutes: Annotated[Number, Field(gt=0)] | None = Field(
        None, description="wall-clock minutes in place of epochs, validation included; max_updates may end it sooner"
    )
    learning_rate: Annotated[Number, Field(gt=0, le=1e30)] | None = Field(None, description="Adam's highest step size")
    schedule: Literal["linear_decay", "constant", "cosine", "inverse_sqrt", "plateau"] = Field(
        "linear_decay", description="linear_decay: full for the first half of the run, then linearly to 0"
    )
    plateau_patience: Size = Field(2, description="validations without a better one that halve the rate of `plateau`")
    warmup_updates: Annotated[int, Field(ge=0, strict=True)] | None = Field(
        None, description="updates over which the rate rises from 0"
    )
    batch_tokens: Size | None = Field(None, description="padded positions in a batch, of the longer side")
    accumulate: Size = Field(1, description="batches that make an update together, as if they were one")
    average_decay: Annotated[Number, Field(ge=0, lt=1)] | None = Field(
        None, description="keep a moving average of the weights that gives so much to what was before"
    )
    own_tokens: Annotated[Number, Field(ge=0, le=1)] = Field(
        0.0, description="largest share of tokens that the decoder reads from itself while it learns"
    )
    own_tokens_decay: Literal["constant", "linear", "exponential", "inverse_sigmoid"] = Field(
        "inverse_sigmoid", description="how the teacher gives way to own_tokens over the run"
    )
    label_smoothing: Share = Field(0.1, description="share of the mass spread over the vocabulary")
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "auto",
        description="of products and the encoder's LSTM while learning; auto: bfloat16 where the processor has it",
    )
    coverage_loss: Annotated[Number, Field(ge=0, le=100)] = Field(
        0.0, description="weight of the loss for looking at a position again"
    )
    alignment_loss: Annotated[Number, Field(ge=0, le=100)] = Field(
        1.0, description="weight of the loss for attending elsewhere than data.alignments says"
    )
    clip_norm: Annotated[Number, Field(gt=0)] = Field(1.0, description="largest norm of the whole gradient")
    patience: Size = Field(10, description="validations without a better one before the run ends")
    validate_every: Size | None = Field(None, description="updates between validations; None: once an epoch")
    max_valid_sources: Size = Field(1000, description="validation sources decoded at each validation")
    metric: Literal["auto", "bleu", "chrf", "exact_match", "token_error_rate", "loss"] = Field(
        "auto", description="what decides which model is best, on the validation pairs"
    )


class SearchConfig(Section):
    """How outputs are searched for."""

    beam_size: Size = Field(5, description="1 is greedy search")
    precision: Literal["float32", "int8"] = Field(
        "float32",
        description="of linear layers while searching; int8 is faster, on processors that have it, and less exact",
    )
    length_penalty: Annotated[Number, Field(ge=0, le=10)] = Field(0.6, description="alpha of Wu et al. 2016, eq. 14")
    coverage_penalty: Annotated[Number, Field(ge=0, le=10)] = Field(
        0.0, description="beta of Wu et al. 2016, eq. 14; against leaving parts of the source out"
    )
    length_average: bool = Field(False, description="divide by the number of tokens alone, in place of length_penalty")
    attention_layer: Size | None = Field(
        None, description="of a Transformer decoder, whose weights are shown, from 1; None: the mean of all"
    )
    attention_head: Size | None = Field(
        None, description="of each layer, whose weights are shown, from 1; None: the mean of all"
    )
    copy_unknown: bool = Field(
        False, description="let unknown tokens come, and write what was attended to in the source in their place"
    )
    min_length: Annotated[int, Field(ge=0, strict=True)] = Field(0, description="tokens of an output at least")
    no_repeat_ngram: Size | None = Field(None, description="no run of so many tokens occurs twice in an output")
    sample: bool = Field(False, description="draw tokens at random, as likely as the model says, in place of searching")
    temperature: Annotated[Number, Field(gt=0, le=100)] = Field(1.0, description="of drawing; below 1 is more careful")
    top_k: Size | None = Field(None, description="draw from so many most probable tokens")
    top_p: Annotated[Number, Field(gt=0, le=1)] = Field(1.0, description="draw from the fewest tokens with this mass")
    seed: Annotated[int, Field(ge=0, lt=2**31, strict=True)] = Field(1, description="of drawing")
    max_length: Size | None = Field(None, description="tokens of an output at most, whatever its source")
    length_ratio: Annotated[Number, Field(gt=0, le=1000)] | None = Field(
        None, description="an output has at most 20 tokens and this many more per source token"
    )
    max_source_length: Size = Field(2000, description="tokens; longer sources are not translated, and said so")


class Config(Section):
    """All there is to choose."""

    data: DataConfig = DataConfig()
    tokens: TokensConfig = TokensConfig()
    model: ModelConfig = ModelConfig()
    training: TrainingConfig = TrainingConfig()
    search: SearchConfig = SearchConfig()

    @model_validator(mode="after")
    def _sections_fit(self) -> "Config":
        data = self.data
        if data.train is not None and (data.source is not None or data.target is not None):
            raise ValueError("data.train and data.source/data.target exclude each other")
        if self.model.share_embeddings and not self.tokens.shared:
            raise ValueError(
                "model.share_embeddings is true, but the sides have vocabularies of their own; set tokens.shared=true"
            )
        for key, wants_same in (
            ("tokens.shared", self.tokens.shared),
            ("model.decoder.copies", self.model.decoder.copies),
        ):
            if self.tokens.source.decomposed and wants_same:
                raise ValueError(
                    f"tokens.source.decomposed is true, but {key} wants sources cut as targets are; leave one out"
                )
        if self.model.attention.scorer == "none" and (self.training.coverage_loss or self.search.coverage_penalty):
            raise ValueError(
                "model.attention.scorer is none: nothing is attended to, so training.coverage_loss and "
                "search.coverage_penalty have no meaning; leave them out"
            )
        if data.cache is not None and data.alignments is not None:
            raise ValueError("data.cache does not go with data.alignments")
        if data.copied_texts and (data.cache is not None or data.alignments is not None):
            other = "data.cache" if data.cache is not None else "data.alignments"
            raise ValueError(f"data.copied_texts does not go with {other}")
        if data.valid is not None and (data.valid_source is not None or data.valid_target is not None):
            raise ValueError("data.valid and data.valid_source/data.valid_target exclude each other")
        return self
