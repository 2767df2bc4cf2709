"""What there is: the service, its puzzles, and the files that answer."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, NamedTuple

from pydantic import Field
from typing_extensions import TypedDict

from db import StoredLayers, TableError
from puzzles import Goal, NoSpace, Puzzle, families, find
from service.answers.answer import GoalName
from service.answers.whole_tables import _gods_number
from service.sources.folder import Tables
from service.sources.oracle import StoredOracle
from service.sources.table import OpenTable

Bytes = Annotated[int, Field(description="size of the file")]


Digest = Annotated[str, Field(description="equal builds have equal digests")]


class PuzzleSummary(TypedDict):
    """A line of the list of puzzles. Numbers of a puzzle without a table are null."""

    name: Annotated[str, Field(description="what addresses call it")]
    title: Annotated[str, Field(description="what people call it")]
    family: Annotated[str, Field(description="the family it belongs to")]
    states: Annotated[int | None, Field(description="how many states its table has")]
    gods_number: Annotated[int | None, Field(description="the greatest distance of any of them")]
    coverage: Annotated[
        str, Field(description="table: every state (or an oracle for them); layers: those nearest the goal; none")
    ]


class MoveName(TypedDict):
    """A move and the part of the puzzle it moves."""

    move: Annotated[str, Field(description="as players name it")]
    group: Annotated[str, Field(description="the part, as hints name it")]


class GoalSummary(TypedDict):
    """A goal and where play begins."""

    name: Annotated[str, Field(description="what `goal` may be")]
    start: Annotated[str, Field(description="the state where play begins")]


class NotationAnswer(TypedDict):
    """How states and moves are written."""

    state: Annotated[str, Field(description="how states are written, in words")]
    moves: Annotated[str, Field(description="how moves are written, in words")]
    examples: Annotated[list[str], Field(description="states to try")]


class CertificateAnswer(TypedDict):
    """What was checked of a table: every node and link of a graph."""

    graph: Annotated[str, Field(description="states, or orbits of states")]
    nodes: Annotated[int, Field(description="how many were checked: all")]
    links: Annotated[int, Field(description="moves between them that were checked: all")]


class TableAnswer(TypedDict):
    """A built table."""

    goal: GoalName
    encoding: Annotated[
        str, Field(description="what distances are stored of: states, or orbits of states; oracle: how to find them")
    ]
    bytes: Bytes
    digest: Digest
    built: Annotated[str | None, Field(description="when, ISO 8601")]
    certificates: Annotated[list[CertificateAnswer], Field(description="what proves its distances")]


class LayersAnswer(TypedDict):
    """Stored layers, which searches begin from where there is no table."""

    goal: GoalName
    encoding: Annotated[str, Field(description="whose indices are stored: those of states, or of orbits of states")]
    depth: Annotated[int, Field(description="every state at most so far from the goal is in them")]
    bytes: Bytes
    digest: Digest


class PuzzleAnswer(PuzzleSummary):
    """All about one puzzle; numbers, table and layers are those of the goal asked for, by default the first."""

    moves: Annotated[list[MoveName], Field(description="every move, in the order of equally good ones")]
    goals: Annotated[list[GoalSummary], Field(description="the default first")]
    notation: Annotated[NotationAnswer, Field(description="how to write its states and moves")]
    table: Annotated[
        TableAnswer | None, Field(description="its table, or the data of its oracle; null where there is none")
    ]
    layers: Annotated[
        LayersAnswer | None, Field(description="the layers stored around the goal; null where there are none")
    ]


class Puzzles(TypedDict):
    """Built tables and known puzzles."""

    puzzles: Annotated[list[PuzzleSummary], Field(description="family by family")]


class BudgetAnswer(TypedDict):
    """What the searches of a request may spend; max_states and max_seconds lower it."""

    states: Annotated[int, Field(description="states expanded")]
    seconds: Annotated[float, Field(description="time they take")]
    at_once: Annotated[int, Field(description="requests of one process that may search at a time; 503 beyond")]


class Limits(TypedDict):
    """How much a request may ask for."""

    address: Annotated[int, Field(description="characters of the fields in an address")]
    body: Annotated[int, Field(description="bytes of a request's body")]
    body_seconds: Annotated[float, Field(description="time in which the whole body has to come")]
    state: Annotated[int, Field(description="characters of a state, a move or a goal")]
    batch: Annotated[int, Field(description="states of a batch")]
    answer_seconds: Annotated[float, Field(description="time for an answer that is not searched for; 400 beyond")]
    budget: Annotated[BudgetAnswer, Field(description="what the searches of one request may spend")]


class FamilyAnswer(TypedDict):
    """A family of puzzles."""

    name: Annotated[str, Field(description="as its puzzles name it")]
    title: Annotated[str, Field(description="what people call it")]
    pattern: Annotated[str, Field(description="the names it answers to, for people")]
    members: Annotated[list[str], Field(description="names worth trying")]


class Service(TypedDict):
    """What this service is."""

    version: Annotated[str, Field(description="of the service")]
    limits: Annotated[Limits, Field(description="how much a request may ask for")]
    families: Annotated[list[FamilyAnswer], Field(description="every family of puzzles")]


class Health(TypedDict):
    """Whether the service answers."""

    status: Annotated[str, Field(description="ok")]


HEALTH: Health = {"status": "ok"}


class Damaged(TypedDict):
    """A file that cannot be used."""

    table: Annotated[str, Field(description="the name of the file, without .duckdb")]
    detail: Annotated[str, Field(description="what is wrong with it")]
    hint: Annotated[str, Field(description="what to do about it")]


class Readiness(TypedDict):
    """Which files answer."""

    ready: Annotated[bool, Field(description="whether any of them answers")]
    tables: Annotated[list[str], Field(description="tables, and NAME.layers and NAME.oracle for other files")]
    damaged: Annotated[list[Damaged], Field(description="files that do not answer, and why")]


def service(version: str, limits: Limits) -> Service:
    """What this service is."""
    return {
        "version": version,
        "limits": limits,
        "families": [
            {"name": family.name, "title": family.title, "pattern": family.template, "members": list(family.members)}
            for family in families()
        ],
    }


def readiness(tables: Tables) -> Readiness:
    """Which tables, layers and data of oracles answer, and which are damaged."""
    state = tables.warm()
    sound = [name for name, error in state.items() if error is None]
    damaged: list[Damaged] = [
        {"table": name, "detail": str(error), "hint": error.hint} for name, error in state.items() if error
    ]
    return {"ready": bool(sound), "tables": sound, "damaged": damaged}


def puzzle_list(tables: Tables) -> Puzzles:
    """Every puzzle that has a table, layers or an oracle, and every one worth naming."""
    listed = {name: find(name) for family in families() for name in family.members}
    listed |= {puzzle.name: puzzle for puzzle in tables.stored()}
    return {"puzzles": [_summary(_stored(tables, puzzle, puzzle.goal())) for puzzle in listed.values()]}


def about(tables: Tables, puzzle: Puzzle, goal: Goal) -> PuzzleAnswer:
    """All about one puzzle."""
    stored = _stored(tables, puzzle, goal)
    return {
        **_summary(stored),
        "moves": [{"move": move.name, "group": move.group} for move in puzzle.moves],
        "goals": [{"name": known.name, "start": known.start} for known in puzzle.goals],
        "notation": {
            "state": puzzle.notation.state,
            "moves": puzzle.notation.moves,
            "examples": list(puzzle.notation.examples),
        },
        "table": _table(stored.table) if stored.table else _oracle(stored.oracle, goal) if stored.oracle else None,
        "layers": _layers(stored.layers, goal) if stored.layers else None,
    }


def _oracle(stored: StoredOracle, goal: Goal) -> TableAnswer:
    return {
        "goal": goal.name,
        "encoding": "oracle",
        "bytes": stored.file.size,
        "digest": stored.file.digest,
        "built": stored.file.built.isoformat(timespec="seconds"),
        "certificates": [],
    }


def _layers(stored: StoredLayers, goal: Goal) -> LayersAnswer:
    info = stored.info
    return {
        "goal": goal.name,
        "encoding": info.stored,
        "depth": info.depth,
        "bytes": stored.file.size,
        "digest": stored.file.digest,
    }


def _table(source: OpenTable) -> TableAnswer:
    file = source.table.file
    steps = file.build_steps()
    return {
        "goal": source.goal.name,
        "encoding": file.info.stored,
        "bytes": file.size,
        "digest": file.digest,
        "built": steps[-1].built.isoformat(timespec="seconds") if steps else None,
        "certificates": [
            {"graph": proved.graph, "nodes": proved.nodes, "links": proved.links} for proved in file.certificates()
        ],
    }


class _Stored(NamedTuple):
    """What there is of a puzzle and a goal and can be used."""

    puzzle: Puzzle
    table: OpenTable | None
    oracle: StoredOracle | None
    layers: StoredLayers | None


def _summary(stored: _Stored) -> PuzzleSummary:
    puzzle, table = stored.puzzle, stored.table
    return {
        "name": puzzle.name,
        "title": puzzle.title,
        "family": puzzle.family,
        "states": table.table.info.states if table else None,
        "gods_number": _gods_number(table.table.info) if table else None,
        "coverage": "table" if table or stored.oracle else "layers" if stored.layers else "none",
    }


def _stored(tables: Tables, puzzle: Puzzle, goal: Goal) -> _Stored:
    table = oracle = layers = None
    with suppress(TableError, NoSpace):
        table = tables.get(puzzle.name, goal.name)
    with suppress(TableError):
        oracle = tables.oracle(puzzle.name)
    with suppress(TableError, NoSpace):
        layers = tables.layers(puzzle.name, goal.name)
    return _Stored(puzzle, table, oracle, layers)
