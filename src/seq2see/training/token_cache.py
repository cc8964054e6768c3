"""Tokens of large data, kept in files from one run to the next."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from seq2see.bundle import read_tokenizers, tokenizer_texts
from seq2see.config import Config
from seq2see.data.batches import Example
from seq2see.data.pair_file import pairs_fingerprint
from seq2see.data.pair_tokenizer import PairTokenizer
from seq2see.data.pairs import Pair
from seq2see.data.token_table import TokenTable, write_table
from seq2see.errors import BundleError
from seq2see.files import fingerprint, output_errors, write_file
from seq2see.training.processes import Processes
from seq2see.training.sieve import Sieve

FORMAT = 2
PAIRS_AT_ONCE = 10_000
SUMMARY = "summary.json"


class Cached(NamedTuple):
    """What a cache holds of some data.

    Args:
        tokenizers: Of both sides.
        examples: Mapped into memory.
        notes: What was left out.
    """

    tokenizers: PairTokenizer
    examples: TokenTable
    notes: list[str]


def cached_tokens(
    config: Config, pairs: Sequence[Pair], learn: Callable[[], PairTokenizer], processes: Processes
) -> Cached:
    """The tokens of training pairs, from the cache if these very pairs were cut so before.

    Args:
        config: With ``data.cache``, and how texts are cut decided.
        pairs: Training pairs, without links.
        learn: Makes the tokenizers, if they are not there.
        processes: Those of the run; the first one writes.

    Raises:
        BundleError: A file of the cache is missing or damaged.
        OutputError: The cache cannot be written.
    """
    root = config.data.cache
    if root is None:
        raise ValueError("data.cache is not set")
    folder = root / _key(config, pairs)
    if processes.is_first and not (folder / SUMMARY).exists():
        _write(folder, config, pairs, learn())
    processes.from_first(True)
    try:
        return _read(folder, config)
    except (OSError, ValueError, KeyError) as error:
        raise BundleError(f"{folder}: missing or damaged ({error}); delete the folder, and it is made anew") from None


def _read(folder: Path, config: Config) -> Cached:
    summary = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in summary["tokenizers"]}
    return Cached(read_tokenizers(folder, config, texts), TokenTable(folder), summary["notes"])


def _key(config: Config, pairs: Sequence[Pair]) -> str:
    """What tells these tokens from others: the pairs, and all that decides how they are cut."""
    choices = {
        "format": FORMAT,
        "tokens": config.tokens.model_dump(mode="json"),
        "tags": config.model.encoder.tags,
        "copies": config.model.decoder.copies,
        "most": (config.data.max_source_length, config.data.max_target_length),
    }
    return fingerprint([pairs_fingerprint(pairs).encode(), json.dumps(choices, sort_keys=True).encode()])


def _write(folder: Path, config: Config, pairs: Sequence[Pair], tokenizers: PairTokenizer) -> None:
    """Cut the pairs; the folder appears when all of it is there."""
    sieve = Sieve(config)
    with output_errors(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    write_table(making, _examples(pairs, tokenizers, sieve))
    texts = tokenizer_texts(tokenizers)
    for name, text in texts.items():
        write_file(making / name, text)
    write_file(making / SUMMARY, json.dumps({"notes": sieve.notes(), "tokenizers": list(texts)}) + "\n")
    with output_errors(folder):
        try:
            making.rename(folder)
        except OSError:
            if not (folder / SUMMARY).exists():
                raise
            shutil.rmtree(making)  # another run was first


def _examples(pairs: Sequence[Pair], tokenizers: PairTokenizer, sieve: Sieve) -> Iterator[Example]:
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        part = pairs[start : start + PAIRS_AT_ONCE]
        targets = [pair.target for pair in part]
        yield from sieve(tokenizers.encode_pairs([pair.source for pair in part], targets), targets)
