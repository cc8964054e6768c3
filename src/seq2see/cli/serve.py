"""``seq2see serve``."""

from pathlib import Path
from typing import Annotated

import typer

HERE = "127.0.0.1"
NEEDED = ("fastapi", "prometheus_client", "uvicorn")


def serve(
    models: Annotated[list[Path], typer.Argument(metavar="MODEL...", help="Model directories.", show_default=False)],
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 for all.")] = HERE,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen at; 0 for any that is free.")] = 8000,
    workers: Annotated[
        int, typer.Option(min=1, help="Processes that search, started again if they die; 1: the server does.")
    ] = 1,
    max_batch_tokens: Annotated[
        int, typer.Option(min=1, help="Padded source tokens times beam searched at once; 1: every text alone.")
    ] = 4096,
    max_input_tokens: Annotated[int, typer.Option(min=1, help="Tokens of a text.")] = 500,
    max_queue: Annotated[int, typer.Option(min=1, help="Texts that wait.")] = 512,
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds from a request to its answer.")] = 30.0,
    token_file: Annotated[
        Path | None, typer.Option(help="File of tokens, a line each; every request must then bring one.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(min=1, help="Threads of each that searches; if not given, all cores but one, shared out."),
    ] = None,
) -> None:
    """Answer requests for translations, scores and alignments, and show a page to watch them on."""
    check_installed()
    from seq2see.serve import Limits, run_server

    limits = Limits(
        max_batch_tokens=max_batch_tokens, max_input_tokens=max_input_tokens, max_queue=max_queue, timeout=timeout
    )
    run_server(models, host=host, port=port, workers=workers, threads=threads, limits=limits, token_file=token_file)


def check_installed() -> None:
    """See that all that the server needs is there.

    Raises:
        ConfigError: It is not.
    """
    from importlib.util import find_spec

    from seq2see.errors import ConfigError

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ConfigError(f'{", ".join(missing)}: not installed; wanted: pip install "seq2see[serve]"')
