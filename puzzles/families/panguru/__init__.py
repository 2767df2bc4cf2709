"""Panguru: pebbles of seven colours go to the plates of their colours, leaping in straight lines.

Glossary
    place       one of the 15 in the triangle, numbered row by row from the top: 0 / 1 2 / 3 4 5 /
                ...
    plates      the colours of the plates, place by place; one plate is odd, W, and of no pebble's
                colour.
    hole        the place without a pebble. Every pebble in line with it can leap to it, over any
                others; lines are the rows, both families of diagonals and the centre line.
    goal        an arrangement of plates: in the end every pebble is on a plate of its colour, and
                the hole on W.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from puzzlebase.puzzles import (
    SPACES,
    About,
    BoardSide,
    Drawing,
    ExampleMove,
    Family,
    Goal,
    GraphSearch,
    IndexSide,
    Letters,
    Move,
    Notation,
    Puzzle,
    Shortest,
    Space,
    Spend,
    WholeTable,
    format_board,
)
from puzzlebase.puzzles.families.panguru.board import (
    HOLE,
    NAMES,
    PLATES,
    PanguruRules,
    parse,
    play,
    play_on_boards,
    rules_of,
)
from puzzlebase.puzzles.families.panguru.goals import goal_of, goal_of_plates
from puzzlebase.puzzles.families.panguru.index import index_of, space
from puzzlebase.puzzles.families.panguru.layout import effect, layout
from puzzlebase.puzzles.families.panguru.search import MOST_COLOURS


def panguru_puzzle(name: str, plates: str, pebbles: str, lines: Iterable[Iterable[int]]) -> Puzzle:
    """Make a puzzle with plates, pebbles and lines of one's own;
    a line of two places allows the moves between them.

    Colours are capitals except W, the odd plate;
    `-` is the hole. Raises InvalidState or ImpossibleState.
    """
    words = "the lines of the file", "a line"
    rules = PanguruRules(
        name,
        plates,
        pebbles,
        tuple(tuple(sorted({*line})) for line in lines),
        words,
        connected=False,
    )
    parse(rules, pebbles)
    goal = goal_of(rules, plates)
    assert goal
    return _puzzle(rules, goal)


def _made(name: str) -> Puzzle:
    rules = rules_of(name)
    return _puzzle(rules, goal_of_plates(rules, rules.plates))


def _puzzle(rules: PanguruRules, goal: Goal) -> Puzzle:
    leapt = next(
        move for move, partners in rules.partners.items() if rules.start.index(HOLE) in partners
    )
    whole = rules.plates == PLATES
    return Puzzle(
        name=rules.name,
        title=("Panguru" if whole else f"Panguru on {rules.places} places")
        + (" without the centre line" if rules.name.endswith("-plain") else ""),
        moves=tuple(
            Move(str(place), f"row {row + 1}" if row > 1 else "rows 1 and 2")
            for place, (row, _) in enumerate(rules.where)
        ),
        goals=(goal,),
        notation=Notation(
            state=f"{rules.places} letters, the pebbles place by place, row by row from the top; "
            f"'-' is the hole. {rules.pebbles}, in the letters of the goal's plates. A "
            f"goal is an arrangement of plates like {rules.plates}, W the odd one. Any "
            "capitals but W are colours",
            moves=f"0 to {rules.places - 1}: the place of the pebble that leaps in a straight "
            f"line to the hole, over any others; lines are {rules.named[0]}",
            examples=(rules.start, play(rules, rules.start, leapt), goal.states[0]),
        ),
        about=About(
            sentence=f"{'A game of Second Nature Games' if whole else 'Another Panguru'}: pebbles "
            "lie on coloured plates in a triangle, and one plate is free.",
            instructions=f"Move a pebble to the plate without one, along {rules.named[1]}, over "
            "any others. It is solved when every pebble lies on a plate of its colour.",
            example=ExampleMove(
                rules.start, str(leapt), f"the pebble of place {leapt} leaps; the top is place 0"
            ),
        ),
        board=BoardSide(
            parse=partial(parse, rules),
            format=format_board,
            play=partial(play, rules),
            drawing=Drawing(layout=partial(layout, rules), effect=partial(effect, rules)),
            letters=Letters(rules.places, play_on_boards),
            goal_of=partial(goal_of, rules),
        ),
        index_side=IndexSide(SPACES.remember(partial(space, rules), lambda goal: goal.name)),
        engines=(WholeTable(), _search(rules)),
    )


FAMILY = Family(
    name="panguru",
    title="Panguru",
    template="panguru, or panguru-4 on a triangle of side 4, each also with the numbers of "
    "pebbles of its colours, as "
    "panguru-5432 or panguru-4-432, and with -plain, without the centre line",
    pattern=NAMES,
    members=("panguru", "panguru-4"),
    larger=("panguru-plain", "panguru-4-plain"),
    example="panguru",
    place=5,
    make=_made,
)


def _search(rules: PanguruRules) -> GraphSearch:
    """The engine that searches: with bounds,
    if words have bits for all colours and every state can be solved.
    """
    if not rules.connected or len(rules.counts) > MOST_COLOURS:
        return GraphSearch()

    def shortest(space: Space, index: int, spend: Spend, *, least: int = 1) -> Shortest:  # noqa: ARG001
        return index_of(rules).search.shortest(space.goal_states, index, spend)

    return GraphSearch(shortest=shortest)
