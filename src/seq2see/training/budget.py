"""How far a run is."""

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Budget:
    """When a run ends: after a number of updates, after a time, or after whichever comes first.

    A run of updates is the same every time; a run of minutes depends on how fast the machine is.

    Args:
        max_updates: Updates of the whole run, or None.
        seconds: Wall-clock seconds of the whole run, validation included, or None.
        seconds_before: Seconds that the run took before it was stopped.
        validation_seconds: Seconds that have gone into validation.
        share_before: Share of the run that was done when it was stopped.
    """

    max_updates: int | None
    seconds: float | None
    seconds_before: float = 0.0
    validation_seconds: float = 0.0
    share_before: float = 0.0
    _start: float = field(default_factory=time.monotonic)
    _last_validation: float = 0.0

    def elapsed(self) -> float:
        """Seconds since the run began."""
        return self.seconds_before + time.monotonic() - self._start

    def validated(self, seconds: float) -> None:
        """A validation took so many seconds; a little more than that is kept for the one at the end."""
        self._last_validation = 1.2 * seconds
        self.validation_seconds += seconds

    def share_of_validation(self) -> float:
        """Share of the time so far that went into validation, were there another one now."""
        return (self.validation_seconds + self._last_validation) / max(1e-9, self.elapsed())

    def progress(self, update: int) -> float:
        """Share of the run that is done after so many updates, 0 to 1; it never falls."""
        if self.max_updates is not None:
            self.share_before = max(self.share_before, update / self.max_updates)
        if self.seconds is not None:
            left_for_updates = max(0.1, self.seconds - self._last_validation)
            self.share_before = max(self.share_before, self.elapsed() / left_for_updates)
        return min(1.0, self.share_before)
