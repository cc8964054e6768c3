"""Pairs from a gettext PO file."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import polib

from seq2see.data.placed_pair import PlacedPair, check_characters
from seq2see.data.text_file import BYTE_ORDER_MARK, read_bytes
from seq2see.errors import DataError

KEYWORD_OR_TEXT = re.compile(r'((msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d\])\s*)?"([^"\\]|\\.)*"')
COMMENT = re.compile(r"#([,.:]|~?\|)?(\s.*)?|##.*")
FAULT = re.compile(r"\(line (\d+)\)(?:: (.*))?")


def read_po(path: Path) -> list[PlacedPair]:
    """Read msgid as source and msgstr as target; msgctxt is passed over.

    The header and entries that are fuzzy, obsolete or not translated are left out. An entry with plural forms gives
    msgid with msgstr[0], and msgid_plural with each further form; where there is one form, both have it.

    Args:
        path: The file, in the encoding that its header names, or else UTF-8.

    Raises:
        DataError: The file cannot be read, or is not PO; names the line.
    """
    raw = read_bytes(path)
    encoding = polib.detect_encoding(str(path))
    lines = _decode(raw, encoding, path)
    _check_lines(lines, path)
    try:
        entries = polib.pofile(str(path), encoding=encoding)
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: {_told(str(error), lines)}") from None
    return [
        PlacedPair(max(1, entry.linenum or 1), source, target)
        for entry in entries
        if not (entry.obsolete or entry.fuzzy)
        for source, target in _texts(entry)
        if source and target
    ]


def _texts(entry: polib.POEntry) -> Iterator[tuple[str, str]]:
    """The sources and targets of an entry, some of them empty."""
    if not entry.msgid_plural:
        yield entry.msgid, entry.msgstr
        return
    forms = [form for _, form in sorted(entry.msgstr_plural.items())] or [""]
    yield entry.msgid, forms[0]
    for form in forms[1:] or forms:
        yield entry.msgid_plural, form


def _decode(raw: bytes, encoding: str, path: Path) -> list[str]:
    """The lines of a file, as the library divides them."""
    try:
        text = raw.removeprefix(BYTE_ORDER_MARK).decode(encoding)
    except UnicodeDecodeError as error:
        number = raw.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{path}: line {number}: byte 0x{raw[error.start]:02x} is not {encoding} ({error.reason}); wanted text in "
            "UTF-8, or as the header's charset says"
        ) from None
    except (UnicodeError, LookupError):
        raise DataError(f"{path}: its header has charset={encoding}, wanted one of text, such as UTF-8") from None
    return list(io.StringIO(check_characters(text, str(path)), newline=None))


def _check_lines(lines: list[str], path: Path) -> None:
    """Refuse lines that the library would misread: of a text without quotation marks it drops the first letter.

    Raises:
        DataError: There is one.
    """
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or COMMENT.fullmatch(text):
            continue
        if text.startswith("#") and not text.startswith("#~"):
            raise DataError(f"{path}: line {number}: {text[:40]!r}, wanted a space after the sign of a comment")
        text = text.removeprefix("#~").lstrip()
        if text and not KEYWORD_OR_TEXT.fullmatch(text):
            raise DataError(f'{path}: line {number}: {text[:40]!r}, wanted msgid "…", msgstr "…" or "…"')


def _told(message: str, lines: list[str]) -> str:
    """What the library says of a fault, with the line that it names."""
    found = FAULT.search(message)
    if found is None:
        return f"not PO: {message}"
    number = int(found[1])
    return f"line {number}: {lines[number - 1].strip()[:40]!r}: {found[2] or 'out of place'}; wanted PO"
