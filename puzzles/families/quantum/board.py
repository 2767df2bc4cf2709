"""The board side: texts of any size, the moves by name, and the checks of a board."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import (
    Board,
    Boards,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    Signed,
    shorten,
)
from puzzlebase.puzzles.families.quantum.graph import Ints, PositionGraph

_ROUNDS = 200  # of scaling: by then rows and columns agree to far less than a unit

_WITH_TABLE = "quantum-(2x2-[1-8]|2x3-[1-3])(-bulk)?"
_LARGER = (
    "quantum-[2-4]x[2-4]-([2-9]|[1-9][0-9]{1,3}|10000)"  # of one unit, it would be a sliding puzzle
)
PATTERN = re.compile(f"{_WITH_TABLE}|{_LARGER}")
_PAPERS = (3, 3, 1000)  # the board of the paper, whose space is at home in the centre
_NUMBERS = re.compile("(0|[1-9][0-9]*)([,/](0|[1-9][0-9]*))*")
_AMOUNT = re.compile(r"(T[0-9]+:[0-9]+-[0-9]+)\*([1-9][0-9]{0,4})")


@dataclass(frozen=True)
class QuantumRules:
    """One puzzle of the family: the board's sides, the units of a tile, and the metric."""

    height: int
    width: int
    k: int
    bulk: bool

    @classmethod
    def of(cls, name: str) -> QuantumRules:
        """Read a name that matches PATTERN."""
        _, board, k, *metric = name.split("-")
        height, width = map(int, board.split("x"))
        return cls(height, width, int(k), bulk=metric == ["bulk"])

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        return f"quantum-{self.height}x{self.width}-{self.k}{'-bulk' if self.bulk else ''}"

    @property
    def positions(self) -> int:
        """The number of positions, and of tiles with the space."""
        return self.height * self.width

    @property
    def space(self) -> int:
        """The column that is the space, and its home."""
        return 4 if (self.height, self.width, self.k) == _PAPERS else self.positions - 1

    @property
    def enumerable(self) -> bool:
        """True if the board is small enough for a table."""
        return re.fullmatch(_WITH_TABLE, self.name) is not None

    @property
    def amounts(self) -> int:
        """The most units of a listed move; where there is no table, a name may say more."""
        return self.k if self.bulk else 1

    @cached_property
    def graph(self) -> PositionGraph:
        """The positions, none of them blocked."""
        return PositionGraph(self.height, self.width, self.space)

    @cached_property
    def moves(self) -> dict[str, tuple[int, int, int, int]]:
        """The moves by name: tile, from, to and the number of units."""
        return {
            move_name(tile, source, target, units): (tile, source, target, units)
            for tile in range(self.positions)
            if tile != self.space
            for source, target in self.graph.edges
            for units in range(1, self.amounts + 1)
        }

    def move(self, name: str) -> tuple[int, int, int, int] | None:
        """Return the move of a name, which may say an amount where there is no table;
        None if there is no such move.
        """
        if name in self.moves or self.enumerable:
            return self.moves.get(name)
        named = _AMOUNT.fullmatch(name)
        if named is None or named[1] not in self.moves or not 2 <= int(named[2]) <= self.k:
            return None
        tile, source, target, _ = self.moves[named[1]]
        return tile, source, target, int(named[2])

    @cached_property
    def units(self) -> dict[str, int]:
        """The numbers of units by their digits."""
        return {str(units): units for units in range(self.k + 1)}

    @cached_property
    def solved(self) -> str:
        """The state where every tile is at home."""
        return format_board(np.diag(np.full(self.positions, self.k)).reshape(-1))


def move_name(tile: int, source: int, target: int, units: int) -> str:
    """The name of a quantum move, of units of a tile to an adjacent position."""
    return f"T{tile}:{source}-{target}" + (f"*{units}" if units > 1 else "")


def matrix_of(rules: QuantumRules, text: str) -> Ints:
    """Read a quantum board: the units of each tile in each position,
    int64[positions, tiles]; raises as `parse` does.
    """
    return parse(rules, text).astype(np.int64).reshape(rules.positions, rules.positions)


