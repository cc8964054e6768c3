"""What was chosen from the data, and why."""

from typing import NamedTuple

from seq2see.config import Config


class Choice(NamedTuple):
    """A configuration with less left open, and a line for each choice made."""

    config: Config
    reasons: list[str]
