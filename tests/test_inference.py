import itertools
import math
import random

import numpy as np
import pytest
import torch

from seq2see.data.special import EOS, UNK
from seq2see.inference import Translation, Translator
from tests.small import small_translator
from tests.toys import LETTERS

LENGTHS = (1, 40, 3, 17, 3, 29, 8)


def texts() -> list[str]:
    generator = random.Random(7)
    return ["".join(generator.choice(LETTERS) for _ in range(length)) for length in LENGTHS]


def assert_same(one: Translation, other: Translation) -> None:
    assert one.text == other.text
    assert one.tokens == other.tokens
    assert one.log_prob == pytest.approx(other.log_prob, abs=1e-5)
    assert one.score == pytest.approx(other.score, abs=1e-5)
    np.testing.assert_allclose(one.weights, other.weights, atol=1e-5)


@pytest.mark.parametrize("beam", [1, 2, 3, 4, 5])
def test_neighbours_and_batch_size_change_nothing(translator: Translator, beam: int) -> None:
    given = texts()
    alone = [translator.translate([text], beam=beam)[0] for text in given]
    assert len({translation.text for translation in alone}) > 3  # the model tells sources apart
    for batch_tokens in (1, 60, 200, 10_000):
        together = translator.translate_n_best(given, beam=beam, batch_tokens=batch_tokens)
        for one, (other,) in zip(alone, together, strict=True):
            assert_same(one, other)


def test_every_order_gives_the_same(translator: Translator) -> None:
    given = texts()[:5]
    alone = {text: translator.translate([text], beam=3)[0] for text in given}
    for order in itertools.permutations(given):
        for text, translation in zip(order, translator.translate(order, beam=3), strict=True):
            assert translation.source == text
            assert_same(translation, alone[text])


@pytest.mark.parametrize("beam", [1, 2, 5])
def test_log_prob_is_that_of_forced_decoding(translator: Translator, beam: int) -> None:
    given = texts()
    for hypotheses in translator.translate_n_best(given, beam=beam, n_best=beam):
        for translation in hypotheses:
            likelihood = translator.likelihood([translation.source], [translation.text])
            assert translation.log_prob == pytest.approx(-likelihood.nats, abs=1e-4)
            (forced,) = translator.score([translation.source], [translation.text])
            assert translation.log_prob == pytest.approx(forced.log_prob, abs=1e-4)
            assert translation.token_log_probs == pytest.approx(forced.token_log_probs, abs=1e-4)
            assert sum(translation.token_log_probs) == pytest.approx(translation.log_prob, abs=1e-4)
            np.testing.assert_allclose(translation.weights, forced.alignment.weights, atol=1e-5)
            assert translation.tokens == forced.alignment.target_tokens


def test_scores_are_in_order_and_do_not_depend_on_neighbours(translator: Translator) -> None:
    sources, targets = texts(), [text[::-1] for text in texts()]
    together = translator.score(sources, targets)
    for source, target, one in zip(sources, targets, together, strict=True):
        (alone,) = translator.score([source], [target])
        assert (one.source, one.target) == (source, target)
        assert alone.token_log_probs == pytest.approx(one.token_log_probs, abs=1e-5)
        assert len(one.token_log_probs) == len(target) + 1
        np.testing.assert_allclose(alone.alignment.weights, one.alignment.weights, atol=1e-5)
    without, empty = translator.score(["", "ab"], ["x", ""])
    assert without.problem == "the source has no tokens"
    assert len(empty.token_log_probs) == 1


def test_first_of_n_best_is_the_best(translator: Translator) -> None:
    given = texts()
    for n_best in (1, 2, 5):
        found = translator.translate_n_best(given, beam=5, n_best=n_best)
        best = translator.translate(given, beam=5)
        assert [hypotheses[0].text for hypotheses in found] == [translation.text for translation in best]


def test_weights_are_a_row_per_token_and_a_column_per_source_token(translator: Translator) -> None:
    for translation in translator.translate(texts(), beam=2):
        assert translation.weights.shape == (len(translation.tokens), len(translation.source_tokens))
        np.testing.assert_allclose(translation.weights.sum(axis=1), 1.0, atol=1e-5)
        assert "".join(translation.source_tokens) == translation.source
        assert "".join(translation.tokens) == translation.text


def test_as_many_outputs_as_texts_whatever_they_hold(translator: Translator) -> None:
    odd = ["", " ", "\u2028", "\x00", "a\rb", "x" * 100_000, "ɮ你", "\t", "<s>", "", "ab"]
    found = translator.translate(odd, beam=2)
    assert [translation.source for translation in found] == odd
    assert found[0].text == ""
    assert found[0].problem == ""
    assert found[5].text == ""
    assert found[5].problem == "100,000 source tokens, the limit is 2,000; not translated"
    assert all("\n" not in translation.text for translation in found)
    assert_same(found[-1], translator.translate(["ab"], beam=2)[0])
    assert translator.translate([]) == []


