"""What users of other toolkits met with in their files: empty lines, odd line ends, unequal files, encodings."""

import codecs
import re
from pathlib import Path

import pytest

from seq2see.bundle import save_bundle
from seq2see.data.doctor import Level, examine
from seq2see.data.pairs import Pair, read_parallel, read_tsv
from seq2see.data.special import EOS, UNK
from seq2see.data.text_file import decode_lines
from seq2see.data.tokenizer import TokenType
from seq2see.data.tokenizer_training import train_tokenizer
from seq2see.errors import DataError
from seq2see.inference import Translator, load
from seq2see.training import Processes
from seq2see.training.guidance import with_links
from seq2see.training.preparation import prepare
from tests.cli.running import run
from tests.small import small_translator
from tests.toys import reverse_pairs
from tests.training.test_run import tiny

SEPARATORS = ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\r", "\x00"]
BLANK = [" ", "   ", "\t", " \t ", "\u00a0", "\u3000", "\u2028", "\x0c"]


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode("utf-8"))
    return path


def test_an_empty_line_in_the_input_whatever_the_locale(tmp_path: Path, translator: Translator) -> None:
    """joeynmt#183: an empty line in the input; fairseq#4883, tensorflow/nmt#240: UnicodeDecodeError by the locale."""
    save_bundle(tmp_path / "model", translator.bundle, {}, "")
    raw = "a b\n\n\n c\nünï → 你好\n".encode()
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    arguments: list[str | Path] = ["translate", tmp_path / "model", "--format", "tsv", "--threads", "1"]
    done = run(*arguments, "--set", "search.min_length=1", stdin=raw, **locale)
    assert done.returncode == 0, done.stderr.decode()
    rows = [line.split("\t") for line in done.stdout.decode("utf-8").split("\n")]
    assert rows.pop() == [""]
    assert [row[0] for row in rows] == ["a b", "", "", " c", "ünï → 你好"]
    assert [bool(row[1]) for row in rows] == [True, False, False, True, True]


@pytest.mark.parametrize("settings", [[], ["model.decoder.copies=true"], ["model.encoder.tags=attended"]])
@pytest.mark.parametrize("blank", BLANK)
def test_a_blank_line_stays_blank(blank: str, settings: list[str]) -> None:
    """OpenNMT-py#252, #772, ufal/lindat-translation#61, silnlp#136: a line of one space is translated as a sentence."""
    spaces = train_tokenizer(["ab \t\u00a0\u3000\u2028\x0c"], "char", vocab_size=None, min_frequency=1)
    translator = small_translator(*settings, tokenizer=spaces)
    tags = "\tN;PL" if translator.tokenizers.tags else ""
    before, found, after = translator.with_search(min_length=1).translate([f"ab{tags}", blank + tags, f"ba{tags}"])
    assert (found.text, found.tokens, found.problem) == ("", [], "")
    assert before.text
    assert after.text


def test_a_blank_line_is_not_scored(translator: Translator) -> None:
    """silnlp#136: blank stays blank, in scoring too."""
    blank, full = translator.score([" ", "ab"], ["x", "x"])
    assert blank.problem == "the source has no tokens"
    assert full.problem == ""


def test_an_empty_output_says_whether_the_model_chose_it() -> None:
    """OpenNMT-py#1934: empty lines in the output for lines that are not empty, and no way to tell why."""
    silent = small_translator(spread=1.0)
    silent.model.decoder.get_parameter("output.output_projection.bias").data[EOS] = 50.0
    chosen, too_long = silent.translate(["abc", "x" * 3000])
    assert (chosen.text, too_long.text) == ("", "")
    assert chosen.problem == ""
    assert chosen.log_prob == pytest.approx(0.0, abs=1e-6)  # the model is certain
    assert "3,000 source tokens" in too_long.problem
    assert too_long.log_prob != too_long.log_prob  # NaN: there was no search
    for beam in (1, 4):
        for one in silent.with_search(min_length=1).translate(["abc", "x", "hello"], beam=beam):
            assert one.text != ""


@pytest.mark.parametrize("char", SEPARATORS, ids=ascii)
def test_unusual_line_breaks_stay_inside_their_lines(tmp_path: Path, char: str) -> None:
    """OpenNMT-py#299, #1687, #569, #1227, OpenNMT#489: unequal numbers of lines though ``wc -l`` agrees."""
    source, target = write(tmp_path / "a", f"one{char}two\nthree\n"), write(tmp_path / "b", "1\n2\n")
    assert read_parallel(source, target) == [Pair(f"one{char}two", "1"), Pair("three", "2")]
    table = write(tmp_path / "c.tsv", f"one{char}two\t1\nthree\t2\n")
    assert read_tsv(table) == [Pair(f"one{char}two", "1"), Pair("three", "2")]
    (told,) = [finding for finding in examine([table]).findings if "in the source" in finding.what]
    assert told.places == [(str(table), 1)]


