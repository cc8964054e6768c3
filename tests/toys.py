"""Generated tasks whose alignment is known."""

import random
from collections.abc import Iterable

from seq2see.data.pairs import Pair

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def strings(count: int, *, seed: int = 0, longest: int = 20) -> list[str]:
    """Random strings of 1 to ``longest`` letters without equal neighbours, whose alignment would be ambiguous."""
    generator = random.Random(seed)
    found = []
    for _ in range(count):
        text = ""
        length = generator.randint(1, longest)
        while len(text) < length:
            letter = generator.choice(LETTERS)
            if not text.endswith(letter):
                text += letter
        found.append(text)
    return found


def reverse_pairs(count: int, *, seed: int = 0) -> list[Pair]:
    """Strings and the same backwards."""
    return [Pair(text, text[::-1]) for text in strings(count, seed=seed)]


def copy_pairs(count: int, *, seed: int = 0) -> list[Pair]:
    """Strings and the same."""
    return [Pair(text, text) for text in strings(count, seed=seed)]


def tsv(pairs: Iterable[Pair]) -> str:
    """Pairs as the lines of a file."""
    return "".join(f"{pair.source}\t{pair.target}\n" for pair in pairs)
