"""``{% fixed VALUE … %}``: a part of a template that depends on these values alone, rendered once for each of them.

The frame of the site is the same on every page but for the mark of where one is: a hundred nodes that need not be
walked for each request. ``{% latest VALUE … %}`` is for values that go with time, as the moment of a count: what was
rendered for earlier ones is soon forgotten. Nothing of the reader may stand inside, but what is named as a value. White
space at both ends is dropped, so that the two tags can have lines of their own.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.template import Context, Library
from django.template.base import FilterExpression, Node, NodeList, Parser, Token
from django.urls import get_script_prefix, get_urlconf

MOST_KEPT = 64  # renderings of one part; a value that takes more of them is no fixed one
MOST_LATEST = 4  # one, unless the same page is read under several names of the host
register = Library()


class FixedNode(Node):
    """Keeps what it rendered, for each combination of values and for where the site is served."""

    def __init__(self, values: list[FilterExpression], nodelist: NodeList, most: int) -> None:
        self.values, self.nodelist, self.most = values, nodelist, most
        self.kept: dict[Any, str] = {}

    def render(self, context: Context) -> str:
        where = get_script_prefix(), get_urlconf() or settings.ROOT_URLCONF
        key = (*where, *(value.resolve(context, ignore_failures=True) for value in self.values))
        found = self.kept.get(key)
        if found is None:
            if len(self.kept) >= self.most:
                self.kept.clear()
            found = self.kept[key] = self.nodelist.render(context).strip()
        return found


@register.tag
def fixed(parser: Parser, token: Token) -> Node:
    """A part that is rendered once for each combination of the values named."""
    return _kept(parser, token, MOST_KEPT)


@register.tag
def latest(parser: Parser, token: Token) -> Node:
    """A part that is rendered anew whenever one of the values named has changed."""
    return _kept(parser, token, MOST_LATEST)


def _kept(parser: Parser, token: Token, most: int) -> Node:
    tag, *bits = token.split_contents()
    values = [parser.compile_filter(bit) for bit in bits]
    nodelist = parser.parse((f"end{tag}",))
    parser.delete_first_token()
    return FixedNode(values, nodelist, most)
