"""``seq2see translate``."""

import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from seq2see.cli.options import BeamOption, ModelArgument, ThreadsOption, set_threads
from seq2see.cli.output_lines import Alignments, Format, format_lines, links_of
from seq2see.cli.settings import SearchSettingsOption, with_settings

if TYPE_CHECKING:
    from seq2see.alignment import Alignment
    from seq2see.config import SearchConfig
    from seq2see.inference import Translation, Translator

LINES_AT_ONCE = 2000


class Precision(StrEnum):
    """Of linear layers while searching."""

    float32 = "float32"
    int8 = "int8"


PrecisionOption: TypeAlias = Annotated[
    Precision | None,
    typer.Option("--precision", help="Of linear layers; int8, where the processor has it, is faster and less exact."),
]


def translate(
    model: ModelArgument,
    source: Annotated[Path, typer.Argument(metavar="[INPUT|-]", help="File of sources.")] = Path("-"),
    out: Annotated[Path | None, typer.Option("-o", "--out", help="File to write.")] = None,
    beam: BeamOption = None,
    n_best: Annotated[int, typer.Option(min=1, help="Outputs per source (tsv and jsonl).")] = 1,
    output_format: Annotated[Format, typer.Option("--format", help="text, tsv or jsonl.")] = Format.text,
    batch_tokens: Annotated[
        int | None, typer.Option(min=1, help="Padded source tokens times beam searched at once.")
    ] = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="Draw outputs at random; see also search.temperature, top_k, top_p, seed.")
    ] = False,
    precision: PrecisionOption = None,
    prefixes: Annotated[
        Path | None,
        typer.Option("--prefix", help="File with what each output begins with; an empty line leaves it free."),
    ] = None,
    forbidden: Annotated[
        list[str] | None,
        typer.Option("--forbid", metavar="TEXT", help="Text that no output may hold, cut as it is alone."),
    ] = None,
    ensemble: Annotated[
        list[Path] | None,
        typer.Option("--ensemble", metavar="MODEL2", help="A further model; all write each output together."),
    ] = None,
    lexicon: Annotated[
        Path | None,
        typer.Option(help="TSV file, source word TAB target word: for words copied by search.copy_unknown."),
    ] = None,
    required: Annotated[
        Path | None,
        typer.Option("--require", help="File with the texts that each output must hold, between TABs."),
    ] = None,
    weights: Annotated[bool, typer.Option("--weights", help="Put all attention weights into jsonl.")] = False,
    alignments: Annotated[
        Alignments | None,
        typer.Option(help="Add links to each line of text or tsv: between words, or between the model's tokens."),
    ] = None,
    npz: Annotated[Path | None, typer.Option(help="File for all attention weights as NumPy arrays.")] = None,
    settings: SearchSettingsOption = None,
    threads: ThreadsOption = None,
) -> None:
    """Translate lines: one output line for every input line, in order.

    tsv: source, output, log-probability, and each output token with the source token it attended to most.
    """
    from seq2see.alignment import npz_bytes
    from seq2see.data.pairs import read_tsv
    from seq2see.data.text_file import read_lines, read_standard_input
    from seq2see.files import write_file
    from seq2see.inference import DECODING_BATCH_TOKENS, load_ensemble

    _check_format(output_format, n_best, weights=weights, alignments=alignments)
    _check_output(out, npz, source)
    set_threads(threads)
    chosen = _settings(settings or [], sample=sample, precision=precision)
    translator = with_settings(load_ensemble([model, *(ensemble or [])]), chosen)
    _check_search(translator.config.search, n_best, beam, lexicon=lexicon, required=required)
    texts = read_standard_input() if str(source) == "-" else read_lines(source)
    _warn_of_tabs(translator, texts, source)
    wishes: dict[str, Any] = {"n_best": n_best, "beam": beam, "forbidden": forbidden or ()}
    wishes["batch_tokens"] = batch_tokens or DECODING_BATCH_TOKENS
    wishes["lexicon"] = None if lexicon is None else {pair.source: pair.target for pair in read_tsv(lexicon)}
    begins = None if prefixes is None else _as_many_lines(prefixes, source, len(texts))
    must = None if required is None else [_texts(line) for line in _as_many_lines(required, source, len(texts))]
    shown: list[Alignment] = []

    def lines() -> Iterator[str]:
        for number, translations in enumerate(_outputs(translator, texts, begins, must, wishes), start=1):
            if translations[0].problem:
                print(f"seq2see: {source}: line {number}: {translations[0].problem}", file=sys.stderr)
            if npz is not None:
                shown.extend(translation.alignment for translation in translations)
            links = alignments and [links_of(translator, one, alignments) for one in translations]
            yield from format_lines(translations, output_format, weights=weights, links=links)

    _write(lines(), out)
    if npz is not None:
        write_file(npz, npz_bytes(shown))


