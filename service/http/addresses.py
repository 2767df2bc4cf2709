"""Every address under /v1, and those for health and metrics: its fields, its answer, and who makes the answer."""

from __future__ import annotations

from typing import Any

from apiflask import APIFlask
from flask import Response
from pydantic import RootModel

from puzzlebase.puzzles import find
from puzzlebase.research.formulas.answer import FormulaAnswer
from puzzlebase.research.formulas.answer import formula as formula_answer
from puzzlebase.research.mixing.answer import MixingAnswer, mixing
from puzzlebase.service.answers import (
    batches,
    boards,
    catalog,
    grades,
    hints,
    lookups,
    pictures,
    random_states,
    random_turns,
    solutions,
    whole_tables,
)
from puzzlebase.service.answers.catalog import Limits
from puzzlebase.service.answers.limits import ANSWER_SECONDS, MAX_BATCH, MAX_STATE
from puzzlebase.service.error_status import TooLarge
from puzzlebase.service.exact_json import to_json
from puzzlebase.service.http import metrics
from puzzlebase.service.http.answer_json import json_response
from puzzlebase.service.http.connection.limits import BODY_SECONDS, MAX_BODY, MAX_QUERY
from puzzlebase.service.http.error_responses import RETRY_AFTER
from puzzlebase.service.http.fields import (
    BatchFields,
    BoardFields,
    FormulaFields,
    GoalFields,
    GradeFields,
    HintBodyFields,
    HintFields,
    MixingFields,
    NoFields,
    PageFields,
    PictureFields,
    RandomFields,
    SolveBodyFields,
    SolveFields,
    StateFields,
)
from puzzlebase.service.http.responses import Responder, exact
from puzzlebase.service.sources.budget import SearchLimits
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.pool import Searches
from puzzlebase.service.sources.source import Source
from puzzlebase.version import VERSION

# The statuses that an address may answer with beside 200 and those of every address; openapi.py describes them.
_DISTANCES = [404, 409, 422, 500, 503]
_KEPT = 304


def add_addresses(app: APIFlask, tables: Tables, limits: SearchLimits, searches: Searches) -> None:
    """Serve every address."""
    responder = Responder(tables, searches)
    _add_catalog(app, tables, limits)
    _add_formulas(app, tables)
    _add_lookups(app, responder)
    _add_solutions(app, responder)
    _add_grades(app, responder)
    _add_pictures(app)
    _add_random_states(app, tables, responder)
    _add_whole_tables(app, responder)
    _add_mixing(app, tables)
    _add_health(app, tables)
    _add_metrics(app)


def _add_catalog(app: APIFlask, tables: Tables, limits: SearchLimits) -> None:
    @app.get("/v1")
    @app.input(NoFields, location="query", arg_name="_fields")
    @app.output(RootModel[catalog.Service])
    @app.doc(summary="The service", description="Version, limits, and the families of puzzles with their names.")
    def service(_fields: NoFields) -> Response:
        return json_response(catalog.service(VERSION, _stated(limits)))

    @app.get("/v1/puzzles")
    @app.input(NoFields, location="query", arg_name="_fields")
    @app.output(RootModel[catalog.Puzzles])
    @app.doc(
        summary="Puzzles", description="Every puzzle that has a table, layers or an oracle, and others worth naming."
    )
    def puzzle_list(_fields: NoFields) -> Response:
        return json_response(catalog.puzzle_list(tables))

    @app.get("/v1/puzzles/<name>")
    @app.input(GoalFields, location="query", arg_name="fields")
    @app.output(RootModel[catalog.PuzzleAnswer])
    @app.doc(summary="A puzzle", description="The moves, goals, notation and table of a puzzle.", responses=[404, 422])
    def about(name: str, fields: GoalFields) -> Response:
        puzzle = find(name)
        return json_response(catalog.about(tables, puzzle, puzzle.goal(fields.goal)))


def _add_formulas(app: APIFlask, tables: Tables) -> None:
    @app.get("/v1/families/<family>/formula")
    @app.input(FormulaFields, location="query", arg_name="fields")
    @app.output(RootModel[FormulaAnswer])
    @app.doc(
        summary="Formulas",
        description="What solutions take for any size: by recurrence, by closed form and exactly.",
        responses=[404, 500],
    )
    def formula(family: str, fields: FormulaFields) -> Response:
        return json_response(formula_answer(tables, family, fields.variant, fields.disks))


def _add_lookups(app: APIFlask, responder: Responder) -> None:
    @app.get("/v1/puzzles/<name>/lookup")
    @app.input(StateFields, location="query", arg_name="fields")
    @app.output(RootModel[lookups.LookupAnswer])
    @app.doc(
        summary="Lookup",
        description="The distance of a state from the goal, and every move, best first.",
        responses=[_KEPT, *_DISTANCES],
    )
    def lookup(name: str, fields: StateFields) -> Response:
        return responder.one(name, fields, lambda source: lookups.lookup(source, fields.state))

    @app.post("/v1/puzzles/<name>/lookup")
    @app.input(BatchFields, location="json", arg_name="fields")
    @app.output(RootModel[batches.BatchAnswer])
    @app.doc(
        summary="Lookups",
        description="Many lookups in one request. A state that is wrong spoils only its own entry.",
        responses=_DISTANCES,
    )
    def lookup_batch(name: str, fields: BatchFields) -> Response:
        states = _bounded(fields.states)
        return responder.many(name, fields, lambda source: batches.lookup_batch(source, states, moves=fields.moves))


