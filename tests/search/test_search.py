import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from seq2see.errors import ModelError
from seq2see.search import Hypothesis, Ranking, beam_search, greedy_search, length_penalty, search_with_required
from seq2see.types import DecoderState, StepOutput
from tests.search.tables import BOS, EOS, SYMBOLS, TableModel

MAX_LENGTHS = [0, 1, 4, 2, 3]


def beam(
    model: TableModel, sources: list[int], limits: list[int], *, beam_size: int, n_best: int = 1, alpha: float = 0.0
) -> list[list[Hypothesis]]:
    return beam_search(
        model.step,
        model.init_state(sources),
        torch.tensor(limits),
        symbols=SYMBOLS,
        beam_size=beam_size,
        n_best=n_best,
        ranking=Ranking(alpha, 0.0),
    )


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_a_beam_of_all_outputs_is_exhaustive_search(seed: int, alpha: float) -> None:
    model = TableModel(5, 4, seed=seed)
    found = beam(model, list(range(5)), MAX_LENGTHS, beam_size=31, n_best=31, alpha=alpha)
    for source, limit in enumerate(MAX_LENGTHS):
        outputs = model.all_outputs(source, limit)
        expected = sorted(outputs, key=lambda tokens: -outputs[tokens] / length_penalty(len(tokens) + 1, alpha))
        assert [tuple(hypothesis.tokens) for hypothesis in found[source]] == expected


@pytest.mark.parametrize("seed", range(5))
def test_beam_of_one_is_greedy_search(seed: int) -> None:
    model = TableModel(5, 6, seed=seed)
    greedy = greedy_search(
        model.step,
        model.init_state(list(range(5))),
        torch.tensor(MAX_LENGTHS),
        symbols=SYMBOLS,
        ranking=Ranking(0.0, 0.0),
    )
    found = beam(model, list(range(5)), MAX_LENGTHS, beam_size=1)
    assert [h.tokens for h in greedy] == [h.tokens for (h,) in found]
    assert [h.log_prob for h in greedy] == pytest.approx([h.log_prob for (h,) in found])


@settings(deadline=None, max_examples=60, derandomize=True)
@given(
    seed=st.integers(0, 10_000),
    vocab_size=st.integers(3, 6),
    levels=st.sampled_from([1, 2, 3, 1000]),
    beam_size=st.integers(1, 7),
    alpha=st.sampled_from([0.0, 0.6, 1.3]),
    limits=st.lists(st.integers(0, 6), min_size=1, max_size=5),
)
def test_what_holds_for_every_search(
    seed: int, vocab_size: int, levels: int, beam_size: int, alpha: float, limits: list[int]
) -> None:
    """With ties, more endings than beams, beams larger than the vocabulary, one letter alone, length 0."""
    model = TableModel(len(limits), vocab_size, seed=seed, levels=levels)
    sources = list(range(len(limits)))
    found = beam(model, sources, limits, beam_size=beam_size, n_best=beam_size, alpha=alpha)
    for source, hypotheses in zip(sources, found, strict=True):
        assert 1 <= len(hypotheses) <= beam_size
        assert len({tuple(h.tokens) for h in hypotheses}) == len(hypotheses)
        assert [h.score for h in hypotheses] == sorted((h.score for h in hypotheses), reverse=True)
        for hypothesis in hypotheses:
            assert len(hypothesis.tokens) <= limits[source]
            assert not {BOS, EOS} & set(hypothesis.tokens)
            forced = model.log_prob(source, hypothesis.tokens)
            assert hypothesis.log_prob == pytest.approx(forced, abs=1e-9)
            penalty = length_penalty(len(hypothesis.tokens) + 1, alpha)
            assert hypothesis.score == pytest.approx(forced / penalty, abs=1e-9)
            # each row of weights names the step that made its token: it must be that token's own step
            past = [BOS, BOS, *hypothesis.tokens]
            rows = [[source, position, past[position], past[position + 1]] for position in range(len(past) - 2)]
            assert hypothesis.weights.tolist() == rows
    if levels == 1000:  # without ties
        for n_best in range(1, beam_size):
            fewer = beam(model, sources, limits, beam_size=beam_size, n_best=n_best, alpha=alpha)
            assert [[h.tokens for h in one] for one in fewer] == [[h.tokens for h in one[:n_best]] for one in found]
        for source in sources:
            (alone,) = beam(model, [source], [limits[source]], beam_size=beam_size, n_best=beam_size, alpha=alpha)
            assert [h.tokens for h in alone] == [h.tokens for h in found[source]]


