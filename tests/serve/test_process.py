"""The server as its user runs it: many at once, killed, ended, overloaded."""

import concurrent.futures
import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from seq2see.inference import load
from tests.cli.running import refused
from tests.serve.processes import Served, children, served


@pytest.fixture(scope="module")
def server(reverse_directory: Path) -> Iterator[Served]:
    with served(reverse_directory) as server:
        yield server


def test_two_hundred_mixed_requests_at_once_get_the_serial_answers(server: Served) -> None:
    texts = ["abc", "hello", "attention", "z", "", "qwertyuiopasdf", "zyxwvutsrq"]
    asked: list[tuple[str, dict[str, object]]] = []
    for number in range(200):
        text = texts[number % len(texts)] + "xyz"[: number % 4]
        kind = number % 5
        if kind < 3:
            asked.append(("/v1/translate", {"text": text, "beam": 1 + 2 * kind, "alignments": kind == 2}))
        elif kind == 3:
            asked.append(("/v1/score", {"source": [text, "abc"], "target": ["cba", "abc"]}))
        else:
            asked.append(("/v1/align", {"source": text, "target": "cba"}))
    serial = [server.post(*one).json() for one in asked]
    with concurrent.futures.ThreadPoolExecutor(32) as many:
        together = list(many.map(lambda one: server.post(*one).json(), asked))
    for one, other in zip(together, serial, strict=True):
        assert_same(one, other)


def assert_same(one: object, other: object) -> None:
    """Equal, but for the last bits of numbers, which neighbours change."""
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys()
        for name, value in one.items():
            assert_same(value, other[name])
    elif isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other)
        for each in zip(one, other, strict=True):
            assert_same(*each)
    else:
        assert one == pytest.approx(other, abs=1e-4)


def test_answers_are_those_of_the_command_line(server: Served, reverse_directory: Path) -> None:
    texts = ["abc", "hello", "attention"]
    found = server.post("/v1/translate", {"text": texts}).json()["translations"]
    for one, wanted in zip(found, load(reverse_directory).translate(texts), strict=True):
        assert one["outputs"][0]["text"] == wanted.text
        assert one["outputs"][0]["score"] == pytest.approx(wanted.score, abs=1e-4)


def test_an_overloaded_server_refuses_fast_and_recovers(reverse_directory: Path) -> None:
    with served(reverse_directory, "--max-queue", "4", "--max-batch-tokens", "1") as server:
        body = {"text": ["abcdefghijklmnopqrst"] * 4, "beam": 5}

        def ask(_: int) -> tuple[int, float]:
            start = time.monotonic()
            return server.post("/v1/translate", body).status_code, time.monotonic() - start

        with concurrent.futures.ThreadPoolExecutor(24) as many:
            found = list(many.map(ask, range(48)))
        statuses = {status for status, _ in found}
        assert statuses == {200, 429}
        refusals = sorted(seconds for status, seconds in found if status == 429)
        assert refusals[len(refusals) // 2] < 1.0
        assert server.post("/v1/translate", {"text": "abc"}).status_code == 200


def test_what_was_accepted_is_finished_when_it_is_told_to_end(reverse_directory: Path) -> None:
    with served(reverse_directory, "--max-batch-tokens", "1") as server:
        found: list[int] = []

        def ask() -> None:
            found.append(server.post("/v1/translate", {"text": ["abcdefghijklmnopqrst"] * 40}).status_code)

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(0.5)
        server.process.send_signal(signal.SIGTERM)
        asking.join(60)
        assert found == [200]
        assert server.process.wait(30) in (0, -signal.SIGTERM)
        with pytest.raises(httpx.HTTPError):
            server.post("/v1/translate", {"text": "abc"})


def searching(server: Served) -> list[int]:
    """The processes that search for a server."""
    return [pid for pid in children(server.process.pid) if b"spawn_main" in _command(pid)]


def _command(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def test_a_process_that_dies_is_started_again_and_its_texts_are_searched(reverse_directory: Path) -> None:
    with served(reverse_directory, "--workers", "2") as server:
        first = searching(server)
        assert len(first) == 2
        wanted = server.post("/v1/translate", {"text": "attention"}).json()
        with concurrent.futures.ThreadPoolExecutor(8) as many:
            asked = many.map(lambda _: server.post("/v1/translate", {"text": "attention"}), range(100))
            time.sleep(0.2)
            os.kill(first[0], signal.SIGKILL)
            for answer in asked:
                assert_same(answer.json(), wanted)
        end = time.monotonic() + 60
        while (now := searching(server)) == first[1:] and time.monotonic() < end:
            time.sleep(0.1)
        assert len(now) == 2
        assert first[0] not in now
        assert "seq2see_waiting_texts 0.0" in httpx.get(f"{server.url}/metrics").text
    assert_ended(now)


def assert_ended(processes: list[int]) -> None:
    """Or they end within ten seconds."""
    end = time.monotonic() + 10
    while any(_command(pid) for pid in processes) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(_command(pid) for pid in processes)


def test_no_process_is_left_when_the_server_is_killed(reverse_directory: Path) -> None:
    with served(reverse_directory, "--workers", "2") as server:
        left = searching(server)
        server.process.kill()
        server.process.wait(10)
        assert_ended(left)


def test_a_client_that_goes_away_frees_its_place(reverse_directory: Path) -> None:
    with served(reverse_directory, "--max-queue", "50", "--max-batch-tokens", "1") as server:
        with pytest.raises(httpx.ReadTimeout):
            server.post("/v1/translate", {"text": ["abcdefghijklmnopqrst"] * 50, "beam": 20}, timeout=0.5)
        time.sleep(1.0)
        start = time.monotonic()
        assert server.post("/v1/translate", {"text": ["abc"] * 40}).status_code == 200
        assert time.monotonic() - start < 10.0


def test_faults_of_whoever_starts_it(tmp_path: Path, reverse_directory: Path) -> None:
    assert "no such directory" in refused("serve", tmp_path / "nothing")
    (tmp_path / "tokens").write_text("\n")
    assert "no token in it" in refused("serve", reverse_directory, "--token-file", tmp_path / "tokens")
    assert "another model is named" in refused("serve", reverse_directory, reverse_directory)
