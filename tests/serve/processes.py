"""Servers in processes of their own."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

SECONDS_TO_START = 60.0


@dataclass(frozen=True)
class Served:
    """A server that runs.

    Args:
        url: Where it answers.
        process: The one that was started.
        client: Asks it; one for all threads, since to make one takes long.
    """

    url: str
    process: subprocess.Popen[bytes]
    client: httpx.Client

    def post(self, path: str, content: object, timeout: float = 60.0) -> httpx.Response:
        """Ask it something."""
        return self.client.post(f"{self.url}{path}", json=content, timeout=timeout)


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextlib.contextmanager
def served(model: Path, *arguments: str) -> Iterator[Served]:
    """Start a server, wait until it is ready, and end it."""
    port = free_port()
    command = [sys.executable, "-m", "seq2see", "serve", str(model), "--port", str(port), "--threads", "1", *arguments]
    with tempfile.TemporaryFile() as log, httpx.Client() as client:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        server = Served(f"http://127.0.0.1:{port}", process, client)
        try:
            wait_until_ready(server)
            yield server
        except AssertionError:
            log.seek(0)
            print(log.read().decode())
            raise
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.wait(30)


def wait_until_ready(server: Served) -> None:
    """Wait until it would translate."""
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end:
        if server.process.poll() is not None:
            raise AssertionError("the server ended")
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{server.url}/readyz").status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError("the server does not become ready")


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError):
            fields = Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == pid:
                found.append(int(name))
    return found