def _add_solutions(app: APIFlask, responder: Responder) -> None:
    solving = "A shortest solution, or several and how many there are."
    hinting = "Help in four levels, from the distance to the whole solution."

    def solved(name: str, fields: SolveFields) -> Response:
        def answer(source: Source) -> solutions.SolveAnswer:
            return solutions.solve(
                source,
                fields.state,
                states=fields.states,
                every=fields.all,
                offset=fields.offset,
                limit=fields.limit,
            )

        return responder.one(name, fields, answer)

    def hinted(name: str, fields: HintFields) -> Response:
        return responder.one(name, fields, lambda source: hints.hint(source, fields.state, fields.level))

    @app.get("/v1/puzzles/<name>/solve")
    @app.input(SolveFields, location="query", arg_name="fields")
    @app.output(RootModel[solutions.SolveAnswer])
    @app.doc(summary="Solve", description=solving, responses=[_KEPT, *_DISTANCES])
    def solve(name: str, fields: SolveFields) -> Response:
        return solved(name, fields)

    @app.post("/v1/puzzles/<name>/solve")
    @app.input(SolveBodyFields, location="json", arg_name="fields")
    @app.output(RootModel[solutions.SolveAnswer])
    @app.doc(summary="Solve", description=solving, responses=_DISTANCES)
    def solve_posted(name: str, fields: SolveBodyFields) -> Response:
        return solved(name, fields)

    @app.get("/v1/puzzles/<name>/hint")
    @app.input(HintFields, location="query", arg_name="fields")
    @app.output(RootModel[hints.HintAnswer])
    @app.doc(summary="Hint", description=hinting, responses=[_KEPT, *_DISTANCES])
    def hint(name: str, fields: HintFields) -> Response:
        return hinted(name, fields)

    @app.post("/v1/puzzles/<name>/hint")
    @app.input(HintBodyFields, location="json", arg_name="fields")
    @app.output(RootModel[hints.HintAnswer])
    @app.doc(summary="Hint", description=hinting, responses=_DISTANCES)
    def hint_posted(name: str, fields: HintBodyFields) -> Response:
        return hinted(name, fields)


def _add_grades(app: APIFlask, responder: Responder) -> None:
    @app.post("/v1/puzzles/<name>/grade")
    @app.input(GradeFields, location="json", arg_name="fields")
    @app.output(RootModel[grades.GradeAnswer])
    @app.doc(
        summary="Grade",
        description="The grade of a player's game: legal, solved, stars, the first mistake.",
        responses=_DISTANCES,
    )
    def grade(name: str, fields: GradeFields) -> Response:
        moves = None if fields.moves is None else _bounded(fields.moves)
        states = None if fields.states is None else _bounded(fields.states)
        grades.check_stars(fields.stars)

        def graded(source: Source) -> bytes:
            return to_json(grades.grade(source, fields.state, moves=moves, states=states, stars=fields.stars))

        return responder.many(name, fields, graded)


def _add_pictures(app: APIFlask) -> None:
    drawing: dict[int | str, Any] = {
        200: {"description": "The drawing", "content": {"image/svg+xml": {"schema": {"type": "string"}}}},
        _KEPT: "",
        404: "",
        422: "",
    }

    @app.get("/v1/puzzles/<name>/picture")
    @app.input(PictureFields, location="query", arg_name="fields")
    @app.doc(summary="Picture", description="A drawing of a state, as SVG.", responses=drawing)
    def picture(name: str, fields: PictureFields) -> Response:
        puzzle = find(name)
        goal = puzzle.goal(fields.goal)

        def drawn() -> Response:
            image = pictures.drawn(puzzle, goal, fields.state, style=fields.style, highlight=fields.highlight)
            return Response(image, mimetype="image/svg+xml")

        return exact(puzzle, "picture", drawn)

    @app.get("/v1/puzzles/<name>/board")
    @app.input(BoardFields, location="query", arg_name="fields")
    @app.output(RootModel[boards.BoardAnswer])
    @app.doc(
        summary="Board",
        description="Where the pieces of a state are, and what every legal move does to them.",
        responses=[_KEPT, 404, 422],
    )
    def board(name: str, fields: BoardFields) -> Response:
        puzzle = find(name)
        goal = puzzle.goal(fields.goal)
        return exact(puzzle, "board", lambda: json_response(boards.board(puzzle, goal, fields.state, fields.style)))


