"""Searching outputs for a batch of encoded sources, as the configuration says."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from seq2see.config import SearchConfig
from seq2see.data.batches import make_source
from seq2see.data.special import BOS, EOS, NEVER_PRODUCED, UNK
from seq2see.inference.wishes import Wanted
from seq2see.search import (
    Hypothesis,
    MinLength,
    NoRepeatedNgrams,
    NoSequence,
    Prefix,
    Ranking,
    Restriction,
    Sampler,
    Symbols,
    beam_search,
    greedy_search,
    one_path_search,
    ranked,
    search_with_required,
)
from seq2see.seq2seq import Model
from seq2see.types import DecoderState, select_rows

SYMBOLS = Symbols(bos=BOS, eos=EOS, never=NEVER_PRODUCED)
WITH_UNKNOWN = Symbols(bos=BOS, eos=EOS, never=tuple(number for number in NEVER_PRODUCED if number != UNK))
LENGTH_ALLOWANCE = 20
DEFAULT_LENGTH_RATIO = 2.0


@torch.inference_mode()
def search_outputs(
    model: Model,
    settings: SearchConfig,
    wanted: Sequence[Wanted],
    *,
    beam_size: int,
    n_best: int,
) -> list[list[Hypothesis]]:
    """Search a whole batch; weights have a column for each real position of the memory.

    A source whose restrictions leave no way to meet what is required has none.

    Args:
        model: The model, or several together.
        settings: Of the search.
        wanted: A source in each row.
        beam_size: Beginnings kept; 1 is greedy search.
        n_best: Hypotheses of each source at most; exactly so many where they are drawn at random.
    """
    search = _Search(model, settings, beam_size, n_best)
    sources = [one.source for one in wanted]
    source = make_source(
        [one.ids for one in sources], [one.tags for one in sources], [one.copy_ids for one in sources]
    ).to(next(model.parameters()).device)
    state = model.init_state(source)
    limits = _max_lengths(settings, source.lengths, [len(one.prefix) for one in wanted])
    if settings.sample:
        found = search.draw(state, limits, wanted)
    else:
        found = [[] for _ in wanted]
        free = [row for row, one in enumerate(wanted) if not one.required]
        for row, hypotheses in zip(free, search.best(*_rows(state, limits, wanted, free)), strict=True):
            found[row] = hypotheses
        for row, one in enumerate(wanted):
            if one.required:
                found[row] = search.best_with_required(*_rows(state, limits, wanted, [row]))
    # columns of padding are left out: there may be some between the text and its tags
    return [
        [replace(one, weights=one.weights[:, mask]) for one in hypotheses]
        for hypotheses, mask in zip(found, state["mask"], strict=True)
    ]


def _rows(
    state: DecoderState, limits: Tensor, wanted: Sequence[Wanted], rows: Sequence[int]
) -> tuple[DecoderState, Tensor, list[Wanted]]:
    """Some rows of a batch."""
    chosen = torch.tensor(rows, dtype=torch.int64, device=limits.device)
    return select_rows(state, chosen), limits[chosen], [wanted[row] for row in rows]


@dataclass(frozen=True, slots=True)
class _Search:
    """The ways to search, with what they have in common."""

    model: Model
    settings: SearchConfig
    beam_size: int
    n_best: int

    @property
    def symbols(self) -> Symbols:
        return WITH_UNKNOWN if self.settings.copy_unknown else SYMBOLS

    @property
    def ranking(self) -> Ranking:
        return Ranking(
            self.settings.length_penalty, self.settings.coverage_penalty, average=self.settings.length_average
        )

    def draw(self, state: DecoderState, limits: Tensor, wanted: Sequence[Wanted]) -> list[list[Hypothesis]]:
        """Outputs drawn at random, ``n_best`` of each source."""
        rows = [row for row in range(len(wanted)) for _ in range(self.n_best)]
        state, limits, each = _rows(state, limits, wanted, rows)
        drawn = one_path_search(
            self.model.step,
            state,
            limits,
            symbols=self.symbols,
            ranking=self.ranking,
            choose=_sampler(self.settings, [one.text for one in wanted], self.n_best),
            restrictions=_restrictions(self.settings, each),
        )
        return [ranked(drawn[start : start + self.n_best]) for start in range(0, len(drawn), self.n_best)]

    def best(self, state: DecoderState, limits: Tensor, wanted: Sequence[Wanted]) -> list[list[Hypothesis]]:
        """The best outputs of a batch."""
        restrictions = _restrictions(self.settings, wanted)
        given = (self.model.step, state, limits)
        if self.beam_size == 1:
            best = greedy_search(*given, symbols=self.symbols, ranking=self.ranking, restrictions=restrictions)
            return [[hypothesis] for hypothesis in best]
        return beam_search(
            *given,
            symbols=self.symbols,
            beam_size=self.beam_size,
            n_best=self.n_best,
            ranking=self.ranking,
            restrictions=restrictions,
        )

    def best_with_required(self, state: DecoderState, limits: Tensor, wanted: Sequence[Wanted]) -> list[Hypothesis]:
        """The best outputs of one source that hold what is required."""
        return search_with_required(
            self.model.step,
            state,
            int(limits[0]),
            wanted[0].required,
            symbols=self.symbols,
            beam_size=self.beam_size,
            n_best=self.n_best,
            ranking=self.ranking,
            restrictions=_restrictions(self.settings, wanted),
        )


def _max_lengths(settings: SearchConfig, source_lengths: Tensor, prefix_lengths: Sequence[int]) -> Tensor:
    """Most output tokens of each source: a property of that source alone, never of its batch."""
    ratio = settings.length_ratio if settings.length_ratio is not None else DEFAULT_LENGTH_RATIO
    prefixes = torch.tensor(prefix_lengths, device=source_lengths.device)
    limits = (ratio * source_lengths).ceil().long() + LENGTH_ALLOWANCE + prefixes
    if settings.max_length is not None:
        limits = limits.clamp(max=settings.max_length)
    return torch.maximum(limits, prefixes)


def _restrictions(settings: SearchConfig, wanted: Sequence[Wanted]) -> list[Restriction]:
    restrictions: list[Restriction] = []
    if settings.min_length:
        restrictions.append(MinLength(settings.min_length, EOS))
    if settings.no_repeat_ngram is not None:
        restrictions.append(NoRepeatedNgrams(settings.no_repeat_ngram))
    if any(one.forbidden for one in wanted):
        restrictions.append(NoSequence([one.forbidden for one in wanted]))
    if any(one.prefix for one in wanted):
        return [Prefix([one.prefix for one in wanted], then=restrictions)]
    return restrictions


def _sampler(settings: SearchConfig, texts: Sequence[str], n_best: int) -> Sampler:
    """Every source draws by its own text and the number of the draw, so that neighbours change nothing."""
    names = [f"{settings.seed}\n{number}\n{text}" for text in texts for number in range(n_best)]
    seeds = [int.from_bytes(hashlib.sha256(name.encode("utf-8")).digest()[:7], "big") for name in names]
    return Sampler(seeds, temperature=settings.temperature, top_k=settings.top_k, top_p=settings.top_p)
