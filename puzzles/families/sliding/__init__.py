"""Sliding puzzles: the 8-puzzle and its like, boards of up to sixteen places.

Glossary
    place       0 .. R*C-1, row by row.
    home        the place of the blank when the puzzle is solved; the tiles 1, 2, ... fill the
                others in order.
    sequence    the tiles in the order of their places, without the blank. A move along a row leaves
                it unchanged; a move along a column takes one tile past C-1 others.
    digit       of a tile in the sequence: the number of later tiles that are smaller (the Lehmer
                code). The sum of the digits has the parity of the permutation.

Consider all states that can reach the goal. If their blanks are in one row, their sequences have
one parity. So the last digit but one follows from those before it, and the last one is 0. The index
is the place of the blank, then the other digits in mixed radix: (R*C)!/2 states without gaps. A
tile that passes others changes only its digit and theirs.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import partial
from math import factorial
from pathlib import Path

import numpy as np

from puzzlebase.puzzles import (
    SPACES,
    About,
    Board,
    Boards,
    BoardSide,
    Drawing,
    Effect,
    Engine,
    ExampleMove,
    Family,
    Goal,
    GraphSearch,
    IllegalMove,
    ImpossibleState,
    IndexSide,
    Indices,
    InvalidState,
    Layout,
    Motion,
    Move,
    Notation,
    PatternDatabases,
    Place,
    Published,
    Puzzle,
    Shape,
    Space,
    WholeTable,
    check_move,
    grid,
    kernel,
    piece_in,
    places_at_home,
    rectangle,
    shorten,
    square,
)
from puzzlebase.puzzles.discovery import family_extra

TILES = "0123456789abcdef"  # the blank and the tiles
BACK = {"U": "D", "D": "U", "L": "R", "R": "L"}

MOVES = dict.fromkeys("UDLR", "tile")
"""The moves, each with its group; a hint adds the tile's number."""


@dataclass(frozen=True)
class SlidingBoard:
    """A board of places 0 .. height * width - 1, row by row."""

    height: int
    width: int

    @property
    def places(self) -> int:
        """The number of places."""
        return self.height * self.width

    def beside(self, place: int, direction: str) -> int | None:
        """The place above (U), below (D),
        left (L) or right (R) of a place; None beyond the edge.
        """
        row, column = divmod(place, self.width)
        row += (direction == "D") - (direction == "U")
        column += (direction == "R") - (direction == "L")
        return (
            row * self.width + column
            if 0 <= row < self.height and 0 <= column < self.width
            else None
        )


@dataclass(frozen=True)
class SlidingRules(SlidingBoard):
    """One puzzle of the family."""

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        return f"sliding-{self.height}x{self.width}"

    @property
    def tiles(self) -> str:
        """The letters of the blank and the tiles."""
        return TILES[: self.places]

    def solved(self, home: int) -> str:
        """The solved state with the blank's home in a place."""
        return self.tiles[1 : home + 1] + "0" + self.tiles[home + 1 :]

    def from_place(self, blank: int, move: str) -> int | None:
        """The place of the tile that a move takes to the blank; None if there is none."""
        return self.beside(blank, BACK[move])


# The board side: text. A board is uint8[places], the tile in each place, 0 the blank.


def _parse(rules: SlidingRules, text: str) -> Board:
    tiles = rules.tiles
    example = (
        f"a state of {rules.name} looks like {rules.solved(rules.places - 1)!r}: row "
        f"by row, each of {tiles[1]} to {tiles[-1]} once, and 0 where the blank is"
    )
    if len(text) != rules.places:
        raise InvalidState(
            f"the length of {shorten(text)!r} is {len(text)}, not {rules.places}", example
        )
    for place, letter in enumerate(text):
        if letter not in tiles:
            raise InvalidState(
                f"{text!r} has {letter!r} in place {place}, which is no tile", example
            )
    missing = [letter for letter in tiles if letter not in text]
    if missing:
        twice = next(letter for letter in tiles if text.count(letter) > 1)
        raise ImpossibleState(f"{text!r} has {twice} twice and lacks {missing[0]}", example)
    return np.array([tiles.index(letter) for letter in text], np.uint8)


