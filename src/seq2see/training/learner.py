"""One update of the weights."""

import copy
import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from accelerate import Accelerator

from seq2see.config import Config, chosen
from seq2see.data.batches import Batch
from seq2see.freed_memory import keep_freed_memory
from seq2see.linear import reduce_products
from seq2see.seq2seq import Seq2Seq
from seq2see.training.objective import Objective
from seq2see.training.own_share import own_share
from seq2see.training.processes import Processes, on_cpu
from seq2see.types import entries_under

SEEDS_APART = 1_000_003
Tensors = dict[str, torch.Tensor]


class Work(NamedTuple):
    """What a process learns from in an update.

    Args:
        batches: Its own, at least one.
        num_tokens: Target tokens of all processes, their ends included.
    """

    batches: Sequence[Batch]
    num_tokens: int


class Learnt(NamedTuple):
    """What an update gave.

    Args:
        nats: −log p of its target tokens, summed.
        num_tokens: How many there are.
        gradient_norm: Before clipping.
    """

    nats: float
    num_tokens: int
    gradient_norm: float


class Learner:
    r"""Forward, loss, backward, clip, step; and, where it is wanted, the moving average of the weights.

    With a moving average (``training.average_decay``, d) it is the averaged weights that are validated and kept, while
    others are learnt:

    .. math:: \bar\theta \leftarrow d_u \bar\theta + (1 - d_u) \theta \qquad d_u = \min(d, \frac{1 + u}{10 + u})

    after update u, so that the first weights are soon forgotten.

    Args:
        model: What is validated and kept; changed in place.
        config: Without open choices.
        processes: Those that learn together; the gradient is that of all their batches.

    References:
        Polyak & Juditsky 1992, for the average; the rising decay is that of TensorFlow's ``ExponentialMovingAverage``.
    """

    def __init__(self, model: Seq2Seq, config: Config, processes: Processes) -> None:
        settings = config.training
        self.settings = settings
        self.processes = processes
        if not processes.is_first:  # dropout of its own
            torch.manual_seed(settings.seed + SEEDS_APART * processes.number)
        keep_freed_memory()
        self.accelerator = Accelerator(cpu=on_cpu(), mixed_precision="no")
        learning = model if settings.average_decay is None else copy.deepcopy(model)
        reduce_products(learning, settings.precision == "bfloat16")
        highest = chosen(settings.learning_rate, "training.learning_rate")
        optimizer = torch.optim.Adam(learning.parameters(), lr=highest, fused=True)
        objective = Objective(
            learning,
            label_smoothing=settings.label_smoothing,
            coverage_weight=settings.coverage_loss,
            alignment_weight=settings.alignment_loss,
        )
        self.objective, self.optimizer = self.accelerator.prepare(objective, optimizer)
        self.average = None if settings.average_decay is None else model.to(self.accelerator.device)

    def update(self, work: Work, *, rate: float, number: int, progress: float = 0.0) -> Learnt | None:
        """Learn from some batches as if they were one; the mean is over the tokens of all processes.

        Args:
            work: This process's batches.
            rate: Learning rate.
            number: Updates done before this one.
            progress: Share of the run that is done, 0 to 1; scheduled sampling depends on it.

        Returns:
            None where loss or gradient is not finite, and then the weights stay as they are.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()
        own = own_share(self.settings.own_tokens_decay, self.settings.own_tokens, progress)
        losses = []
        for batch in work.batches:
            objective, loss = self.objective(batch.to(self.accelerator.device), own)
            # gradients of the processes are averaged
            self.accelerator.backward(objective * (self.processes.count / work.num_tokens))
            losses.append(loss)
        norm = self.accelerator.clip_grad_norm_(self.objective.parameters(), self.settings.clip_norm)
        totals = [(float(loss.total), float(loss.negative_log_likelihood)) for loss in losses]
        totals = [total for of_one in self.processes.of_all(totals) for total in of_one]
        if norm is None or not all(map(math.isfinite, (float(norm), *(smoothed for smoothed, _ in totals)))):
            return None
        self.optimizer.step()
        if self.average is not None and self.settings.average_decay is not None:
            decay = min(self.settings.average_decay, (1 + number) / (10 + number))
            with torch.no_grad():
                torch._foreach_lerp_(list(self.average.parameters()), list(self.learning.parameters()), 1.0 - decay)
        return Learnt(math.fsum(nats for _, nats in totals), work.num_tokens, float(norm))

    @property
    def learning(self) -> Seq2Seq:
        """The model whose weights the updates change."""
        learning: Seq2Seq = self.accelerator.unwrap_model(self.objective).model
        return learning

    def state(self) -> Tensors:
        """All that must be kept for learning to go on: weights, optimiser, average."""
        named = {f"model.{name}": tensor for name, tensor in self.learning.state_dict().items()}
        for number, parts in self.optimizer.state_dict()["state"].items():
            named |= {f"optimizer.{number}.{name}": tensor for name, tensor in parts.items()}
        if self.average is not None:
            named |= {f"average.{name}": tensor for name, tensor in self.average.state_dict().items()}
        return {name: tensor.detach().cpu().clone() for name, tensor in named.items()}

    def restore(self, tensors: Tensors) -> None:
        """Set everything to what ``state`` gave."""
        self.learning.load_state_dict(entries_under(tensors, "model."))
        states: dict[int, Tensors] = {}
        for name, tensor in entries_under(tensors, "optimizer.").items():
            number, part = name.split(".", 1)
            states.setdefault(int(number), {})[part] = tensor
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": states, "param_groups": groups})
        if self.average is not None:
            self.average.load_state_dict(entries_under(tensors, "average."))