def parse(rules: QuantumRules, text: str) -> Board:
    """Read the matrix row by row: uint8[positions²], or uint16 from 256 units on.

    Raises InvalidState or ImpossibleState.
    """
    size, k = rules.positions, rules.k
    where = "last" if rules.space == size - 1 else f"at number {rules.space}"
    example = (
        f"a state of {rules.name} looks like {rules.solved!r}: for each position the units of "
        f"every tile and {where} "
        f"of the space; every position holds {k}, and so does every tile in all"
    )
    short = repr(shorten(text))
    rows = [row.split(",") for row in text.split("/")]
    if _NUMBERS.fullmatch(text) is None or [*map(len, rows)] != [size] * size:
        raise InvalidState(
            f"{short} is not {size} positions, each with {size} numbers of units", example
        )
    # k + 1 for any more
    matrix = [[rules.units.get(share, k + 1) for share in row] for row in rows]
    for position, shares in enumerate(matrix):
        if sum(shares) != k:
            raise ImpossibleState(
                f"position {position} of {short} does not hold {k} units", example
            )
    for tile, column in enumerate(zip(*matrix, strict=True)):
        if sum(column) != k:
            named = "the space" if tile == rules.space else f"tile {tile}"
            raise ImpossibleState(f"{named} of {short} does not have {k} units in all", example)
    smallest: Any = np.uint8 if k < 256 else np.uint16
    board: Board = np.array(matrix, smallest).reshape(-1)
    return board


def format_board(board: npt.NDArray[np.integer[Any]]) -> str:
    """Write a matrix as `parse` reads it."""
    size = round(len(board) ** 0.5)
    return "/".join(",".join(map(str, row)) for row in board.reshape(size, size).tolist())


def play(rules: QuantumRules, text: str, move: str) -> str:
    """Make a move; raises IllegalMove."""
    meant = rules.move(move)
    if meant is None:
        few = " ".join(list(rules.moves)[: 2 * rules.amounts])
        if not rules.enumerable:
            few += f" {next(iter(rules.moves))}*{rules.k}"
        raise IllegalMove(
            f"there is no move {shorten(move)!r} of {rules.name}", f"moves are: {few} and so on"
        )
    tile, source, target, units = meant
    matrix = [row.split(",") for row in text.split("/")]
    last = rules.space
    if int(matrix[source][tile]) < units or int(matrix[target][last]) < units:
        raise IllegalMove(
            f"{move} is not legal in {shorten(text, 120)!r}",
            f"it takes {units} of tile {tile} in position {source} and as much space "
            f"in position {target}",
        )
    for row, change in ((source, -units), (target, units)):
        matrix[row][tile] = str(int(matrix[row][tile]) + change)
        matrix[row][last] = str(int(matrix[row][last]) - change)
    return "/".join(",".join(row) for row in matrix)


def board_units_at_home(rules: QuantumRules, solved: Boards, boards: Boards) -> Signed:
    """Count the units of quantum tiles that lie as when solved:
    uint8[positions²], uint8[n, positions²] -> int64[n].

    The units of a tile are alike,
    so each share counts the smaller of its two numbers. The space counts nothing.
    """
    tiles = np.arange(len(solved)) % rules.positions != rules.space
    at_home: Signed = np.minimum(boards[:, tiles], solved[tiles]).sum(axis=1, dtype=np.int64)
    return at_home


def random_board(positions: int, k: int, draw: np.random.Generator) -> Ints:
    """A random quantum board: exponentially distributed numbers are scaled until all rows and
    columns have one sum, and rounded: int64[positions, tiles].

    The paper says only that its boards are filled at random.
    These spread as widely as its figure 3 shows.
    """
    shares = draw.exponential(size=(positions, positions))
    for _ in range(_ROUNDS):
        shares /= shares.sum(axis=1, keepdims=True)
        shares /= shares.sum(axis=0)
    units = np.floor(shares * k).astype(np.int64)
    missing_here, missing_of = k - units.sum(axis=1), k - units.sum(axis=0)
    places = np.repeat(np.arange(positions), missing_here)
    np.add.at(units, (places, draw.permutation(np.repeat(np.arange(positions), missing_of))), 1)
    return units


def move_weight(rules: QuantumRules, move: str) -> int:
    """The number of quantum moves of a name: one for each unit, or in the bulk metric one."""
    meant = rules.move(move)
    assert meant is not None
    return 1 if rules.bulk else meant[3]


def symmetric_board(positions: int, k: int) -> Ints:
    """The quantum board with equal shares of all tiles everywhere,
    and the odd units at home: int64[positions, tiles].
    """
    units = np.full((positions, positions), k // positions, np.int64)
    units[np.diag_indices(positions)] += k % positions
    return units


def normal_board(positions: int, k: int, draw: np.random.Generator) -> Ints:
    """A quantum board with each tile whole in one position, in any arrangement: int64[positions,
    tiles].
    """
    return np.diag(np.full(positions, k, np.int64))[draw.permutation(positions)]
