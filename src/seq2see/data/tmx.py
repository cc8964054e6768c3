"""Pairs from a TMX file, a translation memory as XML."""

from collections.abc import Sequence
from pathlib import Path
from xml.parsers import expat

from seq2see.data.placed_pair import PlacedPair
from seq2see.data.text_file import reading
from seq2see.errors import DataError

CHUNK = 1 << 20
MOST_LANGUAGES = 10
CODES = ("bpt", "ept", "it", "ph", "ut")
"""Elements of a segment that hold the markup of the document it is from. Others, such as ``hi``, hold text."""
ENCODINGS = ("utf-8", "utf-16", "us-ascii", "iso-8859-1")


def read_tmx(path: Path) -> list[PlacedPair]:
    """Read the segments in the header's srclang as sources, and those in the only other language as targets.

    Of a segment the text is kept; elements are dropped, and codes (``bpt``, ``ept``, ``it``, ``ph``, ``ut``) with
    what is in them. The first source of a unit goes with each of its targets; a unit without both gives no pair.

    The file is read piece by piece by expat itself: no tree is made, lines are known, and nothing from outside the
    file is fetched. Entities are refused where they are declared, so that none can expand to more than was written.

    Raises:
        DataError: The file cannot be read, is not XML or TMX, declares entities, says of no language that it is the
            sources', or has not exactly one other language; names the line or the languages.
    """
    memory = _Memory(path)
    with reading(path), path.open("rb") as file:
        try:
            for chunk in iter(lambda: file.read(CHUNK), b""):
                memory.parser.Parse(chunk, False)
            memory.parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise DataError(f"{path}: line {error.lineno}: not XML: {expat.ErrorString(error.code)}") from None
    memory.check_languages()
    return memory.pairs


class _Memory:
    """What has been read of a file so far.

    Args:
        path: For messages.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.pairs: list[PlacedPair] = []
        self.languages: dict[str, None] = {}
        self.source_language: str | None = None
        self.root_seen = False
        self.line = 1
        self.language = ""
        self.unit: list[tuple[str, str]] = []
        self.segment: list[str] | None = None
        self.codes = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.XmlDeclHandler = self.declare
        self.parser.EntityDeclHandler = self.refuse_declaration
        self.parser.SkippedEntityHandler = self.refuse_entity
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.add

    def fault(self, told: str) -> DataError:
        """An error at the line that is being read."""
        return DataError(f"{self.path}: line {self.parser.CurrentLineNumber}: {told}")

    def declare(self, version: str, encoding: str | None, standalone: int) -> None:
        """Refuse an encoding that expat itself does not know."""
        if encoding is not None and encoding.lower() not in ENCODINGS:
            raise self.fault(f"encoding is {encoding[:40]!r}, wanted one of {', '.join(ENCODINGS)}")

    def refuse_declaration(self, name: str, *_: object) -> None:
        """Refuse an entity's declaration."""
        raise self.fault(f"declares the entity {name[:40]!r}; wanted a file without entities of its own")

    def refuse_entity(self, name: str, is_parameter: bool) -> None:
        """Refuse an entity that some other file may declare."""
        if not is_parameter:
            raise self.fault(f"&{name[:40]};: no such entity; wanted the character itself")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        if not self.root_seen and name != "tmx":
            raise self.fault(f"the file begins with <{name[:40]}>, wanted <tmx>")
        self.root_seen = True
        if name == "header" and self.source_language is None:
            self.source_language = _plain(attributes.get("srclang", ""))
        elif name == "tu":
            self.line, self.unit = self.parser.CurrentLineNumber, []
        elif name == "tuv":
            self.language = _plain(attributes.get("xml:lang") or attributes.get("lang", ""))
            if not self.language:
                raise self.fault("a <tuv> without a language, wanted <tuv xml:lang=…>")
        elif name == "seg":
            self.segment, self.codes = [], 0
        elif name in CODES:
            self.codes += 1

    def end(self, name: str) -> None:
        """End an element."""
        if name == "seg" and self.segment is not None:
            self.unit.append((self.language, "".join(self.segment)))
            self.segment = None
        elif name in CODES:
            self.codes -= 1
        elif name == "tu":
            self.add_unit()

    def add(self, text: str) -> None:
        """Add what is text of a segment."""
        if self.segment is not None and self.codes == 0:
            self.segment.append(text)

    def add_unit(self) -> None:
        """Add the pairs of a unit; once there are too many languages, only these are noted."""
        if self.source_language is None:
            raise self.fault("a <tu> before any <header>, wanted <header srclang=…> first")
        self.languages.update(dict.fromkeys(language for language, _ in self.unit))
        if len(self.languages.keys() - {self.source_language}) > 1:
            self.pairs = []
            return
        source = next((text for language, text in self.unit if language == self.source_language), None)
        if source is not None:
            targets = (text for language, text in self.unit if language != self.source_language)
            self.pairs.extend(PlacedPair(self.line, source, target) for target in targets)

    def check_languages(self) -> None:
        """Refuse texts that are not in a source language and one other.

        Raises:
            DataError: They are not; names the languages.
        """
        if self.source_language is None:
            raise DataError(f"{self.path}: has no <header>, wanted <header srclang=…>")
        others = sorted(self.languages.keys() - {self.source_language})
        if self.languages and self.source_language not in self.languages:
            raise DataError(
                f"{self.path}: srclang of the header is {self.source_language[:40]!r} and the texts are in "
                f"{_listed(others)}; write the language of the sources there"
            )
        if self.languages and len(others) != 1:
            raise DataError(
                f"{self.path}: sources are in {self.source_language[:40]} and other texts in {_listed(others)}; "
                "wanted one other language, so keep a file for each"
            )


def _plain(language: str) -> str:
    """A language tag, of which case and the sign between its parts do not matter."""
    return language.strip().lower().replace("_", "-")


def _listed(languages: Sequence[str]) -> str:
    shown = ", ".join(language[:40] for language in languages[:MOST_LANGUAGES])
    return (shown or "none") + (" and more" if len(languages) > MOST_LANGUAGES else "")
