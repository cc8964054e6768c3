"""Processes that are forked from one which has read torch already, so that each starts at once."""

import contextlib
import multiprocessing
import os
import socket
import sys
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import torch

from seq2see.cli.main import main

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["seq2see.training", "tests.training.forked"])


def command(arguments: list[str], told: Path) -> None:
    """What the command line does with these arguments; its messages go to a file."""
    torch.set_num_threads(1)
    sys.argv = ["seq2see", *arguments]
    with told.open("w") as file, contextlib.redirect_stderr(file):
        main()


def start(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Start a function in a process of its own."""
    process = CONTEXT.Process(target=target, args=arguments)
    process.start()
    return process


def start_together(count: int, target: Callable[..., None], *arguments: Any) -> list[BaseProcess]:
    """Start a function in several processes that are one run, as ``torchrun`` does; each gets its number first."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return [start(_one_of, number, count, port, target, arguments) for number in range(count)]


def _one_of(number: int, count: int, port: int, target: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    names = {"RANK": number, "LOCAL_RANK": number, "WORLD_SIZE": count, "LOCAL_WORLD_SIZE": count}
    os.environ |= {name: str(value) for name, value in names.items()}
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    target(number, *arguments)
