"""Weights for a terminal."""

from rich.cells import cell_len

from seq2see.alignment import Alignment, label

SHADES = " ▁▂▃▄▅▆▇█"
LEAST_NAMED = 0.15
MOST_NAMED = 3


def grid(alignment: Alignment) -> str:
    """A line per target token: a column of block height for every source token, and the names of the highest.

    ::

        我   ▇▁▁    I 0.88
        饿   ▁▁▇    hungry 0.86
    """
    targets = [label(token) for token in alignment.target_tokens]
    sources = [label(token) for token in alignment.source_tokens]
    width = max(map(cell_len, targets), default=0)
    rows = []
    for name, weights in zip(targets, alignment.weights, strict=True):
        blocks = "".join(SHADES[min(len(SHADES) - 1, round(float(weight) * (len(SHADES) - 1)))] for weight in weights)
        highest = sorted(range(len(sources)), key=lambda index: -weights[index])[:MOST_NAMED]
        named = [f"{sources[index]} {weights[index]:.2f}" for index in highest if weights[index] >= LEAST_NAMED]
        rows.append(f"{name}{' ' * (width - cell_len(name))}  {blocks}  {', '.join(named)}".rstrip())
    return "\n".join(rows)


def links_line(alignment: Alignment) -> str:
    """On one line, every target token with the source token it attended to most."""
    return " ".join(
        f"{label(alignment.target_tokens[target])}←{label(alignment.source_tokens[source])}"
        for source, target in alignment.links()
    )
