"""Quantum sliding puzzles: every position holds k units, shared among the tiles and the space.

A state is a matrix whose rows and columns all sum to k. `index.py` numbers those of boards small
enough for a table; `construction.py` solves all others. README.md has the proofs, and repeats the
paper's experiments.

Glossary
    position    a place of the board, 0 .. R*C-1, row by row; also a row of the matrix.
    tile        numbered by its home; one column of the matrix is the space, whose home is the last
                position. On the board of the paper, quantum-3x3-1000, it is the middle one.
    unit        a k-th part of a tile. A move swaps a unit of a tile with a unit of space in an
                adjacent position; in the bulk metric any number of units between one pair of
                positions is one move.
    shares      the units of a position by tile: a row of the matrix. All are numbered in
                lexicographic order.
"""

from __future__ import annotations

from functools import partial

from puzzlebase.puzzles import (
    SPACES,
    About,
    BoardSide,
    ExampleMove,
    Family,
    Goal,
    GraphSearch,
    IndexSide,
    Move,
    Notation,
    Puzzle,
    WholeTable,
    states_after_moves,
)
from puzzlebase.puzzles.families.quantum.board import (
    PATTERN,
    QuantumRules,
    board_units_at_home,
    format_board,
    move_weight,
    parse,
    play,
)
from puzzlebase.puzzles.families.quantum.construction import quantum_construction
from puzzlebase.puzzles.families.quantum.goals import SOLVED, goal_of
from puzzlebase.puzzles.families.quantum.index import space
from puzzlebase.puzzles.families.quantum.layout import layout_drawing


def _puzzle(name: str) -> Puzzle:
    rules = QuantumRules.of(name)
    units = f"{rules.k:,} unit{'s' if rules.k > 1 else ''}"
    moving = "any number of units" if rules.bulk else "one unit"
    after = states_after_moves(partial(play, rules), rules.solved, rules.moves)
    moved = next(iter(after))
    tile, source, target, _ = rules.moves[moved]
    is_last = rules.space == rules.positions - 1
    tiles = f"0 to {rules.positions - 1}, where number {rules.space} is the space"
    if is_last:
        tiles = f"0 to {rules.space - 1} and last of the space"
    return Puzzle(
        name=name,
        title=f"Quantum {rules.height}×{rules.width}, {units}{', in bulk' if rules.bulk else ''}",
        moves=tuple(Move(move, f"tile {tile}") for move, (tile, *_) in rules.moves.items()),
        goals=(Goal(SOLVED, (rules.solved,), rules.solved),),
        notation=Notation(
            state="The positions row by row, separated by /, each as the units of the tiles "
            f"{tiles}, separated by commas; every position holds {rules.k}, and so does "
            "every tile in all. A tile's number is its home's; the space's home is "
            f"position {rules.space}",
            moves=_moves(rules),
            examples=(rules.solved, *[*after.values()][:2]),
        ),
        about=About(
            inventor="Robert Levinson",
            sentence=f"{rules.positions - 1} tiles of {units} each slide in pieces, {moving} "
            "at a move.",
            instructions="It is solved when every tile is whole in the position of its number; "
            f"position {rules.space} is then empty. A move takes {moving} of a tile to a "
            f"position next door that has room: each holds {units}. Positions are numbered "
            "row by row, the first is 0.",
            example=ExampleMove(
                rules.solved,
                moved,
                f"a unit of tile {tile}, from position {source} to position {target}",
            ),
        ),
        board=BoardSide(
            parse=partial(parse, rules),
            format=format_board,
            play=partial(play, rules),
            drawing=layout_drawing(rules),
            at_home=partial(board_units_at_home, rules),
            goal_of=None if rules.enumerable else partial(goal_of, rules),
            weight=partial(move_weight, rules),
        ),
        index_side=IndexSide(SPACES.remember(partial(space, rules))) if rules.enumerable else None,
        engines=(WholeTable(), GraphSearch())
        if rules.enumerable
        else (quantum_construction(rules),),
    )


def _moves(rules: QuantumRules) -> str:
    first = next(iter(rules.moves))
    tile, source, target, _ = rules.moves[first]
    there = f"the adjacent position {target}, where space makes way"
    one = f"{first} is one unit of tile {tile} from position {source} to {there}"
    if rules.k == 1 or (rules.enumerable and not rules.bulk):
        return one
    if rules.bulk:
        return f"{one}; {first}*2 is two units, and so on to *{rules.k}, each one move"
    return f"{one}; {first}*2 is two units, and counts for two moves, and so on to *{rules.k}"


FAMILY = Family(
    name="quantum",
    title="Quantum sliding puzzles",
    template="quantum-2x2-2 to quantum-4x4-10000: the rows, 2 to 4, the columns, 2 to 4, and the "
    "units of a position; "
    "to quantum-2x2-8 and quantum-2x3-3 also one unit, and each with -bulk",
    pattern=PATTERN,
    members=(
        *(f"quantum-2x2-{k}{metric}" for k in range(1, 5) for metric in ("", "-bulk")),
        "quantum-2x3-1",
        "quantum-2x3-2",
    ),
    example="quantum-2x2-2",
    larger=("quantum-2x3-3", "quantum-3x3-1000"),
    place=3,
    make=_puzzle,
    extra={
        "methods": "puzzlebase.puzzles.families.quantum.methods:METHODS",
        "measures": "puzzlebase.puzzles.families.quantum.measures:measures",
    },
)
