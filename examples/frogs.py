"""Frogs and toads, with packed states: frogs go right and toads left, one step, or over one of the others."""

from collections.abc import Iterator

import numpy as np

from puzzlebase.plugins.levels.game import LevelGame, Slide, Step
from puzzlebase.plugins.levels.puzzle import game_puzzle
from puzzlebase.plugins.levels.states.packed import NO_STATE, Key, Keys, PackedRules
from puzzlebase.puzzles import Family, Goal, Layout, Move, Piece, Place, Published, circle, kernel

START, END = "FFF.TTT", "TTT.FFF"
LETTERS = ".FT"  # two bits for each place, the first one lowest
COLOURS = {"F": "#2e9e4f", "T": "#c98a1b"}


def read(text: str) -> Key:
    if sorted(text) != sorted(START):
        raise ValueError("it has three F, three T and a dot")
    return np.array([sum(LETTERS.index(letter) << 2 * at for at, letter in enumerate(text))], np.uint64)


def write(key: Key) -> str:
    return "".join(LETTERS[int(key[0]) >> 2 * at & 3] for at in range(len(START)))


@kernel
def _hop(keys, places, none, after):  # type: ignore[no-untyped-def]
    """The states after each move of a state, in its first slots; `none` ends them."""
    for row in range(keys.shape[0]):
        count = 0
        for at in range(places):
            mine = (keys[row, 0] >> np.uint64(2 * at)) & np.uint64(3)
            for far in range(1, 3):
                to = at + far if mine == 1 else at - far
                if mine == 0 or to < 0 or to >= places or (keys[row, 0] >> np.uint64(2 * to)) & np.uint64(3):
                    continue
                over = (keys[row, 0] >> np.uint64(at + to)) & np.uint64(3)  # twice the place in the middle
                if far == 1 or over == np.uint64(3) - mine:
                    after[row, count, 0] = keys[row, 0] ^ (mine << np.uint64(2 * at)) ^ (mine << np.uint64(2 * to))
                    count += 1
        if count < after.shape[1]:
            after[row, count, 0] = none


def successors(keys: Keys) -> Keys:
    after = np.empty((len(keys), 4, 1), np.uint64)  # one place is empty, and at most four can move there
    _hop(keys, len(START), NO_STATE, after)
    return after


def steps(text: str) -> Iterator[Step]:
    """The same moves for people: their names, and what slides on the board."""
    read(text)
    for at, mine in enumerate(text):
        by = {"F": 1, "T": -1}.get(mine, 0)
        for to in (at + by, at + 2 * by):
            if by and 0 <= to < len(text) and text[to] == "." and (to == at + by or {mine, text[at + by]} == {*"FT"}):
                after = "".join({at: ".", to: mine}.get(place, each) for place, each in enumerate(text))
                slide = Slide(str(at), str(to), lift=abs(to - at) > 1)
                yield Step(Move(f"{at + 1}-{to + 1}", f"place {at + 1}"), after, (slide,))


def layout(text: str) -> Layout:
    read(text)
    places = tuple(Place(str(at), 30.0 + 40 * at, 30.0) for at in range(len(text)))
    pieces = (
        Piece(id=f"{mine}{text[:at].count(mine)}", outline=circle(place.x, place.y, 16), colour=COLOURS[mine],
              x=place.x, y=place.y, label=mine, place=place.name)
        for at, (mine, place) in enumerate(zip(text, places, strict=True)) if mine != "."
    )  # fmt: skip
    return Layout(40.0 * len(text) + 20, 60.0, places, (), tuple(pieces))


game = LevelGame(
    rules=PackedRules(read(START), successors, lambda keys: keys[:, 0] == read(END)[0]),
    start=START,
    read=read,
    write=write,
    steps=steps,
    layout=layout,
    state="a letter for each place: F a frog, T a toad, . the empty one",
    moves="the places from which and to which one goes, as in 3-4",
    instructions="Frogs go right and toads left, one step or over one of the others. Let them change sides.",
)
known = Published("E. Lucas, Recreations mathematiques, 1883: n (n + 2) moves", start_distance=15)
FAMILY = Family.of(game_puzzle("frogs", "Frogs and toads", Goal("solved", (), START, known), game))
