from pathlib import Path

import polib
import pytest

from seq2see.data.doctor import Level, Place, examine
from seq2see.data.pairs import Pair, read_pairs
from seq2see.errors import DataError
from tests.cli.running import refused

HEADER = """# A translator.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

"""


def read(folder: Path, text: str | bytes) -> list[Pair]:
    path = folder / "a.po"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return read_pairs(path, None, None)


def test_texts_come_as_they_are(tmp_path: Path) -> None:
    text = r"""
#: shop.py:7
#. "said" of goods
## msgid
#, python-format
msgctxt "verb"
msgid "Order \"%s\"\n"
"now"
msgstr ""
"%s\tjetzt\\"
" bestellen"

msgid "Café"
msgstr "喫茶店"
"""
    expected = [Pair('Order "%s"\nnow', "%s\tjetzt\\ bestellen"), Pair("Café", "喫茶店")]
    assert read(tmp_path, HEADER + text) == expected
    assert read(tmp_path, text) == expected
    assert read(tmp_path, b"\xef\xbb\xbf" + (HEADER + text).replace("\n", "\r\n").encode()) == expected


def test_what_is_not_translated_is_left_out(tmp_path: Path) -> None:
    text = """
msgid "open"
msgstr ""

#, fuzzy, c-format
msgid "close"
msgstr "öffnen"

#, fuzzy
#| msgid "old"
msgid "new"
msgstr "alt"

#~ msgid "gone"
#~ msgstr "weg"

msgid "save"
msgstr "sichern"

#~| msgid "before"
#~ msgid "after"
#~ msgstr "nachher"
"""
    assert read(tmp_path, HEADER + text) == [Pair("save", "sichern")]
    with pytest.raises(DataError, match=r"a\.po: no entry that is translated .*, wanted at least one pair"):
        read(tmp_path, HEADER)
    with pytest.raises(DataError, match="wanted at least one pair"):
        read(tmp_path, "")


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        (["Datei", "Dateien"], [("file", "Datei"), ("files", "Dateien")]),
        (["plik", "pliki", "plików"], [("file", "plik"), ("files", "pliki"), ("files", "plików")]),
        (["ファイル"], [("file", "ファイル"), ("files", "ファイル")]),
        (["Datei", ""], [("file", "Datei")]),
    ],
)
def test_plural_forms(tmp_path: Path, forms: list[str], expected: list[tuple[str, str]]) -> None:
    lines = [f'msgstr[{number}] "{form}"\n' for number, form in enumerate(forms)]
    text = HEADER + 'msgid "file"\nmsgid_plural "files"\n' + "".join(lines)
    assert read(tmp_path, text) == [Pair(*pair) for pair in expected]


def test_the_encoding_of_the_header(tmp_path: Path) -> None:
    text = HEADER.replace("UTF-8", "ISO-8859-1") + 'msgid "key"\nmsgstr "Schlüssel"\n'
    assert read(tmp_path, text.encode("iso-8859-1")) == [Pair("key", "Schlüssel")]
    with pytest.raises(DataError, match=r"a\.po: line 7: byte 0xfc is not utf-8 .*; wanted text in UTF-8, or as"):
        read(tmp_path, text.replace("ISO-8859-1", "CHARSET").encode("iso-8859-1"))
    with pytest.raises(DataError, match="its header has charset=hex, wanted one of text"):
        read(tmp_path, HEADER.replace("UTF-8", "hex"))
    with pytest.raises(DataError, match=r"U\+D800 at character \d+ is half of a surrogate pair"):
        read(tmp_path, HEADER.replace("UTF-8", "utf-7") + 'msgid "a"\nmsgstr "+2AA-"\n')


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("msgstr word", r"'msgstr word', wanted msgid \"…\", msgstr \"…\" or"),
        ('msgstr "open', r"'msgstr \"open', wanted msgid"),
        ('msgstr "a "b""', r"'msgstr \"a \"b\"\"', wanted msgid"),
        ('msgid "twice"', r"'msgid \"twice\"': out of place; wanted PO"),
        ("#comment", r"'#comment', wanted a space after the sign of a comment"),
        ("#,fuzzy", r"'#,fuzzy', wanted a space"),
        ("#| x", r"'#\| x': invalid continuation line; wanted PO"),
        ("\x00", r"'\\x00', wanted msgid"),
    ],
)
def test_faults_name_the_line(tmp_path: Path, line: str, fault: str) -> None:
    with pytest.raises(DataError, match=rf"a\.po: line 7: {fault}"):
        read(tmp_path, HEADER + f'msgid "a"\n{line}\n')


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"b\.po: no such file"):
        read_pairs(tmp_path / "b.po", None, None)
    (tmp_path / "c.po").mkdir()
    with pytest.raises(DataError, match=r"c\.po: is a directory"):
        read_pairs(tmp_path / "c.po", None, None)


def test_tags_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.PO"
    path.write_text('msgid "a"\nmsgstr "b"\n')
    told = "a.PO: .po files have no tags, which model.encoder.tags wants; take TSV or .jsonl"
    with pytest.raises(DataError, match=told):
        read_pairs(path, None, None, tags=True)
    assert told in refused("train", "--data", path, "--out", tmp_path / "m", "--set", "model.encoder.tags=added")


def test_the_doctor_names_the_line_of_the_entry(tmp_path: Path) -> None:
    path = tmp_path / "a.po"
    path.write_text(HEADER + 'msgid "a\\n"\nmsgstr "b\\n"\n\n# same\nmsgid "name"\nmsgstr "name"\n')
    diagnosis = examine([path])
    found = {finding.what: (finding.level, finding.places) for finding in diagnosis.findings}
    assert found["a line feed in the source"] == (Level.strange, [Place(str(path), 6)])
    assert found["the target is the source"] == (Level.strange, [Place(str(path), 9)])
    assert diagnosis.files[0].pairs == 2
    path.write_text(HEADER)
    assert examine([path]).breaks_training
    path.write_text("nonsense\n")
    assert "a.po: line 1: 'nonsense', wanted msgid" in refused("check-data", path)


def test_real_texts_come_back(shared_data: Path, tmp_path: Path) -> None:
    """Localisation texts, written as PO by the library."""
    lines = (shared_data / "software_localisation" / "en-de.dev.tsv").read_text(encoding="utf-8").splitlines()
    columns = [line.split("\t") for line in lines]
    pairs = [Pair(polib.unescape(source), polib.unescape(target)) for _, _, source, target in columns]
    file = polib.POFile()
    file.metadata = {"Content-Type": "text/plain; charset=utf-8"}
    file.extend(polib.POEntry(msgid=pair.source, msgstr=pair.target) for pair in pairs)
    file.save(str(tmp_path / "a.po"))
    assert any("\n" in pair.source for pair in pairs)
    assert read_pairs(tmp_path / "a.po", None, None) == pairs
