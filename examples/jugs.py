"""Jugs of milk: pour until the two large ones have equal amounts.

A game of one's own with a title, instructions, two levels and a drawing. A text has the amounts, as
in 8,0,0.
"""

import re
from collections.abc import Iterator
from itertools import permutations

from puzzlebase.puzzles import About, Family, Layout, Place, Puzzle, circle, piece_in, rules_puzzle

LEVELS = {"jugs-1": ("Eight pints", (8, 5, 3)), "jugs-2": ("Twelve pints", (12, 7, 5))}
NAMES = "ABC"
ABOUT = About(
    sentence="Three jugs without marks, and milk to be halved.",
    instructions="Pour from a jug into another until one is empty or the other full. It is solved "
    "when A and B have half of the milk each.",
)
State = tuple[int, ...]


def jugs(name: str) -> Puzzle:
    title, sizes = LEVELS[name]
    milk = sizes[0]

    def read(text: str) -> State:
        state = tuple(map(int, text.split(",")))
        fits = all(0 <= has <= size for has, size in zip(state, sizes, strict=True))
        if sum(state) != milk or not fits:
            raise ValueError(f"the amounts are {milk} together, at most {sizes}")
        return state

    def moves(state: State) -> Iterator[tuple[str, State]]:
        for source, target in permutations(range(len(sizes)), 2):
            poured = min(state[source], sizes[target] - state[target])
            if poured:
                after = [*state]
                after[source] -= poured
                after[target] += poured
                yield f"{NAMES[source]}-{NAMES[target]}", tuple(after)

    def layout(state: State) -> Layout:
        places = [Place(jug, 60 + 100 * number, 60) for number, jug in enumerate(NAMES)]
        pieces = []
        for at, has, size in zip(places, state, sizes, strict=True):
            outline, amount = circle(at.x, at.y, 3 * size + 10), f"{has} of {size}"
            pieces.append(piece_in(at, f"jug {at.name}", outline, "#dbeafe", amount, 12))
        return Layout(320, 120, tuple(places), (), tuple(pieces))

    start: State = (milk, 0, 0)
    return rules_puzzle(
        name,
        title=title,
        about=ABOUT,
        start=start,
        solved=lambda state: state[0] == state[1],
        moves=moves,
        read=read,
        write=lambda state: ",".join(map(str, state)),
        layout=layout,
    )


FAMILY = Family(
    name="jugs",
    title="Jugs of milk",
    pattern=re.compile("jugs-[12]"),
    members=tuple(LEVELS),
    make=jugs,
)
