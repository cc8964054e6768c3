from pathlib import Path
from xml.etree import ElementTree

import pytest

from seq2see.data.doctor import Place, examine
from seq2see.data.pairs import Pair, read_pairs
from seq2see.data.tmx import CHUNK
from seq2see.errors import DataError
from tests.cli.running import refused

TMX = '<?xml version="1.0"?>\n<tmx version="1.4">\n<header srclang="{source}"/>\n<body>\n{units}</body>\n</tmx>\n'


def unit(**texts: str) -> str:
    return (
        "<tu>" + "".join(f'<tuv xml:lang="{lang}"><seg>{text}</seg></tuv>' for lang, text in texts.items()) + "</tu>\n"
    )


def read(folder: Path, text: str | bytes) -> list[Pair]:
    path = folder / "a.tmx"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return read_pairs(path, None, None)


def test_texts_come_as_they_are(tmp_path: Path) -> None:
    units = unit(en="a &lt; b\n c&#9;", de=" <![CDATA[<ü>]]> ") + unit(de="zwei", en="two")
    expected = [Pair("a < b\n c\t", " <ü> "), Pair("two", "zwei")]
    text = TMX.format(source="en", units=units)
    assert read(tmp_path, text) == expected
    assert read(tmp_path, text.encode("utf-16")) == expected
    latin = text.replace('"1.0"', '"1.0" encoding="ISO-8859-1"').encode("iso-8859-1")
    assert read(tmp_path, latin) == expected
    doctype = text.replace("<tmx ", '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx ')
    assert read(tmp_path, doctype) == expected


def test_the_target_is_the_only_other_language(tmp_path: Path) -> None:
    units = unit(EN_us="a", DE="b") + unit(**{"en-US": "c", "de": "d"}) + unit(de="left out")
    assert read(tmp_path, TMX.format(source="en-US", units=units)) == [Pair("a", "b"), Pair("c", "d")]
    several = (
        '<tu><tuv lang="en"><seg>a</seg></tuv><tuv lang="de"><seg>b</seg></tuv><tuv lang="de"><seg>c</seg></tuv></tu>'
    )
    assert read(tmp_path, TMX.format(source="en", units=several)) == [Pair("a", "b"), Pair("a", "c")]


def test_markup_is_dropped_and_text_kept(tmp_path: Path) -> None:
    source = (
        'Click <bpt i="1">&lt;b&gt;</bpt><hi>he<hi>re</hi></hi><ept i="1">&lt;/b&gt;</ept><ph>\\n<sub>note</sub></ph>!'
    )
    assert read(tmp_path, TMX.format(source="en", units=unit(en=source, de="<it>x</it><ut>y</ut>Hier!"))) == [
        Pair("Click here!", "Hier!")
    ]


@pytest.mark.parametrize(
    ("source", "units", "fault"),
    [
        ("en", unit(en="a", de="b", fr="c"), r"sources are in en and other texts in de, fr; wanted one other language"),
        ("en", unit(en="a"), r"sources are in en and other texts in none; wanted one other language"),
        ("*all*", unit(en="a", de="b"), r"srclang of the header is '\*all\*' and the texts are in de, en; write the"),
        ("en", unit(en_GB="a", de="b"), r"srclang of the header is 'en' and the texts are in de, en-gb; write the"),
        ("en", "<tu><tuv><seg>a</seg></tuv></tu>", r"line 5: a <tuv> without a language, wanted <tuv xml:lang=…>"),
        ("en", "<tu>\n<seg></tu>", r"line 6: not XML: mismatched tag"),
        ("en", unit(en="&nbsp;"), r"line 5: not XML: undefined entity"),
        ("en", "", r"no unit with both languages, wanted at least one pair"),
        ("en", unit(en="a") + unit(de="b"), r"no unit with both languages, wanted at least one pair"),
    ],
)
def test_faults_name_the_line_or_the_languages(tmp_path: Path, source: str, units: str, fault: str) -> None:
    with pytest.raises(DataError, match=rf"a\.tmx: {fault}"):
        read(tmp_path, TMX.format(source=source, units=units))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", r"line 1: not XML: no element found"),
        ("a\tb\n", r"line 1: not XML: syntax error"),
        ("<html/>", r"line 1: the file begins with <html>, wanted <tmx>"),
        ("<tmx/>", r"has no <header>, wanted <header srclang=…>"),
        ("<tmx>\n<tu/></tmx>", r"line 2: a <tu> before any <header>"),
        ('<?xml version="1.0" encoding="big5"?><tmx/>', r"line 1: encoding is 'big5', wanted one of utf-8, utf-16"),
        (b"<tmx>\n\xff</tmx>", r"line 2: not XML: not well-formed"),
    ],
)
def test_files_that_are_no_memory(tmp_path: Path, text: str | bytes, fault: str) -> None:
    with pytest.raises(DataError, match=rf"a\.tmx: {fault}"):
        read(tmp_path, text)


