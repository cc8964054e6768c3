"""The encoder's last state as the decoder's first."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from seq2see.decoders.first_state import FirstState


class CopiedState(FirstState):
    r"""Every hidden state begins as the last state of the encoder; the cell of an LSTM begins at zero.

    .. math:: s_0 = \overline{h} \qquad \mathit{cell}_0 = 0

    :math:`\overline{h}` is ``Memory.final``, which must be as large as the state. It holds no cell, since a memory
    need not come from an LSTM.

    Args:
        state_names: The cell's parts; those that end in ``hidden`` are hidden states.

    References:
        Sutskever et al. 2014 (arXiv:1409.3215).
    """

    def __init__(self, *, state_names: Sequence[str]) -> None:
        super().__init__()
        self.state_names = tuple(state_names)

    def forward(self, final: Float[Tensor, "B F"]) -> tuple[Tensor, ...]:
        """Return the summary for hidden states, zeros for cells."""
        return tuple(final if name.endswith("hidden") else torch.zeros_like(final) for name in self.state_names)
