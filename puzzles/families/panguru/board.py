"""The board side of Panguru: states as text, which moves are legal, and goals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from string import ascii_uppercase

import numpy as np
import numpy.typing as npt

from puzzlebase.puzzles import Board, Boards, IllegalMove, ImpossibleState, InvalidState, shorten

HOLE = "-"
ODD = "W"
_COLOURS = {*ascii_uppercase} - {ODD}


@dataclass(frozen=True)
class PanguruRules:
    """One puzzle of the family: its default plates,
    the pebbles at the start, and the lines, places on each.

    `named` is the name of the lines in a sentence, and their name after "along". Triangles are
    `connected`: moves reach every arrangement, by a theorem of R. M. Wilson (Graph puzzles,
    homotopy, and the alternating group, 1974).
    """

    name: str
    plates: str
    start: str
    lines: tuple[tuple[int, ...], ...]
    named: tuple[str, str]
    connected: bool = True

    @cached_property
    def side(self) -> int:
        """The number of rows."""
        return self.where[-1][0] + 1

    @property
    def places(self) -> int:
        """The number of places."""
        return len(self.plates)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The number of pebbles of each colour, the most first."""
        return tuple(self.plates.count(letter) for letter in board_colours(self.plates)[1:])

    @property
    def pebbles(self) -> str:
        """The numbers of pebbles as people read them."""
        copies = {*self.counts}
        each = (
            f"{copies.pop()} pebbles of each"
            if len(copies) == 1
            else f"with {', '.join(map(str, self.counts))} pebbles"
        )
        return f"{len(self.counts)} colours, {each}"

    @cached_property
    def where(self) -> list[tuple[int, int]]:
        """The row of each place and its number there, both from 0."""
        return [(row, at) for row in range(self.places) for at in range(row + 1)][: self.places]

    @cached_property
    def aligned(self) -> npt.NDArray[np.bool_]:
        """True for two places that lie on a line: bool[places, places]."""
        shared = np.zeros((self.places, self.places), np.bool_)
        for line in self.lines:
            shared[np.ix_(line, line)] = True
        np.fill_diagonal(shared, val=False)
        return shared

    @cached_property
    def partners(self) -> dict[str, frozenset[int]]:
        """The places of the hole that allow each move, by the move's name."""
        return {
            str(place): frozenset(np.flatnonzero(row).tolist())
            for place, row in enumerate(self.aligned)
        }


def _triangle_rules(name: str, side: int, plates: str, start: str, *, centre: bool) -> PanguruRules:
    """The rules on a triangle's rows and diagonals, with or without its centre line."""
    lines: dict[tuple[str, int], list[int]] = {}
    where = [(row, at) for row in range(side) for at in range(row + 1)]
    for place, (row, at) in enumerate(where):
        along = [("row", row), ("left", at), ("right", row - at), ("centre", 2 * at - row)]
        for line in along if centre and 2 * at == row else along[:3]:
            lines.setdefault(line, []).append(place)
    words = ("the rows, the diagonals and the centre line", "a row, a diagonal or the centre line")
    plain = ("the rows and the diagonals", "a row or a diagonal")
    return PanguruRules(
        name, plates, start, tuple(map(tuple, lines.values())), words if centre else plain
    )


PLATES = "WCBRBOGYGPCORPY"
_SIDES = {"": (5, PLATES, "-PCBRYOGYGBCORP"), "-4": (4, "WRYBRYBRYB", "-BBYBRYYRR")}


def _counted(pebbles: int, most: int = 9) -> Iterator[str]:
    """The numbers of pebbles of each colour, a digit each and the most first."""
    if pebbles == 0:
        yield ""
    for copies in range(min(pebbles, most), 0, -1):
        yield from (f"{copies}{rest}" for rest in _counted(pebbles - copies, copies))


