"""The board as data, stacks of bars; and the moves that a board lists.

Bars are stacked in their position, sorted by tile, above the space. If units are few, each is a
bar. Otherwise all units of a tile in a position are one bar, with a least height and the higher
the larger their share, without motions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from puzzlebase.puzzles import (
    Drawing,
    Effect,
    Goal,
    Layout,
    Motion,
    Move,
    Piece,
    Place,
    Shape,
    rectangle,
    states_after_moves,
)
from puzzlebase.puzzles.contract.layout import grid, numbered, piece_in, square
from puzzlebase.puzzles.families.quantum.board import QuantumRules, matrix_of, play

_PAINT = ("#d8433b", "#2f6fde", "#2e9e4f", "#c98a1b", "#9a4fc4", "#178a94", "#b0437f", "#7a6a1f")
_POSITION = "#e9e6df"
_SIDE, _GAP, _MARGIN, _LETTER = 112.0, 18.0, 18.0, 16.0
_LEAST = 10.0  # of a bar, so that a unit among thousands is seen
_GREY = "#787267"  # of a position's number above it, on light and dark pages
# in a position, and on the board with the space, where units are pieces
_MOST_UNITS, _MOST_BARS = 8, 36
# characters of the states after listed moves: the answer with its pieces stays below 200 kB
_MOST_LISTED = 80_000

Matrix = list[list[int]]


def layout_drawing(rules: QuantumRules) -> Drawing:
    """The drawing of a quantum puzzle."""
    return Drawing(
        layout=partial(layout, rules),
        effect=partial(effect, rules),
        listed=None if rules.enumerable else partial(layout_moves, rules),
    )


def layout(rules: QuantumRules, text: str, _goal: Goal) -> Layout:
    """Draw the bars of each position."""
    matrix: Matrix = matrix_of(rules, text).tolist()
    places = _places(rules)
    marks = [
        Shape(
            id=f"position-{place.name}",
            outline=square(place, _SIDE),
            colour=_POSITION,
            x=place.x,
            y=place.y,
        )
        for place in places
    ]
    # the numbers of positions, as names of moves have them
    numbers = [
        Shape(
            id=f"number-{place.name}",
            outline="",
            colour=_GREY,
            x=place.x,
            y=place.y - _SIDE / 2 - _MARGIN / 2,
            label=place.name,
            size=12.0,
        )
        for place in places
    ]
    end, shown = _SIDE / 2 + _MARGIN, (*marks, *numbers)
    return Layout(
        places[-1].x + end, places[-1].y + end, places, shown, tuple(_bars(rules, matrix))
    )


def effect(rules: QuantumRules, text: str, move: str) -> Effect:
    """Move the lowest units of a tile to the adjacent position;
    in both positions units below close up or give way.

    In the bulk metric players grip the highest unit that goes,
    and the units of its tile below go with it.
    """
    play(rules, text, move)
    meant = rules.move(move)
    assert meant is not None
    tile, source, target, amount = meant
    if not _as_units(rules):
        return Effect((f"share-{tile}-{source}",), None)
    names, tiles = _units(rules, matrix_of(rules, text).tolist())
    here, from_here, from_there = tiles[source], names[source], names[target]
    # the slots of the tile's units, from the top
    first, last = here.index(tile), here.index(tile) + here.count(tile)
    free = sum(other <= tile for other in tiles[target])  # the first slot for those that come
    places, high = _places(rules), _SIDE / rules.k
    across, level = places[target].x - places[source].x, places[target].y - places[source].y
    down = round(level + (free - (last - amount)) * high, 2)
    rise = round(amount * high, 2)
    motions = (
        *(
            Motion(piece=unit, slide=(across, down), lift=True)
            for unit in from_here[last - amount : last]
        ),
        *(Motion(piece=unit, slide=(0, -rise)) for unit in from_here[last:]),
        *(Motion(piece=unit, slide=(0, rise)) for unit in from_there[free:]),
    )
    taken = last - amount if rules.bulk else first
    return Effect(
        tuple(from_here[taken : taken + 1] if rules.bulk else from_here[taken:last]), motions
    )


def layout_moves(rules: QuantumRules, text: str) -> tuple[Move, ...]:
    """The moves of one unit that a layout lists;
    if their states are too long for one answer, every second, third, ...
    """
    names = states_after_moves(partial(play, rules), text, rules.moves)
    moves = [Move(name, f"tile {rules.moves[name][0]}") for name in names]
    fit = _MOST_LISTED // len(text)
    return tuple(moves[:: -(-len(moves) // fit) or 1])


def _as_units(rules: QuantumRules) -> bool:
    """True if each unit is a piece of its own."""
    return rules.k <= _MOST_UNITS and rules.k * rules.positions <= _MOST_BARS


def _places(rules: QuantumRules) -> tuple[Place, ...]:
    return grid(rules.height, rules.width, (_SIDE, _SIDE), _GAP, _MARGIN)


def _bars(rules: QuantumRules, matrix: Matrix) -> Iterator[Piece]:
    """The pieces, position by position from the top."""
    for place, stack, shares in zip(_places(rules), _stacks(rules, matrix), matrix, strict=True):
        top = place.y - _SIDE / 2
        tiles = sum(map(bool, shares))
        least = 0.0 if _as_units(rules) else min(_LEAST, _SIDE / 2 / tiles)
        for name, tile, units in stack:
            high = least + (_SIDE - least * tiles) * units / rules.k
            middle = Place(place.name, place.x, round(top + high / 2, 2))
            outline = rectangle(place.x - _SIDE / 2, top, _SIDE, high)
            # some tiles share a colour where these are too few
            colour = _PAINT[(tile - (tile > rules.space)) % len(_PAINT)]
            size = min(_LETTER, round(0.8 * high, 1))
            yield piece_in(middle, name, outline, colour, str(tile), size)
            top += high


def _stacks(rules: QuantumRules, matrix: Matrix) -> Iterator[list[tuple[str, int, int]]]:
    """The bars of each position from the top: the id, the tile and the units of each."""
    if _as_units(rules):
        for names, tiles in zip(*_units(rules, matrix), strict=True):
            yield [(name, tile, 1) for name, tile in zip(names, tiles, strict=True)]
        return
    for position, shares in enumerate(matrix):
        yield [
            (f"share-{tile}-{position}", tile, units)
            for tile, units in enumerate(shares)
            if tile != rules.space and units
        ]


def _units(rules: QuantumRules, matrix: Matrix) -> tuple[list[list[str]], Matrix]:
    """The ids and the tiles of the units of each position, from the top, without the space."""
    tiles = [
        [tile for tile, units in enumerate(shares) if tile != rules.space for _ in range(units)]
        for shares in matrix
    ]
    names = iter(numbered(f"unit-{tile}-" for here in tiles for tile in here))
    return [[next(names) for _ in here] for here in tiles], tiles
