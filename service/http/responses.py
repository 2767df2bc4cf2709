"""Responses made of answers: JSON, from a table or an oracle at once, or from a search when it ends."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from flask import Response, request

from puzzlebase.puzzles import Puzzle, find
from puzzlebase.service.answers.fields import GoalFields, SearchFields, StateFields
from puzzlebase.service.answers.limits import ANSWER_SECONDS
from puzzlebase.service.answers.lookups import Answer
from puzzlebase.service.exact_json import to_json
from puzzlebase.service.http import headers, metrics
from puzzlebase.service.http.exchange import Headers, exchange_of
from puzzlebase.service.sources.budget import Deadline, SearchLimits
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.pool import Searches
from puzzlebase.service.sources.search import OpenSearch
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.table import OpenTable, as_table


def json_response(answer: object, status: int = 200) -> Response:
    """The response of an answer; bytes are JSON already."""
    body = answer if isinstance(answer, bytes) else to_json(answer)
    return Response(body, status=status, content_type="application/json")


def exact(puzzle: Puzzle, data: str, make: Callable[[], Response]) -> Response:
    """The response of `make`, which raises for a wrong request; 304 if the caller's copy is of the same data."""
    response = make()
    known = headers.is_known(puzzle.about.rules, data, request.environ.get("HTTP_IF_NONE_MATCH"))
    return _with(headers.exact(puzzle.about.rules, data), Response(status=304) if known else response)


def _with(added: Headers, response: Response) -> Response:
    for name, value in added:
        response.headers.add(name, value)
    return response


class Responder:
    """Answers to requests about puzzles: from a table or an oracle if there is one, else by a search."""

    def __init__(self, tables: Tables, searches: Searches, limits: SearchLimits) -> None:
        self.tables = tables
        self.limits = limits
        self._searches = searches

    def one(
        self, name: str, fields: SearchFields, answer: Callable[[Source], Answer], *, repeatable: bool = True
    ) -> Response:
        """Answer about one state. `repeatable`: an equal request has an equal answer."""
        cacheable = repeatable and request.method != "POST"
        source = self._source(name, fields)
        if source is None:

            def searched(search: OpenSearch) -> tuple[bytes, bool]:
                found = answer(search)
                return to_json(found), cacheable and found["exact"]

            return self._search(name, fields, searched, cacheable=cacheable)
        if not cacheable:
            return _with([] if request.method == "POST" else headers.NO_STORE, json_response(answer(source)))
        return exact(source.puzzle, source.origin.tag, lambda: json_response(answer(source)))

    def many(self, name: str, fields: SearchFields, answer: Callable[[Source], bytes]) -> Response:
        """Answer about the states of a batch or a game with the JSON of `answer`.

        If each state takes milliseconds, by an oracle or block by block, such requests could hold every thread for half
        a minute. Then they take a search's slot; raises Overloaded if none is free.
        """
        source = self._source(name, fields)
        if source is None:
            return self._search(name, fields, lambda search: (answer(search), False), cacheable=False)
        table = as_table(source)
        with nullcontext() if table and table.table.load().in_memory else self._searches.slot():
            return json_response(answer(source))

    def whole_table(self, name: str, fields: GoalFields, answer: Callable[[OpenTable], object]) -> Response:
        """Answer about a table; raises MissingTable if there is none."""
        source = self.tables.get(name, fields.goal)
        return exact(source.puzzle, source.origin.tag, lambda: json_response(answer(source)))

    def _source(self, name: str, fields: SearchFields) -> Source | None:
        """The table or the oracle. Without either: None if a search can answer, else raises MissingTable."""
        state = fields.state if isinstance(fields, StateFields) else None
        source = self.tables.without_search(name, fields.goal, Deadline(ANSWER_SECONDS), state)
        if source:
            exchange_of(request.environ).source = source.origin.name
        return source

    def _search(
        self, name: str, fields: SearchFields, work: Callable[[OpenSearch], tuple[bytes, bool]], *, cacheable: bool
    ) -> Response:
        """Search, until the client leaves; `work` gives JSON, and True if callers may keep it. Raises Overloaded."""
        puzzle = find(name)
        if isinstance(fields, StateFields):
            puzzle.parse(fields.state)  # a wrong state is an error before any search
        goal = puzzle.goal(fields.goal)
        used = [goal.key, *self.tables.for_searches(name, fields.goal)] if cacheable else []
        data = headers.of_search(request.environ, used)
        tag = request.environ.get("HTTP_IF_NONE_MATCH")
        if cacheable and tag != "*" and headers.is_known(puzzle.about.rules, data, tag):  # * has no former answer
            return _with(headers.exact(puzzle.about.rules, data), Response(status=304))
        exchange = exchange_of(request.environ)
        exchange.source = OpenSearch.origin.name
        search = self._searches.start(puzzle, goal, fields.max_states, fields.max_seconds, work)
        if exchange.gone:
            exchange.gone.add_done_callback(lambda _: search.budget.stop())
        with metrics.SEARCHES.track_inprogress():
            body, keep = search.future.result()
        response = json_response(body)
        return exact(puzzle, data, lambda: response) if keep else _with(headers.NO_STORE, response)
