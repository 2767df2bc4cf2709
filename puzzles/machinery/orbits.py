"""Orbits of the color wheels: the smaller graph from whose distances those of the states follow.

Glossary
    orbit       the six states that turns of one wheel alone lead to.
    kind        the number of a column map, as in a product form.
    half turn   a symmetry of the board that swaps the wheels.

Any turn of one wheel is one move, so the six states of an orbit are neighbours of one another. The
distance of every state but the goal is therefore one more than the smaller of two minima: that of
its left orbit and that of its right orbit. So the builder enumerates the orbits instead of the
states. A node is a row's representative in its orbit with a column, and its links lead to the other
wheel's orbits of its six states. Where the half turn maps the goal to itself, right orbits are left
orbits of the state turned over, and half the nodes suffice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles.contract.space import Graph, Indices, Orbits, ProductForm
from puzzlebase.puzzles.machinery.ranking_tables import Arrays


class _Map(Protocol):
    """What a symmetry of the board does to a column; equal ones are equal, so that they can be numbered."""

    def then(self, other: Self, /) -> Self: ...

    def __hash__(self) -> int: ...


_M = TypeVar("_M", bound=_Map)


class ColumnMaps(ABC, Generic[_M]):
    """The maps of columns in use by number, 0 the identity. The numbers are the kinds of a product form."""

    def __init__(self, identity: _M) -> None:
        self.kinds = {identity: 0}

    def kind(self, found: _M) -> int:
        """The number of a map, a new one for one not seen before."""
        return self.kinds.setdefault(found, len(self.kinds))

    def compose(self, first: npt.NDArray[np.int32], then: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """The kinds of doing one and then the other, element by element."""
        known = tuple(self.kinds)
        pairs, inverse = np.unique(np.stack([first, then]), axis=1, return_inverse=True)
        kinds = [self.kind(known[a].then(known[b])) for a, b in pairs.T.tolist()]
        return np.array(kinds, np.int32)[inverse.reshape(-1)]

    def chosen(self, kinds: list[int] | None) -> list[_M]:
        """The maps of these kinds, by default all."""
        every = list(self.kinds)
        return every if kinds is None else [every[kind] for kind in kinds]

    @abstractmethod
    def columns(self, kinds: list[int] | None = None) -> npt.NDArray[np.uint32]:
        """The maps of these kinds as arrays, by default of all: uint32[kinds, width]."""


@dataclass(frozen=True)
class Link:
    """Where a symmetry of the board takes each row: the target row, and the kind of its column map."""

    row: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int32]

    def then(self, other: Link, maps: ColumnMaps[Any]) -> Link:
        """Follow one and then the other."""
        return Link(other.row[self.row], maps.compose(self.kind, other.kind[self.row]))

    def at(self, rows: npt.NDArray[np.int64]) -> Link:
        """The same from these rows alone."""
        return Link(self.row[rows], self.kind[rows])


class OrbitRows:
    """The rows of the orbits' nodes, and how states lead to them.

    A node is (representative row, column). The representative is the smallest of the orbit's rows, reached by
    the fewest sixths back. An orbit whose rows repeat has several nodes, one for each of its states in that
    row; they have equal distances.

    `spins` are the links of each wheel's turns by 0 to 5 sixths, those of the left wheel alone where there is a half
    turn.
    """

    def __init__(self, spins: Mapping[str, Sequence[Link]], maps: ColumnMaps[Any], half_turn: Link | None) -> None:
        self._spins, self._maps = spins, maps
        self._representatives: dict[str, npt.NDArray[np.int64]] = {}
        self._sixths: dict[str, npt.NDArray[np.int64]] = {}
        self.to_node: dict[str, Link] = {}
        self.count = 0
        for wheel, spin in spins.items():
            back = [spin[-sixths % 6] for sixths in range(6)]
            rows = np.stack([link.row for link in back])
            chosen, node = np.unique(rows.min(axis=0), return_inverse=True)
            self._sixths[wheel] = rows.argmin(axis=0)
            kinds = np.stack([link.kind for link in back])[self._sixths[wheel], np.arange(rows.shape[1])]
            self._representatives[wheel] = chosen.astype(np.int64)
            self.to_node[wheel] = Link((self.count + node).astype(np.int32), kinds)
            self.count += len(chosen)
        if half_turn:
            self.to_node["R"] = half_turn.then(self.to_node["L"], maps)

    def product(self) -> ProductForm:
        """Link k of a node turns its state by k sixths and goes to the other wheel's orbit."""
        return self._turned({"L": "R", "R": "L"})

    def repeats(self) -> ProductForm:
        """Link k of a node turns its state by k sixths and goes to its own orbit: to another node if a row repeats."""
        return self._turned({"L": "L", "R": "R"})

    def states(self) -> ProductForm:
        """Link k of a left node leads to its state turned by k sixths, where that state leads to this node."""
        nodes, wheel = self.to_node["L"], "L"
        links = []
        for sixths in range(6):
            link = self._spins[wheel][sixths].at(self._representatives[wheel])
            row, kind = np.full(self.count, -1, np.int32), np.zeros(self.count, np.int32)
            kind[: len(link.row)] = link.kind
            here = np.flatnonzero(self._sixths[wheel] == sixths)
            row[nodes.row[here]] = here
            links.append(Link(row, kind))
        return self._form(links)

    def _turned(self, into: dict[str, str]) -> ProductForm:
        links = []
        for sixths in range(6):
            sides = [
                spin[sixths].at(self._representatives[wheel]).then(self.to_node[into[wheel]], self._maps)
                for wheel, spin in self._spins.items()
            ]
            links.append(
                Link(np.concatenate([side.row for side in sides]), np.concatenate([side.kind for side in sides]))
            )
        return self._form(links)

    def _form(self, links: Sequence[Link]) -> ProductForm:
        used, kinds = np.unique([0, *np.stack([link.kind for link in links]).flat], return_inverse=True)
        return ProductForm(
            np.stack([link.row for link in links]),
            kinds[1:].reshape(6, self.count).astype(np.int32),
            self._maps.columns(used.tolist()),
        )


