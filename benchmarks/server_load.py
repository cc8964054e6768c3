"""How many requests a server answers: ours with and without batches, and one that takes one request at a time.

Every client asks for the next sentence as soon as it has its answer. ``--minutes`` runs one load for longer and
prints how the server's memory grows.
"""

import argparse
import asyncio
import contextlib
import json
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


def servers(model: Path, port: int, threads: int) -> dict[str, list[str]]:
    """Name → command."""
    ours = [sys.executable, "-m", "seq2see", "serve", str(model), "--port", str(port), "--threads", str(threads)]
    return {
        "ours, batches": ours,
        "ours, no batches": [*ours, "--max-batch-tokens", "1"],
        "one request at a time": [sys.executable, "-c", ONE_AT_A_TIME, str(model), str(port), str(threads)],
    }


async def load(port: int, texts: list[str], clients: int, beam: int, seconds: float) -> tuple[list[float], int]:
    """Seconds of each answer, and how many were no answers."""
    times: list[float] = []
    faults = 0
    end = time.perf_counter() + seconds
    limits = httpx.Limits(max_connections=clients)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60, limits=limits) as client:

        async def ask(number: int) -> None:
            nonlocal faults
            while time.perf_counter() < end:
                text = texts[number % len(texts)]
                number += clients
                start = time.perf_counter()
                try:
                    answer = await client.post("/v1/translate", json={"text": text, "beam": beam})
                    faults += answer.status_code != 200
                except httpx.HTTPError:
                    faults += 1
                times.append(time.perf_counter() - start)

        await asyncio.gather(*(ask(number) for number in range(clients)))
    return times, faults


def resident(process: "subprocess.Popen[bytes]") -> float:
    """Megabytes of memory."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def table(given: argparse.Namespace, texts: list[str]) -> None:
    """Requests per second and times, by server and number of clients."""
    print("| server | clients | requests/s | p50, ms | p99, ms | faults |\n|---|---|---|---|---|---|")
    for name, command in servers(given.model, given.port, given.threads).items():
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
    with running(servers(given.model, given.port, given.threads)["ours, batches"], given.port) as process:
        for minute in range(given.minutes + 1):
            print(json.dumps({"minute": minute, "resident_mb": round(resident(process), 1)}), flush=True)
            if minute < given.minutes:
                times, faults = asyncio.run(load(given.port, texts, 32, given.beam, 60.0))
                print(json.dumps({"requests": len(times), "faults": faults}), flush=True)


def main() -> None:
    """Measure."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("model", type=Path, help="of the demo")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--port", type=int, default=8017)
    options.add_argument("--beam", type=int, default=5)
    options.add_argument("--seconds", type=float, default=15.0, help="of each load")
    options.add_argument("--minutes", type=int, help="of one long load, in place of the table")
    given = options.parse_args()
    texts = [pair.source for pair in demo_pairs().test]
    if given.minutes:
        endurance(given, texts)
    else:
        table(given, texts)


if __name__ == "__main__":
    main()
