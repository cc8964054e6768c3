"""Weights as a grid of shades."""

from matplotlib.figure import Figure

from seq2see.alignment import Alignment
from seq2see.plotting.figure import blank_figure, font_for, label_inches, labels_of

CELL_INCHES = 0.36


def heatmap(alignment: Alignment) -> Figure:
    """Draw source tokens along the top, target tokens down the side, and each weight as a shade of its cell."""
    source, target = labels_of(alignment)
    font = font_for([*source, *target])
    widest_source = max(map(label_inches, source), default=0.0)
    widest_target = max(map(label_inches, target), default=0.0)
    upright = widest_source <= CELL_INCHES
    width = CELL_INCHES * len(source) + widest_target + 1.3
    height = CELL_INCHES * len(target) + (0.4 if upright else widest_source) + 0.6
    figure = blank_figure(max(2.5, width), max(1.5, height))
    axes = figure.add_subplot()
    image = axes.imshow(alignment.weights, cmap="Blues", vmin=0.0, vmax=1.0, aspect="equal")
    axes.set_xticks(range(len(source)), source, rotation=0 if upright else 90, fontproperties=font)
    axes.set_yticks(range(len(target)), target, fontproperties=font)
    axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=2)
    for text in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        text.set_parse_math(False)  # a token may hold dollar signs, which are not to begin a formula
    axes.set_xticks([position - 0.5 for position in range(1, len(source))], minor=True)
    axes.set_yticks([position - 0.5 for position in range(1, len(target))], minor=True)
    axes.grid(which="minor", color="0.88", linewidth=0.6)
    axes.tick_params(which="minor", length=0, top=False)
    bar = figure.colorbar(image, ax=axes, shrink=min(1.0, 2.5 / max(1.0, height)), pad=0.02)
    bar.set_label("attention weight", size=9)
    bar.ax.tick_params(labelsize=8)
    return figure
