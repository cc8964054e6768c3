"""Where a run stands."""

from dataclasses import dataclass, field
from typing import Any

from seq2see.training.learner import Learnt
from seq2see.training.validation import Figures


@dataclass(slots=True)
class Progress:
    """Where a run stands; with the weights, the optimiser and the random state it is all that a run must remember.

    Args:
        epoch: Number of the epoch, from 1.
        batch: Batches of this epoch that are done.
        update: Optimiser updates done.
        best: The best validation so far.
        since_best: Validations since then.
        halvings: How often validations without a better model have halved the learning rate.
        validated_at: Share of the run (0 to 1) at the last validation.
        examples_shown: Validations done, which decides the example that the next one shows.
        nats: Training loss since the last validation, summed over tokens.
        num_tokens: Tokens since the last validation.
        left_out: Updates left out because loss or gradient were not finite.
        left_out_in_a_row: How many of them since the last that was not.
        seconds: Wall-clock seconds that the run has taken.
        validation_seconds: How many of them went into validation.
        finished: The run has come to its end.
        history: One record per validation.
    """

    epoch: int = 1
    batch: int = 0
    update: int = 0
    best: Figures | None = None
    since_best: int = 0
    halvings: int = 0
    validated_at: float = 0.0
    examples_shown: int = 0
    nats: float = 0.0
    num_tokens: int = 0
    left_out: int = 0
    left_out_in_a_row: int = 0
    seconds: float = 0.0
    validation_seconds: float = 0.0
    finished: bool = False
    history: list[dict[str, Any]] = field(default_factory=list)

    def count(self, learnt: Learnt | None) -> None:
        """Count an update by what it gave; None is one that was left out."""
        if learnt is None:
            self.left_out += 1
            self.left_out_in_a_row += 1
            return
        self.left_out_in_a_row = 0
        self.nats += learnt.nats
        self.num_tokens += learnt.num_tokens

    def validated(self, share: float, seconds: float, validation_seconds: float) -> None:
        """A validation was done: begin to count losses anew."""
        self.validated_at, self.nats, self.num_tokens = share, 0.0, 0
        self.seconds, self.validation_seconds = seconds, validation_seconds

    @property
    def mean_loss(self) -> float:
        """Nats per token since the last validation."""
        return self.nats / max(1, self.num_tokens)
