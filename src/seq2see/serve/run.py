"""Running the server: the process that answers, and those that search for it."""

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import torch
import uvicorn

from seq2see.errors import ConfigError
from seq2see.serve.app import create_app
from seq2see.serve.limits import Limits
from seq2see.serve.search_process import SearchProcess
from seq2see.serve.served import load_served


def run_server(
    models: Sequence[Path],
    *,
    host: str,
    port: int,
    workers: int,
    threads: int | None,
    limits: Limits,
    token_file: Path | None,
) -> None:
    """Answer requests until SIGTERM or SIGINT, then finish what was accepted.

    Args:
        models: Model directories.
        host: Address to listen at.
        port: Port to listen at.
        workers: Processes that search; one that dies is started again. With 1 the process that answers searches too.
        threads: Of each; None shares the processor out evenly, but for one core that answers.
        limits: What is taken at most.
        token_file: Of bearer tokens, a line each.

    Raises:
        BundleError: A model directory is not as it should be.
        ConfigError: There is no token in the file, or a process that searches does not start.
    """
    each = threads or max(1, ((os.cpu_count() or 1) - 1) // workers)
    torch.set_num_threads(each)
    tokens = [] if token_file is None else read_tokens(token_file)
    served = load_served(list(models))
    with _processes(models, workers if workers > 1 else 0, each) as runs:
        uvicorn.run(
            create_app(
                served,
                limits=limits,
                tokens=tokens,
                runs=runs,
                ready=lambda: not runs or any(run.ready for run in runs),
            ),
            host=host,
            port=port,
            access_log=False,
            log_level="info",
            server_header=False,
            timeout_graceful_shutdown=math.ceil(2 * limits.timeout),  # a client that reads nothing holds up nobody
        )


@contextmanager
def _processes(models: Sequence[Path], number: int, threads: int) -> Iterator[list[SearchProcess]]:
    """Processes that are ready to search."""
    started = [SearchProcess(models, threads) for _ in range(number)]
    try:
        for one in started:
            one.start()
        for one in started:
            one.wait()
        yield started
    finally:
        for one in started:
            one.close()


def read_tokens(path: Path) -> list[str]:
    """The lines of a file of tokens.

    Raises:
        ConfigError: It cannot be read, or has no token.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    tokens = [line.strip() for line in lines if line.strip()]
    if not tokens:
        raise ConfigError(f"{path}: no token in it, wanted one on each line")
    return tokens
