import torch

from seq2see.data.batches import Batch, Example, make_batch
from seq2see.seq2seq import Seq2Seq
from tests.small import small_translator


def batch() -> Batch:
    generator = torch.Generator().manual_seed(5)

    def ids(length: int) -> list[int]:
        return torch.randint(4, 30, (length,), generator=generator).tolist()

    return make_batch([Example(ids(s), ids(t)) for s, t in [(3, 7), (40, 1), (1, 19), (11, 11)]])


def model() -> Seq2Seq:
    return small_translator().model


def test_repeated_step_equals_forward() -> None:
    seq2seq, given = model().double(), batch()
    whole = seq2seq(given.source, given.source_lengths, given.decoder_input)
    state = seq2seq.init_state(given.source, given.source_lengths)
    for position in range(given.decoder_input.shape[1]):
        output = seq2seq.step(given.decoder_input[:, position], state)
        torch.testing.assert_close(output.logits, whole.logits[:, position], rtol=0, atol=1e-10)
        torch.testing.assert_close(output.weights, whole.weights[:, position], rtol=0, atol=1e-10)
        state = output.state


def test_every_entry_of_the_state_is_batch_first() -> None:
    given = batch()
    state = model().init_state(given.source, given.source_lengths)
    assert {entry.shape[0] for entry in state.values()} == {4}


def test_weights_are_zero_on_padding_and_sum_to_one() -> None:
    given = batch()
    weights = model()(given.source, given.source_lengths, given.decoder_input).weights
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(weights.shape[:2]))
    for row, length in enumerate(given.source_lengths.tolist()):
        assert (weights[row, :, length:] == 0.0).all()


def test_gradient_reaches_every_parameter() -> None:
    seq2seq, given = model(), batch()
    seq2seq(given.source, given.source_lengths, given.decoder_input).logits.square().sum().backward()
    without = [name for name, p in seq2seq.named_parameters() if p.grad is None or not p.grad.abs().sum() > 0]
    assert without == []


def test_a_step_leaves_nothing_on_the_module() -> None:
    seq2seq, given = model(), batch()
    before = {name: set(vars(module)) for name, module in seq2seq.named_modules()}
    state = seq2seq.init_state(given.source, given.source_lengths)
    seq2seq.step(given.decoder_input[:, 0], state)
    assert {name: set(vars(module)) for name, module in seq2seq.named_modules()} == before


def test_bfloat16_is_finite() -> None:
    given = batch()
    output = model().bfloat16()(given.source, given.source_lengths, given.decoder_input)
    assert output.logits.isfinite().all()


def test_hand_worked_step_of_the_equations() -> None:
    """s_i, c_i and the logits written out from the formulas, in other words than the module's."""
    seq2seq = model().double()
    decoder = seq2seq.decoder
    source, lengths = torch.tensor([[5, 6, 7]]), torch.tensor([3])
    memory = seq2seq.encoder(source, lengths)
    parameters = {name: value.detach() for name, value in decoder.named_parameters()}
    h, v = memory.states[0], memory.values[0]
    s0 = torch.tanh(
        parameters["bridge.projections.0.weight"] @ memory.final[0] + parameters["bridge.projections.0.bias"]
    )
    c0 = parameters["bridge.projections.1.weight"] @ memory.final[0] + parameters["bridge.projections.1.bias"]
    w_s, w_h = (
        parameters["attention.scorer.query_projection.weight"],
        parameters["attention.scorer.key_projection.weight"],
    )
    b = parameters["attention.scorer.key_projection.bias"]
    energies = torch.stack([parameters["attention.scorer.v"] @ torch.tanh(w_s @ s0 + w_h @ h_j + b) for h_j in h])
    alpha = energies.exp() / energies.exp().sum()
    context = sum(a * v_j for a, v_j in zip(alpha, v, strict=True))
    y = parameters["embedding.weight"][2]
    gates = (
        parameters["cell.input_projection.weight"] @ y
        + parameters["cell.input_projection.bias"]
        + parameters["cell.recurrent_projection.weight"] @ torch.cat([context, s0])
    )
    i, f, g, o = gates.split(13)
    cell = torch.sigmoid(f) * c0 + torch.sigmoid(i) * torch.tanh(g)
    s1 = torch.sigmoid(o) * torch.tanh(cell)
    hidden = torch.tanh(
        parameters["output.hidden_projection.weight"] @ torch.cat([s1, context, y])
        + parameters["output.hidden_projection.bias"]
    )
    logits = parameters["output.output_projection.weight"] @ hidden + parameters["output.output_projection.bias"]
    output = seq2seq.step(torch.tensor([2]), seq2seq.init_state(source, lengths))
    torch.testing.assert_close(output.logits[0], logits)
    torch.testing.assert_close(output.weights[0], alpha)
    torch.testing.assert_close(output.state["hidden"][0], s1)
