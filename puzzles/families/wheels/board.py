"""The board side of color wheels: states as text, turns of them, and goals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from string import ascii_letters

import numpy as np

from puzzlebase.puzzles import Board, ImpossibleState, InvalidState, Published, check_move, shorten

PLACES = 21
WHEELS = {"L": "left wheel", "R": "right wheel"}
# the end of a move's name, by the sixths of a turn clockwise
SIXTHS = {1: "", 2: "2", 3: "3", 4: "2'", 5: "'"}
HALF_TURN = tuple(20 - place for place in range(PLACES))
_FLIP = (*range(8, -1, -1), 11, 10, 9, *range(20, 11, -1))
SYMMETRIES = (tuple(range(PLACES)), HALF_TURN, _FLIP, _FLIP[::-1])
UNCOLOURED = "."
NAMES = "ABCDE"
_LETTERS = {*ascii_letters, UNCOLOURED}


def turn_of(wheel: str, sixths: int) -> tuple[int, ...]:
    """The place where each place gets its new piece, after a clockwise turn by some sixths."""
    source = list(range(PLACES))
    for i in range(12):
        if wheel == "L":
            source[i] = (i - 2 * sixths) % 12
        else:
            source[9 + i] = 9 + (i + 2 * sixths) % 12
    return tuple(source)


@dataclass(frozen=True)
class WheelRules:
    """One puzzle of the family."""

    wheels: str
    solved: str
    interchangeable: bool  # True if colours may be swapped for one another
    colours: str
    done: str
    sixths: bool = False  # the metric
    abstraction: bool = False  # True for a pattern of another puzzle, which is not listed

    @property
    def name(self) -> str:
        """The puzzle's name."""
        return self.wheels + ("-sixths" if self.sixths else "")

    @cached_property
    def turns(self) -> dict[str, tuple[int, ...]]:
        """The moves by name, as `turn_of`."""
        return {
            f"{wheel}{suffix}": turn_of(wheel, k)
            for wheel in WHEELS
            for k, suffix in SIXTHS.items()
            if k in (1, 5) or not self.sixths
        }


PUZZLES = {
    rules.wheels: rules
    for rules in (
        WheelRules(
            "avenger",
            ".AAA.BBB.CCC.DDD.EEE.",
            True,
            "five colours, any letters, two corners and one edge each; six uncoloured edges (.)",
            "the edge and the corners of each colour lie side by side, those of one colour where "
            "the wheels cross",
        ),
        WheelRules(
            "novice",
            "BBBBBBBBBBBBRRRRRRRRR",
            False,
            "one wheel's pieces blue (B), the rest red (R)",
            "the left wheel is blue",
        ),
        WheelRules(
            "challenger",
            "YYYYKGGGGGKYYYYYKGGGG",
            False,
            "green (G) above, yellow (Y) below, three black edges (K) between",
            "the upper half is green, the lower half yellow, and the three edges "
            "between them black",
        ),
        WheelRules(
            "turnstile",
            ".AAA.BBB.CCC.DDD.EEE.",
            False,
            "five colours (A to E), two corners and one edge each; six uncoloured edges (.)",
            "every piece is in its own place, the edge and the corners of each colour side by side",
        ),
        WheelRules(
            "turnstile-edges",
            "..A...B...C...D...E..",
            False,
            "five colours (A to E), one edge each; six uncoloured edges and ten uncoloured "
            "corners (.)",
            "every coloured edge is in its own place",
            abstraction=True,
        ),
    )
}


def rules_of(name: str) -> WheelRules:
    """The rules of a puzzle by its name, with the metric."""
    return replace(PUZZLES[name.removesuffix("-sixths")], sixths=name.endswith("-sixths"))


def parse(rules: WheelRules, text: str) -> Board:
    """Read the letters of a state, uint8[21]; raise InvalidState or ImpossibleState."""
    example = f"a state of {rules.wheels} looks like {rules.solved!r}: {rules.colours}"
    if len(text) != PLACES:
        raise InvalidState(f"{shorten(text)!r} has {len(text)} letters, not {PLACES}", example)
    known = _LETTERS if rules.interchangeable else set(rules.solved)
    letters = set(text)
    if not letters <= known:
        place, letter = next(
            (place, letter) for place, letter in enumerate(text) if letter not in known
        )
        raise InvalidState(f"{text!r} has an unknown letter {letter!r} at place {place}", example)
    if rules.interchangeable:
        wanted = sorted(letters - {UNCOLOURED})
        coloured = sorted(text[::2].replace(UNCOLOURED, ""))
        right = len(wanted) == 5 and coloured == wanted and sorted(text[1::2]) == sorted(2 * wanted)
    else:
        right = all(sorted(text[part::2]) == sorted(rules.solved[part::2]) for part in (0, 1))
    if not right:
        raise ImpossibleState(f"{text!r} does not have the pieces of {rules.wheels}", example)
    return np.frombuffer(text.encode("ascii"), np.uint8)


def recolour_wheels(text: str) -> str:
    """Name a state's colours A to E in the order in which they first appear."""
    named = dict(zip(dict.fromkeys(text.replace(UNCOLOURED, "")), NAMES, strict=True))
    return "".join(named.get(letter, letter) for letter in text)


def play(rules: WheelRules, text: str, move: str) -> str:
    """The state after a move; raises IllegalMove."""
    check_move(move, rules.turns)
    return "".join(text[place] for place in rules.turns[move])


# fmt: off
_AVENGER_LAYERS = (
    1, 2, 10, 50, 234, 1121, 5401, 25546, 119475, 552577, 2377383, 8631662, 20629489, 18296107,
    1751438, 304,
)
# fmt: on

_JAAP = "Jaap Scherphuis's puzzle page"
_SOLVER = "the brute-force Avenger solver of 2016 (Stack Exchange)"
PUBLISHED = {  # by name; nothing is known of a metric in sixths
    "novice": Published(_JAAP, 97_020, 13),
    "challenger": Published(_JAAP, 2_910_600, 13),
    "avenger": Published(_SOLVER, 52_390_800, 15, _AVENGER_LAYERS),
    "turnstile": Published(_JAAP, 6_286_896_000),
}
