"""``seq2see plot``."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from seq2see.cli.options import BeamOption, ModelArgument, ThreadsOption, console, set_threads
from seq2see.cli.settings import SearchSettingsOption, with_settings


class Kind(StrEnum):
    """How weights are drawn."""

    heatmap = "heatmap"
    lines = "lines"


def plot(
    model: ModelArgument,
    text: Annotated[str, typer.Argument(help="A source.", show_default=False)],
    out: Annotated[Path, typer.Option("-o", "--out", help="File ending in svg, png or html.", show_default=False)],
    target: Annotated[str | None, typer.Option(help="Draw this target in place of the model's own output.")] = None,
    kind: Annotated[
        Kind, typer.Option(help="heatmap, or lines as thick as the weight; html always has lines.")
    ] = Kind.heatmap,
    beam: BeamOption = None,
    settings: SearchSettingsOption = None,
    threads: ThreadsOption = None,
) -> None:
    """Draw what every output token attended to."""
    import warnings

    from seq2see.errors import DataError
    from seq2see.inference import load
    from seq2see.plotting import grid, save_plot
    from seq2see.plotting.figure import MissingGlyphsWarning

    set_threads(threads)
    translator = with_settings(load(model), settings)
    for name, given in (("text", text), ("--target", target)):
        if given is None:
            continue
        tokenizers = translator.tokenizers
        if not (tokenizers.source_tokens(given) if name == "text" else tokenizers.target.encode(given).ids):
            raise DataError(f"{name} is {given!r}, which has no tokens; wanted some to draw")
    if target is None:
        translation = translator.translate([text], beam=beam)[0]
        if translation.problem:
            raise DataError(f"text: {translation.problem}")
        alignment = translation.alignment
    else:
        (forced,) = translator.score([text], [target])
        if forced.problem:
            raise DataError(f"text: {forced.problem}")
        alignment = forced.alignment
    progress = console(stderr=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MissingGlyphsWarning)
        save_plot(alignment, out, kind.value)
    for warning in caught:
        progress.print(f"seq2see: {warning.message}")
    progress.print(f"{grid(alignment)}\nwritten to {out}")
