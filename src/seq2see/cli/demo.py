"""``seq2see demo``."""

from pathlib import Path
from typing import Annotated

import typer

from seq2see.cli.options import ThreadsOption, console, set_threads
from seq2see.cli.serve import HERE, check_installed


def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder for model, pictures and page.")] = Path("seq2see-demo"),
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, help="Minutes of training.")] = 6.0,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE.html", help="Write a page on the test sentences.")
    ] = None,
    serve: Annotated[bool, typer.Option("--serve", help="Open the model on a page of its own at the end.")] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Of that page.")] = 8000,
    threads: ThreadsOption = None,
) -> None:
    """Train English→Chinese on the bundled Tatoeba pairs, evaluate, translate, and draw the attention."""
    from seq2see.demo import run_demo

    if serve:
        check_installed()
    set_threads(threads)
    output = console(stderr=False)
    result = run_demo(out, minutes=minutes, console=output)
    if report is not None:
        from seq2see.inference import load
        from seq2see.report import write_report

        write_report(report, load(out / "model"), result, out / "model")
        output.print(f"the report is {report}")
    if serve:
        show(out / "model", port=port, threads=threads)


def show(model: Path, *, port: int, threads: int | None) -> None:
    """Serve a model, and open its page in a browser, until the user ends it."""
    import threading
    import webbrowser

    from seq2see.serve import Limits, run_server

    place = f"http://{HERE}:{port}"
    console(stderr=False).print(f"\nthe page: {place} (Ctrl-C ends it)")
    threading.Timer(3.0, webbrowser.open, [place]).start()
    run_server([model], host=HERE, port=port, workers=1, threads=threads, limits=Limits(), token_file=None)
