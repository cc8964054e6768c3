"""Searching outputs for raw text."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch

from seq2see.alignment import Alignment
from seq2see.bundle import Bundle, load_bundle
from seq2see.config import replace as replace_settings
from seq2see.data.bucketing import cut_by_tokens
from seq2see.data.pair_tokenizer import EncodedSource
from seq2see.data.special import UNK
from seq2see.ensemble import Ensemble
from seq2see.errors import BundleError
from seq2see.freed_memory import keep_freed_memory
from seq2see.inference.forced import ForcedScore, Likelihood, likelihood, score_pairs
from seq2see.inference.searching import search_outputs
from seq2see.inference.shown import with_shown_heads
from seq2see.inference.steps import Step, steps
from seq2see.inference.translation import Translation
from seq2see.inference.wishes import Wanted, make_wanted, wishes_for
from seq2see.int8 import with_int8
from seq2see.members import further_members
from seq2see.search import Hypothesis
from seq2see.seq2seq import Model

DECODING_BATCH_TOKENS = 4096
OF_THE_MODEL = ("precision", "attention_layer", "attention_head")
"""Settings of the search with which another model is asked."""


class Translator:
    """A trained model with its tokenizers.

    Outputs do not depend on batch size, order or neighbours.

    Args:
        bundle: Model, tokenizers and configuration; the latter gives the defaults of search.
        others: Further models that write each output together with the first; they share its tokenizers.
    """

    def __init__(self, bundle: Bundle, others: Sequence[Bundle] = ()) -> None:
        keep_freed_memory()
        self.bundle = bundle
        self.others = others
        models = [with_shown_heads(one, bundle.config.search) for one in (bundle, *others)]
        self.together: Model = models[0] if not others else Ensemble(models)
        self.config = bundle.config
        self.model = bundle.model
        self.tokenizers = bundle.tokenizers

    @cached_property
    def searched(self) -> Model:
        """What search asks; its weights are rounded when it is first asked, if they are to be."""
        return with_int8(self.together) if self.config.search.precision == "int8" else self.together

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        return next(self.model.parameters()).device

    def with_search(self, **settings: Any) -> "Translator":
        """The same model with other settings of the search; their names are those of ``search`` in the configuration.

        Raises:
            ConfigError: A name or value is wrong.
        """
        config = replace_settings(self.config, {f"search.{name}": value for name, value in settings.items()})
        made = Translator(replace(self.bundle, config=config), self.others)
        if settings.keys().isdisjoint(OF_THE_MODEL):
            made.searched = self.searched
        return made

    def translate(self, texts: Sequence[str], *, beam: int | None = None) -> list[Translation]:
        """The best output of every text, in the order of the texts.

        Args:
            texts: Raw sources. One that is empty, or white space alone, gives an empty output.
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
        prefixes: Sequence[str | Sequence[int]] | None = None,
        forbidden: Sequence[str] = (),
        required: Sequence[Sequence[str]] | None = None,
        lexicon: Mapping[str, str] | None = None,
    ) -> list[list[Translation]]:
        """Up to ``n_best`` outputs of every text, best score first; at least one, and none is invented.

        With ``search.sample`` they are ``n_best`` outputs drawn at random, which may be equal.

        Args:
            texts: Raw sources.
            n_best: Outputs wanted of each.
            beam: Beam size; None takes the configuration's.
            batch_tokens: Padded source positions times beam size that are searched at once.
            prefixes: What the output of each source begins with, as text or as ids; '' leaves it free.
            forbidden: Texts that no output may hold, as the tokens into which each is cut. Where tokens are parts of
                words, words that begin with these parts are left out too, and other ways to cut the text are not.
            required: Texts that the output of each source must hold, in any order, as the tokens into which each is cut
                after a space. Such sources are searched one by one.
            lexicon: What stands for a source token that is copied (``search.copy_unknown``); others are copied as
                they are.

        Raises:
            TypeError: ``texts`` is a single text.
            ValueError: ``n_best`` is larger than ``beam``, or either is below 1, or there are not as many prefixes or
                lists of required texts as texts, or ``search.sample`` is to hold what is required.
        """
        if isinstance(texts, str):
            raise TypeError(f"texts is one text, {texts[:40]!r}; wanted a list of texts")
        beam_size = beam if beam is not None else self.config.search.beam_size
        if n_best < 1 or beam_size < 1 or (n_best > beam_size and not self.config.search.sample):
            raise ValueError(f"n_best is {n_best} and beam {beam_size}; wanted 1 <= n_best <= beam")
        if required is not None and self.config.search.sample:
            raise ValueError("what is required is met by search, not by sampling")
        wishes = wishes_for(len(texts), prefixes, forbidden, required)
        sources = self.tokenizers.encode_sources(texts)
        found: dict[int, list[Translation]] = {}
        wanted: dict[int, Wanted] = {}
        for index, (text, source, wish) in enumerate(zip(texts, sources, wishes, strict=True)):
            most = self.config.search.max_source_length
            one, problem = make_wanted(self.tokenizers, text, source, wish, most=most)
            if source.ids and not problem:
                wanted[index] = one
            else:
                found[index] = [_without_search(text, problem)]
        rows = n_best if self.config.search.sample else beam_size
        lengths = [len(one.ids) + len(one.tags) for one in sources]
        for batch in _batches_by_length(lengths, list(wanted), batch_tokens // rows):
            hypotheses = search_outputs(
                self.searched,
                self.config.search,
                [wanted[index] for index in batch],
                beam_size=beam_size,
                n_best=n_best,
            )
            for index, best in zip(batch, hypotheses, strict=True):
                outputs = [self._translation(texts[index], sources[index], one, lexicon or {}) for one in best]
                nothing = "no output holds what is required and nothing that is forbidden"
                found[index] = outputs or [_without_search(texts[index], nothing)]
        return [found[index] for index in range(len(texts))]

    def _translation(
        self, text: str, source: EncodedSource, hypothesis: Hypothesis, lexicon: Mapping[str, str]
    ) -> Translation:
        target, ids = self.tokenizers.target, tuple(hypothesis.tokens)
        if UNK in hypothesis.tokens:
            hypothesis, source = self._with_copies(text, source, hypothesis, lexicon)
        alignment = Alignment(
            self.tokenizers.source_tokens(text),
            target.surface(hypothesis.tokens, source.copied),
            hypothesis.weights.float().cpu().numpy(),
        )
        output = target.decode(hypothesis.tokens, source.copied)
        return Translation(
            text,
            output,
            hypothesis.log_prob,
            hypothesis.score,
            alignment,
            hypothesis.token_log_probs,
            token_ids=ids,
        )

    def _with_copies(
        self, text: str, source: EncodedSource, hypothesis: Hypothesis, lexicon: Mapping[str, str]
    ) -> tuple[Hypothesis, EncodedSource]:
        """Put the source token that was attended to most in the place of each unknown one.

        References:
            Luong et al. 2015, "Addressing the rare word problem" (arXiv:1410.8206); Jean et al. 2015 (1412.2007), §3.3.
        """
        names = self.tokenizers.source_names(text)
        copied, ids = list(source.copied), []
        for number, row in zip(hypothesis.tokens, hypothesis.weights, strict=True):
            if number != UNK:
                ids.append(number)
                continue
            name = names[int(row[: len(names)].argmax())]
            word = name.removeprefix(" ") if len(name) > 1 else name
            ids.append(self.tokenizers.target.vocab_size + len(copied))
            copied.append(self.tokenizers.target_name(name, lexicon.get(word, word)))
        return replace(hypothesis, tokens=ids), source._replace(copied=copied)

    def score(self, sources: Sequence[str], targets: Sequence[str], *, posterior: bool = False) -> list[ForcedScore]:
        """The log-probability and the alignment of given targets, in order.

        Args:
            sources: Raw sources.
            targets: A raw target for each.
            posterior: Weights are those of ``posterior_weights``: where each token came from, now that it is known,
                in place of what was attended to before it was.
        """
        return score_pairs(self.together, self.bundle, sources, targets, posterior=posterior)

    def align(self, source: str, target: str, *, posterior: bool = False) -> Alignment:
        """What the tokens of a given target attend to, by forced decoding; or where they came from.

        Both texts must have at least one token.

        Args:
            source: A raw source.
            target: A raw target.
            posterior: See ``score``.
        """
        return self.score([source], [target], posterior=posterior)[0].alignment

    def steps(self, output: Translation, count: int) -> list[Step]:
        """The steps that write an output, its end the last: what else might have been written, and where it looked.

        Args:
            output: One that this translator gave; it has tokens.
            count: The most probable tokens of each step, so many at most.
        """
        return steps(self.together, self.bundle, output, count)

    def likelihood(self, sources: Sequence[str], targets: Sequence[str]) -> Likelihood:
        """−log p of given targets; pairs that cannot be scored are left out."""
        return likelihood(self.together, self.bundle, sources, targets)


def load(directory: str | Path) -> Translator:
    """Read a model directory, with the further models that it has.

    Raises:
        BundleError: A file is missing, damaged, foreign, or belongs to another model.
    """
    return load_ensemble([directory])


def load_ensemble(directories: Sequence[str | Path]) -> Translator:
    """Read several model directories, whose models write each output together; the first one's search settings hold.

    Raises:
        BundleError: A directory is not as it should be, or its tokenizers are not those of the first.
    """
    every = [one for directory in map(Path, directories) for one in (directory, *further_members(directory))]
    bundles = [load_bundle(directory) for directory in every]
    for directory, bundle in zip(every, bundles, strict=True):
        if not bundle.tokenizers.equals(bundles[0].tokenizers):
            raise BundleError(f"{directory}: its tokens are not those of {every[0]}, wanted models with the same")
        bundle.model.eval()
    return Translator(bundles[0], bundles[1:])


def _without_search(text: str, problem: str) -> Translation:
    log_prob = math.nan if problem else 0.0
    told = f"{problem}; not translated" if problem else ""
    return Translation(text, "", log_prob, log_prob, Alignment.empty(), [], told)


def _batches_by_length(lengths: list[int], indices: list[int], batch_tokens: int) -> Iterator[list[int]]:
    """Batches of similar lengths, the longest first."""
    order = sorted(indices, key=lambda index: -lengths[index])
    yield from cut_by_tokens(lengths, order, batch_tokens)
