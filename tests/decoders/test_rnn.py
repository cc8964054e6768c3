"""The step of each order, written out from the formulas in other words than the modules'."""

import torch
from torch import Tensor

from seq2see.seq2seq import Seq2Seq
from seq2see.types import Memory, Source
from tests.small import small_translator

BOS, H = 2, 13
Weights = dict[str, Tensor]


def small(*settings: str) -> tuple[Seq2Seq, Source, Memory, Weights]:
    model = small_translator(*settings).model.double()
    source = Source.of(torch.tensor([[5, 6, 7]]), torch.tensor([3]))
    weights = {name: value.detach() for name, value in model.decoder.named_parameters()}
    return model, source, model.encoder(source), weights


def linear(weights: Weights, name: str, x: Tensor) -> Tensor:
    projected = weights[f"{name}.weight"] @ x
    return projected + weights[f"{name}.bias"] if f"{name}.bias" in weights else projected


def attend(weights: Weights, query: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
    scorer = "order.attention.scorer"
    energies = torch.stack(
        [
            weights[f"{scorer}.v"]
            @ torch.tanh(
                linear(weights, f"{scorer}.query_projection", query) + linear(weights, f"{scorer}.key_projection", h)
            )
            for h in memory.states[0]
        ]
    )
    alpha = energies.exp() / energies.exp().sum()
    return alpha, sum((a * v for a, v in zip(alpha, memory.values[0], strict=True)), torch.zeros(1).double())


def lstm(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    i, f, g, o = gates.split(H)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


def first_states(weights: Weights, memory: Memory) -> tuple[Tensor, Tensor]:
    bridge = "order.first_state.projections"
    return torch.tanh(linear(weights, f"{bridge}.0", memory.final[0])), linear(weights, f"{bridge}.1", memory.final[0])


def test_hand_worked_step_in_bahdanaus_order() -> None:
    model, source, memory, w = small()
    s0, cell = first_states(w, memory)
    alpha, context = attend(w, s0, memory)
    y = w["embedding.weight"][BOS]
    gates = linear(w, "order.fusion.input_projection", y) + linear(w, "order.fusion.context_projection", context)
    s1, _ = lstm(gates + linear(w, "order.cell.hidden_projection", s0), cell)
    hidden = torch.tanh(linear(w, "output.hidden_projection", torch.cat([s1, context, y])))
    output = model.step(torch.tensor([BOS]), model.init_state(source))
    torch.testing.assert_close(output.logits[0], linear(w, "output.output_projection", hidden))
    torch.testing.assert_close(output.weights[0], alpha)
    torch.testing.assert_close(output.state["hidden"][0], s1)


def test_hand_worked_second_step_in_luongs_order_with_input_feeding_and_a_linear_output() -> None:
    model, source, memory, w = small("model.decoder.order=luong", "model.decoder.output=linear")
    hidden, cell = first_states(w, memory)
    attentional = torch.zeros(H).double()
    for token in (BOS, 9):
        y = w["embedding.weight"][token]
        gates = linear(w, "order.fusion.input_projection", y)
        gates = gates + linear(w, "order.fusion.context_projection", attentional)
        hidden, cell = lstm(gates + linear(w, "order.cell.hidden_projection", hidden), cell)
        alpha, context = attend(w, hidden, memory)
        attentional = torch.tanh(linear(w, "order.attentional_projection", torch.cat([context, hidden])))
    state = model.step(torch.tensor([BOS]), model.init_state(source)).state
    output = model.step(torch.tensor([9]), state)
    torch.testing.assert_close(output.logits[0], linear(w, "output.output_projection", attentional))
    torch.testing.assert_close(output.weights[0], alpha)


def test_hand_worked_fusion_by_a_layer_in_the_form_of_the_plain_cell() -> None:
    """s' = tanh(W x' + b + U s) with x' = tanh(W_x x + W_c c + b_x)."""
    model, source, memory, w = small("model.decoder.fusion=project", "model.decoder.cell=rnn")
    s0 = torch.tanh(linear(w, "order.first_state.projections.0", memory.final[0]))
    _, context = attend(w, s0, memory)
    y = w["embedding.weight"][BOS]
    fused = torch.tanh(
        linear(w, "order.fusion.input_projection", y) + linear(w, "order.fusion.context_projection", context)
    )
    s1 = torch.tanh(linear(w, "order.fusion.cell_projection", fused) + linear(w, "order.cell.hidden_projection", s0))
    output = model.step(torch.tensor([BOS]), model.init_state(source))
    torch.testing.assert_close(output.state["hidden"][0], s1)


def test_first_states() -> None:
    same_size = ["model.decoder.hidden_size=22"]
    model, source, memory, _ = small("model.decoder.first_state=last", *same_size)
    state = model.init_state(source)
    assert torch.equal(state["hidden"], memory.final)
    assert not state["cell"].any()
    model, source, _, _ = small("model.decoder.first_state=zeros")
    state = model.init_state(source)
    assert not state["hidden"].any()
    assert not state["cell"].any()


def test_without_input_feeding_the_attentional_vector_changes_nothing() -> None:
    model, source, _, _ = small("model.decoder.order=luong", "model.decoder.input_feeding=false")
    state = model.init_state(source)
    changed = {**state, "attentional": state["attentional"] + 1.0}
    tokens = torch.tensor([BOS])
    assert torch.equal(model.step(tokens, state).logits, model.step(tokens, changed).logits)


def test_a_step_leaves_nothing_on_the_module() -> None:
    model, source, _, _ = small("model.decoder.order=luong", "model.attention.scorer=location_aware")
    before = {name: set(vars(module)) for name, module in model.named_modules()}
    model.step(torch.tensor([BOS]), model.init_state(source))
    assert {name: set(vars(module)) for name, module in model.named_modules()} == before
