"""Color wheels (Douglas Engel): two intersecting wheels that share a corner, an edge and a corner.

Glossary
    place       0..20 in figure-8 order; even places are edges, odd places corners. The left wheel
                is 0..11 clockwise, the right wheel 9..20 anticlockwise; 9, 10, 11 are shared.
    code        a colour as a small integer. Where colours are interchangeable, code 0 is uncoloured
                and the coloured edges are named 1, 2, ... in order of their places, so that states
                equal up to renaming have one index.
    row         which arrangement the edges are in; column: which arrangement the corners are in.
    relabelling a permutation of corner slots and a renaming of codes: what a turn does to columns.
    orbit       the six states that turns of one wheel alone lead to.
    half turn   the picture turned upside down, which swaps the wheels: place i becomes 20 - i.

Any turn of one wheel is one move, so the six states of an orbit are neighbours of one another and
d = 1 + min(least of the left orbit, least of the right orbit) for every state but the goal. What is
enumerated is therefore the orbits: a node is a row's representative in its orbit with a column, and
its links lead to the other wheel's orbits of its six states. Where the half turn maps the goal to
itself, right orbits are left orbits of the state turned over, and half the nodes suffice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import pairwise
from math import cos, pi, sin, sqrt
from operator import itemgetter
from string import ascii_letters

import numpy as np
import numpy.typing as npt

from kernels import kernel
from puzzles._arrangements import Arrangements
from puzzles._puzzle import (
    Board,
    Cell,
    Family,
    Goal,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    Letters,
    Move,
    Notation,
    Picture,
    Published,
    Puzzle,
    shorten,
)
from puzzles._space import Boards, Graph, Indices, Orbits, ProductForm, Space

_PLACES = 21
_WHEELS = {"L": "left wheel", "R": "right wheel"}
_SIXTHS = {1: "", 2: "2", 3: "3", 4: "2'", 5: "'"}
_HALF_TURN = tuple(20 - place for place in range(_PLACES))
_UNCOLOURED = "."
_NAMES = "ABCDE"
_LETTERS = {*ascii_letters, _UNCOLOURED}


def _turn(wheel: str, sixths: int) -> tuple[int, ...]:
    """For each place, the place its new piece comes from."""
    source = list(range(_PLACES))
    for i in range(12):
        if wheel == "L":
            source[i] = (i - 2 * sixths) % 12
        else:
            source[9 + i] = 9 + (i + 2 * sixths) % 12
    return tuple(source)


@dataclass(frozen=True)
class _Wheels:
    """One puzzle of the family: its pieces, and whether its colours may be swapped for one another."""

    name: str
    solved: str
    interchangeable: bool
    published: Published
    colours: str

    @property
    def goal(self) -> Goal:
        return Goal("solved", (self.solved,), self.solved, self.published)


_JAAP = "Jaap Scherphuis's puzzle page"
_SOLVER = "the brute-force Avenger solver of 2016 (Stack Exchange)"

# fmt: off
_AVENGER_LAYERS = (
    1, 2, 10, 50, 234, 1121, 5401, 25546, 119475, 552577, 2377383, 8631662, 20629489, 18296107, 1751438, 304,
)
# fmt: on

_PUZZLES = {
    puzzle.name: puzzle
    for puzzle in (
        _Wheels(
            "novice",
            "BBBBBBBBBBBBRRRRRRRRR",
            False,
            Published(_JAAP, 97_020, 13),
            "one wheel's pieces blue (B), the rest red (R)",
        ),
        _Wheels(
            "challenger",
            "YYYYKGGGGGKYYYYYKGGGG",
            False,
            Published(_JAAP, 2_910_600, 13),
            "green (G) above, yellow (Y) below, three black edges (K) between",
        ),
        _Wheels(
            "avenger",
            ".AAA.BBB.CCC.DDD.EEE.",
            True,
            Published(
                _SOLVER,
                52_390_800,
                15,
                _AVENGER_LAYERS,
            ),
            "five colours, any letters, two corners and one edge each; six uncoloured edges (.)",
        ),
        _Wheels(
            "turnstile",
            ".AAA.BBB.CCC.DDD.EEE.",
            False,
            Published(_JAAP, 6_286_896_000),
            "five colours (A to E), two corners and one edge each; six uncoloured edges (.)",
        ),
    )
}


# The board side: text.


def _parse(wheels: _Wheels, text: str) -> Board:
    """The letters of a state, uint8[21]."""
    example = f"a state of {wheels.name} looks like {wheels.solved!r}: {wheels.colours}"
    if len(text) != _PLACES:
        raise InvalidState(f"{shorten(text)!r} has {len(text)} letters, not {_PLACES}", example)
    known = _LETTERS if wheels.interchangeable else set(wheels.solved)
    letters = set(text)
    if not letters <= known:
        place, letter = next((place, letter) for place, letter in enumerate(text) if letter not in known)
        raise InvalidState(f"{text!r} has an unknown letter {letter!r} at place {place}", example)
    if wheels.interchangeable:
        wanted = sorted(letters - {_UNCOLOURED})
        coloured = sorted(text[::2].replace(_UNCOLOURED, ""))
        right = len(wanted) == 5 and coloured == wanted and sorted(text[1::2]) == sorted(2 * wanted)
    else:
        right = all(sorted(text[part::2]) == sorted(wheels.solved[part::2]) for part in (0, 1))
    if not right:
        raise ImpossibleState(f"{text!r} does not have the pieces of {wheels.name}", example)
    return np.frombuffer(text.encode("ascii"), np.uint8)


def _format(board: Board) -> str:
    return board.tobytes().decode("ascii")


def _recoloured(text: str) -> str:
    """The same state with the colours A to E as they first appear."""
    named = dict(zip(dict.fromkeys(text.replace(_UNCOLOURED, "")), _NAMES, strict=True))
    return "".join(named.get(letter, letter) for letter in text)


def _play(turns: dict[str, Callable[[str], Iterable[str]]], text: str, move: str) -> str:
    try:
        turn = turns[move]
    except KeyError:
        raise IllegalMove(f"there is no move {shorten(move)!r}", f"moves are: {' '.join(turns)}") from None
    return "".join(turn(text))


# The picture: circles of radius 1 whose centres are sqrt 2 apart, so that on the rim corners and
# edges take 30 degrees each. A wheel is cut by the other wheel's circle, turned in steps of 60 degrees.

_RADIUS = 100.0
_PAINT = {"B": "#2f6fde", "R": "#d8433b", "G": "#2e9e4f", "Y": "#f2c230", "K": "#2b2b2b"}
_FIVE = ("#d8433b", "#2f6fde", "#f2c230", "#2e9e4f", "#9a4fc4")
_PLAIN = "#e9e6df"


def _picture(wheels: _Wheels, text: str) -> Picture:
    _parse(wheels, text)
    paint = dict(_PAINT)
    if _UNCOLOURED in text:
        paint = dict(zip(sorted(set(text) - {_UNCOLOURED}), _FIVE, strict=True)) | {_UNCOLOURED: _PLAIN}
    margin, apart = 10.0, sqrt(2) * _RADIUS
    cells = []
    for place, letter in enumerate(text):
        left = place < 12
        centre = complex(margin + _RADIUS + (0 if left else apart), margin + _RADIUS)
        # The lens's middle, place 10, is at angle 0 of the left wheel and at 180 of the right one.
        angle = (place - 10) * pi / 6 if left else pi - (place - 10) * pi / 6
        outline, middle = (_edge if place % 2 == 0 else _corner)(centre, angle)
        label = "" if letter == _UNCOLOURED else letter
        cells.append(Cell(str(place), outline, paint[letter], label, round(middle.real, 2), round(middle.imag, 2)))
    return Picture(2 * (margin + _RADIUS) + apart, 2 * (margin + _RADIUS), tuple(cells))


def _at(centre: complex, angle: float, distance: float) -> complex:
    return centre + _RADIUS * distance * complex(cos(angle), sin(angle))


def _outline(points: list[complex], sweeps: list[int]) -> str:
    """SVG path data through the points along arcs of the wheels' radius; sweep 1 bulges clockwise."""
    path = f"M{points[0].real:.2f} {points[0].imag:.2f}"
    for (_, to), sweep in zip(pairwise([*points, points[0]]), sweeps, strict=True):
        path += f"A{_RADIUS:g} {_RADIUS:g} 0 0 {sweep} {to.real:.2f} {to.imag:.2f}"
    return path + "Z"


