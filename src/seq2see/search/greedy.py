"""Greedy search: always the most probable token."""

import torch
from jaxtyping import Int
from torch import Tensor

from seq2see.search.hypothesis import Hypothesis, Trace
from seq2see.search.ranking import Ranking
from seq2see.search.step_function import StepFunction, Symbols, next_log_probs
from seq2see.types import DecoderState, select_rows


def greedy_search(
    step: StepFunction, state: DecoderState, max_lengths: Int[Tensor, " B"], *, symbols: Symbols, ranking: Ranking
) -> list[Hypothesis]:
    """Take the most probable token at every step, for a whole batch; finished rows leave it.

    Args:
        step: Scores the next token.
        state: First state, a row per source; with ``mask``.
        max_lengths: Most tokens of each row, EOS not counted; a row that reaches it must end.
        symbols: The reserved ids.
        ranking: Gives ``Hypothesis.score``; it does not change the choice.

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
        log_probs = next_log_probs(output.logits, max_lengths <= length, symbols)
        best = log_probs.max(dim=-1)
        log_prob = log_prob + best.values.double()
        ended = best.indices == symbols.eos
        for index in ended.nonzero().flatten().tolist():
            past = trace.read(index, output.weights[:0])
            total = float(log_prob[index])
            score = ranking.score(total, length + 1, past.weights, state["mask"][index])
            ending = float(best.values[index])
            found[rows[index]] = Hypothesis(past.tokens, total, score, past.weights, [*past.token_log_probs, ending])
        kept = (~ended).nonzero().flatten()
        tokens, log_prob, max_lengths = best.indices[kept], log_prob[kept], max_lengths[kept]
        trace.append(tokens, kept, output.weights, log_probs)
        state = select_rows(output.state, kept)
        rows = [rows[index] for index in kept.tolist()]
    return [found[row] for row in sorted(found)]
