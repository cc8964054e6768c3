"""The queue, and what is searched together."""

import asyncio
import threading
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from seq2see.serve import batcher as batcher_module
from seq2see.serve.batcher import Batcher
from seq2see.serve.faults import Fault
from seq2see.serve.limits import Limits


class Search:
    """Doubles numbers, batch by batch, when it is let."""

    def __init__(self) -> None:
        self.batches: list[tuple[Any, list[Any]]] = []
        self.may_go_on = threading.Event()

    def __call__(self, settings: Any, items: Sequence[Any]) -> list[Any]:
        self.batches.append((settings, list(items)))
        self.may_go_on.wait(10)
        if 13 in items:
            raise ArithmeticError("13")
        return [2 * item for item in items]


async def run(search: Search, limits: Limits, *asked: tuple[str, list[tuple[int, int]]]) -> list[Any]:
    """Ask for several lists at once; the first is already being searched when the others come."""
    batcher = Batcher([search], limits)
    batcher.start()
    tasks = []
    for settings, items in asked:
        tasks.append(asyncio.ensure_future(batcher.submit(settings, items)))
        await asyncio.sleep(0.05)
    search.may_go_on.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.to_thread(batcher.stop)
    return found


def test_what_waits_is_searched_together_by_settings_and_length() -> None:
    search = Search()
    limits = Limits(max_batch_tokens=30)
    asked = [("a", [(1, 5)]), ("a", [(2, 10), (3, 3)]), ("b", [(4, 10)]), ("a", [(5, 9), (6, 8), (7, 100)])]
    found = asyncio.run(run(search, limits, *asked))
    assert found == [[2], [4, 6], [8], [10, 12, 14]]
    # the oldest is 2, of 10 tokens: 5 (9) and 6 (8) are nearest to it, and three of 10 are 30
    assert search.batches[0] == ("a", [1])
    assert search.batches[1] == ("a", [2, 5, 6])
    assert sorted(search.batches[2:]) == [("a", [3]), ("a", [7]), ("b", [4])]