def test_a_limit_of_one_token() -> None:
    translator = small_translator("search.max_length=1")
    for hypotheses in translator.translate_n_best(texts(), beam=5, n_best=5):
        assert 1 <= len(hypotheses) <= 5
        assert all(len(translation.tokens) <= 1 for translation in hypotheses)


def test_n_best_within_the_beam(translator: Translator) -> None:
    for n_best, beam in [(3, 2), (0, 2), (1, 0)]:
        with pytest.raises(ValueError, match=r"wanted 1 <= n_best <= beam"):
            translator.translate_n_best(["a"], n_best=n_best, beam=beam)


def test_one_text_in_place_of_a_list_is_refused(translator: Translator) -> None:
    with pytest.raises(TypeError, match=r"texts is one text, 'abc'; wanted a list of texts"):
        translator.translate("abc")


def test_tokens_of_a_given_target_are_its_own_text(translator: Translator) -> None:
    assert translator.align("ab", "aɮb").target_tokens == ["a", "ɮ", "b"]


def test_translating_leaves_no_gradient_and_no_change(translator: Translator) -> None:
    before = {name: value.clone() for name, value in translator.model.state_dict().items()}
    translator.translate(texts())
    assert all(parameter.grad is None for parameter in translator.model.parameters())
    assert all(torch.equal(value, before[name]) for name, value in translator.model.state_dict().items())


def test_sampling_depends_on_text_and_seed_alone(translator: Translator) -> None:
    sampling = translator.with_search(sample=True, temperature=2.0)
    given = texts()
    together = sampling.translate_n_best(given, n_best=7)
    for text, found in zip(given, together, strict=True):
        if text:
            assert len(found) == 7
        (alone,) = sampling.translate_n_best([text], n_best=7)
        assert [one.text for one in alone] == [one.text for one in found]
    other = sampling.with_search(seed=2).translate_n_best(given, n_best=7)
    assert [[one.text for one in found] for found in other] != [[one.text for one in found] for found in together]


def test_outputs_begin_as_asked_and_hold_nothing_forbidden(translator: Translator) -> None:
    given = [text for text in texts() if text]
    prefixes = ["xyz", "", "q"] * len(given)
    found = translator.translate_n_best(given, prefixes=prefixes[: len(given)], forbidden=["e", "ab"])
    for prefix, (best, *_) in zip(prefixes, found, strict=False):
        assert best.text.startswith(prefix)
        assert "e" not in best.text.removeprefix(prefix)
        assert "ab" not in best.text
        (forced,) = translator.score([best.source], [best.text])
        assert forced.log_prob == pytest.approx(best.log_prob, abs=1e-4)
    (unknown,) = translator.translate_n_best(["ab"], prefixes=["Ω"])
    assert "tokens that the model does not know" in unknown[0].problem
    with pytest.raises(ValueError, match="2 texts and 1 prefixes"):
        translator.translate_n_best(["a", "b"], prefixes=["x"])


def test_lengths_and_repeats_as_asked(translator: Translator) -> None:
    given = [text for text in texts() if text]
    for one in translator.with_search(min_length=4, no_repeat_ngram=2).translate(given):
        assert len(one.tokens) >= 4
        pairs = list(itertools.pairwise(one.tokens))
        assert len(set(pairs)) == len(pairs)


def test_unknown_words_are_copied_from_where_the_model_looks() -> None:
    """A model that can only say the unknown token copies what it attends to, or what a lexicon has for it."""
    plain = small_translator(spread=1.0)
    with torch.no_grad():
        bias = plain.model.decoder.get_parameter("output.output_projection.bias")
        bias.fill_(-30.0)
        bias[UNK] = 0.0
    copying = plain.with_search(copy_unknown=True, max_length=2)
    ((one,),) = copying.translate_n_best(["ΩΨ"])
    looked_at = [one.source_tokens[column] for column in one.weights.argmax(axis=1)]
    assert one.tokens == looked_at
    assert one.text == "".join(looked_at)
    assert set(one.text) <= {"Ω", "Ψ"}
    ((other,),) = copying.translate_n_best(["ΩΨ"], lexicon={"Ω": "omega", "Ψ": "psi"})
    assert other.text == "".join({"Ω": "omega", "Ψ": "psi"}[token] for token in looked_at)
    (never,) = plain.translate(["ΩΨ"])
    assert "unk" not in never.text


