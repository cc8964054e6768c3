import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from seq2see.data.pairs import Pair
from seq2see.demo import demo_pairs, run_demo


def test_the_split_is_by_source_and_fixed() -> None:
    pairs = demo_pairs()
    sources = [{pair.source for pair in part} for part in pairs]
    assert [len(part) for part in sources[1:]] == [1000, 1000]
    assert sources[0] & sources[1] == sources[0] & sources[2] == sources[1] & sources[2] == set()
    assert sum(len(part) for part in pairs) == 29_153
    assert pairs.train[0] == Pair("Hi.", "嗨。")


def test_a_short_demo_leaves_all_that_it_promises(tmp_path: Path) -> None:
    output = io.StringIO()
    run_demo(tmp_path / "demo", minutes=0.5, console=Console(file=output, soft_wrap=True, markup=False))
    text = output.getvalue()
    assert re.search(r"test: BLEU \d+\.\d · chrF \d+\.\d on 1,000 sentences", text)
    assert "tok:zh" in text
    assert (tmp_path / "demo" / "model" / "model.safetensors").is_file()
    for name in re.findall(r"[\w.]+\.(?:png|svg|html)", text.split("written to")[1]):
        if name != "hungry.svg":
            assert (tmp_path / "demo" / name).is_file()


@pytest.mark.slow
def test_the_demo_reaches_its_figure(tmp_path: Path) -> None:
    result = run_demo(tmp_path / "demo", minutes=6.0, console=Console(soft_wrap=True, markup=False))
    assert result.metrics["bleu"] >= 18.0
