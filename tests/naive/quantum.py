"""Quantum and whole sliding puzzles once more,
as units and tiles on text, in plain Python; see __init__.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.naive import Neighbours


def adjacent(height: int, width: int) -> list[tuple[int, int]]:
    """Pairs of positions that share a side, in both directions, in order."""
    pairs = []
    for position in range(height * width):
        row, column = position // width, position % width
        for other_row, other_column in (
            (row - 1, column),
            (row, column - 1),
            (row, column + 1),
            (row + 1, column),
        ):
            if 0 <= other_row < height and 0 <= other_column < width:
                pairs.append((position, other_row * width + other_column))
    return pairs


def move_names(height: int, width: int, amounts: int) -> list[str]:
    """All moves: each tile, along each pair, up to some number of units."""
    return [
        f"T{tile}:{source}-{target}" + ("" if units == 1 else f"*{units}")
        for tile in range(height * width - 1)
        for source, target in adjacent(height, width)
        for units in range(1, amounts + 1)
    ]


def swap(state: str, name: str) -> str | None:
    """Play a move unit by unit, each for a unit of space; None where there is none."""
    body, _, times = name.partition("*")
    tile, _, pair = body[1:].partition(":")
    source, target = map(int, pair.split("-"))
    board = [[int(units) for units in position.split(",")] for position in state.split("/")]
    for _ in range(int(times or "1")):
        if not board[source][int(tile)] or not board[target][-1]:
            return None
        board[source][int(tile)] -= 1
        board[target][int(tile)] += 1
        board[target][-1] -= 1
        board[source][-1] += 1
    return "/".join(",".join(map(str, position)) for position in board)


def quantum_neighbours(names: list[str]) -> Neighbours:
    """Every state one move away, with the move."""

    def after(state: str) -> Iterable[tuple[str, str]]:
        moved = ((name, swap(state, name)) for name in names)
        return [(name, to) for name, to in moved if to is not None]

    return after


def every_matrix(size: int, k: int) -> Iterator[str]:
    """All square matrices of a size whose rows and columns sum to k."""

    def rows(left: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
        if not left:
            if total == 0:
                yield ()
            return
        for units in range(min(left[0], total) + 1):
            for rest in rows(left[1:], total - units):
                yield units, *rest

    def boards(left: tuple[int, ...], positions: int) -> Iterator[list[str]]:
        if positions == 0:
            yield []
            return
        for row in rows(left, k):
            remaining = tuple(had - units for had, units in zip(left, row, strict=True))
            for rest in boards(remaining, positions - 1):
                yield [",".join(map(str, row)), *rest]

    return ("/".join(board) for board in boards((k,) * size, size))


def slide(state: str, name: str, width: int) -> str | None:
    """Slide the tile that can go in a direction into the blank; None where there is none."""
    blank = state.index("0")
    below, right = {"U": (1, 0), "D": (-1, 0), "L": (0, 1), "R": (0, -1)}[name]
    row, column = blank // width + below, blank % width + right
    if row < 0 or column < 0 or row >= len(state) // width or column >= width:
        return None
    tile = state[row * width + column]
    return state.replace(tile, "?").replace("0", tile).replace("?", "0")


def sliding_neighbours(width: int) -> Neighbours:
    """Every state one move away, with the move."""

    def after(state: str) -> Iterable[tuple[str, str]]:
        moved = ((name, slide(state, name, width)) for name in "UDLR")
        return [(name, to) for name, to in moved if to is not None]

    return after


def replay(units: list[list[int]], line: list[list[int]], space: int, width: int) -> int:
    """Play moves (tile, from, to, amount) on a board of each tile's units in each position,
    and count the units.

    Returns -1 for an illegal move. It works on lists,
    and on arrays, so that a proof may compile it.
    """
    moved = 0
    for number in range(len(line)):
        tile, source, target, amount = (
            line[number][0],
            line[number][1],
            line[number][2],
            line[number][3],
        )
        steps = abs(source // width - target // width) + abs(source % width - target % width)
        if steps != 1 or tile == space or amount < 1:
            return -1
        if units[source][tile] < amount or units[target][space] < amount:
            return -1
        units[source][tile] -= amount
        units[target][tile] += amount
        units[target][space] -= amount
        units[source][space] += amount
        moved += amount
    return moved


def parsed_move(name: str) -> list[int]:
    """The tile, source, target and amount in a move's name."""
    body, _, times = name.partition("*")
    tile, _, pair = body[1:].partition(":")
    return [int(tile), *map(int, pair.split("-")), int(times or "1")]


def units_from_home(units: list[list[int]], space: int, width: int) -> int:
    """The Manhattan distance of all units but those of the space."""
    total = 0
    for position in range(len(units)):
        for tile in range(len(units)):
            if tile != space:
                steps = abs(position // width - tile // width) + abs(
                    position % width - tile % width
                )
                total += units[position][tile] * steps
    return total
