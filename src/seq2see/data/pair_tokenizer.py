"""Pairs as token ids: the tokenizers of both sides and of tags, together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from seq2see.data.batches import Example
from seq2see.data.pairs import split_tags
from seq2see.data.special import UNK
from seq2see.data.tokenizer import Tokenizer


class EncodedSource(NamedTuple):
    """A source as ids.

    Args:
        ids: Of its text.
        tags: Of its tags.
        copy_ids: Of its text, in the target vocabulary; ids from its size on number the tokens of ``copied``.
        copied: Tokens of the text that the target vocabulary does not have, in order of their first place.
    """

    ids: list[int]
    tags: list[int]
    copy_ids: list[int]
    copied: list[str]


def tags_as_symbols(tags: str) -> str:
    """``V;PST`` as symbols between spaces."""
    return tags.replace(";", " ")


@dataclass(frozen=True, slots=True)
class PairTokenizer:
    """Turns sources and targets into ids, and ids into text.

    Args:
        source: Of source texts.
        target: Of target texts.
        tags: Of tags; None where sources have none. Where they have, a source is ``text TAB tags``.
        tags_attended: Whether tags are among what is attended to.
        copies: Whether tokens can be copied from the source.
    """

    source: Tokenizer
    target: Tokenizer
    tags: Tokenizer | None = None
    tags_attended: bool = False
    copies: bool = False

    def equals(self, other: "PairTokenizer") -> bool:
        """Whether the other makes the same ids and the same columns of weights."""
        return self._content() == other._content()

    def _content(self) -> tuple[str | bool, ...]:
        tags = "" if self.tags is None else self.tags.to_json()
        decomposed = self.source.decomposed
        return self.source.to_json(), self.target.to_json(), tags, decomposed, self.tags_attended, self.copies

    def fault(self, source: str, ids: Sequence[int], tags: Sequence[int], *, most: int) -> str:
        """Why nothing can be made of a source that has tokens; '' if something can.

        Args:
            source: As text.
            ids: Its ids.
            tags: Those of its tags.
            most: Tokens and tags at most.
        """
        if ids and len(ids) + len(tags) > most:
            return f"{len(ids) + len(tags):,} source tokens, the limit is {most:,}"
        if ids and self.tags is not None and split_tags(source)[1] is None:
            return "no tags, wanted source TAB tags"
        return ""

    def text_of(self, source: str) -> str:
        """A source without its tags."""
        return source if self.tags is None else split_tags(source)[0]

    def encode_sources(self, sources: Sequence[str]) -> list[EncodedSource]:
        """The ids of many sources; a text that is empty, or white space alone, has none."""
        texts = [text if text.strip() else "" for text in map(self.text_of, sources)]
        all_ids = self.source.encode_ids(texts)
        tags: list[list[int]] = [[] for _ in texts]
        if self.tags is not None:
            tags = self.tags.encode_ids([tags_as_symbols(split_tags(source)[1] or "") for source in sources])
        if not self.copies:
            return [EncodedSource(*ids, [], []) for ids in zip(all_ids, tags, strict=True)]
        copied = (self._copy_ids(text) for text in texts)
        return [EncodedSource(ids, of_tags, *copy) for ids, of_tags, copy in zip(all_ids, tags, copied, strict=True)]

    def forbidden_ids(self, texts: Sequence[str], source: EncodedSource) -> list[list[int]]:
        """The runs of ids that write given texts, copies of the source's tokens included.

        Where a word is preceded by a space, as it is by most, and where it is not, it is another token.
        """
        runs = []
        for text in texts:
            names = self.target.names(text)
            for first in dict.fromkeys([*names[:1], *(name.removeprefix(" ") for name in names[:1])]):
                ids = [self._id_of(name, source) for name in (first, *names[1:])]
                if ids and None not in ids:
                    runs.append([number for number in ids if number is not None])
        return runs

    def required_ids(self, texts: Sequence[str], source: EncodedSource) -> list[tuple[int, ...] | None]:
        """The run of ids that writes each of given texts; None where it has a token that is unknown."""
        runs: list[tuple[int, ...] | None] = []
        for text in texts:
            ids = [self._id_of(name, source) for name in self.target.names(text)]
            known = tuple(number for number in ids if number is not None)
            runs.append(known if len(known) == len(ids) else None)
        return runs

    def _id_of(self, name: str, source: EncodedSource) -> int | None:
        known = self.target.id_of(name)
        if known is None and name in source.copied:
            return self.target.vocab_size + source.copied.index(name)
        return known

    def _copy_ids(self, text: str) -> tuple[list[int], list[str]]:
        extra: dict[str, int] = {}
        ids = []
        for name in self.source.names(text):
            known = self.target.id_of(name)
            ids.append(known if known is not None else extra.setdefault(name, self.target.vocab_size + len(extra)))
        return ids, list(extra)

    def encode_pairs(self, sources: Sequence[str], targets: Sequence[str]) -> list[Example]:
        """The ids of pairs; a target token that is unknown, but stands in the source, has the id of its copy."""
        encoded = self.encode_sources(sources)
        target_ids = self.target.encode_ids(targets)
        examples = []
        for source, target, ids in zip(encoded, targets, target_ids, strict=True):
            if source.copied and UNK in ids:
                extra = {name: self.target.vocab_size + number for number, name in enumerate(source.copied)}
                names = self.target.names(target)
                ids = [extra.get(name, UNK) if i == UNK else i for i, name in zip(ids, names, strict=True)]
            examples.append(Example(source.ids, ids, source.tags, source.copy_ids))
        return examples

    def source_names(self, source: str) -> list[str]:
        """The name that each token of a source's text has in its vocabulary, or would have."""
        return self.source.names(self.text_of(source))

    def target_name(self, source_name: str, word: str) -> str:
        """The name that a word has as a target token where it stands for a source token of the given name."""
        if self.target.token_type not in ("word", "bpe"):
            return word
        begins = source_name.startswith(" ") or self.source.token_type != self.target.token_type
        return f" {word}" if begins else word

    def source_tokens(self, source: str) -> list[str]:
        """What is attended to of a source, as text: its tokens, and its tags if they are attended to."""
        tokens = self.source.encode(self.text_of(source)).tokens
        if self.tags is None or not self.tags_attended:
            return tokens
        return tokens + self.tags.encode(tags_as_symbols(split_tags(source)[1] or "")).tokens
