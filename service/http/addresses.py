"""The addresses under /v1 and those for health and metrics, each with the function that answers it."""

from __future__ import annotations

from typing import Any

from flask import Response

from puzzlebase import plugins
from puzzlebase.puzzles import find
from puzzlebase.service.answers import (
    batches,
    boards,
    catalog,
    fields,
    grades,
    hints,
    lookups,
    random_states,
    solutions,
)
from puzzlebase.service.answers.limits import ANSWER_SECONDS, MAX_BATCH, MAX_STATE
from puzzlebase.service.answers.pictures import drawn
from puzzlebase.service.answers.whole_tables import Antipodes, Histogram, antipodes, histogram
from puzzlebase.service.error_status import TooLarge
from puzzlebase.service.exact_json import to_json
from puzzlebase.service.http import metrics
from puzzlebase.service.http.address_record import HEALTH, SERVICE, STATE, TABLE, Address
from puzzlebase.service.http.error_responses import RETRY_AFTER
from puzzlebase.service.http.limits import BODY_SECONDS, MAX_BODY, MAX_QUERY
from puzzlebase.service.http.responses import Responder, exact, json_response
from puzzlebase.version import VERSION


def _service(responder: Responder, _asked: fields.NoFields) -> Response:
    searches = responder.limits
    limits: catalog.Limits = {
        "address": MAX_QUERY,
        "body": MAX_BODY,
        "body_seconds": BODY_SECONDS,
        "state": MAX_STATE,
        "batch": MAX_BATCH,
        "answer_seconds": ANSWER_SECONDS,
        "budget": {"states": searches.states, "seconds": searches.seconds, "at_once": searches.at_once},
    }
    return json_response(catalog.service(VERSION, limits))


def _about(responder: Responder, asked: fields.GoalFields, name: str) -> Response:
    puzzle = find(name)
    return json_response(catalog.about(responder.tables, puzzle, puzzle.goal(asked.goal)))


def _lookup_batch(responder: Responder, asked: fields.BatchFields, name: str) -> Response:
    states = _bounded(asked.states)
    return responder.many(name, asked, lambda source: batches.lookup_batch(source, states, moves=asked.moves))


def _solve(responder: Responder, asked: fields.SolveFields, name: str) -> Response:
    return responder.one(
        name,
        asked,
        lambda source: solutions.solve(
            source, asked.state, states=asked.states, every=asked.all, offset=asked.offset, limit=asked.limit
        ),
    )


def _hint_posted(responder: Responder, asked: fields.HintBodyFields, name: str) -> Response:
    moves = _bounded(asked.moves)
    if not moves:
        return responder.one(name, asked, lambda source: hints.hint(source, asked.state, asked.level))
    return responder.many(name, asked, lambda source: to_json(hints.hint(source, asked.state, asked.level, moves)))


def _grade(responder: Responder, asked: fields.GradeFields, name: str) -> Response:
    _bounded(asked.moves or asked.states or [])
    return responder.many(
        name,
        asked,
        lambda source: to_json(
            grades.grade(
                source, asked.state, moves=asked.moves, states=asked.states, stars=asked.stars, hints=asked.hints
            )
        ),
    )


def _random(responder: Responder, asked: fields.RandomFields, name: str) -> Response:
    wanted = asked.request
    if wanted.needs_table:
        responder.tables.get(name, asked.goal)
    return responder.one(name, asked, wanted.answer, repeatable=asked.repeatable)


def _picture(_responder: Responder, asked: fields.PictureFields, name: str) -> Response:
    puzzle = find(name)
    goal = puzzle.goal(asked.goal)

    def picture() -> Response:
        image = drawn(puzzle, goal, asked.state, style=asked.style, highlight=asked.highlight)
        return Response(image, mimetype="image/svg+xml")

    return exact(puzzle, "picture", picture)


def _board(_responder: Responder, asked: fields.BoardFields, name: str) -> Response:
    puzzle = find(name)
    goal = puzzle.goal(asked.goal)
    return exact(puzzle, "board", lambda: json_response(boards.board(puzzle, goal, asked.state, asked.style)))


def _readyz(responder: Responder, _asked: fields.NoFields) -> Response:
    body = catalog.readiness(responder.tables)
    response = json_response(body, status=200 if body["ready"] else 503)
    if not body["ready"]:
        response.headers.add("Retry-After", RETRY_AFTER)
    return response


def _bounded(entries: list[str]) -> list[str]:
    """The same list; raises TooLarge if it has more than MAX_BATCH entries."""
    if len(entries) > MAX_BATCH:
        raise TooLarge(f"{len(entries):,} entries are too many", f"send at most {MAX_BATCH:,} at a time")
    return entries


def _of(media: str, description: str, schema: dict[str, str]) -> dict[str, Any]:
    """Describe an answer without a type of its own, as OpenAPI does."""
    return {"description": description, "content": {media: {"schema": schema}}}


