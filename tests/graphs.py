"""Puzzles of small graphs, each given by its edges, and their distances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from puzzlebase.plugins.definitions.letter_puzzles import letter_puzzle
from puzzlebase.puzzles import Boards, Indices, ProductForm, Puzzle, Space
from tests import naive

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
Edges = Sequence[Sequence[int]]

PATH = [[1, -1], [2, 0], [3, 1], [4, 2], [5, 3], [-1, 4]]
"""Six vertices in a row, the first of them the goal."""


def with_edge(vertex: int, to: int, edges: Edges = PATH) -> Edges:
    """Add one edge."""
    return [[*row, to if at == vertex else -1] for at, row in enumerate(edges)]


def on(edges: Edges, product: ProductForm | None = None, *, connected: bool = False) -> Puzzle:
    """The puzzle of a graph: a state is the letter of a vertex,
    and move k follows edge k; vertex 0 is solved.
    """
    table = np.array([*edges, [-1] * len(edges[0])])
    codes = np.frombuffer(LETTERS[: len(edges)].encode(), np.uint8)

    def play(text: str, move: str) -> str | None:
        to = edges[LETTERS.index(text)][int(move)]
        return LETTERS[to] if to >= 0 else None

    def rank(boards: Boards) -> Indices:
        return np.where((boards == codes).any(axis=1), (boards == codes).argmax(axis=1), -1)

    space = Space(
        size=len(edges),
        expand=lambda vertices: table[vertices],
        goal_states=np.array([0]),
        rank=rank,
        unrank=lambda vertices: codes[vertices][:, None],
        product=(lambda: product) if product else None,
        connected=connected,
    )
    moves = {str(edge): "edge" for edge in range(len(edges[0]))}
    return letter_puzzle(
        "graph",
        solved="0",
        alphabet=LETTERS[: len(edges)],
        moves=moves,
        play=play,
        space=lambda: space,
    )


def distances_in(edges: Edges) -> list[int]:
    """The distance of each vertex to vertex 0, by walking backwards."""

    def before(vertex: str) -> list[tuple[str, str]]:
        return [("", str(at)) for at, row in enumerate(edges) if int(vertex) in row]

    known = naive.distances("0", before)
    return [known.get(str(vertex), -1) for vertex in range(len(edges))]
