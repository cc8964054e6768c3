"""Beam search for outputs that must hold given runs of tokens."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from seq2see.search.hypothesis import Hypothesis, ranked
from seq2see.search.ranking import Ranking
from seq2see.search.restrictions import Restriction
from seq2see.search.step_function import StepFunction, Symbols, next_log_probs
from seq2see.types import DecoderState, select_rows

Run = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Beginning:
    """A hypothesis that has not ended."""

    tokens: Run
    total: float
    weights: tuple[Tensor, ...]
    log_probs: tuple[float, ...]
    row: int
    missing: int


def search_with_required(
    step: StepFunction,
    state: DecoderState,
    max_length: int,
    required: Sequence[Run],
    *,
    symbols: Symbols,
    beam_size: int,
    n_best: int,
    ranking: Ranking,
    restrictions: Sequence[Restriction] = (),
) -> list[Hypothesis]:
    """Search the outputs of one source that hold all of the given runs, in any order.

    Beginnings compete with those that hold as many tokens of the runs; each such group has its share of the beam, so
    that one which has met a run is not crowded out by likelier ones that have not. Only what holds all runs may end,
    and an ending counts only where fewer than ``beam_size`` beginnings that hold all runs are likelier.

    Args:
        step: Scores the next token.
        state: First state, one row; with ``mask``.
        max_length: Most tokens, EOS not counted; it is raised where the runs need more.
        required: The runs, each of at least one token.
        symbols: The reserved ids.
        beam_size: Beginnings kept.
        n_best: Hypotheses returned at most.
        ranking: Scores finished hypotheses.
        restrictions: What outputs may not hold besides; the source is number 0 to them.

    Returns:
        Finished hypotheses, best score first; none where the restrictions leave no way to meet all runs.

    References:
        Post & Vilar 2018, "Fast lexically constrained decoding with dynamic beam allocation" (arXiv:1804.06609).
    """
    mask = state["mask"]
    max_length = max(max_length, sum(map(len, required)))
    beam = [_Beginning((), 0.0, (), (), 0, missing((), required))]
    found: list[Hypothesis] = []
    for length in range(max_length + 1):
        last = torch.tensor([one.tokens[-1] if one.tokens else symbols.bos for one in beam], device=mask.device)
        output = step(last, select_rows(state, torch.tensor([one.row for one in beam], device=mask.device)))
        state = output.state
        at_limit = torch.zeros(len(beam), dtype=torch.bool, device=mask.device)
        pasts = [one.tokens for one in beam]
        log_probs = next_log_probs(output.logits, at_limit, symbols, restrictions, pasts, [0] * len(beam))
        candidates: list[_Beginning] = []
        endings: list[tuple[_Beginning, float]] = []
        for row, one in enumerate(beam):
            ending = float(log_probs[row, symbols.eos])
            if ending > -torch.inf and not one.missing:
                endings.append((one, ending))
            if length < max_length:
                likely = log_probs[row].topk(min(log_probs.shape[1], 2 * beam_size)).indices.tolist()
                tokens = dict.fromkeys([*likely, *(token for run in required for token in run)])
                tokens.pop(symbols.eos, None)
                further = _continuations(one, row, tokens, log_probs[row], output.weights[row], required)
                candidates += [new for new in further if new.missing <= max_length - len(new.tokens)]
        whole = [one.total for one in candidates if not one.missing]
        for one, ending in sorted(endings, key=lambda each: -(each[0].total + each[1])):
            if sum(total > one.total + ending for total in whole) < beam_size:
                found = ranked([*found, _finished(one, ending, ranking, mask)])[:beam_size]
        if not candidates:
            break
        beam = _shared_out(candidates, beam_size)
        best_left = max(one.total for one in beam)
        if len(found) >= n_best and found[n_best - 1].score >= ranking.reachable(best_left, max_length + 1):
            break
    return found[:n_best]


def missing(tokens: Run, required: Sequence[Run]) -> int:
    """How many tokens are still needed to hold all runs.

    A run that the tokens end in the middle of needs only its rest.
    """
    needed = begun = 0
    for run in required:
        if any(tokens[start : start + len(run)] == run for start in range(len(tokens) - len(run) + 1)):
            continue
        needed += len(run)
        for size in range(min(len(run) - 1, len(tokens)), 0, -1):
            if tokens[-size:] == run[:size]:
                begun = max(begun, size)
                break
    return needed - begun


def _continuations(
    one: _Beginning,
    row: int,
    tokens: Iterable[int],
    log_probs: Float[Tensor, " V"],
    weights: Float[Tensor, " S"],
    required: Sequence[Run],
) -> list[_Beginning]:
    """A beginning continued by each of some tokens that may come."""
    kept = []
    for token in tokens:
        log_prob = float(log_probs[token])
        if log_prob > -torch.inf:
            after = (*one.tokens, token)
            kept.append(
                _Beginning(
                    after,
                    one.total + log_prob,
                    (*one.weights, weights),
                    (*one.log_probs, log_prob),
                    row,
                    missing(after, required),
                )
            )
    return kept


def _shared_out(candidates: Sequence[_Beginning], beam_size: int) -> list[_Beginning]:
    """The best of every group by turns: those that need the fewest tokens first."""
    groups: dict[int, list[_Beginning]] = {}
    for one in sorted(candidates, key=lambda candidate: -candidate.total):
        groups.setdefault(one.missing, []).append(one)
    queues = [groups[number] for number in sorted(groups)]
    kept: list[_Beginning] = []
    for turn in range(max(map(len, queues))):
        kept += [queue[turn] for queue in queues if turn < len(queue)]
    return kept[:beam_size]


def _finished(one: _Beginning, ending: float, ranking: Ranking, mask: Tensor) -> Hypothesis:
    total = one.total + ending
    weights = torch.stack(one.weights) if one.weights else torch.zeros(0, mask.shape[1], device=mask.device)
    score = ranking.score(total, len(one.tokens) + 1, weights, mask[0])
    return Hypothesis(list(one.tokens), total, score, weights, [*one.log_probs, ending])
