"""Train, translate, evaluate and plot, from files to files."""

import json
from pathlib import Path

import numpy as np
import pytest

from seq2see.int8 import has_int8
from tests.cli.running import refused, run
from tests.toys import reverse_pairs, strings, tsv


def write_pairs(path: Path, count: int, seed: int) -> Path:
    path.write_text(tsv(reverse_pairs(count, seed=seed)), encoding="utf-8")
    return path


def test_train_and_use(tmp_path: Path) -> None:
    done = run(
        "train",
        "--data",
        write_pairs(tmp_path / "train.tsv", 200, 0),
        "--valid",
        write_pairs(tmp_path / "valid.tsv", 20, 1),
        "--out",
        tmp_path / "[model] :smile:",
        "--set",
        "training.max_updates=10",
        "--set",
        "model.encoder.hidden_size=8",
        "--threads",
        "1",
        "--seed",
        "3",
        "--report",
        tmp_path / "report.html",
    )
    log = done.stderr.decode("utf-8")
    assert done.returncode == 0, log
    assert done.stdout == b""
    assert "tokens.source.type = char (1.0 words a line)" in log
    assert f"the best model is in {tmp_path}/[model] :smile:" in log
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "\x1b" not in log  # no bar and no colours where nobody watches
    assert (tmp_path / "[model] :smile:" / "history.jsonl").read_text()
    assert "seed: 3" in (tmp_path / "[model] :smile:" / "config.yaml").read_text()


def test_report_of_an_evaluation(reverse_directory: Path, tmp_path: Path) -> None:
    pairs, report = write_pairs(tmp_path / "test.tsv", 30, 1), tmp_path / "r.html"
    pairs.write_text(pairs.read_text() + "<b>\t<i>x</i>\n")
    assert run("evaluate", reverse_directory, "--data", pairs, "--report", report).returncode == 0
    text = report.read_text(encoding="utf-8")
    assert text.count("<svg") == 1
    assert text.count('"note": "best: ') == 5
    assert text.count('"note": "worst: ') == 5
    assert "exact_match" in text
    assert "<i>x</i>" not in text  # nothing of the data is markup
    assert "http" not in text.replace("http://www.w3.org/", "").replace("http://purl.org/", "").replace(
        "https://matplotlib.org/", ""
    ).replace("http://creativecommons.org/", "")


def test_parallel_files(tmp_path: Path) -> None:
    for name in ("a.src", "a.tgt"):
        (tmp_path / name).write_text("".join(f"{text}\n" for text in strings(50)), encoding="utf-8")
    files: list[str | Path] = ["--source", tmp_path / "a.src", "--target", tmp_path / "a.tgt"]
    done = run("train", *files, "--out", tmp_path / "m", "--set", "training.max_updates=2", "--threads", "1")
    assert done.returncode == 0, done.stderr.decode()
    done = run("evaluate", tmp_path / "m", *files, "--json", tmp_path / "figures.json", "--threads", "1")
    assert done.returncode == 0, done.stderr.decode()
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert set(figures) == {"metrics", "signatures", "by_length", "pairs", "sources"}
    assert set(figures["metrics"]) == {
        *("exact_match", "token_error_rate", "wer", "cer", "bleu", "chrf", "ter", "perplexity")
    }
    assert figures["pairs"] == 50


LINES = ["abc", "", "zyx", " ", "\u2028", "q" * 3000, "ünï你", "a\x00b", "\x0c"]


@pytest.mark.parametrize("beam", ["1", "3"])
def test_one_output_line_for_every_input_line(reverse_directory: Path, tmp_path: Path, beam: str) -> None:
    raw = "".join(f"{line}\n" for line in LINES).encode("utf-8")
    (tmp_path / "input").write_bytes(raw)
    piped = run("translate", reverse_directory, "-", "--beam", beam, stdin=raw, PYTHONUTF8="0", LC_ALL="C")
    assert piped.returncode == 0, piped.stderr.decode()
    lines = piped.stdout.decode("utf-8").split("\n")
    assert len(lines) == len(LINES) + 1
    assert lines[:3] == ["cba", "", "xyz"]
    assert lines[5] == ""
    assert "line 6: 3,000 source tokens, the limit is 2,000; not translated" in piped.stderr.decode()
    filed = run("translate", reverse_directory, tmp_path / "input", "-o", tmp_path / "output", "--beam", beam)
    assert filed.returncode == 0
    assert (tmp_path / "output").read_bytes() == piped.stdout


def test_a_last_line_without_line_feed_and_no_line_at_all(reverse_directory: Path) -> None:
    assert run("translate", reverse_directory, stdin=b"ab").stdout == b"ba\n"
    empty = run("translate", reverse_directory, stdin=b"")
    assert (empty.returncode, empty.stdout) == (0, b"")


