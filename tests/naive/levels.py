"""The games of levels in plain Python, from their rules alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

State = Any
Cell = tuple[int, int]
Piece = frozenset[Cell]
WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))


class Game(NamedTuple):
    """A game: its first state, the states after the legal moves of a state,
    and a test for solved states.
    """

    start: State
    after: Callable[[State], Iterable[State]]
    solved: Callable[[State], bool]


class Known(NamedTuple):
    """The result of a search through all of a game; par is None where it cannot be solved."""

    states: int
    lost: int
    par: int | None


def distances(game: Game) -> tuple[dict[State, set[State]], dict[State, int]]:
    """Find all states forwards, with those after each,
    then all distances backwards; lost states have none.
    """
    after: dict[State, set[State]] = {}
    waiting = [game.start]
    while waiting:
        state = waiting.pop()
        if state not in after:
            after[state] = set(game.after(state))
            waiting += after[state]
    before: dict[State, set[State]] = {state: set() for state in after}
    for state, successors in after.items():
        for successor in successors:
            before[successor].add(state)
    distance: dict[State, int] = {}
    layer = {state for state in after if game.solved(state)}
    moves = 0
    while layer:
        distance |= dict.fromkeys(layer, moves)
        layer = {state for successor in layer for state in before[successor]} - distance.keys()
        moves += 1
    return after, distance


def explore(game: Game) -> Known:
    """Search through all of a game."""
    after, distance = distances(game)
    return Known(len(after), len(after) - len(distance), distance.get(game.start))


def cells_of(board: str) -> dict[Cell, str]:
    """The characters of a board by row and column."""
    return {(r, c): char for r, row in enumerate(board.splitlines()) for c, char in enumerate(row)}


def sokoban(board: str, *, pushes: bool) -> Game:
    """Sokoban, counting pushes or moves."""
    cells = cells_of(board)
    goals: set[Cell] = {cell for cell, char in cells.items() if char in ".*+"}
    floor = {cell for cell, char in cells.items() if char != "#"}
    player = next(cell for cell, char in cells.items() if char in "@+")
    boxes: Piece = frozenset(cell for cell, char in cells.items() if char in "$*")

    def state(player: Cell, boxes: frozenset[Cell]) -> State:
        return (min(walk(player, floor - boxes)) if pushes else player), boxes

    def after(state_before: State) -> Iterable[State]:
        player, boxes = state_before
        for row, column in walk(player, floor - boxes) if pushes else {player}:
            for down, right in WAYS:
                to, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
                if to in boxes and beyond in floor - boxes:
                    yield state(to, boxes - {to} | {beyond})
                elif not pushes and to in floor - boxes:
                    yield state(to, boxes)

    return Game(state(player, boxes), after, lambda state: state[1] <= goals)


def walk(start: Cell, free: set[Cell]) -> set[Cell]:
    """The cells within walking reach."""
    reached, waiting = {start}, [start]
    while waiting:
        row, column = waiting.pop()
        around = {(row + down, column + right) for down, right in WAYS} & free - reached
        reached |= around
        waiting += around
    return reached


def pegs(board: str, goal: str | None = None) -> Game:
    """Peg solitaire; without a goal it is solved when one peg is left."""
    places = {cell for cell, char in cells_of(board).items() if char in "o."}

    def after(state: State) -> Iterable[State]:
        standing: Piece = state
        for row, column in standing:
            for down, right in WAYS:
                over, to = (row + down, column + right), (row + 2 * down, column + 2 * right)
                if over in standing and to in places - standing:
                    yield standing - {(row, column), over} | {to}

    def standing(board: str) -> Piece:
        return frozenset(cell for cell, char in cells_of(board).items() if char == "o")

    end = goal and standing(goal)
    return Game(
        standing(board), after, lambda state: len(state) == 1 if goal is None else state == end
    )


def blocks(board: str, goal: str, counts: str, *, rails: bool = False, alike: str = "") -> Game:
    """Sliding blocks; states are the cells of each piece,
    by shape alone for pieces that the goal does not name.

    Pieces of each word of `alike` are so by shape too, in the goal and elsewhere.
    """
    first = {letter: group[0] for group in alike.split() for letter in group}
    cells = cells_of(board)
    letters = sorted({char for char in cells.values() if char.isalnum()})
    floor = {cell for cell, char in cells.items() if char != "#"}
    where = {
        letter: frozenset(cell for cell, char in cells.items() if char == letter)
        for letter in letters
    }
    ends = {
        letter: frozenset(cell for cell, char in cells_of(goal).items() if char == letter)
        for letter in set(goal) - set(". \n#")
    }

    def state(placed: dict[str, Piece]) -> State:
        return frozenset(
            (first.get(letter, letter) if letter in ends else "", placed[letter])
            for letter in letters
        )

    def after(state: State) -> Iterable[State]:
        pieces: frozenset[tuple[str, Piece]] = state
        taken = {cell for _, piece in pieces for cell in piece}
        for name, piece in pieces:
            for moved in slides(piece, (floor - taken) | piece, counts, rails=rails):
                yield pieces - {(name, piece)} | {(name, moved)}

    solved = {(first.get(letter, letter), piece) for letter, piece in ends.items()}
    return Game(state(where), after, lambda state: solved <= state)


def slides(piece: Piece, free: set[Cell], counts: str, *, rails: bool) -> set[Piece]:
    """The cells of a piece after one move."""
    rows, columns = (len({cell[axis] for cell in piece}) for axis in (0, 1))
    ways = [step for step in WAYS if not rails or (step[0] == 0) == (columns > rows)]
    found, waiting = {piece}, [piece]
    while waiting:
        one = waiting.pop()
        for down, right in ways:
            moved = one
            while (
                moved := frozenset((row + down, column + right) for row, column in moved)
            ) <= free:
                if counts == "piece" and moved not in found:
                    waiting.append(moved)
                found.add(moved)
                if counts == "cells":
                    break
    return found - {piece}


def tubes(board: str) -> Game:
    """Water sort; tubes have no order."""
    size = len(board.split(maxsplit=1)[0])
    start = tuple(sorted(tube.rstrip(".") for tube in board.split()))

    def after(state: State) -> Iterable[State]:
        tubes: tuple[str, ...] = state
        for a, source in enumerate(tubes):
            for b, target in enumerate(tubes):
                if (
                    a == b
                    or not source
                    or len(target) == size
                    or (target and target[-1] != source[-1])
                ):
                    continue
                same = len(source) - len(source.rstrip(source[-1]))
                if not target and same == len(source):
                    continue
                poured = min(same, size - len(target))
                rest = [tube for at, tube in enumerate(tubes) if at not in (a, b)]
                yield tuple(sorted([*rest, source[:-poured], target + source[-1] * poured]))

    return Game(
        start,
        after,
        lambda state: all(not t or (len(t) == size and len(set(t)) == 1) for t in state),
    )
