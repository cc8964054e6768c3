"""A process that searches for a server, and is started again when it dies."""

import logging
import multiprocessing
import signal
import threading
import traceback
from collections.abc import Hashable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch

from seq2see.errors import ConfigError
from seq2see.serve.served import load_served

SECONDS_TO_START, SECONDS_TO_START_AGAIN = 120.0, 30.0
SECONDS_BEFORE_ANOTHER = 1.0
"""Between the end of a process that could not start, and the next."""
SECONDS_TO_END = 10.0


class SearchProcess:
    """Searches batches in a process of its own, with its own copy of the models.

    Args:
        models: Model directories.
        threads: Of the process.
    """

    def __init__(self, models: Sequence[Path], threads: int) -> None:
        self._given = (tuple(models), threads)
        self._changed = threading.Condition()
        self._connection: Connection | None = None
        self._closed = False
        self._process: Any = None
        self._keeper = threading.Thread(target=self._keep, name="keeper", daemon=True)

    def start(self) -> None:
        """Begin; returns at once."""
        self._keeper.start()

    @property
    def ready(self) -> bool:
        """Whether there is a process."""
        return self._connection is not None

    def wait(self) -> None:
        """Wait until it is ready.

        Raises:
            ConfigError: It does not become so.
        """
        if self._other_than(None, SECONDS_TO_START) is None:
            raise ConfigError(f"a process to search with was not ready in {SECONDS_TO_START:g} s")

    def __call__(self, settings: Hashable, items: Sequence[Any]) -> Sequence[Any]:
        """Search a batch; one that its process does not survive is given to the next process, once.

        Raises:
            RuntimeError: The search failed, or its process died twice.
        """
        broken: Connection | None = None
        for _ in range(2):
            connection = self._other_than(broken, SECONDS_TO_START_AGAIN)
            if connection is None:
                raise RuntimeError("no process to search with")
            try:
                connection.send((settings, items))
                done, found = connection.recv()
            except (EOFError, OSError):
                broken = connection
                continue
            if not done:
                raise RuntimeError(found)
            results: Sequence[Any] = found
            return results
        raise RuntimeError("the process that searched it died, and so did the next")

    def close(self) -> None:
        """End the process."""
        with self._changed:
            self._closed = True
            if self._connection is not None:
                self._connection.close()  # of which its process hears, and ends
            self._changed.notify_all()
        self._keeper.join(SECONDS_TO_END)
        if self._process is not None and self._process.is_alive():
            self._process.kill()
            self._process.join()

    def _other_than(self, broken: Connection | None, seconds: float) -> Connection | None:
        """The connection to a process, another one than that which is broken; None if there is none in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._connection not in (None, broken), timeout=seconds)
            return None if self._closed or self._connection is broken else self._connection

    def _keep(self) -> None:
        """Start a process whenever there is none."""
        told = logging.getLogger("uvicorn.error").error
        while not self._closed:
            ready = False
            try:
                ready = self._run_one()
            except OSError as error:  # no memory, or no more processes, for now
                told(f"a process that searches cannot be started: {error}")
            with self._changed:
                self._connection = None  # not closed here: it may be read from now, and says that it has ended
                if not self._closed:
                    told("a process that searches ended; another one is started")
                    self._changed.wait_for(lambda: self._closed, timeout=0.0 if ready else SECONDS_BEFORE_ANOTHER)

    def _run_one(self) -> bool:
        """Start a process and wait until it ends; say whether it was ever ready."""
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_search_for, args=(there, *self._given), name="search")
        process.start()
        self._process = process
        there.close()
        ready = _is_ready(here)
        with self._changed:
            if self._closed:
                here.close()
            elif ready:
                self._connection = here
                self._changed.notify_all()
        process.join()
        return ready


def _is_ready(connection: Connection) -> bool:
    try:
        connection.recv()
    except (EOFError, OSError):
        return False
    return True


def _search_for(connection: Connection, models: Sequence[Path], threads: int) -> None:
    """Search what comes until no more can come: the server has ended, or has been killed."""
    for number in (signal.SIGINT, signal.SIGTERM):  # the server's, which finishes what it has accepted
        signal.signal(number, signal.SIG_IGN)
    torch.set_num_threads(threads)
    translators = {one.name: one.translator for one in load_served(list(models))}
    try:
        connection.send("ready")
        while True:
            settings, items = connection.recv()
            try:
                answer = (True, settings.run(translators, items))
            except Exception:  # noqa: BLE001 (whatever it is, the server must hear of it)
                answer = (False, traceback.format_exc())
            connection.send(answer)
    except (EOFError, OSError):
        return
