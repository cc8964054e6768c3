"""A trained model of a task whose alignment is known."""

import pytest

from seq2see.evaluation import evaluate
from seq2see.inference import Translator
from tests.toys import copy_pairs, reverse_pairs

HELD_OUT, MANY_HELD_OUT = 150, 1000


@pytest.mark.parametrize("beam", [1, 5])
def test_reversing_is_learnt(reverse_model: Translator, beam: int) -> None:
    assert evaluate(reverse_model, reverse_pairs(HELD_OUT, seed=1), beam=beam).metrics["exact_match"] >= 99.0


@pytest.mark.parametrize("beam", [1, 5])
def test_reversing_aligns_on_the_anti_diagonal(reverse_model: Translator, beam: int) -> None:
    beside = rows = 0
    for translation in reverse_model.translate([pair.source for pair in reverse_pairs(HELD_OUT, seed=1)], beam=beam):
        if translation.text == translation.source[::-1]:
            last = len(translation.source) - 1
            beside += sum(source != last - target for source, target in translation.alignment.links())
            rows += last + 1
    assert rows > 1000
    assert beside == 0


def test_copying_aligns_on_the_diagonal(copy_model: Translator) -> None:
    """But for a row in ten thousand or so, in some of the models that different orders of summation give."""
    beside = right = rows = 0
    pairs = copy_pairs(MANY_HELD_OUT, seed=1)
    for translation in copy_model.translate([pair.source for pair in pairs]):
        if translation.text == translation.source:
            right += 1
            beside += sum(source != target for source, target in translation.alignment.links())
            rows += len(translation.source)
    assert right >= 0.99 * MANY_HELD_OUT
    assert rows > 10_000
    assert beside < 0.0005 * rows
