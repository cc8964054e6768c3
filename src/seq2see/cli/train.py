"""``seq2see train``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seq2see.cli.options import DataOption, SourceOption, TargetOption, ThreadsOption, console, set_threads

if TYPE_CHECKING:
    from rich.console import Console

    from seq2see.training import Processes, Reporter


def train(
    out: Annotated[Path, typer.Option("--out", help="Model directory to write.", show_default=False)],
    config: Annotated[
        Path | None, typer.Argument(metavar="[CONFIG.yaml]", help="Configuration.", show_default=False)
    ] = None,
    data: DataOption = None,
    source: SourceOption = None,
    target: TargetOption = None,
    valid: Annotated[Path | None, typer.Option("--valid", help="File of validation pairs, as --data.")] = None,
    valid_source: Annotated[Path | None, typer.Option(help="File of validation sources.")] = None,
    valid_target: Annotated[Path | None, typer.Option(help="File of validation targets.")] = None,
    source_tokens: Annotated[
        str | None, typer.Option(help="char, space, word or bpe; chosen from the data if not given.")
    ] = None,
    target_tokens: Annotated[str | None, typer.Option(help="As --source-tokens.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="key.path=value", help="Set any key of the configuration.")
    ] = None,
    minutes: Annotated[float | None, typer.Option(help="Minutes of training, in place of epochs.")] = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, machine and threads: same weights.")] = None,
    threads: ThreadsOption = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE.html", help="Write a page on the validation pairs at the end."),
    ] = None,
    tensorboard: Annotated[
        Path | None, typer.Option("--tensorboard", metavar="DIR", help="Write the run's curves for TensorBoard.")
    ] = None,
    ensemble: Annotated[
        int, typer.Option(min=1, metavar="N", help="Train N models that write each output together.")
    ] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run that was stopped in --out.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a model that is there already.")] = False,
) -> None:
    """Train a model on pairs and keep the best one."""
    from seq2see.config import load_config, replace
    from seq2see.errors import ConfigError

    if resume and overwrite:
        raise ConfigError("--resume goes on with a run and --overwrite begins anew; wanted one of them")

    options: dict[str, Any] = {
        "data.train": data,
        "data.source": source,
        "data.target": target,
        "data.valid": valid,
        "data.valid_source": valid_source,
        "data.valid_target": valid_target,
        "tokens.source.type": source_tokens,
        "tokens.target.type": target_tokens,
        "training.minutes": minutes,
        "training.seed": seed,
    }
    chosen = replace(
        load_config(config, settings or []), {key: value for key, value in options.items() if value is not None}
    )
    from seq2see.training import Processes, SilentReporter, read_all_pairs, train_ensemble

    processes = Processes()  # which may set threads of its own
    set_threads(threads)

    progress = console(stderr=True)
    try:
        pairs, held = read_all_pairs(chosen, _reporter(progress, None) if processes.is_first else SilentReporter())
        translator = train_ensemble(
            pairs,
            held,
            chosen,
            members=ensemble,
            out=out,
            overwrite=overwrite,
            resume=resume,
            reporter_of=lambda number: _reporter(progress, _curves(tensorboard, number, ensemble, processes)),
        )
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    if not processes.is_first:
        return
    progress.print(f"the {'best model is' if ensemble == 1 else f'best {ensemble} models are'} in {out}")
    if report is not None:
        from seq2see.evaluation import evaluate
        from seq2see.report import write_report

        write_report(report, translator, evaluate(translator, held), out)
        progress.print(f"the report is {report}")


def _curves(tensorboard: Path | None, number: int, members: int, processes: "Processes") -> Path | None:
    """Where the curves of a model are written."""
    if tensorboard is None or not processes.is_first:
        return None
    return tensorboard if members == 1 else tensorboard / str(number)


def _reporter(progress: "Console", tensorboard: Path | None) -> "Reporter":
    """All that hear of the run."""
    from seq2see.training import ConsoleReporter, SeveralReporters, TensorBoardReporter

    if tensorboard is None:
        return ConsoleReporter(progress)
    return SeveralReporters([ConsoleReporter(progress), TensorBoardReporter(tensorboard)])
