"""A model that is served."""

import json
from dataclasses import dataclass
from pathlib import Path

from seq2see.bundle import METADATA
from seq2see.errors import BundleError
from seq2see.inference import Translator, load
from seq2see.serve.bodies import ModelBody


@dataclass(frozen=True, slots=True)
class Served:
    """A model under a name.

    Args:
        name: Of its directory.
        translator: The model.
        examples: Sources that the page offers.
    """

    name: str
    translator: Translator
    examples: tuple[str, ...] = ()

    def body(self) -> ModelBody:
        """What is told of it."""
        tokens = self.translator.config.tokens
        return ModelBody(
            name=self.name,
            parameters=sum(parameter.numel() for parameter in self.translator.together.parameters()),
            members=1 + len(self.translator.others),
            source_tokens=tokens.source.type,
            target_tokens=tokens.target.type,
            examples=list(self.examples),
        )


def load_served(directories: list[Path]) -> list[Served]:
    """Read model directories; each has the name of its directory.

    Raises:
        BundleError: One is not as it should be, or two have one name.
    """
    served: dict[str, Served] = {}
    for directory in directories:
        name = directory.resolve().name
        if name in served:
            raise BundleError(f"{directory}: another model is named {name!r} already, wanted names of their own")
        served[name] = Served(name, load(directory), examples_of(directory))
    return list(served.values())


def examples_of(directory: Path) -> tuple[str, ...]:
    """The sources that a model's metadata offer; none where they do not."""
    try:
        found = json.loads((directory / METADATA).read_bytes())["examples"]
    except (OSError, ValueError, KeyError, TypeError):
        return ()
    return tuple(str(one) for one in found) if isinstance(found, list) else ()
