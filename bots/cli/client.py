"""Talks to a Rumrunner server with the standard library, and keeps the address and the token."""

from __future__ import annotations

import json
import os
import re
import uuid
from dataclasses import asdict, dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import orjson

from bots.cli.output import Code, Stop
from engines import GAMES

API = "/api/v1/"
TIMEOUT_S = 30
LARGEST_ANSWER = 64 * 1024 * 1024  # what is longer is cut, and then no JSON
TOKEN = re.compile(r"[!-~]*")  # what a header can carry
NOT_OURS = "does not speak version 1 of Rumrunner's API: is the address right, and is this rumrunner up to date?"


@dataclass(frozen=True, slots=True)
class Login:
    """Where we are signed in, and as whom."""

    server: str
    username: str
    token: str


def login_file() -> Path:
    """Where the login is kept: RUMRUNNER_CONFIG, or the user's configuration folder."""
    base = os.environ.get("RUMRUNNER_CONFIG") or os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "rumrunner" / "login.json"


def save_login(login: Login) -> Path:
    """Keep a login, readable by its owner alone; raises Stop."""
    path = login_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            json.dump(asdict(login), file)
        fresh.replace(path)
    except OSError as error:
        raise Stop(f"the login can't be saved in {path}: {error.strerror}. Set RUMRUNNER_CONFIG.", Code.USAGE) from None
    return path


def load_login() -> Login:
    """The login kept last; raises Stop."""
    if token := os.environ.get("RUMRUNNER_TOKEN"):
        return Login(clean_server(os.environ.get("RUMRUNNER_SERVER", "http://127.0.0.1:8000")), "", token)
    try:
        kept = Login(**json.loads(login_file().read_text()))
        return Login(clean_server(kept.server), str(kept.username), str(kept.token))
    except FileNotFoundError:
        told = "you are not signed in. Run `rumrunner login SERVER`; for a leaderboard, --server SERVER is enough."
        raise Stop(told, Code.SIGN_IN) from None
    except (OSError, ValueError, TypeError, Stop):
        raise Stop(f"{login_file()} can't be read. Run `rumrunner login SERVER` again.", Code.SIGN_IN) from None


def clean_server(text: str) -> str:
    """An address without what follows the site's root; raises Stop."""
    try:
        parts = urlsplit(text if "//" in text else f"http://{text}")
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        (parts.hostname or "").encode("idna")
    except ValueError:  # a port that is none, a host whose name can't be asked for
        is_address = False
    if not is_address:
        raise Stop(f"{text!r} is not the address of a server, such as http://127.0.0.1:8000.", Code.USAGE)
    return f"{parts.scheme}://{parts.netloc}{quote(parts.path, safe='/%')}".rstrip("/")


def _host(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc.lower()


class _StayThere(HTTPRedirectHandler):
    """Follows a server within itself; to another one neither token nor password nor bot is carried."""

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Request | None:
        if _host(newurl) != _host(req.full_url):
            here, there = ("://".join(_host(address)) for address in (req.full_url, newurl))
            told = f"{here} redirects you to {there}. If you trust that address, run `rumrunner login {there}`."
            raise Stop(told, Code.SERVER, kind="moved")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class Client:
    """The API of one server."""

    def __init__(self, server: str, token: str = "") -> None:
        if not TOKEN.fullmatch(token):
            told = "the token contains spaces, line ends or letters that no token has. Copy it again, without them."
            raise Stop(told, Code.SIGN_IN)
        self.server = server
        self.token = token
        self._opener = build_opener(_StayThere)

    def rules_versions(self) -> dict[str, int]:
        """The rules version of every game the server plays; raises Stop where no Rumrunner of version 1 answers."""
        try:
            return {str(game["name"]): int(game["rules_version"]) for game in self.get("games/")["results"]}
        except (KeyError, TypeError, ValueError):
            raise Stop(f"{self.server} {NOT_OURS}", Code.SERVER, kind="wrong_version") from None

    def check_rules(self, game: str) -> None:
        """Raises Stop unless the server plays the game by the rules that are known here."""
        theirs, ours = self.rules_versions().get(game), GAMES[game].rules_version
        if theirs != ours:
            told = f"by rules version {theirs}" if theirs is not None else "not at all"
            raise Stop(
                f"{self.server} plays {game} {told}, this rumrunner by version {ours}: update the older one.",
                Code.SERVER,
                kind="wrong_version",
            )

    def get(self, path: str) -> Any:
        """The JSON under a path of the API; raises Stop."""
        return self._send("GET", path)

    def post(self, path: str, value: Any = None) -> Any:
        """Send JSON; raises Stop."""
        return self._send("POST", path, orjson.dumps(value if value is not None else {}), "application/json")

    def patch(self, path: str, value: Any) -> Any:
        """Change something; raises Stop."""
        return self._send("PATCH", path, orjson.dumps(value), "application/json")

    def delete(self, path: str, value: Any) -> None:
        """Delete something, with what confirms it; raises Stop."""
        self._send("DELETE", path, orjson.dumps(value), "application/json")

    def upload(self, path: str, filename: str, content: bytes) -> Any:
        """Send one file as the field `file`; raises Stop."""
        mark = uuid.uuid4().hex
        name = filename.replace('"', "").replace("\r", "").replace("\n", "")
        head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        body = (
            (head + "Content-Type: application/octet-stream\r\n\r\n").encode()
            + content
            + f"\r\n--{mark}--\r\n".encode()
        )
        return self._send("POST", path, body, f"multipart/form-data; boundary={mark}")

    def _send(self, method: str, path: str, body: bytes | None = None, kind: str = "") -> Any:
        address = f"{self.server}{API}{path.rpartition(API)[2]}"  # what a server calls itself may be another address
        headers = {"Accept": "application/json", "User-Agent": "rumrunner"}
        headers |= {"Content-Type": kind} if kind else {}
        headers |= {"Authorization": f"Token {self.token}"} if self.token else {}
        try:
            with self._opener.open(
                Request(address, data=body, headers=headers, method=method),  # noqa: S310 - http(s), see clean_server
                timeout=TIMEOUT_S,
            ) as answer:
                return _parsed(answer.read(LARGEST_ANSWER), self.server)
        except HTTPError as error:
            raise _refused(error, self.server) from None
        except (URLError, HTTPException, OSError) as error:
            reason = getattr(error, "reason", error)
            told = f"{self.server} can't be reached: {reason}. Is the address right, and is the server running?"
            raise Stop(told, Code.SERVER, kind="unreachable") from None


def _parsed(content: bytes, server: str) -> Any:
    if not content:
        return None
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        raise Stop(f"{server} {NOT_OURS}", Code.SERVER, kind="wrong_version") from None


def _refused(error: HTTPError, server: str) -> Stop:
    """What a refusal means for the person at the keyboard."""
    try:
        told = orjson.loads(error.read(LARGEST_ANSWER))["error"]
        kind, message = str(told["code"]), str(told["message"])
    except (orjson.JSONDecodeError, KeyError, TypeError, OSError, HTTPException):
        if error.code >= 500:
            return Stop(f"{server} is having problems (it answered {error.code}). Try again later.", Code.SERVER)
        return Stop(f"{server} answered {error.code}; it {NOT_OURS}", Code.SERVER, kind="wrong_version")
    if error.code == 401:
        return Stop(f"{message} Sign in again: rumrunner login {server}", Code.SIGN_IN, kind=kind)
    code = Code.SERVER if error.code >= 500 else Code.NO
    return Stop(message, code, kind=kind)
