"""Color wheels whose corners have orientations: the Puzzler, which is the Turnstile with these, and the others.

Turning a wheel keeps the orientation of a corner relative to that wheel. The two corner places that the wheels share
are seen from the two centres in directions a third of a turn apart. So with orientations relative to the left wheel,
left turns change none, and on right turns only corners that enter or leave these two places change theirs.

Glossary
    letters     the pieces, as in puzzles/wheels.py.
    orientation of a corner: 0, 1 or 2 thirds of a turn clockwise, relative to the left wheel. They add up to a multiple
                of 3 in every state.
    digits      the orientations of the corners in the order of their places.

The index is that of the letters, then the first nine digits in base 3. What a move does to the digits does not depend
on the letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles._layout import DARK, Effect, Layout, Motion, Piece, Shape, number
from puzzlebase.puzzles._letters import letter_puzzle
from puzzlebase.puzzles._patterns import Pattern, Patterns
from puzzlebase.puzzles._puzzle import (
    About,
    Board,
    Drawing,
    Family,
    Goal,
    ImpossibleState,
    InvalidState,
    Notation,
    Published,
    Puzzle,
    shorten,
)
from puzzlebase.puzzles._space import Boards, Indices, ProductForm, Space
from puzzlebase.puzzles._spaces import SPACES
from puzzlebase.puzzles.wheels import FAMILY as WHEELS

_LETTERS, _CORNERS = 21, 10
_COUNTED = 3 ** (_CORNERS - 1)
"""Ways to orient the corners: the last one follows from the others."""

_POWERS = 3 ** np.arange(_CORNERS - 2, -1, -1)
_GAIN = {9: 1, 11: 2}
"""Thirds that a corner gains when a right turn takes it from a shared place; it loses them on the way in."""

_WHOLE = 1 << 32
"""Up to so many states the moves are tables of rows and columns, for a table of all states."""

_ORIENTATIONS = "orientations"
_NAMES = {"puzzler": "turnstile"} | {f"{name}-oriented": name for name in ("novice", "challenger", "avenger")}
_LAYERS = (1, 10, 50, 250, 1238, 5948, 29270, 142006)


# The corners' orientations alone.


@cache
def _sources() -> dict[str, tuple[list[int], list[int]]]:
    """The moves by name: for each corner place in order, where its new corner comes from, and the thirds it gains."""
    turns = WHEELS.make("turnstile").drawing
    assert turns is not None
    moves = {}
    for move, source in turns.permutations.items():
        corners = range(1, _LETTERS, 2)
        gained = [
            (_GAIN.get(source[to], 0) - _GAIN.get(to, 0)) % 3 if move[0] == "R" and source[to] != to else 0
            for to in corners
        ]
        moves[move] = [source[to] // 2 for to in corners], gained
    return moves


def _turn(digits: str, move: str) -> str:
    """The orientations after a move."""
    source, gained = _sources()[move]
    return "".join(str((int(digits[at]) + more) % 3) for at, more in zip(source, gained, strict=True))


@cache
def _every() -> npt.NDArray[np.uint8]:
    """The orientations of each rank: uint8[3^9, 10]."""
    digits = (np.arange(_COUNTED)[:, None] // _POWERS % 3).astype(np.uint8)
    return np.concatenate([digits, -digits.sum(axis=1, dtype=np.int64, keepdims=True) % 3], axis=1).astype(np.uint8)


@cache
def _maps() -> npt.NDArray[np.uint32]:
    """Where each move takes each rank of orientations: uint32[moves + 1, 3^9], the first one staying."""
    maps = [np.arange(_COUNTED)]
    for source, gained in _sources().values():
        turned = (_every()[:, source] + np.array(gained)) % 3
        maps.append(turned[:, :-1] @ _POWERS)
    return np.array(maps, np.uint32)


def _ranks(digits: Boards) -> Indices:
    """The rank of orientations as characters, -1 where they are none."""
    values = digits.astype(np.int64) - ord("0")
    known = ((values >= 0) & (values < 3)).all(axis=1) & (values.sum(axis=1) % 3 == 0)
    ranks: Indices = np.where(known, values[:, :-1] @ _POWERS, -1)
    return ranks


def _orientations() -> Puzzle:
    """The corners' orientations without the pieces: a pattern of the others."""

    def space() -> Space:
        moves = len(_sources())
        kinds = np.arange(1, moves + 1, dtype=np.int32)[:, None]
        product = ProductForm(np.zeros((moves, 1), np.int32), kinds, _maps())
        return Space(
            size=_COUNTED,
            expand=product.expand,
            goal_states=np.zeros(1, np.int64),
            product=lambda: product,
            rank=_ranks,
            unrank=lambda indices: (_every()[indices] + ord("0")).astype(np.uint8),
            connected=True,
        )

    wheels = WHEELS.make("turnstile")
    puzzle = letter_puzzle(
        _ORIENTATIONS,
        title="Orientations of the corners on color wheels",
        solved="0" * _CORNERS,
        alphabet="012",
        check=_check_alone,
        state="The orientation of each corner in the order of the places, 0 to 2 thirds of a turn",
        moves={move.name: move.group for move in wheels.moves},
        play=_turn,
        space=space,
    )
    return replace(puzzle, drawing=_alone(wheels, puzzle.parse))


