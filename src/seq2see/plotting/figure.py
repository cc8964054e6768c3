"""What the pictures have in common."""

import warnings
from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from seq2see.alignment import Alignment, label
from seq2see.plotting.fonts import ADVICE, choose_fonts

FONT_SIZE = 12
POINTS_PER_INCH = 72
LARGEST_INCHES = 200.0


class MissingGlyphsWarning(UserWarning):
    """No font on this machine has some of the characters of a picture."""


def labels_of(alignment: Alignment) -> tuple[list[str], list[str]]:
    """Source and target tokens as labels."""
    return [label(token) for token in alignment.source_tokens], [label(token) for token in alignment.target_tokens]


def font_for(labels: Sequence[str]) -> FontProperties:
    """A font that has every character of the labels; warns, with what to install, where none has."""
    choice = choose_fonts("".join(labels))
    if choice.missing:
        shown = choice.missing if len(choice.missing) <= 20 else choice.missing[:20] + "…"
        warnings.warn(f"no font has {shown}; {ADVICE}", MissingGlyphsWarning, stacklevel=2)
    return FontProperties(family=choice.families, size=FONT_SIZE)


def label_inches(text: str) -> float:
    """About how wide a label is; wide East Asian characters count twice."""
    from rich.cells import cell_len

    return float(cell_len(text)) * 0.62 * FONT_SIZE / POINTS_PER_INCH


def blank_figure(width: float, height: float) -> Figure:
    """A figure of the given size in inches, not tied to any window."""
    return Figure(figsize=(min(width, LARGEST_INCHES), min(height, LARGEST_INCHES)), layout="constrained")
