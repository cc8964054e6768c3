"""``seq2see check-data``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seq2see.cli.options import console

if TYPE_CHECKING:
    from seq2see.data.doctor import Diagnosis


def check_data(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="TRAIN.tsv [OTHER.tsv ...]",
            help="TSV, .jsonl, .po or .tmx files; those after the first validate and test.",
            show_default=False,
        ),
    ],
    tags: Annotated[bool, typer.Option("--tags", help="Lines have a third column of tags.")] = False,
    json_out: Annotated[
        Path | None, typer.Option("--json", metavar="FILE|-", help="Write all as JSON; - prints it.")
    ] = None,
) -> None:
    """Look through data before training: what would break it, what would harm the model, what is strange.

    The exit code is 2 only if training would be refused.
    """
    from seq2see.data.doctor import examine
    from seq2see.files import write_file

    diagnosis = examine(files, tags=tags)
    text = json.dumps(_as_json(diagnosis), ensure_ascii=False, indent=2) + "\n"
    if json_out is not None and str(json_out) == "-":
        print(text, end="")
    else:
        _print_tables(diagnosis)
        if json_out is not None:
            write_file(json_out, text)
    if diagnosis.breaks_training:
        raise typer.Exit(2)


def _print_tables(diagnosis: "Diagnosis") -> None:
    from rich.table import Table

    output = console(stderr=False)
    for summary in diagnosis.files:
        output.print(f"{summary.file}: {summary.pairs:,} pairs, {summary.sources:,} sources")
        for name, lengths in (("source", summary.source_lengths), ("target", summary.target_lengths)):
            output.print(f"  characters of a {name}: " + ", ".join(f"{k}: {v:,}" for k, v in lengths.items()))
    if not diagnosis.findings:
        output.print("nothing to say against it")
        return
    table = Table()
    for name in ("", "what", "how often", "where"):
        table.add_column(name, justify="right" if name == "how often" else "left", overflow="fold")
    for finding in diagnosis.findings:
        where = ", ".join(f"{Path(place.file).name}:{place.line}" for place in finding.places)
        more = ", …" if finding.count > len(finding.places) else ""
        table.add_row(finding.level.name, finding.what, f"{finding.count:,}", where + more)
    output.print(table)


def _as_json(diagnosis: "Diagnosis") -> dict[str, Any]:
    from dataclasses import asdict

    findings = [
        {
            "level": finding.level.name,
            "what": finding.what,
            "count": finding.count,
            "places": [place._asdict() for place in finding.places],
        }
        for finding in diagnosis.findings
    ]
    return {"findings": findings, "files": [asdict(summary) for summary in diagnosis.files]}