def _check_alone(digits: str) -> None:
    _check_sum(digits, digits, "the orientations of a state add up to a multiple of 3, as '0000000000'")


def _check_sum(digits: str, text: str, example: str) -> None:
    total = sum(map(int, digits))
    if total % 3:
        raise ImpossibleState(
            f"the orientations in {text!r} add up to {total}, which no turn changes to a multiple of 3", example
        )


# The wheels with orientations: letters, a colon, digits.


def _parse(base: Puzzle, name: str, text: str) -> Board:
    """The characters of a state: uint8[32]."""
    example = (
        f"a state of {name} looks like {_solved(base)!r}: letters as of {base.name}, a colon, and 0, 1 or 2 ten times"
    )
    letters, colon, digits = text.partition(":")
    if not colon or len(digits) != _CORNERS or not set(digits) <= set("012"):
        raise InvalidState(f"{shorten(text)!r} does not end in a colon and ten digits 0 to 2", example)
    base.parse(letters)
    _check_sum(digits, text, example)
    return np.frombuffer(text.encode("ascii"), np.uint8)


def _solved(base: Puzzle) -> str:
    return f"{base.goal().start}:{'0' * _CORNERS}"


def _play(base: Puzzle, text: str, move: str) -> str:
    letters, _, digits = text.partition(":")
    return f"{base.play(letters, move)}:{_turn(digits, move)}"


def _canonical(base: Puzzle, text: str) -> str:
    return f"{base.canonical(text[:_LETTERS])}{text[_LETTERS:]}"


def _space(base: Puzzle, _goal: Goal) -> Space:
    letters = base.space(base.goal())
    maps = _maps()[1:]
    size = letters.size * _COUNTED

    def expand(indices: Indices) -> Indices:
        rows, columns = np.divmod(indices, _COUNTED)
        to = letters.expand(np.where(indices < 0, -1, rows))
        return np.where(to < 0, -1, to * _COUNTED + maps[:, columns].T)

    def rank(boards: Boards) -> Indices:
        rows, columns = letters.rank(np.ascontiguousarray(boards[:, :_LETTERS])), _ranks(boards[:, _LETTERS + 1 :])
        return np.where((rows < 0) | (columns < 0) | (boards[:, _LETTERS] != ord(":")), -1, rows * _COUNTED + columns)

    def unrank(indices: Indices) -> Boards:
        rows, columns = np.divmod(indices, _COUNTED)
        colons = np.full((len(indices), 1), ord(":"), np.uint8)
        digits = (_every()[columns] + ord("0")).astype(np.uint8)
        return np.concatenate([letters.unrank(rows), colons, digits], axis=1)

    @cache
    def product() -> ProductForm:
        moved = letters.expand(np.arange(letters.size)).T.astype(np.int32)
        kinds = np.repeat(np.arange(1, len(maps) + 1, dtype=np.int32)[:, None], letters.size, axis=1)
        return ProductForm(np.ascontiguousarray(moved), kinds, _maps())

    return Space(
        size=size,
        expand=expand,
        goal_states=letters.goal_states * _COUNTED,
        product=product if size <= _WHOLE else None,
        rank=rank,
        unrank=unrank,
        connected=True,
    )


def patterns_of(base: Puzzle, goal: Goal) -> Patterns | None:
    """The letters and the orientations, each by itself: a state is solved where both are."""
    if goal.states != (_solved(base),):
        return None
    moves = [*_sources()]
    every = np.arange(len(moves), dtype=np.int16)[None, :]
    other = np.array([1 if move[0] == "L" else 0 for move in moves], np.int16)
    return Patterns(
        patterns=(
            Pattern(puzzle=base.name, state=_letters_of, links=every, nodes=other),
            Pattern(puzzle=_ORIENTATIONS, state=_digits_of, links=every, group=1),
        ),
        position=_nowhere,
        positions=np.zeros((1, len(moves)), np.int16),
        follows=np.array([[one[0] != other[0] for other in moves] for one in moves]),
        apart=2,
    )


def _letters_of(text: str) -> str:
    return text[:_LETTERS]


def _digits_of(text: str) -> str:
    return text[_LETTERS + 1 :]


def _nowhere(_text: str) -> int:
    """All moves are legal in every state."""
    return 0


# The board: that of the letters, and on each corner an arrow towards one of its three points.

_ARROW = (0.8, 0.35 + 0.2j, 0.35 - 0.2j)
"""The points of an arrow, as seen from a corner's middle with the point that it shows at 1."""

