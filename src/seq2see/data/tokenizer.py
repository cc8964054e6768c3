"""Text to token ids and back."""

import json
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import tokenizers

from seq2see.data.special import RESERVED, UNK
from seq2see.decomposition import decompose
from seq2see.errors import BundleError

TokenType: TypeAlias = Literal["char", "space", "word", "bpe"]


class Encoding(NamedTuple):
    """A text as tokens.

    Args:
        ids: Token ids; unknown tokens and reserved symbols have the id of UNK.
        tokens: What each token covers of the text; of the decomposed one, where it is decomposed.
        offsets: Where it stands in the raw text: first character, and one past the last.
    """

    ids: list[int]
    tokens: list[str]
    offsets: list[tuple[int, int]]


class Tokenizer:
    """A trained tokenizer of one side.

    ``decode(encode(text).ids)`` gives the text back, whitespace and combining marks included, as long as no
    token is unknown; the type ``space`` alone folds runs of spaces.

    Args:
        token_type: What a token is.
        backend: The tokenizer of the ``tokenizers`` library that does the work.
        decomposed: Whether texts are decomposed before they are cut; ``decode`` then gives the decomposed text.

    Raises:
        BundleError: The vocabulary does not begin with the reserved symbols.
    """

    def __init__(self, token_type: TokenType, backend: tokenizers.Tokenizer, *, decomposed: bool = False) -> None:
        for number, name in enumerate(RESERVED):
            if backend.token_to_id(name) != number:
                raise BundleError(f"id {number} of the vocabulary is not the reserved symbol {name.strip()}")
        self.token_type: TokenType = token_type
        self.decomposed = decomposed
        self._backend = backend

    @property
    def vocab_size(self) -> int:
        """Number of tokens, the reserved symbols included."""
        return int(self._backend.get_vocab_size())

    def encode(self, text: str) -> Encoding:
        """Cut a text into tokens."""
        origins: list[int] | None = None
        if self.decomposed:
            text, origins = decompose(text)
        encoded = self._backend.encode(text, add_special_tokens=False)
        ids = [number if number >= len(RESERVED) else UNK for number in encoded.ids]
        starts = [int(start) for start, _ in encoded.offsets]
        following = [*starts[1:], len(text)][: len(starts)]
        # the space that is put before a text of words covers none of it
        ends = [min(int(end), start) for (_, end), start in zip(encoded.offsets, following, strict=True)]
        offsets = list(zip(starts, ends, strict=True))
        tokens = [text[start:end] for start, end in offsets]
        if origins is not None:
            offsets = [(origins[start], origins[end - 1] + 1) for start, end in offsets]
        return Encoding(ids, tokens, offsets)

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of many texts."""
        lines = [decompose(text)[0] for text in texts] if self.decomposed else list(texts)
        encoded = self._backend.encode_batch(lines, add_special_tokens=False)
        return [[number if number >= len(RESERVED) else UNK for number in one.ids] for one in encoded]

    def names(self, text: str) -> list[str]:
        """The name in the vocabulary that each token of a text has, or would have if it were known."""
        names = self.encode(text).tokens
        if self.token_type in ("bpe", "word") and names:
            names[0] = f" {names[0]}"
        return names

    def id_of(self, name: str) -> int | None:
        """The id of a token, if it is known."""
        number = self._backend.token_to_id(name)
        return None if number is None or number < len(RESERVED) else int(number)

    def decode(self, ids: Sequence[int], copied: Sequence[str] = ()) -> str:
        """Join tokens to text; reserved symbols give nothing.

        Args:
            ids: Token ids.
            copied: Names of the ids from the vocabulary's size on.
        """
        names = [self._name(number, copied) for number in ids if number >= len(RESERVED)]
        if self.token_type == "space":
            return " ".join(names)
        text = "".join(names)
        return text.removeprefix(" ") if self.token_type in ("bpe", "word") else text

    def _name(self, number: int, copied: Sequence[str]) -> str:
        if number >= self.vocab_size:
            return copied[number - self.vocab_size]
        return self._backend.id_to_token(number) or ""

    def surface(self, ids: Sequence[int], copied: Sequence[str] = ()) -> list[str]:
        """What each id stands for, as text; without unknown tokens their concatenation is the decoded text.

        For the type ``space`` the text has a space between tokens as well; for ``bpe`` and ``word`` the space
        before a word belongs to its first token.
        """
        names = [self._name(number, copied) for number in ids]
        tokens = [name.strip("\n") if number < len(RESERVED) else name for number, name in zip(ids, names, strict=True)]
        if self.token_type in ("bpe", "word") and tokens:
            tokens[0] = tokens[0].removeprefix(" ")
        return tokens

    def to_json(self) -> str:
        """The whole tokenizer as one JSON text."""
        return json.dumps(json.loads(self._backend.to_str()), ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, token_type: TokenType, text: str, *, decomposed: bool = False) -> "Tokenizer":
        """Read what ``to_json`` wrote.

        Raises:
            BundleError: The text is not a tokenizer.
        """
        try:
            backend = tokenizers.Tokenizer.from_str(text)
        except Exception as error:  # noqa: BLE001 (the library raises bare Exception)
            raise BundleError(f"not a tokenizer: {error}") from None
        return cls(token_type, backend, decomposed=decomposed)
