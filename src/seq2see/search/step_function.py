"""All that search knows of a model."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seq2see.errors import ModelError
from seq2see.search.restrictions import Restriction
from seq2see.types import DecoderState, StepOutput

StepFunction: TypeAlias = Callable[[Tensor, DecoderState], StepOutput]
"""Reads one token per row and scores the next: a decoder's ``step``, or anything that acts like one."""


class Symbols(NamedTuple):
    """The ids that search must know.

    Args:
        bos: What the first step reads.
        eos: Ends a hypothesis.
        never: What no hypothesis may hold.
    """

    bos: int
    eos: int
    never: tuple[int, ...]


def next_log_probs(
    logits: Float[Tensor, "B V"],
    at_limit: Bool[Tensor, " B"],
    symbols: Symbols,
    restrictions: Sequence[Restriction] = (),
    pasts: Sequence[Sequence[int]] = (),
    sources: Sequence[int] = (),
) -> Float[Tensor, "B V"]:
    """Give log p of the next token, in nats; −∞ for what may not come next.

    A row at its length limit may only end, and a row that has nothing left may end. What is left is not
    renormalised, so that the sum over a hypothesis is its log-probability under the model.

    Args:
        logits: From a step.
        at_limit: Rows that already have as many tokens as they may.
        symbols: The reserved ids.
        restrictions: What outputs may not hold.
        pasts: What each row has written; for restrictions.
        sources: Which source each row belongs to; for restrictions.

    Raises:
        ModelError: A logit is NaN.
    """
    log_probs = logits.log_softmax(dim=-1)
    log_probs[:, list(symbols.never)] = -torch.inf
    end = log_probs[:, symbols.eos].clone()
    if end.isnan().any():
        raise ModelError("the model's scores are not numbers (NaN); its training diverged")
    must_end = at_limit
    if restrictions:
        for restriction in restrictions:
            log_probs = restriction(log_probs, pasts, sources)
        must_end = at_limit | (log_probs == -torch.inf).all(dim=-1)
    if must_end.any():
        log_probs[must_end] = -torch.inf
        log_probs[must_end, symbols.eos] = end[must_end]
    return log_probs
