"""Running the server: one process that watches, and one or more that answer."""

import json
import math
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import torch
import uvicorn
from fastapi import FastAPI

from seq2see.errors import ConfigError
from seq2see.serve.app import create_app
from seq2see.serve.limits import Limits
from seq2see.serve.served import load_served

SETTINGS = "SEQ2SEE_SERVE"
"""Of the environment: what the processes that answer read, as JSON."""


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
        workers: Processes that answer; one that dies is started again.
        threads: Of each; None shares the processor out evenly.
        limits: What is taken at most.
        token_file: Of bearer tokens, a line each.

    Raises:
        BundleError: A model directory is not as it should be.
        ConfigError: There is no token in the file.
    """
    each = threads or max(1, (os.cpu_count() or 1) // workers)
    content = {
        "models": [str(path.resolve()) for path in models],
        "limits": asdict(limits),
        "tokens": None if token_file is None else str(token_file.resolve()),
        "threads": each,
        "shared": workers > 1,
    }
    with tempfile.TemporaryDirectory() as counts:
        os.environ[SETTINGS] = json.dumps(content)
        app = app_of_environment()  # whoever starts a server hears of a fault at once
        if workers > 1:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = counts
        uvicorn.run(
            app if workers == 1 else "seq2see.serve.run:app_of_environment",
            factory=workers > 1,
            host=host,
            port=port,
            workers=workers,
            access_log=False,
            log_level="info",
            server_header=False,
            timeout_graceful_shutdown=math.ceil(2 * limits.timeout),  # a client that reads nothing holds up nobody
        )


def app_of_environment() -> FastAPI:
    """The application that a process answers with."""
    content = json.loads(os.environ[SETTINGS])
    torch.set_num_threads(content["threads"])
    tokens = [] if content["tokens"] is None else read_tokens(Path(content["tokens"]))
    served = load_served([Path(path) for path in content["models"]])
    return create_app(served, limits=Limits(**content["limits"]), tokens=tokens, shared=content["shared"])


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
