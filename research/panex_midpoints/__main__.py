"""The program of the paper of 1983:
shortest paths with two layers of each side in memory, rebuilt from their middles.

Moves can be taken back, so a layer is what the last one leads to without itself and the one before.
The paths from the start and those from the exchanged towers are mirror images, and the start is its
own image when colours and sides are exchanged together. So one side is enough, and half of it: a
quarter of the states. States are indices, sorted.

`python -m research.panex_midpoints 'abcd||ABCD' 'ABCD||abcd'`, at the top of the project.
"""

from __future__ import annotations

import sys
from itertools import count, pairwise

import numpy as np

from puzzlebase.puzzles import ImpossibleState, Indices
from puzzlebase.puzzles.families.panex.board import MOVES, format_board, parse
from puzzlebase.puzzles.families.panex.goals import named_panex_goals
from puzzlebase.puzzles.families.panex.index import BAR, space
from puzzlebase.puzzles.machinery.frontier import NO_VERTICES, next_layer
from puzzlebase.sorted_arrays import common_vertices

_OTHER_CASE = ord("a") ^ ord("A")


class MidpointSearch:
    """Shortest paths of panex-n; the most states that were in memory,
    and how deep paths lay in paths.
    """

    def __init__(self, n: int) -> None:
        self.most = self.depth = 0
        self.space = space(n, named_panex_goals(n)[0])

    def image(self, states: Indices, *, colours: bool = True) -> Indices:
        """The mirror images of states: left and right change places,
        and so do the colours, or they stay.
        """
        boards = self.space.unrank(states)
        bars = boards == BAR
        tracks = 2 * bars.cumsum(axis=1, dtype=np.int8) - bars
        images = np.take_along_axis(boards, np.argsort(-tracks, axis=1, kind="stable"), axis=1)
        if colours:
            images = np.where(images == BAR, images, images ^ _OTHER_CASE)
        return self.space.rank(images)

    def path(self, begin: int, end: int, depth: int = 1) -> list[int]:
        """The states from begin to end, both included; raises ImpossibleState."""
        if begin == end:
            return [begin]
        if end in self.space.expand(np.array([begin])):
            return [begin, end]
        self.depth = max(self.depth, depth)
        one = np.array([begin])
        exchanged = end == self.image(one, colours=False)[0] and begin == self.image(one)[0]
        middle = self._by_symmetry(begin) if exchanged else self._between(begin, end)
        return self.path(begin, middle, depth + 1)[:-1] + self.path(middle, end, depth + 1)

    def _by_symmetry(self, begin: int) -> int:
        """A middle of the paths to the mirror image,
        from the layers of one side, one of two images each.
        """
        former, now = NO_VERTICES, np.array([begin])
        while True:
            later = next_layer(self.space, now, former, lambda *_: None)
            later = np.unique(np.minimum(later, self.image(later)))
            later = later[~np.isin(later, now) & ~np.isin(later, former)]
            self.most = max(self.most, len(former) + len(now) + len(later))
            image = self.image(later, colours=False)
            image = np.minimum(image, self.image(image))
            for met in now, later:  # an odd number of moves, or one more
                if len(middles := later[np.isin(image, met)]):
                    return int(middles[0])
            former, now = now, later

    def _between(self, begin: int, end: int) -> int:
        """A middle of the paths between two states, from the layers of both sides."""
        sides = [(NO_VERTICES, np.array([begin])), (NO_VERTICES, np.array([end]))]
        for turn in count():
            (former, now), (before, others) = sides[turn % 2], sides[1 - turn % 2]
            later = next_layer(self.space, now, former, lambda *_: None)
            self.most = max(self.most, sum(map(len, (former, now, later, before, others))))
            if len(met := common_vertices(later, others)):
                return int(met[0])
            sides[turn % 2] = now, later
        raise AssertionError("all states of a space are joined")


def found(begin: str, end: str) -> tuple[list[str], list[str], MidpointSearch]:
    """The states of a shortest path, the names of its moves,
    and the search; raises ImpossibleState.
    """
    n = len(begin) // 2 - 1
    search = MidpointSearch(n)
    graph = search.space
    ends = graph.rank(np.array([parse(n, begin), parse(n, end)]))
    if (ends < 0).any():
        raise ImpossibleState(
            f"{begin!r} cannot reach {end!r}", "take a state that the start can reach"
        )
    path = np.array(search.path(*ends.tolist()))
    names = [*MOVES]
    moves = [
        names[int(np.flatnonzero(graph.expand(np.array([one]))[0] == to)[0])]
        for one, to in pairwise(path)
    ]
    return [format_board(board) for board in graph.unrank(path)], moves, search


def main(begin: str, end: str) -> None:
    """Print the length of a shortest path, what the search held in memory, and the moves."""
    _, moves, search = found(begin, end)
    print(
        f"{len(moves)} moves, at most {search.most:,} states in memory, paths in paths "
        f"{search.depth} deep"
    )
    print(*moves)


if __name__ == "__main__":
    main(*sys.argv[1:])
