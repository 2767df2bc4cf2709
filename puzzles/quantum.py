"""Quantum sliding puzzles: every position holds k units, shared among the tiles and the space.

Glossary
    position    a place of the board, 0 .. R*C-1, row by row; also a row of the matrix.
    tile        0 .. R*C-2, numbered by its home; the space is the last column, its home the last position.
    unit        a k-th part of a tile. A move swaps a unit of a tile with a unit of space in an
                adjacent position; in the bulk metric any number of units between one pair of
                positions is one move.
    shares      how the units of a position are divided: a row of the matrix. All ways to divide k
                units are numbered, lexicographically.
    left        the units of each column still to be placed in the positions after: a node of the
                automaton that fills the board position by position.

A state is a matrix whose rows and columns all sum to k. It is a path through the automaton, one
link a position, and its index the sum of the offsets of its links: there are no gaps. A move
changes two positions and leaves the columns' sums as they were, so before the first and behind the
second the path is the same, and only the links between are added up anew. With k = 1 a state is a
permutation of whole tiles and half of them can be reached; these are numbered densely. With k >= 2
all matrices can.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kernels import kernel
from puzzles._puzzle import (
    Board,
    Cell,
    Family,
    Goal,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    Move,
    Notation,
    Picture,
    Puzzle,
    played,
    shorten,
)
from puzzles._space import Boards, Indices, Space


@dataclass(frozen=True)
class _Quantum:
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
        """Pairs of adjacent positions, in both directions, in order."""
        places = [divmod(position, self.width) for position in range(self.positions)]
        return tuple(
            (a, b)
            for a, (row, column) in enumerate(places)
            for b, (other_row, other_column) in enumerate(places)
            if abs(row - other_row) + abs(column - other_column) == 1
        )

    @cached_property
    def moves(self) -> dict[str, tuple[int, int, int, int]]:
        """Moves by name: the tile, where its units come from and go, and how many."""
        return {
            f"T{tile}:{source}-{target}" + (f"*{units}" if units > 1 else ""): (tile, source, target, units)
            for tile in range(self.space)
            for source, target in self.edges
            for units in range(1, self.amounts + 1)
        }

    @cached_property
    def units(self) -> dict[str, int]:
        """What may be written for a share."""
        return {str(units): units for units in range(self.k + 1)}

    @property
    def solved(self) -> str:
        return _format(np.diag(np.full(self.positions, self.k, np.uint8)).reshape(-1))


# The board side: text. A board is the matrix, uint8[positions * positions], position by position.


def _parse(quantum: _Quantum, text: str) -> Board:
    size, k = quantum.positions, quantum.k
    example = (
        f"a state of {quantum.name} looks like {quantum.solved!r}: for each position the units of every tile and "
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
        matrix.append([_share(quantum, share, position, short, example) for share in written])
    for position, shares in enumerate(matrix):
        if sum(shares) != k:
            raise ImpossibleState(f"position {position} of {short} holds {sum(shares)} units, not {k}", example)
    for tile, column in enumerate(zip(*matrix, strict=True)):
        if sum(column) != k:
            named = f"tile {tile}" if tile < quantum.space else "the space"
            raise ImpossibleState(f"{named} of {short} has {sum(column)} units in all, not {k}", example)
    return np.array(matrix, np.uint8).reshape(-1)


def _share(quantum: _Quantum, share: str, position: int, short: str, example: str) -> int:
    """The units of one tile in one position; its digits are never made an integer, however many there are."""
    units = quantum.units.get(share)
    if units is not None:
        return units
    if share.isascii() and share.isdigit() and share[0] != "0":
        raise ImpossibleState(
            f"position {position} of {short} has {shorten(share, 20)} units of one tile, and holds {quantum.k}", example
        )
    raise InvalidState(
        f"position {position} of {short} has {shorten(share, 20)!r} where a number of units belongs", example
    )


def _format(board: Board) -> str:
    size = round(len(board) ** 0.5)
    return "/".join(",".join(map(str, row)) for row in board.reshape(size, size).tolist())


def _play(quantum: _Quantum, text: str, move: str) -> str:
    if move not in quantum.moves:
        few = " ".join(list(quantum.moves)[: 2 * quantum.amounts])
        raise IllegalMove(f"there is no move {shorten(move)!r} of {quantum.name}", f"moves are: {few} and so on")
    tile, source, target, units = quantum.moves[move]
    matrix = [row.split(",") for row in text.split("/")]
    last = quantum.space
    if int(matrix[source][tile]) < units or int(matrix[target][last]) < units:
        raise IllegalMove(
            f"{move} is not legal in {text!r}",
            f"it takes {units} of tile {tile} in position {source} and as much space in position {target}",
        )
    for row, column, change in ((source, tile, -units), (target, tile, units), (source, last, units)):
        matrix[row][column] = str(int(matrix[row][column]) + change)
    matrix[target][last] = str(int(matrix[target][last]) - units)
    return "/".join(",".join(row) for row in matrix)


# The picture: the board, each position cut into bands, one for each tile, as high as its share.

_PAINT = ("#d8433b", "#2f6fde", "#2e9e4f", "#c98a1b", "#9a4fc4")
_SPACE = "#f3f1ec"
_SIDE, _GAP, _MARGIN = 112.0, 8.0, 10.0


def _picture(quantum: _Quantum, text: str) -> Picture:
    matrix = _parse(quantum, text).reshape(quantum.positions, quantum.positions).tolist()
    cells = []
    for position, shares in enumerate(matrix):
        row, column = divmod(position, quantum.width)
        left, top = (_MARGIN + at * (_SIDE + _GAP) for at in (column, row))
        for tile, units in enumerate(shares):
            if not units:
                continue
            height = _SIDE * units / quantum.k
            outline = f"M{left:.2f} {top:.2f}h{_SIDE:.2f}v{height:.2f}h{-_SIDE:.2f}Z"
            label = f"{tile}" if units == quantum.k else f"{tile} ×{units}"
            named, colour = f"tile {tile}", _PAINT[tile % len(_PAINT)]
            if tile == quantum.space:
                label, named, colour = "", "space", _SPACE
            place = f"position {position}, {named}, {units} of {quantum.k}"
            cells.append(Cell(place, outline, colour, label, left + _SIDE / 2, top + height / 2))
            top += height
    width, height = (2 * _MARGIN + at * (_SIDE + _GAP) - _GAP for at in (quantum.width, quantum.height))
    return Picture(width, height, tuple(cells))


# The index side.


def _divisions(units: int, parts: int) -> npt.NDArray[np.int64]:
    """All ways to divide units among parts, in lexicographic order: int64[ways, parts]."""
    bars = np.array(list(combinations(range(units + parts - 1), parts - 1)), np.int64).reshape(-1, parts - 1)
    ends = np.full((len(bars), 1), -1), np.full((len(bars), 1), units + parts - 1)
    return np.diff(np.hstack([ends[0], bars, ends[1]])) - 1


class _Index:
    """The automaton of one puzzle, and what a move makes of the shares of a position."""

    def __init__(self, quantum: _Quantum) -> None:
        self.quantum = quantum
        size, k = quantum.positions, quantum.k
        self.shares = _divisions(k, size)
        self.size, self.links = self._automaton()
        self.codes = (k + 1) ** np.arange(size)
        self.number = np.full((k + 1) ** size, -1, np.int32)
        self.number[self.shares @ self.codes] = np.arange(len(self.shares))
        # after[given, units - 1, tile, shares]: a position's shares once units of a tile have left
        # (given 0) or come (given 1), the space taking their place or giving it; -1 where that cannot be.
        self.after = np.full((2, quantum.amounts, quantum.space, len(self.shares)), -1, np.int32)
        for sign, units, tile in np.ndindex(self.after.shape[:3]):
            changed = self.shares.copy()
            changed[:, tile] += (2 * sign - 1) * (units + 1)
            changed[:, -1] -= (2 * sign - 1) * (units + 1)
            possible = (changed >= 0).all(axis=1)
            self.after[sign, units, tile, possible] = self.number[changed[possible] @ self.codes]
        self.spaces = self.shares[:, -1].copy()
        self.edges = np.array(quantum.edges)

    def _automaton(self) -> tuple[int, npt.NDArray[np.int32]]:
        """How many matrices there are, and the links: int32[nodes, ways, (follow, offset)]; node 0 starts.

        `follow` is the next node, -1 where a column would have too much; `offset` counts the matrices
        that go through the links before.
        """
        size, k = self.quantum.positions, self.quantum.k
        codes = (k + 1) ** np.arange(size)
        layers = [np.full((1, size), k)]
        follows = []
        for _ in range(size):
            left = layers[-1][:, None, :] - self.shares
            possible = (left >= 0).all(axis=2)
            _, first, to = np.unique(left[possible] @ codes, return_index=True, return_inverse=True)
            follow = np.full(possible.shape, -1)
            follow[possible] = to.reshape(-1)
            follows.append(follow)
            layers.append(left[possible][first])
        starts = np.cumsum([0, *map(len, layers)])
        links = np.full((starts[-1], len(self.shares), 2), -1, np.int32)
        completions = np.ones(1, np.int64)
        for layer in range(size - 1, -1, -1):
            follow = follows[layer]
            through = np.where(follow >= 0, completions[follow], 0)
            here = links[starts[layer] : starts[layer + 1]]
            here[:, :, 0] = np.where(follow >= 0, follow + starts[layer + 1], -1)
            here[:, :, 1] = np.cumsum(through, axis=1) - through
            completions = through.sum(axis=1)
        return int(completions[0]), links

    def expand(self, indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(self.quantum.moves)), np.int64)
        _expand(indices, self.links, self.after, self.spaces, self.edges, successors)
        return successors

    def rank(self, boards: Boards) -> Indices:
        indices = np.empty(len(boards), np.int64)
        _rank(boards, self.links, self.number, self.codes, indices)
        return indices

    def unrank(self, indices: Indices) -> Boards:
        numbers = np.empty((len(indices), self.quantum.positions), np.int64)
        _unrank(indices, self.links, numbers)
        return self.shares[numbers].astype(np.uint8).reshape(len(indices), -1)


def _space(quantum: _Quantum, _goal: Goal) -> Space:
    index = _Index(quantum)
    goal_states = index.rank(_parse(quantum, quantum.solved)[None, :])
    if quantum.k == 1:
        return _reachable(index, goal_states)
    return Space(
        size=index.size,
        expand=index.expand,
        goal_states=goal_states,
        rank=index.rank,
        unrank=index.unrank,
        connected=True,
    )


def _reachable(index: _Index, goal_states: Indices) -> Space:
    """The states of whole tiles that can reach the goal, half of all, numbered in the same order."""
    links = index.expand(np.arange(index.size))
    joined = np.zeros(index.size, bool)
    layer = goal_states
    while len(layer):
        joined[layer] = True
        layer = np.unique(links[layer][links[layer] >= 0])
        layer = layer[~joined[layer]]
    every = np.append(np.flatnonzero(joined), -1)  # the last entries are what index -1 finds
    dense = np.full(index.size + 1, -1)
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
def _rank(boards, links, number, codes, indices):  # type: ignore[no-untyped-def]
    """Indices of matrices; -1 where a row or a column does not have the right sum."""
    size = codes.shape[0]
    for i in range(boards.shape[0]):
        indices[i] = node = 0
        for position in range(size):
            code = np.int64(0)
            for tile in range(size):
                units = np.int64(boards[i, position * size + tile])
                code = code + units * codes[tile] if code >= 0 and units < codes[1] else np.int64(-1)
            way = number[code] if code >= 0 else -1
            follow = links[node, way, 0] if way >= 0 else -1
            if follow < 0:
                indices[i] = -1
                break
            indices[i] += links[node, way, 1]
            node = follow


@kernel
def _unrank(indices, links, numbers):  # type: ignore[no-untyped-def]
    size = numbers.shape[1]
    nodes, ranks = np.empty(size + 1, np.int64), np.empty(size + 1, np.int64)
    for i in range(indices.shape[0]):
        _walk(indices[i], links, numbers[i], nodes, ranks)


@kernel
def _walk(index, links, ways, nodes, ranks):  # type: ignore[no-untyped-def]
    """The path of an index: the number of each position's shares, and before it the node and the sum of offsets."""
    nodes[0] = 0
    ranks[0] = 0
    for position in range(ways.shape[0]):
        node, rest = nodes[position], index - ranks[position]
        # The last way whose offset is no more than the rest: ways that cannot be have the offset of the next.
        low, high = 0, links.shape[1]
        while high - low > 1:
            middle = (low + high) // 2
            if links[node, middle, 1] <= rest:
                low = middle
            else:
                high = middle
        ways[position] = low
        nodes[position + 1] = links[node, low, 0]
        ranks[position + 1] = ranks[position] + links[node, low, 1]


