"""Orbits of the color wheels: a smaller graph with distances that give those of the states.

Glossary
    orbit       the six states that turns of one wheel alone lead to.
    kind        the number of a column map, as in a product form.
    half turn   a symmetry of the board that swaps the wheels.

Any turn of one wheel is one move, so the six states of an orbit are neighbours. The distance of
every state but the goal is therefore one more than the smaller minimum of its left and of its right
orbit. So the builder enumerates orbits. A vertex is a row's representative in its orbit with a
column; its moves lead to the other wheel's orbits of its six states. Where the half turn maps the
goal to itself, right orbits are left orbits of the state turned over, and half the vertices
suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import interpreted, kernel
from puzzlebase.puzzles.contract.space import (
    Arrays,
    Distances,
    Graph,
    Indices,
    Probe,
    ProductForm,
    SearchGraph,
    Signed,
    Space,
)
from puzzlebase.puzzles.machinery.smaller_graph import SmallerGraph


class SlotMap(NamedTuple):
    """The effect of a symmetry of the board on a column:
    slot j gets the symbol s of slot slots[j] as symbols[j][s].
    """

    slots: tuple[int, ...]
    symbols: tuple[tuple[int, ...], ...]

    def then(self, other: SlotMap) -> SlotMap:
        """Combine: this map, then the other."""
        pairs = zip(other.slots, other.symbols, strict=True)
        symbols = (tuple(new[symbol] for symbol in self.symbols[slot]) for slot, new in pairs)
        return SlotMap(tuple(self.slots[slot] for slot in other.slots), tuple(symbols))


class ColumnMaps:
    """The maps of columns by their numbers, the kinds of a product form; 0 is the identity.

    `sequences` are the symbols of every column,
    uint8[width, slots]; `rank` gives the columns of such sequences.
    """

    def __init__(
        self,
        sequences: npt.NDArray[np.uint8],
        symbols: int,
        rank: Callable[[npt.NDArray[np.uint8]], Indices],
    ) -> None:
        self._sequences, self._rank = sequences, rank
        slots = sequences.shape[1]
        self._starts = np.arange(0, slots * symbols, symbols, dtype=np.uint8)
        self._kinds = {SlotMap(tuple(range(slots)), (tuple(range(symbols)),) * slots): 0}

    def kind(self, found: SlotMap) -> int:
        """The number of a map, a new one for a new map."""
        return self._kinds.setdefault(found, len(self._kinds))

    def compose(
        self, first: npt.NDArray[np.int32], then: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.int32]:
        """The kinds of one map followed by another, element by element."""
        known = tuple(self._kinds)
        pairs, inverse = np.unique(np.stack([first, then]), axis=1, return_inverse=True)
        kinds = [self.kind(known[a].then(known[b])) for a, b in pairs.T.tolist()]
        return np.array(kinds, np.int32)[inverse.reshape(-1)]

    def columns(self, kinds: Sequence[int] | None = None) -> npt.NDArray[np.uint32]:
        """The maps of some kinds, by default of all:
        uint32[kinds, width]; slots and symbols are ranked once each.
        """
        moved = cache(lambda slots: self._rank(self._sequences[:, slots]))
        renamed = cache(
            lambda symbols: self._rank(
                np.ravel(symbols).astype(np.uint8)[self._sequences + self._starts]
            )
        )
        every = list(self._kinds)
        chosen = every if kinds is None else [every[kind] for kind in kinds]
        maps = np.empty((len(chosen), len(self._sequences)), np.uint32)
        for i, one in enumerate(chosen):
            maps[i] = renamed(one.symbols)[moved(one.slots)]
        return maps


class RowMap(NamedTuple):
    """The row that a symmetry of the board takes each row to, and the kind of its column map."""

    row: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int32]

    def then(self, other: RowMap, maps: ColumnMaps) -> RowMap:
        """Combine: this map, then the other."""
        return RowMap(other.row[self.row], maps.compose(self.kind, other.kind[self.row]))

    def at(self, rows: npt.NDArray[np.int64]) -> RowMap:
        """Restrict the map to some rows."""
        return RowMap(self.row[rows], self.kind[rows])


class OrbitRows:
    """The rows of the orbits' vertices, and the maps from states to them.

    A vertex is (representative row, column). The representative is the smallest of the orbit's
    rows, reached by the fewest sixths back. An orbit whose rows repeat has a vertex, with equal
    distances, for each of its states in that row.

    `spins` are each wheel's turns by 0 to 5 sixths,
    those of the left wheel alone where there is a half turn.
    """

    def __init__(
        self, spins: Mapping[str, Sequence[RowMap]], maps: ColumnMaps, half_turn: RowMap | None
    ) -> None:
        self._spins, self._maps = spins, maps
        # rows by wheel, in the order of the vertices' rows
        self.representatives: dict[str, npt.NDArray[np.int64]] = {}
        self._sixths: dict[str, npt.NDArray[np.int64]] = {}
        self._to_vertex: dict[str, RowMap] = {}
        self._count = 0
        for wheel, spin in spins.items():
            back = [spin[-sixths % 6] for sixths in range(6)]
            rows = np.stack([turn.row for turn in back])
            chosen, vertex = np.unique(rows.min(axis=0), return_inverse=True)
            self._sixths[wheel] = rows.argmin(axis=0)
            kinds = np.stack([turn.kind for turn in back])[
                self._sixths[wheel], np.arange(rows.shape[1])
            ]
            self.representatives[wheel] = chosen.astype(np.int64)
            self._to_vertex[wheel] = RowMap((self._count + vertex).astype(np.int32), kinds)
            self._count += len(chosen)
        if half_turn:
            self._to_vertex["R"] = half_turn.then(self._to_vertex["L"], maps)

    def vertex_tables(self) -> Arrays:
        """The vertices of the states' orbits, in the form that WheelOrbits takes."""
        row, kind = map(np.array, zip(self._to_vertex["L"], self._to_vertex["R"], strict=True))
        return {"node_row": row, "node_kind": kind, "node_rows": np.array(self._count)}

    def graph_tables(self) -> Arrays:
        """The moves of the vertices, for builders and searches only,
        in the form that WheelOrbits takes.
        """
        other, own = self._turned({"L": "R", "R": "L"}), self._turned({"L": "L", "R": "R"})
        return {
            f"{name}_{part}": array
            for name, form in {"link": other, "repeat": own, "state": self._states()}.items()
            for part, array in zip(("row", "kind", "map"), form.tables, strict=True)
        }

    def _turned(self, into: Mapping[str, str]) -> ProductForm:
        """Make move k of a vertex:
        turn its state by k sixths and go to the orbit of the wheel `into` names.
        """
        moves = []
        for sixths in range(6):
            sides = [
                spin[sixths]
                .at(self.representatives[wheel])
                .then(self._to_vertex[into[wheel]], self._maps)
                for wheel, spin in self._spins.items()
            ]
            moves.append(RowMap(*map(np.concatenate, zip(*sides, strict=True))))
        return self._form(moves)

    def _states(self) -> ProductForm:
        """Make move k of a left vertex:
        go to its state turned by k sixths, where that state leads back.
        """
        moves = []
        for sixths, turn in enumerate(self._spins["L"]):
            rows, kinds = turn.at(self.representatives["L"])
            row, kind = np.full(self._count, -1, np.int32), np.zeros(self._count, np.int32)
            kind[: len(rows)] = kinds
            here = np.flatnonzero(self._sixths["L"] == sixths)
            row[self._to_vertex["L"].row[here]] = here
            moves.append(RowMap(row, kind))
        return self._form(moves)

    def _form(self, moves: Sequence[RowMap]) -> ProductForm:
        used, kinds = np.unique(
            [0, *np.stack([move.kind for move in moves]).flat], return_inverse=True
        )
        return ProductForm(
            np.stack([move.row for move in moves]),
            kinds[1:].reshape(6, self._count).astype(np.int32),
            self._maps.columns(used.tolist()),
        )


