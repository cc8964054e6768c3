"""One self-contained HTML page on which pointing at a token lights up what it attended to."""

import html
import json
from collections.abc import Sequence
from importlib import resources

from seq2see.alignment import Alignment
from seq2see.plotting.figure import labels_of

TEMPLATE = "page.html"


def page(alignments: Sequence[Alignment], *, title: str = "Attention", text: str = "") -> str:
    """The page as text. It loads nothing from anywhere and uses the fonts of the browser.

    Args:
        alignments: Shown one below the other.
        title: Heading.
        text: A sentence below it.
    """
    content = []
    for alignment in alignments:
        source, target = labels_of(alignment)
        weights = [[round(float(weight), 4) for weight in row] for row in alignment.weights]
        content.append({"source": source, "target": target, "weights": weights})
    data = json.dumps(content, ensure_ascii=False).replace("&", "\\u0026").replace("<", "\\u003c")
    template = resources.files("seq2see.plotting").joinpath(TEMPLATE).read_text(encoding="utf-8")
    before, after = template.split("{{data}}")
    for place, value in (("{{title}}", title), ("{{heading}}", title), ("{{text}}", text)):
        before = before.replace(place, html.escape(value))
    return before + data + after
