"""The HTTP face. It holds no puzzle and no lookup: it reads a request, asks, and writes the answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import orjson
from apiflask import APIFlask, HTTPError
from flask import Response, redirect, render_template, request
from pydantic import BaseModel, ConfigDict, Field, RootModel, TypeAdapter
from werkzeug.wrappers import Response as AnyResponse

from db import DEFAULT_MEMORY
from puzzles import Puzzle, families, find
from service import answers, pictures, problems
from service.tables import OpenTable, Tables

VERSION = version("puzzlebase")
MAX_BODY = 1 << 20
_MAX_STATE = 4096
_CACHED = "public, max-age=86400"


_DRAWING: dict[int | str, dict[str, str | dict[str, dict[str, Any]]]] = {
    200: {"description": "The drawing", "content": {"image/svg+xml": {"schema": {"type": "string"}}}}
}


class _Fields(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NoFields(_Fields):
    """Nothing may be asked."""


class GoalFields(_Fields):
    """Which goal."""

    goal: Annotated[str | None, Field(max_length=_MAX_STATE, description="the goal's name; by default the first")] = (
        None
    )


class StateFields(GoalFields):
    """A state and a goal."""

    state: Annotated[
        str, Field(max_length=_MAX_STATE, description="the state, written as the notation of the puzzle tells")
    ]


class SolveFields(StateFields):
    """A state to solve."""

    states: Annotated[bool, Field(description="also give the states passed")] = False


class PageFields(GoalFields):
    """A page of a list."""

    offset: Annotated[int, Field(ge=0, le=2**53, description="how many to skip")] = 0
    limit: Annotated[int, Field(ge=1, le=10_000, description="how many to give")] = 100


class PictureFields(_Fields):
    """A state to draw."""

    state: Annotated[str, Field(max_length=_MAX_STATE, description="the state")]


class Lookup(RootModel[answers.LookupAnswer]):
    """The body of a lookup."""


class Solution(RootModel[answers.SolveAnswer]):
    """The body of a solution."""


class Histogram(RootModel[answers.Histogram]):
    """The body of a histogram."""


class Antipodes(RootModel[answers.Antipodes]):
    """The body of a page of antipodes."""


class Puzzles(RootModel[answers.Puzzles]):
    """The body of the list of puzzles."""


class Service(RootModel[answers.Service]):
    """The body of the service's description."""


class Readiness(RootModel[answers.Readiness]):
    """The body of readiness."""


class About(RootModel[answers.PuzzleAnswer]):
    """The body of a puzzle's description."""


def create_app(data: Path | None = None, memory: int | None = None) -> APIFlask:
    """The service over a folder of tables, by default PUZZLEBASE_DATA or data/, every table opened once."""
    folder = data or Path(os.environ.get("PUZZLEBASE_DATA", "data"))
    tables = Tables(folder, memory or int(os.environ.get("PUZZLEBASE_MEMORY", DEFAULT_MEMORY)))
    app = APIFlask("service", title="Puzzlebase", version=VERSION, docs_path=None, spec_path="/openapi.json")
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BODY,
        VALIDATION_ERROR_STATUS_CODE=400,
        AUTO_VALIDATION_ERROR_RESPONSE=False,
        AUTO_404_RESPONSE=False,
        DESCRIPTION="Exact distances and best moves of puzzles.",
        OPENAPI_VERSION="3.1.0",
    )
    _add_errors(app)
    _add_puzzles(app, tables)
    _add_state_answers(app, tables)
    _add_table_answers(app, tables)
    _add_health(app, tables)
    _add_docs(app)
    tables.warm()
    return app


def _add_puzzles(app: APIFlask, tables: Tables) -> None:
    @app.get("/v1")
    @app.input(NoFields, location="query", arg_name="_fields")
    @app.output(Service)
    @app.doc(summary="The service", description="Version, limits, and the families of puzzles with their names.")
    def service(_fields: NoFields) -> Response:
        return _json(answers.service(VERSION, MAX_BODY))

    @app.get("/v1/puzzles")
    @app.input(NoFields, location="query", arg_name="_fields")
    @app.output(Puzzles)
    @app.doc(summary="Puzzles", description="Every puzzle that has a table, and every one worth naming.")
    def puzzle_list(_fields: NoFields) -> Response:
        return _json(answers.puzzle_list(tables))

    @app.get("/v1/puzzles/<name>")
    @app.input(GoalFields, location="query", arg_name="fields")
    @app.output(About)
    @app.doc(summary="A puzzle", description="Moves, goals, notation and the table of a puzzle.")
    def about(name: str, fields: GoalFields) -> Response:
        puzzle = find(name)
        return _json(answers.about(tables, puzzle, puzzle.goal(fields.goal)))


def _add_state_answers(app: APIFlask, tables: Tables) -> None:
    @app.get("/v1/puzzles/<name>/lookup")
    @app.input(StateFields, location="query", arg_name="fields")
    @app.output(Lookup)
    @app.doc(summary="Lookup", description="How far a state is from solved, and every move, best first.")
    def lookup(name: str, fields: StateFields) -> Response:
        opened = _open(tables, name, fields.goal)
        return _exact(opened, lambda: answers.lookup(opened, fields.state))

    @app.get("/v1/puzzles/<name>/solve")
    @app.input(SolveFields, location="query", arg_name="fields")
    @app.output(Solution)
    @app.doc(summary="Solve", description="A shortest solution of a state.")
    def solve(name: str, fields: SolveFields) -> Response:
        opened = _open(tables, name, fields.goal)
        return _exact(opened, lambda: answers.solve(opened, fields.state, states=fields.states))

    @app.post("/v1/puzzles/<name>/solve")
    @app.input(SolveFields, location="json", arg_name="fields")
    @app.output(Solution)
    @app.doc(summary="Solve", description="A shortest solution of a state.")
    def solve_posted(name: str, fields: SolveFields) -> Response:
        return _json(answers.solve(_open(tables, name, fields.goal), fields.state, states=fields.states))

    @app.get("/v1/puzzles/<name>/picture")
    @app.input(PictureFields, location="query", arg_name="fields")
    @app.doc(
        summary="Picture",
        description="A state drawn as SVG.",
        responses=_DRAWING,
    )
    def picture(name: str, fields: PictureFields) -> Response:
        puzzle = find(name)
        drawn = pictures.svg(puzzle.picture(fields.state), f"{puzzle.title}: {fields.state}")
        return Response(drawn, mimetype="image/svg+xml", headers={"Cache-Control": _CACHED})


