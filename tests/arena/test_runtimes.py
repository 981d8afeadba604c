"""Good bots of every runtime, and what they can count on inside."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from arena import Limits, require_sandbox
from tests.arena.table import BOTS, Bot, make_bot, play_bots, words_of

pytestmark = pytest.mark.usefixtures("starts")
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler to build a native bot with")


def make_bundle(tmp_path: Path, *, runtime: str, entry: str, content: bytes, mode: int = 0o644) -> Bot:
    folder = tmp_path / f"{runtime}-bundle"
    folder.mkdir()
    (folder / entry).write_bytes(content)
    (folder / entry).chmod(mode)
    (folder / "bot.toml").write_text(f'name = "x"\ngame = "countdown"\nruntime = "{runtime}"\nentry = "{entry}"\n')
    return Bot(folder, folder.name)


def make_native(tmp_path: Path, source: Path) -> Bot:
    program = tmp_path / "program"
    subprocess.run(["cc", "-O2", "-o", program, source], check=True, timeout=200)
    return make_bundle(tmp_path, runtime="native", entry="bot", content=program.read_bytes(), mode=0o755)


def run_python(tmp_path: Path, *lines: str) -> str:
    """Run these lines as part of a bot's start and give back what it wrote to its log."""
    source = tmp_path / "lines.py"
    source.write_text("\n".join(["import sys", *lines, "from seat import play", "play()"]))
    record = play_bots(make_bot(tmp_path, source), make_bot(tmp_path, "good"), limits=Limits())
    assert (record.ending, record.faults) == ("finished", ()), words_of(record)
    return words_of(record)


def test_a_python_bot_can_use_numpy_and_orjson(tmp_path: Path) -> None:
    words = run_python(
        tmp_path,
        "import numpy, orjson",
        "a = numpy.ones((200, 200)) @ numpy.ones((200, 200))",
        "sys.stderr.write(orjson.dumps({'sum': float(a.sum())}).decode())",
    )
    assert words == '{"sum":8000000.0}'


def test_a_python_bot_can_import_engines_and_play_them_out(tmp_path: Path) -> None:
    words = run_python(
        tmp_path,
        "from engines import GAMES",
        "state = GAMES['gatsby'].new(seats=2, seed=3)",
        "while state.to_act is not None: state.apply(state.legal_actions()[0])",
        "sys.stderr.write(state.outcome().ending)",
    )
    assert words


def test_a_python_bot_can_import_the_kit_and_nothing_of_the_arena(tmp_path: Path) -> None:
    words = run_python(
        tmp_path,
        "import bots.kit, importlib.util as u",
        "sys.stderr.write(str([n for n in ('arena', 'ladder', 'django', 'pip', 'rich') if u.find_spec(n)]))",
    )
    assert words == "[]"


def test_threads_asyncio_and_temporary_files_work(tmp_path: Path) -> None:
    words = run_python(
        tmp_path,
        "import asyncio, threading, tempfile",
        "t = threading.Thread(target=lambda: sys.stderr.write('thread ')); t.start(); t.join()",
        "async def hello(): await asyncio.sleep(0.001); sys.stderr.write('asyncio ')",
        "asyncio.run(hello())",
        "with tempfile.TemporaryFile() as f: f.write(b'x' * 1000)",
        "sys.stderr.write('file')",
    )
    assert words == "thread asyncio file"


def test_a_python_bot_sees_its_own_name_and_the_files_beside_it(tmp_path: Path) -> None:
    words = run_python(
        tmp_path,
        "import seat, os",
        "words = [__name__, os.path.dirname(__file__), seat.__file__, sys.argv[0] == __file__ and 'argv']",
        "sys.stderr.write(' '.join(words))",
    )
    assert words == "__main__ /bot /bot/seat.py argv"


def test_the_log_of_a_crash_has_the_traceback_an_author_needs(tmp_path: Path) -> None:
    source = tmp_path / "broken.py"
    source.write_text("def f():\n    return undefined_name\n\nf()\n")
    record = play_bots(make_bot(tmp_path, source), make_bot(tmp_path, "good"))
    assert [(fault.kind, fault.stage) for fault in record.faults] == [("crash", "start")]
    assert "NameError: name 'undefined_name' is not defined" in words_of(record)
    assert ", line 2, in f" in words_of(record)


