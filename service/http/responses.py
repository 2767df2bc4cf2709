"""Responses made of answers: from a table or an oracle at once, or from a search when it ends."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from time import sleep
from typing import Any

from flask import Response, request

from puzzlebase.db.errors import ReplacedTable
from puzzlebase.puzzles import Puzzle, find
from puzzlebase.service.answers.limits import ANSWER_SECONDS, MAX_BATCH
from puzzlebase.service.answers.record import SEARCH, AnswerRecord
from puzzlebase.service.error_status import TooLarge
from puzzlebase.service.exact_json import to_json
from puzzlebase.service.http import headers, metrics
from puzzlebase.service.http.exchange import Headers, exchange_of
from puzzlebase.service.sources.budget import Deadline
from puzzlebase.service.sources.pool import Searches
from puzzlebase.service.sources.search import OpenSearch
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.sources import Sources

Record = AnswerRecord[..., Any]
_MOST_REPLACED = 3
"""Tables that may take one another's place during a request."""
Asked = dict[str, Any]  # the values of the fields of a request


def response_of(answer: object, media: str = "application/json") -> Response:
    """The response of an answer; a text is written already."""
    return Response(answer if isinstance(answer, str) else to_json(answer), mimetype=media)


def exact(puzzle: Puzzle, data: str, response: Response) -> Response:
    """The response to a right request, with its tag;
    304 if the caller's copy is of the same data.
    """
    known = headers.caller_has_answer(
        puzzle.about.rules, data, request.environ.get("HTTP_IF_NONE_MATCH")
    )
    return _with(
        headers.exact(puzzle.about.rules, data), Response(status=304) if known else response
    )


def _with(added: Headers, response: Response) -> Response:
    response.headers.extend(added)
    return response


class Responder:
    """Responses to requests, by the subject of the answer."""

    def __init__(self, sources: Sources, searches: Searches) -> None:
        self.sources = sources
        self.limits = searches.limits
        self._searches = searches

    def respond(self, record: Record, asked: Asked, **path: str) -> Response:
        """The response to the values of a request's fields.
        Raises TooLarge for a list that is too long.

        If a table is replaced before its file was opened, the table that took its place answers.
        """
        for value in asked.values():
            if isinstance(value, list) and len(value) > MAX_BATCH:
                raise TooLarge(
                    f"{len(value):,} entries are too many", f"send at most {MAX_BATCH:,} at a time"
                )
        if record.subject in ("folder", "service"):
            found = record(self.sources if record.subject == "folder" else self, **asked, **path)
            return found if isinstance(found, Response) else response_of(found)
        of_puzzle = {"state": self._of_state, "table": self._of_table, "puzzle": self._of_puzzle}[
            record.subject
        ]
        for _ in range(_MOST_REPLACED):
            try:
                return of_puzzle(record, {**asked}, **path)
            except ReplacedTable:
                # then the table that took its place is noticed
                sleep(self.sources.folder.recheck_after)
        return of_puzzle(record, asked, **path)

    def _of_puzzle(self, record: Record, asked: Asked, name: str) -> Response:
        puzzle = find(name)
        goal = puzzle.goal(asked.pop("goal"))
        return exact(puzzle, record.name, response_of(record(puzzle, goal, **asked), record.media))

    def _of_table(self, record: Record, asked: Asked, name: str) -> Response:
        source = self.sources.table(name, asked.pop("goal"))
        found = record(source, **asked)
        return exact(source.puzzle, source.origin.tag, response_of(found))

    def _of_state(self, record: Record, asked: Asked, name: str) -> Response:
        """Answer about a state, about the many of a batch or a game, or with a random one.

        If each of many takes milliseconds, by an oracle or block by block, such requests could hold
        every thread for half a minute. Then they take a search's slot; raises Overloaded if none is
        free.
        """
        goal, *limits = (asked.pop(field.name) for field in SEARCH)
        make = partial(record, **asked)
        posted = request.method == "POST"
        cacheable = record.repeatable(asked) and not posted
        source = self.sources.find(
            name,
            goal,
            Deadline(ANSWER_SECONDS),
            asked.get("state"),
            search=record.may_search(asked),
        )
        if source is None:
            return self._search(name, goal, limits, asked.get("state"), make, cacheable=cacheable)
        exchange_of(request.environ).source = source.origin.name
        table = source.as_table()
        several = any(isinstance(value, list | tuple) and value for value in asked.values())
        slow = several and not (table and table.table.load().in_memory)
        with self._searches.slot() if slow else nullcontext():
            response = response_of(make(source))
        if cacheable:
            return exact(source.puzzle, source.origin.tag, response)
        return _with([] if posted else headers.NO_STORE, response)

    def _search(
        self,
        name: str,
        goal_name: str | None,
        limits: list[Any],
        state: str | None,
        make: Callable[[Source], Any],
        *,
        cacheable: bool,
    ) -> Response:
        """Search, until the client leaves;
        callers may keep an exact answer that is cacheable. Raises Overloaded.
        """
        puzzle = find(name)
        if state is not None:
            puzzle.parse(state)  # a wrong state is an error before any search
        goal = puzzle.goal(goal_name)
        data = headers.tag_of_search(request.environ)
        tag = request.environ.get("HTTP_IF_NONE_MATCH")
        if (
            cacheable and tag != "*" and headers.caller_has_answer(puzzle.about.rules, data, tag)
        ):  # * has no former answer
            return _with(headers.exact(puzzle.about.rules, data), Response(status=304))
        exchange = exchange_of(request.environ)
        exchange.source = OpenSearch.origin.name
        search = self._searches.start(puzzle, goal, limits[0], limits[1], make)
        if exchange.gone:
            exchange.gone.add_done_callback(lambda _: search.budget.stop())
        with metrics.SEARCHES.track_inprogress():
            found = search.future.result()
        response = response_of(found)
        keep = cacheable and found["exact"]
        return exact(puzzle, data, response) if keep else _with(headers.NO_STORE, response)
