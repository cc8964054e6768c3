import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.font_manager import fontManager

from seq2see.alignment import Alignment
from seq2see.errors import OutputError
from seq2see.plotting import grid, heatmap, lines, links_line, page, save_plot
from seq2see.plotting.figure import MissingGlyphsWarning
from seq2see.plotting.fonts import BASE_FAMILY, choose_fonts


def make(source: list[str], target: list[str]) -> Alignment:
    energies = np.random.default_rng(0).normal(size=(len(target), len(source))) * 2
    weights = np.exp(energies) / np.exp(energies).sum(axis=1, keepdims=True)
    return Alignment(source, target, weights.astype(np.float32))


EXAMPLES = [
    make(["I", " am", " hungry", "."], list("我饿了。")),
    make(list("日本語のテスト"), ["a", " test"]),
    make(list("hozzájárul"), ["h", "o", "zː", "aː", "j", "aː", "r", "u", "l"]),
    make(list("مرحبا"), list("marhaba")),
    make([" "], ["<b>&\"'"]),
    make(["$$", "$a_$"], ["$\\frac$", "$x^2$"]),
    make([f"w{number}" for number in range(120)], list("ab")),
]


@pytest.fixture
def without_system_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where nothing but matplotlib's own fonts is installed."""
    come_with_matplotlib = [e for e in fontManager.ttflist if e.name == BASE_FAMILY or "LastResort" in e.fname]
    monkeypatch.setattr(fontManager, "ttflist", come_with_matplotlib)


@pytest.mark.usefixtures("without_system_fonts")
@pytest.mark.parametrize("alignment", EXAMPLES)
@pytest.mark.parametrize("ending", [".svg", ".png", ".html"])
@pytest.mark.parametrize("kind", ["heatmap", "lines"])
def test_every_character_has_a_glyph_without_system_fonts(
    alignment: Alignment, ending: str, kind: str, tmp_path: Path
) -> None:
    path = tmp_path / f"picture{ending}"
    save_plot(alignment, path, kind)  # a missing glyph warns, and a warning fails the test
    magic = {".svg": b"<?xml", ".png": b"\x89PNG", ".html": b"<!doctype html>"}[ending]
    assert path.read_bytes().startswith(magic)


@pytest.mark.usefixtures("without_system_fonts")
def test_what_no_font_has_is_named_with_what_to_install(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert choose_fonts("a\U00020000").missing == "\U00020000"
        assert choose_fonts("नम").missing == "नम"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        save_plot(make(["\U00020000"], ["a"]), tmp_path / "a.png")
    (ours,) = [str(w.message) for w in caught if w.category is MissingGlyphsWarning]
    assert re.match(r"no font has 𠀀; install a font that has them, such as fonts-noto-cjk", ours)


def test_chinese_japanese_and_phones_are_covered_by_what_comes_with_the_package() -> None:
    assert choose_fonts("我饿了。这哪裡條 これはテスト漢字 ɒʃɡʷˈæŋθ́").missing == ""


def test_lines_are_as_thick_as_the_weight() -> None:
    alignment = Alignment(["a", "b"], ["x"], np.array([[0.75, 0.25]], dtype=np.float32))
    (collection,) = [c for c in lines(alignment).axes[0].collections if isinstance(c, LineCollection)]
    first, second = np.asarray(collection.get_linewidth())
    assert first == pytest.approx(3 * second)
    assert np.asarray(collection.get_color())[:, 3].tolist() == pytest.approx([0.75, 0.25])


def test_heatmap_has_a_token_on_every_tick() -> None:
    axes = heatmap(EXAMPLES[0]).axes[0]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["I", "am", "hungry", "."]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["我", "饿", "了", "。"]
    np.testing.assert_array_equal(axes.images[0].get_array(), EXAMPLES[0].weights)


def test_the_same_alignment_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        save_plot(EXAMPLES[0], tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_the_page_holds_all_it_needs_and_no_text_becomes_markup() -> None:
    text = page([make(["</script><script>alert(1)</script>"], ["{{data}}"])], title="<i>", text="a & b {{data}}")
    assert "alert(1)</script>" not in text
    assert "<h1>&lt;i&gt;</h1>" in text
    assert "a &amp; b" in text
    assert not re.search(r"(src|href)=|https?://(?!www\.w3\.org/2000/svg)|@import|url\(", text)


def test_terminal_rendering() -> None:
    alignment = Alignment(["I", " am"], ["我", "xy"], np.array([[1.0, 0.0], [0.25, 0.75]], dtype=np.float32))
    assert grid(alignment) == "我  █   I 1.00\nxy  ▂▆  am 0.75, I 0.25"
    assert links_line(alignment) == "我←I xy←am"


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("a.jpg", "heatmap", r"ending is '\.jpg', wanted one of \.svg, \.png, \.html"),
        ("a", "heatmap", "ending is 'missing'"),
        ("a.svg", "bars", "kind is 'bars', wanted heatmap or lines"),
    ],
)
def test_unknown_endings_and_kinds(tmp_path: Path, name: str, kind: str, message: str) -> None:
    with pytest.raises(OutputError, match=message):
        save_plot(EXAMPLES[0], tmp_path / name, kind)


def test_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="nothing to draw"):
        save_plot(Alignment([], [], np.zeros((0, 0), dtype=np.float32)), tmp_path / "a.svg")
