"""Outputs under restrictions are the best of those that keep them: found by going through all outputs."""

from collections.abc import Callable, Sequence

import pytest
import torch

from seq2see.search import (
    MinLength,
    NoRepeatedNgrams,
    NoSequence,
    Prefix,
    Ranking,
    Restriction,
    beam_search,
    greedy_search,
)
from tests.search.tables import EOS, SYMBOLS, TableModel

LONGEST = 4
Keeps = Callable[[tuple[int, ...]], bool]


def has_run(tokens: tuple[int, ...], run: tuple[int, ...]) -> bool:
    return any(tokens[start : start + len(run)] == run for start in range(len(tokens)))


def repeats(tokens: tuple[int, ...], n: int) -> bool:
    runs = [tokens[start : start + n] for start in range(len(tokens) - n + 1)]
    return len(set(runs)) < len(runs)


CASES: list[tuple[Restriction, Keeps]] = [
    (MinLength(2, EOS), lambda tokens: len(tokens) >= 2),
    (NoRepeatedNgrams(1), lambda tokens: not repeats(tokens, 1)),
    (NoRepeatedNgrams(2), lambda tokens: not repeats(tokens, 2)),
    (NoSequence([[(2, 3), (4,)]]), lambda tokens: not has_run(tokens, (2, 3)) and not has_run(tokens, (4,))),
    (Prefix([(3, 2)]), lambda tokens: tokens[:2] == (3, 2)),
    (Prefix([()]), lambda tokens: True),
    (
        Prefix([(3, 3)], then=[NoRepeatedNgrams(1)]),
        lambda tokens: tokens[:2] == (3, 3) and 3 not in tokens[2:] and not repeats(tokens[2:], 1),
    ),
]


@pytest.mark.parametrize(("restriction", "keeps"), CASES)
@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_all_outputs_that_keep_it(restriction: Restriction, keeps: Keeps, seed: int) -> None:
    model = TableModel(1, 5, seed=seed)
    (found,) = beam_search(
        model.step,
        model.init_state([0]),
        torch.tensor([LONGEST]),
        symbols=SYMBOLS,
        beam_size=150,
        n_best=150,
        ranking=Ranking(0.0, 0.0),
        restrictions=[restriction],
    )
    allowed = {tokens: value for tokens, value in model.all_outputs(0, LONGEST).items() if keeps(tokens)}
    expected = sorted(allowed, key=lambda tokens: -allowed[tokens])
    assert [tuple(one.tokens) for one in found] == expected[: len(found)]
    assert len(found) == min(150, len(allowed))
    assert [one.log_prob for one in found] == pytest.approx([allowed[tokens] for tokens in expected[: len(found)]])


@pytest.mark.parametrize(("restriction", "keeps"), CASES)
def test_a_beam_of_one_is_greedy_search(restriction: Restriction, keeps: Keeps) -> None:
    model = TableModel(1, 5, seed=7)
    given = (model.step, model.init_state([0]), torch.tensor([LONGEST]))
    (greedy,) = greedy_search(*given, symbols=SYMBOLS, ranking=Ranking(0.0, 0.0), restrictions=[restriction])
    ((one,),) = beam_search(*given, symbols=SYMBOLS, beam_size=1, ranking=Ranking(0.0, 0.0), restrictions=[restriction])
    assert greedy.tokens == one.tokens
    assert keeps(tuple(greedy.tokens))


@pytest.mark.parametrize("beam_size", [1, 3])
def test_there_is_an_output_even_where_nothing_is_allowed(beam_size: int) -> None:
    """All letters forbidden, and an end only after two of them: the end comes."""
    model = TableModel(1, 4, seed=0)
    restrictions: Sequence[Restriction] = [NoSequence([[(2,), (3,)]]), MinLength(2, EOS)]
    ((one, *_),) = beam_search(
        model.step,
        model.init_state([0]),
        torch.tensor([LONGEST]),
        symbols=SYMBOLS,
        beam_size=beam_size,
        ranking=Ranking(0.0, 0.0),
        restrictions=restrictions,
    )
    assert one.tokens == []


def test_prefixes_belong_to_their_sources_whatever_the_order_of_rows() -> None:
    model = TableModel(3, 5, seed=3)
    found = beam_search(
        model.step,
        model.init_state([0, 1, 2]),
        torch.tensor([2, 4, 3]),
        symbols=SYMBOLS,
        beam_size=3,
        ranking=Ranking(0.0, 0.0),
        restrictions=[Prefix([(2,), (3, 4), ()])],
    )
    assert found[0][0].tokens[:1] == [2]
    assert found[1][0].tokens[:2] == [3, 4]
