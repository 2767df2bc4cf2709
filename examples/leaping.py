"""Panguru with plates, pebbles and lines of your own: change these texts and lists.

A pebble leaps to the hole, `-`, if a line joins the two places. It is solved when every pebble lies
on a plate of its colour; one plate, `W`, stays free. Colours may come in any numbers. Here is the
triangle of ten places, numbered row by row, without its centre line. A list of allowed moves is a
list of lines of two places each.
"""

import re

from puzzlebase.puzzles import Family
from puzzlebase.puzzles.families.panguru import panguru_puzzle

PLATES = "WAAABBCDDD"
PEBBLES = "-DBAACDADB"
LINES = [
    [1, 2],
    [3, 4, 5],
    [6, 7, 8, 9],
    [0, 1, 3, 6],
    [2, 4, 7],
    [5, 8],
    [0, 2, 5, 9],
    [1, 4, 8],
    [3, 7],
]

FAMILY = Family(
    name="leaping",
    pattern=re.compile("leaping"),
    members=("leaping",),
    make=lambda name: panguru_puzzle(name, PLATES, PEBBLES, LINES),
)
