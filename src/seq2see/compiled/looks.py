"""One look of additive attention at the memory, and its derivative: see ``recurrence.energy.AdditiveEnergy``."""

from typing import Any

import numpy as np
from numba import carray

from seq2see.compiled.numbers import LOG2_E, TWO, exp2, fast, greater, sigmoid
from seq2see.compiled.threads import kernel, pointer, share

ZERO, FOUR = np.float32(0.0), np.float32(4.0)


@fast
def _energy(query: Any, key: Any, v: Any) -> Any:
    """Σ_a v_a σ(2 q_a + k_a), of one position."""
    energy = ZERO
    for index in range(len(v)):
        energy += v[index] * sigmoid(TWO * query[index] + key[index])
    return energy


@fast
def _softmax(energies: Any, mask: Any) -> None:
    """Of the real positions of a row, in place."""
    highest, total = np.float32(-3.0e38), ZERO
    for position in range(len(mask)):
        if mask[position]:
            highest = greater(highest, energies[position])
    for position in range(len(mask)):
        power = exp2((energies[position] - highest) * LOG2_E) if mask[position] else ZERO
        energies[position] = power
        total += power
    if total != ZERO:
        for position in range(len(mask)):
            if mask[position]:
                energies[position] /= total


@fast
def _add_scaled(sums: Any, scale: Any, xs: Any) -> None:
    for index in range(len(sums)):
        sums[index] += scale * xs[index]


@fast
def _dot(xs: Any, ys: Any) -> Any:
    product = ZERO
    for index in range(len(xs)):
        product += xs[index] * ys[index]
    return product


@fast
def _look(query: Any, keys: Any, values: Any, v: Any, mask: Any, weights: Any, context: Any) -> None:
    """Energies, their softmax, and Σ_j α_j v_j, of one row."""
    for position in range(len(mask)):
        if mask[position]:
            weights[position] = TWO * _energy(query, keys[position], v)  # softmax does not see what all have less
    _softmax(weights, mask)
    context[:] = ZERO
    for position in range(len(mask)):
        if mask[position]:
            _add_scaled(context, weights[position], values[position])


@fast
def _of_sum(query: Any, key: Any, of_energy: Any, of_query: Any, of_key: Any, of_v: Any) -> None:
    """G (r_a - r_a²) for query and key, and g r_a for v, are added, with r_a = σ(2 q_a + k_a), of one position."""
    for index in range(len(of_query)):
        hidden = sigmoid(TWO * query[index] + key[index])
        slope = of_energy * (hidden - hidden * hidden)
        of_v[index] += of_energy * hidden
        of_query[index] += slope
        of_key[index] += slope


@fast
def _look_back(
    of_context: Any, of_weights: Any, weights: Any, query: Any, keys: Any, values: Any, sums: tuple[Any, Any, Any]
) -> None:
    """g^α_j = v_j · g^c + given and g^e = α (g^α - α · g^α), and from there on as ``_of_sum``, of one row."""
    of_query, of_keys, of_v = sums
    num_positions, mean = len(weights), ZERO
    of_energies = np.empty(num_positions, np.float32)
    for position in range(num_positions):
        of_energies[position] = of_weights[position]
        if weights[position] != ZERO:
            of_energies[position] += _dot(of_context, values[position])
        mean += weights[position] * of_energies[position]
    of_query[:] = ZERO
    of_v[:] = ZERO
    for position in range(num_positions):
        of_energy = weights[position] * (of_energies[position] - mean)
        if of_energy != ZERO:
            _of_sum(query, keys[position], of_energy, of_query, of_keys[position], of_v)


@fast
def _finish(of_query: Any, of_v: Any, v: Any) -> None:
    """The factors that ``_of_sum`` leaves out; as Σ_j g^e_j is 0, that of v needs no more."""
    for index in range(len(v)):
        of_query[index] *= FOUR * v[index]
        of_v[index] *= TWO


@fast
def _compared(given: Any) -> tuple[Any, Any, Any, Any]:
    """Query, keys, values and v, which both kernels begin with, after rows, positions, and the sizes A and C."""
    rows, positions, size, values_size = given[0], given[1], given[2], given[3]
    return (
        carray(pointer(given[4]), (rows, size), np.float32),
        carray(pointer(given[5]), (rows, positions, size), np.float32),
        carray(pointer(given[6]), (rows, positions, values_size), np.float32),
        carray(pointer(given[7]), (size,), np.float32),
    )


@kernel
def look(given: Any) -> None:
    """See ``additive_look``."""
    query, keys, values, v = _compared(given)
    rows, positions, _, values_size = given[0], given[1], given[2], given[3]
    mask = carray(pointer(given[8]), (rows, positions), np.uint8)
    weights = carray(pointer(given[9]), (rows, positions), np.float32)
    context = carray(pointer(given[10]), (rows, values_size), np.float32)
    first, end = share(rows)
    for row in range(first, end):
        _look(query[row], keys[row], values[row], v, mask[row], weights[row], context[row])


@kernel
def look_back(given: Any) -> None:
    """See ``additive_look_back``."""
    query, keys, values, v = _compared(given)
    rows, positions, size, values_size = given[0], given[1], given[2], given[3]
    of_context = carray(pointer(given[8]), (rows, values_size), np.float32)
    of_weights = carray(pointer(given[9]), (rows, positions), np.float32)
    weights = carray(pointer(given[10]), (rows, positions), np.float32)
    of_query = carray(pointer(given[11]), (rows, size), np.float32)
    of_keys = carray(pointer(given[12]), (rows, positions, size), np.float32)
    of_v = carray(pointer(given[13]), (rows, size), np.float32)
    first, end = share(rows)
    for row in range(first, end):
        sums = (of_query[row], of_keys[row], of_v[row])
        _look_back(of_context[row], of_weights[row], weights[row], query[row], keys[row], values[row], sums)
        _finish(of_query[row], of_v[row], v)
