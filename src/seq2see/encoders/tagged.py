"""What encoders of sources with tags have in common."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from seq2see.attention import mask_from_lengths
from seq2see.encoders.encoder import Encoder
from seq2see.linear import Linear
from seq2see.types import Source


class TaggedEncoder(Encoder):
    """An encoder of text, and an embedding of the tags that come with it, whose order does not matter.

    Args:
        encoder: Of the text.
        tag_embedding: Embedding of the tags.
        bias: Whether the map of an embedded tag to the size of the memory has one.
    """

    def __init__(self, *, encoder: Encoder, tag_embedding: nn.Embedding, bias: bool) -> None:
        super().__init__()
        self.encoder = encoder
        self.tag_embedding = tag_embedding
        self.projection = Linear(tag_embedding.embedding_dim, encoder.memory_size, bias=bias)
        self.memory_size, self.final_size = encoder.memory_size, encoder.final_size

    @property
    def token_embedding(self) -> nn.Embedding:
        """The embedding of source tokens."""
        return self.encoder.token_embedding

    def project_tags(self, source: Source) -> tuple[Float[Tensor, "B R M"], Bool[Tensor, "B R"]]:
        """Every tag in the size of the memory, 0 on padding, and which of them are real."""
        mask = mask_from_lengths(source.tag_lengths, source.tags.shape[1])
        return self.projection(self.tag_embedding(source.tags)) * mask[..., None], mask
