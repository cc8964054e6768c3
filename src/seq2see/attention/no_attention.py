"""The plain encoder–decoder: nothing to look back at but the last state."""

from jaxtyping import Float
from torch import Tensor

from seq2see.attention.attention import Attention, AttentionOutput
from seq2see.masks import last_position
from seq2see.types import DecoderState, Memory


class NoAttention(Attention):
    r"""The same context at every step: one vector must hold the whole source.

    .. math:: c_i = \overline{h} \qquad \alpha_{ij} = [j = S]

    :math:`\overline{h}` is ``Memory.final``, the last state of the encoder. The weights say so: all of it stands on
    the last position. This is what attention is compared with; it forgets long sources.

    Args:
        final_size: Size of ``Memory.final``.

    References:
        Cho et al. 2014 (arXiv:1406.1078); Sutskever et al. 2014 (arXiv:1409.3215), who give it as first state only.
    """

    def __init__(self, *, final_size: int) -> None:
        super().__init__()
        self.context_size = final_size

    def init_state(self, memory: Memory) -> DecoderState:
        """The summary, and weights that do not change."""
        return {"final": memory.final, "on_last": last_position(memory.mask).to(memory.final.dtype)}

    def contexts(self, state: DecoderState) -> Float[Tensor, "B S C"]:
        """The summary, for every position alike."""
        return state["final"][:, None, :].expand(-1, state["on_last"].shape[1], -1)

    def forward(self, query: Float[Tensor, "B Q"], state: DecoderState) -> AttentionOutput:
        """Return the summary, whatever the query."""
        return AttentionOutput(state["final"], state["on_last"][:, None, :], {})
