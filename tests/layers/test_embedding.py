import math

import torch

from seq2see.layers import Embedding


def _embedding(token_dropout: float) -> Embedding:
    torch.manual_seed(3)
    return Embedding(vocab_size=11, embedding_size=6, pad_id=0, token_dropout=token_dropout)


def test_a_share_of_the_tokens_is_not_seen_and_the_rest_scaled() -> None:
    embedding, ids = _embedding(0.25), torch.randint(1, 11, (200, 50))
    seen = embedding.train()(ids)
    plain = embedding.weight[ids]
    unseen = (seen == 0.0).all(dim=-1)
    assert abs(unseen.sum().item() - 2500) < 5.0 * math.sqrt(10_000 * 0.25 * 0.75)
    torch.testing.assert_close(seen[~unseen], plain[~unseen] / 0.75)


def test_nothing_happens_outside_of_training() -> None:
    ids = torch.tensor([[1, 4, 0]])
    embedding = _embedding(0.5).eval()
    assert torch.equal(embedding(ids), embedding.weight[ids])
    assert torch.equal(embedding(ids)[0, 2], torch.zeros(6))


def test_tokens_that_are_not_seen_learn_nothing() -> None:
    embedding, ids = _embedding(0.5).train(), torch.arange(1, 11)
    seen = embedding(ids)
    seen.sum().backward()
    assert embedding.weight.grad is not None
    assert 0 < (seen == 0.0).all(dim=-1).sum() < len(ids)
    assert torch.equal((embedding.weight.grad[1:] == 0.0).all(dim=-1), (seen == 0.0).all(dim=-1))
