"""The Transformer's layers against torch's."""

import torch
from torch import nn

from seq2see.attention import MultiHeadDot, causal_mask, mask_from_lengths
from seq2see.decoders.transformer_layer import Cache, TransformerDecoderLayer
from seq2see.encoders.transformer_layer import TransformerEncoderLayer
from seq2see.layers import sinusoids
from seq2see.linear import reduce_products

SIZE, HEADS = 12, 3


def copy_attention(ours: MultiHeadDot, theirs: nn.MultiheadAttention) -> None:
    with torch.no_grad():
        theirs.in_proj_weight.copy_(
            torch.cat([ours.query_projection.weight, ours.key_projection.weight, ours.value_projection.weight])
        )
        # theirs has a bias of the keys, which changes nothing
        theirs.in_proj_bias.copy_(
            torch.cat([ours.query_projection.bias, torch.randn(SIZE), ours.value_projection.bias])
        )
        theirs.out_proj.load_state_dict(ours.output_projection.state_dict())


def test_sinusoids_of_the_paper() -> None:
    found = sinusoids(torch.tensor([0, 3]), 4, torch.float64)
    expected = [
        [0.0, 1.0, 0.0, 1.0],
        [0.1411200080598672, -0.9899924966004454, 0.02999550020249566, 0.9995500337489875],  # sin 3, cos 3, of 0.03
    ]
    torch.testing.assert_close(found, torch.tensor(expected, dtype=torch.float64))


def test_encoder_layer_is_that_of_torch() -> None:
    ours = TransformerEncoderLayer(size=SIZE, num_heads=HEADS, dropout=0.0)
    theirs = nn.TransformerEncoderLayer(SIZE, HEADS, 4 * SIZE, dropout=0.0, batch_first=True, norm_first=True)
    copy_attention(ours.attention, theirs.self_attn)
    theirs.norm1.load_state_dict(ours.attention_norm.state_dict())
    theirs.norm2.load_state_dict(ours.feed_forward_norm.state_dict())
    theirs.linear1.load_state_dict(ours.feed_forward.inner_projection.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.output_projection.state_dict())
    x, mask = torch.randn(2, 5, SIZE), mask_from_lengths(torch.tensor([5, 3]), 5)
    expected = theirs(x, src_key_padding_mask=~mask)
    torch.testing.assert_close(ours(x, mask)[mask], expected[mask])


def test_decoder_layer_is_that_of_torch_at_once_and_step_by_step() -> None:
    ours = TransformerDecoderLayer(size=SIZE, memory_size=SIZE, num_heads=HEADS, dropout=0.0)
    theirs = nn.TransformerDecoderLayer(SIZE, HEADS, 4 * SIZE, dropout=0.0, batch_first=True, norm_first=True)
    copy_attention(ours.self_attention, theirs.self_attn)
    copy_attention(ours.attention, theirs.multihead_attn)
    theirs.norm1.load_state_dict(ours.self_attention_norm.state_dict())
    theirs.norm2.load_state_dict(ours.attention_norm.state_dict())
    theirs.norm3.load_state_dict(ours.feed_forward_norm.state_dict())
    theirs.linear1.load_state_dict(ours.feed_forward.inner_projection.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.output_projection.state_dict())
    x, memory, mask = torch.randn(2, 4, SIZE), torch.randn(2, 5, SIZE), mask_from_lengths(torch.tensor([5, 3]), 5)
    causal = causal_mask(4, x.device)
    expected = theirs(x, memory, tgt_mask=~causal, memory_key_padding_mask=~mask)
    keys, values = ours.attention.keys(memory), ours.attention.values(memory)
    nothing = Cache(*torch.zeros(2, 2, HEADS, 0, SIZE // HEADS))
    whole = ours(x, nothing, causal, keys, values, mask)
    torch.testing.assert_close(whole.x, expected)
    past = nothing
    for position in range(4):
        sees_all = torch.ones(1, position + 1, dtype=torch.bool)
        step = ours(x[:, position : position + 1], past, sees_all, keys, values, mask)
        past = step.past
        torch.testing.assert_close(step.x[:, 0], expected[:, position])


def test_reduced_products_are_near_the_exact_ones() -> None:
    """With keys, values and what is inside the network in bfloat16, too."""
    encoder = TransformerEncoderLayer(size=SIZE, num_heads=HEADS, dropout=0.0)
    decoder = TransformerDecoderLayer(size=SIZE, memory_size=SIZE, num_heads=HEADS, dropout=0.0)
    parameters = [*encoder.parameters(), *decoder.parameters()]
    source, target = torch.randn(3, 7, SIZE), torch.randn(3, 4, SIZE)
    mask = mask_from_lengths(torch.tensor([7, 2, 5]), 7)
    nothing = torch.zeros(3, HEADS, 0, SIZE // HEADS)

    def made() -> list[torch.Tensor]:
        memory = encoder(source, mask)
        keys, values = decoder.attention.keys(memory), decoder.attention.values(memory)
        output = decoder(target, Cache(nothing, nothing), causal_mask(4, target.device), keys, values, mask)
        assert output.x.dtype == output.head_weights.dtype == torch.float32
        gradients = torch.autograd.grad(output.x.square().sum(), parameters)
        return [output.x, output.head_weights, torch.cat([gradient.flatten() for gradient in gradients])]

    exact = made()
    for layer in (encoder, decoder):
        reduce_products(layer, True)
    for one, other in zip(made(), exact, strict=True):
        assert not torch.equal(one, other)
        assert (one - other).norm() < 0.05 * other.norm()
