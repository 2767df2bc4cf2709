"""Answers: what is returned for a question, as plain dictionaries whose fields are documented here.

Nothing here knows HTTP; the command line prints the same objects.
"""

from __future__ import annotations

from contextlib import suppress
from math import inf
from typing import Annotated, NamedTuple, NotRequired

import numpy as np
from pydantic import Field
from typing_extensions import TypedDict

from db import ANTIPODES_KEPT, StoredLayers, TableError, TableInfo
from puzzles import Goal, Indices, NoSpace, Puzzle, families, find
from service.oracles import StoredOracle
from service.problems import Problem
from service.sources import UNKNOWN, Source
from service.tables import OpenTable, Tables

MAX_BATCH = 10_000
"""States of a batch, moves of a game, moves of a page of a solution."""

Text = Annotated[str, Field(description="a state, in the caller's own letters")]
PuzzleName = Annotated[str, Field(description="the puzzle's name")]
GoalName = Annotated[str, Field(description="the goal's name")]
Bytes = Annotated[int, Field(description="size of the file")]
Digest = Annotated[str, Field(description="equal builds have equal digests")]
Distance = Annotated[
    int | None, Field(description="fewest moves to the goal; null where it cannot be reached, or is not known")
]


class Answer(TypedDict):
    """What every answer about a state has."""

    puzzle: PuzzleName
    goal: GoalName
    state: Text
    solvable: Annotated[
        bool | None, Field(description="whether the goal can be reached; null where a search ended without knowing")
    ]
    distance: Distance
    exact: Annotated[
        bool, Field(description="whether distance is proven; false where a search ended at its budget: see lower_bound")
    ]
    lower_bound: Annotated[int | None, Field(description="proven: no solution is shorter")]
    upper_bound: Annotated[int | None, Field(description="proven: a solution of this length exists")]
    source: Annotated[str, Field(description="where it comes from: table (or an oracle, as exact), or search")]


class MoveAnswer(TypedDict):
    """A move and the state it leads to. A search need not know the distance behind a move that is not optimal."""

    move: Annotated[str, Field(description="as players name it")]
    state: Text
    distance: Distance
    delta: Annotated[int | None, Field(description="change of distance: -1 is best; null where not known")]
    optimal: Annotated[
        bool | None, Field(description="whether it begins a shortest solution; null where that is not known")
    ]


class LookupAnswer(Answer):
    """A state's distance and its moves."""

    moves: Annotated[list[MoveAnswer], Field(description="every legal move, best first, then in the puzzle's order")]


class BatchProblem(TypedDict):
    """An entry of a batch that could not be looked up."""

    state: Text
    problem: Annotated[Problem, Field(description="what is wrong with it")]


class BatchLookup(Answer):
    """An entry of a batch."""

    moves: NotRequired[Annotated[list[MoveAnswer], Field(description="where asked for, as in a lookup")]]


class BatchAnswer(TypedDict):
    """Many lookups."""

    results: Annotated[list[BatchLookup | BatchProblem], Field(description="in the order of the states")]


class Histogram(TypedDict):
    """States by distance."""

    puzzle: PuzzleName
    goal: GoalName
    layers: Annotated[list[int], Field(description="how many states lie at distance 0, 1, 2, ...")]
    states: Annotated[
        int, Field(description="states of the space, those counted from which the goal cannot be reached")
    ]
    gods_number: Annotated[
        int | None, Field(description="the greatest distance; null where no state can reach the goal")
    ]
    mean: Annotated[float, Field(description="mean distance of the states that can be solved")]


class Antipodes(TypedDict):
    """States farthest from the goal."""

    puzzle: PuzzleName
    goal: GoalName
    distance: Annotated[int | None, Field(description="of each of them: the greatest that there is")]
    count: Annotated[int, Field(description=f"how many there are; at most {ANTIPODES_KEPT:,} are kept")]
    states: Annotated[list[str], Field(description="those of this page")]
    next: Annotated[int | None, Field(description="the offset of the next page; null on the last")]


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


def lookup(opened: Source, text: str) -> LookupAnswer:
    """Distance of a state and of all it can move to; raises as the puzzle's `parse` does."""
    index = opened.index(text)
    around, distances = opened.around(index)
    distance = distances.pop()
    names = opened.puzzle.moves
    states = opened.played(text, around[:-1]) if index >= 0 else opened.played_by_rules(text)
    nearest = sorted(range(len(names)), key=[to if to >= 0 else inf for to in distances].__getitem__)
    legal = [states[m] if index < 0 else around[m] >= 0 for m in range(len(names))]
    moves = [move_answer(names[m].name, states[m], distances[m], distance) for m in nearest if legal[m]]
    return {**common(opened, text, distance, index), "moves": moves}


def move_answer(move: str, state: str, distance: int, before: int) -> MoveAnswer:
    """A move to a state at `distance` from one at `before`, either UNREACHED or UNKNOWN where it is so."""
    known = distance >= 0
    return {
        "move": move,
        "state": state,
        "distance": distance if known else None,
        "delta": distance - before if known and before >= 0 else None,
        "optimal": None if before == UNKNOWN else 0 <= distance < before,
    }


def histogram(opened: OpenTable) -> Histogram:
    """How many states lie at each distance."""
    info = opened.table.info
    return {
        "puzzle": info.puzzle,
        "goal": opened.goal.name,
        "layers": list(info.layers),
        "states": info.states,
        "gods_number": _gods_number(info),
        "mean": sum(distance * states for distance, states in enumerate(info.layers)) / max(info.reachable, 1),
    }


def antipodes(opened: OpenTable, offset: int, limit: int) -> Antipodes:
    """A page of the states farthest from the goal; raises DamagedTable where the table says otherwise of them."""
    info = opened.table.info
    count = sum(info.layers[-1:])
    indices = np.array([index for index, _ in opened.table.file.antipodes(offset, limit)], np.int64)
    if len(indices) != min(limit, max(min(count, ANTIPODES_KEPT) - offset, 0)) or not _farthest(opened, indices):
        raise opened.table.file.damaged("has antipodes that are none")
    # Not the file's texts: goals that share a table may have letters of their own.
    states = [opened.puzzle.format(board) for board in opened.space.unrank(indices)] if len(indices) else []
    end = offset + len(states)
    return {
        "puzzle": info.puzzle,
        "goal": opened.goal.name,
        "distance": _gods_number(info),
        "count": count,
        "states": states,
        "next": end if states and end < min(count, ANTIPODES_KEPT) else None,
    }


def _gods_number(info: TableInfo) -> int | None:
    return info.gods_number if info.layers else None


def _farthest(opened: OpenTable, states: Indices) -> bool:
    """Whether these are indices of states at the greatest distance."""
    within = ((states >= 0) & (states < opened.space.size)).all()
    return bool(within and (opened.distances(states) == opened.table.info.gods_number).all())


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


def _table(opened: OpenTable) -> TableAnswer:
    file = opened.table.file
    steps = file.build_steps()
    return {
        "goal": opened.goal.name,
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


def common(opened: Source, text: str, distance: int, index: int = -1) -> Answer:
    """What every answer about a state has; `distance` is UNREACHED where there is no way.

    Where it is UNKNOWN, `index` tells which state the search has proven a bound of.
    """
    known = distance if distance >= 0 else None
    exact = distance != UNKNOWN
    return {
        "puzzle": opened.puzzle.name,
        "goal": opened.goal.name,
        "state": text,
        "solvable": known is not None if exact else opened.space.connected or None,
        "distance": known,
        "exact": exact,
        "lower_bound": known if exact else opened.lower_bound(index),
        "upper_bound": known,
        "source": opened.name,
    }