def test_tsv_and_jsonl(reverse_directory: Path) -> None:
    done = run("translate", reverse_directory, "--format", "tsv", stdin=b"abc\n\n")
    first, second, rest = done.stdout.decode("utf-8").split("\n")
    assert first.split("\t")[:2] == ["abc", "cba"]
    assert first.split("\t")[3] == "c←c b←b a←a"
    assert (second, rest) == ("\t\t0.0000\t", "")
    done = run("translate", reverse_directory, "--format", "jsonl", stdin=b"x" * 3000)
    assert json.loads(done.stdout)["log_prob"] is None
    assert json.loads(done.stdout)["problem"].startswith("3,000 source tokens")
    done = run("translate", reverse_directory, "--format", "jsonl", "--n-best", "3", "--beam", "3", stdin=b"abc\n")
    found = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    assert 1 <= len(found) <= 3
    assert found[0]["text"] == "cba"
    assert found[0]["alignment"] == "2-0 1-1 0-2"
    assert [one["score"] for one in found] == sorted((one["score"] for one in found), reverse=True)


def test_more_lines_than_are_translated_at_once(reverse_directory: Path) -> None:
    texts = [text[:3] for text in strings(4100)]
    done = run("translate", reverse_directory, "--beam", "1", stdin="\n".join(texts).encode())
    assert done.stdout.decode().split("\n")[:-1] == [text[::-1] for text in texts]


@pytest.mark.parametrize("name", ["a.svg", "a.png", "a.html"])
def test_plot(reverse_directory: Path, tmp_path: Path, name: str) -> None:
    done = run("plot", reverse_directory, "hello", "-o", tmp_path / name, "--kind", "lines")
    assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / name).stat().st_size > 1000
    rows = done.stderr.decode().splitlines()
    assert [row[0] for row in rows[:5]] == list("olleh")  # the rendering for the terminal: a row per output token
    assert rows[-1] == f"written to {tmp_path / name}"


def test_plot_of_a_given_target(reverse_directory: Path, tmp_path: Path) -> None:
    done = run("plot", reverse_directory, "abc", "--target", "cb", "-o", tmp_path / "a.html")
    assert done.returncode == 0
    assert '"target": ["c", "b"]' in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_score_gives_what_translate_gave(reverse_directory: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("abc\nhello\nq\n")
    records = [
        json.loads(line)
        for line in run("translate", reverse_directory, texts, "--format", "jsonl").stdout.decode().splitlines()
    ]
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"{record['source']}\t{record['text']}\n" for record in records) + "\tx\n")
    done = run("score", reverse_directory, "--data", pairs)
    assert done.returncode == 0
    assert "pair 4: the source has no tokens; not scored" in done.stderr.decode()
    lines = done.stdout.decode().splitlines()
    assert len(lines) == 4
    for record, line in zip(records, lines, strict=False):
        total, per_token, each = line.split("\t")
        assert float(total) == pytest.approx(record["log_prob"], abs=1e-4)
        assert [float(value) for value in each.split()] == pytest.approx(record["token_log_probs"], abs=1e-4)
        assert float(per_token) == pytest.approx(record["log_prob"] / len(record["token_log_probs"]), abs=1e-4)
    out = tmp_path / "scores.jsonl"
    assert run("score", reverse_directory, "--data", pairs, "--format", "jsonl", "-o", out).returncode == 0
    assert [json.loads(line)["log_prob"] is None for line in out.read_text().splitlines()] == [False] * 3 + [True]


def test_search_as_asked(reverse_directory: Path, tmp_path: Path) -> None:
    texts, prefixes = tmp_path / "texts.txt", tmp_path / "prefixes.txt"
    texts.write_text("abc\nhello\n")
    prefixes.write_text("\nqq\n")
    done = run("translate", reverse_directory, texts, "--prefix", prefixes, "--forbid", "b", "--beam", "2")
    first, second = done.stdout.decode().splitlines()
    assert "b" not in first
    assert second.startswith("qq")
    prefixes.write_text("z\txy\n\n")
    done = run("translate", reverse_directory, texts, "--require", prefixes, "--beam", "3")
    first, second = done.stdout.decode().splitlines()
    assert "z" in first
    assert "xy" in first
    plain = run("translate", reverse_directory, texts, "--beam", "3").stdout.decode().splitlines()
    assert second == plain[1]  # nothing is required of it
    sampled = [
        run("translate", reverse_directory, texts, "--sample", "--n-best", "9", "--format", "tsv").stdout for _ in "ab"
    ]
    assert sampled[0] == sampled[1]
    assert len(sampled[0].splitlines()) == 18
    done = run("translate", reverse_directory, texts, "--set", "search.min_length=9")
    assert all(len(line) >= 9 for line in done.stdout.decode().splitlines())


