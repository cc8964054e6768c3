import torch
from torch.nn import functional as F

from seq2see.attention import (
    Additive,
    Attention,
    Dot,
    MultiHead,
    NoAttention,
    ScaledDot,
    SingleHead,
    Softmax,
    mask_from_lengths,
)
from seq2see.types import Memory


def memory(lengths: list[int], size: int = 5) -> Memory:
    mask = mask_from_lengths(torch.tensor(lengths), max(lengths))
    states, values = (torch.randn(len(lengths), max(lengths), size) * mask[..., None] for _ in range(2))
    copy_ids = torch.zeros(mask.shape, dtype=torch.int64)
    return Memory(states=states, values=values, mask=mask, final=torch.randn(len(lengths), size), copy_ids=copy_ids)


def look(attention: Attention, query: torch.Tensor, given: Memory) -> tuple[torch.Tensor, torch.Tensor]:
    context, head_weights, _ = attention(query, {**attention.init_state(given), "mask": given.mask})
    return context, head_weights


def test_context_is_that_of_torch() -> None:
    given, query = memory([5, 2, 1]), torch.randn(3, 5)
    context, _ = look(SingleHead(scorer=Dot(), normaliser=Softmax(), memory_size=5), query, given)
    expected = F.scaled_dot_product_attention(
        query[:, None], given.states, given.values, attn_mask=given.mask[:, None], scale=1.0
    )
    torch.testing.assert_close(context, expected.squeeze(1))


def test_weights_are_a_distribution_over_real_positions() -> None:
    scorer = Additive(query_size=3, memory_size=5, attention_size=7)
    given = memory([6, 1, 3, 2])
    _, weights = look(SingleHead(scorer=scorer, normaliser=Softmax(), memory_size=5), torch.randn(4, 3), given)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(4, 1))
    assert (weights >= 0).all()
    assert (weights[:, 0][~given.mask] == 0.0).all()


def test_many_heads_are_those_of_torch() -> None:
    heads = [
        SingleHead(
            scorer=ScaledDot(query_size=6, memory_size=6, attention_size=2),
            normaliser=Softmax(),
            memory_size=6,
            value_size=2,
        )
        for _ in range(3)
    ]
    ours, given, query = MultiHead(heads=heads, context_size=6), memory([5, 3], size=6), torch.randn(2, 6)
    theirs = torch.nn.MultiheadAttention(6, 3, bias=False, batch_first=True)
    values = [head.value_projection.weight for head in heads if head.value_projection is not None]
    scorers = [head.scorer for head in heads]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(
            torch.cat(
                [
                    *(scorer.get_parameter("query_projection.weight") for scorer in scorers),
                    *(scorer.get_parameter("key_projection.weight") for scorer in scorers),
                    *values,
                ]
            )
        )
        theirs.out_proj.weight.copy_(ours.output_projection.weight)
    context, weights = look(ours, query, given)
    expected, expected_weights = theirs(
        query[:, None], given.states, given.values, key_padding_mask=~given.mask, average_attn_weights=False
    )
    torch.testing.assert_close(context, expected.squeeze(1))
    torch.testing.assert_close(weights, expected_weights.squeeze(2))


def test_without_attention_the_context_is_the_summary_whatever_the_query() -> None:
    given = memory([4, 2])
    context, weights = look(NoAttention(final_size=5), torch.randn(2, 3), given)
    assert torch.equal(context, given.final)
    assert weights.tolist() == [[[0.0, 0.0, 0.0, 1.0]], [[0.0, 1.0, 0.0, 0.0]]]
