"""What attention carries, for tests that need some."""

import torch

from seq2see.attention import Carry


def first_carry(rows: int, positions: int, dtype: torch.dtype = torch.float32) -> Carry:
    """Before the first step, all positions real."""
    return Carry.first(torch.ones(rows, positions, dtype=torch.bool), dtype)
