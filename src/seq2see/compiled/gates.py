"""The gates of an LSTM, and their derivative: see ``recurrence.gates.LSTMGates``."""

from typing import Any

import numpy as np
from numba import carray

from seq2see.compiled.numbers import ONE, fast, sigmoid, tanh
from seq2see.compiled.threads import kernel, pointer, share


@fast
def _add(xs: Any, ys: Any, sums: Any) -> None:
    for index in range(len(sums)):
        sums[index] = xs[index] + ys[index]


@fast
def _sigmoid_(xs: Any) -> None:
    for index in range(len(xs)):
        xs[index] = sigmoid(xs[index])


@fast
def _tanh_(xs: Any) -> None:
    for index in range(len(xs)):
        xs[index] = tanh(xs[index])


@fast
def _cell(gates: Any, before: Any, cell: Any) -> None:
    """The cell after the step, f c + i g."""
    size = len(cell)
    for index in range(size):
        cell[index] = gates[index + size] * before[index] + gates[index] * gates[index + 2 * size]


@fast
def _hidden(gates: Any, cell: Any, shown: Any, hidden: Any) -> None:
    """The hidden state, o tanh(c), of the cell after the step."""
    size = len(cell)
    for index in range(size):
        shown[index] = tanh(cell[index])
    for index in range(size):
        hidden[index] = gates[index + 3 * size] * shown[index]


@fast
def _backward(of_hidden: Any, of_cell: Any, before: Any, gates: Any, shown: Any, of_gates: Any, of_before: Any) -> None:
    """By the rules for products, sigmoid (y (1 - y)) and tanh (1 - y²), of one row."""
    size = len(before)
    for index in range(size):
        input_gate, forget_gate = gates[index], gates[index + size]
        candidate, output_gate = gates[index + 2 * size], gates[index + 3 * size]
        visible, above = shown[index], of_hidden[index]
        of_after = of_cell[index] + above * output_gate * (ONE - visible * visible)
        of_gates[index] = of_after * candidate * (input_gate * (ONE - input_gate))
        of_gates[index + size] = of_after * before[index] * (forget_gate * (ONE - forget_gate))
        of_gates[index + 2 * size] = of_after * input_gate * (ONE - candidate * candidate)
        of_gates[index + 3 * size] = above * visible * (output_gate * (ONE - output_gate))
        of_before[index] = of_after * forget_gate


@kernel
def gates(given: Any) -> None:
    """See ``lstm_step``."""
    rows, size = given[0], given[1]
    from_input = carray(pointer(given[2]), (rows, 4 * size), np.float32)
    from_hidden = carray(pointer(given[3]), (rows, 4 * size), np.float32)
    before = carray(pointer(given[4]), (rows, size), np.float32)
    made = carray(pointer(given[5]), (rows, 4 * size), np.float32)
    cell = carray(pointer(given[6]), (rows, size), np.float32)
    shown = carray(pointer(given[7]), (rows, size), np.float32)
    hidden = carray(pointer(given[8]), (rows, size), np.float32)
    first, end = share(rows)
    for row in range(first, end):
        _add(from_input[row], from_hidden[row], made[row])
        _sigmoid_(made[row, : 2 * size])
        _tanh_(made[row, 2 * size : 3 * size])
        _sigmoid_(made[row, 3 * size :])
        _cell(made[row], before[row], cell[row])
        _hidden(made[row], cell[row], shown[row], hidden[row])


@kernel
def gates_back(given: Any) -> None:
    """See ``lstm_step_back``."""
    rows, size = given[0], given[1]
    of_hidden = carray(pointer(given[2]), (rows, size), np.float32)
    of_cell = carray(pointer(given[3]), (rows, size), np.float32)
    before = carray(pointer(given[4]), (rows, size), np.float32)
    made = carray(pointer(given[5]), (rows, 4 * size), np.float32)
    shown = carray(pointer(given[6]), (rows, size), np.float32)
    of_gates = carray(pointer(given[7]), (rows, 4 * size), np.float32)
    of_before = carray(pointer(given[8]), (rows, size), np.float32)
    first, end = share(rows)
    for row in range(first, end):
        _backward(of_hidden[row], of_cell[row], before[row], made[row], shown[row], of_gates[row], of_before[row])
