"""The HTTP face. It holds no puzzle and no lookup: it reads a request, asks, and writes the answer."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from apiflask import APIFlask
from flask import Response, redirect, render_template, request
from pydantic import RootModel
from werkzeug.wrappers import Response as AnyResponse

from db import DEFAULT_MEMORY
from puzzles import families, find
from service import problems
from service.answers import batches, catalog, grades, hints, lookups, pictures, random_states, solutions, whole_tables
from service.answers.limits import ANSWER_SECONDS, MAX_BATCH
from service.http import docs_page as page
from service.http import metrics, openapi, responses
from service.http.errors import RETRY, add_errors
from service.http.fast_path import Shortcut
from service.http.fields import (
    MAX_STATE,
    BatchFields,
    GoalFields,
    GradeFields,
    HintBodyFields,
    HintFields,
    NoFields,
    PageFields,
    PictureFields,
    RandomFields,
    SolveBodyFields,
    SolveFields,
    StateFields,
)
from service.http.middleware import Delivery
from service.http.requests import (
    BODY_SECONDS,
    MAX_BODY,
    MAX_QUERY,
    StrictJson,
    StrictRequest,
    refuse_what_is_not_read,
)
from service.http.responses import Answering
from service.sources.budget import SearchLimits
from service.sources.folder import Tables
from service.sources.source import Source

VERSION = version("puzzlebase")
_TRUST = 0.1  # seconds until a table's file is looked at again


# What a route may answer beside 200 and what every route may; described by the kinds of problems.
_TABLE = [404, 409, 500]
_SEARCH = [*_TABLE, 503]
_SEARCH_AND_STATE = [*_SEARCH, 422]
_DRAWING: dict[int | str, Any] = {
    200: {"description": "The drawing", "content": {"image/svg+xml": {"schema": {"type": "string"}}}},
    304: "",
    404: "",
    422: "",
}
_METRICS: dict[int | str, Any] = {
    200: {"description": "The metrics", "content": {"text/plain": {"schema": {"type": "string"}}}}
}
_NOT_READY: dict[int | str, Any] = {
    503: {
        "description": "No file answers",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Readiness"}}},
    }
}


class Lookup(RootModel[lookups.LookupAnswer]):
    """The body of a lookup."""


class Batch(RootModel[batches.BatchAnswer]):
    """The body of a batch of lookups."""


class Solution(RootModel[solutions.SolveAnswer]):
    """The body of a solution."""


class Hint(RootModel[hints.HintAnswer]):
    """The body of a hint."""


class Grade(RootModel[grades.GradeAnswer]):
    """The body of a grade."""


class Random(RootModel[random_states.RandomAnswer]):
    """The body of a random state."""


class Histogram(RootModel[whole_tables.Histogram]):
    """The body of a histogram."""


class Antipodes(RootModel[whole_tables.Antipodes]):
    """The body of a page of antipodes."""


class Puzzles(RootModel[catalog.Puzzles]):
    """The body of the list of puzzles."""


class Service(RootModel[catalog.Service]):
    """The body of the service's description."""


class Readiness(RootModel[catalog.Readiness]):
    """The body of readiness."""


class Alive(RootModel[catalog.Health]):
    """The body of health."""


class About(RootModel[catalog.PuzzleAnswer]):
    """The body of a puzzle's description."""


class App(APIFlask):
    """The service, a WSGI application."""

    request_class = StrictRequest
    json_provider_class = StrictJson
    tables: Tables
    delivery: Delivery

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """No view here is asynchronous; asking each one so at every request would take a tenth of a lookup."""
        return func


