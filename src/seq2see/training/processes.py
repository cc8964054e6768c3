"""The processes of one run, on one machine or on several."""

from collections.abc import Sequence
from datetime import timedelta
from typing import TypeVar

import torch
from accelerate import PartialState
from accelerate.utils import broadcast_object_list, gather_object, parse_flag_from_env

Value = TypeVar("Value")
LONGEST_WAIT = timedelta(days=7)
"""The others wait while the first one cuts or validates; a process that has died is noticed at once in any case."""


def on_cpu() -> bool:
    """Whether to learn on the processor: there is nothing else, or ``accelerate launch --cpu`` says so."""
    return not torch.cuda.is_available() or parse_flag_from_env("ACCELERATE_USE_CPU")


class Processes:
    """All that processes of a run say to each other but gradients; a run of one process says nothing.

    ``accelerate launch`` or ``torchrun`` start them. All read the same data and make the same batches; each learns from
    its rows of every batch. The first one decides when to validate and to stop, validates, and writes.
    """

    def __init__(self) -> None:
        self.state = PartialState(cpu=on_cpu(), timeout=LONGEST_WAIT)

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.state.num_processes)

    @property
    def number(self) -> int:
        """Which one this is, from 0."""
        return int(self.state.process_index)

    @property
    def is_first(self) -> bool:
        """Whether this is the one that decides and writes."""
        return self.number == 0

    def share_of(self, indices: Sequence[int]) -> list[int]:
        """This process's rows of a batch: every k-th, so that all have like lengths."""
        return list(indices[self.number :: self.count])

    def from_first(self, value: Value) -> Value:
        """What the first process has; what others give is not looked at."""
        if self.count == 1:
            return value
        box = [value]
        broadcast_object_list(box)
        return box[0]

    def of_all(self, value: Value) -> list[Value]:
        """What each process has, in order."""
        if self.count == 1:
            return [value]
        found: list[Value] = gather_object([value])
        return found
