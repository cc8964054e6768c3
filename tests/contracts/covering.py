"""Choosing combinations of choices so that all pairs, or triples, of them occur together."""

import itertools
import random
from collections.abc import Callable, Iterator

Choices = dict[str, list[str]]
Combination = tuple[str, ...]
Group = frozenset[tuple[int, str]]

TRIES = 40


def covering(choices: Choices, size: int, legal: Callable[[Combination], bool]) -> list[Combination]:
    """Legal combinations in which every ``size`` values that go together occur together at least once.

    The first value of each key is its default, with which the fewest other choices clash.
    """
    generator = random.Random(0)
    keys = list(choices.values())
    missing = dict.fromkeys(_all_groups(keys, size))
    known: dict[Combination, bool] = {}
    chosen = []
    while missing:
        group = next(iter(missing))
        best: Combination | None = None
        most = 0
        for attempt in range(TRIES):
            candidate = _fill(keys, group, generator, share=(attempt % 4) / 3)
            if candidate not in known:
                known[candidate] = legal(candidate)
            covered = len(_groups(candidate, size) & missing.keys()) if known[candidate] else 0
            if covered > most:
                best, most = candidate, covered
        if best is None:  # these values do not go together
            del missing[group]
            continue
        chosen.append(best)
        for covered_group in _groups(best, size):
            missing.pop(covered_group, None)
    return chosen


def _all_groups(keys: list[list[str]], size: int) -> Iterator[Group]:
    for columns in itertools.combinations(range(len(keys)), size):
        for values in itertools.product(*(keys[column] for column in columns)):
            yield frozenset(zip(columns, values, strict=True))


def _groups(combination: Combination, size: int) -> set[Group]:
    return {frozenset(group) for group in itertools.combinations(enumerate(combination), size)}


def _fill(keys: list[list[str]], group: Group, generator: random.Random, share: float) -> Combination:
    given = dict(group)
    return tuple(
        given[column] if column in given else generator.choice(values) if generator.random() < share else values[0]
        for column, values in enumerate(keys)
    )
