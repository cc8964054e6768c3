"""No file and no setting, whatever it holds, gives anything but a result or a fault that is told."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import NASTY, SEEDS, Target, probe

EXAMPLES = 120


def mutated(seeds: tuple[bytes, ...]) -> st.SearchStrategy[bytes]:
    """Good inputs, of which parts are cut, repeated, swapped for those of others, or replaced by any bytes."""
    pieces = [seed[start : start + 7] for seed in seeds for start in range(0, len(seed), 7)]
    piece = st.sampled_from(pieces) | st.sampled_from(NASTY) | st.binary(max_size=5) | st.text(max_size=5).map(_encoded)

    def spliced(seed: bytes) -> st.SearchStrategy[bytes]:
        places = st.lists(st.integers(0, len(seed)), min_size=2, max_size=2).map(sorted)
        return st.tuples(places, st.lists(piece, max_size=4)).map(
            lambda found: seed[: found[0][0]] + b"".join(found[1]) + seed[found[0][1] :]
        )

    return st.sampled_from(seeds).flatmap(spliced)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@pytest.mark.timeout(120)
@pytest.mark.parametrize("target", SEEDS, ids=lambda target: target.__name__)
def test_any_content(target: Target) -> None:
    with tempfile.TemporaryDirectory() as folder:

        @settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True)
        @given(mutated(SEEDS[target]) | st.binary(max_size=60) | st.text(max_size=40).map(_encoded))
        def holds(content: bytes) -> None:
            probe(target, content, Path(folder))

        for content in (*SEEDS[target], *NASTY):
            probe(target, content, Path(folder))
        holds()
