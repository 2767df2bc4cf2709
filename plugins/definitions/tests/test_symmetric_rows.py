"""Rows up to symmetry: tables of them say of every state what plain ones say,
and no wrong symmetry is believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puzzlebase.builder import TableJob, verify
from puzzlebase.db.table import Table
from puzzlebase.plugins.definitions import factors
from puzzlebase.plugins.definitions.factors import Product
from puzzlebase.plugins.definitions.ksolve import read_ksolve
from puzzlebase.plugins.definitions.moves import all_moves
from puzzlebase.plugins.definitions.space import Numbered, ProductSpace
from puzzlebase.plugins.definitions.symmetry_classes import (
    Acting,
    Image,
    SymmetricRows,
    SymmetryClasses,
)
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.puzzles import Space
from puzzlebase.puzzles.machinery.frontier import NO_VERTICES
from tests.fixtures import quiet_job
from tests.naive.definition import NaiveDefinition

from .small_definitions import EXAMPLES, SMALL, written

SYMMETRIES = {"2x2x2": 2, "cube-corners": 16, "pyraminx": 24, "equal": 1}


def numbered(name: str, *, symmetric: bool = True) -> Numbered:
    text = SMALL[name].text if name in SMALL else (EXAMPLES / f"{name}.tws").read_text("utf-8")
    definition = replace(read_ksolve(text), symmetric=symmetric)
    return Numbered(Texts(definition), all_moves(definition))


def rows_of(name: str) -> SymmetricRows:
    storage = space_of(name).storage
    assert isinstance(storage, SymmetricRows)
    return storage


def space_of(name: str) -> Space:
    return numbered(name).space()


@pytest.mark.slow
def test_vertices_are_fewer_by_most_of_the_symmetries() -> None:
    """The corners of the cube have 2,768 classes of 40,320 arrangements,
    which a study found as well.
    """
    for name, symmetries in SYMMETRIES.items():
        space = space_of(name)
        assert symmetries == (
            space.storage.symmetries if isinstance(space.storage, SymmetryClasses) else 1
        )
        assert space.size / space.stored_size > symmetries / 2
        assert space.storage.problem(space.goal_states) is None
    assert space_of("cube-corners").stored_size == 2768 * 2187


@pytest.mark.parametrize("memory", [0, 1 << 30])
def test_states_are_counted_by_classes(tmp_path: Path, memory: int) -> None:
    puzzle = written(tmp_path, "parity", SMALL["parity"].text).puzzle("parity")
    layers = tuple(Counter(NaiveDefinition(SMALL["parity"].text).distances().values()).values())
    job = quiet_job(TableJob, puzzle, tmp_path)
    with Table(job.build(), memory) as table:
        assert (table.load().packed() is None) == (memory == 0)
        findings = verify.examine_graph(job, job.space.stored(), table.load())
        assert findings.histograms == table.histograms
        assert findings.layers == layers
        assert [one.graph for one in findings.certificates] == ["orbits"]
        distances = job.space.distance_range(0, puzzle.space(puzzle.goal()).size, table.range)
        assert findings.antipodes == np.flatnonzero(distances == len(layers) - 1).tolist()
        assert tuple(np.bincount(distances).tolist()) == findings.layers


def test_rows_that_are_too_many_are_expanded_by_their_factors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only the representatives' moves are stored;
    the moves of states follow from those of the factors.
    """
    plain = numbered("2x2x2", symmetric=False).space()
    monkeypatch.setattr(factors, "MOST_EDGES_OF_ROWS", 729 * 9 // 2 + 1)
    monkeypatch.setattr("puzzlebase.plugins.definitions.space.MOST_EDGES_OF_ROWS", 729 * 9 // 2 + 1)
    space = space_of("2x2x2")
    assert space.product is None
    assert isinstance(space.storage, SymmetryClasses)
    some = np.append(-1, np.random.default_rng(1).integers(0, space.size, 1000))
    boards, successors = space.unrank(some[1:]), space.expand(some)
    assert (successors[0] == -1).all()
    assert (
        plain.rank(space.unrank(successors[1:].reshape(-1))).reshape(1000, 9)
        == plain.expand(plain.rank(boards))
    ).all()
    assert isinstance(space, ProductSpace)
    assert (space.factors.index(space.factors.parts(some[1:])) == some[1:]).all()


def changed(array: np.ndarray, at: Any, to: Any) -> np.ndarray:
    """A copy with other elements."""
    array = array.copy()
    array[at] = to
    return array


def with_symmetry(rows: SymmetricRows, change: Callable[[Acting], Acting]) -> SymmetricRows:
    """The same rows with another second symmetry."""
    return replace(rows, group=[rows.group[0], change(rows.group[1]), *rows.group[2:]])


def with_image(each: Acting, change: Callable[[Image], Image]) -> Acting:
    return each._replace(images=(change(each.images[0]), *each.images[1:]))


def one_way(product: Product) -> Product:
    """The same product but for a move, which leads all first parts to one."""
    first = product.rows[0]
    moves = changed(first.factor.moves, 0, 0)
    return replace(
        product, rows=(first._replace(factor=replace(first.factor, moves=moves)), *product.rows[1:])
    )


MUTATIONS: dict[str, tuple[str, Callable[[SymmetricRows], SymmetricRows]]] = {
    "two moves have one image": (
        "to their images",
        lambda rows: with_symmetry(
            rows, lambda each: each._replace(moves=(each.moves[1], *each.moves[1:]))
        ),
    ),
    "two parts have one source": (
        "parts onto parts",
        lambda rows: with_symmetry(
            rows, lambda each: each._replace(images=(each.images[1], each.images[1]))
        ),
    ),
    "two images of moves are exchanged": (
        "to their images",
        lambda rows: with_symmetry(
            rows, lambda each: each._replace(moves=(*each.moves[1::-1], *each.moves[2:]))
        ),
    ),
    "two rows have each other's image": (
        "to their images",
        lambda rows: with_symmetry(
            rows,
            lambda each: with_image(
                each,
                lambda image: image._replace(
                    table=changed(image.table, (0, [7, 8]), image.table[0, [8, 7]])
                ),
            ),
        ),
    ),
    "a row has another symmetry": (
        "to their class",
        lambda rows: replace(rows, by=changed(rows.by, -1, rows.by[-1] ^ 1)),
    ),
    "a row has another class": (
        "to their class",
        lambda rows: replace(rows, row=changed(rows.row, -1, 0)),
    ),
    "a class is named by another row": (
        "not its own vertex",
        lambda rows: replace(rows, least=changed(rows.least, -1, len(rows.by) - 1)),
    ),
    "a move has no inverse": (
        "takes back",
        lambda rows: replace(rows, product=one_way(rows.product)),
    ),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_wrong_symmetries_are_refused(mutation: str) -> None:
    what, change = MUTATIONS[mutation]
    rows = rows_of("parity")
    goal_states = np.array([rows.product.solved])
    assert rows.problem(goal_states) is None
    assert what in (change(rows).problem(goal_states) or "")


def test_wrong_goals_are_refused() -> None:
    rows = rows_of("parity")
    assert rows.problem(NO_VERTICES) is None
    assert {rows.problem(np.array([state])) for state in range(20)} >= {"symmetry 1 moves the goal"}
