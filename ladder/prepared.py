"""Questions whose SQL is made once: for a page of small look-ups, to make a statement takes longer than to run it.

``@prepared`` stands above a function that returns a query set, and makes it return the rows::

    @prepared
    def bots_of(owner_id: int) -> QuerySet[Bot]:
        return Bot.objects.filter(owner=owner_id).order_by("name")

    bots_of(7)  # a list of bots

The function is called once, with values that stand for the arguments; from then on only the statement is sent, with the
arguments in their places. So what it is asked with must not change the statement: whole numbers, texts, and lists of
them, which are filled up to the next power of two. Neither None nor what is looked for inside a text will do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from types import SimpleNamespace
from typing import Any, ParamSpec, TypeVar
from uuid import UUID

from django.db import connections
from django.db.models import QuerySet
from django.db.models.query import FlatValuesListIterable, ValuesListIterable
from django.db.models.sql import UpdateQuery

P = ParamSpec("P")
Found = TypeVar("Found")
Argument = int | str | UUID | Sequence[int] | Sequence[str]
Parameters = tuple[tuple[Any, int, int], ...]  # of each a value, or the argument's number and the place in it
NUMBERS = 19_000  # and on: what no statement of ours holds by itself, and even the smallest kind of column could
WORD = "stands for argument"


class NotPrepared(TypeError):
    """A question whose statement would depend on what it is asked with."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, and for each of its parameters what it is, or the argument and the part of it that belongs there."""

    rows: Callable[[Any], Any]  # makes rows of what a compiler reads: Django's own, whatever the query set yields
    compiler: Any
    words: str
    parameters: Parameters
    shape: dict[str, Any]
    columns: dict[int, Any]  # what turns columns of the database into values, by how many columns are read

    def ask(self, values: list[list[Any]], database: str) -> list[Any]:
        connection = connections[database]  # of this thread
        with connection.cursor() as cursor:
            cursor.execute(self.words, _placed(self.parameters, values))
            found = cursor.fetchall()
        if self.rows is FlatValuesListIterable:
            return [value for (value,) in self._tuples(found)]
        return self._tuples(found) if self.rows is ValuesListIterable else self._made(found, connection)

    def _tuples(self, found: list[Any]) -> list[Any]:
        """Nothing has to be made of these: the compiler's columns are what was asked for."""
        compiler = self.compiler
        converters = self._converters(one for one, *_ in compiler.select[: compiler.col_count])
        if converters:
            return list(map(tuple, compiler.apply_converters(found, converters)))
        return [row[: compiler.col_count] for row in found] if compiler.has_extra_select else found

    def _made(self, found: list[Any], connection: Any) -> list[Any]:
        compiler = object.__new__(type(self.compiler))
        vars(compiler).update(vars(self.compiler))
        compiler.connection = connection
        compiler.execute_sql = lambda *_, **__: [found]
        compiler.get_converters = self._converters
        query = SimpleNamespace(get_compiler=lambda *_, **__: compiler, selected=self.shape["selected"])
        return list(self.rows(SimpleNamespace(**self.shape, query=query)))

    def _converters(self, expressions: Iterable[Any]) -> Any:
        """Django's, looked for once: every column is asked for them, and most have none."""
        columns = list(expressions)
        if len(columns) not in self.columns:
            self.columns[len(columns)] = self.compiler.get_converters(columns)
        return self.columns[len(columns)]


def prepared(question: Callable[P, QuerySet[Any, Found]]) -> Callable[P, list[Found]]:
    """The rows of a question whose statement is made once."""
    known: dict[tuple[Any, ...], Statement] = {}

    @wraps(question)
    def ask(*args: P.args, **kwargs: P.kwargs) -> list[Found]:
        given: list[Any] = [*args, *kwargs.values()]
        if [] in given:
            return []
        values = [_filled(value) for value in given]
        database = "default"
        kinds = tuple((type(value), len(several)) for value, several in zip(given, values, strict=True))
        key = (database, connections[database].vendor, tuple(kwargs), kinds)
        if key not in known:
            known[key] = _prepare(question, given[: len(args)], dict(zip(kwargs, given[len(args) :], strict=True)))
        return known[key].ask(values, database)

    return ask


