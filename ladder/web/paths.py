"""Addresses of the site's own pages, found quickly: a page has some sixty, and most differ in one number."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.template import Context, Library
from django.template.base import FilterExpression, Node, Parser, Token
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as parse_url
from django.urls import get_script_prefix, get_urlconf, reverse
from django.utils.html import escape
from django.utils.safestring import SafeString

MARK = 987_654_321_012_345  # stands for a number while an address is made; no address holds it by itself
register = Library()


def addresses(name: str, count: int = 1) -> Callable[..., str]:
    """What makes the addresses of a name out of so many whole numbers, as they stand in HTML."""
    return _maker(name, count, get_script_prefix(), get_urlconf() or settings.ROOT_URLCONF)


@lru_cache(maxsize=1024)
def _maker(name: str, count: int, prefix: str, urlconf: Any) -> Callable[..., str]:
    marks = [MARK + place for place in range(count)]
    words = escape(reverse(name, urlconf, args=marks)).replace("%", "%%")
    for mark in marks:
        words = words.replace(str(mark), "%d")
    return lambda *numbers: words % numbers


@lru_cache(maxsize=4096)
def _of_texts(name: str, texts: tuple[str, ...], prefix: str, urlconf: Any) -> str:
    return escape(reverse(name, urlconf, args=texts))


class QuickURLNode(Node):
    """``{% url %}`` with a fixed name and nothing but whole numbers or texts; Django's own finds whatever else."""

    child_nodelists = ()

    def __init__(self, usual: URLNode, name: str) -> None:
        self.usual, self.name, self.args = usual, name, usual.args

    def render(self, context: Context) -> str:
        given = tuple(argument.resolve(context) for argument in self.args)
        kinds = set(map(type, given))
        if kinds <= {int} and min(given, default=0) >= 0:
            return addresses(self.name, len(given))(*given)
        if kinds <= {str, SafeString}:
            return _of_texts(self.name, given, get_script_prefix(), get_urlconf() or settings.ROOT_URLCONF)
        return self.usual.render(context)


@register.tag
def url(parser: Parser, token: Token) -> Node:
    """As Django's, with a short way for most of our addresses."""
    usual = parse_url(parser, token)
    name = usual.view_name
    is_fixed = isinstance(name, FilterExpression) and isinstance(name.var, str) and not name.filters
    if usual.kwargs or usual.asvar or not is_fixed:
        return usual
    return QuickURLNode(usual, str(name.var))
