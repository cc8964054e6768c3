"""``seq2see evaluate``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seq2see.cli.options import (
    BeamOption,
    DataOption,
    ModelArgument,
    SourceOption,
    TargetOption,
    ThreadsOption,
    console,
    set_threads,
)

if TYPE_CHECKING:
    from rich.table import Table

    from seq2see.evaluation import Evaluation


def evaluate(
    model: ModelArgument,
    data: DataOption = None,
    source: SourceOption = None,
    target: TargetOption = None,
    json_out: Annotated[
        Path | None, typer.Option("--json", metavar="FILE|-", help="Write the figures as JSON; - prints them.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE.html", help="Write a page with figures and outputs.")
    ] = None,
    beam: BeamOption = None,
    threads: ThreadsOption = None,
) -> None:
    """Measure a model on pairs; several lines with one source are alternative references."""
    from seq2see.data.pairs import read_pairs
    from seq2see.evaluation import evaluate as run
    from seq2see.files import write_file
    from seq2see.inference import load

    set_threads(threads)
    translator = load(model)
    result = run(translator, read_pairs(data, source, target, tags=translator.tokenizers.tags is not None), beam=beam)
    text = json.dumps(result.as_json(), ensure_ascii=False, indent=2) + "\n"
    if report is not None:
        from seq2see.report import write_report

        write_report(report, translator, result, model)
    if json_out is not None and str(json_out) == "-":
        print(text, end="")
        return
    output = console(stderr=False)
    output.print(_metrics_table(result))
    output.print(_length_table(result))
    if json_out is not None:
        write_file(json_out, text)


def _metrics_table(result: "Evaluation") -> "Table":
    from rich.table import Table

    table = Table(title=f"{result.sources:,} sources, {result.pairs:,} references")
    table.add_column("metric")
    table.add_column("value", justify="right")
    table.add_column("signature", overflow="fold")
    for name, value in result.metrics.items():
        table.add_row(name, f"{value:.2f}", result.signatures.get(name, ""))
    return table


def _length_table(result: "Evaluation") -> "Table":
    from rich.table import Table

    table = Table(title="by length of the source")
    for name in result.by_length[0]:
        table.add_column(name.replace("_", " "), justify="right")
    for row in result.by_length:
        table.add_row(*(f"{value:.2f}" if isinstance(value, float) else str(value) for value in row.values()))
    return table
