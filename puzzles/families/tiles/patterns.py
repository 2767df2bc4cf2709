"""The patterns of the larger sliding puzzles: disjoint sets of tiles, whose distances add up.

Tiles are renamed so that the goal is in order, and the board is reflected so that the blank's home
has patterns. So one set of tables answers for every goal with the blank in a corner.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Goal, Pattern, Patterns
from puzzlebase.puzzles.families.sliding import BACK, MOVES, SlidingRules
from puzzlebase.puzzles.families.tiles import Tiles

SETS = {
    (2, 7, 13): ("12389a", "4567bcd"),
    (3, 5, 14): ("12367bc", "4589ade"),
    (4, 4, 15): ("1235678", "9abcdef", "4"),
}
"""The tiles of each pattern, named after their homes,
by the sides of the board and the blank's home.

Of 200 random boards of the 15-puzzle the median takes 30,000 moves examined, the mean 130,000, and
one in a hundred 1,830,000. Tried and dropped: the first seven tiles and the eighth alone, 33,500,
149,000 and 2,970,000; six, six and three tiles, 125 times as many on a board of 57 moves; eight
tiles, whose table would take 1.4 GB of memory.
"""
_VIEWS = 2  # symmetries of the board that are looked up: a corner stays in its place in two of them


def patterns_of(rules: SlidingRules, goal: Goal) -> Patterns | None:
    """Make the patterns for a goal; None if the blank's home has none."""
    positions = np.full((rules.places, len(MOVES)), -1, np.int16)
    for blank, (number, move) in product(range(rules.places), enumerate(MOVES)):
        if (place := rules.from_place(blank, move)) is not None:
            positions[blank, number] = place
    chosen: list[Pattern] = []
    for turned in _symmetries(rules):
        sets = SETS.get((rules.height, rules.width, turned[goal.states[0].index("0")]))
        if sets and len(chosen) < _VIEWS * len(sets):
            group = len(chosen)
            for tiles in sets:
                pattern = Tiles(rules.height, rules.width, "".join(sorted(tiles)))
                chosen.append(_pattern(pattern, goal.states[0], positions, turned, group))
    if not chosen:
        return None
    return Patterns(
        patterns=tuple(chosen),
        position=lambda text: text.index("0"),
        positions=positions,
        follows=np.array([[BACK[move] != other for other in MOVES] for move in MOVES]),
        step=2,
    )


def _symmetries(rules: SlidingRules) -> Iterator[tuple[int, ...]]:
    """The target of each place in each symmetry of the board."""
    board = np.arange(rules.places).reshape(rules.height, rules.width)
    for down, right in product((1, -1), repeat=2):
        yield tuple(board[::down, ::right].ravel().tolist())
        if rules.height == rules.width:
            yield tuple(board.T[::down, ::right].ravel().tolist())


def _pattern(
    tiles: Tiles, goal: str, positions: npt.NDArray[np.int16], turned: tuple[int, ...], group: int
) -> Pattern:
    """Make the pattern of some tiles,
    named after the homes of the goal's tiles on the reflected board.
    """
    numbers = {edge: number for number, edge in enumerate(tiles.edges.values())}
    edges = np.full(positions.shape, -1, np.int16)
    for (blank, move), place in np.ndenumerate(positions):
        if place >= 0:
            edges[blank, move] = numbers[turned[place], turned[blank]]
    homes = {tile: turned[home] for home, tile in enumerate(goal)}

    def state(text: str) -> str:
        places = {homes[tile]: turned[place] for place, tile in enumerate(text) if tile != "0"}
        return tiles.state(places, turned[text.index("0")])

    return Pattern(puzzle=tiles.name, state=state, edges=edges, group=group)
