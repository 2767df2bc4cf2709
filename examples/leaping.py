"""Panguru with plates, pebbles and lines of your own: change these texts and lists.

A pebble leaps to the hole, `-`, if a line joins the two places. It is solved when every pebble lies on a plate of its
colour; one plate, `W`, stays free. Colours may come in any numbers. Here is the triangle of ten places, numbered row by
row, without its centre line. In place of LINES a list MOVES may stand: for each place, those from which pebbles come.
"""

import re
from collections.abc import Iterator

from puzzlebase.puzzles import About, Family, rules_puzzle

PLATES = "WAAABBCDDD"
PEBBLES = "-DBAACDADB"
LINES = ("12", "345", "6789", "0136", "247", "58", "0259", "148", "37")
MOVES = [
    sorted({int(other) for line in LINES if str(place) in line for other in line} - {place})
    for place in range(len(PLATES))
]


def leaps(state: str) -> Iterator[tuple[str, str]]:
    """The moves of a state, by the place that a pebble leaves, and the states after them."""
    hole = state.index("-")
    for place in MOVES[hole]:
        letters = [*state]
        letters[hole], letters[place] = letters[place], "-"
        yield str(place), "".join(letters)


def read(text: str) -> str:
    """Read a state."""
    if sorted(text) != sorted(PEBBLES):
        raise ValueError(f"the pebbles of {PEBBLES!r} in any order")
    return text


PUZZLE = rules_puzzle(
    "leaping",
    start=PEBBLES,
    solved=PLATES.replace("W", "-").__eq__,
    moves=leaps,
    read=read,
    title="Panguru with lines of one's own",
    about=About(instructions="Move a pebble along a line to the hole, until every pebble lies on its colour."),
)
FAMILY = Family(name="leaping", pattern=re.compile("leaping"), members=("leaping",), make=lambda _name: PUZZLE)