_CROSSING = sqrt(1.5) - sqrt(0.5)
"""How far from a wheel's centre the two circles that bound a corner cross."""


def _corner(centre: complex, angle: float) -> tuple[str, complex]:
    rim = [_at(centre, angle + turn * pi / 12, 1) for turn in (-1, 1)]
    tip = _at(centre, angle, _CROSSING)
    return _outline([*rim, tip], [1, 0, 0]), _at(centre, angle, 0.82)


def _edge(centre: complex, angle: float) -> tuple[str, complex]:
    rim = [_at(centre, angle + turn * pi / 12, 1) for turn in (-1, 1)]
    inner = [_at(centre, angle + turn * pi / 6, _CROSSING) for turn in (1, -1)]
    return _outline([*rim, *inner], [1, 1, 0, 1]), _at(centre, angle, 0.68)


# The index side.


@dataclass(frozen=True)
class _Relabelling:
    """What a turn does to the corners: new slot j holds renaming[old slot slots[j]]."""

    slots: tuple[int, ...]
    renaming: tuple[int, ...]

    def then(self, other: _Relabelling) -> _Relabelling:
        return _Relabelling(
            tuple(self.slots[slot] for slot in other.slots),
            tuple(other.renaming[code] for code in self.renaming),
        )


class _ColumnMaps:
    """The relabellings in use, numbered; 0 is the identity. The numbers are a product form's kinds."""

    def __init__(self, corners: Arrangements) -> None:
        self.corners = corners
        self.kinds = {_Relabelling(tuple(range(corners.length)), tuple(range(len(corners.counts)))): 0}

    def kind(self, relabelling: _Relabelling) -> int:
        return self.kinds.setdefault(relabelling, len(self.kinds))

    def compose(self, first: npt.NDArray[np.int32], then: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Kinds of doing one and then the other, elementwise."""
        known = tuple(self.kinds)
        pairs, inverse = np.unique(np.stack([first, then]), axis=1, return_inverse=True)
        kinds = [self.kind(known[a].then(known[b])) for a, b in pairs.T.tolist()]
        return np.array(kinds, np.int32)[inverse.reshape(-1)]

    def columns(self, kinds: list[int] | None = None) -> npt.NDArray[np.uint32]:
        """The maps of these kinds, by default all: uint32[kinds, width].

        Slots first, then codes, each ranked once however many kinds share it.
        """
        sequences = self.corners.sequences
        moved = cache(lambda slots: self.corners.rank(sequences[:, slots]))
        renamed = cache(lambda renaming: self.corners.rank(np.array(renaming, np.uint8)[sequences]))
        every = tuple(self.kinds)
        chosen = every if kinds is None else [every[kind] for kind in kinds]
        maps = np.empty((len(chosen), self.corners.size), np.uint32)
        for i, relabelling in enumerate(chosen):
            maps[i] = renamed(relabelling.renaming)[moved(relabelling.slots)]
        return maps


@dataclass(frozen=True)
class _Link:
    """Where a symmetry of the board takes each row: the target row, and the kind of its column map."""

    row: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int32]

    def then(self, other: _Link, maps: _ColumnMaps) -> _Link:
        return _Link(other.row[self.row], maps.compose(self.kind, other.kind[self.row]))

    def at(self, rows: npt.NDArray[np.int64]) -> _Link:
        return _Link(self.row[rows], self.kind[rows])


class _Index:
    """Rows, columns and links of one puzzle: what its space and its orbits are made of."""

    def __init__(self, wheels: _Wheels) -> None:
        self.wheels = wheels
        letters = _UNCOLOURED + _NAMES if wheels.interchangeable else "".join(sorted(set(wheels.solved)))
        self.letters = np.frombuffer(letters.encode("ascii"), np.uint8)
        edges = tuple(wheels.solved[::2].count(letter) for letter in letters)
        self.corners = Arrangements(tuple(wheels.solved[1::2].count(letter) for letter in letters))
        if wheels.interchangeable:
            self.rows = Arrangements((edges[0], sum(edges[1:])))
            coloured = self.rows.sequences
            self.edges = (coloured * np.cumsum(coloured, axis=1, dtype=np.uint8)).astype(np.uint8)
        else:
            self.rows = Arrangements(edges)
            self.edges = self.rows.sequences
        self.maps = _ColumnMaps(self.corners)

    def link(self, source: tuple[int, ...], recolour: tuple[int, ...] | None = None) -> _Link:
        """The link of a permutation of the places, given as the place each new piece comes from."""
        slots = tuple((place - 1) // 2 for place in source[1::2])
        edges = self.edges[:, [place // 2 for place in source[::2]]]
        codes = len(self.letters)
        every = np.arange(len(edges))[:, None]
        if self.wheels.interchangeable:
            renaming = np.zeros((len(edges), codes), np.uint8)
            renaming[every, edges[edges > 0].reshape(len(edges), -1)] = np.arange(1, codes, dtype=np.uint8)
            rows = self.rows.rank(np.minimum(edges, 1))
        else:
            renaming = np.broadcast_to(np.array(recolour or range(codes), np.uint8), (len(edges), codes))
            rows = self.rows.rank(renaming[every, edges])
        kinds, inverse = np.unique(renaming, axis=0, return_inverse=True)
        numbers = [self.maps.kind(_Relabelling(slots, tuple(row))) for row in kinds.tolist()]
        return _Link(rows.astype(np.int32), np.array(numbers, np.int32)[inverse.reshape(-1)])

    @cached_property
    def half_turn(self) -> _Link | None:
        """The half turn, with the recolouring that maps the goal to itself; None where there is none."""
        solved, codes = self.wheels.solved, self.letters.tobytes().decode("ascii")
        if self.wheels.interchangeable:
            return self.link(_HALF_TURN)
        swap = dict(zip(solved[::-1], solved, strict=True))
        if any(swap[old] != new for old, new in zip(solved[::-1], solved, strict=True)):
            return None
        return self.link(_HALF_TURN, tuple(codes.index(swap[letter]) for letter in codes))

    @cached_property
    def codes(self) -> npt.NDArray[np.int8]:
        """The code of each letter: -1 if it cannot be, -2 if it is named when an edge first shows it."""
        codes = np.full(128, -1, np.int8)
        if self.wheels.interchangeable:
            codes[[letter for letter in range(128) if chr(letter).isalpha()]] = -2
            codes[ord(_UNCOLOURED)] = 0
        else:
            codes[self.letters] = np.arange(len(self.letters))
        return codes

    @cached_property
    def tables(self) -> tuple[npt.NDArray[np.generic] | int, ...]:
        """What ranking reads."""
        return self.codes, *self.rows.automaton, *self.corners.automaton, self.corners.size

    def rank(self, boards: Boards) -> Indices:
        indices = np.empty(len(boards), np.int64)
        _rank(boards, *self.tables, indices)
        return indices

    def unrank(self, indices: Indices) -> Boards:
        rows, columns = np.divmod(indices, self.corners.size)
        boards = np.empty((len(indices), _PLACES), np.uint8)
        boards[:, ::2] = self.letters[self.edges[rows]]
        boards[:, 1::2] = self.letters[self.corners.sequences[columns]]
        return boards


@kernel
def _rank(boards, codes, row_follow, row_offset, corner_follow, corner_offset, width, indices):  # type: ignore[no-untyped-def]
    """Indices of boards; -1 where letters or their counts are not the puzzle's."""
    named = codes.copy()
    for i in range(boards.shape[0]):
        named[:] = codes
        names = 0
        row = 0
        column = 0
        node = 0
        for place in range(0, 21, 2):
            letter = boards[i, place]
            code = named[letter] if letter < 128 else -1
            if code == -2:
                names += 1
                named[letter] = names
                code = 1
            elif names > 0 and code > 0:
                code = -1  # a second edge of one colour
            if code < 0 or code >= row_follow.shape[1] or row_follow[node, code] < 0:
                row = -1
                break
            row += row_offset[node, code]
            node = row_follow[node, code]
        node = 0
        for place in range(1, 21, 2):
            letter = boards[i, place]
            code = named[letter] if letter < 128 else -1
            if row < 0 or code < 0 or code >= corner_follow.shape[1] or corner_follow[node, code] < 0:
                column = -1
                break
            column += corner_offset[node, code]
            node = corner_follow[node, code]
        indices[i] = row * width + column if column >= 0 else -1


class _OrbitRows:
    """The rows of the orbits' nodes and how states lead to them.

    A node is (representative row, column): the row is the least of the orbit's rows, reached by the
    fewest sixths back. An orbit whose rows repeat has several nodes, one for each of its states in
    the representative's row; they hold equal distances.
    """

    def __init__(self, index: _Index) -> None:
        self.index = index
        self.sides = "L" if index.half_turn else "LR"
        self.spin = {wheel: [index.link(_turn(wheel, sixths)) for sixths in range(6)] for wheel in self.sides}
        self.representatives: dict[str, npt.NDArray[np.int64]] = {}
        self.to_node: dict[str, _Link] = {}
        self.count = 0
        for wheel in self.sides:
            back = [self.spin[wheel][-sixths % 6] for sixths in range(6)]
            rows = np.stack([link.row for link in back])
            chosen, node = np.unique(rows.min(axis=0), return_inverse=True)
            kinds = np.stack([link.kind for link in back])[rows.argmin(axis=0), np.arange(index.rows.size)]
            self.representatives[wheel] = chosen.astype(np.int64)
            self.to_node[wheel] = _Link((self.count + node).astype(np.int32), kinds)
            self.count += len(chosen)
        if index.half_turn:
            self.to_node["R"] = index.half_turn.then(self.to_node["L"], index.maps)

    def product(self) -> ProductForm:
        """Link k of a node: turn its state by k sixths, then go to the other wheel's orbit."""
        return self._turned({"L": "R", "R": "L"})

    def repeats(self) -> ProductForm:
        """Link k of a node: turn its state by k sixths, then go to the same orbit's node, another if a row repeats."""
        return self._turned({"L": "L", "R": "R"})

    def _turned(self, into: dict[str, str]) -> ProductForm:
        links = []
        for sixths in range(6):
            sides = [
                self.spin[wheel][sixths]
                .at(self.representatives[wheel])
                .then(self.to_node[into[wheel]], self.index.maps)
                for wheel in self.sides
            ]
            links.append(
                _Link(np.concatenate([side.row for side in sides]), np.concatenate([side.kind for side in sides]))
            )
        used, kinds = np.unique([0, *np.stack([link.kind for link in links]).flat], return_inverse=True)
        return ProductForm(
            np.stack([link.row for link in links]),
            kinds[1:].reshape(6, self.count).astype(np.int32),
            self.index.maps.columns(used.tolist()),
        )


def _space(wheels: _Wheels, turns: dict[str, tuple[int, ...]], *, by_orbits: bool) -> Space:
    index = _Index(wheels)
    moves = [index.link(turn) for turn in turns.values()]
    orbit_rows = _OrbitRows(index) if by_orbits else None
    columns = index.maps.columns()
    product = _product(moves, columns)
    goal_states = index.rank(np.frombuffer(wheels.solved.encode("ascii"), np.uint8)[None, :])
    return Space(
        size=product.rows * product.width,
        expand=product.expand,
        goal_states=goal_states,
        product=lambda: product,
        rank=index.rank,
        unrank=index.unrank,
        connected=True,
        orbits=_orbits(orbit_rows, product, columns, goal_states) if orbit_rows else None,
    )


def _orbits(rows: _OrbitRows, states: ProductForm, columns: npt.NDArray[np.uint32], goal_states: Indices) -> Orbits:
    nodes = _product([rows.to_node[wheel] for wheel in _WHEELS], columns)
    size = rows.count * nodes.width

    def graph() -> Graph:
        product = rows.product()
        turned = states.expand(goal_states).reshape(2, 5)
        start = [nodes.expand(np.append(turned[side], goal_states))[:, side] for side in range(2)]
        return Graph(size=size, expand=product.expand, goal_states=np.unique(start), product=lambda: product)

    def least() -> Callable[[Indices], Indices]:
        repeats = rows.repeats()
        repeated = (repeats.kind != 0).any(axis=0)

        def least_of(some: Indices) -> Indices:
            found = some.copy()
            several = np.flatnonzero(repeated[some // nodes.width] & (some >= 0))
            found[several] = repeats.expand(some[several]).min(axis=1)
            return found

        return least_of

    return Orbits(size=size, nodes=nodes, graph=graph, representatives=least)


def _product(links: list[_Link], columns: npt.NDArray[np.uint32]) -> ProductForm:
    return ProductForm(np.stack([link.row for link in links]), np.stack([link.kind for link in links]), columns)


# The family.

_PATTERN = re.compile("(novice|challenger|avenger|turnstile)(-sixths)?")


@cache
def _puzzle(name: str) -> Puzzle:
    wheels = _PUZZLES[name.removesuffix("-sixths")]
    sixths = name.endswith("-sixths")
    turns = {
        f"{wheel}{suffix}": _turn(wheel, k)
        for wheel in _WHEELS
        for k, suffix in _SIXTHS.items()
        if k in (1, 5) or not sixths
    }
    played: dict[str, Callable[[str], Iterable[str]]] = {move: itemgetter(*source) for move, source in turns.items()}
    sources = np.array(list(turns.values()))
    turned = _play(played, wheels.solved, "R")
    goal = wheels.goal
    return Puzzle(
        name=name,
        title=wheels.name.capitalize() + (" in sixths of a turn" if sixths else ""),
        family="wheels",
        moves=tuple(Move(move, _WHEELS[move[0]]) for move in turns),
        goals=(replace(goal, published=None) if sixths else goal,),
        notation=Notation(
            state=f"21 letters in figure-8 order: the left wheel's places clockwise, then the rest of the right "
            f"wheel's anticlockwise; even places are edges, odd places corners. {wheels.name.capitalize()}: "
            f"{wheels.colours}.",
            moves=("One sixth of a turn is one move: L, L', R, R'" if sixths else _TURNS),
            examples=(wheels.solved, turned, _play(played, turned, "L")),
        ),
        parse=partial(_parse, wheels),
        format=_format,
        play=partial(_play, played),
        picture=partial(_picture, wheels),
        space=cache(lambda _goal: _space(wheels, turns, by_orbits=not sixths)),
        letters=Letters(_PLACES, lambda boards: boards.take(sources, axis=1)),
        canonical=_recoloured if wheels.interchangeable else str,
    )


_TURNS = (
    "Any turn of one wheel is one move: L or R, then the number of sixths, then ' for anticlockwise; "
    "L, L2, L3, L2', L' and R, R2, R3, R2', R'"
)

FAMILY = Family(
    name="wheels",
    title="Color wheels",
    template="novice, challenger, avenger or turnstile, each also with -sixths",
    pattern=_PATTERN,
    members=tuple(name + suffix for name in _PUZZLES for suffix in ("", "-sixths")),
    make=_puzzle,
)
