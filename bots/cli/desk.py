"""Files at the author's desk: bots by path or by name, starters, uploads."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path

import bots
from arena.bundle import MANIFEST, BundleRejected, open_folder, read_bundle_file
from arena.desk.series import Entrant, enter
from arena.desk.upload import Upload, upload_of
from arena.house import house_bots
from bots.cli.output import Code, Stop
from engines import GAMES

SHELF = Path(bots.__file__).parent
RUNTIMES = ("python", "node", "c")


def known_game(name: str) -> str:
    """The game of that name; raises Stop."""
    if name not in GAMES:
        told = f"there is no game {name!r}; the games are {', '.join(GAMES)}.{_meant(name, GAMES)}"
        raise Stop(told, Code.USAGE, kind="unknown_game")
    return name


def _meant(word: str, known: Iterable[str]) -> str:
    """A guess at what was misspelt."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.7)
    return f" Did you mean {close[0]!r}?" if close else ""


def _no_such(path: Path, what: str) -> Stop:
    beside = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
    told = f"there is no {what} {str(path)!r}.{_meant(path.name, beside)}"
    return Stop(told, Code.USAGE, kind="missing_file")


def find_record(path: Path) -> Path:
    """The path of a record; raises Stop where nothing is."""
    if path.exists() and not path.is_file():
        raise Stop(f"{str(path)!r} is no file; name a record.", Code.USAGE, kind="missing_file")
    if not path.is_file():
        raise _no_such(path, "file")
    return path


def find_bot(game: str, word: str) -> Path:
    """The file or folder a word means: a path, or ``house:NAME``; raises Stop."""
    if word.startswith("house:"):
        house = house_bots(game)
        if word.removeprefix("house:") not in house:
            known = ", ".join(f"house:{name}" for name in house)
            raise Stop(f"there is no {word!r} for {game}; there are {known or 'none'}.", Code.USAGE, kind="unknown_bot")
        return house[word.removeprefix("house:")]
    return _file_or_folder(Path(word))


def _file_or_folder(path: Path) -> Path:
    if not path.exists():
        raise _no_such(path, "file or folder")
    if not path.is_file() and not path.is_dir():  # reading a pipe could take for ever
        raise Stop(f"{str(path)!r} is neither a file nor a folder.", Code.USAGE, kind="missing_file")
    return path


def game_of(word: str) -> str | None:
    """The game that a bot says it plays; None where it says nothing or can't be opened."""
    path = Path(word)
    if not path.exists() or path.suffix == ".py":
        return None
    try:
        return open_folder(path).game if path.is_dir() else read_bundle_file(path).manifest.game
    except BundleRejected:
        return None


def house_names(game: str) -> dict[str, str]:
    """The house bots of a game by the digest that records know them by."""
    return {sha256(path.read_bytes()).hexdigest(): f"house {name}" for name, path in house_bots(game).items()}


def entrants(game: str, words: list[str]) -> list[Entrant]:
    """The bots of these words, checked as the server would; raises Stop."""
    entered: list[Entrant] = []
    for word in words:
        try:
            entrant = enter(find_bot(game, word), game)
        except BundleRejected as rejected:
            raise Stop(f"{word}: {rejected}", Code.NO, kind=rejected.code) from None
        entered.append(Entrant(entrant.path, _unique(entrant.name, entered), entrant.digest))
    return entered


def _unique(name: str, others: list[Entrant]) -> str:
    taken = {other.name for other in others}
    number = 2
    unique = name
    while unique in taken:
        unique = f"{name}-{number}"
        number += 1
    return unique


def upload_bytes(path: Path) -> Upload:
    """A file or folder as it is uploaded; raises Stop."""
    found = _file_or_folder(path)
    try:
        return upload_of(found)
    except OSError as error:
        raise Stop(f"{error.filename} can't be read: {error.strerror}.", Code.USAGE, kind="unreadable_file") from None


def make_starter(game: str, folder: Path, *, runtime: str) -> Path:
    """Put a starter into a new folder; raises Stop."""
    if runtime not in RUNTIMES:
        raise Stop(f"there is no starter for {runtime!r}; choose python, node or c.", Code.USAGE)
    source = SHELF / "starter" / (game if runtime == "python" else runtime)
    if not source.is_dir():
        raise Stop(f"there is no starter in Python for {game}; choose --runtime node or c.", Code.USAGE)
    if folder.exists():
        told = f"{str(folder)!r} exists already; name another folder: rumrunner new {game} NAME"
        raise Stop(told, Code.USAGE, kind="exists")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,39}", folder.name):
        raise Stop(f"{folder.name!r} can't be the name of a bot: use letters, digits, '.', '-' and '_'.", Code.USAGE)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__"))
    _rewrite(
        folder / MANIFEST, (r'(?m)^name = ".*"$', f'name = "{folder.name}"'), (r'(?m)^game = ".*"$', f'game = "{game}"')
    )
    if (readme := folder / "README.md").exists():
        _rewrite(readme, (r"rumrunner play \w+", f"rumrunner play {game}"))
    return folder


def _rewrite(path: Path, *changes: tuple[str, str]) -> None:
    text = path.read_text()
    for pattern, replacement in changes:
        text = re.sub(pattern, replacement, text)
    path.write_text(text)