def _format(board: Board) -> str:
    return "".join(TILES[tile] for tile in board.tolist())


def _play(rules: SlidingRules, text: str, move: str) -> str:
    check_move(move, MOVES)
    blank = text.index("0")
    place = rules.from_place(blank, move)
    if place is None:
        raise IllegalMove(
            f"{move} is not legal in {text!r}",
            "U D L R say which way a tile moves; the blank is at an edge, so no tile "
            "can move that way",
        )
    return text.translate(str.maketrans("0" + text[place], text[place] + "0"))


def _part(rules: SlidingRules, text: str, move: str) -> str:
    place = rules.from_place(text.index("0"), move)
    assert place is not None
    return f"{MOVES[move]} {TILES.index(text[place])}"


# Goals: the tiles in order, one goal for each home.


def _goals(rules: SlidingRules) -> tuple[Goal, ...]:
    """The goals by the blank's home, the last place first.
    Published numbers are of homes in corners.
    """
    short, long = sorted((rules.height, rules.width))
    known = json.loads(Path(__file__).with_name("published.json").read_text("utf-8"))[
        f"{short}x{long}"
    ]
    source, layers = (
        ("OEIS A089473", tuple(known["layers"])) if "layers" in known else ("OEIS A151944", ())
    )
    published = Published(source, factorial(rules.places) // 2, known["gods_number"], layers)
    corners = 0, rules.width - 1, rules.places - rules.width, rules.places - 1
    return tuple(
        Goal(
            f"blank-{home}", (rules.solved(home),), published=published if home in corners else None
        )
        for home in (rules.places - 1, *range(rules.places - 1))
    )


# The board as data: the tiles in a frame, with their numbers on them.

_SIDE, _GAP, _MARGIN, _LETTER = 56.0, 4.0, 10.0, 22.0
_FRAME, _TILE = "#4a453e", "#c98a3c"


def _layout(rules: SlidingRules, text: str, _goal: Goal) -> Layout:
    _parse(rules, text)
    width, height = (
        2 * (_MARGIN + _GAP) + sides * (_SIDE + _GAP) - _GAP
        for sides in (rules.width, rules.height)
    )
    frame = rectangle(_MARGIN, _MARGIN, width - 2 * _MARGIN, height - 2 * _MARGIN)
    mark = Shape(id="frame", outline=frame, colour=_FRAME, x=width / 2, y=height / 2)
    places = _places(rules)
    tiles = [
        (TILES.index(letter), place)
        for place, letter in zip(places, text, strict=True)
        if letter != "0"
    ]
    pieces = tuple(
        piece_in(place, f"tile-{tile}", square(place, _SIDE), _TILE, str(tile), _LETTER)
        for tile, place in tiles
    )
    return Layout(width, height, places, (mark,), pieces)


def _places(rules: SlidingRules) -> tuple[Place, ...]:
    return grid(rules.height, rules.width, (_SIDE, _SIDE), _GAP, _MARGIN + _GAP)


def _effect(rules: SlidingRules, text: str, move: str) -> Effect:
    """The slide of one tile to the blank's place."""
    after = _play(rules, text, move)
    source, target = (_places(rules)[state.index("0")] for state in (after, text))
    tile = f"tile-{TILES.index(text[int(source.name)])}"
    return Effect((tile,), (Motion(piece=tile, slide=(target.x - source.x, target.y - source.y)),))


# The index side.


def _space(rules: SlidingRules, goal: Goal) -> Space:
    """Make the space of the states that can reach the goal."""
    places, width, home = rules.places, rules.width, goal.start.index("0")
    # The weight of a digit, half a factorial. The last two weigh 0, since they follow from the
    # others.
    weights = np.array([factorial(places - 2 - i) // 2 for i in range(places - 1)])
    # The parity of the sequence by the row of the blank: each row up or down takes one tile past
    # C-1 others.
    odd = np.array([(width - 1) * (row - home // width) % 2 for row in range(rules.height)])

    def expand(indices: Indices) -> Indices:
        successors = np.empty((len(indices), len(MOVES)), np.int64)
        _expand(indices, weights, odd, width, successors)
        return successors

    def rank(boards: Boards) -> Indices:
        indices = np.empty(len(boards), np.int64)
        _rank(boards, weights, odd, width, indices)
        return indices

    def unrank(indices: Indices) -> Boards:
        boards = np.empty((len(indices), places), np.uint8)
        _unrank(indices, weights, odd, width, boards)
        return boards

    return Space(
        size=factorial(places) // 2,
        expand=expand,
        goal_states=rank(_parse(rules, goal.start)[None, :]),
        rank=rank,
        unrank=unrank,
        connected=True,
    )


@kernel
def _rank(boards, weights, odd, width, indices):  # type: ignore[no-untyped-def]
    """Rank boards; -1 where a tile is missing or the parity is that of the other half."""
    places = boards.shape[1]
    half = weights[0] * (places - 1)
    for i in range(boards.shape[0]):
        blank, seen, at, rank, parity = -1, np.int64(0), 0, np.int64(0), np.int64(0)
        for place in range(places):
            tile = np.int64(boards[i, place])
            if tile >= places or (seen >> tile) & 1:
                break
            seen |= np.int64(1) << tile
            if tile == 0:
                blank = place
                continue
            digit = tile - 1
            for smaller in range(1, tile):
                digit -= (seen >> smaller) & 1
            rank += digit * weights[at]
            parity += digit
            at += 1
        whole = seen == (np.int64(1) << places) - 1
        indices[i] = blank * half + rank if whole and parity % 2 == odd[blank // width] else -1


@kernel
def _sequence(rank, parity, weights, digits, tiles):  # type: ignore[no-untyped-def]
    """Write the digits and tiles of a sequence, by its rank among those of its parity."""
    length = weights.shape[0]
    # the tiles not yet placed, one in four bits, the smallest last
    left = np.uint64(0xFEDCBA987654321)
    for at in range(length):
        if at < length - 2:
            digit = rank // weights[at]
            rank -= digit * weights[at]
            parity -= digit
        else:
            digit = parity & 1 if at == length - 2 else 0
        shift = np.uint64(4 * digit)
        digits[at] = digit
        tiles[at] = np.int64((left >> shift) & np.uint64(15))
        below = (np.uint64(1) << shift) - np.uint64(1)
        left = (left & below) | ((left >> np.uint64(4)) & ~below)


@kernel
def _unrank(indices, weights, odd, width, boards):  # type: ignore[no-untyped-def]
    places = boards.shape[1]
    half = weights[0] * (places - 1)
    digits, tiles = np.empty(places - 1, np.int64), np.empty(places - 1, np.int64)
    for i in range(indices.shape[0]):
        blank = indices[i] // half
        _sequence(indices[i] - blank * half, odd[blank // width], weights, digits, tiles)
        for place in range(places):
            boards[i, place] = 0 if place == blank else tiles[place - (place > blank)]


@kernel
def _expand(indices, weights, odd, width, successors):  # type: ignore[no-untyped-def]
    places = weights.shape[0] + 1
    half = weights[0] * (places - 1)
    digits, tiles = np.empty(places - 1, np.int64), np.empty(places - 1, np.int64)
    for i in range(indices.shape[0]):
        index = indices[i]
        successors[i] = -1
        if index < 0:
            continue
        blank = index // half
        column = blank % width
        _sequence(index - blank * half, odd[blank // width], weights, digits, tiles)
        if blank + width < places:
            successors[i, 0] = (
                index + width * half + _moved(blank + width - 1, blank, weights, digits, tiles)
            )
        if blank >= width:
            successors[i, 1] = (
                index - width * half + _moved(blank - width, blank - 1, weights, digits, tiles)
            )
        if column < width - 1:
            successors[i, 2] = index + half
        if column > 0:
            successors[i, 3] = index - half


@kernel
def _moved(source, target, weights, digits, tiles):  # type: ignore[no-untyped-def]
    """The change of rank when the tile at `source` in the sequence goes to `target`,
    past the tiles between.
    """
    step = 1 if source > target else -1  # by which those go on
    digit = digits[source]
    change = -digits[source] * weights[source]
    for at in range(target, source, step):
        larger = step * np.int64(tiles[at] > tiles[source])
        digit += step - larger
        change += (digits[at] - larger) * weights[at + step] - digits[at] * weights[at]
    return change + digit * weights[target]


# The family.

_MOST_IN_A_TABLE = 12  # places
_TITLES = {(3, 3): "8-puzzle", (4, 4): "15-puzzle"}


def _puzzle(name: str) -> Puzzle:
    height, width = map(int, name.removeprefix("sliding-").split("x"))
    rules = SlidingRules(height, width)
    goals = _goals(rules)
    solved = goals[0].start
    play = partial(_play, rules)
    two_digits = ", ".join(
        f"{letter} for {tile}" for tile, letter in enumerate(rules.tiles) if tile > 9
    )
    tiles = rules.tiles[-1] + (f" ({two_digits})" if two_digits else "")
    return Puzzle(
        name=name,
        title=_TITLES.get((height, width), f"Sliding puzzle of {height}×{width} places"),
        moves=tuple(Move(move, group) for move, group in MOVES.items()),
        goals=goals,
        notation=Notation(
            state=f"The tiles row by row, 1 to {tiles}, and 0 where the blank is",
            moves="U D L R, the way the tile beside the blank moves",
            examples=(solved, play(solved, "D"), play(solved, "R")),
        ),
        about=About(
            link=f"https://oeis.org/{'A089473' if rules.places == 9 else 'A151944'}",
            sentence=f"{rules.places - 1} numbered tiles lie in a frame "
            f"of {height}×{width} places.",
            instructions="Slide a tile that lies beside the blank place into it. It is solved when "
            "the tiles are in order, row by row, and the blank is the last place.",
            example=ExampleMove(solved, "D", "the tile above the blank place goes down"),
        ),
        board=BoardSide(
            parse=partial(_parse, rules),
            format=_format,
            play=play,
            drawing=Drawing(layout=partial(_layout, rules), effect=partial(_effect, rules)),
            at_home=partial(places_at_home, blanks="\0"),
            part=partial(_part, rules),
        ),
        index_side=IndexSide(SPACES.remember(partial(_space, rules))),
        engines=(*_engines(rules), GraphSearch()),
    )


def _engines(rules: SlidingRules) -> list[Engine]:
    """A table or, if it would be too large, patterns if another family has them."""
    if rules.places <= _MOST_IN_A_TABLE:
        return [WholeTable()]
    patterns = family_extra("patterns of sliding")
    return [PatternDatabases(patterns=partial(patterns, rules))] if patterns else []


FAMILY = Family(
    name="sliding",
    title="Sliding puzzles",
    template="sliding-RxC of at most sixteen places (sliding-2x2, sliding-3x3, sliding-4x4)",
    pattern=re.compile("sliding-(2x[2-8]|3x[2-5]|4x[2-4]|5x[23]|[678]x2)"),
    members=("sliding-2x2", "sliding-2x3", "sliding-3x2", "sliding-2x4", "sliding-3x3"),
    larger=("sliding-4x4",),
    example="sliding-3x3",
    place=4,
    make=_puzzle,
)
