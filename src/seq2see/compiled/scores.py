"""Cross-entropy of rows of scores and its gradient in their place: see ``linear_cross_entropy``."""

from typing import Any

import numpy as np
from numba import carray

from seq2see.compiled.numbers import LOG2_E, exp2, fast, greater, rounded, widened
from seq2see.compiled.threads import kernel, pointer, share

ROWS_TOGETHER = 32
"""Whose gradients of the bias are added up in one row, by one thread."""


@fast
def _highest(row: Any) -> Any:
    """Of a row with what is not a number it is any of them."""
    highest = row[0]
    for index in range(len(row)):
        highest = greater(highest, row[index])
    return highest


@fast
def _exponentiate(row: Any) -> Any:
    """Give the highest number, its exponentials beside it in place of all, and their sum."""
    highest, total = _highest(row), np.float32(0.0)
    for index in range(len(row)):
        power = exp2((row[index] - highest) * LOG2_E)
        row[index] = power
        total += power
    return highest, total


@fast
def _cross_entropy(row: Any, sum_of_row: Any, label: int, smoothing: Any, of_bias: Any) -> Any:
    """Give -log p of the label and the mean -log p; the row becomes its gradient."""
    size = np.float32(len(row))
    of_label, mean = row[label], sum_of_row / size
    highest, total = _exponentiate(row)
    log_sum = np.float32(np.log(total)) + highest
    row[label] += (smoothing - np.float32(1.0)) * total
    share_of_each, of_total = smoothing / size, np.float32(1.0) / total
    for index in range(len(row)):
        gradient = row[index] * of_total - share_of_each
        row[index] = gradient
        of_bias[index] += gradient
    return log_sum - of_label, log_sum - mean


@fast
def _read(scores: Any, bias: Any, row: Any) -> Any:
    """Scores with bias, and their sum."""
    total = np.float32(0.0)
    for index in range(len(row)):
        score = widened(scores[index]) + bias[index]
        row[index] = score
        total += score
    return total


@fast
def _write(scores: Any, row: Any) -> None:
    for index in range(len(row)):
        scores[index] = rounded(row[index])


@kernel
def cross_entropy(given: Any) -> None:
    """See ``cross_entropy_``; what is shared out are groups of rows."""
    groups, rows, size = given[0], given[1], given[2]
    scores = carray(pointer(given[3]), (rows, size), np.uint16)
    bias = carray(pointer(given[4]), (size,), np.float32)
    labels = carray(pointer(given[5]), (rows,), np.int64)
    smoothing = carray(pointer(given[6]), (1,), np.float32)[0]
    losses = carray(pointer(given[7]), (rows, 2), np.float32)
    of_bias = carray(pointer(given[8]), (groups, size), np.float32)
    row = np.empty(size, np.float32)
    first, end = share(groups)
    for group in range(first, end):
        for number in range(group * ROWS_TOGETHER, min(rows, (group + 1) * ROWS_TOGETHER)):
            sum_of_row = _read(scores[number], bias, row)
            losses[number, 0], losses[number, 1] = _cross_entropy(
                row, sum_of_row, labels[number], smoothing, of_bias[group]
            )
            _write(scores[number], row)
