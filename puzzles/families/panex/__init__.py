"""Panex (Toshio Akanuma): two towers change places on three tracks that are joined at the top.

What the words mean. The files of this package use them without explaining them again.

The puzzle (board.py, goals.py, layout.py)
    track       left, centre or right; its places are layers 0 (the top, where the tracks join) to n.
    tile i      one of the two tiles of size i, 1 to n; it goes no deeper than layer i.
    pair        the two tiles of one size, one from each tower. Text shows one as a small letter, one as a capital.
    settled     every tile lies as deep as it can: in its own layer i, or just above the tile below.
                No shortest path between settled states needs others, so a state is three stacks of tiles,
                and a stack is legal where every tile's layer is at least 0.
    blocked     a state with a tile in layer 0 of the centre track, where no tile but that one can move.

Indices (index.py)
    row         an arrangement of the sizes, the two tiles of a pair not told apart, that the start can reach.
    column      one bit for each size: whether the capital comes first, reading the tracks from left to right
                and each from the top.
    key         a row as an integer: its sizes, three bits each in reading order, and the heights of two tracks.

    The tiles of a pair move alike, and every combination of bits is reached, so index = row * 2^n + column numbers
    the states without a gap. A move flips the bit of its tile's size if the tile passes the other of its pair. Rows
    are in breadth-first order, and the largest tiles have the lowest bits, so that neighbours in the table have
    similar distances. Rows sorted by key would take three times the space, bits in the other order a fifth more.

What happens between choke points: derived from the rules (words.py, levels.py)
    small, big  of level N: the tiles of sizes 1 to N, and the larger ones.
    shape       how the small tiles stand at a choke point: 0: towers left and right, the centre clear of small tiles;
                1: towers centre and right, left clear; 2: like 1 with both tiles of size 1 on the right; 3, 4: the
                mirror images of 1, 2, with right clear.
    N-useful    a position whose small tiles show a shape while every big tile is below layer N.
    piece       of level N: a path between two N-useful positions with no N-useful one in between. A big tile can enter
                or leave the part of a side track below layer N only in shapes 1 to 4, so a piece touches at most
                four big tiles: the top one of the left track (0), the first and second of the centre (1, 2), the top
                one of the right track (3).
    word        the lifts and drops of those four from and to below layer N, in order: all that a piece asks of
                them. Each lift or drop is a letter, a byte: 3 x + c lifts tile x from track c, 12 + 3 x + c drops it
                there.
    type        the start shape, end shape and word of a piece.
    flips       which pairs change their order in a piece (reading left, centre, right, each from the top):
                one bit for each size, size 1 the lowest. The length of a shortest piece depends on the level, the
                type and the flips alone.
    partial state   where a piece of level N + 1 is N-useful: the shape, what lies in layer N + 1 of each track, and
                the word so far. The piece is a path through partial states whose steps are pieces of level N.
                Types, partial states and steps are the same for every level.

Lengths as functions of the flips (diagrams.py, lengths.py)
    function    from k bits to integers; values may be missing, where there is no path. It is a node and an offset.
    node        a function of k bits with minimum 0: a low and a high node of k - 1 bits, for bit k being 0 and 1, each
                with a cost that is added; the lower cost is 0. Equal functions are one node. Node EMPTY has no
                values, node ZERO is the function of no bits with value 0.
    convolution (A * B)(v) = min over u of A(v ^ u) + B(u): one path after another, where each path flips bits.
    place       a partial state as a node of the graph whose shortest paths are pieces: as a start, or as an end.

Distances of any position (positions.py, distances.py)
    pile        a tile and the pile below it, as a number; equal piles have equal numbers, 0 is the empty pile.
    position    the piles of the three tracks, in one integer.
    order       of a position: one bit for each size, whether the capital comes first; bit k - 1 is size k's.
    arrangement of level k: a shape of the tiles 1 to k, and the three piles of larger tiles, all below layer k.
    level       of a position: the largest k for which it is k-useful, 0 where there is none.
    region      positions with moves between them, none of them 2-useful, and the 2-useful ones next to them.
    neighbourhood   arrangements of level k with pieces of level k between them, none of them (k + 1)-useful, and
                the (k + 1)-useful ones next to them.
    value       of an arrangement: its distance to the goal, as a function of the order.

docs/panex.md tells the method and what is proved of it.
"""

