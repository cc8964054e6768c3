"""What requests and answers hold."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag


def _usable(text: str) -> str:
    if "\0" in text:
        raise ValueError("holds U+0000, which no text has")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("holds half of a surrogate pair, which is no character") from None
    return text


Text = Annotated[str, AfterValidator(_usable)]
ONE, SEVERAL = "one text", "list"
Texts = Annotated[
    Annotated[Text, Tag(ONE)] | Annotated[list[Text], Field(min_length=1), Tag(SEVERAL)],
    Discriminator(lambda given: SEVERAL if isinstance(given, list) else ONE),
]


class Body(BaseModel):
    """Strict, and without room for misspelt names."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class TranslateRequest(Body):
    """Texts to translate."""

    text: Texts = Field(description="a text, or several")
    model: str | None = Field(None, description="name of the model; the first one if not given")
    beam: int | None = Field(None, ge=1, description="beam size; the model's own if not given")
    n_best: int = Field(1, ge=1, description="outputs of each text at most")
    length_penalty: Annotated[float, Field(ge=0, le=10)] | None = Field(
        None, description="alpha of Wu et al. 2016; the model's own if not given"
    )
    prefix: Texts | None = Field(None, description="what the output begins with: of all texts, or of each")
    prefix_ids: list[int] | None = Field(
        None, description="the same as numbers of tokens, of all texts; in place of prefix"
    )
    alignments: bool = Field(False, description="give tokens, weights and links as well")
    alternatives: int = Field(
        0, ge=0, le=20, description="at each step of the first output, so many of the most probable tokens"
    )


class ScoreRequest(Body):
    """Pairs to score."""

    source: Texts = Field(description="a source, or several")
    target: Texts = Field(description="a target for each")
    model: str | None = Field(None, description="name of the model; the first one if not given")


class AlignRequest(ScoreRequest):
    """Pairs to align."""

    by: str = Field("posterior", pattern="^(posterior|attention)$", description="which weights: see seq2see align")


class AlternativeBody(BaseModel):
    """A token that might have been written."""

    token: str
    id: int
    prob: float


class StepBody(BaseModel):
    """A step of the decoder; the last one is the end."""

    token: str
    id: int
    prob: float
    weights: list[float] = Field(description="of each source token")
    alternatives: list[AlternativeBody] = Field(description="the most probable tokens at this step, best first")


class AlignmentBody(BaseModel):
    """What each token of an output attended to."""

    source_tokens: list[str]
    target_tokens: list[str]
    weights: list[list[float]] = Field(description="a row for each target token")
    links: str = Field(description="links between words, i-j")


class OutputBody(BaseModel):
    """An output."""

    text: str
    score: float | None
    log_prob: float | None
    token_log_probs: list[float | None]
    alignment: AlignmentBody | None = None
    steps: list[StepBody] | None = None


class TranslationBody(BaseModel):
    """The outputs of a text."""

    source: str
    outputs: list[OutputBody]
    problem: str = ""


class TranslateResponse(BaseModel):
    """The outputs of every text, in order."""

    model: str
    translations: list[TranslationBody]


class ScoreBody(BaseModel):
    """How well a target fits."""

    log_prob: float | None
    token_log_probs: list[float | None]
    problem: str = ""


class ScoreResponse(BaseModel):
    """A score for each pair, in order."""

    model: str
    scores: list[ScoreBody]


class AlignedBody(BaseModel):
    """A pair, aligned."""

    alignment: AlignmentBody | None
    problem: str = ""


class AlignResponse(BaseModel):
    """An alignment for each pair, in order."""

    model: str
    alignments: list[AlignedBody]


class ModelBody(BaseModel):
    """A model that is served."""

    name: str
    parameters: int
    members: int
    source_tokens: str
    target_tokens: str
    examples: list[str]


class ModelsResponse(BaseModel):
    """All of them."""

    models: list[ModelBody]
