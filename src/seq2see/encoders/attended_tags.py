"""A source with tags, as further positions to look at."""

import torch
from torch import nn

from seq2see.encoders.encoder import Encoder
from seq2see.encoders.tagged import TaggedEncoder
from seq2see.types import Memory, Source


class AttendedTags(TaggedEncoder):
    r"""The memory of the text, followed by one position per tag.

    .. math::
        h = [h_1, \dots, h_S, r_1, \dots, r_R] \qquad
        r_k = W_t E t_k + b_t \qquad
        \overline{h}' = \overline{h} + \frac{1}{R} \sum_k r_k

    :math:`t_k` are the tags, whose order does not matter. Weights on tags stand beside those on the text.

    Args:
        encoder: Of the text.
        tag_embedding: Embedding of the tags.
    """

    def __init__(self, *, encoder: Encoder, tag_embedding: nn.Embedding) -> None:
        super().__init__(encoder=encoder, tag_embedding=tag_embedding, bias=True)

    def forward(self, source: Source) -> Memory:
        """Return the memory with the tags behind the text."""
        text: Memory = self.encoder(source)
        tags, mask = self.project_tags(source)
        mean = tags.sum(dim=1) / source.tag_lengths.clamp(min=1)[:, None]
        return Memory(
            states=torch.cat([text.states, tags], dim=1),
            values=torch.cat([text.values, tags], dim=1),
            mask=torch.cat([text.mask, mask], dim=1),
            final=text.final + mean,
            copy_ids=torch.cat([text.copy_ids, torch.zeros_like(source.tags)], dim=1),
        )