def create_app(data: Path | None = None, memory: int | None = None, limits: SearchLimits | None = None) -> App:
    """The service over a folder of tables, by default PUZZLEBASE_DATA or data/, every table source once.

    It logs a line a request where PUZZLEBASE_LOG is set.
    """
    folder = data or Path(os.environ.get("PUZZLEBASE_DATA", "data"))
    memory = memory or int(os.environ.get("PUZZLEBASE_MEMORY", DEFAULT_MEMORY))
    tables = Tables(folder, memory, _TRUST, metrics.count_blocks)
    app = App("service", title="Puzzlebase", version=VERSION, docs_path=None, spec_path="/openapi.json")
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BODY + 1,  # what comes in chunks is cut there; service/http/requests.py
        VALIDATION_ERROR_STATUS_CODE=400,
        AUTO_VALIDATION_ERROR_RESPONSE=False,
        AUTO_404_RESPONSE=False,
        DESCRIPTION="Exact distances and best moves of puzzles.",
        OPENAPI_VERSION="3.1.0",
        AUTO_OPERATION_ID=True,
        SERVERS=[{"url": "/"}],
    )
    app.tables = tables
    app.url_map.merge_slashes = False
    app.before_request(refuse_what_is_not_read)
    add_errors(app)
    asked = Answering(tables, limits or SearchLimits.configured(), VERSION)
    log = bool(os.environ.get("PUZZLEBASE_LOG"))
    app.wsgi_app = app.delivery = Delivery(app.wsgi_app, Shortcut(tables, asked.tag), log=log)  # type: ignore[method-assign]
    _add_puzzles(app, tables, asked.limits)
    _add_lookups(app, asked)
    _add_solutions(app, asked)
    _add_games(app, asked)
    _add_pictures(app)
    _add_table_answers(app, tables, asked)
    _add_health(app, tables)
    _add_docs(app, tables)
    for name, error in tables.warm().items():
        if error is not None:
            app.logger.error("%s: %s; %s", name, error, error.hint)
    return app


def _add_puzzles(app: APIFlask, tables: Tables, limits: SearchLimits) -> None:
    budget: catalog.BudgetAnswer = {"states": limits.states, "seconds": limits.seconds, "at_once": limits.at_once}
    stated: catalog.Limits = {
        "address": MAX_QUERY,
        "body": MAX_BODY,
        "body_seconds": BODY_SECONDS,
        "state": MAX_STATE,
        "batch": MAX_BATCH,
        "answer_seconds": ANSWER_SECONDS,
        "budget": budget,
    }

    @app.get("/v1")
    @app.input(NoFields, location="query", arg_name="_fields")
    @app.output(Service)
    @app.doc(summary="The service", description="Version, limits, and the families of puzzles with their names.")
    def service(_fields: NoFields) -> Response:
        return responses.json(catalog.service(VERSION, stated))

    @app.get("/v1/puzzles")
    @app.input(NoFields, location="query", arg_name="_fields")
    @app.output(Puzzles)
    @app.doc(
        summary="Puzzles", description="Every puzzle that has a table, layers or an oracle, and others worth naming."
    )
    def puzzle_list(_fields: NoFields) -> Response:
        return responses.json(catalog.puzzle_list(tables))

    @app.get("/v1/puzzles/<name>")
    @app.input(GoalFields, location="query", arg_name="fields")
    @app.output(About)
    @app.doc(summary="A puzzle", description="Moves, goals, notation and the table of a puzzle.", responses=[404])
    def about(name: str, fields: GoalFields) -> Response:
        puzzle = find(name)
        return responses.json(catalog.about(tables, puzzle, puzzle.goal(fields.goal)))


def _add_lookups(app: APIFlask, asked: Answering) -> None:
    @app.get("/v1/puzzles/<name>/lookup")
    @app.input(StateFields, location="query", arg_name="fields")
    @app.output(Lookup)
    @app.doc(
        summary="Lookup",
        description="How far a state is from solved, and every move, best first.",
        responses=[304, *_SEARCH_AND_STATE],
    )
    def lookup(name: str, fields: StateFields) -> Response:
        return asked.one(name, fields, lambda source: lookups.lookup(source, fields.state))

    @app.post("/v1/puzzles/<name>/lookup")
    @app.input(BatchFields, location="json", arg_name="fields")
    @app.output(Batch)
    @app.doc(
        summary="Lookups",
        description="Many lookups at once; a state that is wrong spoils only its own entry.",
        responses=_SEARCH,
    )
    def lookup_batch(name: str, fields: BatchFields) -> Response:
        states = _bounded(fields.states)
        return asked.many(name, fields, lambda source: batches.lookup_batch(source, states, moves=fields.moves))


