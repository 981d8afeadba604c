"""Who is marked as through in a knockout: one side of every table, also of a drawn one."""

import pytest
from django.db.models.functions import Now

from ladder.matches.models import Match
from ladder.tournaments import drawing, services
from ladder.tournaments.services import Wishes
from ladder.web.results import brackets
from tests.ladder.cast import make_ladder, make_user, make_version


@pytest.mark.django_db
def test_a_drawn_table_sends_one_side_on_and_marks_it_alone():
    olga, ladder = make_user("olga", "organiser"), make_ladder("gatsby")
    cup = services.create_tournament(by=olga, wishes=Wishes(name="Cup", ladder=ladder, format="knockout"))
    for _ in range(4):
        services.enter(cup, make_version(game="gatsby").bot, by=olga)
    services.start(cup, by=olga)
    for _ in range(2 * 6):  # each of two rounds is played, and played again five times
        drawing.advance_all()
        for match in Match.objects.filter(status="queued"):
            match.seats.update(rank=1, score=0.5)
            Match.objects.filter(pk=match.pk).update(status="finished", digest="d", finished_at=Now())
    drawing.advance_all()
    cup.refresh_from_db()
    assert cup.status == "finished"
    marks = [[side.is_through for side in table.sides] for drawn in brackets(cup) for table in drawn.tables]
    assert len(marks) == 3
    assert all(sum(sides) == 1 for sides in marks)
