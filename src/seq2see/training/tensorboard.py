"""A run as TensorBoard shows it."""

from pathlib import Path

from seq2see.errors import ConfigError
from seq2see.files import output_errors
from seq2see.plotting import heatmap
from seq2see.training.reporter import SilentReporter, UpdateFigures
from seq2see.training.validation import Validation

UPDATES_BETWEEN = 10


class TensorBoardReporter(SilentReporter):
    """Writes loss, learning rate, gradient norm, metrics, attention entropy, and an example's alignment as a picture.

    Args:
        folder: Where the event files go; ``tensorboard --logdir FOLDER`` shows them.

    Raises:
        ConfigError: TensorBoard is not installed.
        OutputError: The folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        try:
            from torch.utils.tensorboard.writer import SummaryWriter
        except ImportError:
            raise ConfigError("--tensorboard: not installed here; wanted `pip install seq2see[tensorboard]`") from None
        with output_errors(folder):
            self.writer = SummaryWriter(str(folder))

    def advanced(self, figures: UpdateFigures) -> None:
        """Write the figures of every tenth update."""
        if figures.update % UPDATES_BETWEEN:
            return
        for name, value in (
            ("train/loss", figures.loss),
            ("train/learning_rate", figures.learning_rate),
            ("train/gradient_norm", figures.gradient_norm),
            ("train/tokens_per_second", figures.tokens_per_second),
        ):
            self.writer.add_scalar(name, value, figures.update)

    def validated(self, validation: Validation, epoch: int, update: int, train_loss: float, best: bool) -> None:
        """Write the figures, and an output with what it looked at."""
        found = validation.figures
        self.writer.add_scalar("valid/loss", found.loss, update)
        self.writer.add_scalar(f"valid/{found.metric}", found.value, update)
        self.writer.add_scalar("valid/attention_entropy", validation.attention_entropy, update)
        example = validation.example
        self.writer.add_text("valid/example", f"{example.source} → {example.text} ({validation.reference})", update)
        if example.weights.size:
            self.writer.add_figure("valid/alignment", heatmap(example.alignment), update)

    def close(self) -> None:
        """Write what is left."""
        self.writer.close()