def _add_table_answers(app: APIFlask, tables: Tables) -> None:
    @app.get("/v1/puzzles/<name>/histogram")
    @app.input(GoalFields, location="query", arg_name="fields")
    @app.output(Histogram)
    @app.doc(summary="Histogram", description="How many states lie at each distance.")
    def histogram(name: str, fields: GoalFields) -> Response:
        opened = _open(tables, name, fields.goal)
        return _exact(opened, lambda: answers.histogram(opened))

    @app.get("/v1/puzzles/<name>/antipodes")
    @app.input(PageFields, location="query", arg_name="fields")
    @app.output(Antipodes)
    @app.doc(summary="Antipodes", description="The states farthest from solved, a page at a time.")
    def antipodes(name: str, fields: PageFields) -> Response:
        opened = _open(tables, name, fields.goal)
        return _exact(opened, lambda: answers.antipodes(opened, fields.offset, fields.limit))


def _add_health(app: APIFlask, tables: Tables) -> None:
    @app.get("/healthz")
    @app.doc(summary="Alive", description="Answers once lookups can.")
    def healthz() -> Response:
        return _json({"status": "ok"})

    @app.get("/readyz")
    @app.output(Readiness)
    @app.doc(summary="Ready", description="Which tables answer, and which are damaged; 503 while none answers.")
    def readyz() -> Response:
        body = answers.readiness(tables)
        return _json(body, status=200 if body["ready"] else 503)


def _add_docs(app: APIFlask) -> None:
    @app.spec_processor
    def with_problems(spec: Any) -> Any:
        """Every operation may answer with a problem, and says so."""
        schema = TypeAdapter(problems.Problem).json_schema()
        spec["components"]["schemas"]["Problem"] = schema
        content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
        for path in spec["paths"].values():
            for method in path.keys() & {"get", "post"}:
                path[method]["responses"]["default"] = {"description": "A problem", "content": content}
        return spec

    @app.get("/docs")
    @app.doc(hide=True)
    def docs() -> str:
        return render_template("docs.html", spec=app.spec, kinds=problems.EVERY_KIND, families=families())

    @app.get("/")
    @app.doc(hide=True)
    def root() -> AnyResponse:
        return redirect("/docs")


def _add_errors(app: APIFlask) -> None:
    def known(error: Exception) -> Response:
        problem = problems.problem_of(error)
        assert problem is not None
        if problem["status"] >= 500:
            app.logger.error("%s: %s", problem["title"], problem["detail"])
        return _problem(problem)

    for kind in problems.KINDS:
        app.register_error_handler(kind, known)

    @app.error_processor
    def http_error(error: HTTPError) -> Response:
        return _problem(_http_problem(error), dict(error.headers))


_BY_STATUS = {
    404: (problems.NO_ADDRESS, "/docs lists the addresses"),
    405: (problems.WRONG_METHOD, "the Allow header names the methods"),
    413: (problems.TOO_LARGE, f"send at most {MAX_BODY:,} bytes"),
    414: (problems.ADDRESS_TOO_LONG, "send a shorter address"),
    415: (problems.WRONG_TYPE, "send JSON as application/json"),
}


def _http_problem(error: HTTPError) -> problems.Problem:
    """The problem of an error that the framework found: a wrong field, a wrong address."""
    if isinstance(error.detail, Mapping) and error.detail:
        wrong = [
            f"{field}: {'; '.join(messages)}" for fields in error.detail.values() for field, messages in fields.items()
        ]
        return problems.problem(
            problems.INVALID_PARAMETER,
            ", ".join(wrong).replace("_schema: ", ""),
            "/docs lists the fields of each address",
        )
    kind, hint = _BY_STATUS.get(
        error.status_code,
        (problems.INVALID_PARAMETER, "/docs shows what is expected")
        if error.status_code < 500
        else (problems.UNEXPECTED, "try again; if it happens again, report it"),
    )
    return problems.problem(kind, f"{request.method} {request.path[:200]}: {error.message}", hint, error.status_code)


def _open(tables: Tables, name: str, goal: str | None) -> OpenTable:
    puzzle: Puzzle = find(name)
    return tables.get(puzzle, puzzle.goal(goal))


def _exact(opened: OpenTable, answer: Callable[[], object]) -> Response:
    """An answer that is good as long as the table is: tagged with its digest, and not made where it is known."""
    tag = f'"{VERSION}-{opened.table.file.digest[:32]}"'
    headers = {"ETag": tag, "Cache-Control": _CACHED}
    if request.headers.get("If-None-Match") == tag:
        return Response(status=304, headers=headers)
    return _json(answer(), headers=headers)


def _json(body: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(body), status=status, mimetype="application/json", headers=headers)


def _problem(problem: problems.Problem, headers: dict[str, Any] | None = None) -> Response:
    return Response(
        orjson.dumps(problem), status=problem["status"], mimetype="application/problem+json", headers=headers
    )
