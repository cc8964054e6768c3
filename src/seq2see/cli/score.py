"""``seq2see score``."""

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seq2see.cli.options import DataOption, ModelArgument, SourceOption, TargetOption, ThreadsOption, set_threads

if TYPE_CHECKING:
    from seq2see.inference import ForcedScore

PAIRS_AT_ONCE = 2000


class Format(StrEnum):
    """What a line of the output holds."""

    tsv = "tsv"
    jsonl = "jsonl"


def score(
    model: ModelArgument,
    data: DataOption = None,
    source: SourceOption = None,
    target: TargetOption = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="File to write.")] = None,
    output_format: Annotated[Format, typer.Option("--format", help="tsv or jsonl.")] = Format.tsv,
    threads: ThreadsOption = None,
) -> None:
    """Give the log-probability of given targets, by forced decoding: one line for every pair, in order.

    tsv: log-probability, its value per token (the end is one), and the log-probability of each token and of the end.
    """
    from seq2see.data.pairs import read_pairs
    from seq2see.files import write_file
    from seq2see.inference import load

    set_threads(threads)
    translator = load(model)
    pairs = read_pairs(data, source, target, tags=translator.tokenizers.tags is not None)
    make = _tsv_line if output_format is Format.tsv else _json_line
    lines = []
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        chunk = pairs[start : start + PAIRS_AT_ONCE]
        scores = translator.score([pair.source for pair in chunk], [pair.target for pair in chunk])
        for number, found in enumerate(scores, start=start + 1):
            if found.problem:
                print(f"seq2see: {data or source}: pair {number}: {found.problem}; not scored", file=sys.stderr)
            lines.append(make(found))
    text = "".join(f"{line}\n" for line in lines)
    if out is not None:
        write_file(out, text)
    else:
        sys.stdout.write(text)


def _tsv_line(found: "ForcedScore") -> str:
    if found.problem:
        return "\t\t"
    per_token = " ".join(f"{value:.4f}" for value in found.token_log_probs)
    return f"{found.log_prob:.4f}\t{found.log_prob / len(found.token_log_probs):.4f}\t{per_token}"


def _json_line(found: "ForcedScore") -> str:
    return json.dumps(
        {
            "source": found.source,
            "target": found.target,
            "log_prob": None if found.problem else found.log_prob,
            "token_log_probs": found.token_log_probs,
            "source_tokens": found.alignment.source_tokens,
            "tokens": found.alignment.target_tokens,
            "alignment": found.alignment.pharaoh(),
            "problem": found.problem,
        },
        ensure_ascii=False,
    )
