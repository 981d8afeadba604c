"""What a bundle says about itself, and what a match may use: every value that is taken, and every one that is not."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from arena.bundle import BundleRejected, open_folder
from arena.bundle.errors import InvalidEntry, InvalidManifest, MissingManifest
from arena.bundle.manifest import KEYS, MOST_BYTES, MOST_DOTS, RUNTIMES, Manifest, check_entry, read_manifest
from arena.bundle.store import remove_folder
from arena.order import InvalidOrder, Limits, MatchOrder
from engines import GAMES

PLAIN = 'name = "still"\ngame = "gatsby"\n'


def refused(text: str | bytes, kind: type[BundleRejected] = InvalidManifest) -> str:
    with pytest.raises(kind) as problem:
        read_manifest(text.encode() if isinstance(text, str) else text)
    return str(problem.value)


def test_name_and_game_are_enough() -> None:
    assert read_manifest(PLAIN.encode()) == Manifest("still", "gatsby", "python", "main.py")


def test_the_mark_with_which_some_editors_begin_a_text_is_not_part_of_it() -> None:
    assert read_manifest(PLAIN.encode("utf-8-sig")) == read_manifest(PLAIN.encode())


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_manifest_comes_back_from_its_own_text(runtime: str) -> None:
    manifest = Manifest("Night Train 2.0", "capone", runtime, "src/bot.js")
    assert read_manifest(manifest.as_toml().encode()) == manifest


def test_a_lone_file_writes_only_what_it_knows() -> None:
    assert Manifest().as_toml() == 'runtime = "python"\nentry = "main.py"\n'


@pytest.mark.parametrize("name", ["a", "9", "x" * 40, "Al Capone", "a.b-c_d", "a "])
def test_a_plain_name_is_taken(name: str) -> None:
    assert read_manifest(f'name = "{name}"\ngame = "gatsby"\n'.encode()).name == name


@pytest.mark.parametrize("name", ["-a", " a", "x" * 41, "über", "a/b", "a<b", "a'b", "\\u0000", "a\\tb"])
def test_a_name_that_could_mislead_is_refused(name: str) -> None:
    assert "name in bot.toml must be" in refused(f'name = "{name}"\ngame = "gatsby"\n')


@pytest.mark.parametrize("key", ["name", "game"])
def test_what_is_needed_is_named(key: str) -> None:
    text = "".join(line for line in PLAIN.splitlines(keepends=True) if not line.startswith(key))
    assert refused(text) == f'bot.toml must say {key} = "…".'


@pytest.mark.parametrize("value", ["1", "true", "[]", "{}", '""', '"' + "x" * 201 + '"', "2026-11-17", "1.5"])
@pytest.mark.parametrize("key", ["game", "runtime", "entry"])
def test_values_are_short_strings(key: str, value: str) -> None:
    given = {"name": '"still"', "game": '"gatsby"'} | {key: value}
    assert "must be a short printable string" in refused("".join(f"{name} = {text}\n" for name, text in given.items()))


@pytest.mark.parametrize("runtime", ["ruby", "Python", "python3", "c"])
def test_only_three_runtimes_are_known(runtime: str) -> None:
    assert f"must be one of python, node, native, not '{runtime}'" in refused(f'{PLAIN}runtime = "{runtime}"\n')


@pytest.mark.parametrize("extra", ['author = "ann"', "[tool]", "Name = 'x'"])
def test_a_key_that_means_nothing_is_refused_with_those_that_do(extra: str) -> None:
    told = refused(f"{PLAIN}{extra}\n")
    assert all(key in told for key in KEYS)


@pytest.mark.parametrize("text", [b"\xff\xfe", b'name = "\xe9"\n', "name = 'still'\n".encode("utf-16")])
def test_what_is_no_utf_8_is_told_where(text: bytes) -> None:
    assert "is not UTF-8 text (byte" in refused(text)


@pytest.mark.parametrize("text", ["name", "name = ", 'name = "a" "b"', "= 1", "[", "x = " + "9" * 5000, "a = [" * 3000])
def test_what_is_no_toml_is_told_so(text: str) -> None:
    assert "is not valid TOML" in refused(text)


@pytest.mark.parametrize("text", ["x = " + "9" * 5000, "a = " + "[" * 3000])
def test_a_value_that_python_gives_up_on_is_not_told_in_python_s_words(text: str) -> None:
    assert refused(text).endswith("a value in it is too long or too deep.")


@pytest.mark.parametrize(("size", "is_taken"), [(MOST_BYTES, True), (MOST_BYTES + 1, False)])
def test_a_manifest_has_its_size(size: int, is_taken: bool) -> None:
    text = PLAIN + "#" + "x" * (size - len(PLAIN) - 2) + "\n"
    assert len(text) == size
    if is_taken:
        assert read_manifest(text.encode()).name == "still"
    else:
        assert f"has {size} bytes" in refused(text)


@pytest.mark.parametrize(("line", "is_taken"), [("# " + "." * 99, True), ("a." * (MOST_DOTS + 1) + "b = 1", False)])
def test_keys_of_many_parts_are_not_read_and_comments_are(line: str, is_taken: bool) -> None:
    text = f"{PLAIN}{line}\n"
    if is_taken:
        read_manifest(text.encode())
    else:
        assert "its keys are plain words" in refused(text)


@pytest.mark.parametrize(
    ("entry", "kept"),
    [("main.py", "main.py"), ("./src//bot.py", "src/bot.py"), ("a/b/c", "a/b/c"), (".hidden", ".hidden")],
)
def test_an_entry_is_kept_as_a_plain_path(entry: str, kept: str) -> None:
    assert check_entry(entry) == kept


@pytest.mark.parametrize("entry", ["/etc/passwd", "../x.py", "a/../../b", "a\\b", 'a"b', ".", "./"])
def test_an_entry_outside_of_the_bundle_is_refused(entry: str) -> None:
    with pytest.raises(InvalidEntry, match="must be a path inside the bundle"):
        check_entry(entry)


def test_a_folder_with_a_main_file_alone_is_a_bot(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("print()\n")
    assert open_folder(tmp_path) == Manifest()


def test_a_folder_without_its_entry_is_refused_and_a_program_is_to_be_built(tmp_path: Path) -> None:
    with pytest.raises(MissingManifest):
        open_folder(tmp_path)
    (tmp_path / "bot.toml").write_text(f'{PLAIN}runtime = "native"\nentry = "bot"\n')
    with pytest.raises(InvalidEntry, match="Build it first"):
        open_folder(tmp_path)
    (tmp_path / "bot.toml").write_text(f'{PLAIN}entry = "x.py"\n')
    with pytest.raises(InvalidEntry, match=r"The entry 'x\.py' is not in") as problem:
        open_folder(tmp_path)
    assert "Build" not in str(problem.value)


def test_a_read_only_folder_is_removed_and_a_missing_one_is_no_error(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (deep / "file").write_text("x")
    (deep / "file").chmod(0o400)
    deep.chmod(0o500)
    (tmp_path / "a").chmod(0o500)
    for _ in range(2):
        remove_folder(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [item.name for item in fields(Limits)])
@pytest.mark.parametrize("value", [-1, 1.5, "5", None, True, 86_400_001])
def test_a_limit_is_a_whole_number_in_its_range(name: str, value: object) -> None:
    with pytest.raises(InvalidOrder, match=rf"limits\.{name} must be a whole number"):
        Limits(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "least"), [("bank_ms", 0), ("turn_ms", 1), ("memory_mib", 64), ("wall_ms", 1)])
def test_a_limit_has_its_least_value(name: str, least: int) -> None:
    assert getattr(Limits(**{name: least}), name) == least
    with pytest.raises(InvalidOrder):
        Limits(**{name: least - 1})


def test_limits_come_back_from_their_json() -> None:
    limits = Limits(turn_ms=7, bank_ms=0)
    assert Limits.from_json(limits.as_json()) == limits


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_wall_limit_lasts_for_every_seat_and_is_never_made_shorter(game: str) -> None:
    few, many = GAMES[game].seats[0], GAMES[game].seats[-1]
    limits = Limits()
    assert limits.lasting(game, many).wall_ms >= limits.lasting(game, few).wall_ms >= limits.wall_ms
    assert Limits(wall_ms=86_400_000).lasting(game, few).wall_ms == 86_400_000


@pytest.mark.parametrize("seed", [-1, 1 << 128, 1.0, "7", None])
def test_an_order_has_a_seed_of_128_bits(seed: object) -> None:
    with pytest.raises(InvalidOrder, match=r"order\.seed"):
        MatchOrder(game="gatsby", rules_version=1, seed=seed, seats=())  # type: ignore[arg-type]


@pytest.mark.parametrize("digest", ["", "ab", "AB" * 32, "g" * 64, "0" * 65, 7])
def test_an_order_has_digests_in_its_seats(digest: object) -> None:
    with pytest.raises(InvalidOrder, match="sha256 digests"):
        MatchOrder(game="gatsby", rules_version=1, seed=0, seats=(digest,))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", ["", "07", "-1", "1e3", "0x1", str(1 << 128), " 1", "１"])
def test_a_seed_travels_in_one_spelling(seed: str) -> None:
    order = MatchOrder(game="gatsby", rules_version=1, seed=1, seats=("ab" * 32,) * 2).as_json()
    with pytest.raises(InvalidOrder, match="decimal string below"):
        MatchOrder.from_json({**order, "seed": seed})


def test_an_order_of_an_unknown_game_is_neither_old_nor_playable() -> None:
    order = MatchOrder(game="chess", rules_version=1, seed=1, seats=("ab" * 32,) * 2)
    assert not order.is_outdated
    with pytest.raises(InvalidOrder, match="there is no game 'chess'; the games are"):
        order.known()
