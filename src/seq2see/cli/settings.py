"""Search settings that a command takes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from seq2see.inference import Translator

SearchSettingsOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--set", metavar="search.key=value", help="Set any key of the search.")
]


def with_settings(translator: "Translator", settings: Sequence[str] | None) -> "Translator":
    """The translator with other settings of the search.

    Raises:
        ConfigError: A setting is not of the search, or its key or value is wrong.
    """
    from seq2see.config import parse_settings
    from seq2see.errors import ConfigError

    values = parse_settings(settings or ())
    for key in values:
        if not key.startswith("search."):
            raise ConfigError(f"--set {key}: a trained model keeps what it was trained with; wanted search.key=value")
    return translator.with_search(**{key.removeprefix("search."): value for key, value in values.items()})
