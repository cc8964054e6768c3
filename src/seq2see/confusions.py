"""Which tokens are written in place of which."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein


class Confusion(NamedTuple):
    """A token wanted and a token written; '' where one is missing or too many."""

    wanted: str
    written: str
    times: int


def confusions(outputs: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]]) -> list[Confusion]:
    """Count the edits of a shortest way from the nearest reference to each output; the most frequent first.

    Args:
        outputs: Tokens of each output.
        references: For each output the tokens of its alternatives, at least one.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for output, alternatives in zip(outputs, references, strict=True):
        wanted = min(alternatives, key=lambda tokens: Levenshtein.distance(tokens, output))
        for edit in Levenshtein.editops(wanted, output):
            missing = "" if edit.tag == "insert" else wanted[edit.src_pos]
            counts[missing, "" if edit.tag == "delete" else output[edit.dest_pos]] += 1
    return [Confusion(*pair, count) for pair, count in counts.most_common()]