def test_a_node_bot_plays(tmp_path: Path) -> None:
    if not require_sandbox().folder.has_node:
        pytest.skip("node is not installed")
    bot = make_bundle(tmp_path, runtime="node", entry="main.mjs", content=(BOTS / "good.mjs").read_bytes())
    record = play_bots(bot, make_bot(tmp_path, "good"), limits=Limits())
    assert (record.ending, record.faults) == ("finished", ()), words_of(record)
    assert record.actions[0].text == "take3"
    assert record.seats[0].notes[0].text == "from node"


def test_a_node_bot_that_hoards_memory_is_stopped(tmp_path: Path) -> None:
    if not require_sandbox().folder.has_node:
        pytest.skip("node is not installed")
    hoard = b'const h = []; console.log(\'{"type":"ready"}\'); for (;;) h.push(new Uint8Array(1 << 22).fill(1));'
    bot = make_bundle(tmp_path, runtime="node", entry="main.js", content=hoard)
    record = play_bots(make_bot(tmp_path, "good"), bot, limits=Limits(memory_mib=256, wall_ms=60_000))
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(1, "out_of_memory")], words_of(record, 1)
    assert record.seats[1].peak_memory_kib < 320 * 1024


@needs_cc
@pytest.mark.parametrize("name", ["node", "VmHWM: 1"])
def test_memory_that_a_node_bot_may_only_read_any_more_is_counted_all_the_same(name: str, tmp_path: Path) -> None:
    if not require_sandbox().folder.has_node:
        pytest.skip("node is not installed")
    bot = make_bundle(tmp_path, runtime="node", entry="main.mjs", content=(BOTS / "hoards_read_only.mjs").read_bytes())
    (bot.folder / "name.txt").write_text(name)
    words = ["cc", "-shared", "-fPIC", "-O2", "-o", bot.folder / "hoard.node", BOTS / "hoard.c"]
    subprocess.run(words, check=True, timeout=200)
    record = play_bots(bot, make_bot(tmp_path, "good"), limits=Limits())
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(0, "out_of_memory")], words_of(record)
    assert record.faults[0].reason.endswith("MiB of memory; the limit is 512")


@needs_cc
def test_a_native_bot_plays(tmp_path: Path) -> None:
    record = play_bots(make_native(tmp_path, BOTS / "good.c"), make_bot(tmp_path, "good"))
    assert (record.ending, record.faults) == ("finished", ()), words_of(record)
    assert record.seats[0].peak_memory_kib < 10_000


def test_a_native_bot_that_is_no_program_crashes_at_start(tmp_path: Path) -> None:
    bot = make_bundle(tmp_path, runtime="native", entry="bot", content=b"\x7fELF\x02\x01\x01" + bytes(200), mode=0o755)
    record = play_bots(bot, make_bot(tmp_path, "good"))
    assert [(fault.seat, fault.kind, fault.stage) for fault in record.faults] == [(0, "crash", "start")]


NOT_NEEDED = ("pathlib", "hashlib", "threading", "bots.kit.search", "engines.gatsby", "engines.capone")


def test_a_cold_kit_bot_imports_only_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUMRUNNER_STARTS", "cold")
    names = run_python(tmp_path, "import bots.kit", "sys.stderr.write(' '.join(sys.modules))").split()
    assert "bots.kit.protocol" in names
    assert [name for name in NOT_NEEDED if name in names] == []
    assert "ast" not in names, "inspect was read, not only named"


def test_inspect_and_what_searches_are_there_when_they_are_asked_for(tmp_path: Path) -> None:
    words = run_python(
        tmp_path,
        "import dataclasses, inspect, bots.kit",
        "def f(a, b=2): pass",
        "sys.stderr.write(f'{inspect.signature(f)} {bots.kit.best_by_tree.__module__} {bots.kit.search.__name__}')",
    )
    assert words == "(a, b=2) bots.kit.search bots.kit.search"
