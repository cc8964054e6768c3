from pathlib import Path

import pytest
import torch

from seq2see.attention import SingleHead
from seq2see.checking import check_model, made_up_sources
from seq2see.errors import DataError
from seq2see.inference import Translator
from seq2see.types import DecoderState
from tests.cli.running import refused, run
from tests.small import small_translator

KINDS = [
    [],
    ["model.decoder.copies=true"],
    ["model.encoder.tags=attended"],
    ["model.attention.normaliser=monotonic"],
    [
        "model.decoder.type=transformer",
        "model.decoder.hidden_size=12",
        "model.embedding_size=12",
    ],
]


@pytest.mark.parametrize("settings", KINDS)
def test_a_right_model_passes_every_check(settings: list[str]) -> None:
    checks = check_model(small_translator(*settings, spread=4.0))
    assert [check.name for check in checks if not check.passed] == []
    assert len(checks) == 7


def test_made_up_sources_are_the_same_each_time(translator: Translator) -> None:
    assert made_up_sources(translator) == made_up_sources(translator)


def test_a_model_that_looks_at_padding_is_found_out(monkeypatch: pytest.MonkeyPatch, translator: Translator) -> None:
    forward, parts = SingleHead.forward, SingleHead.parts

    def all_real(state: DecoderState) -> DecoderState:
        return {**state, "mask": torch.ones_like(state["mask"])}

    def unmasked(self, query, state):  # type: ignore[no-untyped-def]
        return forward(self, query, all_real(state))

    def unmasked_parts(self, state, *, reduced):  # type: ignore[no-untyped-def]
        return parts(self, all_real(state), reduced=reduced)

    monkeypatch.setattr(SingleHead, "forward", unmasked)
    monkeypatch.setattr(SingleHead, "parts", unmasked_parts)
    failed = {check.name for check in check_model(translator) if not check.passed}
    assert {"padding", "batch"} <= failed


def test_sources_of_which_none_can_be_translated() -> None:
    with pytest.raises(DataError, match="none of 1 sources can be translated: no tags"):
        check_model(small_translator("model.encoder.tags=added"), ["walk"])


def test_the_command_prints_a_table(reverse_directory: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("abc\n\nhello\n")
    done = run("check-model", reverse_directory, "--texts", texts)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().count("good") == 7
    texts.write_text("\n\n")
    assert "none of 2 sources can be translated: they have no tokens" in refused(
        "check-model", reverse_directory, "--texts", texts
    )
