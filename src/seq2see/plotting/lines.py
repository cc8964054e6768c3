"""Weights as lines from the source, above, to the target, below."""

from collections.abc import Sequence

from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from seq2see.alignment import Alignment
from seq2see.plotting.figure import blank_figure, font_for, label_inches, labels_of

GAP_INCHES = 0.16
HEIGHT_INCHES = 2.4
THICKEST_POINTS = 5.0
LEAST_WEIGHT = 0.01
"""Smaller weights would be thinner than can be seen and are left out."""


def lines(alignment: Alignment) -> Figure:
    """Draw a line per pair of tokens; its thickness and opacity are the weight."""
    source, target = labels_of(alignment)
    font = font_for([*source, *target])
    source_x, source_width = _places(source)
    target_x, target_width = _places(target)
    width = max(source_width, target_width, 1.5)
    source_x = [x + (width - source_width) / 2 for x in source_x]
    target_x = [x + (width - target_width) / 2 for x in target_x]
    figure = blank_figure(width + 0.3, HEIGHT_INCHES)
    axes = figure.add_subplot()
    axes.set_xlim(0.0, width)
    axes.set_ylim(0.0, HEIGHT_INCHES)
    axes.axis("off")
    top, bottom = HEIGHT_INCHES - 0.45, 0.45
    seen = [
        (float(weight), (source_x[column], top), (target_x[row], bottom))
        for row, weights in enumerate(alignment.weights)
        for column, weight in enumerate(weights)
        if weight >= LEAST_WEIGHT
    ]
    axes.add_collection(
        LineCollection(
            [(start, end) for _, start, end in seen],
            linewidths=[THICKEST_POINTS * weight for weight, _, _ in seen],
            colors=[(0.12, 0.35, 0.65, min(1.0, weight)) for weight, _, _ in seen],
            capstyle="round",
        )
    )
    # a token may hold dollar signs, which are not to begin a formula
    for text, x in zip(source, source_x, strict=True):
        axes.text(x, top + 0.08, text, ha="center", va="bottom", fontproperties=font, parse_math=False)
    for text, x in zip(target, target_x, strict=True):
        axes.text(x, bottom - 0.08, text, ha="center", va="top", fontproperties=font, parse_math=False)
    return figure


def _places(labels: Sequence[str]) -> tuple[list[float], float]:
    """The middle of every label when they stand side by side, and the width of the row, in inches."""
    places, edge = [], 0.0
    for text in labels:
        size = label_inches(text) + GAP_INCHES
        places.append(edge + size / 2)
        edge += size
    return places, edge
