"""Embeddings that start from vectors made elsewhere."""

import math
from pathlib import Path

import torch
from torch import nn

from seq2see.data.text_file import read_lines
from seq2see.data.tokenizer import Tokenizer
from seq2see.errors import DataError


def start_from_vectors(embedding: nn.Embedding, tokenizer: Tokenizer, path: Path, key: str) -> str:
    """Set the rows of an embedding to the vectors of its tokens; the others keep their first weights.

    Vectors are scaled together to the spread of the embedding's first weights, so that both kinds of row start alike.

    Args:
        embedding: Changed in place.
        tokenizer: Says which row is whose.
        path: Text file, ``token v1 … vd`` on each line; a first line ``count size`` as word2vec writes it is skipped.
        key: Name of the configuration key, for messages.

    Returns:
        A line that tells how many tokens were found.

    Raises:
        DataError: The file is unreadable, a line has not as many numbers as the embedding has units, or one of
            them is not a finite number; names the line.
    """
    rows: dict[int, list[float]] = {}
    for number, line in enumerate(read_lines(path), start=1):
        word, *fields = line.rstrip(" ").split(" ")
        if number == 1 and len(fields) == 1:
            continue
        vector = _numbers(fields, embedding.embedding_dim, f"{path}: line {number}: {word[:40]!r}")
        for name in (word, f" {word}"):  # the space before a word belongs to it
            row = tokenizer.id_of(name)
            if row is not None:
                rows[row] = vector
    with torch.no_grad():
        if rows:
            vectors = torch.tensor(list(rows.values()), dtype=embedding.weight.dtype)
            spread = vectors.std(correction=0).clamp(min=1e-8)
            embedding.weight[list(rows)] = vectors * (embedding.weight.std() / spread)
    share = 100.0 * len(rows) / tokenizer.vocab_size
    return f"{key}: {len(rows):,} of {tokenizer.vocab_size:,} tokens ({share:.1f} %) found in {path}"


def _numbers(fields: list[str], wanted: int, place: str) -> list[float]:
    if len(fields) != wanted:
        raise DataError(f"{place}: {len(fields)} numbers, wanted {wanted} (model.embedding_size)")
    try:
        values = [float(field) for field in fields]
    except ValueError as error:
        raise DataError(f"{place}: {error}, wanted numbers") from None
    if not all(map(math.isfinite, values)):
        raise DataError(f"{place}: a number is not finite")
    return values
