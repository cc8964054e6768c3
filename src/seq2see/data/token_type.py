"""Choosing what a token is from the look of the texts."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from seq2see.data.tokenizer import TokenType
from seq2see.writing_systems import WITHOUT_SPACES, share_of_letters


class TokenChoice(NamedTuple):
    """A token type, and the reason in a few words."""

    token_type: TokenType
    reason: str


def choose_token_type(texts: Sequence[str]) -> TokenChoice:
    """Choose how to cut one side into tokens.

    Scripts that write without spaces, and single words, are cut into characters; a small set of short symbols
    with spaces between (phones, say) is cut at the spaces; other text is cut into parts of words.
    """
    if share_of_letters(texts, WITHOUT_SPACES) > 0.5:
        return TokenChoice("char", "a script without spaces")
    pieces = Counter(piece for text in texts for piece in text.split(" ") if piece)
    total = pieces.total()
    if not total:
        return TokenChoice("char", "no text but spaces")
    per_line = total / len(texts)
    mean_length = sum(len(piece) * count for piece, count in pieces.items()) / total
    if per_line >= 2 and mean_length <= 3 and len(pieces) <= max(20, min(500, total // 10)):
        return TokenChoice("space", f"{len(pieces)} different symbols between spaces")
    if per_line < 2:
        return TokenChoice("char", f"{per_line:.1f} words a line")
    return TokenChoice("bpe", f"{per_line:.1f} words a line")
