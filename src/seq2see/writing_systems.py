"""Which writing systems a text uses."""

import unicodedata
from collections import Counter
from collections.abc import Sequence

WITHOUT_SPACES = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
"""First words of the Unicode names of letters that are written without spaces between words."""

JAPANESE = ("HIRAGANA", "KATAKANA")
HAN = ("CJK",)
HANGUL = ("HANGUL",)


def share_of_letters(texts: Sequence[str], systems: Sequence[str]) -> float:
    """Share of the letters whose Unicode name begins with one of the given words, 0 to 1."""
    counts = Counter(char for text in texts for char in text)
    letters = {char: count for char, count in counts.items() if unicodedata.category(char).startswith("L")}
    matching = sum(n for char, n in letters.items() if unicodedata.name(char, "").startswith(tuple(systems)))
    return matching / max(1, sum(letters.values()))
