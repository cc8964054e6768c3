"""Every fault of the user gets its own message and exit code 2, and nothing is half-written."""

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import refused, run


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.tsv"
    path.write_text("".join(f"a{letter}\t{letter}a\n" for letter in "bcdefghijklmnopqrstuv"), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "bad.tsv: no such file"),
        (b"", "bad.tsv: empty, wanted at least one pair"),
        (b"a\tb\nonly\n", "bad.tsv: line 2: 1 column 'only', wanted 2 (source TAB target)"),
        (b"a\tb\tc\n", "bad.tsv: line 1: 3 columns, wanted 2 (source TAB target); the third is 'c'"),
        (b"a\tb\ncaf\xe9\tb\n", "bad.tsv: line 2: byte 0xe9 at offset 3 of the line is not UTF-8"),
    ],
)
@pytest.mark.parametrize("option", ["--data", "--valid"])
def test_files_of_pairs(tmp_path: Path, good: Path, content: bytes | None, message: str, option: str) -> None:
    bad = tmp_path / "bad.tsv"
    if content is not None:
        bad.write_bytes(content)
    files: list[str | Path] = ["--data", bad] if option == "--data" else ["--data", good, "--valid", bad]
    assert message in refused("train", *files, "--out", tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_directory_in_place_of_a_file(tmp_path: Path) -> None:
    assert "is a directory, wanted a text file" in refused("train", "--data", tmp_path, "--out", tmp_path / "model")


def test_unequal_parallel_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x\n" * 3)
    (tmp_path / "b").write_text("y\n" * 2)
    message = refused("train", "--source", tmp_path / "a", "--target", tmp_path / "b", "--out", tmp_path / "m")
    assert "a has 3 lines" in message
    assert "b has 2;" in message


def test_no_pairs_named(tmp_path: Path) -> None:
    message = refused("train", "--out", tmp_path / "m")
    assert "wanted either --data FILE.tsv, or --source FILE and --target FILE" in message


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("training.learing_rate=1", "training.learing_rate: no such key; did you mean training.learning_rate?"),
        ("training.seed=many", "training.seed: got 'many'; input should be a valid integer"),
    ],
)
def test_configuration(tmp_path: Path, good: Path, setting: str, message: str) -> None:
    assert message in refused("train", "--data", good, "--out", tmp_path / "m", "--set", setting)


def test_source_tokens_of_no_kind(tmp_path: Path, good: Path) -> None:
    message = refused("train", "--data", good, "--out", tmp_path / "m", "--source-tokens", "chars")
    assert "tokens.source.type: got 'chars'" in message


@pytest.mark.parametrize("command", ["translate", "evaluate", "plot"])
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("missing", "source.tokenizer.json missing"),
        ("truncated", "model.safetensors: damaged or not a weights file"),
        ("none", "no such directory; wanted a model directory"),
    ],
)
def test_model_directories(
    reverse_directory: Path, good: Path, tmp_path: Path, command: str, damage: str, message: str
) -> None:
    model = tmp_path / "model"
    if damage != "none":
        shutil.copytree(reverse_directory, model)
    if damage == "missing":
        (model / "source.tokenizer.json").unlink()
    if damage == "truncated":
        os.truncate(model / "model.safetensors", 1000)
    rest: dict[str, list[str | Path]] = {
        "translate": [],
        "evaluate": ["--data", good],
        "plot": ["abc", "-o", tmp_path / "a.svg"],
    }
    assert message in refused(command, model, *rest[command])


def test_an_input_file_of_translate(reverse_directory: Path, tmp_path: Path) -> None:
    assert "nowhere: no such file" in refused("translate", reverse_directory, tmp_path / "nowhere")
    assert "standard input: line 1: byte 0xff at offset 1" in refused("translate", reverse_directory, stdin=b"a\xff")


def test_n_best(reverse_directory: Path) -> None:
    assert "one line per source; use tsv or jsonl" in refused("translate", reverse_directory, "--n-best", "2")
    message = refused("translate", reverse_directory, "--n-best", "5", "--beam", "2", "--format", "tsv")
    assert "--n-best is 5 and the beam size 2; wanted n-best at most beam size" in message
    message = refused("translate", reverse_directory, "--n-best", "7", "--format", "tsv")
    assert "--n-best is 7 and the beam size 5" in message


