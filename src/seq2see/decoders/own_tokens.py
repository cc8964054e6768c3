"""Teacher forcing with some of the decoder's own tokens."""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from seq2see.decoders.decoder import Decoder, TeacherForcedOutput
from seq2see.types import Memory


def read_own_tokens(
    decoder: Decoder, decoder_input: Int[Tensor, "B T"], memory: Memory, own: Bool[Tensor, "B T"]
) -> TeacherForcedOutput:
    r"""As the decoder's ``forward``, but where asked a step reads what the step before found most probable.

    .. math:: \hat{y}_{i-1} = \operatorname{argmax}_y p(y \mid \hat{y}_{<i-1}, x)

    No gradient goes through the choice.

    Args:
        decoder: Any.
        decoder_input: BOS followed by the target.
        memory: From an encoder.
        own: Where to read the decoder's own token; the first column, BOS, is always read as it is.

    References:
        Bengio et al. 2015, "Scheduled sampling for sequence prediction" (arXiv:1506.03099).
    """
    state = decoder.init_state(memory)
    logits: list[Tensor] = []
    head_weights: list[Tensor] = []
    tokens = decoder_input[:, 0]
    for position in range(decoder_input.shape[1]):
        if position > 0:
            tokens = torch.where(own[:, position], logits[-1].argmax(dim=-1), decoder_input[:, position])
        step = decoder.step(tokens, state)
        state = step.state
        logits.append(step.logits)
        head_weights.append(step.head_weights)
    return TeacherForcedOutput(torch.stack(logits, 1), torch.stack(head_weights, 1), memory.mask)
