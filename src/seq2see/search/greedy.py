"""Greedy search: always the most probable token."""

from collections.abc import Sequence

from jaxtyping import Float, Int
from torch import Tensor

from seq2see.search.hypothesis import Hypothesis
from seq2see.search.one_path import one_path_search
from seq2see.search.ranking import Ranking
from seq2see.search.restrictions import Restriction
from seq2see.search.step_function import StepFunction, Symbols
from seq2see.types import DecoderState


def greedy_search(
    step: StepFunction,
    state: DecoderState,
    max_lengths: Int[Tensor, " B"],
    *,
    symbols: Symbols,
    ranking: Ranking,
    restrictions: Sequence[Restriction] = (),
) -> list[Hypothesis]:
    """As ``one_path_search``, taking the most probable token at every step."""
    return one_path_search(
        step,
        state,
        max_lengths,
        symbols=symbols,
        ranking=ranking,
        choose=most_probable,
        restrictions=restrictions,
    )


def most_probable(log_probs: Float[Tensor, "LW V"], rows: Sequence[int]) -> Int[Tensor, " LW"]:
    """The token with the highest log-probability, of every row."""
    return log_probs.argmax(dim=-1)
