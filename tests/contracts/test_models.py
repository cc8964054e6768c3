"""One table of all choices of a model; every combination keeps the same contract."""

import itertools
import random

import numpy as np
import pytest
import torch

from seq2see.config import load_config
from seq2see.data.batches import Batch, Example, make_batch
from seq2see.errors import ConfigError
from seq2see.inference import Translator
from tests.small import small_translator
from tests.toys import LETTERS

CHOICES = {
    "model.encoder.cell": ["lstm", "gru", "rnn"],
    "model.encoder.num_layers": ["1", "2"],
    "model.encoder.bidirectional": ["true", "false"],
    "model.encoder.residual": ["true", "false"],
    "model.decoder.cell": ["lstm", "gru", "rnn"],
    "model.attention.scorer": ["additive", "concat", "dot", "general", "scaled_dot"],
}
"""Key → its values."""

Combination = tuple[str, ...]


def covering(choices: dict[str, list[str]]) -> list[Combination]:
    """Combinations in which every pair of values of two keys occurs."""
    combinations = list(itertools.product(*choices.values()))
    random.Random(0).shuffle(combinations)
    missing = {pair for combination in combinations for pair in _pairs(combination)}
    chosen = []
    while missing:
        best = max(combinations, key=lambda combination: len(missing & _pairs(combination)))
        chosen.append(best)
        missing -= _pairs(best)
    return chosen


def _pairs(combination: Combination) -> set[tuple[tuple[int, str], tuple[int, str]]]:
    return set(itertools.combinations(enumerate(combination), 2))


def build(combination: Combination) -> Translator:
    settings = [f"{key}={value}" for key, value in zip(CHOICES, combination, strict=True)]
    both = "model.encoder.bidirectional=true" in settings
    # dot wants decoder and encoder states of one size
    sizes = ["model.encoder.hidden_size=7", f"model.decoder.hidden_size={14 if both else 7}"]
    return small_translator(*settings, *sizes, spread=4.0)


def batch() -> Batch:
    generator = random.Random(5)
    return make_batch(
        [
            Example([generator.randint(4, 29) for _ in range(s)], [generator.randint(4, 29) for _ in range(t)])
            for s, t in [(3, 7), (19, 1), (1, 11), (11, 5)]
        ]
    )


def check_contract(combination: Combination) -> None:
    translator, given = build(combination), batch()
    model = translator.model
    whole = model(given.source, given.source_lengths, given.decoder_input)
    check_weights(whole.weights, given)
    whole.logits.square().sum().backward()
    assert [n for n, p in model.named_parameters() if p.grad is None or not p.grad.abs().sum() > 0] == []
    check_steps(translator, given)
    texts = [
        "".join(LETTERS[number - 4] for number in row[:length])
        for row, length in zip(given.source.tolist(), given.source_lengths.tolist(), strict=True)
    ]
    for text, together in zip(texts, translator.translate(texts, beam=3), strict=True):
        (alone,) = translator.translate([text], beam=3)
        assert alone.text == together.text
        assert alone.log_prob == pytest.approx(together.log_prob, abs=1e-5)
        np.testing.assert_allclose(alone.weights, together.weights, atol=1e-5)
    again = build(combination).model
    again.load_state_dict(model.state_dict())
    assert torch.equal(again(given.source, given.source_lengths, given.decoder_input).logits, whole.logits)
    assert model.bfloat16()(given.source, given.source_lengths, given.decoder_input).logits.isfinite().all()


def check_weights(weights: torch.Tensor, given: Batch) -> None:
    """At least 0, sums of 1, exactly 0 on padding."""
    assert (weights >= 0.0).all()
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(weights.shape[:2]))
    for row, length in enumerate(given.source_lengths.tolist()):
        assert (weights[row, :, length:] == 0.0).all()


def check_steps(translator: Translator, given: Batch) -> None:
    """Repeated step = forward, in float64."""
    model = translator.model.double()
    whole = model(given.source, given.source_lengths, given.decoder_input)
    state = model.init_state(given.source, given.source_lengths)
    for position in range(given.decoder_input.shape[1]):
        output = model.step(given.decoder_input[:, position], state)
        torch.testing.assert_close(output.logits, whole.logits[:, position], rtol=0, atol=1e-10)
        torch.testing.assert_close(output.weights, whole.weights[:, position], rtol=0, atol=1e-10)
        state = output.state
    translator.model.float()


@pytest.mark.parametrize("combination", covering(CHOICES), ids="-".join)
def test_every_pair_of_choices(combination: Combination) -> None:
    check_contract(combination)


@pytest.mark.slow
def test_every_combination() -> None:
    for combination in itertools.product(*CHOICES.values()):
        check_contract(combination)


def test_dot_of_unequal_sizes_is_refused_with_the_reason() -> None:
    message = r"decoder\.hidden_size is 256 and an encoder state has 512 units; make them equal, or take general"
    with pytest.raises(ConfigError, match=message):
        load_config(None, ["model.attention.scorer=dot"])
