"""What users of other toolkits met with at long sentences, at many sentences, and in memory."""

import subprocess
import sys
from pathlib import Path

import pytest

from seq2see.bundle import save_bundle
from seq2see.data.pairs import Pair
from seq2see.training import train_on_pairs
from seq2see.training.validation import Validation
from tests.cli.running import run
from tests.small import small_translator
from tests.toys import reverse_pairs, strings
from tests.training.test_run import Listener, tiny

TRANSFORMER = ["model.embedding_size=8", "model.encoder.hidden_size=8", "model.encoder.type=transformer"]
TRANSFORMER += ["model.encoder.num_heads=1", "model.decoder.hidden_size=8", "model.decoder.type=transformer"]


def resident(process: int | str = "self") -> int:
    """Resident memory of a process, in kB."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))


def translate_many(directory: Path, texts: list[str], marks: tuple[int, ...]) -> tuple[list[str], dict[int, int]]:
    """Run ``seq2see translate``; return its lines, and its resident memory when it had written so many."""
    (directory.parent / "input").write_text("".join(f"{text}\n" for text in texts))
    command = [sys.executable, "-m", "seq2see", "translate", str(directory), str(directory.parent / "input")]
    lines, memory = [], {}
    options = ["--format", "tsv", "--beam", "2", "--batch-tokens", "1000", "--threads", "1"]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        for number, line in enumerate(process.stdout, start=1):
            lines.append(line.removesuffix("\n"))
            if number in marks:
                memory[number] = resident(process.pid)
    assert process.returncode == 0
    return lines, memory


def test_as_many_lines_out_as_in_and_memory_does_not_grow(tmp_path: Path) -> None:
    """OpenNMT-py#1317, #743: lines are lost; OpenNMT-py#899, #1161, #1852, sockeye#881: memory grows with each line."""
    translator = small_translator("search.max_length=4", "search.min_length=1")
    save_bundle(tmp_path / "model", translator.bundle, {}, "")
    texts = strings(24_001, longest=7)
    lines, memory = translate_many(tmp_path / "model", texts, (2000, 20_000))
    assert [line.split("\t")[0] for line in lines] == texts
    alone = [translator.translate([text], beam=2)[0].text for text in texts[::1200]]
    assert [line.split("\t")[1] for line in lines[::1200]] == alone
    assert len(set(alone)) > 5
    assert memory[20_000] == pytest.approx(memory[2000], rel=0.05)


class MemoryListener(Listener):
    """Notes the resident memory at every validation, in kB."""

    def __init__(self) -> None:
        super().__init__()
        self.memory: list[int] = []

    def validated(self, validation: Validation, epoch: int, update: int, train_loss: float, best: bool) -> None:
        super().validated(validation, epoch, update, train_loss, best)
        self.memory.append(resident())


def test_memory_does_not_grow_from_epoch_to_epoch(tmp_path: Path) -> None:
    """fairseq#232, #401, #1609, #2727, #5323, OpenNMT-py#16, #492, #573: memory grows with every epoch or shard."""
    pairs, listener = reverse_pairs(2200), MemoryListener()
    config = tiny("training.max_epochs=10", "training.batch_tokens=1000", "training.max_valid_sources=20")
    train_on_pairs(pairs[:2000], pairs[2000:], config, out=tmp_path / "m", reporter=listener)
    assert len(listener.memory) == 10
    assert listener.memory[9] <= 1.05 * listener.memory[1]


@pytest.mark.parametrize("settings", [[], TRANSFORMER], ids=["rnn", "transformer"])
def test_a_line_of_6000_tokens_between_two_short_ones(settings: list[str]) -> None:
    """yoyodyne#40, OpenNMT-py#1473, bentrevett/pytorch-seq2seq#69, #89: an over-long source ends the whole run."""
    translator = small_translator(*settings, "search.min_length=1", "search.max_length=9")
    short = ["abc", "hello"]
    first, long, last = translator.translate([short[0], "ab" * 3000, short[1]])
    assert long.problem == "6,000 source tokens, the limit is 2,000; not translated"
    assert [first.text, last.text] == [one.text for one in translator.translate(short)]
    assert first.text != last.text


@pytest.mark.parametrize("settings", [[], TRANSFORMER], ids=["rnn", "transformer"])
def test_positions_have_no_end(settings: list[str]) -> None:
    """OpenNMT-py#1473, bentrevett/pytorch-seq2seq#69: the table of positions ends at 5,000, or at 100."""
    translator = small_translator(*settings, "search.max_source_length=6000", "search.min_length=1")
    short, long = translator.with_search(max_length=2).translate(["abc", "ab" * 2750], beam=2)
    assert (short.problem, long.problem) == ("", "")
    assert long.weights.shape == (len(long.tokens), 5500)
    (forced,) = translator.score(["abc"], ["xy" * 2600])
    assert len(forced.token_log_probs) == 5201
    assert forced.log_prob < 0.0


def test_a_validation_line_that_is_far_too_long(tmp_path: Path) -> None:
    """fairseq#257, #349, #2650, #2998, #1853, #1202: one too long sentence ends the run at the first validation."""
    pairs, listener = reverse_pairs(60), Listener()
    valid = [Pair("x" * 2500, "y"), *pairs[:5], Pair("y", "x" * 2500), Pair("", "x")]
    settings = ["data.max_source_length=100", "data.max_target_length=100", "training.metric=exact_match"]
    config = tiny(*settings, "training.max_updates=2", "training.validate_every=1")
    train_on_pairs(pairs, valid, config, out=tmp_path / "m", reporter=listener)
    figures = [validation.figures for validation, _ in listener.validations]
    assert len(figures) == 2
    assert all(0.0 < one.loss < 1000.0 for one in figures)


def test_a_line_too_long_leaves_the_lines_before_and_after_it_in_place(tmp_path: Path) -> None:
    """OpenNMT-py#743, #1852: blanks in the output, and nothing says for which line."""
    translator = small_translator("search.min_length=1", "search.max_length=5")
    save_bundle(tmp_path / "model", translator.bundle, {}, "")
    done = run("translate", tmp_path / "model", "--threads", "1", stdin=b"abc\n" + b"x" * 6000 + b"\nhello\n")
    first, last = (one.text for one in translator.translate(["abc", "hello"]))
    assert done.stdout.decode() == f"{first}\n\n{last}\n"
    told = "seq2see: -: line 2: 6,000 source tokens, the limit is 2,000; not translated\n"
    assert done.stderr.decode() == told
