"""What is strange in a text, by its characters."""

import re
import unicodedata
from collections.abc import Iterator

SEPARATORS = {
    "\n": "a line feed",
    "\r": "a carriage return",
    "\v": "a vertical tab",
    "\f": "a form feed",
    "\x1c": "a file separator",
    "\x1d": "a group separator",
    "\x1e": "a record separator",
    "\x85": "a next-line character (U+0085)",
    "\u2028": "a line separator (U+2028)",
    "\u2029": "a paragraph separator (U+2029)",
}
INVISIBLE = {
    "\ufeff": "a byte-order mark",
    "\u200b": "a zero-width space",
    "\ufffd": "a replacement character (U+FFFD)",
}
LETTERS_THAT_LOOK_ALIKE = ("LATIN", "CYRILLIC", "GREEK")
WORD = re.compile(r"\w+")


def strange_characters(text: str) -> Iterator[str]:
    """Say, once each, what characters of a text are unusual in data."""
    found: dict[str, None] = {}
    for char in text:
        if char in SEPARATORS:
            found[SEPARATORS[char]] = None
        elif char in INVISIBLE:
            found[INVISIBLE[char]] = None
        elif char != "\t" and unicodedata.category(char) == "Cc":
            found["a control character"] = None
    yield from found
    if not text.isascii() and any(_scripts(word) > 1 for word in WORD.findall(text)):
        yield "a word with letters of two scripts that look alike"
    if unicodedata.normalize("NFC", text) != text:
        yield "a letter and its mark as two characters (not NFC)"


def _scripts(word: str) -> int:
    """How many of the scripts whose letters look alike a word has."""
    names = (unicodedata.name(char, "") for char in word if char.isalpha())
    return len({script for name in names for script in LETTERS_THAT_LOOK_ALIKE if name.startswith(script)})
