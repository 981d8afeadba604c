"""Write what Cotton Club's board prints on its cards, events and spaces, from the engine's tables."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "engines" / "cotton_club" / "data"
TARGET = ROOT / "arena" / "viewer" / "boards" / "cotton_cards.js"
CARD_TABLES = ("improvements", "gangsters", "smuggling", "artists", "celebrities")
TRACKS = (("influence", "infl"), ("initiative", "init"), ("criminality", "crim"))
COUNTED = ("wine", "beer", "whisky", "dancer", "musician", "singer", "weapons", "income", "politician")
PrintedRow = dict[str, str]


def rows(name: str) -> list[PrintedRow]:
    with (TABLES / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(row: PrintedRow, column: str) -> int:
    return int(row.get(column) or 0)


def signed(amount: int) -> str:
    return f"+{amount}" if amount > 0 else f"−{-amount}"


def dollars(amount: int) -> str:
    return f"+${amount}" if amount > 0 else f"−${-amount}"


def change(row: PrintedRow, prefix: str = "") -> list[str]:
    """`−$2`, `infl +3`: dollars and track steps that are not 0."""
    found = [dollars(number(row, prefix + "usd"))] if number(row, prefix + "usd") else []
    return found + [
        f"{short} {signed(number(row, prefix + track))}" for track, short in TRACKS if number(row, prefix + track)
    ]


def price(row: PrintedRow) -> str:
    if "cost_usd" in row:
        return f"${row['cost_usd']}"
    return f"{row['cost_influence']} infl" if "cost_influence" in row else ""


def marks(row: PrintedRow) -> Iterator[str]:
    """The icons of a card, and what it likes or needs."""
    for name in COUNTED:
        if count := number(row, name):
            yield name if count == 1 else f"{count} {name}"
    if needed := number(row, "weapons_required"):
        yield f"needs {needed} weapons"
    likes = [
        name if number(row, f"pref_{name}") == 1 else f"2 {name}" for name in COUNTED if number(row, f"pref_{name}")
    ]
    if likes:
        yield "likes " + ", ".join(likes)
    if end := number(row, "end_reputation"):
        yield f"end {signed(end)}"


def card(row: PrintedRow) -> list[str]:
    """Name, price, effects and marks of one card."""
    if "A_usd" in row:
        options = [", ".join(change(row, "A_")) or "free", ", ".join(change(row, "B_")) if row["B_usd"] else ""]
        return [row["name"], "", " or ".join(part for part in options if part), ", ".join(marks(row))]
    return [row["name"], price(row), ", ".join(change(row, "d_")), ", ".join(marks(row))]


def spaces() -> dict[str, dict[str, list[str]]]:
    """What each space gives or costs, by side of the board and action, from the top."""
    sides: dict[str, dict[str, list[str]]] = {}
    for row in rows("spaces"):
        effects = ", ".join(change(row))
        sides.setdefault(row["side"], {}).setdefault(row["action"], []).append(effects)
    return sides


def event(row: PrintedRow) -> str:
    """What an event does and to whom: `+1 rep for each wine`."""
    measure = row["measure"]
    if row["rule"] == "pay":
        each = measure.removesuffix("s")
        return f"pay ${-number(row, 'usd')}, ${number(row, 'relief_usd')} less for each {each}"
    most, least = brings(row), brings(row, "least_")
    if row["rule"] == "most_least":
        return f"most {measure} {most}, least {least}"
    return f"{most} for {row['rule']} {measure.removesuffix('s') if row['rule'] == 'each' else measure}"


def brings(row: PrintedRow, prefix: str = "") -> str:
    """The one thing an event gives or takes."""
    if amount := number(row, f"{prefix}usd"):
        return dollars(amount)
    name = "reputation" if number(row, f"{prefix}reputation") else "influence"
    return f"{signed(number(row, prefix + name))} {name[:4] if name == 'influence' else 'rep'}"


def module() -> str:
    cards = {row["id"]: card(row) for table in CARD_TABLES for row in rows(table)}
    events = {row["id"]: f"{row['name']}: {event(row)}" for row in rows("events")}
    parts = (("CARDS", cards), ("EVENTS", events), ("SPACES", spaces()))
    lines = ["// Written by scripts/printed_cards.py from engines/cotton_club/data: change the tables, not this file."]
    for name, value in parts:
        body = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in value.items())
        lines.append(f"export const {name} = {{\n{body},\n}};")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(module(), encoding="utf-8")
