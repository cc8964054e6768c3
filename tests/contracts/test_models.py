"""One table of all choices of a model; every combination that is not refused keeps the same contract."""

import random

import numpy as np
import pytest
import torch

from seq2see.config import load_config
from seq2see.data.batches import Batch, make_batch
from seq2see.data.special import PAD
from seq2see.errors import ConfigError
from seq2see.inference import Translator
from seq2see.losses import CrossEntropy, label_log_probs
from seq2see.seq2seq import Seq2Seq
from seq2see.types import select_changed_rows, select_rows
from tests.contracts.covering import Combination, covering
from tests.small import small_translator

CHOICES = {
    "model.encoder.type": ["rnn", "transformer"],
    "model.encoder.cell": ["lstm", "gru", "rnn"],
    "model.encoder.num_layers": ["1", "2"],
    "model.encoder.bidirectional": ["true", "false"],
    "model.encoder.residual": ["true", "false"],
    "model.encoder.tags": ["none", "added", "attended"],
    "model.decoder.type": ["rnn", "transformer"],
    "model.decoder.cell": ["lstm", "gru", "rnn"],
    "model.decoder.num_layers": ["1", "2"],
    "model.decoder.order": ["bahdanau", "luong"],
    "model.decoder.input_feeding": ["true", "false"],
    "model.decoder.fusion": ["concat", "project"],
    "model.decoder.first_state": ["bridge", "zeros", "last"],
    "model.decoder.output": ["deep", "linear"],
    "model.decoder.copies": ["false", "true"],
    "model.attention.scorer": [
        "additive", "concat", "dot", "general", "scaled_dot", "location_aware", "coverage", "none",
    ],
    "model.attention.normaliser": ["softmax", "sparsemax", "local", "monotonic"],
    "model.attention.num_heads": ["1", "2"],
    "model.tie_output": ["false", "true"],
    "model.share_embeddings": ["false", "true"],
}  # fmt: skip
"""Key → its values, the default first."""

SOURCES = ["abΩc", "thequickbrownfoxju", "q", "mΨnopqrsΩtu"]
TARGETS = ["bΩcdefgh", "x", "lazydogsaround", "zyxΩΨwv"]
"""Ω and Ψ are in no vocabulary: unknown, or copied."""
TAGS = ["V;PST", "N", "N;PL;V", "SG;PL"]


def settings_of(combination: Combination) -> list[str]:
    """The settings of a combination, with sizes that differ as far as its choices allow."""
    given = dict(zip(CHOICES, combination, strict=True))
    settings = [f"{key}={value}" for key, value in given.items()]
    equal = (
        "transformer" in (given["model.encoder.type"], given["model.decoder.type"])
        or given["model.attention.scorer"] == "dot"
        or given["model.decoder.first_state"] == "last"
        or (given["model.tie_output"] == "true" and given["model.decoder.output"] == "linear")
    )
    both = given["model.encoder.type"] == "rnn" and given["model.encoder.bidirectional"] == "true"
    encoder, decoder, embedding = (4 if both else 8, 8, 8) if equal else (6, 10, 7)
    settings += [f"model.encoder.hidden_size={encoder}", f"model.decoder.hidden_size={decoder}"]
    settings += [f"model.embedding_size={embedding}", "model.attention.attention_size=6", "model.encoder.num_heads=2"]
    settings += ["model.attention.half_width=2", "model.dropout=0.0"]
    return [*settings, f"tokens.shared={given['model.share_embeddings']}"]


def is_legal(combination: Combination) -> bool:
    try:
        load_config(None, settings_of(combination))
    except ConfigError:
        return False
    return True


def build(combination: Combination) -> Translator:
    return small_translator(*settings_of(combination), spread=2.0)


def given_texts(translator: Translator) -> list[str]:
    if translator.tokenizers.tags is None:
        return SOURCES
    return [f"{source}\t{tags}" for source, tags in zip(SOURCES, TAGS, strict=True)]


def check_contract(combination: Combination) -> None:
    translator = build(combination)
    model, texts = translator.model, given_texts(translator)
    given = make_batch(translator.tokenizers.encode_pairs(texts, TARGETS))
    whole = model(given.source, given.decoder_input)
    check_weights(whole.head_weights, whole.mask)
    check_gradient(model, given)
    check_steps(model, given)
    check_positions(translator)
    check_loss(model, given)
    for text, together in zip(texts, translator.translate(texts, beam=3), strict=True):
        (alone,) = translator.translate([text], beam=3)
        assert alone.text == together.text
        assert alone.log_prob == pytest.approx(together.log_prob, abs=1e-5)
        np.testing.assert_allclose(alone.weights, together.weights, atol=1e-5)
        assert together.weights.shape == (len(together.tokens), len(together.source_tokens))
        (forced,) = translator.score([text], [together.text])
        assert forced.log_prob == pytest.approx(together.log_prob, abs=1e-3)
        assert forced.alignment.target_tokens == together.tokens
    again = build(combination).model
    again.load_state_dict(model.state_dict())
    assert torch.equal(again(given.source, given.decoder_input).logits, whole.logits)
    logits = model.bfloat16()(given.source, given.decoder_input).logits
    assert logits[..., : translator.tokenizers.target.vocab_size].isfinite().all()


def check_weights(weights: torch.Tensor, mask: torch.Tensor) -> None:
    """At least 0, sums of 1, exactly 0 on padding."""
    assert (weights >= 0.0).all()
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(weights.shape[:-1]))
    assert (weights.masked_select(~mask[:, None, None, :].expand_as(weights)) == 0.0).all()


