from pathlib import Path

import numpy as np

from seq2see.data.batches import Example
from seq2see.data.bucketing import example_lengths
from seq2see.data.token_table import TokenTable, write_table

EXAMPLES = [Example([5, 6], [7], [9, 9], []), Example([8], [4, 70_000, 3]), Example([1, 2, 3], [2], [], [4, 5, 6])]


def test_examples_come_back_as_they_were(tmp_path: Path) -> None:
    assert write_table(tmp_path, EXAMPLES) == 3
    table = TokenTable(tmp_path)
    assert list(table) == EXAMPLES
    assert table[-1] == EXAMPLES[-1]
    assert table[1:] == EXAMPLES[1:]
    np.testing.assert_array_equal(example_lengths(table), example_lengths(EXAMPLES))


def test_columns_without_ids(tmp_path: Path) -> None:
    write_table(tmp_path, [Example([5], [6])])
    assert TokenTable(tmp_path)[0] == Example([5], [6])
