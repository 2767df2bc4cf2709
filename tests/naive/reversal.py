"""Reference implementation of the law that moves can be taken back,
with edges as pairs; peg solitaire breaks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

SIDE = 5
HOLES = [(row, place) for row in range(SIDE) for place in range(row + 1)]
ALL_BUT_THE_TOP = "0" + "1" * (len(HOLES) - 1)
TOP_ALONE = "1" + "0" * (len(HOLES) - 1)


def one_way_edges(edges: Sequence[Sequence[int]]) -> set[tuple[int, int]]:
    """The edges, as pairs of vertices, without an edge back; -1 is a missing edge."""
    pairs = {
        (vertex, to) for vertex, row in enumerate(edges) for to in row if to not in (-1, vertex)
    }
    return {(vertex, to) for vertex, to in pairs if (to, vertex) not in pairs}


@cache
def jumps() -> dict[str, tuple[int, int, int]]:
    """Every jump on the triangle by name: the places of the peg,
    of the peg jumped over, and of the landing.
    """
    found = {}
    for row, place in HOLES:
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)):
            over, target = (row + down, place + right), (row + 2 * down, place + 2 * right)
            if target in HOLES:
                places = HOLES.index((row, place)), HOLES.index(over), HOLES.index(target)
                found[f"{places[0]}-{places[2]}"] = places
    return found


def jump(text: str, move: str) -> str | None:
    """The triangle, a 1 for each peg,
    after a jump that removes the peg jumped over; None for an illegal one.
    """
    start, over, target = jumps()[move]
    if (text[start], text[over], text[target]) != ("1", "1", "0"):
        return None
    pegs = [place for place, peg in enumerate(text) if peg == "1" and place not in (start, over)]
    return "".join("1" if place in (target, *pegs) else "0" for place in range(len(text)))


def jumps_to(text: str, goal: str = TOP_ALONE) -> bool:
    """True where some jumps lead from a triangle to the goal."""
    seen, waiting = {text}, [text]
    while waiting:
        here = waiting.pop()
        if here == goal:
            return True
        for move in jumps():
            after = jump(here, move)
            if after and after not in seen:
                seen.add(after)
                waiting.append(after)
    return False
