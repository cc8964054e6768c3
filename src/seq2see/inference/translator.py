"""Searching outputs for raw text."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from seq2see.alignment import Alignment
from seq2see.bundle import Bundle, load_bundle
from seq2see.data.batches import make_source
from seq2see.data.bucketing import cut_by_tokens
from seq2see.data.pair_tokenizer import EncodedSource
from seq2see.data.special import BOS, EOS, NEVER_PRODUCED
from seq2see.inference.forced import ForcedScore, Likelihood, likelihood, score_pairs
from seq2see.inference.translation import Translation
from seq2see.search import Hypothesis, Ranking, Symbols, beam_search, greedy_search

SYMBOLS = Symbols(bos=BOS, eos=EOS, never=NEVER_PRODUCED)
DECODING_BATCH_TOKENS = 4096
LENGTH_ALLOWANCE = 20
DEFAULT_LENGTH_RATIO = 2.0


class Translator:
    """A trained model with its tokenizers.

    Outputs do not depend on batch size, order or neighbours.

    Args:
        bundle: Model, tokenizers and configuration; the latter gives the defaults of search.
    """

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.config = bundle.config
        self.model = bundle.model
        self.tokenizers = bundle.tokenizers

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        return next(self.model.parameters()).device

    def translate(self, texts: Sequence[str], *, beam: int | None = None) -> list[Translation]:
        """The best output of every text, in the order of the texts.

        Args:
            texts: Raw sources. One without tokens (an empty line) gives an empty output.
            beam: Beam size; 1 is greedy search; None takes the configuration's.
        """
        return [hypotheses[0] for hypotheses in self.translate_n_best(texts, beam=beam)]

    def translate_n_best(
        self,
        texts: Sequence[str],
        *,
        n_best: int = 1,
        beam: int | None = None,
        batch_tokens: int = DECODING_BATCH_TOKENS,
    ) -> list[list[Translation]]:
        """Up to ``n_best`` outputs of every text, best score first; at least one, and none is invented.

        Args:
            texts: Raw sources.
            n_best: Outputs wanted of each.
            beam: Beam size; None takes the configuration's.
            batch_tokens: Padded source positions times beam size that are searched at once.

        Raises:
            TypeError: ``texts`` is a single text.
            ValueError: ``n_best`` is larger than ``beam``, or either is below 1.
        """
        if isinstance(texts, str):
            raise TypeError(f"texts is one text, {texts[:40]!r}; wanted a list of texts")
        beam_size = beam if beam is not None else self.config.search.beam_size
        if not 1 <= n_best <= beam_size:
            raise ValueError(f"n_best is {n_best} and beam {beam_size}; wanted 1 <= n_best <= beam")
        found: dict[int, list[Translation]] = {}
        sources = self.tokenizers.encode_sources(texts)
        searchable = []
        for index, source in enumerate(sources):
            problem = self._problem(texts[index], source)
            if source.ids and not problem:
                searchable.append(index)
            else:
                found[index] = [_without_search(texts[index], problem)]
        for batch in _batches_by_length([one.ids for one in sources], searchable, batch_tokens // beam_size):
            hypotheses = self._search([sources[index] for index in batch], beam_size, n_best)
            for index, best in zip(batch, hypotheses, strict=True):
                found[index] = [self._translation(texts[index], sources[index], one) for one in best]
        return [found[index] for index in range(len(texts))]

    @torch.inference_mode()
    def _search(self, sources: list[EncodedSource], beam_size: int, n_best: int) -> list[list[Hypothesis]]:
        source = make_source(
            [source.ids for source in sources],
            [source.tags for source in sources],
            [source.copy_ids for source in sources],
        ).to(self.device)
        state = self.model.init_state(source)
        max_lengths = self._max_lengths(source.lengths)
        ranking = Ranking(self.config.search.length_penalty, self.config.search.coverage_penalty)
        if beam_size == 1:
            best = greedy_search(self.model.step, state, max_lengths, symbols=SYMBOLS, ranking=ranking)
            found = [[hypothesis] for hypothesis in best]
        else:
            found = beam_search(
                self.model.step,
                state,
                max_lengths,
                symbols=SYMBOLS,
                beam_size=beam_size,
                n_best=n_best,
                ranking=ranking,
            )
        # columns of padding are left out: there may be some between the text and its tags
        return [
            [replace(one, weights=one.weights[:, mask]) for one in hypotheses]
            for hypotheses, mask in zip(found, state["mask"], strict=True)
        ]

    def _max_lengths(self, source_lengths: Tensor) -> Tensor:
        """Most output tokens of each source: a property of that source alone, never of its batch."""
        search = self.config.search
        ratio = search.length_ratio if search.length_ratio is not None else DEFAULT_LENGTH_RATIO
        limits = (ratio * source_lengths).ceil().long() + LENGTH_ALLOWANCE
        return limits if search.max_length is None else limits.clamp(max=search.max_length)

    def _translation(self, text: str, source: EncodedSource, hypothesis: Hypothesis) -> Translation:
        target = self.tokenizers.target
        alignment = Alignment(
            self.tokenizers.source_tokens(text),
            target.surface(hypothesis.tokens, source.copied),
            hypothesis.weights.float().cpu().numpy(),
        )
        output = target.decode(hypothesis.tokens, source.copied)
        return Translation(text, output, hypothesis.log_prob, hypothesis.score, alignment, hypothesis.token_log_probs)

    def _problem(self, text: str, source: EncodedSource) -> str:
        """Why a source cannot be translated; '' if it can, or if it has no tokens and so an empty output."""
        limit = self.config.search.max_source_length
        if len(source.ids) > limit:
            return f"{len(source.ids):,} source tokens, the limit is {limit:,}; not translated"
        return self.tokenizers.fault(text) if source.ids else ""

    def score(self, sources: Sequence[str], targets: Sequence[str]) -> list[ForcedScore]:
        """The log-probability and the alignment of given targets, in order.

        Args:
            sources: Raw sources.
            targets: A raw target for each.
        """
        return score_pairs(self.bundle, sources, targets)

    def align(self, source: str, target: str) -> Alignment:
        """What the tokens of a given target attend to, by forced decoding.

        Both texts must have at least one token.
        """
        return self.score([source], [target])[0].alignment

    def likelihood(self, sources: Sequence[str], targets: Sequence[str]) -> Likelihood:
        """−log p of given targets; pairs whose source has no tokens are left out."""
        return likelihood(self.bundle, sources, targets)


def load(directory: str | Path) -> Translator:
    """Read a model directory.

    Raises:
        BundleError: A file is missing, damaged, foreign, or belongs to another model.
    """
    bundle = load_bundle(Path(directory))
    bundle.model.eval()
    return Translator(bundle)


def _without_search(text: str, problem: str) -> Translation:
    log_prob = math.nan if problem else 0.0
    return Translation(text, "", log_prob, log_prob, Alignment([], [], torch.zeros(0, 0).numpy()), [], problem)


def _batches_by_length(ids: list[list[int]], indices: list[int], batch_tokens: int) -> Iterator[list[int]]:
    """Batches of similar lengths, the longest first."""
    order = sorted(indices, key=lambda index: -len(ids[index]))
    lengths = [len(source) for source in ids]
    yield from cut_by_tokens(lengths, order, batch_tokens)