def _add_random_states(app: APIFlask, tables: Tables, responder: Responder) -> None:
    @app.get("/v1/puzzles/<name>/random")
    @app.input(RandomFields, location="query", arg_name="fields")
    @app.output(RootModel[random_states.RandomAnswer])
    @app.doc(
        summary="Random",
        description="A random state of the difficulty asked for, with a scramble that leads to it.",
        responses=[_KEPT, *_DISTANCES],
    )
    def random(name: str, fields: RandomFields) -> Response:
        key = random_states.key(seed=fields.seed, day=fields.day)
        low, high = (fields.min, fields.max) if fields.distance is None else (fields.distance, fields.distance)
        if (low, high, fields.percentile, fields.difficulty) != (None, None, None, None):
            tables.get(name, fields.goal)  # only a table knows which states are at a distance

        def drawn(source: Source) -> random_states.RandomAnswer:
            if fields.turns is not None:
                return random_turns.random_turns(source, fields.turns, fields.walk or "any", key)
            return random_states.random(
                source,
                min_distance=low,
                max_distance=high,
                percentile=fields.percentile,
                difficulty=fields.difficulty,
                key=key,
            )

        return responder.one(name, fields, drawn, repeatable=fields.repeatable)


def _add_whole_tables(app: APIFlask, responder: Responder) -> None:
    @app.get("/v1/puzzles/<name>/histogram")
    @app.input(GoalFields, location="query", arg_name="fields")
    @app.output(RootModel[whole_tables.Histogram])
    @app.doc(summary="Histogram", description="The number of states at each distance.", responses=[_KEPT, *_DISTANCES])
    def histogram(name: str, fields: GoalFields) -> Response:
        return responder.whole_table(name, fields, whole_tables.histogram)

    @app.get("/v1/puzzles/<name>/antipodes")
    @app.input(PageFields, location="query", arg_name="fields")
    @app.output(RootModel[whole_tables.Antipodes])
    @app.doc(
        summary="Antipodes",
        description="The states farthest from the goal, a page at a time.",
        responses=[_KEPT, *_DISTANCES],
    )
    def antipodes(name: str, fields: PageFields) -> Response:
        return responder.whole_table(
            name, fields, lambda source: whole_tables.antipodes(source, fields.offset, fields.limit)
        )


def _add_mixing(app: APIFlask, tables: Tables) -> None:
    @app.get("/v1/puzzles/<name>/mixing")
    @app.input(MixingFields, location="query", arg_name="fields")
    @app.output(RootModel[MixingAnswer])
    @app.doc(
        summary="Mixing",
        description="How well random turns mix a puzzle, exactly, from what puzzlebase mixing computed before.",
        responses=[_KEPT, *_DISTANCES],
    )
    def mixed(name: str, fields: MixingFields) -> Response:
        source = tables.get(name, fields.goal)
        found = mixing(source, fields.walk, fields.turns, fields.easier_than)
        return exact(source.puzzle, f"{source.origin.tag}-{len(found['turns'])}", lambda: json_response(found))


def _add_health(app: APIFlask, tables: Tables) -> None:
    not_ready: dict[int | str, Any] = {
        503: {
            "description": "No file answers",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Readiness"}}},
        }
    }

    @app.get("/healthz")
    @app.input(NoFields, location="query", arg_name="_fields")
    @app.output(RootModel[catalog.Health])
    @app.doc(summary="Alive", description="200 as soon as lookups are answered.")
    def healthz(_fields: NoFields) -> Response:
        return json_response(catalog.HEALTH)

    @app.get("/readyz")
    @app.input(NoFields, location="query", arg_name="_fields")
    @app.output(RootModel[catalog.Readiness])
    @app.doc(
        summary="Ready",
        description="Which tables, layers and data of oracles can be used, and which are damaged; 503 if none can.",
        responses=not_ready,
    )
    def readyz(_fields: NoFields) -> Response:
        body = catalog.readiness(tables)
        if body["ready"]:
            return json_response(body)
        response = json_response(body, status=503)
        response.headers.add("Retry-After", RETRY_AFTER)
        return response


def _add_metrics(app: APIFlask) -> None:
    scraped: dict[int | str, Any] = {
        200: {"description": "The metrics", "content": {"text/plain": {"schema": {"type": "string"}}}}
    }

    @app.get("/metrics")
    @app.input(NoFields, location="query", arg_name="_fields")
    @app.doc(
        summary="Metrics",
        description="Requests, their latency, blocks and searches, counted over all processes, for Prometheus.",
        responses=scraped,
    )
    def scrape(_fields: NoFields) -> Response:
        return Response(metrics.scrape(), content_type=metrics.CONTENT_TYPE)


def _bounded(entries: list[str]) -> list[str]:
    """The same list, if it is no longer than one request may send; else raises TooLarge."""
    if len(entries) > MAX_BATCH:
        raise TooLarge(f"{len(entries):,} entries are too many", f"send at most {MAX_BATCH:,} at a time")
    return entries


def _stated(searches: SearchLimits) -> Limits:
    """The limits of one request, as /v1 states them."""
    return {
        "address": MAX_QUERY,
        "body": MAX_BODY,
        "body_seconds": BODY_SECONDS,
        "state": MAX_STATE,
        "batch": MAX_BATCH,
        "answer_seconds": ANSWER_SECONDS,
        "budget": {"states": searches.states, "seconds": searches.seconds, "at_once": searches.at_once},
    }
