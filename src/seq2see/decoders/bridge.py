"""From the encoder's last state to the decoder's first."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Bridge(nn.Module):
    r"""A learned map of the source's summary to the first hidden and cell state.

    .. math:: s_0 = \tanh(W_s \overline{h} + b_s) \qquad \mathit{cell}_0 = W_c \overline{h} + b_c

    :math:`\overline{h}` is ``Memory.final``. The paper maps the backward state alone, for a GRU; we map
    both directions, and give the LSTM's cell a map of its own, without tanh since a cell is not bounded.

    Args:
        final_size: Size of ``Memory.final``.
        hidden_size: Size of the decoder's states.

    References:
        Bahdanau et al. 2015, appendix A.2.2 (arXiv:1409.0473).
    """

    def __init__(self, *, final_size: int, hidden_size: int) -> None:
        super().__init__()
        self.hidden_projection = nn.Linear(final_size, hidden_size)
        self.cell_projection = nn.Linear(final_size, hidden_size)

    def forward(self, final: Float[Tensor, "B F"]) -> tuple[Float[Tensor, "B H"], Float[Tensor, "B H"]]:
        """Return the first (hidden, cell)."""
        return torch.tanh(self.hidden_projection(final)), self.cell_projection(final)