@dataclass(frozen=True)
class WheelOrbits(SmallerGraph):
    """The orbits of states whose moves are five turns of the left wheel and five of the right one.

    `tables` are `vertex_tables` and the column maps of their kinds as `column_map`;
    `of_graph` makes `graph_tables`.
    """

    tables: Arrays
    of_graph: Callable[[], Arrays]

    offset = 1
    proof = "puzzlebase.builder.proofs:OfWheels"

    @cached_property
    def vertices(self) -> ProductForm:
        """An edge from each state to each of its two orbits."""
        return ProductForm(
            self.tables["node_row"], self.tables["node_kind"], self.tables["column_map"]
        )

    def size(self, space: Space) -> int:  # noqa: ARG002
        """The number of vertices."""
        return int(self.tables["node_rows"]) * self.vertices.width

    @cached_property
    def edges(self) -> ProductForm:
        """The edges between orbits that share a state."""
        return self._form("link")

    def states(self) -> ProductForm:
        """Make the edges back from vertices to states; one edge of one vertex leads to each state.

        A state has two vertices: if edge k of one leads to the state,
        edge k of `edges` leads to the other.
        """
        return self._form("state")

    def goal_vertices(self, space: Space) -> Indices:
        """The orbits of the neighbours of goal states that do not hold these,
        and those of the goal states.
        """
        with interpreted(always=len(space.goal_states) < 100):
            turned = space.expand(space.goal_states).reshape(2, 5)
            sides = [
                self.vertices.expand(np.append(turned[side], space.goal_states))[:, side]
                for side in range(2)
            ]
        return np.unique(sides)

    def searched(self, space: Space) -> SearchGraph:
        """The graph of the representatives."""
        graph, representatives = self.graph(space), self.representatives()

        def expand(vertices: Indices) -> Indices:
            successors = graph.expand(vertices)
            return representatives(successors.reshape(-1)).reshape(successors.shape)

        def vertices(states: Indices) -> Indices:
            return np.unique(representatives(self.vertices.expand(states).reshape(-1)))

        goal_states = np.unique(representatives(graph.goal_states))
        return SearchGraph(
            Graph(size=graph.size, expand=expand, goal_states=goal_states),
            vertices,
            representatives,
        )

    def representatives(self) -> Callable[[Indices], Indices]:
        """Make the map from vertices to the least one of those in one orbit."""
        repeats = self._form("repeat")
        repeated = (repeats.kind != 0).any(axis=0)

        def least_of(some: Indices) -> Indices:
            found = some.copy()
            several = np.flatnonzero(repeated[some // repeats.width] & (some >= 0))
            found[several] = repeats.expand(some[several]).min(axis=1)
            return found

        return least_of

    def distances(self, space: Space, states: Indices, probe: Probe) -> Distances:
        """One more than the least of both orbits; 0 at the goal."""
        vertices = self.vertices.expand(states)
        distances = np.empty(len(states), np.int32)
        _above_least(states, probe(vertices.reshape(-1)), space.goal_states, distances)
        return distances

    def of_vertices(self, rows: list[Signed], maps: list[npt.NDArray[np.uint32]]) -> Signed:
        """One more than the lesser of both, -1 if both are."""
        signed = np.result_type(*rows)
        unsigned = np.dtype(f"u{signed.itemsize}")  # in which -1 is the greatest
        values = [row.astype(signed, copy=False).view(unsigned) for row in rows]
        distances = np.empty(len(maps[0]), unsigned)
        _from_two_rows(values[0], maps[0], values[1], maps[1], np.iinfo(unsigned).max, distances)
        return distances.view(signed)

    def _form(self, name: str) -> ProductForm:
        made = self.of_graph()
        return ProductForm(*(made[f"{name}_{part}"] for part in ("row", "kind", "map")))


@kernel
def _from_two_rows(row, columns, other_row, other_columns, unreached, distances):  # type: ignore[no-untyped-def]
    """Read each distance once: for bytes it takes a third of the time of steps over whole rows."""
    for i in range(distances.shape[0]):
        value = min(row[columns[i]], other_row[other_columns[i]])
        distances[i] = value + (value != unreached)


@kernel
def _above_least(indices, values, goal_states, distances):  # type: ignore[no-untyped-def]
    """Write the distances of states, from those of their vertices, two for each."""
    for i in range(indices.shape[0]):
        one, other = values[2 * i], values[2 * i + 1]
        least = min(one, other)
        if least < 0:  # UNREACHED
            least = max(one, other)
        distances[i] = least + (least >= 0)
        if distances[i] == 1:
            for goal_state in goal_states:
                if indices[i] == goal_state:
                    distances[i] = 0
