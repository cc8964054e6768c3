"""Processes that search for a server."""

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from seq2see.serve.search_process import SearchProcess


@dataclass(frozen=True)
class Settings:
    """In place of those of a search: what the search does.

    Args:
        what: "numbers" gives the number of the process; "fails" and "dies" do that.
    """

    what: str

    def run(self, translators: Mapping[str, object], items: Sequence[object]) -> list[tuple[int, int, object]]:
        """A result for each item."""
        if self.what == "fails":
            raise ArithmeticError("no such sum")
        if self.what == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        return [(os.getpid(), len(translators), item) for item in items]


@pytest.fixture(scope="module")
def process(reverse_directory: Path) -> Iterator[SearchProcess]:
    process = SearchProcess([reverse_directory], threads=1)
    process.start()
    process.wait()
    yield process
    process.close()


def test_searches_in_another_process_that_has_the_models(process: SearchProcess) -> None:
    ((number, models, item),) = process(Settings("numbers"), ["abc"])
    assert number != os.getpid()
    assert (models, item) == (1, "abc")
    assert process.ready


def test_a_search_that_fails_says_why_and_the_process_lives_on(process: SearchProcess) -> None:
    before = process(Settings("numbers"), [1])
    with pytest.raises(RuntimeError, match="no such sum"):
        process(Settings("fails"), [1])
    assert process(Settings("numbers"), [1]) == before


def test_what_kills_two_processes_is_given_up_and_the_next_one_searches_on(process: SearchProcess) -> None:
    before = process(Settings("numbers"), [1])
    with pytest.raises(RuntimeError, match="died, and so did the next"):
        process(Settings("dies"), [1])
    after = process(Settings("numbers"), [1])
    assert after != before
    process.close()
    assert not process.ready
    with pytest.raises(RuntimeError, match="no process"):
        process(Settings("numbers"), [1])
