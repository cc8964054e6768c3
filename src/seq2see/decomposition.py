"""Letters as what they are made of: Hangul syllables as their letters, letters with marks as base and mark."""

import unicodedata


def decompose(text: str) -> tuple[str, list[int]]:
    """A text in Unicode's form NFD, and for each of its characters the index of the character it came from.

    Args:
        text: Any text; what has no parts stays as it is.

    References:
        Unicode Standard Annex 15, canonical decomposition and canonical ordering.
    """
    if text.isascii():
        return text, list(range(len(text)))
    parts = [(part, index) for index, char in enumerate(text) for part in unicodedata.normalize("NFD", char)]
    start = 0
    while start < len(parts):  # each base with its marks, which have an order of their own
        end = start + 1
        while end < len(parts) and unicodedata.combining(parts[end][0]):
            end += 1
        first = start if unicodedata.combining(parts[start][0]) else start + 1
        parts[first:end] = sorted(parts[first:end], key=lambda part: unicodedata.combining(part[0]))
        start = end
    return "".join(part for part, _ in parts), [index for _, index in parts]
