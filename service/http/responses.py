"""From an answer to a response: from a table at once, from a search when it ends, and tagged where it is exact."""

from __future__ import annotations

from collections.abc import Callable

import orjson
from flask import Response, request
from werkzeug.http import parse_etags

from db import MissingTable
from puzzles import find
from service.answers.answer import Answer
from service.answers.limits import ANSWER_SECONDS
from service.http import metrics
from service.http.fields import SearchFields, StateFields
from service.http.middleware import GONE, SOURCE
from service.sources.budget import SearchLimits
from service.sources.deadline import Deadline
from service.sources.folder import Tables
from service.sources.pool import Searches
from service.sources.search import OpenSearch
from service.sources.source import Source

CACHED = "public, max-age=86400"
JSON = "application/json"


def json(body: object, status: int = 200) -> Response:
    """An answer as it is."""
    return Response(orjson.dumps(body), status=status, content_type=JSON)


def exact(tag: str, answer: Callable[[], object]) -> Response:
    """An answer that is good as long as the tag is, and not made where the caller has it."""
    return tagged(tag, Response(status=304) if known(tag) else json(answer()))


def known(tag: str) -> bool:
    """Whether the caller has this answer, from the same build."""
    given = request.environ.get("HTTP_IF_NONE_MATCH")
    return given is not None and parse_etags(given).contains_weak(tag)


def tagged(tag: str, response: Response) -> Response:
    """The response, to be kept."""
    response.headers.add("ETag", f'"{tag}"')
    response.headers.add("Cache-Control", CACHED)
    return response


class Answering:
    """Answers from a table where there is one, else from a search."""

    def __init__(self, tables: Tables, limits: SearchLimits, version: str) -> None:
        self.limits = limits
        self._tables = tables
        self._version = version
        self._searches = Searches(tables, limits)

    def tag(self, source: Source | type[OpenSearch]) -> str:
        """What an exact answer of this source is known by."""
        return f"{self._version}-{source.name if isinstance(source, type) else source.tag}"

    def one(
        self, name: str, fields: SearchFields, answer: Callable[[Source], Answer], *, kept: bool = True
    ) -> Response:
        """The answer about one state, or one game; kept by who asked for it, if it is exact, unless told otherwise."""
        kept &= request.method != "POST"
        try:
            source = self._tables.source(name, fields.goal, Deadline(ANSWER_SECONDS))
        except MissingTable:
            puzzle = find(name)
            if not puzzle.enumerable:
                raise
            if isinstance(fields, StateFields):
                puzzle.parse(fields.state)  # what is no state takes no search

            def searched(search: OpenSearch) -> tuple[bytes, bool]:
                found = answer(search)
                return orjson.dumps(found), found["exact"]

            return self._search(name, fields, searched, kept=kept)
        request.environ[SOURCE] = source.name
        if kept:
            tag = self.tag(source)
            if isinstance(fields, StateFields) and known(tag):
                source.puzzle.parse(fields.state)  # what is no state has no answer that a caller could have
            return exact(tag, lambda: answer(source))
        response = json(answer(source))
        if request.method != "POST":
            response.headers.add("Cache-Control", "no-store")
        return response

    def many(self, name: str, fields: SearchFields, answer: Callable[[Source], bytes]) -> Response:
        """Answers about many states, written already."""
        try:
            source = self._tables.source(name, fields.goal, Deadline(ANSWER_SECONDS))
        except MissingTable:
            if not find(name).enumerable:
                raise
            return self._search(name, fields, lambda search: (answer(search), False), kept=False)
        request.environ[SOURCE] = source.name
        return Response(answer(source), content_type=JSON)

    def _search(
        self, name: str, fields: SearchFields, work: Callable[[OpenSearch], tuple[bytes, bool]], *, kept: bool
    ) -> Response:
        puzzle = find(name)
        goal = puzzle.goal(fields.goal)
        tag = self.tag(OpenSearch)
        if kept and known(tag):
            return tagged(tag, Response(status=304))
        request.environ[SOURCE] = OpenSearch.name
        search = self._searches.start(puzzle, goal, fields.max_states, fields.max_seconds, work)
        metrics.SEARCHES.inc()
        search.future.add_done_callback(lambda _: metrics.SEARCHES.dec())
        if gone := request.environ.get(GONE):
            gone.add_done_callback(lambda _: search.budget.stop())
        body, whole = search.future.result()
        response = Response(body, content_type=JSON)
        if kept and whole:
            return tagged(tag, response)
        response.headers.add("Cache-Control", "no-store")
        return response