def test_what_is_asked_again_right_after_an_answer_is_searched_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two halves of the clients would otherwise take turns for ever."""
    monkeypatch.setattr(batcher_module, "NEXT_WAIT", 0.5)  # of 0.1 s: these clients may be slow
    monkeypatch.setattr(batcher_module, "LONGEST_WAIT", 1.0)

    async def ask() -> list[int]:
        sizes: list[int] = []

        def run(_: Any, items: Sequence[Any]) -> Sequence[Any]:
            sizes.append(len(items))
            time.sleep(0.1)
            return items

        batcher = Batcher([run], Limits())
        batcher.start()

        async def client(number: int) -> None:
            await asyncio.sleep(0.03 * (number > 3))
            for _ in range(4):
                await batcher.submit("a", [(number, 1)])

        await asyncio.gather(*(client(number) for number in range(8)))
        await asyncio.to_thread(batcher.stop)
        return sizes

    sizes = asyncio.run(ask())
    assert sum(sizes) == 32
    assert sizes[3:-1] == [8] * len(sizes[3:-1])


def test_each_of_several_takes_its_share() -> None:
    async def ask() -> tuple[list[int], list[int]]:
        sizes: tuple[list[int], list[int]] = ([], [])

        def run(number: int, _: Any, items: Sequence[Any]) -> Sequence[Any]:
            sizes[number].append(len(items))
            time.sleep(0.2)
            return items

        batcher = Batcher([partial(run, 0), partial(run, 1)], Limits())
        batcher.start()
        await batcher.submit("a", [(number, 1) for number in range(12)])  # one request, and both are idle
        await asyncio.to_thread(batcher.stop)
        return sizes

    assert asyncio.run(ask()) == ([6], [6])


def test_who_asks_alone_after_a_rest_does_not_wait_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batcher_module, "NEXT_WAIT", 2.0)  # of 0.5 s

    async def ask() -> float:
        def run(_: Any, items: Sequence[Any]) -> Sequence[Any]:
            time.sleep(0.5 * (len(items) > 1))
            return items

        batcher = Batcher([run], Limits())
        batcher.start()
        await batcher.submit("a", [(1, 1), (2, 1)])
        await asyncio.sleep(0.3)
        start = time.monotonic()
        await batcher.submit("a", [(1, 1)])
        seconds = time.monotonic() - start
        await asyncio.to_thread(batcher.stop)
        return seconds

    assert asyncio.run(ask()) < 0.5


def test_who_counts_is_told_how_many_wait_and_are_searched() -> None:
    waiting: list[int] = []
    searched: list[int] = []

    async def ask() -> None:
        batcher = Batcher([lambda _, items: items], Limits(), searched=searched.append, waiting=waiting.append)
        batcher.start()
        await batcher.submit("a", [(1, 1), (2, 1)])
        await asyncio.to_thread(batcher.stop)

    asyncio.run(ask())
    assert (waiting, searched) == ([2, 0], [2])


def test_with_one_token_a_batch_every_text_is_searched_alone() -> None:
    search = Search()
    asyncio.run(run(search, Limits(max_batch_tokens=1), ("a", [(1, 2), (2, 2)]), ("a", [(3, 2)])))
    assert [items for _, items in search.batches] == [[1], [2], [3]]


def test_a_full_queue_refuses_whole_requests() -> None:
    search = Search()
    limits = Limits(max_queue=2)
    found = asyncio.run(run(search, limits, ("a", [(1, 1)]), ("a", [(2, 1)]), ("a", [(3, 1), (4, 1)]), ("a", [(5, 1)])))
    assert found[0] == [2]
    assert found[1] == [4]
    assert isinstance(found[2], Fault)
    assert (found[2].status, found[2].code, found[2].limit) == (429, "queue_full", 2)
    assert found[3] == [10]


def test_what_nobody_waits_for_is_not_searched() -> None:
    search = Search()

    async def go() -> list[Any]:
        batcher = Batcher([search], Limits())
        batcher.start()
        first = asyncio.ensure_future(batcher.submit("a", [(1, 1)]))
        await asyncio.sleep(0.05)
        gone = asyncio.ensure_future(batcher.submit("a", [(2, 1)]))
        await asyncio.sleep(0.05)
        gone.cancel()
        await asyncio.sleep(0)
        search.may_go_on.set()
        found = await first
        await asyncio.to_thread(batcher.stop)
        return found

    assert asyncio.run(go()) == [2]
    assert search.batches == [("a", [1])]


def test_time_is_limited_and_the_late_are_not_searched() -> None:
    search = Search()

    async def go() -> Any:
        batcher = Batcher([search], Limits(timeout=0.1))
        batcher.start()
        found = await asyncio.gather(
            batcher.submit("a", [(1, 1)]), batcher.submit("b", [(2, 1)]), return_exceptions=True
        )
        search.may_go_on.set()
        await asyncio.to_thread(batcher.stop)
        return found

    found = asyncio.run(go())
    assert [(fault.status, fault.code) for fault in found] == [(503, "timeout")] * 2
    assert search.batches == [("a", [1])]


def test_a_fault_of_a_search_reaches_those_who_wait_and_no_others() -> None:
    search = Search()
    found = asyncio.run(run(search, Limits(), ("a", [(1, 1)]), ("a", [(13, 1)]), ("b", [(2, 1)])))
    assert found[0] == [2]
    assert isinstance(found[1], ArithmeticError)
    assert found[2] == [4]


def test_a_fault_of_one_is_not_its_neighbours() -> None:
    search = Search()
    found = asyncio.run(run(search, Limits(), ("a", [(1, 1)]), ("a", [(2, 1)]), ("a", [(13, 1)]), ("a", [(3, 1)])))
    assert [one for one in found if isinstance(one, list)] == [[2], [4], [6]]
    assert search.batches[1] == ("a", [2, 13, 3])


def test_what_was_accepted_is_finished_and_no_more_is_taken() -> None:
    search = Search()

    async def go() -> Any:
        batcher = Batcher([search], Limits())
        batcher.start()
        waiting = [asyncio.ensure_future(batcher.submit("a", [(number, 1)])) for number in (1, 2)]
        await asyncio.sleep(0.05)
        ending = asyncio.ensure_future(asyncio.to_thread(batcher.stop))
        await asyncio.sleep(0.05)
        assert not batcher.alive
        with pytest.raises(Fault, match="about to end"):
            await batcher.submit("a", [(3, 1)])
        search.may_go_on.set()
        await ending
        return await asyncio.gather(*waiting)

    assert asyncio.run(go()) == [[2], [4]]