@kernel
def _expand(indices, links, after, spaces, edges, successors):  # type: ignore[no-untyped-def]
    amounts, tiles = after.shape[1], after.shape[2]
    size = tiles + 1
    ways = np.empty(size, np.int64)
    nodes, ranks = np.empty(size + 1, np.int64), np.empty(size + 1, np.int64)
    for i in range(indices.shape[0]):
        successors[i] = -1
        if indices[i] < 0:
            continue
        _walk(indices[i], links, ways, nodes, ranks)
        for edge in range(edges.shape[0]):
            source, target = edges[edge, 0], edges[edge, 1]
            if spaces[ways[target]] == 0:
                continue  # tested first: a quarter less time in all
            for tile in range(tiles):
                for units in range(amounts):
                    left = after[0, units, tile, ways[source]]
                    come = after[1, units, tile, ways[target]]
                    if left < 0 or come < 0:
                        break
                    move = (tile * edges.shape[0] + edge) * amounts + units
                    if source < target:
                        successors[i, move] = _moved(source, target, left, come, links, ways, nodes, ranks)
                    else:
                        successors[i, move] = _moved(target, source, come, left, links, ways, nodes, ranks)


@kernel
def _moved(first, second, first_way, second_way, links, ways, nodes, ranks):  # type: ignore[no-untyped-def]
    """The index with the shares of two positions others: behind the second the path is as before."""
    node = np.int64(links[nodes[first], first_way, 0])
    rank = ranks[first] + links[nodes[first], first_way, 1]
    for position in range(first + 1, second):
        rank += links[node, ways[position], 1]
        node = np.int64(links[node, ways[position], 0])
    return rank + links[node, second_way, 1] + ranks[ways.shape[0]] - ranks[second + 1]