@pytest.mark.parametrize("beam_size", [2, 3])
@pytest.mark.parametrize("required", [False, True])
def test_improbable_ends_do_not_end_the_search(beam_size: int, required: bool) -> None:
    """An end is among the best continuations at every step; six letters of 0.9 and an end of 0.97 are likelier."""

    def step(tokens: Tensor, state: DecoderState) -> StepOutput:
        ends = state["position"] == 6
        probs = torch.tensor([0.0, 0.08, 0.9, 0.02]).expand(len(tokens), 4)
        probs = torch.where(ends[:, None], torch.tensor([0.0, 0.97, 0.02, 0.01]), probs)
        return StepOutput(probs.log(), {**state, "position": state["position"] + 1}, torch.ones(len(tokens), 1, 4))

    state = {"position": torch.zeros(1, dtype=torch.int64), "mask": torch.ones(1, 4, dtype=torch.bool)}
    options: dict[str, Any] = {"symbols": SYMBOLS, "beam_size": beam_size, "n_best": 1, "ranking": Ranking(0.0, 0.0)}
    if required:
        (found,) = search_with_required(step, state, 9, [(2,)], **options)
    else:
        ((found,),) = beam_search(step, state, torch.tensor([9]), **options)
    assert found.tokens == [2] * 6
    assert found.log_prob == pytest.approx(6 * math.log(0.9) + math.log(0.97), abs=1e-5)


def test_a_model_that_gives_no_numbers_ends_with_a_message() -> None:
    model = TableModel(2, 4, seed=0)
    model.table.fill_(float("nan"))
    with pytest.raises(ModelError, match="its training diverged"):
        beam(model, [0, 1], [3, 3], beam_size=2)
    with pytest.raises(ModelError, match="its training diverged"):
        greedy_search(
            model.step, model.init_state([0, 1]), torch.tensor([3, 3]), symbols=SYMBOLS, ranking=Ranking(0.0, 0.0)
        )


def test_hand_worked_length_penalty() -> None:
    assert length_penalty(1, 0.6) == 1.0
    assert length_penalty(7, 1.0) == 2.0
    assert length_penalty(19, 0.5) == 2.0


def test_fewer_hypotheses_than_wanted_and_none_invented() -> None:
    model = TableModel(1, 3, seed=0)
    (found,) = beam(model, [0], [1], beam_size=5, n_best=5)
    assert sorted(h.tokens for h in found) == [[], [2]]


def test_hand_worked_coverage_penalty() -> None:
    weights = torch.tensor([[0.75, 0.25, 0.0], [0.75, 0.0, 0.0]])
    mask = torch.tensor([True, True, False])
    ranking = Ranking(0.0, 0.5)
    # position 1 was looked at fully (at most 1 counts), position 2 by a quarter; the third is padding
    assert ranking.score(-2.0, 3, weights, mask) == pytest.approx(-2.0 + 0.5 * math.log(0.25))
    assert Ranking(1.0, 0.0).score(-2.0, 7, weights, mask) == -1.0


def test_coverage_decides_between_outputs_that_are_equally_likely() -> None:
    """One token looks at the first source position, the other at the second; only both cover the source."""

    def step(tokens: torch.Tensor, state: DecoderState) -> StepOutput:
        logits = torch.zeros(len(tokens), 4)
        weights = torch.where(tokens[:, None] == 2, torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0]))
        return StepOutput(logits, state, weights[:, None])

    state = {"mask": torch.ones(1, 2, dtype=torch.bool)}
    found = beam_search(
        step,
        state,
        torch.tensor([3]),
        symbols=SYMBOLS,
        beam_size=20,
        ranking=Ranking(0.0, 5.0),
    )
    # a step's weights belong to the token it scores, so they depend on the token before: 2 then any covers both
    assert found[0][0].tokens[0] == 2
    assert found[0][0].score > -5.0 * 10


def test_hand_worked_average() -> None:
    ranking = Ranking(0.6, 0.0, average=True)
    assert ranking.reachable(-6.0, 3) == -2.0
    mask = torch.ones(2, dtype=torch.bool)
    assert ranking.score(-6.0, 4, torch.zeros(3, 2), mask) == -1.5
