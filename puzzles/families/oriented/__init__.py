"""Color wheels with oriented corners: the Puzzler,
which is the Turnstile with orientations, and the Novice.

A turn keeps the orientations of corners relative to its wheel. The wheels' centres see the two
corner places that they share in directions a third of a turn apart. So with orientations relative
to the left wheel, left turns change none. Right turns change only those of corners that enter or
leave these two places.

The index is that of the letters, then the first nine digits in base 3. The effect of a move on the
digits does not depend on the letters.

Glossary
    letters     the pieces, as in families/wheels.
    orientation of a corner: 0, 1 or 2 thirds of a turn clockwise, relative to the left wheel. They
                add up to a multiple of 3 in every state.
    digits      the orientations of the corners in the order of their places.
"""

from __future__ import annotations

import re
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from puzzlebase.plugins.definitions.letter_puzzles import letter_puzzle
from puzzlebase.puzzles import (
    SPACES,
    About,
    Board,
    Boards,
    BoardSide,
    Drawing,
    ExampleMove,
    Family,
    Goal,
    GraphSearch,
    ImpossibleState,
    IndexSide,
    Indices,
    InvalidState,
    Layout,
    Notation,
    Pattern,
    PatternDatabases,
    Patterns,
    ProductForm,
    Published,
    Puzzle,
    Space,
    WholeTable,
    format_board,
    shorten,
)
from puzzlebase.puzzles.contract.space import STATES
from puzzlebase.puzzles.families.oriented import drawing
from puzzlebase.puzzles.families.oriented.drawing import LETTERS
from puzzlebase.puzzles.families.wheels import FAMILY as WHEELS
from puzzlebase.puzzles.machinery.orbits import ColumnMaps, OrbitRows, RowMap, SlotMap, WheelOrbits

_CORNERS = 10
_COUNTED = 3 ** (_CORNERS - 1)  # orientations of all corners: the last one follows from the others
_POWERS = 3 ** np.arange(_CORNERS - 2, -1, -1)
# thirds that a corner gains when a right turn takes it from a shared place, and loses on arrival
_GAIN = {9: 1, 11: 2}

# the most states whose moves are tables of rows and columns, for a table of all states
_WHOLE = 1 << 32

_ORIENTATIONS, _EDGES = "orientations", "puzzler-edges"
_NAMES = {
    "puzzler": "turnstile",
    _EDGES: "turnstile-edges",
    "novice-oriented": "novice",
}
"""The puzzles with letters, and their names without orientations."""


# The corners' orientations alone.


