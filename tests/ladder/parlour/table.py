"""People, house bots that really play, and games between them."""

from __future__ import annotations

from arena.house import house_bots
from ladder.parlour.hosting import Parlour
from ladder.parlour.models import Sitting
from ladder.parlour.permissions import HumanPlayer
from ladder.parlour.queries import get_sitting, state_of
from ladder.parlour.services import Sitter, begin, choose
from ladder.qualifying.activation import set_active
from ladder.submissions.house import house_owner
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.services import create_bot, upload_version
from tests.ladder.cast import make_user


def house_bot(game: str, name: str = "random") -> BotVersion:
    """A house bot with its real bytes, qualified without a check."""
    content = house_bots(game)[name].read_bytes()
    return _ready(create_bot(owner=house_owner(), game=game, name=name, description=""), content)


def bot_of(owner_name: str, game: str, source: str, *, plays_people: bool = False) -> BotVersion:
    """Somebody's bot, from its source."""
    owner = make_user(owner_name)
    bot = create_bot(owner=owner, game=game, name=f"bot of {owner_name}", description="")
    Bot.objects.filter(pk=bot.pk).update(plays_people=plays_people)
    return _ready(bot, source.encode())


def _ready(bot: Bot, content: bytes) -> BotVersion:
    version = upload_version(bot=bot, by=bot.owner, content=content, filename="main.py")
    BotVersion.objects.filter(pk=version.pk).update(status=BotVersion.Status.QUALIFIED)
    version.refresh_from_db()
    set_active(version.bot, version)
    return BotVersion.objects.select_related("bot__owner").get(pk=version.pk)


def person(name: str) -> HumanPlayer:
    return HumanPlayer(make_user(name))


def guest(secret: str = "a secret of this browser") -> HumanPlayer:
    return HumanPlayer(secret=secret)


def against(player: HumanPlayer, version: BotVersion, *, seats: int = 2) -> Sitting:
    """A game of this player in seat 0 against a bot in all others."""
    return begin(player, game=version.bot.game, chairs=[Sitter.ME, *[version] * (seats - 1)])


def choose_first(player: HumanPlayer, sitting: Sitting) -> Sitting:
    """Take the first legal action."""
    sitting = get_sitting(sitting.key)
    state = state_of(sitting)
    return choose(player, sitting, ply=sitting.ply, text=state.format(state.legal_actions()[0]))


def play_on(parlour: Parlour, player: HumanPlayer, sitting: Sitting, *, until_ply: int) -> Sitting:
    """Play with the first legal action for the person and whatever the bots say, as far as a ply or the end."""
    while (sitting := get_sitting(sitting.key)).ply < until_ply and not sitting.is_over:
        if sitting.due_at is None:
            choose_first(player, sitting)
        else:
            assert parlour.serve(), sitting.note
    return sitting