def test_align_gives_the_anti_diagonal_and_its_error_rate(reverse_directory: Path, tmp_path: Path) -> None:
    pairs, gold = tmp_path / "pairs.tsv", tmp_path / "gold.txt"
    pairs.write_text("abcd\tdcba\nxy\tyx\n")
    gold.write_text("1-4 2-3 3-2 4-1\n1-2 2p1\n")
    done = run("align", reverse_directory, "--data", pairs, "--tokens", "--gold", gold, "--gold-first", "1")
    assert done.stdout.decode() == "0-3 1-2 2-1 3-0\n0-1 1-0\n"
    by_attention = run("align", reverse_directory, "--data", pairs, "--tokens", "--by", "attention")
    assert by_attention.stdout == done.stdout
    assert "precision 100.00 %, recall 100.00 %, AER 0.00 %" in done.stderr.decode()
    both = run("align", reverse_directory, "--data", pairs, "--reverse", reverse_directory)
    assert both.stdout.decode() == "0-0\n0-0\n"  # one word on each side
    record = json.loads(
        run("align", reverse_directory, "--data", pairs, "--tokens", "--format", "jsonl").stdout.decode().split("\n")[0]
    )
    assert record["source"] == ["a", "b", "c", "d"]
    assert len(record["weights"]) == 4
    gold.write_text("0-0\n")
    assert (
        "has 1 lines and there are 2 pairs"
        in run("align", reverse_directory, "--data", pairs, "--gold", gold).stderr.decode()
    )


def test_places_and_weights_in_jsonl(reverse_directory: Path) -> None:
    done = run("translate", reverse_directory, "--format", "jsonl", "--weights", stdin=b"abc\n\n")
    first, empty = (json.loads(line) for line in done.stdout.decode().splitlines())
    assert first["source_spans"] == first["spans"] == [[0, 1], [1, 2], [2, 3]]
    assert [len(row) for row in first["weights"]] == [3, 3, 3]
    assert empty["weights"] == empty["spans"] == []
    assert "weights" not in json.loads(run("translate", reverse_directory, "--format", "jsonl", stdin=b"abc").stdout)


def test_links_beside_each_output_and_weights_as_arrays(reverse_directory: Path, tmp_path: Path) -> None:
    npz = tmp_path / "w.npz"
    arguments: list[str | Path] = ["translate", reverse_directory, "-", "--threads", "1"]
    text = run(*arguments, "--alignments", "pharaoh-tokens", "--npz", npz, stdin=b"abc\n\nxy\n").stdout.decode()
    assert text == "cba ||| 2-0 1-1 0-2\n ||| \nyx ||| 1-0 0-1\n"
    with np.load(npz) as arrays:
        assert arrays["weights_0"].shape == (3, 3)
        np.testing.assert_allclose(arrays["weights_2"].sum(axis=1), 1.0, atol=1e-6)
        assert list(arrays["source_tokens_2"]) == ["x", "y"]
        assert list(arrays["target_tokens_2"]) == ["y", "x"]
        assert arrays["weights_1"].shape == (0, 0)
    tsv_lines = run(
        *arguments, "--format", "tsv", "--alignments", "pharaoh", "--n-best", "2", stdin=b"abc\n"
    ).stdout.decode()
    assert [line.split("\t")[-1] for line in tsv_lines.splitlines()] == ["0-0", "0-0"]  # one word on each side


@pytest.mark.skipif(not has_int8(), reason="the processor has no products of 8-bit integers")
def test_translating_with_integers_reverses_as_well(reverse_directory: Path) -> None:
    texts = "\n".join(pair.source for pair in reverse_pairs(20, seed=9)).encode()
    rows = []
    for precision in ("float32", "int8"):
        done = run("translate", reverse_directory, "--precision", precision, "--format", "tsv", stdin=texts)
        assert done.returncode == 0, done.stderr
        rows.append([line.split("\t") for line in done.stdout.decode().splitlines()])
    same = [one[1] == other[1] for one, other in zip(*rows, strict=True)]
    assert sum(same) >= 19
    assert any(one[2] != other[2] for one, other in zip(*rows, strict=True))  # log-probabilities


def test_several_models_in_one_directory(tmp_path: Path) -> None:
    out = tmp_path / "model"
    small = ("--set", "training.max_updates=3", "--set", "model.encoder.hidden_size=8", "--threads", "1")
    data = ("--data", write_pairs(tmp_path / "train.tsv", 100, 0), "--valid", write_pairs(tmp_path / "valid.tsv", 9, 1))
    done = run("train", *data, "--out", out, *small, "--ensemble", "2", "--tensorboard", tmp_path / "curves")
    log = done.stderr.decode()
    assert done.returncode == 0, log
    assert "model 2 of 2, seed 2" in log
    assert f"the best 2 models are in {out}" in log
    assert {path.name for path in (tmp_path / "curves").iterdir()} == {"1", "2"}
    found = run("translate", out, "--beam", "2", "--threads", "1", stdin=b"abc\n")
    alone = run("translate", out / "members" / "2", "--beam", "2", "--threads", "1", stdin=b"abc\n")
    assert found.returncode == alone.returncode == 0, found.stderr
    assert "holds a model already" in refused("train", *data, "--out", out, *small, "--ensemble", "2")
