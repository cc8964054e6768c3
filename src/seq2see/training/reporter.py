"""Showing a run while it goes: a bar in a terminal, plain lines elsewhere."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from seq2see.alignment import label
from seq2see.training.validation import Validation


class UpdateFigures(NamedTuple):
    """The figures of an update.

    Args:
        update: Updates done, this one included.
        epoch: From 1.
        progress: Share of the run that is done.
        loss: Mean −log p of a target token since the last validation, in nats.
        learning_rate: Of this update.
        gradient_norm: Before clipping; NaN where the update was left out.
        tokens_per_second: Target tokens, their ends included and padding not.
    """

    update: int
    epoch: int
    progress: float
    loss: float
    learning_rate: float
    gradient_norm: float
    tokens_per_second: float


class Reporter(Protocol):
    """Hears what happens in a run."""

    def note(self, text: str) -> None:
        """A line for the user."""

    def advanced(self, figures: UpdateFigures) -> None:
        """An update was done."""

    def validated(self, validation: Validation, epoch: int, update: int, train_loss: float, best: bool) -> None:
        """A validation was done."""

    def close(self) -> None:
        """The run has ended."""


class SilentReporter:
    """Says nothing."""

    def note(self, text: str) -> None:
        """Nothing."""

    def advanced(self, figures: UpdateFigures) -> None:
        """Nothing."""

    def validated(self, validation: Validation, epoch: int, update: int, train_loss: float, best: bool) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class SeveralReporters:
    """Tells several what happens.

    Args:
        reporters: All that hear of it, in this order.
    """

    def __init__(self, reporters: Sequence[Reporter]) -> None:
        self.reporters = reporters

    def note(self, text: str) -> None:
        """Tell all."""
        for reporter in self.reporters:
            reporter.note(text)

    def advanced(self, figures: UpdateFigures) -> None:
        """Tell all."""
        for reporter in self.reporters:
            reporter.advanced(figures)

    def validated(self, validation: Validation, epoch: int, update: int, train_loss: float, best: bool) -> None:
        """Tell all."""
        for reporter in self.reporters:
            reporter.validated(validation, epoch, update, train_loss, best)

    def close(self) -> None:
        """Tell all."""
        for reporter in self.reporters:
            reporter.close()


class ConsoleReporter:
    """A progress bar with speed, time left and the last validation; without a terminal, lines alone.

    Tokens per second are target tokens, their ends included and padding not.

    Args:
        console: Where to write.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        self._share, self._speed = 0.0, 0.0
        self._progress = Progress(
            TextColumn("epoch {task.fields[epoch]}"),
            BarColumn(bar_width=24),
            TaskProgressColumn(),
            TextColumn("loss {task.fields[loss]} · {task.fields[speed]} tokens/s ·"),
            TimeRemainingColumn(),
            TextColumn("left {task.fields[valid]}"),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._progress.add_task("", total=1.0, epoch=1, loss="–", speed="–", valid="")

    def note(self, text: str) -> None:
        """Write a line above the bar."""
        self.console.print(text, markup=False, emoji=False, highlight=False, soft_wrap=True)

    def advanced(self, figures: UpdateFigures) -> None:
        """Move the bar; the first time it appears."""
        self._share, self._speed = figures.progress, figures.tokens_per_second
        self._progress.start()
        self._progress.update(
            self._task,
            completed=figures.progress,
            epoch=figures.epoch,
            loss=f"{figures.loss:.3f}",
            speed=f"{figures.tokens_per_second:,.0f}",
        )

    def validated(self, validation: Validation, epoch: int, update: int, train_loss: float, best: bool) -> None:
        """Write the figures and one decoded example."""
        found = validation.figures
        figures = f"{found.metric} {found.value:.2f}" if found.metric != "loss" else ""
        line = (
            f"epoch {epoch} · update {update:,} · train loss {train_loss:.3f} · valid loss {found.loss:.3f}"
            f"{' · ' if figures else ''}{figures} · {self._share:.0%} done · {self._speed:,.0f} tokens/s"
            f"{' · best' if best else ''}"
        )
        source, output, wanted = (
            _one_line(text) for text in (validation.example.source, validation.example.text, validation.reference)
        )
        self.note(f"{line}\n    {source} → {output}    (wanted {wanted})")
        self._progress.update(self._task, valid=f"· {figures or f'valid loss {found.loss:.3f}'}")

    def close(self) -> None:
        """Take the bar away."""
        self._progress.stop()


def _one_line(text: str, limit: int = 70) -> str:
    shown = label(text).replace("␣", " ")
    return shown if len(shown) <= limit else shown[:limit] + "…"
