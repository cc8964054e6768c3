"""One model from several, by averaging their weights."""

from collections.abc import Sequence
from pathlib import Path

import torch

from seq2see.bundle import Bundle, build_for, load_bundle
from seq2see.errors import BundleError
from seq2see.members import further_members


def average_bundles(directories: Sequence[Path]) -> Bundle:
    """The mean of the weights of models of one kind, with the first one's configuration.

    Models average well where one training run has made them; of two runs the mean is usually of no use.

    Args:
        directories: Model directories, at least one.

    Raises:
        BundleError: A directory is not as it should be, or its model or tokenizers are not of the first one's kind.
    """
    for directory in directories:
        if further_members(directory):
            raise BundleError(f"{directory}: holds several models; wanted directories of one each")
    bundles = [load_bundle(directory) for directory in directories]
    first = bundles[0]
    for directory, bundle in zip(directories, bundles, strict=True):
        if bundle.config.model != first.config.model:
            raise BundleError(f"{directory}: its model is not of the kind of {directories[0]} (config.yaml, model)")
        if not bundle.tokenizers.equals(first.tokenizers):
            raise BundleError(f"{directory}: its tokens are not those of {directories[0]}")
    states = [bundle.model.state_dict() for bundle in bundles]
    model = build_for(first.config, first.tokenizers)
    model.load_state_dict(
        {
            name: torch.stack([state[name].double() for state in states]).mean(dim=0).to(entry.dtype)
            for name, entry in states[0].items()
        }
    )
    model.eval()
    return Bundle(first.config, first.tokenizers, model)
