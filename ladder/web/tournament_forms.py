"""The form a tournament is made with."""

from __future__ import annotations

from typing import Any

from django import forms

from engines import GAMES
from ladder.accounts.permissions import Visitor
from ladder.ladders.models import Ladder
from ladder.submissions.models import Bot
from ladder.tournaments.formats import FORMATS
from ladder.tournaments.models import LONGEST_NAME, Tournament
from ladder.tournaments.permissions import may_rate
from ladder.tournaments.services import Wishes

ENTRIES = {
    "anyone": "anyone may enter a bot",
    "invite": "anyone with the code",
    "closed": "only I enter bots",
}


class LadderField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in the stubs alone
    def label_from_instance(self, ladder: Ladder) -> str:
        options = "".join(f", {option} {value}" for option, value in ladder.options.items())
        return f"{GAMES[ladder.game].title}, {ladder.seats} seats{options}"


ABOUT = ("name", "ladder", "format", "entry", "is_rated", "description")
SETTINGS = {setting for shape in FORMATS.values() for setting in shape.settings}


class TournamentForm(forms.Form):
    """What an organiser asks for, with the settings of the chosen format alone; entrants is only for the preview."""

    name = forms.CharField(max_length=LONGEST_NAME, help_text="For example: Harbour Cup, autumn 2026.")
    ladder = LadderField(queryset=Ladder.objects.all(), label="Game", empty_label=None)
    format = forms.ChoiceField(choices=[(name, shape.title) for name, shape in FORMATS.items()])
    cycles = forms.IntegerField(
        min_value=1,
        max_value=100,
        initial=1,
        label="Cycles",
        help_text="How often everyone meets.",
    )
    rounds = forms.IntegerField(
        min_value=0,
        max_value=100,
        initial=0,
        label="Rounds",
        help_text="0 means as many as needed to find a winner.",
    )
    best_of = forms.IntegerField(min_value=1, max_value=99, initial=1, label="Best of", help_text="Deals per table.")
    champion = forms.CharField(max_length=40, label="Champion", help_text="The name of the bot that everyone meets.")
    all_rotations = forms.BooleanField(
        initial=True,
        required=False,
        label="Play each table from every seat",
        help_text="Evens out the advantage of a seat.",
    )
    entry = forms.ChoiceField(
        choices=[(value, ENTRIES.get(value, value)) for value in Tournament.Entry.values],
        label="Who enters bots",
        help_text="If there is a code, it is drawn for you.",
    )
    is_rated = forms.BooleanField(required=False, label="Rated", help_text="Results count on the ladder.")
    description = forms.CharField(required=False, max_length=1000, widget=forms.Textarea(attrs={"rows": 2}))
    entrants = forms.IntegerField(
        min_value=2,
        max_value=2000,
        initial=8,
        required=False,
        label="Expected entrants",
        help_text="Only for the preview.",
    )

    def __init__(self, *args: Any, organiser: Visitor, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ladder = self.fields["ladder"]
        assert isinstance(ladder, LadderField)
        ladder.queryset = Ladder.objects.filter(game__in=list(GAMES))
        self.shape = FORMATS.get(self["format"].value() or "", next(iter(FORMATS.values())))
        for name in SETTINGS.difference(self.shape.settings):
            del self.fields[name]
        if not may_rate(organiser):
            del self.fields["is_rated"]

    @property
    def about(self) -> list[forms.BoundField]:
        """The fields that every format has."""
        return [self[name] for name in self.fields if name in ABOUT and name != "format"]

    @property
    def settings(self) -> list[forms.BoundField]:
        """The fields of the chosen format, and what the preview needs."""
        return [self[name] for name in self.fields if name not in ABOUT]

    def clean_entrants(self) -> int:
        return self.cleaned_data.get("entrants") or 8

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        name, ladder = cleaned.get("champion"), cleaned.get("ladder")
        if name and ladder and not self.champion_bot(name, ladder):
            self.add_error("champion", f"There is no bot named {name!r} for this game.")
        return cleaned

    @staticmethod
    def champion_bot(name: str, ladder: Ladder) -> Bot | None:
        return Bot.objects.filter(game=ladder.game, name__iexact=name.strip()).first()

    def wishes(self) -> Wishes:
        """The cleaned form as the service takes it."""
        given = {name: value for name, value in self.cleaned_data.items() if name not in ("entrants", "champion")}
        champion = self.cleaned_data.get("champion")
        return Wishes(**given, champion=self.champion_bot(champion, given["ladder"]) if champion else None)