@pytest.mark.parametrize("token_type", ["char", "space", "word", "bpe"])
def test_line_breaks_and_odd_words_in_a_vocabulary(tmp_path: Path, token_type: TokenType) -> None:
    """subword-nmt#92, OpenNMT-py#723: vocabulary files break at U+2028, at blank lines and at spaces."""
    words = [" ", "\u3000", "#", "<unk>", "\t", "#version: 0.2", *SEPARATORS]
    texts = [f"a{word}b {word} c" for word in words]
    tokenizer = train_tokenizer(texts, token_type, vocab_size=300, min_frequency=1)
    save_bundle(tmp_path / "model", small_translator(tokenizer=tokenizer).bundle, {}, "")
    again = load(tmp_path / "model").tokenizers.source
    assert again.vocab_size == tokenizer.vocab_size
    for text in texts:
        assert again.encode(text) == tokenizer.encode(text)
        assert UNK not in again.encode(text).ids
        if token_type != "space":
            assert again.decode(again.encode(text).ids) == text


def test_unequal_numbers_are_refused_with_both(tmp_path: Path, translator: Translator) -> None:
    """fairseq#1475, transformers#4010: source and target counts differ, and the rest is dropped without a word."""
    source, target = write(tmp_path / "a.src", "x\n" * 3), write(tmp_path / "a.tgt", "y\n" * 2)
    with pytest.raises(DataError, match=r"a\.src has 3 lines and .*a\.tgt has 2;"):
        read_parallel(source, target)
    with pytest.raises(DataError, match=r"a\.tgt has 2 lines and .*a\.src has 3;"):
        read_parallel(target, source)
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        translator.score(["a", "b", "c"], ["x", "y"])


@pytest.mark.parametrize("pair", [Pair("", "x"), Pair("x", ""), Pair(" ", "x"), Pair("x", "\u3000")])
def test_an_empty_side_is_listed_and_dropped_with_its_other_side(tmp_path: Path, pair: Pair) -> None:
    """stefan-it/nmt-en-vi#6, NTREX#3: blank lines deleted on one side set the corpus off by one."""
    good = [Pair("a b", "A B"), Pair("c d", "C D"), Pair("e f", "E F")]
    path = write(tmp_path / "a.tsv", "".join(f"{p.source}\t{p.target}\n" for p in (good[0], pair, *good[1:])))
    side = "target" if pair.source == "x" else "source"
    found = {finding.what: finding for finding in examine([path]).findings if finding.level is Level.harms}
    assert found[f"the {side} is empty; such pairs are left out of training"].places == [(str(path), 2)]
    prepared = prepare(tiny("tokens.source.type=char", "tokens.target.type=char"), read_tsv(path), good, Processes())
    assert "left out 1 pairs with an empty source or target" in prepared.notes
    decode = (prepared.bundle.tokenizers.source.decode, prepared.bundle.tokenizers.target.decode)
    assert [Pair(decode[0](one.source), decode[1](one.target)) for one in prepared.examples] == good


def test_a_fault_in_a_column_names_file_line_and_text(tmp_path: Path) -> None:
    """sockeye#1013, #1098: "not token-parallel" prints lists of ids in place of the line."""
    path = write(tmp_path / "a.tsv", "walk\twalked\tV;PST\ngo\twent\n")
    with pytest.raises(DataError, match=re.escape(f"{path}: line 2: 2 columns, wanted 3 columns")):
        read_tsv(path, tags=True)
    path = write(tmp_path / "b.tsv", "walk\twalked\ngo went\n")
    with pytest.raises(DataError, match=re.escape(f"{path}: line 2: 1 column 'go went', wanted 2")):
        read_tsv(path)
    links = write(tmp_path / "links", "0-0\n0-1\n")
    with pytest.raises(DataError, match=re.escape(f"{links}: line 2: 0-1 is no link between a source of 1 words")):
        with_links([Pair("walk", "walked"), Pair("go", "went")], links, tags=False)


def test_quotation_marks_swallow_nothing(tmp_path: Path) -> None:
    """yoyodyne reads TSV with quoting: a field that begins with a quotation mark takes tabs and lines with it."""
    path = write(tmp_path / "a.tsv", '"a\tb\nc\td"\n"\t"\n')
    assert read_tsv(path) == [Pair('"a', "b"), Pair("c", 'd"'), Pair('"', '"')]


def test_bytes_of_another_encoding_are_named_with_their_place() -> None:
    """sigmorphon/2020#5, OpenNMT-py#784: UnicodeDecodeError without a line."""
    with pytest.raises(DataError, match="x: line 3: byte 0xe9 at offset 3 of the line is not UTF-8"):
        decode_lines(b"a\n\ncaf\xe9\n", "x")
    assert decode_lines(codecs.BOM_UTF8 + "é\n".encode(), "x") == ["é"]


@pytest.mark.parametrize("token_type", ["space", "word", "bpe"])
def test_words_that_look_like_reserved_symbols(token_type: TokenType) -> None:
    """nematus#55: a corpus with the word UNK or eos collides with the special symbols and crashes."""
    words = "UNK eos <s> </s> <unk> <pad> <s>\u2581 [PAD] <|endoftext|>"
    pairs = [*reverse_pairs(20), *[Pair(words, words)] * 5]
    config = tiny(*(f"tokens.{side}.type={token_type}" for side in ("source", "target")))
    prepared = prepare(config, pairs, pairs, Processes())
    for example in prepared.examples:
        assert min([*example.source, *example.target]) > EOS
    target = prepared.bundle.tokenizers.target
    assert target.decode(target.encode(words).ids) == words
