"""Further models in a model directory, which write each output together with its own.

::

    members.json           which they are, each with the fingerprint of its weights
    members/2, members/3   each a model directory

The list is written when a further model has come to its end, so that a half-trained one is never among them.
"""

import json
from pathlib import Path

from seq2see.bundle import MEMBERS, MEMBERS_LIST, saved_fingerprint
from seq2see.errors import BundleError
from seq2see.files import write_file


def member_directory(directory: Path, number: int) -> Path:
    """Where a member is: the first in the directory itself.

    Args:
        directory: The model directory.
        number: From 1.
    """
    return directory if number == 1 else directory / MEMBERS / str(number)


def list_members(directory: Path, count: int) -> None:
    """Write which models belong together: the directory's own and those numbered 2 to ``count``.

    Raises:
        BundleError: One is not there.
        OutputError: The directory cannot be written.
    """
    names = [f"{MEMBERS}/{number}" for number in range(2, count + 1)]
    content = [{"directory": name, "weights": saved_fingerprint(directory / name)} for name in names]
    write_file(directory / MEMBERS_LIST, json.dumps(content, indent=2) + "\n")


def further_members(directory: Path) -> list[Path]:
    """The directories of the models that are listed, without the first.

    Raises:
        BundleError: The list is damaged, or one of them is not the model that it names.
    """
    path = directory / MEMBERS_LIST
    if not path.is_file():
        return []
    try:
        content = json.loads(path.read_bytes())
        if not isinstance(content, list):
            raise TypeError(f"is a {type(content).__name__}")
        entries = [(str(entry["directory"]), str(entry["weights"])) for entry in content]
    except (ValueError, KeyError, TypeError) as error:
        raise BundleError(f"{path}: damaged: {error}; wanted a list of directories and weights") from None
    for name, wanted in entries:
        if not name.startswith(f"{MEMBERS}/") or ".." in name:
            raise BundleError(f"{path}: names {name!r}, wanted a directory in {MEMBERS}/")
        found = saved_fingerprint(directory / name)
        if found != wanted:
            raise BundleError(f"{directory / name}: its weights have the fingerprint {found}, wanted {wanted} ({path})")
    return [directory / name for name, _ in entries]
