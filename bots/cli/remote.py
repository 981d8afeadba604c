"""Commands that talk to a server: login, submit, check-again, status, logs, leaderboard."""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote, urlencode

import typer
from rich.markup import escape
from rich.panel import Panel

from arena import BundleRejected
from arena.bundle import read_bundle
from arena.desk.check import show_trial
from arena.desk.sheets import sheet
from bots.cli.client import Client, Login, clean_server, load_login, save_login
from bots.cli.desk import known_game, upload_bytes
from bots.cli.options import JsonFlag
from bots.cli.output import Code, Stop, err, out, show_json
from engines import GAMES

LOOK_S = 1.0
CHECKED = ("qualified", "rejected", "withdrawn", "quarantined")


def login(
    server: Annotated[str, typer.Argument(help="The address, e.g. http://127.0.0.1:8000.")],
    username: Annotated[str | None, typer.Option(help="Your username there (default: ask).")] = None,
    token: Annotated[
        str | None, typer.Option(help="A token created on the site, instead of username and password.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Sign in and keep a token; RUMRUNNER_PASSWORD is read where nobody can be asked."""
    address = clean_server(server)
    Client(address).rules_versions()  # before anybody types a password: is that a Rumrunner?
    if token is None:
        username = username or typer.prompt("Name", err=True)
        password = os.environ.get("RUMRUNNER_PASSWORD") or typer.prompt("Password", hide_input=True, err=True)
        wanted = {"username": username, "password": password, "name": f"rumrunner {secrets.token_hex(4)}"}
        token = str(Client(address).post("auth/login/", wanted)["token"])
    name = Client(address, token).get("me/")["username"]
    path = save_login(Login(address, name, token))
    if as_json:
        show_json({"server": address, "username": name, "kept_in": str(path)})
    else:
        out.print(f"Signed in at {escape(address)} as [bold]{escape(name)}[/].", highlight=False)


def submit(
    file: Annotated[Path, typer.Argument(help="A .py file, a zip or a folder.")],
    bot: Annotated[str | None, typer.Option(help="The bot's name (default: the manifest's or the file's).")] = None,
    game: Annotated[str | None, typer.Option(help="The game, if the manifest names none.")] = None,
    wait: Annotated[bool, typer.Option(help="Follow the qualification to the end.")] = True,
    as_json: JsonFlag = False,
) -> None:
    """Upload a bot as its next version and watch it qualify; the bot is made if it is new."""
    upload = upload_bytes(file)
    try:
        manifest = read_bundle(upload.content, upload.filename).manifest
    except BundleRejected as rejected:
        raise Stop(str(rejected), Code.NO, kind=rejected.code) from None
    if game is None and manifest.game is None:
        raise Stop(f"{upload.filename} does not name its game; add --game with one of {', '.join(GAMES)}.", Code.USAGE)
    wanted = known_game(game or manifest.game or "")
    client = signed_in()
    client.check_rules(wanted)
    found = my_bot(client, wanted, bot or manifest.name or file.resolve().stem, make=True)
    version = client.upload(f"bots/{found['id']}/versions/", upload.filename, upload.content)
    if not as_json:
        out.print(f"{escape(found['name'])} v{version['number']} received. {_page(client, found)}", highlight=False)
    _tell_check(client, found, version, wait=wait, as_json=as_json)


def check_again(
    bot: Annotated[str, typer.Argument(help="The bot's name.")],
    version: Annotated[int | None, typer.Option(help="Which version (default: the newest).")] = None,
    game: Annotated[str | None, typer.Option(help="The game, if you have bots of that name in several.")] = None,
    wait: Annotated[bool, typer.Option(help="Follow the qualification to the end.")] = True,
    as_json: JsonFlag = False,
) -> None:
    """Have a rejected version checked anew, or one that waits for a quieter worker checked now."""
    client = signed_in()
    found = my_bot(client, game, bot)
    number = version or _newest(client, found)
    checked = client.post(f"bots/{found['id']}/versions/{number}/check-again/", {})
    if not as_json:
        out.print(f"{escape(found['name'])} v{number} is being checked again. {_page(client, found)}", highlight=False)
    _tell_check(client, found, checked, wait=wait, as_json=as_json)


def _tell_check(client: Client, bot: dict[str, Any], version: dict[str, Any], *, wait: bool, as_json: bool) -> None:
    """Follow a check if wanted and say what came of it; raises Stop when the version was rejected."""
    if wait:
        version = _follow(client, version, as_json=as_json)
    if as_json:
        show_json({"bot": bot, "version": version})
    if version["status"] == "rejected":
        raise Stop(f"rejected: {version['reason']}", Code.NO, kind="rejected", is_in_answer=True)


def status(
    bot: Annotated[str, typer.Argument(help="The bot's name.")],
    game: Annotated[str | None, typer.Option(help="The game, if you have bots of that name in several.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show where a bot stands and how its newest version fares."""
    client = signed_in()
    found = client.get(f"bots/{my_bot(client, game, bot)['id']}/")
    versions = client.get(f"bots/{found['id']}/versions/?limit=5")["results"]
    if as_json:
        show_json({"bot": found, "versions": versions})
        return
    out.print(f"[bold]{escape(found['name'])}[/] plays {found['game']}. {_page(client, found)}", highlight=False)
    for version in versions:
        mark = " (active)" if version["is_active"] else ""
        out.print(f"  v{version['number']}: {version['status']}{mark}", highlight=False)
    table = sheet("", ("ladder",), ("v", "rating", "95 %", "matches", "won", "drawn", "lost", "faults"))
    for row in found["standings"]:
        numbers = (row["matches"], row["wins"], row["draws"], row["losses"], row["faults"])
        table.add_row(row["ladder"], str(row["version"]), *_rating(row), *map(str, numbers))
    out.print(table)


def logs(
    bot: Annotated[str, typer.Argument(help="The bot's name.")],
    version: Annotated[int | None, typer.Option(help="Which version (default: the newest).")] = None,
    match: Annotated[int | None, typer.Option(help="The log of this match instead of the qualification's.")] = None,
    game: Annotated[str | None, typer.Option(help="The game, if you have bots of that name in several.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show the report and the log of a version, or what it wrote in a match."""
    client = signed_in()
    found = my_bot(client, game, bot)
    if match is not None:
        _match_logs(client, found, match, as_json=as_json)
        return
    number = version or _newest(client, found)
    detail = client.get(f"bots/{found['id']}/versions/{number}/")
    if as_json:
        show_json(detail)
        return
    _show_report(detail)
    if detail["log"]:
        out.print(Panel(escape(detail["log"]), title="stderr"))


def leaderboard(
    ladder: Annotated[str, typer.Argument(help="The ladder, e.g. gatsby-2.")],
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many rows.")] = 20,
    server: Annotated[str | None, typer.Option(help="The server (default: where you are signed in).")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show the top of a ladder."""
    client = Client(clean_server(server)) if server else signed_in()
    rows = client.get(f"ladders/{quote(ladder)}/leaderboard/?limit={limit}")["results"]
    if as_json:
        show_json(rows)
        return
    show_board(ladder, rows)


def show_board(title: str, rows: list[dict[str, Any]]) -> None:
    """Lines of a leaderboard as a table."""
    table = sheet(title, ("bot", "owner"), ("rank", "rating", "95 %", "place", "first", "matches"))
    for row in rows:
        name = f"{escape(row['bot'])} v{row['version']}"
        rank = str(row["rank"] or "—")
        table.add_row(name, escape(row["owner"] or "—"), rank, *_rating(row), *_place(row), str(row["matches"]))
    out.print(table)


def _rating(row: dict[str, Any]) -> tuple[str, str]:
    """The rating and half of its 95 % interval."""
    return f"{row['rating']:.1f}", f"±{(row['high'] - row['low']) / 2:.1f}"


def _place(row: dict[str, Any]) -> tuple[str, str]:
    """The places a bot may truly have and how probably it is first; of a provisional one what it lacks."""
    if row["place_low"] is None:
        return f"{row['missing']} to go", "—"
    low, high = row["place_low"], row["place_high"]
    return (str(low) if low == high else f"{low} to {high}"), f"{100 * row['p_first']:.0f} %"


def signed_in() -> Client:
    """The server where somebody is signed in; raises Stop."""
    kept = load_login()
    return Client(kept.server, kept.token)


def _page(client: Client, bot: dict[str, Any]) -> str:
    return f"{client.server}/bots/{bot['id']}/"


def my_bot(client: Client, game: str | None, name: str, *, make: bool = False) -> dict[str, Any]:
    """My bot of that name; made if wanted. Raises Stop."""
    mine = client.get("me/")["username"]
    asked = {"owner": mine, "search": name} | ({"game": game} if game else {})
    found = client.get(f"bots/?{urlencode(asked)}")["results"]
    exact = [bot for bot in found if bot["name"].lower() == name.lower()]
    if len(exact) == 1:
        return dict(exact[0])
    if exact:
        games = ", ".join(bot["game"] for bot in exact)
        raise Stop(f"you have bots named {name!r} for {games}; say which with --game.", Code.USAGE)
    if make and game:
        return dict(client.post("bots/", {"game": game, "name": name}))
    raise Stop(f"you have no bot named {name!r}.", Code.NO, kind="not_found")


def _newest(client: Client, bot: dict[str, Any]) -> int:
    """The number of a bot's newest version; raises Stop."""
    newest = client.get(f"bots/{bot['id']}/versions/?limit=1")["results"]
    if not newest:
        raise Stop(f"{bot['name']} has no version yet.", Code.NO, kind="not_found")
    return int(newest[0]["number"])


def _follow(client: Client, version: dict[str, Any], *, as_json: bool) -> dict[str, Any]:
    """Look at a version until it is decided, telling each trial as it ends."""
    told: set[int] = set()
    with err.status("waiting for a worker") as line:
        while True:
            for trial in version["report"] or ():
                if trial["status"] == "playing":
                    line.update(f"playing on {trial['ladder']} ({trial['kind']})")
                elif trial["status"] in {"passed", "failed"} and trial["order"] not in told:
                    told.add(trial["order"])
                    if not as_json:
                        show_trial(out, trial)
            if version["status"] in CHECKED:
                break
            time.sleep(LOOK_S)
            version = client.get(version["url"])
    if not as_json:
        colour = "green" if version["status"] == "qualified" else "red"
        out.print(f"[{colour}]{version['status']}[/]")
        if version["status"] == "rejected" and version["log"]:
            out.print(Panel(escape(version["log"][-3000:]), title="stderr"))
        _show_again(version)
    return version


def _show_report(detail: dict[str, Any]) -> None:
    out.print(f"v{detail['number']}: {detail['status']}", highlight=False)
    if detail["reason"]:
        out.print(escape(detail["reason"]), soft_wrap=True)
    for trial in detail["report"] or ():
        if trial["status"] in {"passed", "failed"}:
            show_trial(out, trial)
    _show_again(detail)


def _show_again(detail: dict[str, Any]) -> None:
    """How the deal of a failed trial is played at the desk."""
    for command in [trial["again"] for trial in detail["report"] or () if trial.get("again")]:
        out.print("Replay this match on your machine:")
        out.print(f"  {escape(command)}", soft_wrap=True, highlight=False)


def _match_logs(client: Client, bot: dict[str, Any], match: int, *, as_json: bool) -> None:
    """What my bot wrote in each seat it had."""
    seats = [seat["seat"] for seat in client.get(f"matches/{match}/")["seats"] if seat["bot_id"] == bot["id"]]
    if not seats:
        raise Stop(f"{bot['name']} did not play in match {match}.", Code.NO, kind="not_found")
    texts = {seat: client.get(f"matches/{match}/log/{seat}/") for seat in seats}
    if as_json:
        show_json({str(seat): text for seat, text in texts.items()})
        return
    for seat, text in texts.items():
        content = text.get("log", "") if isinstance(text, dict) else str(text)
        out.print(Panel(escape(content) or "(nothing)", title=f"seat {seat}"))
