"""The recurrence as one function equals the steps that define it, and so does its gradient."""

import itertools

import pytest
import torch
from torch import Tensor

from seq2see.data.batches import Batch, make_batch
from seq2see.decoders import RNNDecoder
from seq2see.inference import Translator
from seq2see.linear import reduce_products
from seq2see.recurrence import AdditiveEnergy, look
from seq2see.recurrence.energy import Compared
from tests.small import small_translator

SAME = ["model.encoder.hidden_size=8", "model.decoder.hidden_size=16", "model.encoder.bidirectional=true"]
CHOICES = list(
    itertools.product(
        ["additive", "dot", "general", "scaled_dot"],
        ["lstm", "gru"],
        ["bahdanau", "luong", "luong-unfed"],
        ["bridge", "zeros"],
    )
)


def made(scorer: str, cell: str, order: str, first: str) -> tuple[Translator, Batch]:
    settings = [f"model.attention.scorer={scorer}", f"model.decoder.cell={cell}"]
    settings += [f"model.decoder.order={order.split('-')[0]}", f"model.decoder.input_feeding={order != 'luong-unfed'}"]
    translator = small_translator(
        *SAME, *settings, f"model.decoder.first_state={first}", "model.dropout=0.0", spread=4.0
    )
    translator.model.double().train()
    examples = translator.tokenizers.encode_pairs(["abc", "defghij", "k"], ["xyzw", "pq", "rstuvw"])
    return translator, make_batch(examples)


def takes_the_whole(translator: Translator, batch: Batch) -> bool:
    """Whether the model's order makes all steps as one function."""
    model = translator.model
    assert isinstance(model.decoder, RNNDecoder)
    state = model.init_state(batch.source)
    embedded = model.decoder.embedding(batch.decoder_input)
    return model.decoder.order.all_steps(model.decoder.order.project_input(embedded), state) is not None


def outputs(translator: Translator, batch: Batch, monkeypatch: pytest.MonkeyPatch, *, whole: bool) -> list[Tensor]:
    """Logits, weights, and the gradient of every parameter by something that depends on both."""
    model = translator.model
    assert isinstance(model.decoder, RNNDecoder)
    if not whole:
        monkeypatch.setattr(type(model.decoder.order), "all_steps", lambda self, inputs, state: None)
    model.zero_grad()
    output = model(batch.source, batch.decoder_input)
    monkeypatch.undo()
    steps = torch.arange(output.weights.numel(), dtype=output.weights.dtype).view_as(output.weights).sin()
    loss = output.logits.log_softmax(dim=-1).square().mean() + (output.weights * steps).sum()
    loss.backward()
    found = [output.logits.detach(), output.weights.detach()]
    for parameter in model.parameters():
        assert parameter.grad is not None
        found.append(parameter.grad.clone())
    return found


@pytest.mark.parametrize(("scorer", "cell", "order", "first"), CHOICES, ids="-".join)
def test_outputs_and_gradients_are_those_of_the_steps(
    scorer: str, cell: str, order: str, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    translator, batch = made(scorer, cell, order, first)
    assert takes_the_whole(translator, batch)
    ours = outputs(translator, batch, monkeypatch, whole=True)
    expected = outputs(translator, batch, monkeypatch, whole=False)
    for one, other in zip(ours, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("order", ["bahdanau", "luong", "luong-unfed"])
def test_hidden_layers_of_energies_can_be_made_again(order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    translator, batch = made("additive", "lstm", order, "bridge")
    num_steps = batch.labels.shape[1]
    make = AdditiveEnergy._hidden
    found, num_made = [], []
    for at_most in (look.KEPT_AT_MOST, 0):
        calls: list[Compared] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                AdditiveEnergy, "_hidden", lambda _, compared, calls=calls: calls.append(compared) or make(compared)
            )
            patch.setattr(look, "KEPT_AT_MOST", at_most)
            found.append(outputs(translator, batch, monkeypatch, whole=True))
        num_made.append(len(calls))
    assert num_made == [num_steps, 2 * num_steps]
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other, rtol=0.0, atol=0.0)


@pytest.mark.parametrize("order", ["bahdanau", "luong"])
def test_a_second_backward_gives_the_same(order: str) -> None:
    translator, batch = made("additive", "lstm", order, "bridge")
    output = translator.model(batch.source, batch.decoder_input)
    loss = output.logits.log_softmax(dim=-1).square().mean()
    loss.backward(retain_graph=True)
    once = [parameter.grad.clone() for parameter in translator.model.parameters() if parameter.grad is not None]
    loss.backward()
    twice = [parameter.grad for parameter in translator.model.parameters() if parameter.grad is not None]
    for one, two in zip(once, twice, strict=True):
        torch.testing.assert_close(2.0 * one, two)


@pytest.mark.parametrize(
    "setting",
    [
        "model.attention.scorer=location_aware",
        "model.attention.scorer=none",
        "model.attention.normaliser=sparsemax",
        "model.decoder.cell=rnn",
        "model.decoder.num_layers=2",
        "model.decoder.fusion=project",
    ],
)
def test_other_choices_go_step_by_step(setting: str) -> None:
    translator = small_translator(setting)
    batch = make_batch(translator.tokenizers.encode_pairs(["abc"], ["xy"]))
    assert not takes_the_whole(translator, batch)
    assert translator.model(batch.source, batch.decoder_input).logits.isfinite().all()


@pytest.mark.parametrize(("scorer", "whole"), [("additive", False), ("general", True)])
def test_additive_energies_in_half_precision_go_step_by_step(scorer: str, whole: bool) -> None:
    translator, batch = made(scorer, "lstm", "bahdanau", "bridge")
    translator.model.bfloat16()
    assert takes_the_whole(translator, batch) is whole


@pytest.mark.parametrize("order", ["bahdanau", "luong", "luong-unfed"])
@pytest.mark.parametrize("cell", ["lstm", "gru"])
@pytest.mark.parametrize("scorer", ["additive", "general"])
def test_reduced_products_are_near_the_exact_ones(
    scorer: str, cell: str, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    translator, batch = made(scorer, cell, order, "bridge")
    translator.model.float()
    exact = outputs(translator, batch, monkeypatch, whole=True)
    reduce_products(translator.model, True)
    reduced = outputs(translator, batch, monkeypatch, whole=True)
    for one, other in zip(reduced, exact, strict=True):
        assert not torch.equal(one, other)
        assert (one - other).norm() < 0.05 * other.norm() + 1e-4
