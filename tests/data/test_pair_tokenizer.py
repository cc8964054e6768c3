from seq2see.data.pair_tokenizer import PairTokenizer
from seq2see.data.pairs import split_tags
from seq2see.data.tokenizer import TokenType
from seq2see.data.tokenizer_training import train_tokenizer


def tokenizers(kind: TokenType, source: str, target: str) -> PairTokenizer:
    first, second = (train_tokenizer([text], kind, vocab_size=None, min_frequency=1) for text in (source, target))
    return PairTokenizer(first, second, copies=True)


def test_tags_follow_the_last_tab() -> None:
    assert split_tags("walk\tV;PST") == ("walk", "V;PST")
    assert split_tags("a\tb\tV") == ("a\tb", "V")
    assert split_tags("walk") == ("walk", None)


def test_tags_are_encoded_apart_and_shown_where_they_are_attended_to() -> None:
    letters = train_tokenizer(["abc"], "char", vocab_size=None, min_frequency=1)
    tags = train_tokenizer(["V PST"], "space", vocab_size=None, min_frequency=1)
    pairs = PairTokenizer(letters, letters, tags, tags_attended=True)
    (source,) = pairs.encode_sources(["ab\tV;PST"])
    assert len(source.ids) == 2
    assert len(source.tags) == 2
    assert pairs.source_tokens("ab\tV;PST") == ["a", "b", "V", "PST"]
    assert pairs.fault("ab", source.ids, [], most=9) == "no tags, wanted source TAB tags"
    assert pairs.fault("ab\tV", source.ids, source.tags, most=4) == ""
    assert pairs.fault("ab\tV", source.ids, source.tags, most=3) == "4 source tokens, the limit is 3"


def test_unknown_words_of_the_source_are_copied_with_their_spaces() -> None:
    pairs = tokenizers("word", "the man said", "the man spoke")
    (example,) = pairs.encode_pairs(["Zuckerberg said the man"], ["the Zuckerberg spoke"])
    (source,) = pairs.encode_sources(["Zuckerberg said the man"])
    size = pairs.target.vocab_size
    assert source.copied == [" Zuckerberg", " said"]
    assert example.copy_ids == [size, size + 1, pairs.target.id_of(" the"), pairs.target.id_of(" man")]
    assert example.target == [pairs.target.id_of(" the"), size, pairs.target.id_of(" spoke")]
    assert pairs.target.decode(example.target, source.copied) == "the Zuckerberg spoke"
    assert pairs.target.decode([size], source.copied) == "Zuckerberg"
    assert pairs.target.surface([size], source.copied) == ["Zuckerberg"]


def test_symbols_between_spaces_are_copied() -> None:
    pairs = tokenizers("space", "a b", "a c")
    (example,) = pairs.encode_pairs(["x a"], ["c x y"])
    assert pairs.target.decode(example.target, ["x"]) == "c x"  # y stands in neither, and stays unknown


def test_a_copied_word_has_the_spaces_of_its_new_side() -> None:
    words, symbols, letters = (
        train_tokenizer(["the man said a b"], kind, vocab_size=None, min_frequency=1)
        for kind in ("word", "space", "char")
    )
    assert PairTokenizer(words, words).target_name(" Ω", "omega") == " omega"
    assert PairTokenizer(words, words).target_name("Ω", "omega") == "omega"
    assert PairTokenizer(symbols, words).target_name("Ω", "omega") == " omega"
    assert PairTokenizer(words, symbols).target_name(" Ω", "omega") == "omega"
    assert PairTokenizer(letters, letters).target_name("Ω", "Ω") == "Ω"
