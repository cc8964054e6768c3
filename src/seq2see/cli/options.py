"""Options that several commands share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from rich.console import Console

ModelArgument: TypeAlias = Annotated[Path, typer.Argument(help="Model directory.", show_default=False)]
DataOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--data", help="File of pairs: source TAB target, UTF-8, no quoting; or .jsonl, .po, .tmx."),
]
SourceOption: TypeAlias = Annotated[Path | None, typer.Option("--source", help="File of sources, with --target.")]
TargetOption: TypeAlias = Annotated[Path | None, typer.Option("--target", help="File of targets, with --source.")]
BeamOption: TypeAlias = Annotated[
    int | None, typer.Option("--beam", min=1, help="Beam size; 1 is greedy. The model's own default if not given.")
]
ThreadsOption: TypeAlias = Annotated[
    int | None, typer.Option("--threads", min=1, help="Processor threads; all cores if not given.")
]


def set_threads(threads: int | None) -> None:
    """Set the number of threads that torch computes with."""
    if threads is not None:
        import torch

        torch.set_num_threads(threads)


def console(*, stderr: bool) -> "Console":
    """A console; results go to standard output, all else to standard error. No text of the user is markup."""
    from rich.console import Console

    return Console(stderr=stderr, soft_wrap=True, markup=False, emoji=False, highlight=False)