# The family.

_PATTERN = re.compile("quantum-(2)x(?:(2)-([1-8])|(3)-([1-3]))(-bulk)?")


@cache
def _puzzle(name: str) -> Puzzle:
    matched = _PATTERN.fullmatch(name)
    assert matched is not None
    height, *sides, bulk = matched.groups()
    width, k = (side for side in sides if side)
    quantum = _Quantum(int(height), int(width), int(k), bulk is not None)
    metric = "any amount of a tile at once" if quantum.bulk else "unit by unit"
    solved = quantum.solved
    play = partial(_play, quantum)
    after = [*played(play, solved, quantum.moves).values()]
    most = f"*{quantum.k}" if quantum.k > 1 else ""
    return Puzzle(
        name=name,
        title=f"Quantum {height}×{width} puzzle, {k} unit{'s' if quantum.k > 1 else ''} a position, {metric}",
        family="quantum",
        moves=tuple(Move(move, f"tile {tile}") for move, (tile, *_) in quantum.moves.items()),
        goals=(Goal("solved", (solved,), solved),),
        notation=Notation(
            state="The positions row by row, separated by /, each as the units of the tiles 0 to "
            f"{quantum.space - 1} and last of the space, separated by commas; every position holds {k}, and so does "
            "every tile in all. "
            f"A tile's number is its home's; the space's home is position {quantum.space}",
            moves="T3:0-1 is one unit of tile 3 from position 0 to the adjacent position 1, where space makes way"
            + (f"; T3:0-1*2 is two units, and so on to {most or 'one'}, each one move" if quantum.bulk else ""),
            examples=(solved, *after[:2]),
        ),
        parse=partial(_parse, quantum),
        format=_format,
        play=play,
        picture=partial(_picture, quantum),
        space=cache(partial(_space, quantum)),
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
    make=_puzzle,
)
