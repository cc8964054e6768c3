"""``seq2see demo``."""

from pathlib import Path
from typing import Annotated

import typer

from seq2see.cli.options import ThreadsOption, console, set_threads


def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder for model, pictures and page.")] = Path("seq2see-demo"),
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, help="Minutes of training.")] = 6.0,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE.html", help="Write a page on the test sentences.")
    ] = None,
    threads: ThreadsOption = None,
) -> None:
    """Train English→Chinese on the bundled Tatoeba pairs, evaluate, translate, and draw the attention."""
    from seq2see.demo import run_demo

    set_threads(threads)
    output = console(stderr=False)
    result = run_demo(out, minutes=minutes, console=output)
    if report is not None:
        from seq2see.inference import load
        from seq2see.report import write_report

        write_report(report, load(out / "model"), result, out / "model")
        output.print(f"the report is {report}")
