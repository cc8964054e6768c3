"""Attention weights as NumPy arrays."""

import io
from collections.abc import Iterable

import numpy as np

from seq2see.alignment.alignment import Alignment


def npz_bytes(alignments: Iterable[Alignment]) -> bytes:
    """The content of an NPZ file, for ``numpy.load``.

    Alignment n, from 0, is ``weights_n`` (T, S), ``source_tokens_n`` (S,) and ``target_tokens_n`` (T,).
    """
    arrays: dict[str, np.ndarray] = {}
    for number, one in enumerate(alignments):
        arrays[f"weights_{number}"] = one.weights
        arrays[f"source_tokens_{number}"] = np.array(one.source_tokens, dtype=np.str_)
        arrays[f"target_tokens_{number}"] = np.array(one.target_tokens, dtype=np.str_)
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)  # type: ignore[arg-type]  # its stub takes a flag for the arrays' names
    return content.getvalue()
