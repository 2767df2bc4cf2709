"""Puzzles with one-way moves, and their plain reference: peg solitaire on a triangle, and any graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

import numpy as np

from puzzlebase.puzzles import Directed, IndexSide, Indices, Puzzle, rules_puzzle
from tests import naive
from tests.builder.test_reversible import Edges, on
from tests.naive import reversal


def triangle(name: str = "triangle") -> Puzzle:
    """Peg solitaire on a triangle, from all but the top to one peg anywhere; states are texts."""

    def read(text: str) -> str:
        if len(text) != len(reversal.HOLES) or {*text} - {*"01"}:
            raise ValueError("it has 15 holes, each 0 or 1")
        return text

    return rules_puzzle(
        name,
        start=reversal.ALL_BUT_THE_TOP,
        solved=lambda text: text.count("1") == 1,
        moves=jumps_from,
        read=read,
    )


@cache
def jumps_from(text: str) -> list[tuple[str, str]]:
    """The legal jumps of a triangle, each with the triangle after it; found once, since the reference is slow."""
    return [(move, after) for move in reversal.jumps() if (after := reversal.jump(text, move))]


def reference(start: str, moves: Callable[[str], Iterable[tuple[str, str]]]) -> dict[str, int]:
    """The distance of every text that moves lead to, -1 where one peg cannot be reached: by walking backwards."""
    texts, before = [start], {start: []}  # type: ignore[var-annotated]
    for text in texts:
        for _, after in moves(text):
            if after not in before:
                texts.append(after)
            before.setdefault(after, []).append(text)
    distances = dict.fromkeys((text for text in texts if text.count("1") == 1), 0)
    waiting = [*distances]
    for text in waiting:
        for each in before[text]:
            if each not in distances:
                distances[each] = distances[text] + 1
                waiting.append(each)
    return {text: distances.get(text, -1) for text in texts}


def on_directed(edges: Edges, *, start: int = -1, predecessors: bool = False) -> Puzzle:
    """The puzzle of a graph whose edges need not lead back, as `on`; with a function that gives predecessors."""
    before = [sorted({at for at, row in enumerate(edges) if vertex in row}) for vertex in range(len(edges))]
    most = max(map(len, before)) + 1
    table = np.array([[*row, *[-1] * (most - len(row))] for row in [*before, []]], np.int64).reshape(-1, most)

    def against(vertices: Indices) -> Indices:
        found: Indices = table[vertices]
        return found

    puzzle = on(edges)
    directed = Directed(start, against if predecessors else None)
    space = replace(puzzle.space(puzzle.goal()), directed=directed)
    return replace(puzzle, index_side=IndexSide(lambda _: space))


def distances_in(edges: Edges) -> list[int]:
    """The distance of each vertex to vertex 0."""
    known = naive.distances("0", lambda to: [("", str(at)) for at, row in enumerate(edges) if int(to) in row])
    return [known.get(str(vertex), -1) for vertex in range(len(edges))]
