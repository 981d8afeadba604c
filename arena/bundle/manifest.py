"""bot.toml: what a bundle says about itself."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from arena.bundle.errors import InvalidEntry, InvalidManifest
from engines.api import short as shown

MANIFEST = "bot.toml"
RUNTIMES = ("python", "node", "native")
MOST_BYTES = 16 * 1024
MOST_DOTS = 20
DEFAULT_RUNTIME = "python"
DEFAULT_ENTRY = "main.py"
KEYS = ("name", "game", "runtime", "entry")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}")


@dataclass(frozen=True, slots=True)
class Manifest:
    """name and game are None where a lone file says nothing about them."""

    name: str | None = None
    game: str | None = None
    runtime: str = DEFAULT_RUNTIME
    entry: str = DEFAULT_ENTRY

    def as_toml(self) -> str:
        """The text of a bot.toml with this content; every value is known to need no escaping."""
        values = {"name": self.name, "game": self.game, "runtime": self.runtime, "entry": self.entry}
        return "".join(f'{key} = "{value}"\n' for key, value in values.items() if value is not None)


def read_manifest(data: bytes) -> Manifest:
    """The content of a bot.toml; raises InvalidManifest or InvalidEntry."""
    if len(data) > MOST_BYTES:
        raise InvalidManifest(f"{MANIFEST} has {len(data)} bytes; it needs four lines and may have {MOST_BYTES}.")
    _check_plain(data)
    try:
        values = tomllib.loads(data.decode("utf-8-sig"))  # some editors begin a text with a mark
    except UnicodeDecodeError as error:
        raise InvalidManifest(f"{MANIFEST} is not UTF-8 text (byte {error.start}).") from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidManifest(f"{MANIFEST} is not valid TOML: {error}.") from error
    except (ValueError, RecursionError) as error:  # thousands of digits, or of brackets
        raise InvalidManifest(f"{MANIFEST} is not valid TOML: a value in it is too long or too deep.") from error
    unknown = [key for key in values if key not in KEYS]
    if unknown:
        raise InvalidManifest(f"{MANIFEST} has {shown(unknown[0])}; it may have {', '.join(KEYS)}.")
    return Manifest(
        name=_name(values),
        game=_text(values, "game", needed=True),
        runtime=_runtime(values),
        entry=check_entry(_text(values, "entry") or DEFAULT_ENTRY),
    )


def _check_plain(data: bytes) -> None:
    """Keys of thousands of parts take a TOML reader seconds, and a manifest has none of two."""
    for line in data.splitlines():
        if line.count(b".") > MOST_DOTS and not line.lstrip().startswith(b"#"):
            raise InvalidManifest(
                f"{MANIFEST} has a line with {line.count(b'.')} dots ({shown(line[:40])}); its keys are plain words."
            )


def _text(values: dict[str, Any], key: str, *, needed: bool = False) -> str | None:
    value = values.get(key)
    if value is None and needed:
        raise InvalidManifest(f'{MANIFEST} must say {key} = "…".')
    if value is not None and (not isinstance(value, str) or not value or len(value) > 200 or not value.isprintable()):
        raise InvalidManifest(f"{key} in {MANIFEST} must be a short printable string, not {shown(value)}.")
    return value


def _name(values: dict[str, Any]) -> str:
    name = _text(values, "name", needed=True)
    assert name is not None
    if not _NAME.fullmatch(name):
        raise InvalidManifest(
            f"name in {MANIFEST} must be 1 to 40 letters, digits, spaces, dots, dashes or underscores "
            f"and begin with a letter or digit, not {shown(name)}."
        )
    return name


def _runtime(values: dict[str, Any]) -> str:
    runtime = _text(values, "runtime") or DEFAULT_RUNTIME
    if runtime not in RUNTIMES:
        raise InvalidManifest(f"runtime in {MANIFEST} must be one of {', '.join(RUNTIMES)}, not {shown(runtime)}.")
    return runtime


def check_entry(entry: str) -> str:
    """An entry as a plain path inside the bundle; raises InvalidEntry."""
    path = PurePosixPath(entry)
    if path.is_absolute() or ".." in path.parts or "\\" in entry or '"' in entry or not path.parts:
        raise InvalidEntry(f"entry in {MANIFEST} must be a path inside the bundle, not {shown(entry)}.")
    return str(path)
