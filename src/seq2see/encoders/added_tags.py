"""A source with tags, which are added to every state."""

from torch import nn

from seq2see.encoders.encoder import Encoder
from seq2see.encoders.tagged import TaggedEncoder
from seq2see.types import Memory, Source


class AddedTags(TaggedEncoder):
    r"""The memory of the text, each state moved by what the tags say.

    .. math:: h'_j = h_j + r \qquad v'_j = v_j + r \qquad \overline{h}' = \overline{h} + r \qquad r = \sum_k W_t E t_k

    :math:`t_k` are the tags, whose order does not matter.

    Args:
        encoder: Of the text.
        tag_embedding: Embedding of the tags.
    """

    def __init__(self, *, encoder: Encoder, tag_embedding: nn.Embedding) -> None:
        super().__init__(encoder=encoder, tag_embedding=tag_embedding, bias=False)

    def forward(self, source: Source) -> Memory:
        """Return the memory with the tags in every state."""
        text: Memory = self.encoder(source)
        tags, _ = self.project_tags(source)
        added = tags.sum(dim=1)
        at_real = added[:, None, :] * text.mask[..., None]
        return Memory(
            states=text.states + at_real,
            values=text.values + at_real,
            mask=text.mask,
            final=text.final + added,
            copy_ids=text.copy_ids,
        )
