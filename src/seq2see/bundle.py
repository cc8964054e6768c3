"""The model directory: all that a model needs, without pickle.

::

    config.yaml            every choice, the ones made from the data included
    model.safetensors      the weights; its header has their fingerprint and those of the files around it
    source.tokenizer.json  the source tokens
    target.tokenizer.json  the target tokens
    tags.tokenizer.json    the tags, where sources have them
    metadata.json          format version, seq2see version, data fingerprints, metrics, sources to try it with
    README.md              a model card
    history.jsonl          one line per validation (written by training)
    state/                 what --resume needs to go on with the run; may be deleted
    members.json, members/ further models that write each output together with this one, where there are some
"""

import contextlib
import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import safetensors
import torch
import yaml
from safetensors.torch import save as safetensors_bytes
from torch import Tensor

from seq2see.build import build_model
from seq2see.config import Config, dump_config, parse_config
from seq2see.data.pair_tokenizer import PairTokenizer
from seq2see.data.tokenizer import Tokenizer, TokenType
from seq2see.errors import BundleError, ConfigError, OutputError
from seq2see.files import fingerprint, leftovers, output_errors, write_file
from seq2see.seq2seq import Seq2Seq

FORMAT_VERSION = 1
CONFIG, WEIGHTS, METADATA, CARD = "config.yaml", "model.safetensors", "metadata.json", "README.md"
HISTORY = "history.jsonl"
SOURCE_TOKENIZER, TARGET_TOKENIZER = "source.tokenizer.json", "target.tokenizer.json"
TAG_TOKENIZER = "tags.tokenizer.json"
BOUND_TO_WEIGHTS = (CONFIG, SOURCE_TOKENIZER, TARGET_TOKENIZER)
STATE = "state/run.safetensors"
MEMBERS, MEMBERS_LIST = "members", "members.json"
FILES = frozenset((*BOUND_TO_WEIGHTS, TAG_TOKENIZER, WEIGHTS, METADATA, CARD, HISTORY, "state", MEMBERS, MEMBERS_LIST))


@dataclass(frozen=True, slots=True)
class Bundle:
    """A model and all that is needed to use it.

    Args:
        config: What it was made with.
        tokenizers: Of both sides.
        model: The modules.
    """

    config: Config
    tokenizers: PairTokenizer
    model: Seq2Seq


