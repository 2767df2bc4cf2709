"""Color wheels (Douglas Engel): two intersecting wheels that share a corner, an edge and a corner.

Glossary
    place       0 .. 20 in figure-8 order; even places are edges, odd places corners. The left wheel
                has 0 .. 11 clockwise, the right wheel 9 .. 20 anticlockwise; both share 9, 10 and
                11.
"""

from __future__ import annotations

import re
from functools import partial
from operator import methodcaller

import numpy as np

from puzzlebase.puzzles import (
    SPACES,
    About,
    BoardSide,
    Drawing,
    ExampleMove,
    Family,
    Goal,
    IndexSide,
    Letters,
    Move,
    Notation,
    Puzzle,
    format_board,
    places_at_home,
)
from puzzlebase.puzzles.families.wheels.board import (
    PUBLISHED,
    PUZZLES,
    WHEELS,
    parse,
    play,
    recolour_wheels,
    rules_of,
)
from puzzlebase.puzzles.families.wheels.index import space
from puzzlebase.puzzles.families.wheels.layout import effect, layout

_LISTED = [name for name, rules in PUZZLES.items() if not rules.abstraction]
_SIXTHS = "One sixth of a turn is one move: L, L', R, R'"
_TURNS = (
    "Any turn of one wheel is one move: L or R, then the number of sixths, then ' "
    "for anticlockwise; L, L2, L3, L2', L' and R, R2, R3, R2', R'"
)


def _puzzle(name: str) -> Puzzle:
    rules = rules_of(name)
    title = rules.wheels.replace("-", ", ").capitalize()
    turn = partial(play, rules)
    after = turn(rules.solved, "R")
    return Puzzle(
        name=name,
        title=title + (" in sixths of a turn" if rules.sixths else ""),
        moves=tuple(Move(move, WHEELS[move[0]]) for move in rules.turns),
        goals=(Goal("solved", (rules.solved,), rules.solved, PUBLISHED.get(name)),),
        notation=Notation(
            state="21 letters in figure-8 order: the left wheel's places clockwise, then the "
            "rest of the right wheel's anticlockwise; even places are edges, odd places "
            f"corners. {title}: {rules.colours}.",
            moves=_SIXTHS if rules.sixths else _TURNS,
            examples=(rules.solved, after, turn(after, "L")),
        ),
        about=About(
            inventor="Douglas Engel",
            sentence=f"Two wheels cross and share three pieces. Solved: {rules.done}.",
            instructions=f"It is solved when {rules.done}. A move turns one wheel by "
            f"{'a sixth' if rules.sixths else 'any number of sixths'} of a turn: its "
            "twelve pieces go round with it, the three that both share too.",
            example=ExampleMove(
                rules.solved, "L'", "the left wheel, a sixth of a turn anticlockwise"
            )
            if rules.sixths
            else ExampleMove(rules.solved, "L2", "the left wheel, two sixths of a turn clockwise"),
        ),
        board=BoardSide(
            parse=partial(parse, rules),
            format=format_board,
            play=turn,
            drawing=Drawing(
                layout=partial(layout, rules),
                effect=partial(effect, rules),
                permutations=rules.turns,
            ),
            letters=Letters(
                len(rules.solved), methodcaller("take", np.array([*rules.turns.values()]), axis=1)
            ),
            canonical=recolour_wheels if rules.interchangeable else str,
            at_home=None if rules.interchangeable else places_at_home,
        ),
        index_side=IndexSide(SPACES.remember(partial(space, rules))),
    )


FAMILY = Family(
    name="wheels",
    title="Color wheels",
    template="novice, challenger, avenger or turnstile, each also with -sixths",
    pattern=re.compile(f"({'|'.join(_LISTED)})(-sixths)?|{'|'.join(PUZZLES)}"),
    members=tuple(name + suffix for suffix in ("", "-sixths") for name in _LISTED),
    place=0,
    example="avenger",
    make=_puzzle,
)
