"""A step function that is a table, so that every answer can be worked out by going through all of them."""

import itertools
import math
from collections.abc import Sequence

import torch
from torch import Tensor

from seq2see.search import Symbols
from seq2see.types import DecoderState, StepOutput

BOS, EOS = 0, 1
SYMBOLS = Symbols(bos=BOS, eos=EOS, never=(BOS,))


class TableModel:
    """Logits that depend on the source, the position and the last two tokens.

    Args:
        sources: Number of sources.
        vocab_size: Tokens, BOS and EOS among them.
        levels: Logits are drawn from so many values, so few levels make ties.
    """

    def __init__(self, sources: int, vocab_size: int, *, seed: int, levels: int = 1000) -> None:
        generator = torch.Generator().manual_seed(seed)
        shape = (sources, 8, vocab_size, vocab_size, vocab_size)
        self.table = torch.randint(levels, shape, generator=generator).double() * (4.0 / levels)
        self.vocab_size = vocab_size

    def init_state(self, sources: Sequence[int]) -> DecoderState:
        """A state for the given sources."""
        rows = torch.tensor(sources)
        mask = torch.ones(len(rows), 4, dtype=torch.bool)
        return {"source": rows, "position": torch.zeros_like(rows), "previous": torch.zeros_like(rows), "mask": mask}

    def step(self, tokens: Tensor, state: DecoderState) -> StepOutput:
        """Look the logits up; the weights say which row asked: source, position, last two tokens."""
        source, position, previous = state["source"], state["position"], state["previous"]
        logits = self.table[source, position, previous, tokens]
        weights = torch.stack([source, position, previous, tokens], dim=1).double()
        return StepOutput(logits, {**state, "position": position + 1, "previous": tokens}, weights[:, None])

    def log_prob(self, source: int, tokens: Sequence[int]) -> float:
        """Of a whole hypothesis, its end included, by going through it."""
        total, previous, last = 0.0, 0, BOS
        for position, token in enumerate([*tokens, EOS]):
            logits = self.table[source, position, previous, last].tolist()
            total += logits[token] - math.log(sum(math.exp(logit) for logit in logits))
            previous, last = last, token
        return total

    def all_outputs(self, source: int, max_length: int) -> dict[tuple[int, ...], float]:
        """Every hypothesis up to a length with its log-probability."""
        letters = range(2, self.vocab_size)
        found = (tokens for length in range(max_length + 1) for tokens in itertools.product(letters, repeat=length))
        return {tokens: self.log_prob(source, tokens) for tokens in found}
