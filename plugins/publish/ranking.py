"""Ranks as data: an automaton of texts, and for the color wheels the vertices of their orbits."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.publish.block_files import Values, deflate, inflate
from puzzlebase.plugins.publish.states import TextStates
from puzzlebase.puzzles import Indices, Signed
from puzzlebase.puzzles.families.wheels import FAMILY as WHEELS
from puzzlebase.puzzles.families.wheels.board import HALF_TURN, PLACES, rules_of, turn_of
from puzzlebase.puzzles.families.wheels.index import WheelIndex
from puzzlebase.puzzles.machinery.automaton import (
    Automaton,
    Flags,
    States,
    Transitions,
    make_automaton,
)
from puzzlebase.service.sources.table import OpenTable

_UNPACKED = 1 << 26  # bytes of the largest automaton


@dataclass(frozen=True)
class Ranking:
    """The numbers of states, or of stored vertices, as JSON."""

    size: int
    data: dict[str, Any]
    distances: Values
    indices: Callable[[Indices], Indices] | None = (
        None  # by numbers; None if these are the stored table's
    )


def ranking_of(states: TextStates) -> Ranking:
    """The ranking of a puzzle: that of the color wheels, or that of all texts; raises NoForm."""
    source = states.source
    if source.puzzle.about.family == WHEELS.name:
        return _of_wheels(source)
    automaton, indices = states.ranked()

    def distances(first: int, end: int) -> Signed:
        return source.distances(indices(np.arange(first, end)))

    data = {"places": [*range(automaton.length)], **_automaton_data(automaton.transitions[:, :, 0])}
    return Ranking(automaton.size, data, distances, indices)


def _of_wheels(source: OpenTable) -> Ranking:
    """The ranking of color wheels, with the numbers of the stored table.

    An automaton numbers the letters' codes at `places`, edges and then corners. Of the first
    `alike` codes it sees only whether they are coloured; `named` are the places whose colours get
    the codes 1, 2, ... A vertex of an orbit is the least of the rows that it turns to, with its
    column.
    """
    rules, size = rules_of(source.puzzle.name), source.space.stored_size
    index = WheelIndex(rules)
    edges, corners = range(0, PLACES, 2), range(1, PLACES, 2)
    named = [*edges] if rules.interchangeable else []
    data = {
        "places": [*edges, *corners],
        "alike": len(named),
        "named": named,
        **_automaton_data(_joined(index)),
    }
    if not rules.sixths:
        rows = index.orbit_rows.representatives
        codes = index.codes_after(HALF_TURN) or range(len(index.letters))
        data["orbits"] = {
            "width": index.corners.size,
            # back, by wheel
            "turns": [[turn_of(wheel, -sixths % 6) for sixths in range(6)] for wheel in rows],
            "rows": [_packed(_bits(each, index.rows.size)) for each in rows.values()],
            # its source, and codes by former ones
            "half_turn": (HALF_TURN, [*codes]) if len(rows) == 1 else None,
        }
    return Ranking(size, data, source.table.range)


def _joined(index: WheelIndex) -> Transitions:
    """The next nodes of edges and then corners;
    the last edge leads to the first node of the corners.
    """
    edges, corners = (transitions[:, :, 0].astype(np.int64) for transitions in index.transitions)
    joined = np.full((len(edges) + len(corners), len(index.letters)), -1)
    joined[: len(edges), : edges.shape[1]] = edges
    joined[len(edges) :] = np.where(corners < 0, -1, corners + len(edges))
    return joined


def _automaton_data(follow: Transitions) -> dict[str, Any]:
    """Write the next node for each node and symbol,
    -1 if there is none; the numbers of paths follow from these.
    """
    return {"symbols": follow.shape[1], "next": _packed(np.maximum(follow, 0).astype("<u4"))}


def automaton_of_ranking(data: Mapping[str, Any]) -> Automaton:
    """The automaton of a published ranking, from its data; raises ValueError for anything else."""
    content = inflate(base64.b64decode(data["next"]), _UNPACKED)
    nodes = np.frombuffer(content, "<u4").astype(np.int64).reshape(-1, data["symbols"])

    def step(before: States) -> tuple[States, Flags]:
        after = nodes[before[:, 0] - 1]  # a state is the number of its node + 1
        return after[:, :, None] + 1, after > 0

    return make_automaton((1,), len(data["places"]), step)


def _bits(rows: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.uint8]:
    """A bit for each row, low bits first."""
    marks = np.zeros(count, np.uint8)
    marks[rows] = 1
    return np.packbits(marks, bitorder="little")


def _packed(array: npt.NDArray[Any]) -> str:
    """Deflate an array, and write it in letters."""
    return base64.b64encode(deflate(array.tobytes())).decode("ascii")
