"""Files at the author's desk: bots by path or by name, starters, what a crash leaves behind."""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from pathlib import Path

import orjson

import bots
from arena import Fault, MatchRecord, Unplayable
from arena.bundle import MANIFEST, BundleRejected
from arena.desk.series import Entrant, enter
from arena.replay import states
from bots.cli.output import Code, Stop
from engines import GAMES

SHELF = Path(bots.__file__).parent
SKIPPED = ("__pycache__", ".git", ".venv", "node_modules")
ANY_GAME = {"node": "any game, in JavaScript", "c": "any game, in C"}


def known_game(name: str) -> str:
    """The game of that name; raises Stop."""
    if name not in GAMES:
        raise Stop(f"there is no game {name!r}; the games are {', '.join(GAMES)}.", Code.USAGE, kind="unknown_game")
    return name


def find_bot(game: str, word: str) -> Path:
    """The file or folder a word means: a path, or ``house:NAME``; raises Stop."""
    if word.startswith("house:"):
        path = SHELF / "house" / game / f"{word.removeprefix('house:')}.py"
        if not path.is_file():
            known = ", ".join(f"house:{each.stem}" for each in sorted((SHELF / "house" / game).glob("*.py")))
            raise Stop(f"there is no {word!r} for {game}; there are {known or 'none'}.", Code.USAGE, kind="unknown_bot")
        return path
    path = Path(word)
    if not path.exists():
        raise Stop(f"there is no file or folder {word!r}.", Code.USAGE, kind="missing_file")
    return path


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


def upload_bytes(path: Path) -> tuple[str, bytes]:
    """File name and bytes as they are uploaded: a folder becomes a zip, always the same for the same files."""
    if not path.exists():
        raise Stop(f"there is no file or folder {str(path)!r}.", Code.USAGE, kind="missing_file")
    if path.is_file():
        return path.name, path.read_bytes()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(path.rglob("*")):
            name = file.relative_to(path)
            if file.is_file() and not any(part in SKIPPED or part.startswith(".") for part in name.parts):
                entry = zipfile.ZipInfo(name.as_posix(), (1980, 1, 1, 0, 0, 0))
                entry.external_attr = (0o755 if file.stat().st_mode & 0o111 else 0o644) << 16
                archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return f"{path.name}.zip", buffer.getvalue()


def make_starter(game: str, folder: Path, *, runtime: str) -> Path:
    """Put a starter into a new folder; raises Stop."""
    source = SHELF / "starter" / (game if runtime == "python" else runtime)
    if not source.is_dir():
        raise Stop(f"there is no starter for {runtime!r}; choose python, node or c.", Code.USAGE)
    if folder.exists():
        raise Stop(f"{str(folder)!r} exists already; name another folder.", Code.USAGE, kind="exists")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,39}", folder.name):
        raise Stop(f"{folder.name!r} can't be the name of a bot: use letters, digits, '.', '-' and '_'.", Code.USAGE)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = folder / MANIFEST
    text = manifest.read_text()
    text = re.sub(r'(?m)^name = ".*"$', f'name = "{folder.name}"', text)
    manifest.write_text(re.sub(r'(?m)^game = ".*"$', f'game = "{game}"', text))
    return folder


def save_turn(record: MatchRecord, fault: Fault, folder: Path) -> Path | None:
    """Write the question a bot failed on, so that the turn can be asked again; None where there was none."""
    if fault.stage != "act":
        return None
    try:
        position = next(state for ply, state in enumerate(states(record)) if ply == fault.ply)
    except (StopIteration, Unplayable):
        return None
    if position.to_act != fault.seat:
        return None
    question = {
        "type": "act",
        "ply": fault.ply,
        "observation": position.observe(fault.seat),
        "legal": [position.format(action) for action in position.legal_actions()],
    }
    path = folder / f"turn-{record.digest[:8]}-{fault.ply}.json"
    path.write_bytes(orjson.dumps(question) + b"\n")
    return path
