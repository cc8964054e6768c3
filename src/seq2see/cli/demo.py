"""``seq2see demo``."""

from pathlib import Path
from typing import Annotated

import typer

from seq2see.cli.options import ThreadsOption, console, set_threads


def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder for model, pictures and page.")] = Path("seq2see-demo"),
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, help="Minutes of training.")] = 6.0,
    threads: ThreadsOption = None,
) -> None:
    """Train English→Chinese on the bundled Tatoeba pairs, evaluate, translate, and draw the attention."""
    from seq2see.demo import run_demo

    set_threads(threads)
    run_demo(out, minutes=minutes, console=console(stderr=False))
