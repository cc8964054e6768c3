"""Writing a picture to a file."""

import io
from collections.abc import Callable
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

from seq2see.alignment import Alignment
from seq2see.errors import OutputError
from seq2see.files import write_file
from seq2see.plotting.heatmap import heatmap
from seq2see.plotting.lines import lines
from seq2see.plotting.page import page

KINDS: dict[str, Callable[[Alignment], Figure]] = {"heatmap": heatmap, "lines": lines}
ENDINGS = (".svg", ".png", ".html")
DOTS_PER_INCH = 150


def save_plot(alignment: Alignment, path: Path, kind: str = "heatmap") -> None:
    """Draw an alignment into a file.

    Args:
        alignment: At least one source and one target token.
        path: Its ending chooses svg, png or html; the html page shows lines, whatever the kind.
        kind: ``heatmap`` or ``lines``.

    Raises:
        OutputError: The ending or the kind is not known, there is nothing to draw, or the file cannot be written.
    """
    if kind not in KINDS:
        raise OutputError(f"kind is {kind!r}, wanted {' or '.join(KINDS)}")
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise OutputError(f"{path}: ending is {ending or 'missing'!r}, wanted one of {', '.join(ENDINGS)}")
    if not alignment.source_tokens or not alignment.target_tokens:
        raise OutputError(f"{path}: nothing to draw: the source or the output has no tokens")
    if ending == ".html":
        write_file(path, page([alignment]))
        return
    buffer = io.BytesIO()
    # text as outlines, so that the file looks the same everywhere; a fixed salt, so that it is the same every time
    with rc_context({"svg.fonttype": "path", "svg.hashsalt": "seq2see"}):
        metadata = {"Date": None} if ending == ".svg" else {}
        KINDS[kind](alignment).savefig(buffer, format=ending[1:], dpi=DOTS_PER_INCH, metadata=metadata)
    write_file(path, buffer.getvalue())
