"""Search that follows one path per row: greedy, or drawn at random."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seq2see.search.hypothesis import Hypothesis, Trace
from seq2see.search.ranking import Ranking
from seq2see.search.restrictions import Restriction
from seq2see.search.step_function import StepFunction, Symbols, next_log_probs
from seq2see.types import DecoderState, select_rows


@runtime_checkable
class Chooser(Protocol):
    """Chooses the next token of every row."""

    def __call__(self, log_probs: Float[Tensor, "LW V"], rows: Sequence[int]) -> Int[Tensor, " LW"]:
        """Return a token for each row.

        Args:
            log_probs: Of the next token; −∞ for what may not come.
            rows: Which row of the first state each one is.
        """


def one_path_search(
    step: StepFunction,
    state: DecoderState,
    max_lengths: Int[Tensor, " B"],
    *,
    symbols: Symbols,
    ranking: Ranking,
    choose: Chooser,
    restrictions: Sequence[Restriction] = (),
) -> list[Hypothesis]:
    """Take one token at every step, for a whole batch; finished rows leave it.

    Args:
        step: Scores the next token.
        state: First state, a row per source; with ``mask``.
        max_lengths: Most tokens of each row, EOS not counted; a row that reaches it must end.
        symbols: The reserved ids.
        ranking: Gives ``Hypothesis.score``; it does not change the choice.
        choose: Takes the tokens.
        restrictions: What outputs may not hold.

    Returns:
        One hypothesis per row, in the order of the rows.
    """
    rows = list(range(len(max_lengths)))
    found: dict[int, Hypothesis] = {}
    log_prob = torch.zeros(len(rows), dtype=torch.float64, device=max_lengths.device)
    tokens = torch.full_like(max_lengths, symbols.bos)
    trace = Trace()
    while rows:
        output = step(tokens, state)
        length = len(trace)
        pasts = trace.pasts(len(rows)) if restrictions else []
        log_probs = next_log_probs(output.logits, max_lengths <= length, symbols, restrictions, pasts, rows)
        tokens = choose(log_probs, rows)
        chosen = log_probs.gather(1, tokens[:, None]).squeeze(1)
        log_prob = log_prob + chosen.double()
        ended = tokens == symbols.eos
        for index in ended.nonzero().flatten().tolist():
            past = trace.read(index, output.weights[:0])
            total = float(log_prob[index])
            score = ranking.score(total, length + 1, past.weights, state["mask"][index])
            token_log_probs = [*past.token_log_probs, float(chosen[index])]
            found[rows[index]] = Hypothesis(past.tokens, total, score, past.weights, token_log_probs)
        kept = (~ended).nonzero().flatten()
        tokens, log_prob, max_lengths = tokens[kept], log_prob[kept], max_lengths[kept]
        trace.append(tokens, kept, output.weights, log_probs)
        state = select_rows(output.state, kept) if len(kept) < len(rows) else output.state
        rows = [rows[index] for index in kept.tolist()]
    return [found[row] for row in sorted(found)]