def _check_format(output_format: Format, n_best: int, *, weights: bool, alignments: Alignments | None) -> None:
    """Refuse what has no place in a format.

    Raises:
        ConfigError: It is asked for.
    """
    from seq2see.errors import ConfigError

    if n_best > 1 and output_format is Format.text:
        raise ConfigError(f"--n-best is {n_best}, but --format text has one line per source; use tsv or jsonl")
    if weights and output_format is not Format.jsonl:
        raise ConfigError(f"--weights is for --format jsonl, got {output_format.value}; --npz goes with any format")
    if alignments is not None and output_format is Format.jsonl:
        raise ConfigError("--alignments is for text and tsv; --format jsonl has an alignment in any case")


def _check_output(out: Path | None, npz: Path | None, source: Path) -> None:
    """Refuse to write over the input, or twice to one file.

    Raises:
        OutputError: That was asked for.
    """
    from seq2see.errors import OutputError

    if npz is not None and (npz in (out, source) or (npz.exists() and source.exists() and npz.samefile(source))):
        raise OutputError(f"{npz}: is the input or the output; wanted another file to write")
    if out is not None and out.exists() and source.exists() and out.samefile(source):
        raise OutputError(f"{out}: is the input; wanted another file to write")


def _write(lines: Iterator[str], out: Path | None) -> None:
    """Write lines to a file that appears whole, or to standard output as they come."""
    from seq2see.files import write_lines

    if out is not None:
        write_lines(out, lines)
        return
    for line in lines:
        sys.stdout.write(f"{line}\n")


def _outputs(
    translator: "Translator",
    texts: Sequence[str],
    prefixes: Sequence[str] | None,
    required: Sequence[Sequence[str]] | None,
    wishes: dict[str, Any],
) -> "Iterator[list[Translation]]":
    """The outputs of every text, as they come."""
    for start in range(0, len(texts), LINES_AT_ONCE):
        part = slice(start, start + LINES_AT_ONCE)
        yield from translator.translate_n_best(
            texts[part], prefixes=prefixes and prefixes[part], required=required and required[part], **wishes
        )


def _settings(settings: Sequence[str], *, sample: bool, precision: Precision | None) -> list[str]:
    """Those of the search, the ones with options of their own among them."""
    own = ["search.sample=true"] if sample else []
    own += [] if precision is None else [f"search.precision={precision.value}"]
    return [*settings, *own]


def _check_search(
    search: "SearchConfig", n_best: int, beam: int | None, *, lexicon: Path | None, required: Path | None
) -> None:
    """Refuse options that do not go with how outputs are searched for.

    Raises:
        ConfigError: Some do not.
    """
    from seq2see.errors import ConfigError

    beam_size = beam or search.beam_size
    if n_best > beam_size and not search.sample:
        raise ConfigError(
            f"--n-best is {n_best} and the beam size {beam_size}; wanted n-best at most beam size (--beam)"
        )
    if lexicon is not None and not search.copy_unknown:
        raise ConfigError("--lexicon is for words that are copied; it wants --set search.copy_unknown=true")
    if required is not None and search.sample:
        raise ConfigError("--require is met by search; it does not go with --sample")


def _warn_of_tabs(translator: "Translator", texts: Sequence[str], source: Path) -> None:
    """Say where a whole line with a TAB is taken as source."""
    with_tabs = (number for number, text in enumerate(texts, start=1) if "\t" in text)
    first = next(with_tabs, None)
    if first is not None and translator.tokenizers.tags is None:
        print(f"seq2see: {source}: line {first}: has a TAB; whole lines are taken as sources", file=sys.stderr)


def _as_many_lines(path: Path, source: Path, count: int) -> list[str]:
    """The lines of a file that has one for every source."""
    from seq2see.data.text_file import read_lines
    from seq2see.errors import DataError

    lines = read_lines(path)
    if len(lines) != count:
        raise DataError(f"{source} has {count:,} lines and {path} has {len(lines):,}; wanted as many")
    return lines


def _texts(line: str) -> list[str]:
    return [text for text in line.split("\t") if text]
