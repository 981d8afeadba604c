"""The form a tournament is made with."""

from __future__ import annotations

from django import forms

from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.submissions.models import Bot
from ladder.tournaments.formats import FORMATS
from ladder.tournaments.models import LONGEST_NAME, Tournament
from ladder.tournaments.services import Wishes

ENTRIES = {
    "anyone": "anyone may enter a bot",
    "invite": "anyone with the code",
    "closed": "only I enter bots",
}


class LadderField(forms.ModelChoiceField):
    def label_from_instance(self, ladder: Ladder) -> str:
        options = "".join(f", {option} {value}" for option, value in ladder.options.items())
        return f"{GAMES[ladder.game].title}, {ladder.seats} seats{options}"


class TournamentForm(forms.Form):
    """What an organiser asks for; how many entrants is only for the preview."""

    name = forms.CharField(max_length=LONGEST_NAME, help_text="For example: Harbour Cup, autumn 2026.")
    ladder = LadderField(queryset=Ladder.objects.all(), label="Game", empty_label=None)
    format = forms.ChoiceField(choices=[(name, shape.words) for name, shape in FORMATS.items()])
    cycles = forms.IntegerField(
        min_value=1,
        max_value=100,
        initial=1,
        label="Cycles",
        help_text="Round robin, gauntlet: how often everyone meets.",
    )
    rounds = forms.IntegerField(
        min_value=0,
        max_value=100,
        initial=0,
        label="Rounds",
        help_text="Swiss: how many; 0 means as many as needed to find a winner.",
    )
    best_of = forms.IntegerField(
        min_value=1, max_value=99, initial=1, label="Best of", help_text="Knockout: matches per table."
    )
    champion = forms.CharField(
        max_length=40, required=False, label="Champion", help_text="Gauntlet: the name of the bot that everyone meets."
    )
    all_rotations = forms.BooleanField(
        initial=True,
        required=False,
        label="Play each table from every seat",
        help_text="Evens out the advantage of a seat.",
    )
    entry = forms.ChoiceField(
        choices=[(value, ENTRIES.get(value, value)) for value in Tournament.Entry.values], label="Who enters bots"
    )
    is_rated = forms.BooleanField(
        required=False, label="Rated", help_text="Results count on the ladder (organisers only)."
    )
    description = forms.CharField(required=False, max_length=1000, widget=forms.Textarea(attrs={"rows": 2}))
    entrants = forms.IntegerField(
        min_value=2,
        max_value=2000,
        initial=8,
        required=False,
        label="Expected entrants",
        help_text="Only for the preview.",
    )

    def clean_entrants(self) -> int:
        return self.cleaned_data.get("entrants") or 8

    def clean(self):
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
        given = self.cleaned_data
        same = ("name", "ladder", "format", "cycles", "rounds", "best_of", "all_rotations", "entry", "is_rated")
        champion = self.champion_bot(given["champion"], given["ladder"]) if given["champion"] else None
        return Wishes(**{key: given[key] for key in same}, description=given["description"], champion=champion)