def _add_solutions(app: APIFlask, asked: Answering) -> None:
    def solved(source: Source, fields: SolveFields) -> solutions.SolveAnswer:
        return solutions.solve(
            source,
            fields.state,
            states=fields.states,
            every=fields.all,
            offset=fields.offset,
            limit=fields.limit,
        )

    @app.get("/v1/puzzles/<name>/solve")
    @app.input(SolveFields, location="query", arg_name="fields")
    @app.output(Solution)
    @app.doc(
        summary="Solve",
        description="A shortest solution, or many and how many there are.",
        responses=[304, *_SEARCH_AND_STATE],
    )
    def solve(name: str, fields: SolveFields) -> Response:
        return asked.one(name, fields, lambda source: solved(source, fields))

    @app.post("/v1/puzzles/<name>/solve")
    @app.input(SolveBodyFields, location="json", arg_name="fields")
    @app.output(Solution)
    @app.doc(
        summary="Solve", description="A shortest solution, or many and how many there are.", responses=_SEARCH_AND_STATE
    )
    def solve_posted(name: str, fields: SolveBodyFields) -> Response:
        return asked.one(name, fields, lambda source: solved(source, fields))

    @app.get("/v1/puzzles/<name>/hint")
    @app.input(HintFields, location="query", arg_name="fields")
    @app.output(Hint)
    @app.doc(summary="Hint", description="Help in four steps.", responses=[304, *_SEARCH_AND_STATE])
    def hint(name: str, fields: HintFields) -> Response:
        return asked.one(name, fields, lambda source: hints.hint(source, fields.state, fields.level))

    @app.post("/v1/puzzles/<name>/hint")
    @app.input(HintBodyFields, location="json", arg_name="fields")
    @app.output(Hint)
    @app.doc(summary="Hint", description="Help in four steps.", responses=_SEARCH_AND_STATE)
    def hint_posted(name: str, fields: HintBodyFields) -> Response:
        return asked.one(name, fields, lambda source: hints.hint(source, fields.state, fields.level))


def _add_games(app: APIFlask, asked: Answering) -> None:
    @app.post("/v1/puzzles/<name>/grade")
    @app.input(GradeFields, location="json", arg_name="fields")
    @app.output(Grade)
    @app.doc(
        summary="Grade",
        description="What a player's game was worth: legal, solved, stars, the first mistake.",
        responses=_SEARCH_AND_STATE,
    )
    def grade(name: str, fields: GradeFields) -> Response:
        moves = None if fields.moves is None else _bounded(fields.moves)
        states = None if fields.states is None else _bounded(fields.states)
        grades.check_stars(fields.stars)

        def graded(source: Source) -> grades.GradeAnswer:
            return grades.grade(source, fields.state, moves=moves, states=states, stars=fields.stars)

        return asked.one(name, fields, graded)


def _add_pictures(app: APIFlask) -> None:
    @app.get("/v1/puzzles/<name>/picture")
    @app.input(PictureFields, location="query", arg_name="fields")
    @app.doc(summary="Picture", description="A state drawn as SVG.", responses=_DRAWING)
    def picture(name: str, fields: PictureFields) -> Response:
        tag = f"{VERSION}-picture"
        puzzle = find(name)
        puzzle.goal(fields.goal)
        pictures.styled(puzzle, fields.style)
        puzzle.parse(fields.state)  # what is no state has no picture that a caller could have
        if responses.known(tag):
            return responses.tagged(tag, Response(status=304))
        drawn = pictures.drawn(puzzle, fields.state, fields.style)
        return responses.tagged(tag, Response(drawn, mimetype="image/svg+xml"))


