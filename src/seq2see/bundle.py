"""The model directory: all that a model needs, without pickle.

::

    config.yaml            every choice, the ones made from the data included
    model.safetensors      the weights; its header names the other files' fingerprints
    source.tokenizer.json  the source tokens
    target.tokenizer.json  the target tokens
    metadata.json          format version, seq2see version, data fingerprints, metrics
    README.md              a model card
    history.jsonl          one line per validation (written by training)
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors
import yaml
from safetensors.torch import save as safetensors_bytes
from torch import Tensor

from seq2see.build import build_model
from seq2see.config import Config, dump_config, parse_config
from seq2see.data.tokenizer import Tokenizer, TokenType
from seq2see.errors import BundleError, ConfigError
from seq2see.files import write_file
from seq2see.seq2seq import Seq2Seq

FORMAT_VERSION = 1
CONFIG, WEIGHTS, METADATA, CARD = "config.yaml", "model.safetensors", "metadata.json", "README.md"
SOURCE_TOKENIZER, TARGET_TOKENIZER = "source.tokenizer.json", "target.tokenizer.json"
BOUND_TO_WEIGHTS = (CONFIG, SOURCE_TOKENIZER, TARGET_TOKENIZER)


@dataclass(frozen=True, slots=True)
class Bundle:
    """A model and all that is needed to use it.

    Args:
        config: What it was made with.
        source_tokenizer: Of the source side.
        target_tokenizer: Of the target side.
        model: The modules.
    """

    config: Config
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    model: Seq2Seq


def save_bundle(directory: Path, bundle: Bundle, metadata: dict[str, Any], card: str) -> None:
    """Write a model directory; every file appears whole or not at all.

    Args:
        directory: Made if it is not there.
        bundle: What is saved.
        metadata: Data fingerprints, metrics and whatever else should be kept; versions are added.
        card: The model card, Markdown.

    Raises:
        OutputError: The directory cannot be written.
    """
    texts = {
        CONFIG: dump_config(bundle.config),
        SOURCE_TOKENIZER: bundle.source_tokenizer.to_json(),
        TARGET_TOKENIZER: bundle.target_tokenizer.to_json(),
    }
    for name, text in texts.items():
        if not _holds(directory / name, text):
            write_file(directory / name, text)
    header = {name: fingerprint(text.encode("utf-8")) for name, text in texts.items()}
    header["format"] = f"seq2see {FORMAT_VERSION}"
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in bundle.model.state_dict().items()}
    write_file(directory / WEIGHTS, safetensors_bytes(tensors, metadata=header))
    content = {"format_version": FORMAT_VERSION, **metadata}
    write_file(directory / METADATA, json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    write_file(directory / CARD, card)


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode("utf-8")


def load_bundle(directory: Path) -> Bundle:
    """Read a model directory.

    Raises:
        BundleError: A file is missing, damaged, foreign, or belongs to another model; names it.
    """
    if not directory.is_dir():
        found = "is a file" if directory.exists() else "no such directory"
        raise BundleError(f"{directory}: {found}; wanted a model directory, as `seq2see train --out` writes it")
    missing = [name for name in (*BOUND_TO_WEIGHTS, WEIGHTS) if not (directory / name).is_file()]
    if missing:
        raise BundleError(f"{directory}: not a whole model directory: {', '.join(missing)} missing")
    header, tensors = _read_weights(directory / WEIGHTS)
    texts = {name: _read_text(directory / name, header.get(name, "")) for name in BOUND_TO_WEIGHTS}
    config = _read_config(directory / CONFIG, texts[CONFIG])
    source = _read_tokenizer(directory / SOURCE_TOKENIZER, texts[SOURCE_TOKENIZER], config.tokens.source.type)
    target = _read_tokenizer(directory / TARGET_TOKENIZER, texts[TARGET_TOKENIZER], config.tokens.target.type)
    model = build_model(config.model, source_vocab_size=source.vocab_size, target_vocab_size=target.vocab_size)
    try:
        model.load_state_dict(tensors)
    except RuntimeError as error:
        raise BundleError(f"{directory / WEIGHTS}: does not fit {CONFIG}: {' '.join(str(error).split())}") from None
    return Bundle(config=config, source_tokenizer=source, target_tokenizer=target, model=model)


def _read_weights(path: Path) -> tuple[dict[str, str], dict[str, Tensor]]:
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (safetensors.SafetensorError, OSError) as error:
        raise BundleError(f"{path}: damaged or not a weights file: {error}") from None
    found = header.get("format", "none")
    if found != f"seq2see {FORMAT_VERSION}":
        raise BundleError(f"{path}: format is {found!r}, wanted 'seq2see {FORMAT_VERSION}'")
    return header, tensors


def _read_text(path: Path, wanted: str) -> str:
    content = path.read_bytes()
    if fingerprint(content) != wanted:
        raise BundleError(
            f"{path}: is not the file that {WEIGHTS} was saved with (fingerprint {fingerprint(content)}, "
            f"wanted {wanted or 'none'}); damaged, edited, or from another model"
        )
    return content.decode("utf-8")


def _read_config(path: Path, text: str) -> Config:
    try:
        return parse_config(yaml.safe_load(text), str(path))
    except (ConfigError, yaml.YAMLError) as error:
        raise BundleError(f"{path}: {error}") from None


def _read_tokenizer(path: Path, text: str, token_type: str) -> Tokenizer:
    kinds: dict[str, TokenType] = {"char": "char", "space": "space", "word": "word", "bpe": "bpe"}
    if token_type not in kinds:
        raise BundleError(f"{path}: token type is {token_type!r}, wanted one of {', '.join(kinds)}")
    try:
        return Tokenizer.from_json(kinds[token_type], text)
    except BundleError as error:
        raise BundleError(f"{path}: {error}") from None


def fingerprint(content: bytes) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of some bytes."""
    return hashlib.sha256(content).hexdigest()[:16]


def holds_model(directory: Path) -> bool:
    """Whether a directory has the weights of a model."""
    return (directory / WEIGHTS).exists()
