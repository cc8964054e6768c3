"""Finding fonts that have every character of a picture.

DejaVu Sans, which comes with matplotlib, has Latin, IPA, Greek, Cyrillic, Arabic and more. For what it lacks
the fonts of the system are looked through, well-known ones first, and last the font that comes with seq2see,
which has the common Chinese and Japanese characters. Characters that none of them has are reported.
"""

from collections.abc import Iterator
from importlib import resources
from typing import NamedTuple

from matplotlib.font_manager import FontEntry, FontManager, fontManager, get_font

BASE_FAMILY = "DejaVu Sans"
KNOWN_FAMILIES = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Source Han Sans SC",
    "PingFang SC",
    "Hiragino Sans",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "WenQuanYi Micro Hei",
    "Noto Sans",
    "Arial Unicode MS",
)
PLACEHOLDER_FONTS = ("Last Resort", "LastResort", ".LastResort")
"""Beginnings of the names of fonts that have a box for every character; matplotlib comes with one."""
OWN_FONT = "DroidSansFallbackSubset.ttf"
ADVICE = (
    "install a font that has them, such as fonts-noto-cjk (Debian, Ubuntu), google-noto-sans-cjk-fonts (Fedora) "
    "or noto-fonts-cjk (Arch) for Chinese, Japanese and Korean, fonts-noto-core for other scripts; "
    "the html page uses the fonts of your browser instead"
)


class FontChoice(NamedTuple):
    """Families to give to matplotlib, in order, and the characters that none of them has."""

    families: list[str]
    missing: str


def choose_fonts(text: str) -> FontChoice:
    """Choose families that together have every character of a text."""
    needed = {ord(char) for char in text if char.isprintable() and char != " "}
    families: list[str] = []
    for entry in _candidates():
        found = needed & _characters(entry)
        if found or entry.name == BASE_FAMILY:
            families.append(entry.name)
            needed -= found
        if not needed:
            break
    return FontChoice(families, "".join(map(chr, sorted(needed))))


def _candidates() -> Iterator[FontEntry]:
    """Upright fonts of ordinary weight: DejaVu Sans, well-known ones, all others by name, and our own."""
    entries = {
        entry.name: entry
        for entry in sorted(fontManager.ttflist, key=lambda entry: (entry.name, entry.fname))
        if entry.style == "normal"
        and entry.weight in (400, "normal", "regular")
        and not entry.name.startswith(PLACEHOLDER_FONTS)
    }
    known = [name for name in (BASE_FAMILY, *KNOWN_FAMILIES) if name in entries]
    own = _own_font()
    for name in [*known, *(name for name in entries if name not in known and name != own.name)]:
        yield entries[name]
    yield own


def _own_font() -> FontEntry:
    """The entry of the font that comes with seq2see, made known to matplotlib."""
    path = str(resources.files("seq2see.plotting").joinpath(OWN_FONT))
    manager: FontManager = fontManager
    if not any(entry.fname == path for entry in manager.ttflist):
        manager.addfont(path)
    return next(entry for entry in manager.ttflist if entry.fname == path)


def _characters(entry: FontEntry) -> set[int]:
    try:
        return set(get_font(entry.fname).get_charmap())
    except (OSError, RuntimeError):  # a broken font file is not a font
        return set()