def test_entities_are_refused(tmp_path: Path) -> None:
    text = TMX.format(source="en", units=unit(en="&b;", de="x"))
    bomb = '<!ENTITY a "aaaaaaaa">\n<!ENTITY b "&a;&a;&a;&a;">'
    with pytest.raises(DataError, match=r"line 3: declares the entity 'a'; wanted a file without entities of its own"):
        read(tmp_path, text.replace("<tmx ", f"<!DOCTYPE tmx [\n{bomb}]>\n<tmx "))
    with pytest.raises(DataError, match="declares the entity 'b'"):
        read(tmp_path, text.replace("<tmx ", '<!DOCTYPE tmx [<!ENTITY b SYSTEM "/etc/hostname">]>\n<tmx '))
    with pytest.raises(DataError, match=r"line 6: &b;: no such entity; wanted the character itself"):
        read(tmp_path, text.replace("<tmx ", '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx '))


def test_a_file_of_many_pieces(tmp_path: Path) -> None:
    count = CHUNK // 50
    text = TMX.format(source="en", units="".join(unit(en=f"é{i}", de=f"ß{i}") for i in range(count)))
    assert len(text) > CHUNK
    assert read(tmp_path, text) == [Pair(f"é{i}", f"ß{i}") for i in range(count)]


def test_tags_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(TMX.format(source="en", units=unit(en="a", de="b")))
    with pytest.raises(DataError, match=r"a\.tmx: \.tmx files have no tags, which model\.encoder\.tags wants"):
        read_pairs(path, None, None, tags=True)


def test_the_doctor_names_the_line_of_the_unit(tmp_path: Path) -> None:
    path, other = tmp_path / "a.tmx", tmp_path / "b.tmx"
    path.write_text(TMX.format(source="en", units=unit(en="a", de="b") + unit(en="name", de="name")))
    (finding,) = examine([path]).findings
    assert (finding.what, finding.places) == ("the target is the source", [Place(str(path), 6)])
    two = '<tu><tuv lang="en"><seg>e</seg></tuv><tuv lang="de"><seg>x</seg></tuv><tuv lang="de"><seg>y</seg></tuv></tu>'
    other.write_text(TMX.format(source="en", units=two))
    found = {finding.what: finding.places for finding in examine([path, other]).findings}
    assert found["characters that no target of the first file has: 'x' 'y'"] == [Place(str(other), 5)] * 2
    path.write_text("<tmx>")
    assert "a.tmx: line 1: not XML: no element found" in refused("check-data", path)


def test_real_texts_come_back(shared_data: Path, tmp_path: Path) -> None:
    """Localisation texts, written as TMX by the standard library."""
    lines = (shared_data / "software_localisation" / "en-ja.dev.tsv").read_text(encoding="utf-8").splitlines()
    pairs = [(line.split("\t")[2], line.split("\t")[3]) for line in lines]
    root = ElementTree.Element("tmx", version="1.4")
    ElementTree.SubElement(root, "header", srclang="en")
    body = ElementTree.SubElement(root, "body")
    for pair in pairs:
        element = ElementTree.SubElement(body, "tu")
        for language, text in zip(("en", "ja"), pair, strict=True):
            variant = ElementTree.SubElement(element, "tuv", {"xml:lang": language})
            ElementTree.SubElement(variant, "seg").text = text
    ElementTree.ElementTree(root).write(tmp_path / "a.tmx", encoding="utf-8", xml_declaration=True)
    assert read_pairs(tmp_path / "a.tmx", None, None) == [Pair(*pair) for pair in pairs]
