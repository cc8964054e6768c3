from pathlib import Path

import pytest
import torch
from torch import nn

from seq2see.data.tokenizer_training import train_tokenizer
from seq2see.errors import DataError
from seq2see.training.vectors import start_from_vectors

WORDS = train_tokenizer(["the man the dog"], "word", vocab_size=None, min_frequency=1)


def vectors(path: Path, text: str) -> tuple[nn.Embedding, str]:
    path.write_text(text)
    embedding = nn.Embedding(WORDS.vocab_size, 2)
    return embedding, start_from_vectors(embedding, WORDS, path, "data.source_vectors")


def test_matched_rows_have_the_vectors_and_coverage_is_told(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    embedding, note = vectors(path, "3 2\nthe 1 2\ndog 3 4\ncat 5 6\n")
    the, dog = (embedding.weight[WORDS.id_of(name)] for name in (" the", " dog"))
    torch.testing.assert_close(the / the[0], torch.tensor([1.0, 2.0]))
    torch.testing.assert_close(dog / the[0], torch.tensor([3.0, 4.0]))
    assert note == f"data.source_vectors: 2 of 7 tokens (28.6 %) found in {path}"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("the 1 2 3\n", "line 1: 'the': 3 numbers, wanted 2 \\(model.embedding_size\\)"),
        ("the 1 2\ndog 1 x\n", "line 2: 'dog': could not convert string to float: 'x', wanted numbers"),
        ("the 1 nan\n", "line 1: 'the': a number is not finite"),
    ],
)
def test_faults_name_file_and_line(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(DataError, match=fault):
        vectors(tmp_path / "v.txt", text)
