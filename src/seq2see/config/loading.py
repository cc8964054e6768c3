"""From YAML files and ``--set key.path=value`` to a checked configuration, all faults told at once."""

import difflib
import reprlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError

from seq2see.config.schema import Config
from seq2see.errors import ConfigError

Value = TypeVar("Value")


def load_config(path: str | Path | None = None, settings: Sequence[str] = ()) -> Config:
    """Read a configuration file and lay the settings over it.

    Args:
        path: A YAML file; its keys replace defaults.
        settings: ``key.path=value`` texts; they replace what the file says.

    Raises:
        ConfigError: The file is not readable or not YAML, or keys, types or values are wrong; names each.
    """
    content = {} if path is None else _read_yaml(Path(path))
    origin = "configuration" if path is None else str(path)
    for setting in settings:
        _apply(content, setting)
    return parse_config(content, origin)


def parse_config(content: dict[str, Any], origin: str) -> Config:
    """Check the content of a configuration.

    Raises:
        ConfigError: Keys, types or values are wrong; names each, and the nearest key for an unknown one.
    """
    content = {key: value for key, value in content.items() if value is not None}  # a section without keys
    try:
        return Config.model_validate(content)
    except ValidationError as error:
        faults = [_fault(detail["loc"], detail["type"], detail["msg"], detail["input"]) for detail in error.errors()]
        raise ConfigError("\n".join(f"{origin}: {fault}" for fault in dict.fromkeys(faults))) from None


def dump_config(config: Config) -> str:
    """The configuration as YAML, defaults included."""
    return yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False, allow_unicode=True)


def chosen(value: Value | None, key: str) -> Value:
    """A value that was open and must have been chosen by now.

    Raises:
        ConfigError: It has not.
    """
    if value is None:
        raise ConfigError(f"{key}: is still to be chosen from the data, wanted a value")
    return value


def left_open(config: Config, key: str) -> bool:
    """Whether a key was neither given nor chosen, so that its value is the default.

    Args:
        config: The configuration.
        key: Dotted, such as ``model.dropout``.
    """
    section: BaseModel = config
    *sections, last = key.split(".")
    for name in sections:
        section = getattr(section, name)
    return last not in section.model_fields_set


def replace(config: Config, values: dict[str, Any]) -> Config:
    """A new configuration with the values at the given dotted keys.

    Raises:
        ConfigError: A key or value is wrong.
    """
    content = config.model_dump(exclude_unset=True)  # what was left open stays so
    for key, value in values.items():
        _put(content, key, value, f"{key}={value}")
    return parse_config(content, "configuration")


def parse_settings(settings: Sequence[str]) -> dict[str, Any]:
    """The values of ``key.path=value`` texts by key.

    Raises:
        ConfigError: A text has not this form, or its value is not YAML.
    """
    return dict(_parse_setting(setting) for setting in settings)


def _read_yaml(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file") from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text: {error}") from None
    content = _parse_yaml(text, str(path))
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: is a {type(content).__name__}, wanted sections such as `model:` and `training:`")
    return content


def _apply(content: dict[str, Any], setting: str) -> None:
    key, value = _parse_setting(setting)
    _put(content, key, value, f"--set {setting}")


def _parse_setting(setting: str) -> tuple[str, Any]:
    key, equals, text = setting.partition("=")
    if not equals or not key.strip():
        raise ConfigError(f"--set {setting}: wanted key.path=value, as in --set training.seed=3")
    return key.strip(), _parse_yaml(text, f"--set {setting}")


def _parse_yaml(text: str, origin: str) -> Any:
    try:
        return yaml.load(text, _Loader)
    except (
        yaml.YAMLError,
        ValueError,
        LookupError,
        ArithmeticError,
        AttributeError,
        TypeError,
        RecursionError,
    ) as error:
        # the library lets the faults of its own conversions through: dates, tags, numbers, nesting
        raise ConfigError(f"{origin}: not YAML: {' '.join(str(error).split())}") from None


class _Loader(yaml.SafeLoader):
    """YAML's safe loader, which keeps the last of doubled keys; this one refuses them."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.constructor.ConstructorError(None, None, f"{key!r} is given twice", key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


def _put(content: dict[str, Any], key: str, value: Any, origin: str) -> None:
    *sections, last = key.split(".")
    for section in sections:
        if content.get(section) is None:
            content[section] = {}
        content = content[section]
        if not isinstance(content, dict):
            raise ConfigError(f"{origin}: {section} is a value, not a section")
    content[last] = value


def _fault(location: tuple[int | str, ...], kind: str, message: str, value: object) -> str:
    key = ".".join(str(part) for part in location)
    if kind == "extra_forbidden":
        return f"{key}: no such key{_suggestion(location)}"
    if kind == "value_error":  # one of the checks of schema.py, which names its keys itself
        return f"{key}: {message.removeprefix('Value error, ')}".removeprefix(": ")
    return f"{key}: got {_shown(value)}; {message[0].lower()}{message[1:]}"


def _shown(value: object) -> str:
    """A value, shortened: a few lines of YAML can stand for endless lists, and a number can be too long to print."""
    shortener = reprlib.Repr()
    shortener.maxlevel = 3
    shortener.maxstring = shortener.maxother = 200
    try:
        return shortener.repr(value)
    except ValueError:
        return f"{type(value).__name__} of very many digits"


def _suggestion(location: tuple[int | str, ...]) -> str:
    wrong = ".".join(str(part) for part in location)
    known = list(_keys(Config))
    nearest = difflib.get_close_matches(wrong, known, n=1, cutoff=0.6)
    if not nearest:
        last = difflib.get_close_matches(str(location[-1]), [key.split(".")[-1] for key in known], n=1)
        nearest = [key for key in known if last and key.split(".")[-1] == last[0]][:1]
    return f"; did you mean {nearest[0]}?" if nearest else f"; the sections are {', '.join(Config.model_fields)}"


def _keys(section: type[BaseModel], prefix: str = "") -> Iterable[str]:
    """Every dotted key of a section."""
    for name, field in section.model_fields.items():
        yield prefix + name
        kinds = [field.annotation, *get_args(field.annotation)]
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from _keys(kind, f"{prefix}{name}.")
