"""Dials that turn both ways. No turn leads to the goal of the dead one."""

import re
from collections.abc import Iterator

from puzzlebase.puzzles import Family, Puzzle, rules_puzzle

GOALS = {"dial": 3, "dead-dial": 7}


def read(text: str) -> int:
    if text not in set("01234567"):
        raise ValueError("it is a digit from 0 to 7")
    return int(text)


def moves(at: int) -> Iterator[tuple[str, int]]:
    if at < 6:
        yield "+", (at + 1) % 6
        yield "-", (at - 1) % 6


def dial(name: str) -> Puzzle:
    return rules_puzzle(
        name, start=0, solved=lambda at: at == GOALS[name], moves=moves, read=read, write=str
    )


FAMILY = Family(name="dial", pattern=re.compile("(dead-)?dial"), members=(*GOALS,), make=dial)