def save_bundle(directory: Path, bundle: Bundle, metadata: dict[str, Any], card: str) -> None:
    """Write a model directory; every file appears whole or not at all.

    Where another model stands there, its weights go first, so that no mixture of the two can be loaded.

    Args:
        directory: Made if it is not there.
        bundle: What is saved.
        metadata: Versions, data fingerprints, metrics and whatever else should be kept; the format version is added.
        card: The model card, Markdown.

    Raises:
        OutputError: The directory cannot be written.
    """
    texts = {CONFIG: dump_config(bundle.config), **tokenizer_texts(bundle.tokenizers)}
    with output_errors(directory):
        changed = {name: text for name, text in texts.items() if not _holds(directory / name, text)}
        if changed:
            (directory / WEIGHTS).unlink(missing_ok=True)
        if TAG_TOKENIZER not in texts:
            (directory / TAG_TOKENIZER).unlink(missing_ok=True)
    for name, text in changed.items():
        write_file(directory / name, text)
    content = {"format_version": FORMAT_VERSION, **metadata}
    write_file(directory / METADATA, json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    write_file(directory / CARD, card)
    # a weight that two modules share is saved under both names
    tensors = {name: tensor.detach().cpu().clone() for name, tensor in bundle.model.state_dict().items()}
    header = {name: fingerprint([text.encode("utf-8")]) for name, text in texts.items()}
    header |= {"format": f"seq2see {FORMAT_VERSION}", "weights": weights_fingerprint(tensors)}
    write_file(directory / WEIGHTS, safetensors_bytes(tensors, metadata=header))


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode("utf-8")


def load_bundle(directory: Path) -> Bundle:
    """Read a model directory.

    Raises:
        BundleError: A file is missing, damaged, foreign, or belongs to another model; names it.
    """
    try:
        return _load(directory)
    except (OSError, ValueError) as error:  # ValueError: a path with U+0000, text that is not UTF-8
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BundleError(f"{directory}: cannot be read: {reason}") from None


def _load(directory: Path) -> Bundle:
    if not directory.is_dir():
        found = "is a file" if directory.exists() else "no such directory"
        raise BundleError(f"{directory}: {found}; wanted a model directory, as `seq2see train --out` writes it")
    missing = [name for name in (*BOUND_TO_WEIGHTS, WEIGHTS) if not (directory / name).is_file()]
    if missing:
        raise BundleError(f"{directory}: not a whole model directory: {', '.join(missing)} missing")
    header, tensors = _read_weights(directory / WEIGHTS)
    texts = {name: _read_text(directory / name, header.get(name, "")) for name in BOUND_TO_WEIGHTS}
    config = _read_config(directory / CONFIG, texts[CONFIG])
    if config.model.encoder.tags != "none":
        if not (directory / TAG_TOKENIZER).is_file():
            raise BundleError(f"{directory}: not a whole model directory: {TAG_TOKENIZER} missing")
        texts[TAG_TOKENIZER] = _read_text(directory / TAG_TOKENIZER, header.get(TAG_TOKENIZER, ""))
    tokenizers = read_tokenizers(directory, config, texts)
    model = build_for(config, tokenizers)
    try:
        model.load_state_dict(tensors)
    except RuntimeError as error:
        raise BundleError(f"{directory / WEIGHTS}: does not fit {CONFIG}: {' '.join(str(error).split())}") from None
    return Bundle(config=config, tokenizers=tokenizers, model=model)


def make_tokenizers(config: Config, source: Tokenizer, target: Tokenizer, tags: Tokenizer | None) -> PairTokenizer:
    """The tokenizers of a model, used as its configuration says."""
    return PairTokenizer(
        source=source,
        target=target,
        tags=tags,
        tags_attended=config.model.encoder.tags == "attended",
        copies=config.model.decoder.copies,
    )


def build_for(config: Config, tokenizers: PairTokenizer) -> Seq2Seq:
    """A model with first weights that fits its tokenizers."""
    return build_model(
        config.model,
        source_vocab_size=tokenizers.source.vocab_size,
        target_vocab_size=tokenizers.target.vocab_size,
        tag_vocab_size=None if tokenizers.tags is None else tokenizers.tags.vocab_size,
    )


def _read_weights(path: Path) -> tuple[dict[str, str], dict[str, Tensor]]:
    with _weights_file(path) as file:
        header = file.metadata() or {}
        tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    found = header.get("format", "none")
    if found != f"seq2see {FORMAT_VERSION}":
        raise BundleError(f"{path}: format is {found!r}, wanted 'seq2see {FORMAT_VERSION}'")
    if header.get("weights") != weights_fingerprint(tensors):
        raise BundleError(f"{path}: damaged: the weights are not those that were saved")
    return header, tensors


def _read_text(path: Path, wanted: str) -> str:
    content = path.read_bytes()
    if fingerprint([content]) != wanted:
        raise BundleError(
            f"{path}: is not the file that {WEIGHTS} was saved with (fingerprint {fingerprint([content])}, "
            f"wanted {wanted or 'none'}); damaged, edited, or from another model"
        )
    return content.decode("utf-8")


def _read_config(path: Path, text: str) -> Config:
    try:
        return parse_config(yaml.safe_load(text), str(path))
    except ConfigError as error:
        raise BundleError(str(error)) from None
    except yaml.YAMLError as error:
        raise BundleError(f"{path}: not YAML: {error}") from None


def tokenizer_texts(tokenizers: PairTokenizer) -> dict[str, str]:
    """Name of the file → its content, of all tokenizers."""
    texts = {SOURCE_TOKENIZER: tokenizers.source.to_json(), TARGET_TOKENIZER: tokenizers.target.to_json()}
    if tokenizers.tags is not None:
        texts[TAG_TOKENIZER] = tokenizers.tags.to_json()
    return texts


def read_tokenizers(directory: Path, config: Config, texts: Mapping[str, str]) -> PairTokenizer:
    """The tokenizers of a model, from what ``tokenizer_texts`` gave.

    Args:
        directory: Of the files, for messages.
        config: Says of which types they are, and whether there are tags.
        texts: Name of the file → its content.

    Raises:
        BundleError: One is no tokenizer; names its file.
    """
    tags = None
    if config.model.encoder.tags != "none":
        tags = _read_tokenizer(directory / TAG_TOKENIZER, texts[TAG_TOKENIZER], "space")
    return make_tokenizers(
        config,
        _read_tokenizer(
            directory / SOURCE_TOKENIZER,
            texts[SOURCE_TOKENIZER],
            config.tokens.source.type,
            decomposed=bool(config.tokens.source.decomposed),
        ),
        _read_tokenizer(directory / TARGET_TOKENIZER, texts[TARGET_TOKENIZER], config.tokens.target.type),
        tags,
    )


def _read_tokenizer(
    path: Path, text: str, token_type: TokenType | Literal["auto"], *, decomposed: bool = False
) -> Tokenizer:
    if token_type == "auto":
        raise BundleError(f"{path}: the token type in {CONFIG} is auto, wanted the one that was chosen")
    try:
        return Tokenizer.from_json(token_type, text, decomposed=decomposed)
    except BundleError as error:
        raise BundleError(f"{path}: {error}") from None


def saved_fingerprint(directory: Path) -> str:
    """The fingerprint of a model's weights, as their file says, without reading them.

    Raises:
        BundleError: There is no weights file, or it is damaged.
    """
    with _weights_file(directory / WEIGHTS) as file:
        return str((file.metadata() or {}).get("weights", ""))


@contextlib.contextmanager
def _weights_file(path: Path) -> Iterator[Any]:
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            yield file
    except (safetensors.SafetensorError, OSError) as error:
        raise BundleError(f"{path}: damaged or not a weights file: {error}") from None


def weights_fingerprint(tensors: dict[str, Tensor]) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of names and values."""
    digest = hashlib.sha256()
    for name, tensor in sorted(tensors.items()):
        digest.update(name.encode("utf-8"))
        digest.update(tensor.contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()[:16]


def holds_model(directory: Path) -> bool:
    """Whether a directory has the weights of a model."""
    return (directory / WEIGHTS).exists()


def claim_directory(directory: Path, *, overwrite: bool, resume: bool = False) -> None:
    """Make the output directory and see that it can be written, before any work is done.

    Raises:
        OutputError: It holds a model or a run already and neither ``overwrite`` nor ``resume`` is given, it holds
            files that are not a model's, or it cannot be written.
    """
    with output_errors(directory):
        if directory.exists() and not directory.is_dir():
            raise OutputError(f"{directory}: is a file, wanted a directory to write the model to")
        parts = leftovers(directory, FILES)
        names = {path.name for path in directory.iterdir() if path not in parts} if directory.exists() else set()
        stopped = (directory / STATE).exists()
        going_on = ", or --resume to go on with its run" if stopped else ""
        if (stopped or holds_model(directory)) and not overwrite and not resume:
            what = "a model" if holds_model(directory) else "a run that was stopped"
            raise OutputError(f"{directory}: holds {what} already; choose another --out, or give --overwrite{going_on}")
        known = holds_model(directory) or ((overwrite or resume) and names <= FILES)
        if names and not known:
            raise OutputError(f"{directory}: is not empty and holds no model; choose another --out")
        if stopped and overwrite:
            (directory / STATE).unlink()
        if overwrite:  # further models belong to the one that will be replaced
            (directory / MEMBERS_LIST).unlink(missing_ok=True)
        if overwrite or resume:
            for part in (*parts, *leftovers((directory / STATE).parent, [Path(STATE).name])):
                part.unlink()
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
