"""What is drawn and addressed without the template engine says what the engine would say."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

import pytest
from django.template import engines
from django.template.defaultfilters import floatformat
from django.test import Client
from django.urls import reverse, set_script_prefix
from django.utils.timezone import now

from ladder.matches.models import Lane, Match, Seat
from ladder.matches.queries import matches_in_full
from ladder.matches.services import create_set
from ladder.submissions.models import Bot
from ladder.web.endings import short_ending
from ladder.web.match_rows import match_rows_of
from ladder.web.paths import addresses
from ladder.web.templatetags.board import tenths
from ladder.web.templatetags.fixed import MOST_KEPT, MOST_LATEST
from tests.web.world import small_world


def rendered(text: str, **context: object) -> str:
    return engines["django"].from_string(text).render(context)


@pytest.mark.parametrize("prefix", ["/", "/club/"])
def test_an_address_is_the_one_that_django_finds(prefix: str) -> None:
    set_script_prefix(prefix)
    try:
        assert addresses("web:bot")(12) == reverse("web:bot", args=[12]) == f"{prefix}bots/12/"
        assert rendered("{% url 'web:bot' pk %}", pk=7) == reverse("web:bot", args=[7])
        assert rendered("{% url 'web:bot' pk %}", pk="7") == reverse("web:bot", args=[7])
        assert rendered("{% url 'web:ladder' slug %}", slug="gatsby-2") == reverse("web:ladder", args=["gatsby-2"])
        assert rendered("{% url 'web:home' %}") == prefix
        assert rendered("{% url 'web:home' as there %}[{{ there }}]") == f"[{prefix}]"
    finally:
        set_script_prefix("/")


def test_a_text_in_an_address_is_made_fit_for_it() -> None:
    assert rendered("{% url 'web:author' name %}", name="a&b c") == "/authors/a&amp;b%20c/"


@pytest.mark.parametrize("numbers", [[0.05, 0.15, 2.25, -0.04, -0.05, 0.0, -0.0, 1e13, 25, 24.949999999999999, -2.35]])
def test_tenths_are_those_of_the_template_filter(numbers: list[float]) -> None:
    rng = Random(3)
    for number in [*numbers, *(rng.uniform(-60, 60) for _ in range(500)), *(n / 100 for n in range(-300, 300))]:
        assert tenths(number) == floatformat(number, 1), number


ROW_BY_THE_ENGINE = """{% load look humanize %}{% for match in matches %}
        <tr>
          <td><a href="{% url 'web:match' match.pk %}">{{ match.pk }}</a></td>
          <td class="narrow-off muted">{{ match.ladder.game|game_title }}<span class="wide">, {{ match.ladder.seats }} seats</span></td>
          <td class="wrap">{% for seat in match.seats.all %}<span class="seat-taken">{% seat_mark seat.seat %} <a class="bot" href="{% url 'web:bot' seat.version.bot_id %}">{{ seat.version.bot.name }}</a>{% if seat.rank == 1 and not seat.fault %} <span class="tag good">won</span>{% endif %}{% if seat.fault %} <span class="tag bad">{{ seat.fault|words }}</span>{% endif %}</span> {% endfor %}<span class="ended">{{ match.told }}</span></td>
          <td class="wrap narrow-off{% if match.status != "finished" %} muted{% endif %}">{{ match.told }}</td>
          <td class="num wide">{{ match.plies|default_if_none:"–" }}</td>
          <td class="num narrow-off muted">{% with moment=match.finished_at|default:match.created_at %}<time datetime="{{ moment|date:'c' }}">{{ moment|naturaltime }}</time>{% endwith %}</td>
        </tr>
      {% endfor %}"""  # noqa: E501  as a page would have it


def test_rows_of_matches_are_what_the_engine_would_write(db: None, rng: Random) -> None:
    ladder, played = small_world(rng, matches=4)
    seats = [seat for match in played for seat in match.seats.all()]
    Bot.objects.filter(pk=seats[0].version.bot_id).update(name="<b>Tom & 'Jerry'</b>")
    Seat.objects.filter(pk=seats[1].pk).update(fault="out_of_memory", rank=1)
    Seat.objects.filter(pk=seats[3].pk).update(fault="crash", rank=2)
    create_set(
        ladder=ladder, seatings=[[seat.version_id for seat in seats[:2]]], lane=Lane.LADDER, is_rated=True, seed=7
    )
    Match.objects.update(created_at=now() - timedelta(days=400))
    Match.objects.filter(status="finished").update(finished_at=now() - timedelta(days=3))
    matches = list(matches_in_full())
    assert {match.status for match in matches} == {"finished", "queued"}
    rows = match_rows_of([match.pk for match in matches])
    for match, row in zip(matches, rows, strict=True):
        match.told = short_ending(row)  # type: ignore[attr-defined]
    quick = rendered("{% load board %}{% match_rows matches %}", matches=rows)
    assert quick == rendered(ROW_BY_THE_ENGINE, matches=matches)
    assert "&lt;b&gt;Tom &amp; &#x27;Jerry&#x27;" in quick


def test_a_fixed_part_is_rendered_once_for_each_of_its_values_and_for_where_the_site_is_served() -> None:
    template = engines["django"].from_string(
        "{% fixed nav %}{% url 'web:home' %}{{ nav }}{{ other }}{% endfixed %}{{ other }}"
    )
    assert template.render({"nav": "a", "other": 1}) == "/a11"
    assert template.render({"nav": "a", "other": 2}) == "/a12"
    assert template.render({"nav": "b", "other": 3}) == "/b33"
    set_script_prefix("/club/")
    try:
        assert template.render({"nav": "a", "other": 4}) == "/club/a44"
    finally:
        set_script_prefix("/")


def test_a_part_with_a_value_that_is_never_the_same_does_not_fill_the_memory() -> None:
    template = engines["django"].from_string("{% fixed value %}{{ value }}{% endfixed %}")
    node = template.template.nodelist[0]
    for value in range(3 * MOST_KEPT):
        assert template.render({"value": value}) == str(value)
    assert len(node.kept) <= MOST_KEPT


def test_a_part_that_goes_with_time_is_rendered_anew_when_its_value_has_changed_and_soon_forgotten() -> None:
    template = engines["django"].from_string("{% latest at %}{{ at }}{{ other }}{% endlatest %}")
    assert [template.render({"at": at, "other": n}) for n, at in enumerate((1, 1, 2, 2))] == ["10", "10", "22", "22"]
    for at in range(3 * MOST_LATEST):
        template.render({"at": at})
    assert len(template.template.nodelist[0].kept) <= MOST_LATEST < MOST_KEPT


def test_the_frame_of_a_page_marks_where_its_reader_is(client: Client, db: None) -> None:
    pages = {path: client.get(path).content.decode() for path in ("/tournaments/", "/matches/", "/tournaments/")}
    for path, page in pages.items():
        marked = re.search(r'<a href="([^"]*)" aria-current="page">', page)
        assert marked is not None
        assert marked[1] == path
