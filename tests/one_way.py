"""Puzzles with one-way moves, and their plain reference:
peg solitaire on a triangle, and any graph.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from puzzlebase import hooks
from puzzlebase.plugins.definitions.rules_puzzles import rules_puzzle
from puzzlebase.puzzles import Directed, IndexSide, Indices, Puzzle, discovery
from tests.graphs import Edges, on
from tests.naive import reversal

SMALL = "011001010011011"
"""A start that leads to 128 triangles, of which 87 are lost."""


def triangle(name: str = "triangle", start: str = reversal.ALL_BUT_THE_TOP) -> Puzzle:
    """Peg solitaire on a triangle, by default from all but the top,
    to one peg anywhere; states are texts.
    """

    def read(text: str) -> str:
        if len(text) != len(reversal.HOLES) or {*text} - {*"01"}:
            raise ValueError("it has 15 holes, each 0 or 1")
        return text

    return rules_puzzle(
        name,
        start=start,
        solved=lambda text: text.count("1") == 1,
        moves=jumps_from,
        read=read,
    )


FAMILIES = """
from puzzlebase.puzzles import Family
from tests.one_way import SMALL, triangle

TRIANGLE = Family.of(triangle())
SMALL_TRIANGLE = Family.of(triangle("small-triangle", SMALL))
"""


TRIANGLE = """
from puzzlebase.puzzles import Family
from tests.one_way import SMALL, triangle

FAMILY = Family.of(triangle("small-triangle", SMALL))
"""
"""A file of rules for the small triangle."""


@contextmanager
def installed(folder: Path) -> Iterator[str]:
    """Have `triangle` and `small-triangle` as families that others install;
    gives the PYTHONPATH of such a program.
    """
    name = folder.name.replace("-", "_")
    entries = (
        f"[puzzlebase.families]\ntriangle = {name}:TRIANGLE\nsmall_triangle = "
        f"{name}:SMALL_TRIANGLE\n"
    )
    with package_of(folder, entries, {name: FAMILIES}):
        yield f"{folder}:{Path(__file__).parents[1]}"


@contextmanager
def package_of(folder: Path, entries: str, modules: dict[str, str]) -> Iterator[None]:
    """Have a package that others install, of these entry points and modules."""
    package = folder / "strangers-1.0.dist-info"
    package.mkdir(parents=True, exist_ok=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(entries)
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    known = (
        hooks._others,
        hooks._warn,
        discovery._others,
        discovery._every,
        discovery._find,
        discovery._is_ours,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        for each in known:
            each.cache_clear()
        yield
    for each in known:
        each.cache_clear()
    for name in modules:
        sys.modules.pop(name, None)


@cache
def jumps_from(text: str) -> list[tuple[str, str]]:
    """The legal jumps of a triangle, each with the triangle after it;
    found once, since the reference is slow.
    """
    return [(move, after) for move in reversal.jumps() if (after := reversal.jump(text, move))]


@cache
def reference(start: str) -> dict[str, int]:
    """The distance of every triangle that jumps lead to,
    -1 where one peg cannot be reached: by walking backwards.
    """
    texts, before = [start], {start: []}  # type: ignore[var-annotated]
    for text in texts:
        for _, after in jumps_from(text):
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
    """The puzzle of a graph whose edges need not lead back,
    as `on`; with a function that gives predecessors.
    """
    edges = [sorted(row, key=lambda to: to < 0) for row in edges]  # missing edges last
    before = [
        sorted({at for at, row in enumerate(edges) if vertex in row})
        for vertex in range(len(edges))
    ]
    most = max(map(len, before)) + 1
    table = np.array(
        [[*row, *[-1] * (most - len(row))] for row in [*before, []]], np.int64
    ).reshape(-1, most)

    def against(vertices: Indices) -> Indices:
        found: Indices = table[vertices]
        return found

    puzzle = on(edges)
    directed = Directed(start, against if predecessors else None)
    space = replace(puzzle.space(puzzle.goal()), directed=directed)
    return replace(puzzle, index_side=IndexSide(lambda _: space))
