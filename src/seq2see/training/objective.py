"""What an update minimises."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seq2see.data.batches import Batch
from seq2see.data.special import PAD
from seq2see.losses import CrossEntropy, TokenLoss, coverage_loss, guided_alignment_loss
from seq2see.seq2seq import Seq2Seq


class Objective(nn.Module):
    r"""The loss of the tokens and, where they are wanted, of the attention weights.

    .. math:: L + \lambda_c L_\mathrm{coverage} + \lambda_a L_\mathrm{alignment}

    Args:
        model: What learns.
        label_smoothing: Of the loss of the tokens.
        coverage_weight: :math:`\lambda_c`.
        alignment_weight: :math:`\lambda_a`, of the batches that have links.
    """

    def __init__(
        self, model: Seq2Seq, *, label_smoothing: float, coverage_weight: float, alignment_weight: float
    ) -> None:
        super().__init__()
        self.model = model
        self.cross_entropy = CrossEntropy(label_smoothing, PAD, model.decoder.embedding.num_embeddings)
        self.coverage_weight = coverage_weight
        self.alignment_weight = alignment_weight

    def forward(self, batch: Batch, own_share: float) -> tuple[Float[Tensor, ""], TokenLoss]:
        """Give what is minimised, summed over the tokens, and the part of it that is the tokens'.

        Args:
            batch: What is learnt from.
            own_share: Share of the tokens read that are the decoder's own; 0 is teacher forcing.
        """
        own = torch.rand(batch.labels.shape, device=batch.labels.device) < own_share if own_share > 0.0 else None
        loss = self.model.loss(batch.source, batch.decoder_input, batch.labels, self.cross_entropy, own)
        objective = loss.tokens.total
        if self.coverage_weight > 0.0:
            objective = objective + self.coverage_weight * coverage_loss(loss.weights, batch.labels, pad_id=PAD)
        if batch.wanted_weights is not None:
            guided = guided_alignment_loss(loss.weights, batch.wanted_weights)
            objective = objective + self.alignment_weight * guided
        return objective, loss.tokens._replace(total=loss.tokens.total.detach())