def check_gradient(model: Seq2Seq, given: Batch) -> None:
    """In float64: it reaches every parameter, and along a random direction it is the finite difference."""
    model.double().train()
    vocab_size = model.decoder.embedding.num_embeddings

    def value() -> torch.Tensor:
        torch.manual_seed(3)  # monotonic attention has noise in training
        logits = model(given.source, given.decoder_input).logits[given.labels != PAD, :vocab_size]
        result: torch.Tensor = (logits * torch.linspace(-1.0, 1.0, vocab_size, dtype=torch.float64)).square().sum()
        return result

    value().backward()
    parameters = dict(model.named_parameters())
    assert [name for name, p in parameters.items() if p.grad is None or not p.grad.abs().sum() > 0] == []
    directions = {name: torch.randn_like(p) for name, p in parameters.items()}
    expected = sum(float((p.grad * directions[name]).sum()) for name, p in parameters.items() if p.grad is not None)
    step = 1e-7
    with torch.no_grad():
        values = []
        for sign in (1.0, -2.0):
            for name, parameter in parameters.items():
                parameter.add_(directions[name], alpha=sign * step)
            values.append(float(value()))
        for name, parameter in parameters.items():
            parameter.add_(directions[name], alpha=step)
    assert (values[0] - values[1]) / (2.0 * step) == pytest.approx(expected, rel=1e-4, abs=1e-5)
    model.float().eval()


def check_steps(model: Seq2Seq, given: Batch) -> None:
    """Repeated step = forward, in float64, and every entry of the state is batch-first."""
    model.double()
    whole = model(given.source, given.decoder_input)
    state = model.init_state(given.source)
    for position in range(given.decoder_input.shape[1]):
        output = model.step(given.decoder_input[:, position], state)
        torch.testing.assert_close(output.logits, whole.logits[:, position], rtol=0, atol=1e-10)
        torch.testing.assert_close(output.head_weights, whole.head_weights[:, position], rtol=0, atol=1e-10)
        state = output.state
        assert {entry.shape[0] for entry in state.values()} == {len(SOURCES)}
    check_sources_entries(model, given)
    model.float()


def check_sources_entries(model: Seq2Seq, given: Batch) -> None:
    """What a step hands on as it was given is equal in all rows of a source, and may stay where it is."""
    twice = torch.arange(len(SOURCES)).repeat_interleave(2)
    before = select_rows(model.init_state(given.source), twice)
    changed_places = torch.arange(2 * len(SOURCES)).view(-1, 2).flip(1).flatten()
    for tokens in (torch.arange(len(twice)) + 4, torch.arange(len(twice)) + 5):
        after = model.step(tokens, before).state
        expected = select_rows(after, changed_places)
        before = select_changed_rows(before, after, changed_places)
        torch.testing.assert_close(before, expected, rtol=0, atol=0)


def check_loss(model: Seq2Seq, given: Batch) -> None:
    """In float64: the loss without logits, and its gradients, are those of the loss of the logits."""
    model.double().train()
    cross_entropy = CrossEntropy(0.1, PAD, model.decoder.embedding.num_embeddings)
    found = []
    for in_pieces in (False, True):
        torch.manual_seed(3)
        model.zero_grad()
        loss = (
            model.loss(given.source, given.decoder_input, given.labels, cross_entropy).tokens
            if in_pieces
            else cross_entropy.of_logits(model(given.source, given.decoder_input).logits, given.labels)
        )
        loss.total.backward()
        gradients = [p.grad for p in model.parameters() if p.grad is not None]
        found.append((loss.total.detach(), loss.negative_log_likelihood, loss.num_tokens, gradients))
    torch.testing.assert_close(*found, rtol=0, atol=1e-10)
    model.zero_grad()
    model.float().eval()


def check_positions(translator: Translator) -> None:
    """Moving all weight to the only position changes nothing, and neither do neighbours."""
    model, texts = translator.model.double(), given_texts(translator)
    examples = translator.tokenizers.encode_pairs(texts, TARGETS)
    given = make_batch(examples)
    together = model.log_probs_by_position(given.source, given.decoder_input, given.labels)
    assert together.shape == model(given.source, given.decoder_input).weights.shape
    for row, example in enumerate(examples):
        alone = make_batch([example])
        by_position = model.log_probs_by_position(alone.source, alone.decoder_input, alone.labels)
        mask = model.encoder(given.source).mask[row]
        expected = together[row, : alone.labels.shape[1]][:, mask]
        torch.testing.assert_close(by_position[0], expected, rtol=0, atol=1e-10)
        if by_position.shape[-1] == 1:
            log_probs = label_log_probs(model(alone.source, alone.decoder_input).logits, alone.labels)
            torch.testing.assert_close(by_position[..., 0], log_probs, rtol=0, atol=1e-10)
    model.float()


@pytest.mark.parametrize("combination", covering(CHOICES, 2, is_legal), ids="-".join)
def test_every_pair_of_choices(combination: Combination) -> None:
    check_contract(combination)


@pytest.mark.slow
def test_every_triple_of_choices() -> None:
    for combination in covering(CHOICES, 3, is_legal):
        try:
            check_contract(combination)
        except Exception as error:
            raise AssertionError(f"{settings_of(combination)}") from error


@pytest.mark.slow
def test_combinations_drawn_at_random() -> None:
    """All of them would be millions."""
    generator = random.Random(0)
    drawn = 0
    while drawn < 300:
        combination = tuple(generator.choice(values) for values in CHOICES.values())
        if not is_legal(combination):
            continue
        drawn += 1
        try:
            check_contract(combination)
        except Exception as error:
            raise AssertionError(f"{settings_of(combination)}") from error
