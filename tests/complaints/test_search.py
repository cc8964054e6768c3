"""What users of other toolkits met with in beam search."""

import random

import numpy as np
import pytest
import torch

from seq2see.data.tokenizer_training import train_tokenizer
from seq2see.inference import Translator
from seq2see.search import Ranking, beam_search, greedy_search
from tests.search.tables import SYMBOLS, TableModel
from tests.small import small_translator
from tests.toys import LETTERS, strings

BEAM = 5
LENGTHS = (40, 1, 3, 17, 3, 29, 8)
TRANSFORMER = ["model.decoder.type=transformer", "model.decoder.hidden_size=12", "model.embedding_size=12"]


def texts() -> list[str]:
    generator = random.Random(3)
    return ["".join(generator.choice(LETTERS) for _ in range(length)) for length in LENGTHS]


@pytest.mark.parametrize("settings", [[], TRANSFORMER], ids=["rnn", "transformer"])
@pytest.mark.parametrize("ngram", [None, 2])
@pytest.mark.parametrize("penalty", [0.0, 0.6, 1.0])
def test_batch_size_changes_no_hypothesis(settings: list[str], penalty: float, ngram: int | None) -> None:
    """OpenNMT-py#137, #502, #994, #1547, #1909, #2208, joeynmt#50: output changes with the batch size."""
    whole = small_translator(*settings, "search.length_ratio=0.5", spread=4.0)
    translator = whole.with_search(length_penalty=penalty, no_repeat_ngram=ngram)
    given = texts()
    alone = [translator.translate_n_best([text], n_best=BEAM, beam=BEAM)[0] for text in given]
    assert len({len(found[0].tokens) for found in alone}) > 2  # they end at different steps
    for order in (given, given[::-1]):
        for batch_tokens in (1, 10_000):
            together = translator.translate_n_best(order, n_best=BEAM, beam=BEAM, batch_tokens=batch_tokens)
            for text, found in zip(order, together, strict=True):
                expected = alone[given.index(text)]
                assert [one.tokens for one in found] == [one.tokens for one in expected]
                scores = [one.score for one in expected]  # one of 75 in float32 has neighbours 8e-6 away
                assert [one.score for one in found] == pytest.approx(scores, abs=1e-5, rel=1e-6)


@pytest.mark.parametrize("settings", [[], TRANSFORMER], ids=["rnn", "transformer"])
def test_the_best_of_many_is_the_best_of_one(settings: list[str]) -> None:
    """OpenNMT-py#1320: the first of 5 best is another than the 1 best."""
    translator = small_translator(*settings, spread=4.0)
    best = [one.tokens for one in translator.translate(texts(), beam=BEAM)]
    all_scores = translator.translate_n_best(texts(), n_best=BEAM, beam=BEAM)
    for n_best in range(1, BEAM + 1):
        found = translator.translate_n_best(texts(), n_best=n_best, beam=BEAM)
        assert [hypotheses[0].tokens for hypotheses in found] == best
        assert [[one.tokens for one in hypotheses] for hypotheses in found] == [
            [one.tokens for one in hypotheses[:n_best]] for hypotheses in all_scores
        ]


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("alpha", [0.0, 0.6, 2.0])
def test_scores_are_normalised_once_by_the_formula_in_the_guide(alpha: float, average: bool) -> None:
    """OpenNMT-py#2173, CTranslate2#968, #595: scores are normalised twice, and nobody knows by what."""
    translator = small_translator(spread=3.0).with_search(length_penalty=alpha, length_average=average)
    for hypotheses in translator.translate_n_best(texts(), n_best=BEAM, beam=BEAM):
        for one in hypotheses:
            (forced,) = translator.score([one.source], [one.text])
            assert one.log_prob == pytest.approx(forced.log_prob, abs=1e-4)
            length = len(one.tokens) + 1  # with the end
            divisor = length if average else ((5 + length) / 6) ** alpha
            assert one.score == pytest.approx(forced.log_prob / divisor, abs=1e-4)
        scores = [one.score for one in hypotheses]
        assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("copies", ["false", "true"])
def test_fewer_outputs_than_wanted_and_none_invented(copies: str) -> None:
    """joeynmt#182: more outputs wanted than there are gives an IndexError, later outputs made of <unk>."""
    letters = train_tokenizer(["abc"], "char", vocab_size=None, min_frequency=1)
    translator = small_translator(f"model.decoder.copies={copies}", "search.max_length=1", tokenizer=letters)
    for source, hypotheses in zip("abc", translator.translate_n_best(list("abc"), n_best=5, beam=5), strict=True):
        assert sorted(one.text for one in hypotheses) == ["", "a", "b", "c"]
        assert all(np.isfinite(one.log_prob) and one.source == source for one in hypotheses)


@pytest.mark.parametrize("seed", range(3))
def test_a_beam_as_wide_as_all_outputs_finds_the_best(seed: int) -> None:
    """IBM/pytorch-seq2seq#176, #177, #76, jiant#371: states are reordered otherwise than scores in beam search."""
    model, longest = TableModel(2, 6, seed=seed), 4  # four letters, BOS and EOS
    found = beam_search(
        model.step,
        model.init_state([0, 1]),
        torch.tensor([longest, longest]),
        symbols=SYMBOLS,
        beam_size=4**longest,
        n_best=20,
        ranking=Ranking(0.0, 0.0),
    )
    for source, hypotheses in enumerate(found):
        outputs = model.all_outputs(source, longest)
        best = sorted(outputs, key=lambda tokens: -outputs[tokens])[:20]
        assert [tuple(one.tokens) for one in hypotheses] == best
        assert [one.log_prob for one in hypotheses] == pytest.approx([outputs[tokens] for tokens in best])


@pytest.mark.parametrize("seed", range(5))
def test_a_beam_of_one_is_greedy(seed: int) -> None:
    """IBM/pytorch-seq2seq#177: accuracy falls from 1 to 0.2 by beam search."""
    model, limits = TableModel(3, 6, seed=seed), torch.tensor([5, 6, 2])
    given = (model.step, model.init_state([0, 1, 2]), limits)
    ranking = Ranking(0.6, 0.0)
    beam = beam_search(*given, symbols=SYMBOLS, beam_size=1, ranking=ranking)
    greedy = greedy_search(*given, symbols=SYMBOLS, ranking=ranking)
    assert [one.tokens for (one,) in beam] == [one.tokens for one in greedy]
    assert any(one.tokens for one in greedy)


def test_nothing_is_dropped_after_many_lines_in_small_batches() -> None:
    """OpenNMT-py#1317: everything after the square of the shard size is dropped without a word."""
    translator = small_translator("search.max_length=1")
    given = [text[:3] for text in strings(10_001)]
    found = translator.translate_n_best(given, beam=1, batch_tokens=60)
    assert [one.source for (one,) in found] == given


def test_outputs_are_in_the_order_of_their_sources(translator: Translator) -> None:
    """fairseq#2036, #4684, #2535, #3598: outputs are in the order of their lengths."""
    given = [*texts(), "", *texts()[::-1]]
    found = translator.translate(given, beam=3)
    assert [one.source for one in found] == given
    assert [one.text for one in found[:7]] == [one.text for one in found[8:]][::-1]
    assert found[7].text == ""
    assert ["".join(one.source_tokens) for one in found] == given
