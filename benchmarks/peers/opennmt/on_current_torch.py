"""Imported before OpenNMT-py 3.5.1, it makes it run on the torch of today and without what is not used here.

Checkpoints hold options as Python objects, so they are read whole, as torch did before 2.6. The modules ``fasttext``,
``spacy`` and ``ahocorasick``, which transforms that are not used here import, stand in empty.
"""

import functools
import sys
import types

import torch

for name in ("fasttext", "spacy", "ahocorasick"):
    sys.modules[name] = types.ModuleType(name)
torch.load = functools.partial(torch.load, weights_only=False)
