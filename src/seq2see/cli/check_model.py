"""``seq2see check-model``."""

from pathlib import Path
from typing import Annotated

import typer

from seq2see.cli.options import ModelArgument, ThreadsOption, console, set_threads


def check_model(
    model: ModelArgument,
    texts: Annotated[
        Path | None,
        typer.Option("--texts", help="File of sources to check on; made up from the vocabulary if not given."),
    ] = None,
    beam: Annotated[int, typer.Option("--beam", min=2, help="Beam size.")] = 4,
    threads: ThreadsOption = None,
) -> None:
    """Check on your own model that padding, batches and order change nothing, that scores are right, and more.

    The exit code is 1 if a check fails; that would be our fault, and we would like to hear of it.
    """
    from rich.table import Table

    from seq2see.checking import check_model as run
    from seq2see.data.text_file import read_lines
    from seq2see.inference import load

    set_threads(threads)
    translator = load(model)
    checks = run(translator, None if texts is None else read_lines(texts), beam=beam)
    table = Table()
    for name in ("check", "what was compared", "largest difference", "limit", "result"):
        table.add_column(name, justify="right" if name in ("largest difference", "limit") else "left")
    for check in checks:
        result = "good" if check.passed else "FAILED"
        table.add_row(check.name, check.what, f"{check.largest:.1e}", f"{check.limit:.0e}", result)
    console(stderr=False).print(table)
    if not all(check.passed for check in checks):
        raise typer.Exit(1)
