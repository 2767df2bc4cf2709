"""Frogs and toads, with packed states:
frogs go right and toads left, one step, or over one of the others.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from puzzlebase.plugins.levels.game import LevelGame, Slide, Step
from puzzlebase.plugins.levels.puzzle import game_puzzle
from puzzlebase.plugins.levels.states.packed import (
    Key,
    PackedRules,
    end_packed_successors,
    packed_successors,
)
from puzzlebase.puzzles import Family, Goal, Layout, Move, Piece, Place, Published, circle, kernel

START, END = "FFF.TTT", "TTT.FFF"
LETTERS = ".FT"  # a number for each place
COLOURS = {"F": "#2e9e4f", "T": "#c98a1b"}


@kernel
def _hop(keys, after):  # type: ignore[no-untyped-def]
    """The states after each move of a state, in its first slots."""
    places = keys.shape[1]
    for row in range(keys.shape[0]):
        count = 0
        for at in range(places):
            mine = keys[row, at]
            for far in range(1, 3):
                to = at + far if mine == 1 else at - far
                if mine == 0 or to < 0 or to >= places or keys[row, to] != 0:
                    continue
                if far == 1 or keys[row, (at + to) // 2] == 3 - mine:
                    after[row, count] = keys[row]
                    after[row, count, at], after[row, count, to] = 0, mine
                    count += 1
        end_packed_successors(after, row, count)


class Frogs(LevelGame):
    """The game, as people write and see it."""

    start = START
    state = "a letter for each place: F a frog, T a toad, . the empty one"
    moves = "the places from which and to which one goes, as in 3-4"
    instructions = (
        "Frogs go right and toads left, one step or over one of the others. Let them change sides."
    )

    def __init__(self) -> None:
        self.rules = PackedRules(
            start=self.read(START),
            # one place is empty, and at most four can move there
            successors=packed_successors(_hop, 4),
            solved=lambda keys: (keys == self.read(END)).all(axis=1),
        )

    def read(self, text: str) -> Key:
        """The key of a state."""
        if sorted(text) != sorted(START):
            raise ValueError("it has three F, three T and a dot")
        return np.array([LETTERS.index(letter) for letter in text], np.uint8)

    def write(self, key: Iterable[int]) -> str:
        """The text of a key."""
        return "".join(LETTERS[number] for number in key)

    def steps(self, text: str) -> Iterator[Step]:
        """The moves for people: their names, and what slides on the board."""
        for numbers in self.after(self.read(text)):
            after = self.write(numbers)
            at, to = after.index("."), text.index(".")
            slide = Slide(str(at), str(to), lift=abs(to - at) > 1)
            yield Step(Move(f"{at + 1}-{to + 1}", f"place {at + 1}"), after, (slide,))

    def layout(self, text: str) -> Layout:
        """Draw a state."""
        self.read(text)
        places = tuple(Place(str(at), 30.0 + 40 * at, 30.0) for at in range(len(text)))
        pieces = (
            Piece(id=f"{mine}{text[:at].count(mine)}", outline=circle(place.x, place.y, 16),
            colour=COLOURS[mine],
                  x=place.x, y=place.y, label=mine, place=place.name)
            for at, (mine, place) in enumerate(zip(text, places, strict=True)) if mine != "."
        )  # fmt: skip
        return Layout(40.0 * len(text) + 20, 60.0, places, (), tuple(pieces))


known = Published("E. Lucas, Recreations mathematiques, 1883: n (n + 2) moves", start_distance=15)
FAMILY = Family.of(
    game_puzzle("frogs", "Frogs and toads", Goal("solved", (), START, known), Frogs())
)