NAMES = re.compile(
    f"panguru(-4(-({'|'.join(_counted(9))}))?|-({'|'.join(_counted(14))}))?(-plain)?"
)
"""A name may end in the numbers of pebbles:
panguru-5432 has five of one colour, four of the next, and so on.
"""


@cache
def rules_of(name: str) -> PanguruRules:
    """The rules of one of the names."""
    words = name.split("-")
    sided = "-4" if "4" in words else ""
    side, plates, start = _SIDES[sided]
    counted = name.removeprefix(f"panguru{sided}").removesuffix("-plain").removeprefix("-")
    if counted:
        pebbles = "".join(
            letter * int(copies) for letter, copies in zip(ascii_uppercase, counted, strict=False)
        )
        plates, start = ODD + pebbles, HOLE + pebbles[::-1]
    return _triangle_rules(name, side, plates, start, centre=words[-1] != "plain")


def parse(rules: PanguruRules, text: str) -> Board:
    """Read the letters of a state, uint8[places]; raises InvalidState or ImpossibleState."""
    check_letters(rules, text, HOLE, "hole")
    return np.frombuffer(text.encode("ascii"), np.uint8)


def check_letters(rules: PanguruRules, text: str, single: str, named: str) -> None:
    """Check the letters of a Panguru board: raise unless a text has one `single`, such as the hole,
    and as many letters of each colour as pebbles.
    """
    example = (
        f"a state of {rules.name} looks like {rules.start!r}: the pebbles place by "
        f"place, '-' the hole; a goal like {rules.plates!r}: the plates, W the odd "
        f"one; {rules.pebbles}, any capital letters but W"
    )
    if len(text) != rules.places:
        raise InvalidState(
            f"{shorten(text)!r} has {len(text)} characters, not {rules.places}", example
        )
    wrong = next((letter for letter in text if letter not in _COLOURS and letter != single), None)
    if wrong is not None:
        raise InvalidState(f"{text!r} has {wrong!r}, which is no colour and no {named}", example)
    if (count := text.count(single)) != 1:
        raise ImpossibleState(f"{text!r} has {count} {named}s ({single}), not one", example)
    left = [*rules.counts]
    for letter in sorted(set(text) - {single}):
        if (count := text.count(letter)) not in left:
            wanted = ", ".join(map(str, dict.fromkeys(rules.counts)))
            raise ImpossibleState(
                f"{text!r} has {letter!r} {count} times, not {wanted} times", example
            )
        left.remove(count)


def play(rules: PanguruRules, text: str, move: str) -> str:
    """Make a move; raises IllegalMove."""
    if move not in rules.partners:
        raise IllegalMove(
            f"there is no move {shorten(move)!r}", f"moves are the places 0 to {rules.places - 1}"
        )
    place, hole = int(move), text.index(HOLE)
    if hole not in rules.partners[move]:
        why = (
            "the hole is there" if place == hole else f"the hole is at {hole}, not in line with it"
        )
        raise IllegalMove(
            f"{move} is not legal in {text!r}: {why}", "a lookup lists the legal moves"
        )
    letters = list(text)
    letters[hole], letters[place] = letters[place], HOLE
    return "".join(letters)


def play_on_boards(boards: Boards) -> Boards:
    """Make each move on boards of Panguru: uint8[n, places, places].
    Boards after illegal moves have no meaning.
    """
    places = boards.shape[1]
    played = np.repeat(boards[:, None], places, axis=1)
    hole = (boards == ord(HOLE)).argmax(axis=1)
    every = np.arange(places)
    played[np.arange(len(boards))[:, None], every, hole[:, None]] = boards
    played[:, every, every] = ord(HOLE)
    return played


def board_colours(plates: str) -> str:
    """The colours on a board of Panguru: W, then those with most plates first.
    Colours with equally many are in order of first appearance.
    """
    colours = dict.fromkeys(plates.replace(ODD, ""))
    return ODD + "".join(sorted(colours, key=plates.count, reverse=True))