from __future__ import annotations

import re
from functools import cache, partial

from puzzlebase.puzzles.contract.engines import GraphSearch, Oracle, WholeTable
from puzzlebase.puzzles.contract.puzzle import (
    About,
    BoardSide,
    Drawing,
    Family,
    IndexSide,
    Letters,
    Move,
    Notation,
    Puzzle,
)
from puzzlebase.puzzles.families.panex.board import (
    MAX_SIZE,
    MOVES,
    TRACKS,
    format_board,
    parse,
    play,
    start,
    tiles_at_home,
)
from puzzlebase.puzzles.families.panex.goals import goal_of, named_goals
from puzzlebase.puzzles.families.panex.index import MAX_INDEXED, play_all, space
from puzzlebase.puzzles.families.panex.layout import effect, gold, silver
from puzzlebase.puzzles.families.panex.oracle import PanexSolver, certify, make
from puzzlebase.puzzles.machinery.spaces import SPACES

_DEPTHS = ("a and A to the first row at most", "b and B to the second", "and so on")
"""How deep the tiles of each size go, as one says it."""


@cache
def _puzzle(name: str) -> Puzzle:
    n = int(name.removeprefix("panex-"))
    enumerable = n <= MAX_INDEXED
    moved, lettered = play(start(n), "LC"), partial(silver, n)
    oracle = Oracle(
        make=partial(make, n), load=lambda stored, goal: PanexSolver(n, stored, goal.states), certify=certify
    )
    return Puzzle(
        name=name,
        title=f"Panex with towers of {n}",
        moves=tuple(Move(move, TRACKS[source]) for move, (source, _) in MOVES.items()),
        goals=named_goals(n),
        notation=Notation(
            state=f"left|centre|right, each track from the top; tile i is the i-th letter, small for the tower that "
            f"starts left, capital for the other. Tile i goes no deeper than layer i, of layers 0 to {n}",
            moves="LC LR CL CR RL RC: the top tile of the first track (left, centre, right) goes to the second",
            examples=(start(n), moved, play(moved, "RL")),
        ),
        about=About(
            inventor="Toshio Akanuma",
            link="https://oeis.org/A109224",
            sentence=f"Two towers of {n} stand on the outer two of three tracks, which are joined at the top.",
            instructions="Slide the top tile of a track along the bar to another track, unless a tile on the bar is "
            f"in the way; there it falls as deep as it can, {', '.join(_DEPTHS[:n])}. It is solved when the two "
            "towers have changed places.",
        ),
        board=BoardSide(
            parse=partial(parse, n),
            format=format_board,
            play=play,
            drawing=Drawing(layout=lettered, effect=effect, styles={"silver": lettered, "gold": partial(gold, n)}),
            letters=Letters(2 * n + 2, play_all) if enumerable else None,
            at_home=tiles_at_home,
            goal_of=partial(goal_of, n),
        ),
        index_side=IndexSide(SPACES.remember(partial(space, n))) if enumerable else None,
        engines=(WholeTable(), oracle, GraphSearch()) if enumerable else (oracle,),
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
    extra={"formulas": "puzzlebase.puzzles.families.panex.formulas:FORMULAS"},
    known={
        "panex-1": (12, 3),
        "panex-2": (216, 13),
        "panex-3": (4_872, 45),
        "panex-4": (98_112, 138),
        "panex-5": (1_886_592, 378),
        "panex-6": (35_735_232, 965),
        "panex-7": (673_669_632, 2385),
    },
)
