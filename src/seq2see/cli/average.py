"""``seq2see average``."""

from pathlib import Path
from typing import Annotated

import typer

from seq2see.cli.options import console


def average(
    models: Annotated[list[Path], typer.Argument(metavar="MODEL...", help="Model directories.", show_default=False)],
    out: Annotated[Path, typer.Option("-o", "--out", help="Model directory to write.", show_default=False)],
) -> None:
    """Average the weights of models of one kind, from one training run, into one model."""
    import seq2see
    from seq2see.averaging import average_bundles
    from seq2see.bundle import claim_directory, save_bundle

    claim_directory(out, overwrite=False)
    bundle = average_bundles(models)
    names = [str(directory) for directory in models]
    card = "# A seq2see model\n\nThe mean of the weights of\n\n" + "".join(f"- {name}\n" for name in names)
    save_bundle(out, bundle, {"seq2see_version": seq2see.__version__, "average_of": names}, card)
    console(stderr=True).print(f"the mean of {len(models)} models is in {out}")
