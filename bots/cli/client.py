"""Talks to a Rumrunner server with the standard library, and keeps the address and the token."""

from __future__ import annotations

import json
import os
import uuid
from dataclasses import asdict, dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, build_opener

import orjson

from bots.cli.output import Code, Stop

TIMEOUT_S = 30


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
        raise Stop(f"the login can't be kept in {path}: {error.strerror}. Set RUMRUNNER_CONFIG.", Code.USAGE) from None
    return path


def load_login() -> Login:
    """The login kept last; raises Stop."""
    if token := os.environ.get("RUMRUNNER_TOKEN"):
        return Login(clean_server(os.environ.get("RUMRUNNER_SERVER", "http://127.0.0.1:8000")), "", token)
    try:
        return Login(**json.loads(login_file().read_text()))
    except FileNotFoundError:
        raise Stop("you are not signed in. Run `rumrunner login SERVER`.", Code.SIGN_IN) from None
    except (OSError, ValueError, TypeError):
        raise Stop(f"{login_file()} can't be read. Run `rumrunner login SERVER` again.", Code.SIGN_IN) from None


def clean_server(text: str) -> str:
    """An address without what follows the site's root; raises Stop."""
    parts = urlsplit(text if "//" in text else f"http://{text}")
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise Stop(f"{text!r} is not the address of a server, such as http://127.0.0.1:8000.", Code.USAGE)
    return f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/")


class Client:
    """The API of one server."""

    def __init__(self, server: str, token: str = "") -> None:
        self.server = server
        self.token = token
        self._opener = build_opener()

    def get(self, path: str) -> Any:
        """The JSON under a path of the API; raises Stop."""
        return self._send("GET", path)

    def post(self, path: str, value: Any = None) -> Any:
        """Send JSON; raises Stop."""
        return self._send("POST", path, orjson.dumps(value if value is not None else {}), "application/json")

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
        address = path if path.startswith("http") else f"{self.server}/api/v1/{path}"
        headers = {"Accept": "application/json", "User-Agent": "rumrunner"}
        headers |= {"Content-Type": kind} if kind else {}
        headers |= {"Authorization": f"Token {self.token}"} if self.token else {}
        try:
            with self._opener.open(
                Request(address, data=body, headers=headers, method=method),  # noqa: S310 - http(s), see clean_server
                timeout=TIMEOUT_S,
            ) as answer:
                return _parsed(answer.read(), address)
        except HTTPError as error:
            raise _refused(error, address) from None
        except (URLError, HTTPException, OSError) as error:
            reason = getattr(error, "reason", error)
            raise Stop(f"{self.server} can't be reached: {reason}. Is the address right?", Code.SERVER) from None


def _parsed(content: bytes, address: str) -> Any:
    if not content:
        return None
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        raise Stop(
            f"{address} answered something else than JSON: is it a Rumrunner of version 1?", Code.SERVER
        ) from None


def _refused(error: HTTPError, address: str) -> Stop:
    """What a refusal means for the person at the keyboard."""
    try:
        told = orjson.loads(error.read())["error"]
        kind, message = str(told["code"]), str(told["message"])
    except (orjson.JSONDecodeError, KeyError, TypeError, OSError):
        return Stop(f"{address} answered {error.code} and nothing we understand: is it a Rumrunner?", Code.SERVER)
    if error.code == 401:
        return Stop(f"{message} Run `rumrunner login SERVER` again.", Code.SIGN_IN, kind=kind)
    code = Code.SERVER if error.code >= 500 else Code.NO
    return Stop(message, code, kind=kind)
