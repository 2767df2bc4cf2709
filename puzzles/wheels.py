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

The builder enumerates the orbits instead of the states (puzzles/_orbits.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import pairwise, permutations
from math import cos, pi, sin, sqrt
from operator import itemgetter
from string import ascii_letters

import numpy as np
import numpy.typing as npt

from puzzlebase.kept import Arrays
from puzzlebase.kernels import kernel
from puzzlebase.puzzles._arrangements import Arrangements
from puzzlebase.puzzles._at_home import places_as_solved
from puzzlebase.puzzles._layout import Effect, Layout, Motion, Piece, Place, Turn
from puzzlebase.puzzles._numbering import NUMBERINGS
from puzzlebase.puzzles._orbits import ColumnMaps, Link, OrbitRows, graph_tables, node_tables, orbits_of
from puzzlebase.puzzles._puzzle import (
    About,
    Board,
    Drawing,
    Family,
    Goal,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    Letters,
    Move,
    Notation,
    Published,
    Puzzle,
    shorten,
)
from puzzlebase.puzzles._space import Boards, Indices, ProductForm, Signed, Space
from puzzlebase.puzzles._spaces import SPACES

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
class _Rules:
    """One puzzle of the family: its pieces, whether its colours may be swapped for one another, and the metric."""

    wheels: str
    solved: str
    interchangeable: bool
    colours: str
    done: str
    sixths: bool = False
    coarser: bool = False
    """Whether it is there as a pattern of another, and so not listed."""

    @property
    def name(self) -> str:
        return self.wheels + ("-sixths" if self.sixths else "")

    @cached_property
    def turns(self) -> dict[str, tuple[int, ...]]:
        """The moves by name: for each place, the place its new piece comes from."""
        return {
            f"{wheel}{suffix}": _turn(wheel, k)
            for wheel in _WHEELS
            for k, suffix in _SIXTHS.items()
            if k in (1, 5) or not self.sixths
        }

    @cached_property
    def turned(self) -> dict[str, Callable[[str], Iterable[str]]]:
        """The moves by name: what makes the letters after the move of those before it."""
        return {move: itemgetter(*source) for move, source in self.turns.items()}


_PUZZLES = {
    rules.wheels: rules
    for rules in (
        _Rules(
            "avenger",
            ".AAA.BBB.CCC.DDD.EEE.",
            True,
            "five colours, any letters, two corners and one edge each; six uncoloured edges (.)",
            "the edge and the corners of each colour lie side by side, those of one colour where the wheels cross",
        ),
        _Rules(
            "novice",
            "BBBBBBBBBBBBRRRRRRRRR",
            False,
            "one wheel's pieces blue (B), the rest red (R)",
            "the left wheel is blue",
        ),
        _Rules(
            "challenger",
            "YYYYKGGGGGKYYYYYKGGGG",
            False,
            "green (G) above, yellow (Y) below, three black edges (K) between",
            "the upper half is green, the lower half yellow, and the three edges between them black",
        ),
        _Rules(
            "turnstile",
            ".AAA.BBB.CCC.DDD.EEE.",
            False,
            "five colours (A to E), two corners and one edge each; six uncoloured edges (.)",
            "every piece is in its own place, the edge and the corners of each colour side by side",
        ),
        _Rules(
            "turnstile-edges",
            "..A...B...C...D...E..",
            False,
            "five colours (A to E), one edge each; six uncoloured edges and ten uncoloured corners (.)",
            "every coloured edge is in its own place",
            coarser=True,
        ),
    )
}


# The board side: text.


def _parse(rules: _Rules, text: str) -> Board:
    """The letters of a state, uint8[21]."""
    example = f"a state of {rules.wheels} looks like {rules.solved!r}: {rules.colours}"
    if len(text) != _PLACES:
        raise InvalidState(f"{shorten(text)!r} has {len(text)} letters, not {_PLACES}", example)
    known = _LETTERS if rules.interchangeable else set(rules.solved)
    letters = set(text)
    if not letters <= known:
        place, letter = next((place, letter) for place, letter in enumerate(text) if letter not in known)
        raise InvalidState(f"{text!r} has an unknown letter {letter!r} at place {place}", example)
    if rules.interchangeable:
        wanted = sorted(letters - {_UNCOLOURED})
        coloured = sorted(text[::2].replace(_UNCOLOURED, ""))
        right = len(wanted) == 5 and coloured == wanted and sorted(text[1::2]) == sorted(2 * wanted)
    else:
        right = all(sorted(text[part::2]) == sorted(rules.solved[part::2]) for part in (0, 1))
    if not right:
        raise ImpossibleState(f"{text!r} does not have the pieces of {rules.wheels}", example)
    return np.frombuffer(text.encode("ascii"), np.uint8)


def _format(board: Board) -> str:
    return board.tobytes().decode("ascii")


def _recolour(text: str) -> str:
    """The same state with its colours named A to E in the order in which they first appear."""
    named = dict(zip(dict.fromkeys(text.replace(_UNCOLOURED, "")), _NAMES, strict=True))
    return "".join(named.get(letter, letter) for letter in text)


def _coloured_alike(solved: Boards, boards: Boards) -> Signed:
    """How many coloured pieces are at home when colours are named so that as many are as can be."""
    letters = np.frombuffer(_NAMES.encode("ascii"), np.uint8)
    alike = np.array(
        [[np.count_nonzero(boards[:, solved == home] == letter, axis=1) for letter in letters] for home in letters],
        np.int8,
    )
    named = permutations(range(len(letters)))
    at_home: Signed = np.max([alike[range(len(letters)), order].sum(axis=0) for order in named], axis=0).astype(
        np.int64
    )
    return at_home


def _play(rules: _Rules, text: str, move: str) -> str:
    if move not in rules.turned:
        raise IllegalMove(f"there is no move {shorten(move)!r}", f"moves are: {' '.join(rules.turns)}")
    return "".join(rules.turned[move](text))


# Goals: the pieces as they are sold.

# fmt: off
_AVENGER_LAYERS = (
    1, 2, 10, 50, 234, 1121, 5401, 25546, 119475, 552577, 2377383, 8631662, 20629489, 18296107, 1751438, 304,
)
# fmt: on

_JAAP = "Jaap Scherphuis's puzzle page"
_SOLVER = "the brute-force Avenger solver of 2016 (Stack Exchange)"
_PUBLISHED = {
    "novice": Published(_JAAP, 97_020, 13),
    "challenger": Published(_JAAP, 2_910_600, 13),
    "avenger": Published(_SOLVER, 52_390_800, 15, _AVENGER_LAYERS),
    "turnstile": Published(_JAAP, 6_286_896_000),
}
"""By name; nothing is known of a metric in sixths."""


def _goals(rules: _Rules) -> tuple[Goal, ...]:
    return (Goal("solved", (rules.solved,), rules.solved, _PUBLISHED.get(rules.name)),)


# The board as data: circles of radius 1 whose centres are sqrt 2 apart, so that on the rim corners and edges take 30
# degrees each. A wheel is cut by the other wheel's circle, turned in steps of 60 degrees.

_RADIUS, _MARGIN = 100.0, 10.0
_APART = sqrt(2) * _RADIUS
_CENTRES = {
    "L": complex(_MARGIN + _RADIUS, _MARGIN + _RADIUS),
    "R": complex(_MARGIN + _RADIUS + _APART, _MARGIN + _RADIUS),
}
_WIDTH, _HEIGHT = round(2 * (_MARGIN + _RADIUS) + _APART, 2), 2 * (_MARGIN + _RADIUS)
_LETTER = 14.0
_PAINT = {"B": "#2f6fde", "R": "#d8433b", "G": "#2e9e4f", "Y": "#f2c230", "K": "#2b2b2b"}
_FIVE = ("#d8433b", "#2f6fde", "#f2c230", "#2e9e4f", "#9a4fc4")
_PLAIN = "#e9e6df"


def _layout(rules: _Rules, text: str, _goal: Goal) -> Layout:
    _parse(rules, text)
    paint = _PAINT
    if _UNCOLOURED in text:
        paint = dict(zip(sorted(set(text) - {_UNCOLOURED}), _FIVE, strict=True)) | {_UNCOLOURED: _PLAIN}
    pieces = [
        Piece(
            id=name,
            outline=outline,
            colour=paint[letter],
            x=place.x,
            y=place.y,
            label=letter.strip(_UNCOLOURED),
            size=_LETTER,
            place=place.name,
        )
        for (place, outline), letter, name in zip(_places(), text, _ids(text), strict=True)
    ]
    return Layout(_WIDTH, _HEIGHT, tuple(place for place, _ in _places()), (), tuple(pieces))


def _effect(rules: _Rules, text: str, move: str) -> Effect:
    """A wheel turns, with all its pieces."""
    _play(rules, text, move)
    sixths = next(k for k, suffix in _SIXTHS.items() if suffix == move[1:])
    centre = _CENTRES[move[0]]
    turn = Turn(round(centre.real, 2), centre.imag, 60.0 * (sixths if sixths < 4 else sixths - 6))
    turned = _ids(text)[:12] if move[0] == "L" else _ids(text)[9:]
    return Effect(turned, tuple(Motion(piece=piece, turn=turn) for piece in turned))


def _ids(text: str) -> tuple[str, ...]:
    """What the pieces are called, in the order of their places: their kind, and their letter with a number."""
    count: Counter[str] = Counter()
    ids = []
    for place, letter in enumerate(text):
        kind = f"{'edge' if place % 2 == 0 else 'corner'}-{letter.strip(_UNCOLOURED)}"
        count[kind] += 1
        ids.append(f"{kind}{count[kind]}")
    return tuple(ids)


@cache
def _places() -> tuple[tuple[Place, str], ...]:
    """The places, each with the outline of the piece there."""
    places = []
    for number in range(_PLACES):
        wheel = "L" if number < 12 else "R"
        # The lens's middle, place 10, is at angle 0 of the left wheel and at 180 of the right one.
        angle = (number - 10) * pi / 6 if wheel == "L" else pi - (number - 10) * pi / 6
        outline, middle = (_edge if number % 2 == 0 else _corner)(_CENTRES[wheel], angle)
        places.append((Place(str(number), round(middle.real, 2), round(middle.imag, 2)), outline))
    return tuple(places)


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

_CORNER_MIDDLE, _EDGE_MIDDLE = sqrt(2 / 3), sqrt(1 / 2)
"""How far from a wheel's centre the centroids of a corner and of an edge are."""


def _corner(centre: complex, angle: float) -> tuple[str, complex]:
    """Inside three circles."""
    rim = [_at(centre, angle + turn * pi / 12, 1) for turn in (-1, 1)]
    tip = _at(centre, angle, _CROSSING)
    return _outline([*rim, tip], [1, 1, 1]), _at(centre, angle, _CORNER_MIDDLE)


def _edge(centre: complex, angle: float) -> tuple[str, complex]:
    """Inside two circles and outside two others, which bound the corners beside it."""
    rim = [_at(centre, angle + turn * pi / 12, 1) for turn in (-1, 1)]
    inner = [_at(centre, angle + turn * pi / 6, _CROSSING) for turn in (1, -1)]
    return _outline([*rim, *inner], [1, 0, 1, 0]), _at(centre, angle, _EDGE_MIDDLE)


# The index side.


@dataclass(frozen=True)
class _Relabelling:
    """What a turn does to the corners: new slot j holds renaming[old slot slots[j]]."""

    slots: tuple[int, ...]
    renaming: tuple[int, ...]

    def then(self, other: _Relabelling) -> _Relabelling:
        """Do one and then the other."""
        return _Relabelling(
            tuple(self.slots[slot] for slot in other.slots),
            tuple(other.renaming[code] for code in self.renaming),
        )


class _CornerMaps(ColumnMaps[_Relabelling]):
    """The relabellings in use by number, 0 the identity. The numbers are the kinds of a product form."""

    def __init__(self, corners: Arrangements) -> None:
        super().__init__(_Relabelling(tuple(range(corners.length)), tuple(range(len(corners.counts)))))
        self.corners = corners

    def columns(self, kinds: list[int] | None = None) -> npt.NDArray[np.uint32]:
        """The column maps of these kinds, by default of all: uint32[kinds, width].

        A map moves the slots, then renames the codes. Many kinds share a move or a renaming; each is ranked once.
        """
        sequences = self.corners.sequences
        moved = cache(lambda slots: self.corners.rank(sequences[:, slots]))
        renamed = cache(lambda renaming: self.corners.rank(np.array(renaming, np.uint8)[sequences]))
        chosen = self.chosen(kinds)
        maps = np.empty((len(chosen), self.corners.size), np.uint32)
        for i, relabelling in enumerate(chosen):
            maps[i] = renamed(relabelling.renaming)[moved(relabelling.slots)]
        return maps


class _Index:
    """The rows and columns of one puzzle and the links between them: what its space and its orbits are made of."""

    def __init__(self, rules: _Rules) -> None:
        self.rules = rules
        letters = _UNCOLOURED + _NAMES if rules.interchangeable else "".join(sorted(set(rules.solved)))
        self.letters = np.frombuffer(letters.encode("ascii"), np.uint8)
        edges = tuple(rules.solved[::2].count(letter) for letter in letters)
        self.corners = Arrangements(tuple(rules.solved[1::2].count(letter) for letter in letters))
        if rules.interchangeable:
            self.rows = Arrangements((edges[0], sum(edges[1:])))
        else:
            self.rows = Arrangements(edges)
        self.automaton = self.rows.automaton.then(self.corners.automaton)
        self.maps = _CornerMaps(self.corners)

    @cached_property
    def edges(self) -> npt.NDArray[np.uint8]:
        """The codes of each row's edges: uint8[rows, 11]."""
        sequences = self.rows.sequences
        if self.rules.interchangeable:  # the coloured edges are named in the order in which they stand
            return (sequences * np.cumsum(sequences, axis=1, dtype=np.uint8)).astype(np.uint8)
        return sequences

    def link(self, source: tuple[int, ...], recolour: tuple[int, ...] | None = None) -> Link:
        """The link of a permutation of the places, which says for each place where its new piece comes from."""
        slots = tuple((place - 1) // 2 for place in source[1::2])
        edges = self.edges[:, [place // 2 for place in source[::2]]]
        codes = len(self.letters)
        if not self.rules.interchangeable:
            renaming = recolour or tuple(range(codes))
            rows = self.rows.rank(np.array(renaming, np.uint8)[edges] if recolour else edges)
            kind = self.maps.kind(_Relabelling(slots, renaming))
            return Link(rows.astype(np.int32), np.full(len(rows), kind, np.int32))
        renamings = np.zeros((len(edges), codes), np.uint8)
        every = np.arange(len(edges))[:, None]
        renamings[every, edges[edges > 0].reshape(len(edges), -1)] = np.arange(1, codes, dtype=np.uint8)
        rows = self.rows.rank(np.minimum(edges, 1))
        kinds, inverse = np.unique(renamings, axis=0, return_inverse=True)
        numbers = [self.maps.kind(_Relabelling(slots, tuple(row))) for row in kinds.tolist()]
        return Link(rows.astype(np.int32), np.array(numbers, np.int32)[inverse.reshape(-1)])

    @cached_property
    def half_turn(self) -> Link | None:
        """The half turn, with the recolouring that maps the goal to itself; None where there is none."""
        solved, codes = self.rules.solved, self.letters.tobytes().decode("ascii")
        if self.rules.interchangeable:
            return self.link(_HALF_TURN)
        swap = dict(zip(solved[::-1], solved, strict=True))
        if any(swap[old] != new for old, new in zip(solved[::-1], solved, strict=True)):
            return None
        return self.link(_HALF_TURN, tuple(codes.index(swap[letter]) for letter in codes))

    @cached_property
    def orbit_rows(self) -> OrbitRows:
        """The rows of the orbits' nodes."""
        wheels = "L" if self.half_turn else "LR"
        spins = {wheel: [self.link(_turn(wheel, sixths)) for sixths in range(6)] for wheel in wheels}
        return OrbitRows(spins, self.maps, self.half_turn)

    @cached_property
    def codes(self) -> npt.NDArray[np.int8]:
        """The code of each letter: -1 for one that cannot be, -2 for one that is named when an edge first shows it."""
        codes = np.full(256, -1, np.int8)
        if self.rules.interchangeable:
            codes[[letter for letter in range(128) if chr(letter).isalpha()]] = -2
            codes[ord(_UNCOLOURED)] = 0
        else:
            codes[self.letters] = np.arange(len(self.letters))
        return codes

    def rank(self, boards: Boards) -> Indices:
        indices = np.empty(len(boards), np.int64)
        _rank(boards, self.codes, self.automaton.links, indices)
        return indices

    def unrank(self, indices: Indices) -> Boards:
        rows, columns = np.divmod(indices, self.corners.size)
        boards = np.empty((len(indices), _PLACES), np.uint8)
        boards[:, ::2] = self.letters[self.edges[rows]]
        boards[:, 1::2] = self.letters[self.corners.sequences[columns]]
        return boards


@kernel
def _rank(boards, codes, links, indices):  # type: ignore[no-untyped-def]
    """The indices of boards; -1 where letters or their counts are not the puzzle's.

    The symbols are the edges, then the corners. Where colours are interchangeable, a coloured edge has symbol 1, since
    the edges before it say which colour it has. To find all symbols first and leave them to the automaton's own
    `rank` takes 0.7 µs more for one state, which is a 25th of a lookup.
    """
    named = codes.copy()
    for i in range(boards.shape[0]):
        node, rank, names = np.int64(0), np.int64(0), 0
        for at in range(21):
            place = 2 * at if at < 11 else 2 * at - 21
            letter = boards[i, place]
            code = np.int64(named[letter])
            if at < 11:
                if code == -2:
                    names += 1
                    named[letter] = names
                    code = np.int64(1)
                elif names > 0 and code > 0:
                    code = np.int64(-1)  # a second edge of one colour
            if code < 0 or code >= links.shape[1] or links[node, code, 0] < 0:
                rank = np.int64(-1)
                break
            rank += links[node, code, 1]
            node = np.int64(links[node, code, 0])
        indices[i] = rank
        if names > 0:
            for place in range(0, 21, 2):
                named[boards[i, place]] = codes[boards[i, place]]


def _tables(index: _Index) -> Arrays:
    """What takes long to make of a space: the moves of its states, and their links to the orbits' nodes."""
    rules = index.rules
    moves = [index.link(turn) for turn in rules.turns.values()]
    return {
        "row_move": np.stack([link.row for link in moves]),
        "kind": np.stack([link.kind for link in moves]),
        **({} if rules.sixths else node_tables(index.orbit_rows)),
        "column_map": index.maps.columns(),
        "goal_states": index.rank(np.frombuffer(rules.solved.encode("ascii"), np.uint8)[None, :]),
    }


def _space(rules: _Rules, _goal: Goal) -> Space:
    index = _Index(rules)
    tables = NUMBERINGS.arrays(rules.name, lambda: _tables(index))
    product = ProductForm(tables["row_move"], tables["kind"], tables["column_map"])
    graph = cache(lambda: NUMBERINGS.arrays(f"{rules.name}.orbits", lambda: graph_tables(index.orbit_rows)))
    return Space(
        size=product.rows * product.width,
        expand=product.expand,
        goal_states=tables["goal_states"],
        product=lambda: product,
        rank=index.rank,
        unrank=index.unrank,
        connected=True,
        orbits=None if rules.sixths else orbits_of(tables, product, tables["goal_states"], graph),
    )


# The family.

_LISTED = [name for name, rules in _PUZZLES.items() if not rules.coarser]
_PATTERN = re.compile(f"({'|'.join(_LISTED)})(-sixths)?|{'|'.join(_PUZZLES)}")


def _puzzle(name: str) -> Puzzle:
    rules = replace(_PUZZLES[name.removesuffix("-sixths")], sixths=name.endswith("-sixths"))
    title = rules.wheels.replace("-", ", ").capitalize()
    play = partial(_play, rules)
    sources = np.array(list(rules.turns.values()))
    after = play(rules.solved, "R")
    return Puzzle(
        name=name,
        title=title + (" in sixths of a turn" if rules.sixths else ""),
        family="wheels",
        moves=tuple(Move(move, _WHEELS[move[0]]) for move in rules.turns),
        goals=_goals(rules),
        notation=Notation(
            state=f"21 letters in figure-8 order: the left wheel's places clockwise, then the rest of the right "
            f"wheel's anticlockwise; even places are edges, odd places corners. {title}: {rules.colours}.",
            moves=("One sixth of a turn is one move: L, L', R, R'" if rules.sixths else _TURNS),
            examples=(rules.solved, after, play(after, "L")),
        ),
        about=About(
            inventor="Douglas Engel",
            sentence="Two wheels of twelve pieces each cross one another and share three of them.",
            instructions=f"Turn either wheel by {'a sixth' if rules.sixths else 'any number of sixths'} of a turn: its "
            f"twelve pieces go round with it, the three that both share too. It is solved when {rules.done}.",
        ),
        parse=partial(_parse, rules),
        format=_format,
        play=play,
        drawing=Drawing(
            layout=partial(_layout, rules),
            effect=partial(_effect, rules),
            permutations=rules.turns,
        ),
        space=SPACES.remember(partial(_space, rules)),
        letters=Letters(_PLACES, lambda boards: boards.take(sources, axis=1)),
        canonical=_recolour if rules.interchangeable else str,
        at_home=_coloured_alike if rules.interchangeable else places_as_solved,
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
    members=tuple(name + suffix for suffix in ("", "-sixths") for name in _LISTED),
    place=0,
    example="avenger",
    make=_puzzle,
)
