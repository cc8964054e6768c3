"""How many requests a server answers: ours with and without batches, and one that takes one request at a time.

Every client asks for the next sentence as soon as it has its answer. ``--minutes`` runs one load for longer and
prints how the server's memory grows.
"""

import argparse
import asyncio
import contextlib
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

from seq2see.demo.pairs import demo_pairs

CLIENTS = (1, 8, 32)
ONE_AT_A_TIME = """
import json, sys, torch, seq2see
from http.server import BaseHTTPRequestHandler, HTTPServer
torch.set_num_threads(int(sys.argv[3]))
model = seq2see.load(sys.argv[1])
class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        answer = json.dumps({"text": model.translate([asked["text"]], beam=asked["beam"])[0].text}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()
    def log_message(self, *_):
        pass
HTTPServer.request_queue_size = 128
HTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
"""


@contextlib.contextmanager
def running(command: list[str], port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A server, from when it answers."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200:
                    break
            time.sleep(0.1)
        yield process
    finally:
        process.terminate()
        process.wait(30)


def servers(model: Path, port: int, cores: int) -> dict[str, list[str]]:
    """Name → command."""
    ours = [sys.executable, "-m", "seq2see", "serve", str(model), "--port", str(port)]
    return {
        "ours, a process for each core": [*ours, "--workers", str(cores)],
        "ours, batches": ours,
        "ours, no batches": [*ours, "--max-batch-tokens", "1"],
        "one request at a time": [sys.executable, "-c", ONE_AT_A_TIME, str(model), str(port), str(cores)],
    }


class Client:
    """One connection, kept where the server keeps it: full clients take as long for a request as the server does.

    Args:
        port: Of the server, on this machine.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def answered(self, path: str, body: bytes) -> bool:
        """Whether a request is answered with 200."""
        reader, writer = self.streams or await asyncio.open_connection("127.0.0.1", self.port)
        head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines if line)
        await reader.readexactly(int(headers["content-length"]))
        kept = status.startswith("http/1.1") and headers.get("connection") != "close"
        self.streams = (reader, writer) if kept else None
        if not kept:
            writer.close()
        return status.split()[1] == "200"


async def load(port: int, texts: list[str], clients: int, beam: int, seconds: float) -> tuple[list[float], int]:
    """Seconds of each answer, and how many were no answers."""
    times: list[float] = []
    faults = 0
    end = time.perf_counter() + seconds

    async def ask(number: int) -> None:
        nonlocal faults
        client = Client(port)
        while time.perf_counter() < end:
            body = json.dumps({"text": texts[number % len(texts)], "beam": beam}).encode()
            number += clients
            start = time.perf_counter()
            try:
                faults += not await client.answered("/v1/translate", body)
            except (OSError, ValueError, asyncio.IncompleteReadError):
                faults += 1
                client = Client(port)
            times.append(time.perf_counter() - start)

    await asyncio.gather(*(ask(number) for number in range(clients)))
    return times, faults


def resident(process: "subprocess.Popen[bytes]") -> float:
    """Megabytes of memory, of the process and of those that it has started."""
    root = Path("/proc")
    started = [number for path in root.glob(f"{process.pid}/task/*/children") for number in path.read_text().split()]
    statuses = [(root / number / "status").read_text() for number in (str(process.pid), *started)]
    return sum(int(status.split("VmRSS:")[1].split()[0]) for status in statuses) / 1024


def table(given: argparse.Namespace, texts: list[str]) -> None:
    """Requests per second and times, by server and number of clients."""
    print("| server | clients | requests/s | p50, ms | p99, ms | faults |\n|---|---|---|---|---|---|")
    for name, command in servers(given.model, given.port, given.cores).items():
        with running(command, given.port):
            asyncio.run(load(given.port, texts, 4, given.beam, 2.0))
            for clients in CLIENTS:
                times, faults = asyncio.run(load(given.port, texts, clients, given.beam, given.seconds))
                cuts = statistics.quantiles(times, n=100)
                rate = len(times) / given.seconds
                cells = (name, clients, f"{rate:.0f}", f"{1000 * cuts[49]:.0f}", f"{1000 * cuts[98]:.0f}", faults)
                print(f"| {' | '.join(map(str, cells))} |", flush=True)


def endurance(given: argparse.Namespace, texts: list[str]) -> None:
    """Memory every minute."""
    with running(servers(given.model, given.port, given.cores)[given.server], given.port) as process:
        for minute in range(given.minutes + 1):
            print(json.dumps({"minute": minute, "resident_mb": round(resident(process), 1)}), flush=True)
            if minute < given.minutes:
                times, faults = asyncio.run(load(given.port, texts, 32, given.beam, 60.0))
                print(json.dumps({"requests": len(times), "faults": faults}), flush=True)


def main() -> None:
    """Measure."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("model", type=Path, help="of the demo")
    options.add_argument("--cores", type=int, default=2, help="which the clients share")
    options.add_argument("--port", type=int, default=8017)
    options.add_argument("--beam", type=int, default=5)
    options.add_argument("--seconds", type=float, default=15.0, help="of each load")
    options.add_argument("--minutes", type=int, help="of one long load, in place of the table")
    options.add_argument("--server", default="ours, batches", help="that takes the long load")
    given = options.parse_args()
    texts = [pair.source for pair in demo_pairs().test]
    random.Random(1).shuffle(texts)  # they are sorted by length, and a faster server comes further
    if given.minutes:
        endurance(given, texts)
    else:
        table(given, texts)


if __name__ == "__main__":
    main()
