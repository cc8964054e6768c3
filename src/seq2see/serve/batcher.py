"""Texts of many requests, searched together: a bounded queue, and threads that empty it."""

import asyncio
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from seq2see.serve.faults import Fault
from seq2see.serve.limits import Limits

NEXT_WAIT, LONGEST_WAIT = 0.06, 0.3
"""How long a batch waits for one more text, and for all of them, as shares of the time that the last search took."""
MOST_SECONDS = 0.5
"""Of that time."""
Run = Callable[[Hashable, Sequence[Any]], Sequence[Any]]
"""Settings, items → a result for each item."""


@dataclass(slots=True)
class Job:
    """One text that waits.

    Args:
        settings: Those of its search; only jobs with equal ones are searched together.
        item: What the search is given.
        tokens: Source tokens times beam.
        deadline: When nobody waits for it any more, by ``time.monotonic``.
        future: Gets the result.
    """

    settings: Hashable
    item: Any
    tokens: int
    deadline: float
    future: "asyncio.Future[Any]" = field(repr=False)

    @property
    def wanted(self) -> bool:
        """Whether somebody still waits."""
        return not self.future.done() and time.monotonic() < self.deadline


class Batcher:
    """Searches what waits, the oldest first and with it others of like length.

    Args:
        runs: Each searches a batch, and is called in a thread of its own.
        limits: Of the server.
        searched: Told how many texts are searched together.
        waiting: Told how many texts wait, whenever that changes.
    """

    def __init__(
        self,
        runs: Sequence[Run],
        limits: Limits,
        *,
        searched: Callable[[int], None] = lambda _: None,
        waiting: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.runs, self.limits, self.searched, self.waiting = runs, limits, searched, waiting
        self._waiting: deque[Job] = deque()
        self._searching = 0
        self._changed = threading.Condition()
        self._ended = True
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Begin."""
        self._ended = False
        self._threads = [
            threading.Thread(target=self._work, args=(run,), name="search", daemon=True) for run in self.runs
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finish what waits, and end."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    @property
    def alive(self) -> bool:
        """Whether anything would be searched."""
        return any(thread.is_alive() for thread in self._threads) and not self._ended

    async def submit(self, settings: Hashable, items: Sequence[tuple[Any, int]]) -> list[Any]:
        """Wait for the results of some items.

        Args:
            settings: Of their search.
            items: Each with its tokens.

        Raises:
            Fault: The queue is full (429), or the time is over (503). Then none of the items is searched any more.
        """
        futures = self.enqueue(settings, items)
        try:
            async with asyncio.timeout(self.limits.timeout):
                return [await future for future in futures]
        except TimeoutError:
            seconds = self.limits.timeout
            raise Fault(503, "timeout", f"not done in {seconds:g} s, the limit of this server", seconds) from None
        finally:
            for future in futures:
                future.cancel()

    def enqueue(self, settings: Hashable, items: Sequence[tuple[Any, int]]) -> list["asyncio.Future[Any]"]:
        """Let some items wait, all or none.

        Raises:
            Fault: The queue is full (429), or the server is about to end (503).
        """
        loop, deadline = asyncio.get_running_loop(), time.monotonic() + self.limits.timeout
        jobs = [Job(settings, item, tokens, deadline, loop.create_future()) for item, tokens in items]
        with self._changed:
            if self._ended:
                raise Fault(503, "ending", "this server is about to end")
            if len(self._waiting) + len(jobs) > self.limits.max_queue:
                most = self.limits.max_queue
                raise Fault(429, "queue_full", f"{len(self._waiting):,} texts wait already, of {most:,} at most", most)
            self._waiting.extend(jobs)
            self.waiting(len(self._waiting))
            self._changed.notify_all()
        return [job.future for job in jobs]

    def _work(self, run: Run) -> None:
        seconds, ended = 0.0, 0.0
        while True:
            with self._changed:
                while not self._waiting and not self._ended:
                    self._changed.wait()
                if not self._waiting:
                    return
                self._gather(seconds, ended)
                batch = self._take()
                self.waiting(len(self._waiting))
                if self._waiting:
                    self._changed.notify_all()  # another takes its share
            if batch:
                start = time.monotonic()
                self._search(run, batch)
                ended = time.monotonic()
                seconds = ended - start if len(batch) > 1 else 0.0  # whoever asks alone waits for nobody
                with self._changed:
                    self._searching -= len(batch)

    def _gather(self, seconds: float, ended: float) -> None:
        """Let more come, as long as they do: those that have just been answered ask again together.

        Args:
            seconds: The time that the last search took, if it was of several.
            ended: When it did.
        """
        seconds = min(seconds, MOST_SECONDS)
        count, last = 0, ended + LONGEST_WAIT * seconds
        while count < len(self._waiting) and not self._ended and time.monotonic() < last:
            if sum(job.tokens for job in self._waiting) >= self.limits.max_batch_tokens:
                return
            count = len(self._waiting)
            self._changed.wait(NEXT_WAIT * seconds)

    def _take(self) -> list[Job]:
        """The oldest job, and those of its kind that are nearest to it in length; a share of all that is asked."""
        self._waiting = deque(job for job in self._waiting if job.wanted)
        if not self._waiting:
            return []
        oldest = self._waiting[0]
        kind = [job for job in self._waiting if job.settings == oldest.settings]
        kind.sort(key=lambda job: abs(job.tokens - oldest.tokens))  # stable: of equal ones the older first
        share = math.ceil((len(self._waiting) + self._searching) / len(self.runs))
        batch: list[Job] = []
        longest = 0
        for job in kind[:share]:
            longest = max(longest, job.tokens)
            if batch and longest * (len(batch) + 1) > self.limits.max_batch_tokens:
                break
            batch.append(job)
        taken = set(map(id, batch))
        self._waiting = deque(job for job in self._waiting if id(job) not in taken)
        self._searching += len(batch)
        return batch

    def _search(self, run: Run, batch: list[Job]) -> None:
        try:
            self.searched(len(batch))
            results: Sequence[Any] = run(batch[0].settings, [job.item for job in batch])
            for job, result in zip(batch, results, strict=True):
                _tell(job, job.future.set_result, result)
        except Exception as error:  # noqa: BLE001 (whatever it is, those who wait must hear of it)
            if len(batch) > 1:  # a fault of one is not its neighbours'
                for job in batch:
                    if job.wanted:
                        self._search(run, [job])
            else:
                _tell(batch[0], batch[0].future.set_exception, error)


def _tell(job: Job, say: Callable[[Any], None], what: Any) -> None:
    """Say something to whoever waits, in the thread in which they wait, if they still do."""

    def unless_gone() -> None:
        if not job.future.done():
            say(what)

    job.future.get_loop().call_soon_threadsafe(unless_gone)