def test_a_prefix_holds_whatever_else_is_forbidden(translator: Translator) -> None:
    ((one,),) = translator.translate_n_best(["abc"], prefixes=["xyz"], forbidden=["y"])
    assert one.text.startswith("xyz")
    assert "y" not in one.text[3:]
    ((other,),) = translator.with_search(no_repeat_ngram=1).translate_n_best(["abc"], prefixes=["xyzx"])
    assert other.text.startswith("xyzx")


def test_the_limit_holds_with_a_prefix(translator: Translator) -> None:
    limited = translator.with_search(max_length=6)
    ((one,),) = limited.translate_n_best(["abc" * 9], prefixes=["xyzw"])
    assert len(one.tokens) <= 6
    ((longer,),) = translator.with_search(max_length=2).translate_n_best(["abc"], prefixes=["xyzw"])
    assert longer.text == "xyzw"


def test_what_is_forbidden_is_not_copied_either() -> None:
    copying = small_translator("model.decoder.copies=true", spread=1.0)
    with torch.no_grad():
        copying.model.decoder.get_parameter("output.switch.bias").fill_(-30.0)  # copy whatever is attended to
    (free,) = copying.translate(["ΩΨ"])
    assert "Ω" in free.text or "Ψ" in free.text
    for forbidden in ("Ω", "Ψ"):
        ((one, *_),) = copying.translate_n_best(["ΩΨ"], forbidden=[forbidden])
        assert forbidden not in one.text


def test_rows_that_cannot_go_on_disturb_nobody() -> None:
    """Beams wider than what is possible, sources with different unknown letters, all restrictions at once."""
    copying = small_translator("model.decoder.copies=true", seed=0, spread=4.0)
    for ngram, longest in itertools.product((1, 2), (1, 2, 3)):
        search = copying.with_search(no_repeat_ngram=ngram, max_length=longest)
        found = search.translate_n_best(["a", "ΩΨΦΞΔ", "ab"], beam=9, n_best=3, prefixes=["xyz", "", "abc"])
        for hypotheses, prefix in zip(found, ["xyz", "", "abc"], strict=True):
            assert hypotheses[0].text.startswith(prefix)


def test_tags_count_as_tokens_of_the_source() -> None:
    tagged = small_translator("model.encoder.tags=attended").with_search(max_source_length=5)
    good, long = tagged.translate(["ab\tN;PL", "abc\tN;PL;V"])
    assert not good.problem
    assert long.problem == "6 source tokens, the limit is 5; not translated"
    assert tagged.score(["abc\tN;PL;V"], ["x"])[0].problem == "6 source tokens, the limit is 5"


def test_outputs_hold_what_is_required(translator: Translator) -> None:
    given = ["abc", "hello there", "q", "Ω"]
    required = [["xy", "q"], [], ["zzz"], ["k"]]
    for texts_required, (best, *_) in zip(
        required, translator.translate_n_best(given, required=required, beam=3, n_best=2), strict=True
    ):
        assert all(text in best.text for text in texts_required)
        (forced,) = translator.score([best.source], [best.text])
        assert forced.log_prob == pytest.approx(best.log_prob, abs=1e-4)
    ((unknown,),) = translator.translate_n_best(["abc"], required=[["Ω"]])
    assert "tokens that the model does not know" in unknown.problem
    ((impossible,),) = translator.translate_n_best(["abc"], required=[["x"]], forbidden=["x"])
    assert "no output holds what is required" in impossible.problem
    alone = translator.translate(["hello there"], beam=3)[0]
    assert translator.translate_n_best(given, required=required, beam=3)[1][0].log_prob >= alone.log_prob - 1e-4


def test_steps_are_those_that_were_searched(translator: Translator) -> None:
    output = translator.translate(["abcab"], beam=3)[0]
    steps = translator.steps(output, 4)
    assert [step.token for step in steps] == [*output.tokens, ""]
    assert [step.id for step in steps] == [*output.token_ids, EOS]
    for step, log_prob in zip(steps, output.token_log_probs, strict=True):
        assert math.log(step.prob) == pytest.approx(log_prob, abs=1e-5)
        assert [one.prob for one in step.alternatives] == sorted((one.prob for one in step.alternatives), reverse=True)
    np.testing.assert_allclose([step.weights for step in steps[:-1]], output.weights, atol=1e-6)
    greedy = translator.translate(["abcab"], beam=1)[0]
    assert all(step.alternatives[0].id == step.id for step in translator.steps(greedy, 1)[:-1])  # the end may be forced


def test_a_prefix_of_ids(translator: Translator) -> None:
    output = translator.translate_n_best(["abc"], prefixes=[[5, 6]])[0][0]
    assert tuple(output.token_ids[:2]) == (5, 6)
    for wrong in ([3], [10_000], [-1]):
        assert "does not know" in translator.translate_n_best(["abc"], prefixes=[wrong])[0][0].problem
