"""Leaving out what nothing can be learnt from."""

from collections.abc import Sequence

from seq2see.config import Config
from seq2see.data.batches import Example


class Sieve:
    """Leaves out examples that are empty or too long, and counts them.

    Args:
        config: ``data.max_source_length`` and ``data.max_target_length``.
    """

    def __init__(self, config: Config) -> None:
        self.most_source, self.most_target = config.data.max_source_length, config.data.max_target_length
        self.num_empty = self.num_long = 0

    def __call__(self, examples: Sequence[Example], targets: Sequence[str]) -> list[Example]:
        """Those that stay; a target of white space alone is empty."""
        both = zip(examples, targets, strict=True)
        full = [example for example, text in both if example.source and example.target and text.strip()]
        kept = [e for e in full if len(e.source) <= self.most_source and len(e.target) <= self.most_target]
        self.num_empty += len(examples) - len(full)
        self.num_long += len(full) - len(kept)
        return kept

    def notes(self) -> list[str]:
        """Lines that say how many were left out."""
        notes = []
        if self.num_empty:
            notes.append(f"left out {self.num_empty:,} pairs with an empty source or target")
        if self.num_long:
            notes.append(
                f"left out {self.num_long:,} pairs with more than {self.most_source:,} source or "
                f"{self.most_target:,} target tokens (data.max_source_length, data.max_target_length)"
            )
        return notes