def node_tables(rows: OrbitRows) -> Arrays:
    """The links from states to their orbits' nodes, as `orbits_of` takes them."""
    nodes = rows.to_node["L"], rows.to_node["R"]
    return {
        "node_row": np.array([link.row for link in nodes]),
        "node_kind": np.array([link.kind for link in nodes]),
        "node_rows": np.array(rows.count),
    }


def graph_tables(rows: OrbitRows) -> Arrays:
    """The links of the orbits' nodes, which only builders and searches need, as `orbits_of` takes them."""
    forms = {"link": rows.product(), "repeat": rows.repeats(), "state": rows.states()}
    return {
        f"{name}_{part}": array
        for name, form in forms.items()
        for part, array in zip(("row", "kind", "map"), form.tables, strict=True)
    }


def orbits_of(tables: Arrays, states: ProductForm, goal_states: Indices, of_graph: Callable[[], Arrays]) -> Orbits:
    """The orbits of states whose moves are five turns of the left wheel and five of the right one.

    `tables` are those of `node_tables`, with the column maps of their kinds as `column_map`; `of_graph` makes those of
    `graph_tables`.
    """
    nodes = ProductForm(tables["node_row"], tables["node_kind"], tables["column_map"])
    size = int(tables["node_rows"]) * nodes.width

    def form(name: str) -> ProductForm:
        made = of_graph()
        return ProductForm(*(made[f"{name}_{part}"] for part in ("row", "kind", "map")))

    def graph() -> Graph:
        product = form("link")
        turned = states.expand(goal_states).reshape(2, 5)
        start = [nodes.expand(np.append(turned[side], goal_states))[:, side] for side in range(2)]
        return Graph(size=size, expand=product.expand, goal_states=np.unique(start), product=lambda: product)

    def least() -> Callable[[Indices], Indices]:
        repeats = form("repeat")
        repeated = (repeats.kind != 0).any(axis=0)

        def least_of(some: Indices) -> Indices:
            found = some.copy()
            several = np.flatnonzero(repeated[some // nodes.width] & (some >= 0))
            found[several] = repeats.expand(some[several]).min(axis=1)
            return found

        return least_of

    return Orbits(size=size, nodes=nodes, graph=graph, representatives=least, states=lambda: form("state"))
