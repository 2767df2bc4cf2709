"""Panex (Toshio Akanuma): two towers change places on three tracks that are joined at the top.

README.md has the method, the proofs and, in its last section, the words of these files.
"""

from __future__ import annotations

import re
from functools import cache, partial

from puzzlebase.plugins.methods.record import Oracle
from puzzlebase.puzzles import (
    SPACES,
    About,
    BoardSide,
    Drawing,
    ExampleMove,
    Family,
    GraphSearch,
    IndexSide,
    Letters,
    Move,
    Notation,
    Puzzle,
    WholeTable,
)
from puzzlebase.puzzles.families.panex.board import (
    MAX_SIZE,
    MOVES,
    TRACKS,
    format_board,
    parse,
    play,
    start_state,
    tiles_at_home,
)
from puzzlebase.puzzles.families.panex.constructions import draw
from puzzlebase.puzzles.families.panex.goals import named_panex_goals
from puzzlebase.puzzles.families.panex.index import MAX_INDEXED, moves_by_index, space
from puzzlebase.puzzles.families.panex.layout import effect, gold, silver
from puzzlebase.puzzles.families.panex.oracle import MAX_OFFSET, PanexSolver

_DEPTHS = ("a and A to the first row at most", "b and B to the second", "and so on")
"""The depths of the tiles of each size, for people."""

# the largest towers that a search answers for without a table; it is quick, and so it needs no
# oracle
_SEARCHED = 4


@cache
def _puzzle(name: str) -> Puzzle:
    n = int(name.removeprefix("panex-"))
    enumerable = n <= MAX_INDEXED
    moved, lettered = play(start_state(n), "LC"), partial(silver, n)
    oracle = Oracle(
        load=lambda goal: PanexSolver(n, goal.states),
        max_offset=MAX_OFFSET,
        playable=20,
        uniform=False,
        draw=None if enumerable else partial(draw, n),
    )
    engines = (oracle, GraphSearch()) if n > _SEARCHED else (GraphSearch(), oracle)
    return Puzzle(
        name=name,
        title=f"Panex with towers of {n}",
        moves=tuple(Move(move, TRACKS[source]) for move, (source, _) in MOVES.items()),
        goals=named_panex_goals(n),
        notation=Notation(
            state="left|centre|right, each track from the top; tile i is the i-th letter, small "
            "for the tower that starts left, capital for the other. Tile i goes no deeper "
            f"than layer i, of layers 0 to {n}",
            moves="LC LR CL CR RL RC: the top tile of the first track (left, centre, right) goes "
            "to the second",
            examples=(start_state(n), moved, play(moved, "RL")),
        ),
        about=About(
            inventor="Toshio Akanuma",
            link="https://oeis.org/A109224",
            sentence=f"Two towers of {n} stand on the outer two of three tracks, which are joined "
            "at the top.",
            instructions="Slide the top tile of a track along the bar to another track, unless a "
            "tile on the bar is in the way; there it falls as deep as it can, "
            f"{', '.join(_DEPTHS[:n])}. It is solved when the two towers have changed "
            "places.",
            example=ExampleMove(
                start_state(n), "LC", "from the left track to the one in the centre"
            ),
        ),
        board=BoardSide(
            parse=partial(parse, n),
            format=format_board,
            play=play,
            drawing=Drawing(
                layout=lettered,
                effect=effect,
                styles={"silver": lettered, "gold": partial(gold, n)},
            ),
            letters=Letters(2 * n + 2, partial(moves_by_index, n)) if enumerable else None,
            at_home=tiles_at_home,
        ),
        index_side=IndexSide(SPACES.remember(partial(space, n))) if enumerable else None,
        engines=(WholeTable(), *engines) if enumerable else (oracle,),
    )


FAMILY = Family(
    name="panex",
    title="Panex",
    template=f"panex-1 to panex-{MAX_SIZE}",
    pattern=re.compile("panex-([1-9]|1[0-9]|2[0-6])"),
    members=tuple(f"panex-{n}" for n in range(1, MAX_INDEXED + 1)),
    example="panex-3",
    larger=("panex-8", "panex-10"),
    place=1,
    make=_puzzle,
    extra={
        "columns": "puzzlebase.puzzles.families.panex.board:size_of",
        "formulas": "puzzlebase.puzzles.families.panex.formulas:FORMULAS",
        "methods": "puzzlebase.puzzles.families.panex.constructions:METHODS",
    },
)