@cache
def _turns() -> dict[str, SlotMap]:
    """The moves by name: the former place of each place's new corner,
    and its orientation by the former one.
    """
    drawing = WHEELS.make("turnstile").board.drawing
    moves = {}
    for move, source in drawing.permutations.items():
        gains = [
            (_GAIN.get(source[to], 0) - _GAIN.get(to, 0)) % 3
            if move[0] == "R" and source[to] != to
            else 0
            for to in range(1, LETTERS, 2)
        ]
        symbols = tuple(tuple((digit + gain) % 3 for digit in range(3)) for gain in gains)
        moves[move] = SlotMap(tuple(place // 2 for place in source[1::2]), symbols)
    return moves


def _turn(digits: str, move: str) -> str:
    """The orientations after a move."""
    turn = _turns()[move]
    return "".join(str(symbols[int(digits[slot])]) for slot, symbols in zip(*turn, strict=True))


@cache
def _every() -> npt.NDArray[np.uint8]:
    """The orientations of each rank: uint8[3^9, 10]."""
    digits = (np.arange(_COUNTED)[:, None] // _POWERS % 3).astype(np.uint8)
    return np.concatenate(
        [digits, -digits.sum(axis=1, dtype=np.int64, keepdims=True) % 3], axis=1
    ).astype(np.uint8)


def _column_maps() -> ColumnMaps:
    """The effects of turns on the ranks of orientations:
    0 the identity, then the moves in order, then other turns.
    """
    maps = ColumnMaps(_every(), 3, lambda digits: digits[:, :-1] @ _POWERS)
    for turn in _turns().values():
        maps.kind(turn)
    return maps


@cache
def orientation_maps() -> npt.NDArray[np.uint32]:
    """The ranks of orientations of oriented puzzles after no move, then after each move:
    uint32[moves + 1, 3^9].
    """
    return _column_maps().columns()


def _ranks(digits: Boards) -> Indices:
    """Rank the orientations given as characters, -1 if they are none."""
    values = digits.astype(np.int64) - ord("0")
    known = ((values >= 0) & (values < 3)).all(axis=1) & (values.sum(axis=1) % 3 == 0)
    ranks: Indices = np.where(known, values[:, :-1] @ _POWERS, -1)
    return ranks


def _digits(ranks: Indices) -> Boards:
    return (_every()[ranks] + ord("0")).astype(np.uint8)


def _orientations() -> Puzzle:
    """The corners' orientations without the pieces: a pattern of the other puzzles."""

    def space() -> Space:
        one_row = np.zeros((len(_turns()), 1), np.int64)
        return Space.of_tables(
            _product(one_row), np.zeros(1, np.int64), rank=_ranks, unrank=_digits
        )

    return letter_puzzle(
        _ORIENTATIONS,
        title="Orientations of the corners on color wheels",
        solved="0" * _CORNERS,
        alphabet="012",
        check=_check_sum,
        state="The orientation of each corner in the order of the places, 0 to 2 thirds of a turn",
        moves={move.name: move.group for move in WHEELS.make("turnstile").moves},
        play=_turn,
        space=space,
    )


def _check_sum(
    text: str,
    example: str = "the orientations of a state add up to a multiple of 3, as '0000000000'",
) -> None:
    total = sum(map(int, text.rpartition(":")[2]))
    if total % 3:
        wrong = (
            f"the orientations in {text!r} add up to {total}, which no turn changes to a "
            "multiple of 3"
        )
        raise ImpossibleState(wrong, example)


# The wheels with orientations: letters, a colon, digits.


def _parse(base: Puzzle, name: str, text: str) -> Board:
    """Read the characters of a state: uint8[32]."""
    example = (
        f"a state of {name} looks like {_solved(base)!r}: letters as of {base.name}, a "
        "colon, and 0, 1 or 2 ten times"
    )
    letters, colon, digits = text.partition(":")
    if not colon or len(digits) != _CORNERS or not set(digits) <= set("012"):
        raise InvalidState(
            f"{shorten(text)!r} does not end in a colon and ten digits 0 to 2", example
        )
    base.parse(letters)
    _check_sum(text, example)
    return np.frombuffer(text.encode("ascii"), np.uint8)


def _solved(base: Puzzle) -> str:
    return f"{base.goal().start}:{'0' * _CORNERS}"


def _play(base: Puzzle, text: str, move: str) -> str:
    letters, _, digits = text.partition(":")
    return f"{base.play(letters, move)}:{_turn(digits, move)}"


def _space(base: Puzzle, _goal: Goal) -> Space:
    letters = base.space(base.goal())
    maps = orientation_maps()[1:]
    size = letters.size * _COUNTED

    def expand(indices: Indices) -> Indices:
        rows, columns = np.divmod(indices, _COUNTED)
        to = letters.expand(np.where(indices < 0, -1, rows))
        return np.where(to < 0, -1, to * _COUNTED + maps[:, columns].T)

    def rank(boards: Boards) -> Indices:
        rows, columns = (
            letters.rank(np.ascontiguousarray(boards[:, :LETTERS])),
            _ranks(boards[:, LETTERS + 1 :]),
        )
        return np.where(
            (rows < 0) | (columns < 0) | (boards[:, LETTERS] != ord(":")),
            -1,
            rows * _COUNTED + columns,
        )

    def unrank(indices: Indices) -> Boards:
        rows, columns = np.divmod(indices, _COUNTED)
        colons = np.full((len(indices), 1), ord(":"), np.uint8)
        return np.concatenate([letters.unrank(rows), colons, _digits(columns)], axis=1)

    goal_states = letters.goal_states * _COUNTED
    product = _product(letters.expand(np.arange(letters.size)).T) if size <= _WHOLE else None
    return Space(
        size=size,
        expand=expand,
        goal_states=goal_states,
        product=(lambda: product) if product else None,
        rank=rank,
        unrank=unrank,
        connected=True,
        storage=_orbits(product) if product else STATES,
    )


def _product(row_move: Indices) -> ProductForm:
    """The moves of letters and orientations as tables:
    a row is the letters, a column the orientations.
    """
    rows = np.ascontiguousarray(row_move, np.int32)
    kinds = np.repeat(np.arange(1, len(rows) + 1, dtype=np.int32)[:, None], rows.shape[1], axis=1)
    return ProductForm(rows, kinds, orientation_maps())


def _orbits(product: ProductForm) -> WheelOrbits:
    """The orbits of the states.

    The half turn is no symmetry: it turns the alike corners of the two shared places differently.
    """

    def rows() -> OrbitRows:
        stay = RowMap(np.arange(product.rows, dtype=np.int32), np.zeros(product.rows, np.int32))
        moves = [*map(RowMap, product.row_move, product.kind)]
        half = len(moves) // 2
        return OrbitRows(
            {"L": [stay, *moves[:half]], "R": [stay, *moves[half:]]}, _column_maps(), None
        )

    tables = {**rows().vertex_tables(), "column_map": orientation_maps()}
    return WheelOrbits(tables, cache(lambda: rows().graph_tables()))


def patterns_of(base: Puzzle, goal: Goal) -> Patterns | None:
    """Two patterns of the Puzzler: letters with the edges,
    and orientations. A state is solved if both are.
    """
    if goal.states != (_solved(base),):
        return None
    moves = [*_turns()]
    every = np.arange(len(moves), dtype=np.int16)[None, :]
    other = np.array([1 if move[0] == "L" else 0 for move in moves], np.int16)
    letters = Pattern(
        puzzle=base.name, state=lambda text: text[:LETTERS], edges=every, vertices=other
    )
    if base.name == _NAMES["puzzler"]:
        oriented = Pattern(puzzle=_EDGES, state=_edges_of, edges=every, vertices=other, group=1)
    else:
        oriented = Pattern(
            puzzle=_ORIENTATIONS, state=lambda text: text[LETTERS + 1 :], edges=every, group=1
        )
    return Patterns(
        patterns=(letters, oriented),
        position=lambda _text: 0,
        positions=np.zeros((1, len(moves)), np.int16),
        follows=np.array([[one[0] != other[0] for other in moves] for one in moves]),
    )


def _edges_of(text: str) -> str:
    """The state without colours on the corners."""
    letters = "".join(
        letter if place % 2 == 0 else "." for place, letter in enumerate(text[:LETTERS])
    )
    return letters + text[LETTERS:]


# The family.


def _puzzle(name: str) -> Puzzle:
    if name == _ORIENTATIONS:
        return _orientations()
    base = WHEELS.make(_NAMES[name])
    solved = _solved(base)
    play, parse = partial(_play, base), partial(_parse, base, name)
    after = play(solved, "R")
    patterned = name == "puzzler"
    published = Published("Jaap Scherphuis's puzzle page") if patterned else None

    def layout(text: str, goal: Goal) -> Layout:
        parse(text)
        return drawing.layout_with_arrows(base, text, goal)

    return Puzzle(
        name=name,
        title="Puzzler" if patterned else f"{base.title} with oriented corners",
        moves=base.moves,
        goals=(Goal("solved", (solved,), solved, published),),
        notation=Notation(
            state=f"{base.notation.state} Then a colon and the orientations of the ten corners in "
            "the order of their "
            "places: 0, 1 or 2 thirds of a turn clockwise, relative to the left wheel.",
            moves=base.notation.moves,
            examples=(solved, after, play(after, "L")),
        ),
        about=About(
            inventor=base.about.inventor,
            sentence=f"{base.about.sentence} Corners have a way up, too.",
            instructions=f"{base.about.instructions} Arrows on the corners must lie as in the "
            "picture of the goal.",
            example=ExampleMove(solved, "L2", "the left wheel, two sixths of a turn clockwise"),
        ),
        board=BoardSide(
            parse=parse,
            format=format_board,
            play=play,
            drawing=Drawing(layout=layout, effect=partial(drawing.effect_on_arrows, base)),
        ),
        index_side=IndexSide(SPACES.remember(partial(_space, base))),
        engines=(
            PatternDatabases(patterns=partial(patterns_of, base)) if patterned else WholeTable(),
            GraphSearch(),
        ),
    )


FAMILY = Family(
    name="oriented",
    title="Color wheels with oriented corners",
    template="puzzler (the Turnstile), novice-oriented; the patterns orientations and "
    "puzzler-edges",
    pattern=re.compile(f"{'|'.join(_NAMES)}|{_ORIENTATIONS}"),
    members=(_ORIENTATIONS,),
    patterns=(_ORIENTATIONS,),
    larger=tuple(name for name in _NAMES if name != _EDGES),
    example="puzzler",
    place=1,
    make=_puzzle,
)
