"""Quantum sliding puzzles: every position holds k units, shared among the tiles and the space.

Glossary
    position    a place of the board, 0 .. R*C-1, row by row; also a row of the matrix.
    tile        0 .. R*C-2, numbered by its home; the space is the last column, its home the last position.
    unit        a k-th part of a tile. A move swaps a unit of a tile with a unit of space in an
                adjacent position; in the bulk metric any number of units between one pair of
                positions is one move.
    shares      how the units of a position are divided: a row of the matrix.
    number      of shares: all ways to divide k units are numbered in lexicographic order.
    left        the units of each column that the positions so far leave for those after them.

A state is a matrix whose rows and columns all sum to k. It is the sequence of the numbers of its
shares, position by position, and an automaton ranks it: what the next position may hold depends on
the units left alone. A move changes two positions and no sum of a column. So the path through the
automaton is the same before the first and behind the second, and only the links between are added
up anew. With k = 1 a state is a permutation of whole tiles, and half of the permutations can be
reached; those have indices of their own, without gaps. With k >= 2 every matrix can be reached.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations

import numpy as np
import numpy.typing as npt

from puzzlebase.kernels import kernel
from puzzlebase.puzzles._automaton import Flags, States, make_automaton
from puzzlebase.puzzles._layout import Effect, Layout, Motion, Piece, Place, Shape, rectangle
from puzzlebase.puzzles._puzzle import (
    About,
    Board,
    Drawing,
    Family,
    Goal,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    Move,
    Notation,
    Puzzle,
    played,
    shorten,
)
from puzzlebase.puzzles._space import Boards, Indices, Space
from puzzlebase.puzzles._spaces import SPACES


@dataclass(frozen=True)
class _Rules:
    """One puzzle of the family: the board's sides, the units of a tile, and the metric."""

    height: int
    width: int
    k: int
    bulk: bool

    @property
    def name(self) -> str:
        return f"quantum-{self.height}x{self.width}-{self.k}{'-bulk' if self.bulk else ''}"

    @property
    def positions(self) -> int:
        return self.height * self.width

    @property
    def space(self) -> int:
        """The column that is the space, and its home."""
        return self.positions - 1

    @property
    def amounts(self) -> int:
        """The most units one move may carry."""
        return self.k if self.bulk else 1

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The pairs of adjacent positions, in both directions, in order."""
        places = [divmod(position, self.width) for position in range(self.positions)]
        return tuple(
            (a, b)
            for a, (row, column) in enumerate(places)
            for b, (other_row, other_column) in enumerate(places)
            if abs(row - other_row) + abs(column - other_column) == 1
        )

    @cached_property
    def moves(self) -> dict[str, tuple[int, int, int, int]]:
        """The moves by name: the tile, where its units come from and go to, and how many they are."""
        return {
            f"T{tile}:{source}-{target}" + (f"*{units}" if units > 1 else ""): (tile, source, target, units)
            for tile in range(self.space)
            for source, target in self.edges
            for units in range(1, self.amounts + 1)
        }

    @cached_property
    def units(self) -> dict[str, int]:
        """The numbers of units by how they are written."""
        return {str(units): units for units in range(self.k + 1)}

    @property
    def solved(self) -> str:
        return _format(np.diag(np.full(self.positions, self.k, np.uint8)).reshape(-1))


# The board side: text. A board is the matrix, uint8[positions * positions], position by position.


def _parse(rules: _Rules, text: str) -> Board:
    size, k = rules.positions, rules.k
    example = (
        f"a state of {rules.name} looks like {rules.solved!r}: for each position the units of every tile and "
        f"last of the space; every position holds {k}, and so does every tile in all"
    )
    short = repr(shorten(text))
    rows = text.split("/")
    if len(rows) != size:
        raise InvalidState(f"{short} has {len(rows)} positions, not {size}", example)
    matrix = []
    for position, row in enumerate(rows):
        written = row.split(",")
        if len(written) != size:
            raise InvalidState(f"position {position} of {short} has {len(written)} shares, not {size}", example)
        matrix.append([_share(rules, share, position, short, example) for share in written])
    for position, shares in enumerate(matrix):
        if sum(shares) != k:
            raise ImpossibleState(f"position {position} of {short} holds {sum(shares)} units, not {k}", example)
    for tile, column in enumerate(zip(*matrix, strict=True)):
        if sum(column) != k:
            named = f"tile {tile}" if tile < rules.space else "the space"
            raise ImpossibleState(f"{named} of {short} has {sum(column)} units in all, not {k}", example)
    return np.array(matrix, np.uint8).reshape(-1)


def _share(rules: _Rules, share: str, position: int, short: str, example: str) -> int:
    """The units that a share names. Digits are compared as text: there may be too many for an integer."""
    units = rules.units.get(share)
    if units is not None:
        return units
    if share.isascii() and share.isdigit() and share[0] != "0":
        raise ImpossibleState(
            f"position {position} of {short} has {shorten(share, 20)} units of one tile, and holds {rules.k}", example
        )
    raise InvalidState(
        f"position {position} of {short} has {shorten(share, 20)!r} where a number of units belongs", example
    )


def _format(board: Board) -> str:
    return "/".join(",".join(map(str, row)) for row in _matrix(board))


def _play(rules: _Rules, text: str, move: str) -> str:
    if move not in rules.moves:
        few = " ".join(list(rules.moves)[: 2 * rules.amounts])
        raise IllegalMove(f"there is no move {shorten(move)!r} of {rules.name}", f"moves are: {few} and so on")
    tile, source, target, units = rules.moves[move]
    matrix = [row.split(",") for row in text.split("/")]
    last = rules.space
    if int(matrix[source][tile]) < units or int(matrix[target][last]) < units:
        raise IllegalMove(
            f"{move} is not legal in {text!r}",
            f"it takes {units} of tile {tile} in position {source} and as much space in position {target}",
        )
    for row, column, change in ((source, tile, -units), (target, tile, units), (source, last, units)):
        matrix[row][column] = str(int(matrix[row][column]) + change)
    matrix[target][last] = str(int(matrix[target][last]) - units)
    return "/".join(",".join(row) for row in matrix)


# Goals: every tile in its home.


def _goals(rules: _Rules) -> tuple[Goal, ...]:
    return (Goal("solved", (rules.solved,), rules.solved),)


# The board as data. Up to MOST_UNITS units are bars of their own, which lie on one another in their position, sorted by
# tile, above the space. More units of a tile are one bar as high as its share, and what moves is not told.

_PAINT = ("#d8433b", "#2f6fde", "#2e9e4f", "#c98a1b", "#9a4fc4")
_POSITION = "#e9e6df"
_SIDE, _GAP, _MARGIN, _LETTER = 112.0, 8.0, 10.0, 16.0
_MOST_UNITS = 8


def _layout(rules: _Rules, text: str, _goal: Goal) -> Layout:
    matrix = _matrix(_parse(rules, text))
    places = _places(rules)
    marks = [
        Shape(
            id=f"position-{place.name}",
            outline=rectangle(place.x - _SIDE / 2, place.y - _SIDE / 2, _SIDE, _SIDE),
            colour=_POSITION,
            x=place.x,
            y=place.y,
        )
        for place in places
    ]
    pieces = _units(rules, matrix) if rules.k <= _MOST_UNITS else _shares(rules, matrix)
    width, height = (2 * _MARGIN + at * (_SIDE + _GAP) - _GAP for at in (rules.width, rules.height))
    return Layout(width, height, places, tuple(marks), tuple(pieces))


def _places(rules: _Rules) -> tuple[Place, ...]:
    """The middles of the positions."""
    middle = _MARGIN + _SIDE / 2
    return tuple(
        Place(str(at), middle + at % rules.width * (_SIDE + _GAP), middle + at // rules.width * (_SIDE + _GAP))
        for at in range(rules.positions)
    )


def _units(rules: _Rules, matrix: list[list[int]]) -> list[Piece]:
    """A piece for each unit, position by position, each from the top."""
    high = _SIDE / rules.k
    pieces = []
    for position, (place, shares) in enumerate(zip(_places(rules), matrix, strict=True)):
        tiles = [tile for tile, units in enumerate(shares[:-1]) for _ in range(units)]
        for slot, (tile, name) in enumerate(zip(tiles, _named(matrix, position), strict=True)):
            pieces.append(_bar(name, tile, place, place.y - _SIDE / 2 + slot * high, high, str(tile)))
    return pieces


def _shares(rules: _Rules, matrix: list[list[int]]) -> list[Piece]:
    """A piece for each tile in each position, as high as its share."""
    pieces = []
    for place, shares in zip(_places(rules), matrix, strict=True):
        top = place.y - _SIDE / 2
        for tile, units in enumerate(shares[:-1]):
            if units:
                high = _SIDE * units / rules.k
                pieces.append(_bar(f"share-{tile}-{place.name}", tile, place, top, high, f"{tile} ×{units}"))
                top += high
    return pieces


def _bar(name: str, tile: int, place: Place, top: float, high: float, label: str) -> Piece:
    return Piece(
        id=name,
        outline=rectangle(place.x - _SIDE / 2, top, _SIDE, high),
        colour=_PAINT[tile % len(_PAINT)],
        x=place.x,
        y=round(top + high / 2, 2),
        label=label,
        size=min(_LETTER, round(0.8 * high, 1)),
        place=place.name,
    )


def _effect(rules: _Rules, text: str, move: str) -> Effect:
    """The lowest units of a tile go to the adjacent position; in both positions units below close up or make room.

    In the bulk metric one takes the unit that goes together with all those of its tile below it.
    """
    _play(rules, text, move)
    tile, source, target, amount = rules.moves[move]
    if rules.k > _MOST_UNITS:
        return Effect((f"share-{tile}-{source}",), None)
    matrix = _matrix(_parse(rules, text))
    here, there = matrix[source][:-1], matrix[target][:-1]
    first, last = sum(here[:tile]), sum(here[: tile + 1])  # the slots of the tile's units, from the top
    room = sum(there[: tile + 1])  # the first slot for those that come
    from_here, from_there = _named(matrix, source), _named(matrix, target)
    places, high = _places(rules), _SIDE / rules.k
    across, level = places[target].x - places[source].x, places[target].y - places[source].y
    down = round(level + (room - (last - amount)) * high, 2)
    rise = round(amount * high, 2)
    motions = (
        *(Motion(piece=unit, slide=(across, down), lift=True) for unit in from_here[last - amount : last]),
        *(Motion(piece=unit, slide=(0, -rise)) for unit in from_here[last:]),
        *(Motion(piece=unit, slide=(0, rise)) for unit in from_there[room:]),
    )
    taken = last - amount if rules.bulk else first
    return Effect(tuple(from_here[taken : taken + 1] if rules.bulk else from_here[taken:last]), motions)


def _named(matrix: list[list[int]], position: int) -> list[str]:
    """What the units of a position are called, from the top."""
    return [
        f"unit-{tile}-{sum(shares[tile] for shares in matrix[:position]) + at + 1}"
        for tile, units in enumerate(matrix[position][:-1])
        for at in range(units)
    ]


def _matrix(board: Board) -> list[list[int]]:
    """The units of each position by tile, the space last."""
    size = round(len(board) ** 0.5)
    matrix: list[list[int]] = board.reshape(size, size).tolist()
    return matrix


# The index side.


def _divisions(units: int, parts: int) -> npt.NDArray[np.int64]:
    """All ways to divide units among parts, in lexicographic order: int64[ways, parts]."""
    bars = np.array(list(combinations(range(units + parts - 1), parts - 1)), np.int64).reshape(-1, parts - 1)
    ends = np.full((len(bars), 1), -1), np.full((len(bars), 1), units + parts - 1)
    return np.diff(np.hstack([ends[0], bars, ends[1]])) - 1


class _Index:
    """The indices of all matrices, and the moves between them."""

    def __init__(self, rules: _Rules) -> None:
        self.rules = rules
        size, k = rules.positions, rules.k
        self.shares = _divisions(k, size)
        self.automaton = make_automaton((k,) * size, size, self._fill)
        # number[code]: the code of shares is one integer whose digits are their units.
        self.codes = (k + 1) ** np.arange(size)
        self.number = np.full((k + 1) ** size, -1, np.int32)
        self.number[self.shares @ self.codes] = np.arange(len(self.shares))
        # after[given, units - 1, tile, number]: the shares of a position once units of a tile have left it
        # (given 0) or come (given 1) and the space has changed as much; -1 where that cannot be.
        self.after = np.full((2, rules.amounts, rules.space, len(self.shares)), -1, np.int32)
        for given, units, tile in np.ndindex(self.after.shape[:3]):
            changed = self.shares.copy()
            changed[:, tile] += (2 * given - 1) * (units + 1)
            changed[:, -1] -= (2 * given - 1) * (units + 1)
            possible = (changed >= 0).all(axis=1)
            self.after[given, units, tile, possible] = self.number[changed[possible] @ self.codes]
        self.spaces = self.shares[:, -1].copy()
        self.edges = np.array(rules.edges)

    def _fill(self, left: States) -> tuple[States, Flags]:
        """What is left after each way to fill the next position, and whether no column has too much then."""
        after: States = left[:, None] - self.shares
        enough: Flags = np.all(after >= 0, axis=2)
        return after, enough

    def expand(self, indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(self.rules.moves)), np.int64)
        _expand(indices, self.automaton.links, self.after, self.spaces, self.edges, successors)
        return successors

    def rank(self, boards: Boards) -> Indices:
        indices = np.empty(len(boards), np.int64)
        _rank(boards, self.number, self.codes, self.automaton.links, indices)
        return indices

    def unrank(self, indices: Indices) -> Boards:
        numbers = self.automaton.unrank(indices)
        return self.shares[numbers].astype(np.uint8).reshape(len(indices), -1)


def _space(rules: _Rules, _goal: Goal) -> Space:
    index = _Index(rules)
    goal_states = index.rank(_parse(rules, rules.solved)[None, :])
    if rules.k == 1:
        return _reachable(index, goal_states)
    return Space(
        size=index.automaton.size,
        expand=index.expand,
        goal_states=goal_states,
        rank=index.rank,
        unrank=index.unrank,
        connected=True,
    )


def _reachable(index: _Index, goal_states: Indices) -> Space:
    """The states of whole tiles that can reach the goal, half of all, numbered in the same order."""
    links = index.expand(np.arange(index.automaton.size))
    reached = np.zeros(index.automaton.size, np.bool_)
    layer = goal_states
    while len(layer):
        reached[layer] = True
        layer = np.unique(links[layer][links[layer] >= 0])
        layer = layer[~reached[layer]]
    every = np.append(np.flatnonzero(reached), -1)  # index -1 finds the last entry, here and in `dense`
    dense = np.full(index.automaton.size + 1, -1)
    dense[every[:-1]] = np.arange(len(every) - 1)
    return Space(
        size=len(every) - 1,
        expand=lambda indices: dense[index.expand(every[indices])],
        goal_states=dense[goal_states],
        rank=lambda boards: dense[index.rank(boards)],
        unrank=lambda indices: index.unrank(every[indices]),
        connected=True,
    )


@kernel
def _rank(boards, number, codes, links, indices):  # type: ignore[no-untyped-def]
    """The indices of matrices; -1 where a row or a column does not have the right sum.

    To find all numbers first and leave them to the automaton's own `rank` takes 1.1 times as long on small boards, and
    3 times as long for one matrix.
    """
    size = codes.shape[0]
    for i in range(boards.shape[0]):
        indices[i] = node = 0
        for position in range(size):
            code = np.int64(0)
            for tile in range(size):
                units = np.int64(boards[i, position * size + tile])
                code = code + units * codes[tile] if code >= 0 and units < codes[1] else np.int64(-1)
            symbol = number[code] if code >= 0 else -1
            follow = links[node, symbol, 0] if symbol >= 0 else -1
            if follow < 0:
                indices[i] = -1
                break
            indices[i] += links[node, symbol, 1]
            node = follow


@kernel
def _walk(rank, links, numbers, nodes, sums):  # type: ignore[no-untyped-def]
    """The path of a rank: the shares' numbers, the node before each, and the sums of offsets before and behind each.

    As in the automaton, whose kernels another file's may not call. To walk a batch there first cost a lookup, which
    expands one state, 4 microseconds more.
    """
    node, total = np.int64(0), np.int64(0)
    for position in range(numbers.shape[0]):
        # The last number whose offset is at most the rest: one that may not stand there has the offset of the next.
        low, high = 0, links.shape[1]
        while high - low > 1:
            middle = (low + high) // 2
            if links[node, middle, 1] <= rank - total:
                low = middle
            else:
                high = middle
        numbers[position], nodes[position], sums[position] = low, node, total
        total += links[node, low, 1]
        node = np.int64(links[node, low, 0])
    sums[numbers.shape[0]] = total


@kernel
def _expand(indices, links, after, spaces, edges, successors):  # type: ignore[no-untyped-def]
    amounts, tiles = after.shape[1], after.shape[2]
    numbers, nodes, sums = np.empty(tiles + 1, np.int64), np.empty(tiles + 1, np.int64), np.empty(tiles + 2, np.int64)
    for i in range(indices.shape[0]):
        successors[i] = -1
        if indices[i] < 0:
            continue
        _walk(indices[i], links, numbers, nodes, sums)
        for edge in range(edges.shape[0]):
            source, target = edges[edge, 0], edges[edge, 1]
            if spaces[numbers[target]] == 0:
                continue  # tested first: a quarter less time in all
            for tile in range(tiles):
                for units in range(amounts):
                    left = after[0, units, tile, numbers[source]]
                    come = after[1, units, tile, numbers[target]]
                    if left < 0 or come < 0:
                        break
                    move = (tile * edges.shape[0] + edge) * amounts + units
                    if source < target:
                        successors[i, move] = _moved(source, target, left, come, numbers, nodes, sums, links)
                    else:
                        successors[i, move] = _moved(target, source, come, left, numbers, nodes, sums, links)


@kernel
def _moved(first, second, first_number, second_number, numbers, nodes, sums, links):  # type: ignore[no-untyped-def]
    """The index when two positions have other shares: behind the second the path is as before."""
    node = np.int64(links[nodes[first], first_number, 0])
    rank = sums[first] + links[nodes[first], first_number, 1]
    for position in range(first + 1, second):
        rank += links[node, numbers[position], 1]
        node = np.int64(links[node, numbers[position], 0])
    return rank + links[node, second_number, 1] + sums[numbers.shape[0]] - sums[second + 1]


# The family.

_PATTERN = re.compile("quantum-(2)x(?:(2)-([1-8])|(3)-([1-3]))(-bulk)?")


def _puzzle(name: str) -> Puzzle:
    matched = _PATTERN.fullmatch(name)
    assert matched is not None
    height, *sides, bulk = matched.groups()
    width, k = (side for side in sides if side)
    rules = _Rules(int(height), int(width), int(k), bulk is not None)
    metric = "any amount of a tile at once" if rules.bulk else "unit by unit"
    play = partial(_play, rules)
    after = [*played(play, rules.solved, rules.moves).values()]
    most = f"*{rules.k}" if rules.k > 1 else ""
    return Puzzle(
        name=name,
        title=f"Quantum {height}×{width} puzzle, {k} unit{'s' if rules.k > 1 else ''} a position, {metric}",
        family="quantum",
        moves=tuple(Move(move, f"tile {tile}") for move, (tile, *_) in rules.moves.items()),
        goals=_goals(rules),
        notation=Notation(
            state="The positions row by row, separated by /, each as the units of the tiles 0 to "
            f"{rules.space - 1} and last of the space, separated by commas; every position holds {k}, and so does "
            "every tile in all. "
            f"A tile's number is its home's; the space's home is position {rules.space}",
            moves="T3:0-1 is one unit of tile 3 from position 0 to the adjacent position 1, where space makes way"
            + (f"; T3:0-1*2 is two units, and so on to {most or 'one'}, each one move" if rules.bulk else ""),
            examples=(rules.solved, *after[:2]),
        ),
        about=About(
            inventor="Robert Levinson",
            sentence="A sliding puzzle whose tiles and space are divided into units and share the positions.",
            instructions=f"Move {'units of one tile' if rules.bulk else 'a unit of a tile'} to an adjacent position, "
            "and as much of the space there comes back. It is solved when every tile is whole, and they lie in order, "
            "row by row, with the space last.",
        ),
        parse=partial(_parse, rules),
        format=_format,
        play=play,
        drawing=Drawing(layout=partial(_layout, rules), effect=partial(_effect, rules)),
        space=SPACES.remember(partial(_space, rules)),
    )


FAMILY = Family(
    name="quantum",
    title="Quantum sliding puzzles",
    template="quantum-2x2-1 to quantum-2x2-8 and quantum-2x3-1 to quantum-2x3-3, each also with -bulk",
    pattern=_PATTERN,
    members=(
        *(f"quantum-2x2-{k}{metric}" for k in range(1, 5) for metric in ("", "-bulk")),
        "quantum-2x3-1",
        "quantum-2x3-2",
    ),
    example="quantum-2x2-2",
    larger=("quantum-2x3-3",),
    place=3,
    make=_puzzle,
)
