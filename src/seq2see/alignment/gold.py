"""Alignments against those that people made."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from seq2see.alignment.symmetrise import Link
from seq2see.errors import DataError

LINK = re.compile(r"(\d{1,9})([-p?])(\d{1,9})")


class GoldLinks(NamedTuple):
    """Links that must be there, and links that may be there, those that must included."""

    sure: frozenset[Link]
    possible: frozenset[Link]


@dataclass(frozen=True, slots=True)
class AlignmentErrors:
    r"""How far links are from those that people made.

    .. math::
        \mathit{precision} = \frac{|A \cap P|}{|A|} \qquad \mathit{recall} = \frac{|A \cap S|}{|S|} \qquad
        \mathit{AER} = 1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}

    All in %, over all sentences together.

    References:
        Och & Ney 2003, §5 (Computational Linguistics 29:1).
    """

    precision: float
    recall: float
    aer: float


def parse_gold(line: str, *, first: int = 0, place: str = "") -> GoldLinks:
    """Read ``i-j`` (sure) and ``ipj`` or ``i?j`` (possible) links, source word first.

    Args:
        line: Links between spaces.
        first: Number of the first word, 0 or 1.
        place: Of the line, for messages.

    Raises:
        DataError: Something is not a link; names it.
    """
    sure, possible = set(), set()
    for text in line.split():
        match = LINK.fullmatch(text)
        if match is None:
            raise DataError(f"{place}: {text[:40]!r} is no link, wanted i-j (sure) or ipj (possible)")
        link = (int(match[1]) - first, int(match[3]) - first)
        if min(link) < 0:
            raise DataError(f"{place}: {text!r}: words count from {first}")
        possible.add(link)
        if match[2] == "-":
            sure.add(link)
    return GoldLinks(frozenset(sure), frozenset(possible))


def alignment_errors(pairs: Iterable[tuple[set[Link], GoldLinks]]) -> AlignmentErrors:
    """Compare the links of all sentences with the gold ones.

    Args:
        pairs: (links found, gold links) of each sentence.
    """
    found = sure = in_sure = in_possible = 0
    for links, gold in pairs:
        found += len(links)
        sure += len(gold.sure)
        in_sure += len(links & gold.sure)
        in_possible += len(links & gold.possible)
    return AlignmentErrors(
        precision=100.0 * in_possible / max(1, found),
        recall=100.0 * in_sure / max(1, sure),
        aer=100.0 * (1.0 - (in_sure + in_possible) / max(1, found + sure)),
    )