def _add_table_answers(app: APIFlask, tables: Tables, asked: Answering) -> None:
    @app.get("/v1/puzzles/<name>/random")
    @app.input(RandomFields, location="query", arg_name="fields")
    @app.output(Random)
    @app.doc(
        summary="Random",
        description="A random state as hard as wanted, with a scramble that leads to it.",
        responses=[304, *_TABLE],
    )
    def random(name: str, fields: RandomFields) -> Response:
        key = random_states.key(seed=fields.seed, day=fields.daily)
        low, high = (fields.min, fields.max) if fields.distance is None else (fields.distance, fields.distance)

        if (low, high, fields.percentile) != (None, None, None):
            tables.get(name, fields.goal)  # only a table tells which states are how far

        def drawn(source: Source) -> random_states.RandomAnswer:
            return random_states.random(
                source, min_distance=low, max_distance=high, percentile=fields.percentile, key=key
            )

        return asked.one(name, fields, drawn, kept=key is not None)

    @app.get("/v1/puzzles/<name>/histogram")
    @app.input(GoalFields, location="query", arg_name="fields")
    @app.output(Histogram)
    @app.doc(summary="Histogram", description="How many states lie at each distance.", responses=[304, *_TABLE])
    def histogram(name: str, fields: GoalFields) -> Response:
        source = tables.get(name, fields.goal)
        return responses.exact(asked.tag(source), lambda: whole_tables.histogram(source))

    @app.get("/v1/puzzles/<name>/antipodes")
    @app.input(PageFields, location="query", arg_name="fields")
    @app.output(Antipodes)
    @app.doc(
        summary="Antipodes", description="The states farthest from solved, a page at a time.", responses=[304, *_TABLE]
    )
    def antipodes(name: str, fields: PageFields) -> Response:
        source = tables.get(name, fields.goal)
        return responses.exact(asked.tag(source), lambda: whole_tables.antipodes(source, fields.offset, fields.limit))


def _add_health(app: APIFlask, tables: Tables) -> None:
    @app.get("/healthz")
    @app.input(NoFields, location="query", arg_name="_fields")
    @app.output(Alive)
    @app.doc(summary="Alive", description="Answers once lookups can.")
    def healthz(_fields: NoFields) -> Response:
        return responses.json(catalog.HEALTH)

    @app.get("/readyz")
    @app.input(NoFields, location="query", arg_name="_fields")
    @app.output(Readiness)
    @app.doc(
        summary="Ready",
        description="Which tables, layers and data of oracles answer, and which are damaged; 503 while none does.",
        responses=_NOT_READY,
    )
    def readyz(_fields: NoFields) -> Response:
        body = catalog.readiness(tables)
        response = responses.json(body, status=200 if body["ready"] else 503)
        if not body["ready"]:
            response.headers.add("Retry-After", RETRY)
        return response

    @app.get("/metrics")
    @app.input(NoFields, location="query", arg_name="_fields")
    @app.doc(
        summary="Metrics",
        description="Requests, their latency, blocks and searches, counted over all processes, for Prometheus.",
        responses=_METRICS,
    )
    def scrape(_fields: NoFields) -> Response:
        return Response(metrics.scrape(), content_type=metrics.CONTENT_TYPE)


def _add_docs(app: APIFlask, tables: Tables) -> None:
    app.spec_processor(openapi.complete)
    examples = page.Examples(tables)

    @cache
    def reference() -> page.Reference:
        return page.reference(app.spec)  # made anew at every look, which takes 100 milliseconds and more

    @app.get("/docs")
    @app.doc(hide=True)
    def docs() -> str:
        scheme = "https" if request.headers.get("X-Forwarded-Proto") == "https" else request.scheme
        return render_template(
            "docs.html",
            version=VERSION,
            base=f"{scheme}://{request.host}/",
            reference=reference(),
            kinds=problems.EVERY_KIND,
            families=families(),
            examples=examples.now(),
            always=page.ALWAYS,
        )

    @app.get("/")
    @app.doc(hide=True)
    def root() -> AnyResponse:
        return redirect("/docs")


def _bounded(entries: list[str]) -> list[str]:
    """The list, unless it is longer than a request may ask for."""
    if len(entries) > MAX_BATCH:
        raise problems.TooLarge(f"{len(entries):,} entries are too many", f"send at most {MAX_BATCH:,} at a time")
    return entries
