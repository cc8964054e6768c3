"""From the encoder's last state to the decoder's first, by a layer."""

from collections.abc import Sequence

from jaxtyping import Float
from torch import Tensor, nn

from seq2see.decoders.first_state import FirstState
from seq2see.linear import Linear
from seq2see.tanh import tanh


class Bridge(FirstState):
    r"""A learned map of the source's summary to every part of the first state.

    .. math:: s_0 = \tanh(W_s \overline{h} + b_s) \qquad \mathit{cell}_0 = W_c \overline{h} + b_c

    :math:`\overline{h}` is ``Memory.final``. The paper maps the backward state alone, for a GRU; we map both
    directions, and give the cell of an LSTM a map of its own, without tanh since a cell is not bounded.

    Args:
        final_size: Size of ``Memory.final``.
        hidden_size: Size of each part of the state.
        state_names: The cell's parts; those that end in ``hidden`` are hidden states.

    References:
        Bahdanau et al. 2015, appendix A.2.2 (arXiv:1409.0473).
    """

    def __init__(self, *, final_size: int, hidden_size: int, state_names: Sequence[str]) -> None:
        super().__init__()
        self.projections = nn.ModuleList(Linear(final_size, hidden_size) for _ in state_names)
        self.state_names = tuple(state_names)

    def forward(self, final: Float[Tensor, "B F"]) -> tuple[Tensor, ...]:
        """Return the first state."""
        parts = (projection(final) for projection in self.projections)
        return tuple(
            tanh(part) if name.endswith("hidden") else part for name, part in zip(self.state_names, parts, strict=True)
        )
