"""Beam search: the most probable continuations of the most probable beginnings."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from seq2see.search.hypothesis import Hypothesis, Trace, ranked
from seq2see.search.ranking import Ranking
from seq2see.search.restrictions import Restriction
from seq2see.search.step_function import StepFunction, Symbols, next_log_probs
from seq2see.types import DecoderState, select_changed_rows, select_rows


def beam_search(
    step: StepFunction,
    state: DecoderState,
    max_lengths: Int[Tensor, " B"],
    *,
    symbols: Symbols,
    beam_size: int,
    n_best: int = 1,
    ranking: Ranking,
    restrictions: Sequence[Restriction] = (),
) -> list[list[Hypothesis]]:
    """Keep the ``beam_size`` best beginnings of every source, a whole batch at once.

    At each step every beginning is continued by every token, and the best are taken in order of
    log-probability: those that end are finished hypotheses, and the best ``beam_size`` that do not end go on.
    An ending counts only where it is among the ``beam_size`` best continuations, and the ``beam_size`` best
    finished hypotheses are kept. A source is done, and leaves the batch, when none that is unfinished can still
    reach the ``n_best`` first ones. To be done with ``beam_size`` finished ones, whichever they are, would be too
    soon: where few tokens are to choose from, an end at every step is among the best, however improbable.

    Beam size 1 is greedy search, done at its first end; a beam as large as the number of possible outputs is
    exhaustive search.

    Args:
        step: Scores the next token.
        state: First state, a row per source; with ``mask``.
        max_lengths: Most tokens of each row, EOS not counted; a row that reaches it must end.
        symbols: The reserved ids.
        beam_size: Beginnings kept.
        n_best: Hypotheses returned at most; fewer where fewer were found.
        ranking: Scores finished hypotheses.
        restrictions: What outputs may not hold.

    Returns:
        For each row the finished hypotheses, best score first.
    """
    sources = list(range(len(max_lengths)))
    found: list[list[Hypothesis]] = [[] for _ in sources]
    limits = max_lengths.tolist()
    tokens = torch.full_like(max_lengths, symbols.bos)
    totals = torch.zeros(len(sources), 1, dtype=torch.float64, device=tokens.device)  # of one beginning: no tokens
    trace = Trace()
    while sources:
        output = step(tokens, state)
        length, before = len(trace), totals.shape
        pasts = trace.pasts(len(tokens)) if restrictions else []
        rows_of = [source for source in sources for _ in range(before[1])] if restrictions else []
        log_probs = next_log_probs(output.logits, max_lengths <= length, symbols, restrictions, pasts, rows_of)
        candidates, parents, tokens = _best_continuations(totals, log_probs, beam_size)
        ends = tokens == symbols.eos
        ending = (ends & candidates.isfinite())[:, :beam_size]
        taking = [found[source] for source in sources]
        _record_ends(
            taking, trace, state["mask"], candidates, parents, ending, log_probs[:, symbols.eos], beam_size, ranking
        )

        going_on = ends.int().argsort(dim=1, stable=True)[:, :beam_size]
        totals = candidates.masked_fill(ends, -torch.inf).gather(1, going_on)
        best_left = totals.max(dim=1).values.tolist()
        kept_list = [
            index
            for index, source in enumerate(sources)
            if not _is_done(found[source], best_left[index], limits[source], beam_size, n_best, ranking)
        ]
        kept = torch.tensor(kept_list, dtype=torch.int64, device=tokens.device)
        totals = totals[kept]
        rows = parents.gather(1, going_on)[kept].flatten()
        tokens = tokens.gather(1, going_on)[kept].flatten()
        # rows that cannot go on hold what may be another source's
        tokens = tokens.masked_fill(totals.flatten() == -torch.inf, symbols.eos)
        trace.append(tokens, rows, output.weights, log_probs)
        state = (
            select_changed_rows(state, output.state, rows)
            if totals.shape == before
            else select_rows(output.state, rows)
        )
        max_lengths = max_lengths[rows]
        sources = [sources[index] for index in kept_list]
    return [hypotheses[:n_best] for hypotheses in found]


def _best_continuations(
    totals: Float[Tensor, "L W"], log_probs: Float[Tensor, "LW V"], beam_size: int
) -> tuple[Float[Tensor, "L P"], Int[Tensor, "L P"], Int[Tensor, "L P"]]:
    """The best continuations of every source: (total, row of the parent, token), best first.

    At most one continuation per parent ends, so twice the beam holds a full beam of those that do not.
    """
    num_sources, num_parents = totals.shape
    # no parent has more of the best than there are: the long sums are made of these alone
    of_parents = log_probs.topk(min(2 * beam_size, log_probs.shape[1]))
    num_each = of_parents.values.shape[1]
    all_totals = (totals[:, :, None] + of_parents.values.view(num_sources, num_parents, num_each)).flatten(1)
    best = all_totals.topk(min(2 * beam_size, all_totals.shape[1]))
    parents = torch.arange(num_sources, device=totals.device)[:, None] * num_parents + best.indices // num_each
    return best.values, parents, of_parents.indices[parents, best.indices % num_each]


def _record_ends(
    found: list[list[Hypothesis]],
    trace: Trace,
    mask: Bool[Tensor, "LW S"],
    candidates: Float[Tensor, "L P"],
    parents: Int[Tensor, "L P"],
    ending: Bool[Tensor, "L Q"],
    log_probs: Float[Tensor, " LW"],
    beam_size: int,
    ranking: Ranking,
) -> None:
    """Add the hypotheses that end at this step, and drop the worst where there are too many."""
    for index, column in ending.nonzero().tolist():
        hypotheses, total = found[index], float(candidates[index, column])
        if len(hypotheses) == beam_size and ranking.reachable(total, len(trace) + 1) <= hypotheses[-1].score:
            continue
        parent = int(parents[index, column])
        past = trace.read(parent, torch.zeros(0, mask.shape[1], device=mask.device))
        score = ranking.score(total, len(past.tokens) + 1, past.weights, mask[parent])
        each = [*past.token_log_probs, float(log_probs[parent])]
        hypotheses[:] = ranked([*hypotheses, Hypothesis(past.tokens, total, score, past.weights, each)])[:beam_size]


def _is_done(
    hypotheses: list[Hypothesis], best_left: float, limit: int, beam_size: int, n_best: int, ranking: Ranking
) -> bool:
    if best_left == -torch.inf or (beam_size == 1 and hypotheses):
        return True
    return len(hypotheses) >= n_best and hypotheses[n_best - 1].score >= ranking.reachable(best_left, limit + 1)
