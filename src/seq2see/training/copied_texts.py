"""Learning to copy, beside the task."""

from collections.abc import Sequence

from seq2see.data.pairs import Pair, split_tags
from seq2see.errors import ConfigError

COPY_TAG = "<copy>"
"""The tag of a text that is to be copied, where sources have tags."""


def with_copied_texts(pairs: Sequence[Pair], *, tags: bool) -> list[Pair]:
    """The pairs, and after them a pair of every text of either side with itself.

    Where targets are made of what sources are made of, a few hundred pairs teach the task, but not how any string is
    spelt again letter by letter; that is learnt from texts alone. With tags, such a source has ``COPY_TAG`` for its
    only one. Each text is copied once, however often it occurs, in the order in which they first occur; what a given
    pair copies already is not added.

    Args:
        pairs: Training pairs.
        tags: Whether sources have tags.

    Raises:
        ConfigError: Pairs have links; a copied text has none. Or ``COPY_TAG`` is one of their tags.

    References:
        Kann & Schütze 2017, "Unlabeled data for morphological generation with character-based sequence-to-sequence
        models" (with tags); Currey et al. 2017, "Copied monolingual data improves low-resource neural machine
        translation" (without).
    """
    if any(pair.links is not None for pair in pairs):
        raise ConfigError("data.copied_texts does not go with pairs that have links")
    if tags and any(COPY_TAG in (split_tags(pair.source)[1] or "").split(";") for pair in pairs):
        raise ConfigError(f"data.copied_texts gives copies the tag {COPY_TAG}, which is a tag of the pairs")
    texts = dict.fromkeys(
        text for pair in pairs for text in (split_tags(pair.source)[0] if tags else pair.source, pair.target)
    )
    copies = (Pair(f"{text}\t{COPY_TAG}" if tags else text, text) for text in texts if text.strip())
    there = set(pairs)
    return [*pairs, *(pair for pair in copies if pair not in there)]
