"""The board side of Panguru: states as text, which moves are legal, and goals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Board, Boards, Goal, Published
from puzzlebase.puzzles.contract.errors import IllegalMove, ImpossibleState, InvalidState, shorten
from puzzlebase.puzzles.machinery.automaton import Arrangements

HOLE = "-"
ODD = "W"
_COLOURS = {*ascii_uppercase} - {ODD}
_KEY = re.compile("[a-gw]+")


@dataclass(frozen=True)
class PanguruRules:
    """One puzzle of the family: its size, its default plates and the pebbles at the start.

    Of the colours, `apart` belong to the row of an index, and the others to its column.
    """

    side: int
    copies: int
    plates: str
    start: str
    apart: int
    centre: bool = True  # False without the centre line

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        sided = "panguru" if self.side == 5 else f"panguru-{self.side}"
        return sided if self.centre else f"{sided}-plain"

    @property
    def lines(self) -> str:
        """The lines, for people."""
        return "the rows, the diagonals and the centre line" if self.centre else "the rows and the diagonals"

    @property
    def places(self) -> int:
        """The number of places."""
        return len(self.plates)

    @property
    def colours(self) -> int:
        """The number of colours."""
        return (self.places - 1) // self.copies

    @property
    def where(self) -> list[tuple[int, int]]:
        """The row of each place and its number there, both from 0."""
        return [(row, at) for row in range(self.side) for at in range(row + 1)]

    @cached_property
    def aligned(self) -> npt.NDArray[np.bool_]:
        """True for two places that lie on a line: bool[places, places]."""
        row, at = np.array(self.where).T
        centre = np.where((2 * at == row) & self.centre, -1, np.arange(self.places))
        lines = np.array([row, at, row - at, centre])
        shared: npt.NDArray[np.bool_] = (lines[:, :, None] == lines[:, None]).any(axis=0)
        np.fill_diagonal(shared, val=False)
        return shared

    @cached_property
    def partners(self) -> dict[str, frozenset[int]]:
        """The places of the hole that allow each move, by the move's name."""
        return {str(place): frozenset(np.flatnonzero(row).tolist()) for place, row in enumerate(self.aligned)}


PUZZLES = {
    rules.name: rules
    for centre in (True, False)
    for rules in (
        PanguruRules(5, 2, "WCBRBOGYGPCORPY", "-PCBRYOGYGBCORP", 3, centre),
        PanguruRules(4, 3, "WRYBRYBRYB", "-BBYBRYYRR", 1, centre),
    )
}


def parse(rules: PanguruRules, text: str) -> Board:
    """Read the letters of a state, uint8[places]; raises InvalidState or ImpossibleState."""
    _check(rules, text, HOLE, "hole")
    return np.frombuffer(text.encode("ascii"), np.uint8)


def _check(rules: PanguruRules, text: str, single: str, named: str) -> None:
    """Raise if a text does not have `single`, the hole say, once, and every colour `copies` times."""
    example = (
        f"a state of {rules.name} looks like {rules.start!r}: the pebbles place by place, '-' the hole; a goal "
        f"like {rules.plates!r}: the plates, W the odd one; {rules.colours} colours, any capital letters but W"
    )
    if len(text) != rules.places:
        raise InvalidState(f"{shorten(text)!r} has {len(text)} characters, not {rules.places}", example)
    wrong = next((letter for letter in text if letter not in _COLOURS and letter != single), None)
    if wrong is not None:
        raise InvalidState(f"{text!r} has {wrong!r}, which is no colour and no {named}", example)
    if (count := text.count(single)) != 1:
        raise ImpossibleState(f"{text!r} has {count} {named}s ({single}), not one", example)
    for letter in sorted(set(text) - {single}):
        if (count := text.count(letter)) != rules.copies:
            raise ImpossibleState(f"{text!r} has {letter!r} {count} times, not {rules.copies} times", example)


def play(rules: PanguruRules, text: str, move: str) -> str:
    """Make a move; raises IllegalMove."""
    if move not in rules.partners:
        raise IllegalMove(f"there is no move {shorten(move)!r}", f"moves are the places 0 to {rules.places - 1}")
    place, hole = int(move), text.index(HOLE)
    if hole not in rules.partners[move]:
        why = "the hole is there" if place == hole else f"the hole is at {hole}, not in line with it"
        raise IllegalMove(f"{move} is not legal in {text!r}: {why}", "a lookup lists the legal moves")
    letters = list(text)
    letters[hole], letters[place] = letters[place], HOLE
    return "".join(letters)


def play_letters(boards: Boards) -> Boards:
    """Make each move on boards: uint8[n, places, places]. Boards after a move that is not legal have no meaning."""
    places = boards.shape[1]
    played = np.repeat(boards[:, None], places, axis=1)
    hole = (boards == ord(HOLE)).argmax(axis=1)
    every = np.arange(places)
    played[np.arange(len(boards))[:, None], every, hole[:, None]] = boards
    played[:, every, every] = ord(HOLE)
    return played


def goal_of_plates(rules: PanguruRules, plates: str) -> Goal:
    """The goal named by its plates. Play begins as in the default goal, with the colours renamed as the plates are."""
    solved = plates.replace(ODD, HOLE)
    named = dict(zip(in_order(rules.plates), in_order(plates), strict=True))
    start = "".join(named[letter] for letter in rules.start.replace(HOLE, ODD)).replace(ODD, HOLE)
    size = Arrangements((1,) + rules.colours * (rules.copies,)).size
    published = Published("the number of arrangements of the pebbles", states=size)
    return Goal(plates, (solved,), start, published, _key(plates))


def in_order(plates: str) -> str:
    """W, then the colours in the order in which plates first show them."""
    return "".join(dict.fromkeys(ODD + plates))


def _key(plates: str) -> str:
    """The key of plates, equal for plates that differ in the names of colours alone: a, b, c, ... in order, and w."""
    order = in_order(plates)
    return "".join("wabcdefghijklmnopqrstuv"[order.index(letter)] for letter in plates)


def goal_of(rules: PanguruRules, text: str) -> Goal | None:
    """Read plates, a solved state or a goal's key; None for a text meant as none of them. Raises what `parse` raises.

    A key stands for the default goal if that has this key, else for the plates with colours A, B, C, ...
    """
    default = rules.plates
    if len(text) == rules.places and _KEY.fullmatch(text):
        plates = default if text == _key(default) else text.upper()
        if _key(plates) != text:
            return None
    elif len(text) == rules.places or text.isupper():
        plates = text.replace(HOLE, ODD)
    else:
        return None
    _check(rules, plates, ODD, "odd plate")
    return goal_of_plates(rules, plates)
