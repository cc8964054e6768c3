"""From requests to texts that can be searched together, all limits kept."""

from collections.abc import Sequence
from typing import Any

from seq2see.serve.bodies import AlignRequest, ModelBody, ScoreRequest, Texts, TranslateRequest
from seq2see.serve.faults import Fault
from seq2see.serve.limits import Limits
from seq2see.serve.served import Served
from seq2see.serve.work import Aligning, Given, Scoring, Translating, Wanted

Items = list[tuple[Any, int]]
"""Each with its tokens."""


class Asked:
    """Makes of a request what a batch is made of.

    Args:
        models: At least one; the first is asked where a request names none.
        limits: Of the server.
    """

    def __init__(self, models: Sequence[Served], limits: Limits) -> None:
        self._models = {one.name: one for one in models}
        self._first = models[0].name
        self._translators = {one.name: one.translator for one in models}
        self.limits = limits

    def models(self) -> list[ModelBody]:
        """What is told of the models."""
        return [one.body() for one in self._models.values()]

    def run(self, settings: Any, items: Sequence[Any]) -> Sequence[Any]:
        """Do what is asked with some texts."""
        found: Sequence[Any] = settings.run(self._translators, items)
        return found

    def translating(self, body: TranslateRequest) -> tuple[Translating, Items]:
        """Texts to translate.

        Raises:
            Fault: An unknown model, or a limit is passed.
        """
        model = self._model(body.model)
        beam = body.beam or self._translators[model].config.search.beam_size
        self._most("beam", "beam size", beam, self.limits.max_beam)
        if body.n_best > beam:
            raise Fault(422, "n_best", f"n_best is {body.n_best} and beam {beam}; wanted n_best of beam at most")
        texts = _list(body.text)
        prefixes = self._prefixes(body, len(texts), model)
        settings = Translating(
            model=model,
            beam=beam,
            n_best=body.n_best,
            length_penalty=body.length_penalty,
            alignments=body.alignments,
            alternatives=body.alternatives,
            batch_tokens=self.limits.max_batch_tokens,
        )
        items = [Wanted(text, prefix) for text, prefix in zip(texts, prefixes, strict=True)]
        return settings, [(item, tokens * beam) for item, tokens in zip(items, self._tokens(model, texts), strict=True)]

    def scoring(self, body: ScoreRequest) -> tuple[Scoring, Items]:
        """Pairs to score.

        Raises:
            Fault: As ``translating``; or there are not as many targets as sources.
        """
        model = self._model(body.model)
        return Scoring(model), self._pairs(model, body)

    def aligning(self, body: AlignRequest) -> tuple[Aligning, Items]:
        """Pairs to align.

        Raises:
            Fault: As ``scoring``.
        """
        model = self._model(body.model)
        return Aligning(model, body.by == "posterior"), self._pairs(model, body)

    def _model(self, name: str | None) -> str:
        if name is not None and name not in self._models:
            raise Fault(404, "unknown_model", f"no model {name[:100]!r}; there are {', '.join(self._models)}")
        return name or self._first

    def _pairs(self, model: str, body: ScoreRequest) -> Items:
        sources, targets = _list(body.source), _list(body.target)
        if len(sources) != len(targets):
            raise Fault(422, "unequal", f"{len(sources)} sources and {len(targets)} targets; wanted as many")
        tokens = self._tokens(model, sources)
        tokenizer = self._translators[model].tokenizers.target
        of_targets = [len(tokenizer.encode(target).ids) for target in targets]
        self._most("target_too_long", "tokens of a target", max(of_targets), self._longest(model))
        items = [Given(*pair) for pair in zip(sources, targets, strict=True)]
        return list(zip(items, map(max, tokens, of_targets), strict=True))

    def _tokens(self, model: str, texts: list[str]) -> list[int]:
        """Tokens of each text, none of which may be too long."""
        most = min(self.limits.max_texts, self.limits.max_queue)
        self._most("too_many_texts", "texts of a request", len(texts), most)
        sources = self._translators[model].tokenizers.encode_sources(texts)
        counts = [max(1, len(source.ids) + len(source.tags)) for source in sources]
        self._most("text_too_long", "tokens of a text", max(counts), self._longest(model))
        return counts

    def _longest(self, model: str) -> int:
        return min(self.limits.max_input_tokens, self._translators[model].config.search.max_source_length)

    def _prefixes(self, body: TranslateRequest, count: int, model: str) -> list[str | tuple[int, ...]]:
        given = [] if body.prefix is None else _list(body.prefix)
        tokenizer = self._translators[model].tokenizers.target
        for length in (len(body.prefix_ids or ()), *(len(tokenizer.encode(one).ids) for one in given)):
            self._most("prefix_too_long", "tokens of a prefix", length, self._longest(model))
        if body.prefix is not None and body.prefix_ids is not None:
            raise Fault(422, "prefix", "prefix and prefix_ids are both given; wanted one of them")
        if body.prefix_ids is not None:
            return [tuple(body.prefix_ids)] * count
        if body.prefix is None or isinstance(body.prefix, str):
            return [body.prefix or ""] * count
        if len(body.prefix) != count:
            raise Fault(422, "unequal", f"{count} texts and {len(body.prefix)} prefixes; wanted one, or as many")
        return list(body.prefix)

    @staticmethod
    def _most(code: str, name: str, found: int, limit: int) -> None:
        if found > limit:
            status = 422 if code == "beam" else 413
            raise Fault(status, code, f"{name}: {found:,}, the limit of this server is {limit:,}", limit)


def _list(texts: Texts) -> list[str]:
    return [texts] if isinstance(texts, str) else texts
