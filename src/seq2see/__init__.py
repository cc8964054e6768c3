"""Attention sequence-to-sequence models on your own pairs.

Names load when they are first used, so that ``import seq2see`` needs no torch.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from seq2see.alignment import Alignment as Alignment
    from seq2see.config import Config as Config
    from seq2see.config import load_config as load_config
    from seq2see.data.pairs import Pair as Pair
    from seq2see.evaluation import Evaluation as Evaluation
    from seq2see.evaluation import evaluate as evaluate
    from seq2see.inference import Translation as Translation
    from seq2see.inference import Translator as Translator
    from seq2see.inference import load as load
    from seq2see.training import train as train
    from seq2see.training import train_on_pairs as train_on_pairs

_HOMES = {
    "Alignment": "seq2see.alignment",
    "Config": "seq2see.config",
    "Evaluation": "seq2see.evaluation",
    "Pair": "seq2see.data.pairs",
    "Translation": "seq2see.inference",
    "Translator": "seq2see.inference",
    "evaluate": "seq2see.evaluation",
    "load": "seq2see.inference",
    "load_config": "seq2see.config",
    "train": "seq2see.training",
    "train_on_pairs": "seq2see.training",
}

__all__ = [*sorted(_HOMES), "__version__"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'seq2see' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
