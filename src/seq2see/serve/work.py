"""What is done with texts that are searched together, to JSON. Equal settings can share a batch."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel

from seq2see.alignment import Alignment, merge_to_words
from seq2see.inference import Translation, Translator
from seq2see.serve.bodies import (
    AlignedBody,
    AlignmentBody,
    AlternativeBody,
    OutputBody,
    ScoreBody,
    StepBody,
    TranslationBody,
)

Translators = Mapping[str, Translator]


class Wanted(NamedTuple):
    """A text, and what its output begins with."""

    text: str
    prefix: str | tuple[int, ...]


class Given(NamedTuple):
    """A pair."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Translating:
    """Settings of a search.

    Args:
        model: Its name.
        beam: Beam size.
        n_best: Outputs of each text at most.
        length_penalty: None takes the model's own.
        alignments: Whether tokens, weights and links are wanted.
        alternatives: Tokens at each step of the first output.
        batch_tokens: Padded source tokens times beam that are searched at once.
    """

    model: str
    beam: int
    n_best: int
    length_penalty: float | None
    alignments: bool
    alternatives: int
    batch_tokens: int

    def run(self, translators: Translators, items: Sequence[Wanted]) -> list[bytes]:
        """Search the outputs of some texts."""
        translator = translators[self.model]
        if self.length_penalty is not None:
            translator = translator.with_search(length_penalty=self.length_penalty)
        found = translator.translate_n_best(
            [item.text for item in items],
            n_best=self.n_best,
            beam=self.beam,
            prefixes=[item.prefix for item in items],
            batch_tokens=self.batch_tokens,
        )
        return as_json(self._body(translator, outputs) for outputs in found)

    def _body(self, translator: Translator, outputs: Sequence[Translation]) -> TranslationBody:
        bodies = [self._output(translator, one) for one in outputs if not one.problem]
        if bodies and self.alternatives and outputs[0].tokens:
            bodies[0].steps = steps_of(translator, outputs[0], self.alternatives)
        return TranslationBody(source=outputs[0].source, outputs=bodies, problem=outputs[0].problem)

    def _output(self, translator: Translator, one: Translation) -> OutputBody:
        return OutputBody(
            text=one.text,
            score=finite(one.score),
            log_prob=finite(one.log_prob),
            token_log_probs=[*map(finite, one.token_log_probs)],
            alignment=alignment_body(translator, one.alignment, one.source, one.text) if self.alignments else None,
        )


@dataclass(frozen=True, slots=True)
class Scoring:
    """Settings of scoring given pairs.

    Args:
        model: Its name.
    """

    model: str

    def run(self, translators: Translators, items: Sequence[Given]) -> list[bytes]:
        """Score some pairs."""
        found = translators[self.model].score([item.source for item in items], [item.target for item in items])
        return as_json(
            ScoreBody(
                log_prob=finite(one.log_prob), token_log_probs=[*map(finite, one.token_log_probs)], problem=one.problem
            )
            for one in found
        )


@dataclass(frozen=True, slots=True)
class Aligning:
    """Settings of aligning given pairs.

    Args:
        model: Its name.
        posterior: Whether weights are posterior ones.
    """

    model: str
    posterior: bool

    def run(self, translators: Translators, items: Sequence[Given]) -> list[bytes]:
        """Align some pairs."""
        translator = translators[self.model]
        sources, targets = [item.source for item in items], [item.target for item in items]
        found = translator.score(sources, targets, posterior=self.posterior)
        return as_json(
            AlignedBody(
                alignment=None if one.problem else alignment_body(translator, one.alignment, one.source, one.target),
                problem=one.problem,
            )
            for one in found
        )


def steps_of(translator: Translator, output: Translation, count: int) -> list[StepBody]:
    """Every step of an output, its end the last."""
    return [
        StepBody(
            token=step.token,
            id=step.id,
            prob=step.prob,
            weights=[round(weight, 5) for weight in step.weights],
            alternatives=[AlternativeBody(**one._asdict()) for one in step.alternatives],
        )
        for step in translator.steps(output, count)
    ]


def alignment_body(translator: Translator, alignment: Alignment, source: str, target: str) -> AlignmentBody:
    """An alignment, with links between words."""
    return AlignmentBody(
        source_tokens=alignment.source_tokens,
        target_tokens=alignment.target_tokens,
        weights=[[round(float(weight), 5) for weight in row] for row in alignment.weights],
        links=merge_to_words(alignment, translator.tokenizers.text_of(source), target).pharaoh(),
    )


def as_json(bodies: Iterable[BaseModel]) -> list[bytes]:
    """Each as it is sent: what has searched writes it, so that who answers need not."""
    return [body.model_dump_json().encode() for body in bodies]


def finite(number: float) -> float | None:
    """None for NaN and infinities, which JSON has not."""
    return number if math.isfinite(number) else None
