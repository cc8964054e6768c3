"""Pairs from a file with a JSON object on each line."""

import json
from pathlib import Path

from seq2see.data.placed_pair import PlacedPair, check_characters
from seq2see.data.text_file import read_lines
from seq2see.errors import DataError


def read_jsonl(path: Path, *, tags: bool) -> list[PlacedPair]:
    """Read ``{"source": …, "target": …}`` lines, with ``"tags"`` where sources have them; other keys are passed over.

    Args:
        path: The file.
        tags: Whether sources have tags; they come back as ``text TAB tags``.

    Raises:
        DataError: The file cannot be read, or a line is not such an object; names line and key.
    """
    wanted = ("source", "target", "tags") if tags else ("source", "target")
    pairs = []
    for number, line in enumerate(read_lines(path), start=1):
        place = f"{path}: line {number}"
        try:
            content = json.loads(line)
        except ValueError as error:
            raise DataError(f"{place}: not JSON: {error}") from None
        except RecursionError:
            raise DataError(f"{place}: lists or objects within each other without end, wanted an object") from None
        if not isinstance(content, dict):
            raise DataError(f"{place}: a {type(content).__name__}, wanted an object with {', '.join(wanted)}")
        for key in wanted:
            if not isinstance(content.get(key), str):
                found = f"is {content[key]!r:.40}" if key in content else "is missing"
                raise DataError(f"{place}: {key!r} {found}, wanted a text")
            check_characters(content[key], f"{place}: {key!r}")
        source = "\t".join([content["source"], content["tags"]]) if tags else content["source"]
        pairs.append(PlacedPair(number, source, content["target"]))
    return pairs