_POINT = re.compile(r"(?:M|A\S+ \S+ 0 0 [01] )(-?[\d.]+) (-?[\d.]+)")
"""Where an arc of an outline begins or ends."""


def _layout_of_state(base: Puzzle, name: str, text: str, goal: Goal) -> Layout:
    _parse(base, name, text)
    return _layout(base, text, goal)


def _layout(base: Puzzle, text: str, goal: Goal) -> Layout:
    assert base.drawing is not None
    layout = base.drawing.layout(text[:_LETTERS], goal)
    corners = layout.pieces[1::2]
    arrows = [_arrow(piece, int(digit)) for piece, digit in zip(corners, text[_LETTERS + 1 :], strict=True)]
    return replace(layout, pieces=(*layout.pieces, *arrows))


def _arrow(corner: Piece, orientation: int) -> Piece:
    """The arrow of a corner, whose outline begins with the point that it shows unturned and goes on clockwise."""
    points = [complex(*map(float, point)) for point in _POINT.findall(corner.outline)]
    middle = complex(corner.x, corner.y)
    tip, *base = (middle + at * (points[orientation] - middle) for at in _ARROW)
    lines = "".join(f"L{number(point.real)} {number(point.imag)}" for point in base)
    return Piece(
        id=f"arrow-{corner.id}",
        outline=f"M{number(tip.real)} {number(tip.imag)}{lines}Z",
        colour=DARK,
        x=round(middle.real, 2),
        y=round(middle.imag, 2),
        place=corner.place,
        title="orientation",
    )


def _effect(base: Puzzle, text: str, move: str) -> Effect:
    """A wheel turns, the arrows of its corners with it."""
    assert base.drawing is not None
    effect = base.drawing.effect(text[:_LETTERS], move)
    return Effect(effect.handle, (*(effect.motions or ()), *_arrows_of(effect)))


def _arrows_of(effect: Effect) -> list[Motion]:
    """The motions of the arrows of the corners that move."""
    corners = (motion for motion in effect.motions or () if motion.piece.startswith("corner"))
    return [replace(motion, piece=f"arrow-{motion.piece}") for motion in corners]


def _alone(base: Puzzle, parse: Callable[[str], Board]) -> Drawing:
    """The arrows alone, on wheels that stay as they are."""
    solved = base.goal().start

    def layout(digits: str, goal: Goal) -> Layout:
        parse(digits)
        whole = _layout(base, f"{solved}:{digits}", goal)
        shapes = [piece for piece in whole.pieces if not piece.id.startswith("arrow")]
        marks = [Shape(id=each.id, outline=each.outline, colour=each.colour, x=each.x, y=each.y) for each in shapes]
        return replace(whole, marks=tuple(marks), pieces=whole.pieces[len(shapes) :])

    def effect(_digits: str, move: str) -> Effect:
        assert base.drawing is not None
        motions = _arrows_of(base.drawing.effect(solved, move))
        return Effect(tuple(motion.piece for motion in motions), tuple(motions))

    return Drawing(layout=layout, effect=effect)


# The family.


def _puzzle(name: str) -> Puzzle:
    if name == _ORIENTATIONS:
        return _orientations()
    base = WHEELS.make(_NAMES[name])
    solved = _solved(base)
    play = partial(_play, base)
    after = play(solved, "R")
    published = Published("Jaap Scherphuis's puzzle page") if name == "puzzler" else None
    patterned = name == "puzzler"
    return Puzzle(
        name=name,
        title="Puzzler" if patterned else f"{base.title} with oriented corners",
        moves=base.moves,
        goals=(Goal("solved", (solved,), solved, published),),
        notation=Notation(
            state=f"{base.notation.state} Then a colon and the orientations of the ten corners in the order of their "
            "places: 0, 1 or 2 thirds of a turn clockwise, relative to the left wheel.",
            moves=base.notation.moves,
            examples=(solved, after, play(after, "L")),
        ),
        about=About(
            inventor=base.about.inventor,
            sentence="Two wheels of twelve pieces each cross one another and share three, and corners have a way up.",
            instructions=f"{base.about.instructions} The corners lie as they did, every arrow as before.",
        ),
        parse=partial(_parse, base, name),
        format=lambda board: board.tobytes().decode("ascii"),
        play=play,
        drawing=Drawing(layout=partial(_layout_of_state, base, name), effect=partial(_effect, base)),
        space=SPACES.remember(partial(_space, base)),
        canonical=partial(_canonical, base),
        patterns=partial(patterns_of, base) if patterned else None,
    )


FAMILY = Family(
    name="oriented",
    title="Color wheels with oriented corners",
    template="puzzler (the Turnstile), novice-oriented, challenger-oriented, avenger-oriented; orientations",
    pattern=re.compile(f"{'|'.join(_NAMES)}|{_ORIENTATIONS}"),
    members=(_ORIENTATIONS,),
    larger=(*_NAMES,),
    example="puzzler",
    place=1,
    make=_puzzle,
)