def prepared_update(question: Callable[P, tuple[QuerySet[Any], dict[str, Any]]]) -> Callable[P, int]:
    """How many rows were changed, of a question that says which and to what; its statement is made once as well."""
    known: dict[tuple[type, ...], tuple[str, Parameters]] = {}

    @wraps(question)
    def change(*args: P.args, **kwargs: P.kwargs) -> int:
        assert not kwargs, "arguments have their places"
        given: list[Any] = list(args)
        kinds = tuple(map(type, given))
        if kinds not in known:
            known[kinds] = _prepare_update(question, given)
        words, parameters = known[kinds]
        with connections["default"].cursor() as cursor:
            cursor.execute(words, _placed(parameters, [_filled(value) for value in given]))
            return int(cursor.rowcount)

    return change


def _prepare_update(question: Callable[..., Any], given: list[Any]) -> tuple[str, Parameters]:
    marks: dict[Any, tuple[int, int]] = {}
    standing = [_marked(value, number, marks) for number, value in enumerate(given)]
    found, changes = question(*standing)
    query = found.query.chain(UpdateQuery)
    query.add_update_values(changes)
    words, parameters = query.get_compiler(using="default").as_sql()
    return words, _places(question.__name__, words, parameters, marks, len(given))


def _filled(value: Any) -> list[Any]:
    """The values of an argument: one, or those of a list up to the next power of two, the last one again and again."""
    if isinstance(value, UUID):
        return [value, value.hex]  # as databases take it
    if isinstance(value, int | str):
        return [value]
    several = list(value)
    return several + several[-1:] * ((1 << (len(several) - 1).bit_length()) - len(several))


def _prepare(question: Callable[..., QuerySet[Any]], args: list[Any], kwargs: dict[str, Any]) -> Statement:
    marks: dict[Any, tuple[int, int]] = {}
    standing = [_marked(value, number, marks) for number, value in enumerate([*args, *kwargs.values()])]
    found: Any = question(*standing[: len(args)], **dict(zip(kwargs, standing[len(args) :], strict=True)))
    if found._prefetch_related_lookups:
        raise NotPrepared(f"{question.__name__} prefetches: ask for that in a question of its own")
    compiler = found.query.get_compiler(using="default")
    words, parameters = compiler.as_sql()
    places = _places(question.__name__, words, parameters, marks, len(standing))
    shape = {
        "db": "default",
        "model": found.model,
        "_known_related_objects": {},
        "_fields": found._fields,
        "selected": found.query.selected,
    }
    return Statement(found._iterable_class, compiler, words, places, shape, {})


def _places(name: str, words: str, given: Sequence[Any], marks: dict[Any, tuple[int, int]], count: int) -> Parameters:
    """Where the arguments stand among the parameters; raises NotPrepared for one that stands nowhere."""
    places = tuple((None, *marks[value]) if value in marks else (value, -1, -1) for value in given)
    if {place[1] for place in places} - {-1} != set(range(count)):
        raise NotPrepared(f"{name}: one of its {count} arguments is no parameter of {words}")
    return places


def _placed(parameters: Parameters, values: list[list[Any]]) -> tuple[Any, ...]:
    return tuple(values[number][place] if number >= 0 else fixed for fixed, number, place in parameters)


def _marked(value: Argument, number: int, marks: dict[Any, tuple[int, int]]) -> Any:
    """What stands for an argument while the statement is made, each value different from every other."""
    if isinstance(value, UUID):
        mark = UUID(int=NUMBERS + number)
        marks.update({mark: (number, 0), mark.hex: (number, 1)})
        return mark
    several = _filled(value)
    standing: list[Any] = [
        f"{WORD} {number}, {place}" if isinstance(one, str) else NUMBERS + 1000 * number + place
        for place, one in enumerate(several)
    ]
    marks.update({mark: (number, place) for place, mark in enumerate(standing)})
    return standing[0] if isinstance(value, int | str) else standing


def put_beside(one: Any, name: str, many: list[Any]) -> None:
    """Let ``one.NAME.all()`` be these, as after ``prefetch_related``."""
    related = getattr(one, name)
    kept = related.all()
    kept._result_cache, kept._prefetch_done = many, True
    vars(one).setdefault("_prefetched_objects_cache", {})[related.field.remote_field.cache_name] = kept
