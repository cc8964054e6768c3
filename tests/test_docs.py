"""What the pages say of files and settings is so."""

import re
from pathlib import Path

import pytest

from seq2see.config import load_config

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
SETTING = re.compile(r"--set ((?:data|tokens|model|training|search)\.[\w.]+=[\w.]+)")
SOURCE_FILE = re.compile(r"`((?:attention|decoders|encoders|layers|search|config|plotting|training|data)/\w+\.py)`")
LINK = re.compile(r"\]\(([^)#:]+)\)")
SIZES = {"dot": ["model.encoder.hidden_size=128"], "last": ["model.encoder.hidden_size=128"]}
NEEDS = {
    "model.share_embeddings=true": ["tokens.shared=true"],
    "model.decoder.input_feeding=false": ["model.decoder.order=luong"],
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_settings_can_be_set_and_files_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for setting in SETTING.findall(text):
        load_config(None, [setting, *SIZES.get(setting.split("=")[1], []), *NEEDS.get(setting, [])])
    for name in SOURCE_FILE.findall(text):
        assert (ROOT / "src" / "seq2see" / name).is_file(), name
    assert not re.search(r"@[A-Z]+@", text)  # figures that are still to come
    for name in LINK.findall(text):
        assert (page.parent / name).exists(), name


def test_the_snippet_of_the_attention_page_runs() -> None:
    for page in ("attention.md", "attention.zh.md"):
        snippets = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.DOTALL)
        assert snippets
        for snippet in snippets:
            exec(snippet, {})
