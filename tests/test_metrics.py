import pytest
import sacrebleu

from seq2see import metrics


def test_exact_match_takes_any_reference() -> None:
    assert metrics.exact_match(["a", "b", "c", "d"], [["a"], ["x", "b"], ["C"], ["e"]]).value == 50.0


def test_hand_worked_error_rates() -> None:
    # kitten → sitting: 3 edits over 7 characters; the second output equals one of its references (5 characters)
    outputs, references = ["kitten", "hello"], [["sitting"], ["help", "hello"]]
    assert metrics.cer(outputs, references).value == pytest.approx(100 * 3 / 12)
    assert metrics.wer(["a b c"], [["a x c d"]]).value == pytest.approx(100 * 2 / 4)
    assert metrics.error_rate(["h o"], [["h oː l"]], str.split).value == pytest.approx(100 * 2 / 3)
    assert metrics.wer([""], [[""]]).value == 0.0


def test_bleu_is_that_of_sacrebleu_with_its_signature() -> None:
    outputs = ["the cat sat on the mat", "hello there world again"]
    references = [["the cat sat on a mat", "a cat sat on the mat"], ["hello there my world again"]]
    score = metrics.bleu(outputs, references, tokenizer="13a")
    # one reference twice is one reference
    streams = [[r[0] for r in references], [references[0][1], references[1][0]]]
    assert score.value == pytest.approx(sacrebleu.corpus_bleu(outputs, streams).score)
    assert "nrefs:var|case:mixed|eff:no|tok:13a" in score.signature


@pytest.mark.parametrize(
    ("text", "tokenizer"),
    [("Hello world", "13a"), ("我不知道。", "zh"), ("これはペンです", "char"), ("ภาษาไทย", "char"), ("", "13a")],
)
def test_bleu_tokenizer_follows_the_writing_system(text: str, tokenizer: str) -> None:
    assert metrics.bleu_tokenizer([[text]]) == tokenizer


def test_chinese_is_scored_by_characters() -> None:
    assert metrics.bleu(["我不知道你在哪里"], [["我不知道你在哪里"]], tokenizer="zh").value == pytest.approx(100.0)
    assert metrics.ter(["我不知道"], [["我不知说"]], by_character=True).value == pytest.approx(25.0)
