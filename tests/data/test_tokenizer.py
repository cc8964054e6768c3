import unicodedata
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seq2see.data.special import EOS, RESERVED, UNK
from seq2see.data.tokenizer import Tokenizer, TokenType
from seq2see.data.tokenizer_training import train_tokenizer
from seq2see.errors import BundleError

TYPES: tuple[TokenType, ...] = get_args(TokenType)
TEXTS = [
    "Hello there, world!  It's 25 °C ",
    " two  spaces   in front",
    "e\u0301te\u0301 nai\u0308ve",
    "你好，世界。",
    "日本語のテスト、がんばって",
    "<s> <unk> </s> <pad> ▁ \u2028 \u3000 \x00",
    "\u0645\u0631\u062d\u0628\u0627",
    "ab\tcd",
]


def make(token_type: TokenType, texts: list[str] = TEXTS) -> Tokenizer:
    return train_tokenizer(texts, token_type, vocab_size=400, min_frequency=1)


@pytest.mark.parametrize("token_type", ["char", "word", "bpe"])
@pytest.mark.parametrize("text", TEXTS)
def test_round_trip_of_known_text(token_type: TokenType, text: str) -> None:
    tokenizer = make(token_type)
    ids = tokenizer.encode(text).ids
    assert UNK not in ids
    assert tokenizer.decode(ids) == text
    assert "".join(tokenizer.surface(ids)) == text


@settings(deadline=None, max_examples=200, derandomize=True)
@given(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])))
def test_round_trip_of_any_text_whose_characters_are_known(text: str) -> None:
    kinds: tuple[TokenType, ...] = ("char", "bpe")
    for token_type in kinds:
        tokenizer = make(token_type, ["".join(dict.fromkeys(" " + text)), text])
        assert tokenizer.decode(tokenizer.encode(text).ids) == text


def test_space_tokens() -> None:
    tokenizer = make("space", ["h o zː aː", "j aː r u l"])
    assert tokenizer.encode("zː aː  r").tokens == ["zː", "aː", "r"]
    assert tokenizer.decode(tokenizer.encode("zː aː  r").ids) == "zː aː r"


@pytest.mark.parametrize("token_type", TYPES)
def test_offsets_and_tokens_are_of_the_raw_text(token_type: TokenType) -> None:
    tokenizer = make(token_type)
    for text in TEXTS:
        encoded = tokenizer.encode(text)
        assert encoded.tokens == [text[start:end] for start, end in encoded.offsets]
        if token_type != "space":
            assert "".join(encoded.tokens) == text


@pytest.mark.parametrize("token_type", TYPES)
def test_reserved_symbols_cannot_come_from_text(token_type: TokenType) -> None:
    for texts in (TEXTS, ["<s> <unk> </s> <pad>"] * 50, [" ".join(RESERVED)] * 50):
        tokenizer = make(token_type, texts)
        for text in ["<s>", "</s>", "<unk>", "<pad>", *RESERVED, " ".join(RESERVED)]:
            assert all(number == UNK or number > EOS for number in tokenizer.encode(text).ids)


def test_a_word_that_looks_reserved_is_an_ordinary_word() -> None:
    tokenizer = make("space")
    assert tokenizer.decode(tokenizer.encode("<s> <unk> </s>").ids) == "<s> <unk> </s>"


@pytest.mark.parametrize("token_type", TYPES)
def test_unknown_characters_do_not_crash(token_type: TokenType) -> None:
    tokenizer = make(token_type)
    assert UNK in tokenizer.encode("ɮ").ids
    assert tokenizer.encode("").ids == []


@pytest.mark.parametrize("token_type", TYPES)
def test_json_round_trip(token_type: TokenType) -> None:
    tokenizer = make(token_type)
    again = Tokenizer.from_json(token_type, tokenizer.to_json())
    assert again.to_json() == tokenizer.to_json()
    for text in TEXTS:
        assert again.encode(text) == tokenizer.encode(text)


@pytest.mark.parametrize("token_type", TYPES)
def test_training_twice_gives_the_same(token_type: TokenType) -> None:
    assert make(token_type).to_json() == make(token_type).to_json()


def test_rare_characters_are_unknown_in_every_type() -> None:
    texts = ["ab ba ab", "ba ab ba", "☃ ab"]
    for token_type in TYPES:
        tokenizer = train_tokenizer(texts, token_type, vocab_size=100, min_frequency=2)
        assert UNK in tokenizer.encode("☃").ids
        assert UNK not in tokenizer.encode("ab").ids


def test_combining_marks_stay_with_their_letters_in_words() -> None:
    decomposed = unicodedata.normalize("NFD", "été là")
    assert make("word", [decomposed]).encode(decomposed).tokens == [
        unicodedata.normalize("NFD", "été"),
        unicodedata.normalize("NFD", " là"),
    ]


def test_a_foreign_tokenizer_is_refused() -> None:
    with pytest.raises(BundleError, match="not a tokenizer"):
        Tokenizer.from_json("char", "{}")
    text = make("char").to_json().replace("<s>\\n", "<bos>")
    with pytest.raises(BundleError, match="id 2 of the vocabulary is not the reserved symbol <s>"):
        Tokenizer.from_json("char", text)


def test_decomposed_texts_are_cut_into_parts() -> None:
    tokenizer = train_tokenizer(["각 é"], "char", vocab_size=None, min_frequency=1, decomposed=True)
    encoding = tokenizer.encode("é각")
    assert encoding.tokens == ["e", "\u0301", "\u1100", "\u1161", "\u11a8"]
    assert encoding.offsets == [(0, 1), (0, 1), (1, 2), (1, 2), (1, 2)]
    assert tokenizer.encode_ids(["é각"]) == [encoding.ids]
    assert tokenizer.encode_ids(["e\u0301\u1100\u1161\u11a8"]) == [encoding.ids]
    again = Tokenizer.from_json("char", tokenizer.to_json(), decomposed=True)
    assert again.encode("é각") == encoding
