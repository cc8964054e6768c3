"""How good outputs are, by the libraries of the field."""

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, cast

from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from seq2see.writing_systems import HAN, JAPANESE, WITHOUT_SPACES, share_of_letters


class Score(NamedTuple):
    """A value in per cent, and the signature that says how it was made ('' where there is only one way)."""

    value: float
    signature: str = ""


def exact_match(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
    """Share of outputs that equal one of their references, in %; 100 minus it is the WER of pronunciation papers."""
    right = sum(output in alternatives for output, alternatives in zip(outputs, references, strict=True))
    return Score(100.0 * right / len(outputs))


def error_rate(
    outputs: Sequence[str], references: Sequence[Sequence[str]], cut: Callable[[str], Sequence[Hashable]]
) -> Score:
    """Edit distance to the nearest reference, over the lengths of those references, in %.

    Args:
        outputs: One output per source.
        references: The alternatives of each source.
        cut: Text → the units that are compared: characters, words or tokens.
    """
    errors = units = 0
    for output, alternatives in zip(outputs, references, strict=True):
        cut_output = cut(output)
        distances = [
            (Levenshtein.distance(cut_output, reference), len(reference)) for reference in map(cut, alternatives)
        ]
        distance, length = min(distances, key=lambda pair: pair[0] / max(1, pair[1]))
        errors += distance
        units += length
    return Score(100.0 * errors / max(1, units))


def wer(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
    """Word error rate: edit distance over words between white space, in %."""
    return error_rate(outputs, references, str.split)


def cer(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
    """Character error rate: edit distance over Unicode characters, in %."""
    return error_rate(outputs, references, list)


def bleu_tokenizer(references: Sequence[Sequence[str]]) -> str:
    """The tokenizer of sacrebleu that suits the references: ``zh``, ``char`` or ``13a``."""
    texts = [text for alternatives in references for text in alternatives]
    if share_of_letters(texts, JAPANESE) > 0.1:
        return "char"
    if share_of_letters(texts, HAN) > 0.5:
        return "zh"
    return "char" if share_of_letters(texts, WITHOUT_SPACES) > 0.5 else "13a"


def bleu(outputs: Sequence[str], references: Sequence[Sequence[str]], *, tokenizer: str) -> Score:
    """BLEU of the corpus (Papineni et al. 2002), by sacrebleu (Post 2018, arXiv:1804.08771).

    Args:
        outputs: One output per source.
        references: The alternatives of each source.
        tokenizer: Of sacrebleu; see ``bleu_tokenizer``.
    """
    return _by_sacrebleu(BLEU(tokenize=tokenizer, force=True), outputs, references)


def chrf(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
    """Character n-gram F-score of the corpus (Popović 2015), by sacrebleu."""
    return _by_sacrebleu(CHRF(), outputs, references)


def ter(outputs: Sequence[str], references: Sequence[Sequence[str]], *, by_character: bool) -> Score:
    """Translation edit rate of the corpus (Snover et al. 2006), by sacrebleu.

    Args:
        outputs: One output per source.
        references: The alternatives of each source.
        by_character: Edits are of characters, for writing systems without spaces.
    """
    return _by_sacrebleu(TER(normalized=by_character, asian_support=by_character), outputs, references)


def _by_sacrebleu(metric: BLEU | CHRF | TER, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
    most = max(len(alternatives) for alternatives in references)
    streams = [
        [alternatives[index] if index < len(alternatives) else None for alternatives in references]
        for index in range(most)
    ]
    # sacrebleu takes None for a reference that is not there, which its annotation does not say
    score = metric.corpus_score(list(outputs), cast(Sequence[Sequence[str]], streams))
    return Score(float(score.score), str(metric.get_signature()))
