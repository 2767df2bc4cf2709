"""Slow twin of the law that moves can be taken back: edges as a set of pairs. And peg solitaire, which breaks it."""

from __future__ import annotations

from collections.abc import Sequence

SIDE = 5
HOLES = [(row, place) for row in range(SIDE) for place in range(row + 1)]
ALL_BUT_THE_TOP = "0" + "1" * (len(HOLES) - 1)
TOP_ALONE = "1" + "0" * (len(HOLES) - 1)


def one_way_edges(edges: Sequence[Sequence[int]]) -> set[tuple[int, int]]:
    """The pairs of a vertex and another that an edge leads to, -1 for a missing one, where none leads back."""
    pairs = {(vertex, to) for vertex, row in enumerate(edges) for to in row if to not in (-1, vertex)}
    return {(vertex, to) for vertex, to in pairs if (to, vertex) not in pairs}


def jumps() -> dict[str, tuple[int, int, int]]:
    """Every jump on the triangle by name: where the peg stands, the peg that it jumps over, and where it lands."""
    found = {}
    for row, place in HOLES:
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)):
            over, target = (row + down, place + right), (row + 2 * down, place + 2 * right)
            if target in HOLES:
                places = HOLES.index((row, place)), HOLES.index(over), HOLES.index(target)
                found[f"{places[0]}-{places[2]}"] = places
    return found


def jump(text: str, move: str) -> str | None:
    """The triangle, a 1 for each peg, after a jump; the peg jumped over is taken off. None where it is not legal."""
    start, over, target = jumps()[move]
    if (text[start], text[over], text[target]) != ("1", "1", "0"):
        return None
    pegs = [place for place, peg in enumerate(text) if peg == "1" and place not in (start, over)]
    return "".join("1" if place in (target, *pegs) else "0" for place in range(len(text)))


def jumps_to(text: str, goal: str = TOP_ALONE) -> bool:
    """True if some jumps lead from a triangle to the goal."""
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
