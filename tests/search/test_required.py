import pytest
import torch

from seq2see.search import Hypothesis, MinLength, NoSequence, Ranking, beam_search, search_with_required
from seq2see.search.required import missing
from tests.search.tables import EOS, SYMBOLS, TableModel
from tests.search.test_restrictions import has_run

LONGEST = 4


def search(
    model: TableModel, required: list[tuple[int, ...]], beam_size: int, n_best: int = 1, **more: object
) -> list[Hypothesis]:
    return search_with_required(
        model.step,
        model.init_state([0]),
        LONGEST,
        required,
        symbols=SYMBOLS,
        beam_size=beam_size,
        n_best=n_best,
        ranking=Ranking(0.0, 0.0),
        **more,  # type: ignore[arg-type]
    )


def test_how_many_tokens_are_missing() -> None:
    assert missing((), [(2, 3), (4,)]) == 3
    assert missing((2,), [(2, 3), (4,)]) == 2  # begun
    assert missing((2, 5), [(2, 3), (4,)]) == 3  # broken off
    assert missing((4, 2, 3), [(2, 3), (4,)]) == 0
    assert missing((2, 3), [(2, 3), (3, 4)]) == 1  # runs may share tokens


@pytest.mark.parametrize("required", [[(3,)], [(2, 4)], [(3,), (2, 2)], [(4, 3, 2)], [(2,), (3,), (4,)]])
@pytest.mark.parametrize("seed", range(4))
def test_a_wide_beam_finds_the_best_of_all_outputs_that_hold_them(required: list[tuple[int, ...]], seed: int) -> None:
    model = TableModel(1, 5, seed=seed)
    (best,) = search(model, required, 400)
    allowed = {
        tokens: value
        for tokens, value in model.all_outputs(0, LONGEST).items()
        if all(has_run(tokens, run) for run in required)
    }
    assert best.log_prob == pytest.approx(max(allowed.values()))
    assert tuple(best.tokens) == max(allowed, key=lambda tokens: allowed[tokens])
    assert sum(best.token_log_probs) == pytest.approx(best.log_prob)
    past = [0, 0, *best.tokens]
    assert best.weights.tolist() == [[0, i, past[i], past[i + 1]] for i in range(len(best.tokens))]


@pytest.mark.parametrize("beam_size", [1, 2, 5])
@pytest.mark.parametrize("required", [[(3,)], [(2, 4)], [(2, 2, 2, 2)], [(2, 3), (4, 4)]])
def test_a_narrow_beam_holds_them_too(required: list[tuple[int, ...]], beam_size: int) -> None:
    for seed in range(5):
        for one in search(TableModel(1, 5, seed=seed), required, beam_size, n_best=beam_size):
            assert all(has_run(tuple(one.tokens), run) for run in required)
            assert len(one.tokens) <= LONGEST
        assert search(TableModel(1, 5, seed=seed), required, beam_size)


def test_with_other_restrictions() -> None:
    model = TableModel(1, 5, seed=0)
    (one,) = search(model, [(3,)], 5, restrictions=[MinLength(3, EOS)])
    assert len(one.tokens) >= 3
    assert search(model, [(3,)], 5, restrictions=[NoSequence([[(3,)]])]) == []


@pytest.mark.parametrize("beam_size", [2, 3, 5])
@pytest.mark.parametrize("seed", range(6))
def test_without_runs_it_is_beam_search(beam_size: int, seed: int) -> None:
    model = TableModel(1, 5, seed=seed)
    ((best,),) = beam_search(
        model.step,
        model.init_state([0]),
        torch.tensor([LONGEST]),
        symbols=SYMBOLS,
        beam_size=beam_size,
        ranking=Ranking(0.0, 0.0),
    )
    (one,) = search(model, [], beam_size)
    assert one.tokens == best.tokens


def test_without_runs_a_wide_beam_is_exhaustive_search() -> None:
    model = TableModel(1, 4, seed=1)
    outputs = model.all_outputs(0, LONGEST)
    (one,) = search(model, [], 200)
    assert one.log_prob == pytest.approx(max(outputs.values()))
    assert torch.is_tensor(one.weights)
