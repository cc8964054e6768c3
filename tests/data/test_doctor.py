import json
from pathlib import Path

from seq2see.data.doctor import Level, Place, examine
from seq2see.data.doctor_text import strange_characters
from tests.cli.running import run
from tests.toys import reverse_pairs, tsv


def good(path: Path, count: int = 50, seed: int = 0) -> Path:
    path.write_text(tsv(dict.fromkeys(reverse_pairs(count, seed=seed))), encoding="utf-8")
    return path


def test_what_breaks_training_comes_first_with_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "bad.tsv"
    path.write_bytes(b"a\tb\nonly\n\xff\tx\n\na\tb\n\tempty\nc\td \n")
    diagnosis = examine([path])
    found = {finding.what: (finding.level, finding.count, finding.places) for finding in diagnosis.findings}
    assert diagnosis.breaks_training
    assert found["1 columns, wanted 2"] == (Level.breaks, 1, [Place(str(path), 2)])
    assert found["not UTF-8"] == (Level.breaks, 1, [Place(str(path), 3)])
    assert found["an empty line, wanted 2"] == (Level.breaks, 1, [Place(str(path), 4)])
    assert found["the same pair again"] == (Level.strange, 1, [Place(str(path), 5)])
    assert found["the source is empty; such pairs are left out of training"][0] is Level.harms
    assert found["space before or after the target"][2] == [Place(str(path), 7)]
    assert [finding.level for finding in diagnosis.findings] == sorted(finding.level for finding in diagnosis.findings)


def test_files_beside_the_first(tmp_path: Path) -> None:
    train, test = good(tmp_path / "train.tsv"), tmp_path / "test.tsv"
    source = train.read_text().split("\t")[0]
    test.write_text(f"{source}\tother\nΩx\ty\n")
    found = {finding.what: finding.places for finding in examine([train, test]).findings}
    assert found["the source is among those that are learnt from"] == [Place(str(test), 1)]
    assert found["characters that no source of the first file has: 'Ω'"] == [Place(str(test), 2)]


def test_several_targets_and_lengths_that_do_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("".join(f"{'s' * 30}{i}\t{'t' * 30}\n" for i in range(50)) + f"x\t{'y' * 40}\nx\tz\n")
    found = {finding.what: finding.places for finding in examine([path]).findings}
    assert found["a source with several targets (they count as alternatives)"] == [Place(str(path), 51)]
    assert found["source and target of very different length; do they belong together?"] == [Place(str(path), 51)]


def test_good_data_have_nothing_against_them(tmp_path: Path) -> None:
    diagnosis = examine([good(tmp_path / "a.tsv")])
    assert diagnosis.findings == []
    (summary,) = diagnosis.files
    assert summary.pairs == summary.sources == sum(summary.source_lengths.values())


def test_strange_characters() -> None:
    assert list(strange_characters("plain text, 中文, naïve")) == []
    assert list(strange_characters("a\u2028b\x00")) == ["a line separator (U+2028)", "a control character"]
    assert list(strange_characters("pаypal")) == ["a word with letters of two scripts that look alike"]  # Cyrillic а
    assert list(strange_characters("e\u0301")) == ["a letter and its mark as two characters (not NFC)"]


def test_the_command(tmp_path: Path) -> None:
    path = good(tmp_path / "a.tsv")
    done = run("check-data", path)
    assert done.returncode == 0
    assert "nothing to say against it" in done.stdout.decode()
    path.write_text("a\n")
    done = run("check-data", path, "--json", "-")
    assert done.returncode == 2
    content = json.loads(done.stdout)
    assert content["findings"][0]["level"] == "breaks"
    assert run("check-data", tmp_path / "none.tsv").stderr.decode().endswith("none.tsv: no such file\n")


def test_json_lines_and_tags(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"source": "walk", "target": "walk", "tags": "V;PST"}\n{"source": "ab", "target": "c", "tags": "N"}\n'
    )
    diagnosis = examine([path], tags=True)
    assert [(finding.what, finding.places) for finding in diagnosis.findings] == [
        ("the target is the source", [Place(str(path), 1)])
    ]
    assert diagnosis.files[0].source_lengths == {"1-4": 2}
