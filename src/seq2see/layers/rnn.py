"""The plain recurrent cell."""

from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seq2see.layers.recurrent_cell import RecurrentCell


class RNNCell(RecurrentCell):
    r"""One layer of tanh over input, context and state.

    .. math:: h' = \tanh(W_x x + W_c c + W_h h + b)

    Args:
        input_size: Size of x.
        context_size: Size of c.
        hidden_size: Size of h.

    References:
        Elman 1990.
    """

    state_names: ClassVar[tuple[str, ...]] = ("hidden",)

    def __init__(self, *, input_size: int, context_size: int, hidden_size: int) -> None:
        super().__init__()
        self.input_projection = nn.Linear(input_size, hidden_size)
        self.recurrent_projection = nn.Linear(context_size + hidden_size, hidden_size, bias=False)

    def project_input(self, inputs: Float[Tensor, "*batch E"]) -> Float[Tensor, "*batch G"]:
        """W_x x + b."""
        projected: Tensor = self.input_projection(inputs)
        return projected

    def forward(
        self, projected_input: Float[Tensor, "B G"], context: Float[Tensor, "B M"], state: tuple[Tensor, ...]
    ) -> tuple[Tensor, ...]:
        """Return the new (hidden,)."""
        (hidden,) = state
        return (torch.tanh(projected_input + self.recurrent_projection(torch.cat([context, hidden], dim=-1))),)
