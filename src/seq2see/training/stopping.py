"""Stopping a run when the user or the system asks for it, between two updates."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


class StopRequest:
    """Whether somebody has asked the run to stop."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Remember the first request; the second one stops at once."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextlib.contextmanager
def stop_request() -> Iterator[StopRequest]:
    """Turn Ctrl-C and SIGTERM into a request while the block runs; only the main thread hears signals."""
    request = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    before = {number: signal.signal(number, request) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
