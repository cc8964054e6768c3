"""``seq2see align``."""

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seq2see.cli.options import (
    DataOption,
    ModelArgument,
    SourceOption,
    TargetOption,
    ThreadsOption,
    console,
    set_threads,
)
from seq2see.cli.settings import SearchSettingsOption, with_settings

if TYPE_CHECKING:
    from seq2see.alignment import Alignment
    from seq2see.data.pairs import Pair
    from seq2see.inference import Translator

Links = set[tuple[int, int]]


class Join(StrEnum):
    """How two directions are joined."""

    agreement = "agreement"
    intersection = "intersection"
    union = "union"
    grow_diag_final_and = "grow-diag-final-and"


class Weights(StrEnum):
    """Which weights links are made of."""

    posterior = "posterior"
    attention = "attention"


class Format(StrEnum):
    """What a line of the output holds."""

    pharaoh = "pharaoh"
    jsonl = "jsonl"


def align(
    model: ModelArgument,
    data: DataOption = None,
    source: SourceOption = None,
    target: TargetOption = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="File to write.")] = None,
    output_format: Annotated[
        Format, typer.Option("--format", help="pharaoh (i-j links), or jsonl with words and weights.")
    ] = Format.pharaoh,
    weights: Annotated[
        Weights,
        typer.Option("--by", help="attention as it was, or posterior: with the word that was written known."),
    ] = Weights.posterior,
    tokens: Annotated[bool, typer.Option("--tokens", help="Link the model's tokens in place of words.")] = False,
    threshold: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="Link all with this weight, not only the most attended.")
    ] = None,
    reverse: Annotated[
        Path | None, typer.Option("--reverse", help="A model of the other direction, to be joined with the first.")
    ] = None,
    join: Annotated[Join, typer.Option("--join", help="How the directions are joined.")] = Join.agreement,
    gold: Annotated[
        Path | None, typer.Option("--gold", help="File of links made by people; prints precision, recall and AER.")
    ] = None,
    gold_first: Annotated[int, typer.Option(min=0, max=1, help="Number of the first word in --gold.")] = 0,
    npz: Annotated[Path | None, typer.Option(help="File for all weights as NumPy arrays.")] = None,
    settings: SearchSettingsOption = None,
    threads: ThreadsOption = None,
) -> None:
    """Align given pairs by forced decoding: one line of links for every pair, source word first, from 0."""
    from seq2see.alignment import alignment_errors, format_links, npz_bytes, parse_gold
    from seq2see.data.pairs import read_pairs
    from seq2see.data.text_file import read_lines
    from seq2see.errors import ConfigError, DataError
    from seq2see.files import write_file
    from seq2see.inference import load

    set_threads(threads)
    translator = with_settings(load(model), settings)
    backward = None if reverse is None else with_settings(load(reverse), settings)
    if backward is not None and npz is not None:
        raise ConfigError("--npz writes the weights of one model; it does not go with --reverse")
    if backward is not None and (output_format is Format.jsonl or tokens):
        raise ConfigError("--reverse joins links between words; it goes with neither --format jsonl nor --tokens")
    if backward is not None and backward.tokenizers.tags is not None:
        raise ConfigError(f"{reverse}: its sources have tags, which targets have not; wanted a model without tags")
    pairs = read_pairs(data, source, target, tags=translator.tokenizers.tags is not None)
    alignments = align_pairs(translator, pairs, by_words=not tokens, posterior=weights is Weights.posterior)
    links = [set(alignment.links(threshold)) for alignment in alignments]
    if backward is not None:
        turned = [type(pair)(pair.target, translator.tokenizers.text_of(pair.source)) for pair in pairs]
        back = align_pairs(backward, turned, by_words=True, posterior=weights is Weights.posterior)
        links = [joined(*both, join, threshold) for both in zip(alignments, back, strict=True)]
    lines = [format_links(sorted(one)) for one in links]
    if output_format is Format.jsonl:
        lines = [_json_line(one, line) for one, line in zip(alignments, lines, strict=True)]
    text = "".join(f"{line}\n" for line in lines)
    if out is not None:
        write_file(out, text)
    else:
        sys.stdout.write(text)
    if npz is not None:
        write_file(npz, npz_bytes(alignments))
    if gold is None:
        return
    gold_lines = read_lines(gold)
    if len(gold_lines) != len(pairs):
        raise DataError(f"{gold} has {len(gold_lines):,} lines and there are {len(pairs):,} pairs; wanted as many")
    wanted = [
        parse_gold(line, first=gold_first, place=f"{gold}: line {number}")
        for number, line in enumerate(gold_lines, start=1)
    ]
    errors = alignment_errors(zip(links, wanted, strict=True))
    console(stderr=True).print(
        f"precision {errors.precision:.2f} %, recall {errors.recall:.2f} %, AER {errors.aer:.2f} %"
    )


def joined(forward: "Alignment", backward: "Alignment", join: Join, threshold: float | None) -> Links:
    """The links of two directions together."""
    from seq2see.alignment import agreed_links, symmetrise

    if join is Join.agreement:
        return agreed_links(forward, backward, threshold)
    turned = {(source, target) for target, source in backward.links(threshold)}
    return symmetrise(set(forward.links(threshold)), turned, join.value)


def align_pairs(translator: "Translator", pairs: "list[Pair]", *, by_words: bool, posterior: bool) -> "list[Alignment]":
    """The alignment of every pair, between words or tokens; empty for a pair that cannot be aligned."""
    from seq2see.alignment import merge_to_words

    found = []
    sources, targets = [pair.source for pair in pairs], [pair.target for pair in pairs]
    scores = translator.score(sources, targets, posterior=posterior)
    for number, one in enumerate(scores, start=1):
        if one.problem:
            print(f"seq2see: pair {number}: {one.problem}; not aligned", file=sys.stderr)
        alignment = one.alignment
        if by_words and not one.problem:
            alignment = merge_to_words(alignment, translator.tokenizers.text_of(one.source), one.target)
        found.append(alignment)
    return found


def _json_line(alignment: "Alignment", links: str) -> str:
    content = {
        "source": alignment.source_tokens,
        "target": alignment.target_tokens,
        "links": links,
        "weights": [[round(float(weight), 4) for weight in row] for row in alignment.weights],
    }
    return json.dumps(content, ensure_ascii=False)
