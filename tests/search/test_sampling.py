import pytest
import torch

from seq2see.search import Ranking, Sampler, one_path_search
from tests.search.tables import SYMBOLS, TableModel

P = torch.tensor([[0.5, 0.25, 0.15, 0.1]])


def drawn(draws: int, **settings: float | int) -> torch.Tensor:
    sampler = Sampler(range(draws), **settings)  # type: ignore[arg-type]
    tokens = sampler(P.log().expand(draws, -1), range(draws))
    return torch.bincount(tokens, minlength=4) / draws


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, P[0]),
        ({"temperature": 0.5}, P[0] ** 2 / (P[0] ** 2).sum()),
        ({"top_k": 2}, torch.tensor([2 / 3, 1 / 3, 0.0, 0.0])),
        ({"top_p": 0.7}, torch.tensor([2 / 3, 1 / 3, 0.0, 0.0])),  # 0.5 is less than 0.7, 0.75 is enough
        ({"top_p": 0.5}, torch.tensor([1.0, 0.0, 0.0, 0.0])),
        ({"top_k": 3, "top_p": 0.6}, torch.tensor([2 / 3, 1 / 3, 0.0, 0.0])),  # 0.5 of 0.9 is less than 0.6
    ],
)
def test_tokens_come_as_often_as_they_should(settings: dict[str, float | int], expected: torch.Tensor) -> None:
    torch.testing.assert_close(drawn(5000, **settings), expected, rtol=0, atol=0.025)


def test_what_may_not_come_never_comes() -> None:
    log_probs = torch.tensor([[-torch.inf, 0.0, -torch.inf]]).expand(50, -1)
    assert Sampler(range(50))(log_probs, range(50)).tolist() == [1] * 50


def test_a_row_draws_the_same_whatever_its_neighbours() -> None:
    model = TableModel(4, 5, seed=0)

    def draw(sources: list[int]) -> list[list[int]]:
        found = one_path_search(
            model.step,
            model.init_state(sources),
            torch.tensor([6] * len(sources)),
            symbols=SYMBOLS,
            ranking=Ranking(0.0, 0.0),
            choose=Sampler([100 + source for source in sources]),
        )
        for source, one in zip(sources, found, strict=True):
            assert one.log_prob == pytest.approx(model.log_prob(source, one.tokens), abs=1e-9)
        return [one.tokens for one in found]

    together = draw([0, 1, 2, 3])
    assert [draw([source])[0] for source in range(4)] == together
    assert draw([3, 1])[0] == together[3]
