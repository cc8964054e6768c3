"""The command ``seq2see``."""

import errno
import io
import os
import sys

import typer

from seq2see.cli.align import align
from seq2see.cli.average import average
from seq2see.cli.check_data import check_data
from seq2see.cli.check_model import check_model
from seq2see.cli.demo import demo
from seq2see.cli.evaluate import evaluate
from seq2see.cli.plot import plot
from seq2see.cli.score import score
from seq2see.cli.serve import serve
from seq2see.cli.train import train
from seq2see.cli.translate import translate
from seq2see.errors import Seq2SeeError

app = typer.Typer(
    name="seq2see",
    help="Attention sequence-to-sequence models on your own pairs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (demo, train, translate, score, align, evaluate, plot, average, serve):
    app.command()(command)
app.command(name="check-data")(check_data)
app.command(name="check-model")(check_model)


@app.callback(invoke_without_command=True)
def root(
    version: bool = typer.Option(False, "--version", help="Print the version and end.", is_eager=True),
) -> None:
    """Attention sequence-to-sequence models on your own pairs: train, translate, see the attention."""
    if version:
        from seq2see import __version__

        print(f"seq2see {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; a fault of the user ends with its explanation and exit code 2."""
    for stream in (sys.stdout, sys.stderr):  # text is UTF-8 whatever the locale says
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except Seq2SeeError as error:
        print(f"seq2see: {error}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        if error.errno != errno.ENOSPC or error.filename is not None:
            raise
        print(f"seq2see: standard output: cannot be written: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left has nowhere to go
        sys.exit(2)
