"""One self-contained HTML page on which pointing at a token lights up what it attended to."""

import html
import json
from collections.abc import Sequence
from importlib import resources

from seq2see.alignment import Alignment
from seq2see.plotting.figure import labels_of

TEMPLATE = "page.html"


def page(
    alignments: Sequence[Alignment],
    *,
    title: str = "Attention",
    text: str = "",
    body: str = "",
    notes: Sequence[str] = (),
) -> str:
    """The page as text. It loads nothing from anywhere and uses the fonts of the browser.

    Args:
        alignments: Shown one below the other.
        title: Heading.
        text: A sentence below it.
        body: HTML below that; what comes from data must be escaped in it.
        notes: A line above each alignment, or none.
    """
    content = []
    for number, alignment in enumerate(alignments):
        source, target = labels_of(alignment)
        weights = [[round(float(weight), 4) for weight in row] for row in alignment.weights]
        content.append({"source": source, "target": target, "weights": weights, "note": notes[number] if notes else ""})
    data = json.dumps(content, ensure_ascii=False).replace("&", "\\u0026").replace("<", "\\u003c")
    template = resources.files("seq2see.plotting").joinpath(TEMPLATE).read_text(encoding="utf-8")
    before, after = template.split("{{data}}")
    for place, value in (("{{title}}", title), ("{{heading}}", title), ("{{text}}", text)):
        before = before.replace(place, html.escape(value))
    return before.replace("{{body}}", body) + data + after
