"""The goals of Panguru: plates of any colours."""

from __future__ import annotations

from puzzlebase.puzzles import Goal, Published
from puzzlebase.puzzles.families.panguru.board import (
    HOLE,
    ODD,
    PanguruRules,
    board_colours,
    check_letters,
)
from puzzlebase.puzzles.machinery.automaton import Arrangements


def goal_of_plates(rules: PanguruRules, plates: str) -> Goal:
    """The goal of Panguru named by its plates. Play begins as in the default goal,
    with the colours renamed as the plates are.
    """
    solved = plates.replace(ODD, HOLE)
    named = dict(zip(board_colours(rules.plates), board_colours(plates), strict=True))
    start = "".join(named[letter] for letter in rules.start.replace(HOLE, ODD)).replace(ODD, HOLE)
    size = Arrangements((1, *rules.counts)).size
    published = Published("the number of arrangements of the pebbles", states=size)
    return Goal(plates, (solved,), start, published, _key(plates))


def _key(plates: str) -> str:
    """The key of plates, equal for plates that differ in the names of colours alone:
    a, b, c, ... in order, and w.
    """
    order = board_colours(plates)
    return "".join("wabcdefghijklmnopqrstuv"[order.index(letter)] for letter in plates)


def goal_of(rules: PanguruRules, text: str) -> Goal | None:
    """Read a goal: plates, a solved state or a goal's key;
    None for a text that is none of them. Raises what `parse` raises.

    A key stands for the default goal if that has this key;
    otherwise for the plates with colours A, B, C, ...
    """
    default = rules.plates
    if len(text) == rules.places and {*text} <= {*_key(default)}:
        plates = default if text == _key(default) else text.upper()
        if _key(plates) != text:
            return None
    elif len(text) == rules.places or text.isupper():
        plates = text.replace(HOLE, ODD)
    else:
        return None
    check_letters(rules, plates, ODD, "odd plate")
    return goal_of_plates(rules, plates)
