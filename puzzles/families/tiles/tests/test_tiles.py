"""families/tiles: sliding puzzles in which only some tiles count, against moves of all tiles."""

from __future__ import annotations

from collections import deque

import pytest

from puzzlebase.puzzles import ImpossibleState, find
from tests.puzzles.enumerating import distances_of


def beside(place: int, width: int, places: int) -> list[int]:
    """The places that share a side with a place."""
    row, column = divmod(place, width)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * width + c for r, c in around if 0 <= c < width and 0 <= r * width + c < places]


def counted(width: int, solved: str, letters: str) -> dict[str, int]:
    """The fewest moves of the tiles that count,
    by the board with all other tiles alike, which move for free.
    """
    found, left = {solved: 0}, deque([solved])
    while left:
        state = left.popleft()
        blank = state.index("0")
        for place in beside(blank, width, len(state)):
            tiles = [*state]
            tiles[blank], tiles[place] = tiles[place], tiles[blank]
            after = "".join(tiles)
            cost = int(after[blank] in letters)
            if found[state] + cost < found.get(after, 10**6):
                found[after] = found[state] + cost
                (left.append if cost else left.appendleft)(after)
    return found


def region(state: str, letters: str, width: int) -> str:
    """Write the board as the puzzle does:
    0 in each place in reach of the blank without a tile that counts.
    """
    left, marked = [state.index("0")], set()
    while left:
        place = left.pop()
        if place in marked or state[place] in letters:
            continue
        marked.add(place)
        left += beside(place, width, len(state))
    return "".join(
        "0" if place in marked else tile if tile in letters else "x"
        for place, tile in enumerate(state)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "width", "solved", "letters"),
    [
        ("tiles-3x3-1245", 3, "12x45xxx0", "1245"),
        ("tiles-2x3-125", 3, "12xx50", "125"),
        ("tiles-3x2-1", 2, "1xxxx0", "1"),
    ],
)
def test_distances_are_the_moves_of_the_tiles_that_count(
    name: str, width: int, solved: str, letters: str
) -> None:
    puzzle, distances = find(name), distances_of(name)
    known = counted(width, solved, letters)
    seen = set()
    for state, moves in known.items():
        index = puzzle.index(region(state, letters, width), puzzle.goal())
        assert distances[index] == moves
        seen.add(index)
    assert len(seen) == len(distances), "every state of the puzzle is one of the board's"


@pytest.mark.parametrize("state", ["120450000", "12045xxx0", "xxx45x12x", "110450000"])
def test_states_that_cannot_be(state: str) -> None:
    puzzle = find("tiles-3x3-1245")
    if state == "120450000":
        assert puzzle.index(state, puzzle.goal()) == puzzle.space(puzzle.goal()).goal_states[0]
        return
    with pytest.raises(ImpossibleState):
        puzzle.parse(state)
