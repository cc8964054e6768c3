"""A pair and where it stands in its file."""

from typing import NamedTuple

from seq2see.errors import DataError


class PlacedPair(NamedTuple):
    """A pair with its place.

    Args:
        line: Of the file where it begins, from 1.
        source: As raw text; with tags it is ``text TAB tags``.
        target: As raw text.
    """

    line: int
    source: str
    target: str


def check_characters(text: str, place: str) -> str:
    r"""Return a text that has characters only.

    Raises:
        DataError: It has half of a surrogate pair, as the escape ``\ud83d`` alone gives, which no UTF-8 can hold.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f"{place}: U+{ord(text[error.start]):04X} at character {error.start} is half of a surrogate pair, "
            "wanted characters"
        ) from None
    return text