def test_an_output_that_is_the_input(reverse_directory: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("abc\n")
    message = refused("translate", reverse_directory, tmp_path / "text", "-o", tmp_path / "." / "text")
    assert "text: is the input; wanted another file to write" in message
    assert (tmp_path / "text").read_text() == "abc\n"


def test_standard_output_without_space(reverse_directory: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "seq2see", "translate", str(reverse_directory)],
            input=b"abc\n",
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"seq2see: standard output: cannot be written: No space left on device\n"


def test_plots(reverse_directory: Path, tmp_path: Path) -> None:
    assert "ending is '.gif', wanted one of .svg, .png, .html" in refused(
        "plot", reverse_directory, "abc", "-o", tmp_path / "a.gif"
    )
    assert "text is '', which has no tokens" in refused("plot", reverse_directory, "", "-o", tmp_path / "a.svg")
    message = refused("plot", reverse_directory, "x" * 3000, "-o", tmp_path / "a.svg")
    assert "3,000 source tokens, the limit is 2,000" in message


def test_output_that_cannot_be_written(reverse_directory: Path, good: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    below = tmp_path / "file" / "x"
    assert "cannot be written" in refused("translate", reverse_directory, good, "-o", below)
    assert "cannot be written" in refused("train", "--data", good, "--out", below)
    assert "is a file, wanted a directory" in refused("train", "--data", good, "--out", tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_a_model_that_is_there_already(reverse_directory: Path, good: Path) -> None:
    before = (reverse_directory / "model.safetensors").read_bytes()
    message = refused("train", "--data", good, "--out", reverse_directory)
    assert "holds a model already; choose another --out, or give --overwrite" in message
    assert (reverse_directory / "model.safetensors").read_bytes() == before


def run_with_small_files(limit: int, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Run with a limit on the size of files, which stands for a disk that becomes full while writing."""

    def limit_files() -> None:
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [sys.executable, "-m", "seq2see", *map(str, arguments)],
        capture_output=True,
        check=False,
        preexec_fn=limit_files,
    )


def test_no_space_for_the_model(good: Path, tmp_path: Path) -> None:
    done = run_with_small_files(20_000, "train", "--data", good, "--out", tmp_path / "m", "--threads", "1")
    message = done.stderr.decode()
    assert done.returncode == 2, message
    assert "model.safetensors: cannot be written: File too large" in message
    assert "Traceback" not in message
    assert not any(path.name.startswith(".") or path.suffix == ".safetensors" for path in (tmp_path / "m").iterdir())


def test_no_space_for_an_output_leaves_the_old_one(reverse_directory: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    source.write_text("abcdefgh\n" * 500)
    out.write_text("old")
    done = run_with_small_files(1000, "translate", reverse_directory, source, "-o", out, "--beam", "1")
    assert done.returncode == 2
    assert b"out: cannot be written" in done.stderr
    assert out.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_unknown_commands_and_options() -> None:
    for arguments in (["trian"], ["train", "--dta", "x"], ["demo", "--minutes", "-1"]):
        done = run(*arguments)
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr


def test_settings_and_prefixes_that_do_not_fit(reverse_directory: Path, tmp_path: Path) -> None:
    texts, prefixes = tmp_path / "t.txt", tmp_path / "p.txt"
    texts.write_text("a\nb\n")
    prefixes.write_text("x\n")
    message = refused("translate", reverse_directory, texts, "--prefix", prefixes)
    assert "t.txt has 2 lines and" in message
    assert "p.txt has 1; wanted as many" in message
    message = refused("translate", reverse_directory, texts, "--lexicon", prefixes)
    assert "it wants --set search.copy_unknown=true" in message
    message = refused("translate", reverse_directory, texts, "--set", "training.seed=3")
    assert "wanted search.key=value" in message
    message = refused("translate", reverse_directory, texts, "--set", "search.beam=3")
    assert "search.beam: no such key; did you mean search.beam_size?" in message


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--weights"], "--weights is for --format jsonl, got text"),
        (["--format", "jsonl", "--alignments", "pharaoh"], "--alignments is for text and tsv"),
        (["--npz", "same.txt", "-o", "same.txt"], "same.txt: is the input or the output"),
    ],
)
def test_options_that_have_no_place(tmp_path: Path, options: list[str], told: str) -> None:
    """They are refused before the model is read, so none is needed."""
    (tmp_path / "in.txt").write_text("abc\n")
    assert told in refused("translate", tmp_path / "model", tmp_path / "in.txt", *options)
