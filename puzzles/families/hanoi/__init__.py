"""Magnetic Tower of Hanoi (Uri Levy): disks with a red and a blue side, turned over by every move.

README.md derives the method and the moves of solutions.

Glossary of all files
    post        S, I or D: source, intermediate, destination. A coloured post (R or B) takes only
                disks that show its colour, a neutral one (N) takes both.
    disk        numbered from the largest, 1, to the smallest, n. Touching sides differ in colour,
                so all disks of a post show the same colour up: the post's colour while it holds
                any.
    choice      the post of a disk and the colour that it shows, 2 * post + colour, red 0 and blue
                1. A state is the choices of its disks, the largest first.
    holding     the colours that the posts show, each 0 (empty), 1 (red) or 2 (blue). A disk's
                choices depend on them.
    frozen      a state without a legal move: all disks show one colour, and every empty post
                refuses the other. Frozen states have no index: moves join all other states, and
                none leads to these. A frozen goal has an index.
    context     the colour that each post asks of disks that come to it: 0 (none), 1 (red) or 2
                (blue). A larger disk that does not move counts as a colour of its post.
    stack       disks that all make one choice, down to the smallest. A context allows at most six.
    vertex      a choice of the largest of some disks, and a stack of all smaller ones.
    part        one move of the largest of some disks, or a path of all of them from one state to
                another.
    word        a sequence of parts. A part that is a path unrolls into a word of parts with one
                disk less.
"""

from __future__ import annotations

import re
from functools import partial

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
    Move,
    Notation,
    Puzzle,
    WholeTable,
    states_after_moves,
)
from puzzlebase.puzzles.families.hanoi.board import format_board, parse, play
from puzzlebase.puzzles.families.hanoi.index import MAX_INDEXED, draw, space
from puzzlebase.puzzles.families.hanoi.oracle import HanoiSolver
from puzzlebase.puzzles.families.hanoi.picture import effect, layout
from puzzlebase.puzzles.families.hanoi.rules import MAX_DISKS, MOVES, SWAPPED, WORDS, HanoiRules

_TAKEN = {"R": "only red", "B": "only blue", "N": "both colours"}  # by a post's colour


def _puzzle(name: str) -> Puzzle:
    _, posts, n = name.split("-")
    rules = HanoiRules(posts.upper(), int(n))
    goals = rules.goals
    mirror = (
        f", {rules.posts.translate(SWAPPED)} with the colours swapped"
        if rules.posts[0] == "B"
        else ""
    )
    taken = "S takes {}, I {}, D {}".format(*(_TAKEN[post] for post in rules.posts))
    if rules.posts == "NNN":
        taken = "every post takes both colours"
    disks = f"{n} disk{'s' if rules.n > 1 else ''}"
    rules_play = partial(play, rules)
    after = states_after_moves(rules_play, rules.start, MOVES)
    oracle = Oracle(load=lambda goal: HanoiSolver(rules, goal.states[0]), draw=partial(draw, rules))
    return Puzzle(
        name=name,
        title=f"Magnetic Tower of Hanoi {rules.posts}{mirror}, {disks}",
        moves=tuple(Move(move, f"post {move[0]}") for move in MOVES),
        goals=goals,
        notation=Notation(
            state=f"The posts S|I|D ({', '.join(WORDS[post] for post in rules.posts)}), each as "
            "the colour its disks show, R or B, and the disks from top to bottom by "
            f"number, 1 the largest, separated by dots; nothing for an empty post{mirror}",
            moves="The top disk of the first post goes to the second and is turned over: SI "
            "SD IS ID DS DI",
            examples=(
                rules.start,
                *after.values(),
                *(state for goal in goals for state in goal.states),
            ),
        ),
        about=About(
            inventor="Uri Levy",
            link="https://arxiv.org/abs/1003.0225",
            sentence=f"{disks}, red on one side and blue on the other; {taken}.",
            instructions=f"It is solved when all disks are on post D and show {goals[0].name}. A "
            "move takes the top disk of a post to another post and turns it over. No disk "
            "may lie on a smaller one, and all disks of a post show one colour. "
            f"{rules.posts} means: {taken}. Disk 1 is the largest.",
            example=ExampleMove(
                rules.start, move, f"from post {move[0]} to post {move[1]}, turned over"
            )
            if (move := min(after, default=None))
            else None,
        ),
        board=BoardSide(
            parse=partial(parse, rules),
            format=format_board,
            play=rules_play,
            drawing=Drawing(layout=partial(layout, rules), effect=partial(effect, rules)),
        ),
        index_side=IndexSide(SPACES.remember(partial(space, rules)))
        if rules.n <= MAX_INDEXED
        else None,
        engines=(WholeTable(), oracle, GraphSearch()) if rules.n <= MAX_INDEXED else (oracle,),
    )


FAMILY = Family(
    name="hanoi",
    title="Magnetic Tower of Hanoi",
    template=f"hanoi-SID-1 to hanoi-SID-{MAX_DISKS}, each of the posts S, I, D being r (red), b "
    "(blue) or n (neutral)",
    pattern=re.compile("hanoi-[rbn]{3}-([1-9]|[1-5][0-9]|6[0-4])"),
    members=(
        "hanoi-nnn-3",
        "hanoi-nnn-8",
        "hanoi-nnn-64",
        *(f"hanoi-{posts}-5" for posts in "rbb rrb rbn nrb rnb rnn nnb nnr nbr rrn bnr".split()),  # noqa: SIM905
    ),
    example="hanoi-nnn-3",
    larger=("hanoi-nnn-13",),
    place=2,
    make=_puzzle,
    extra={"formulas": "puzzlebase.puzzles.families.hanoi.formulas:FORMULAS"},
)
