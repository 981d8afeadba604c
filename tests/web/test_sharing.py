"""What other sites may show of ours: pictures of links, pages in a frame, oEmbed."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from arena import picture
from arena.picture import SIZE as BOARD
from engines import GAMES
from ladder.ratings.services import rate_all
from ladder.tournaments.queries import winners_of
from ladder.web import posters
from ladder.web.pictures import picture_of
from ladder.web.posters import SIZE, Poster, packed, poster_png, poster_svg
from tests.ladder.cast import make_ladder, make_user
from tests.web.test_replays import half_played_set
from tests.web.world import HOSTILE, enrolled, play_random, run_tournament

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db
pytest.importorskip("resvg_py", reason="no renderer of pictures is installed")


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n")
    wide, high = struct.unpack(">II", png[16:24])
    return wide, high


@pytest.fixture
def played(rng: Random):
    ladder = make_ladder("gatsby", 2)
    versions = enrolled(["volstead", "lamplighter"], ladder, make_user("lena"))
    match = play_random(ladder, *versions, rng=rng)
    rate_all()
    return ladder, versions[0].bot, match


def test_a_finished_tournament_shows_its_winner_and_a_picture_of_them(played, rng):
    cup = run_tournament(make_user("olga", "organiser"), played[0], rng)
    page = Client().get(reverse("web:tournament", args=[cup.pk])).content.decode()
    first = [row.entrant.bot.name for row in winners_of(cup)]
    shown = re.search(r'<section class="winner".*?</section>', page, re.DOTALL)[0]
    assert first
    assert all(name in shown for name in first)
    picture = reverse("web:tournament_picture", args=[cup.pk])
    assert f'src="{picture}?board=light"' in shown
    assert f'srcset="{picture}?board=dark"' in shown
    assert size_of(Client().get(picture).content) == SIZE


def test_the_winner_s_board_follows_the_reader_s_theme(played, rng):
    cup = run_tournament(make_user("olga", "organiser"), played[0], rng)
    picture = reverse("web:tournament_picture", args=[cup.pk])
    day, night = (Client().get(f"{picture}?board={theme}").content for theme in ("light", "dark"))
    assert size_of(day) == size_of(night) == BOARD
    assert day != night
    reader = Client()
    reader.cookies["theme"] = "dark"
    page = reader.get(reverse("web:tournament", args=[cup.pk])).content.decode()
    assert f'src="{picture}?board=dark"' in page
    assert "board=light" not in page


def test_a_card_by_night_has_the_dark_colours_of_the_site():
    drawn = poster_svg(Poster("gatsby", "volstead", (), "-", packed(picture_of("gatsby")), is_night=True))
    tokens = (ROOT / "arena/viewer/tokens.css").read_text()
    for light, dark in zip(*(vars_of(palette) for palette in (posters.DAY, posters.NIGHT)), strict=True):
        assert f"light-dark({light}, {dark})" in tokens
    assert posters.NIGHT.paper in drawn
    assert f'fill="{posters.DAY.paper}"' not in drawn


def vars_of(palette: posters.Palette) -> list[str]:
    return [getattr(palette, name) for name in palette.__slots__]


def test_each_shared_link_has_a_picture_of_the_promised_size(played, rng):
    ladder, bot, match = played
    cup = run_tournament(make_user("olga", "organiser"), ladder, rng, most=1)
    paths = [
        reverse("web:match", args=[match.pk]), reverse("web:bot", args=[bot.pk]),
        reverse("web:ladder", args=[ladder.slug]), reverse("web:tournament", args=[cup.pk]),
        reverse("web:author", args=["lena"]),
    ]  # fmt: skip
    for path in paths:
        page = Client().get(path).content.decode()
        address = re.search(r'property="og:image"\s+content="([^"]+)"', page)
        assert address, path
        assert address[1] == f"http://testserver{path}picture.png"
        answer = Client().get(f"{path}picture.png")
        assert answer["Content-Type"] == "image/png"
        assert "public" in answer["Cache-Control"]
        assert size_of(answer.content) == SIZE


def test_the_picture_of_a_match_has_its_last_position_but_not_while_its_seed_is_in_use(played, rng, monkeypatch):
    drawn: list[dict] = []
    monkeypatch.setattr(posters, "position_svg", lambda game, frame: drawn.append(frame))
    poster_png.cache_clear()
    Client().get(reverse("web:match_picture", args=[played[2].pk]))
    assert drawn[-1]["state"]["outcome"]
    half, _ = half_played_set(rng, make_user("vera"))
    Client().get(reverse("web:match_picture", args=[half.pk]))
    assert drawn[-1] == picture_of(half.ladder.game)


def test_a_name_can_t_break_out_of_a_picture_or_out_of_its_place():
    svg = poster_svg(Poster("gatsby", HOSTILE + "\x00\x08", (), "text " * 200))
    assert "<script" not in svg
    assert "\x00" not in svg
    assert svg.count("<text") < 15
    assert size_of(poster_png(Poster("gatsby", "Ω" * 80, ("a" * 40,) * 6, "-")))


@pytest.mark.parametrize("name", list(GAMES))
def test_the_position_is_drawn_by_the_viewer_s_own_module_in_plain_colours(name):
    drawn = picture.position_svg(name, picture_of(name))
    if drawn is None:
        pytest.skip("no node here: cards have the ornament instead")
    assert drawn.count("<") > 300
    assert "undefined" not in drawn
    assert "NaN" not in drawn


def test_the_plain_style_has_neither_variables_nor_nesting():
    style = picture.plain_style()
    assert "var(" not in style
    assert "light-dark(" not in style
    assert "&" not in style
    assert ".board .p1 .solid" in style
    assert ".board .fig.p1 .coat" in style  # a member of a family wears its colour
    assert re.search(r"\.pc\.s0 \.\w+[^}]*fill: #", style)


def test_without_node_a_card_has_the_ornament(monkeypatch):
    monkeypatch.setattr(picture.shutil, "which", lambda name: None)
    drawn = poster_svg(Poster("gatsby", "volstead", (), "-", packed(picture_of("gatsby")), is_board=True))
    assert drawn.count(f'height="34" fill="{posters.DAY.line}"') == 6
    assert 'class="board"' not in drawn


def test_without_a_renderer_pages_promise_no_picture(played, monkeypatch):
    for place in ("ladder.web.context", "ladder.web.views.shared"):
        monkeypatch.setattr(f"{place}.has_pictures", lambda: False)
    path = reverse("web:match", args=[played[2].pk])
    assert "og:image" not in Client().get(path).content.decode()
    assert Client().get(f"{path}picture.png").status_code == 404


def test_only_the_pages_made_for_it_may_stand_in_a_frame(played):
    ladder, bot, match = played
    for path in (reverse("web:embedded_match", args=[match.pk]), reverse("web:embedded_ladder", args=[ladder.slug])):
        answer = Client().get(path)
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer
        page = answer.content.decode()
        assert "<form" not in page
        assert "csrf" not in page
        assert not answer.cookies
    for path in (reverse("web:home"), reverse("web:match", args=[match.pk]), reverse("web:bot", args=[bot.pk])):
        answer = Client().get(path)
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
        assert answer["X-Frame-Options"] == "DENY"


def test_an_owner_sees_in_a_frame_what_everybody_sees(rng):
    owner = make_user("lena")
    half, _ = half_played_set(rng, owner)
    client = Client()
    client.force_login(owner)
    page = client.get(reverse("web:embedded_match", args=[half.pk])).content.decode()
    assert 'data-views="[&quot;public&quot;]"' in page
    assert "lena" not in page


def oembed(**asked: str):
    return Client().get(reverse("web:oembed"), asked)


def test_oembed_answers_for_matches_and_leaderboards(played):
    ladder, _, match = played
    page = Client().get(reverse("web:match", args=[match.pk])).content.decode()
    found = re.search(r'type="application/json\+oembed"[^>]*href="([^"]+)"', page, re.S)
    assert found
    told = Client().get(found[1].replace("&amp;", "&")).json()
    assert told["type"] == "rich"
    assert told["title"] == "volstead – lamplighter"
    assert f'src="http://testserver/matches/{match.pk}/embed/"' in told["html"]
    assert (told["thumbnail_width"], told["thumbnail_height"]) == SIZE
    small = oembed(url=f"http://testserver/ladders/{ladder.slug}/", maxwidth="400", maxheight="1").json()
    assert (small["width"], small["height"]) == (400, 280)


@pytest.mark.parametrize(
    "url",
    [
        "", "x", "http://elsewhere.example/matches/1/", "//testserver/matches/1/", "javascript:alert(1)", "http://[",
        "http://testserver/", "http://testserver/matches/999999/", "http://testserver/account/",
        "http://testserver@elsewhere.example/matches/1/", "ftp://testserver/matches/1/",
    ],
)  # fmt: skip
def test_oembed_answers_for_nothing_else(db, url):
    answer = oembed(url=url)
    assert answer.status_code == 404
    assert b"Traceback" not in answer.content


def test_oembed_says_that_it_has_no_xml(db):
    answer = oembed(url="http://testserver/", format="xml")
    assert answer.status_code == 501
    assert json.loads(answer.content)["error"]["code"] == "not_implemented"