_TEXT = {"type": "string"}
_DISTANCES = (404, 409, 422, 500, 503)
_FOUND = (304, *_DISTANCES)
_DRAWN = (304, 404, 422)
_BOTH = ("GET", "POST")

ADDRESSES = (
    Address("/v1", "service", _service, fields.NoFields, catalog.Service, SERVICE,
        "The service", "Version, limits, and the families of puzzles with their names."),
    Address("/v1/puzzles", "puzzle_list",
        lambda responder, _: json_response(catalog.puzzle_list(responder.tables)),
        fields.NoFields, catalog.Puzzles, SERVICE,
        "Puzzles", "Every puzzle that has a table, layers or an oracle, and others worth naming."),
    Address("/v1/puzzles/{name}", "about", _about, fields.GoalFields, catalog.PuzzleAnswer, SERVICE,
        "A puzzle", "The moves, goals, notation and table of a puzzle.", (404, 422)),
    Address("/v1/puzzles/{name}/lookup", "lookup",
        lambda responder, asked, name: responder.one(name, asked, lambda source: lookups.lookup(source, asked.state)),
        fields.StateFields, lookups.LookupAnswer, STATE,
        "Lookup", "The distance of a state from the goal, and every move, best first.", _FOUND),
    Address("/v1/puzzles/{name}/lookup", "lookup_batch", _lookup_batch, fields.BatchFields, batches.BatchAnswer, STATE,
        "Lookups", "Many lookups in one request. A state that is wrong spoils only its own entry.",
        _DISTANCES, ("POST",)),
    Address("/v1/puzzles/{name}/solve", "solve", _solve, fields.SolveFields, solutions.SolveAnswer, STATE,
        "Solve", "A shortest solution, or several and how many there are.", _FOUND, _BOTH),
    Address("/v1/puzzles/{name}/hint", "hint",
        lambda responder, asked, name: responder.one(
            name, asked, lambda source: hints.hint(source, asked.state, asked.level)
        ),
        fields.HintFields, hints.HintAnswer, STATE,
        "Hint", "Help in four levels, from the distance to the whole solution.", _FOUND),
    Address("/v1/puzzles/{name}/hint", "hint_posted", _hint_posted, fields.HintBodyFields, hints.HintAnswer, STATE,
        "Hint", "Help in four levels, from the distance to the whole solution.", _DISTANCES, ("POST",)),
    Address("/v1/puzzles/{name}/grade", "grade", _grade, fields.GradeFields, grades.GradeAnswer, STATE,
        "Grade", "The grade of a player's game: legal, solved, stars, the first mistake.", _DISTANCES, ("POST",)),
    Address("/v1/puzzles/{name}/random", "random", _random, fields.RandomFields, random_states.RandomAnswer, STATE,
        "Random", "A random state of the difficulty asked for, with a scramble that leads to it.", _FOUND),
    Address("/v1/puzzles/{name}/picture", "picture", _picture, fields.PictureFields, None, STATE,
        "Picture", "A drawing of a state, as SVG.", _DRAWN,
        described={200: _of("image/svg+xml", "The drawing", _TEXT)}),
    Address("/v1/puzzles/{name}/board", "board", _board, fields.BoardFields, boards.BoardAnswer, STATE,
        "Board", "The pieces of a state, and the effect of every legal move.", _DRAWN),
    Address("/v1/puzzles/{name}/histogram", "histogram",
        lambda responder, asked, name: responder.whole_table(name, asked, histogram),
        fields.GoalFields, Histogram, TABLE,
        "Histogram", "The number of states at each distance.", _FOUND),
    Address("/v1/puzzles/{name}/antipodes", "antipodes",
        lambda responder, asked, name: responder.whole_table(
            name, asked, lambda source: antipodes(source, asked.offset, asked.limit)
        ),
        fields.PageFields, Antipodes, TABLE,
        "Antipodes", "The states farthest from the goal, a page at a time.", _FOUND),
    Address("/healthz", "healthz", lambda *_: json_response(catalog.HEALTH), fields.NoFields, catalog.Health, HEALTH,
        "Alive", "200 as soon as lookups are answered."),
    Address("/readyz", "readyz", _readyz, fields.NoFields, catalog.Readiness, HEALTH,
        "Ready", "The files that can be used, and those that are damaged; 503 if none can be used.",
        described={503: _of("application/json", "No file answers", {"$ref": "#/components/schemas/Readiness"})}),
    Address("/metrics", "scrape",
        lambda *_: Response(metrics.scrape(), content_type=metrics.CONTENT_TYPE), fields.NoFields, None, HEALTH,
        "Metrics", "Requests, their latency, blocks and searches, counted over all processes, for Prometheus.",
        described={200: _of("text/plain", "The metrics", _TEXT)}),
)  # fmt: skip  # in the order of docs/http-api.md


def every_address() -> tuple[Address, ...]:
    """The addresses above, and those of tools."""
    return (*ADDRESSES, *(each for each in plugins.every("addresses") if isinstance(each, Address)))
