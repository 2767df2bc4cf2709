"""builder/journal.py: finished layers come back;
damaged records and those of another graph are dropped.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlebase.builder.journal import BitLayout, Journal

pytestmark = pytest.mark.plain

WHAT: dict[str, object] = {"version": "1", "puzzle": "p", "goal": "g"}


def write(path: Path, layout: BitLayout, distances: list[int], *, as_bits: bool = False) -> None:
    """Write every layer of a list of distances."""
    at = np.array(distances)
    with Journal(path, WHAT, layout) as journal:
        for distance in range(max(distances) + 1):
            for piece, rows in enumerate(journal.pieces):
                first, last = layout.vertices(rows)
                vertices = first + np.flatnonzero(at[first:last] == distance)
                if as_bits:
                    words = np.zeros((rows[1] - rows[0], layout.words), np.uint64)
                    for vertex in (vertices - first).tolist():
                        row, column = divmod(vertex, layout.width)
                        words[row, column // 64] |= np.uint64(1 << column % 64)
                    journal.add_bits(piece, words, len(vertices), np.arange(len(words)))
                else:
                    journal.add_vertices(piece, vertices)
            assert journal.end_layer() == distances.count(distance)


def found(journal: Journal) -> list[int]:
    return [
        distance
        for piece in range(len(journal.pieces))
        for distance in journal.distances(piece).tolist()
    ]


@settings(max_examples=60)
@given(
    width=st.integers(1, 200),
    distances=st.lists(st.integers(-1, 6), min_size=1, max_size=400).map(lambda some: [0, *some]),
    as_bits=st.booleans(),
)
def test_layers_come_back(width: int, distances: list[int], as_bits: bool) -> None:
    layout = BitLayout(len(distances), width)
    with TemporaryDirectory() as folder:
        write(path := Path(folder, "layers"), layout, distances, as_bits=as_bits)
        check(path, layout, distances)


def check(path: Path, layout: BitLayout, distances: list[int]) -> None:
    with Journal(path, WHAT, layout) as journal:
        assert journal.layers == [
            distances.count(distance) for distance in range(max(distances) + 1)
        ]
        assert found(journal) == distances


def test_many_pieces_and_both_forms(tmp_path: Path) -> None:
    layout = BitLayout(1_000_000, 1000)
    assert len(layout.pieces) > 10
    assert [first for first, _ in layout.pieces[1:]] == [last for _, last in layout.pieces[:-1]]
    distances = np.random.default_rng(5).integers(0, 5, layout.size)
    distances[distances == 3] = 0
    distances[:100] = 3
    write(tmp_path / "layers", layout, distances.tolist())
    with Journal(tmp_path / "layers", WHAT, layout) as journal:
        assert found(journal) == distances.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("highest", [127, 128, 256, 32_768])
def test_distances_of_any_width(tmp_path: Path, highest: int) -> None:
    """Distances take one, two or four bytes, from bits as well as from differences."""
    distances = [0, 1, -1, *[highest, highest - 1] * 40]
    write(tmp_path / "layers", layout := BitLayout(len(distances), 70), distances, as_bits=True)
    with Journal(tmp_path / "layers", WHAT, layout) as journal:
        assert found(journal) == distances


def test_what_was_not_finished_is_cut_off(tmp_path: Path) -> None:
    path, layout = tmp_path / "layers", BitLayout(10, 4)
    write(path, layout, [0, 1, 1, 2, 2, 2, 3, 3, 3, 3])
    sound = path.read_bytes()
    for length in range(len(sound)):
        path.write_bytes(sound[:length])
        with Journal(path, WHAT, layout) as journal:
            assert journal.layers == [1, 2, 3, 4][: len(journal.layers)]
            assert found(journal) == [
                at if at < len(journal.layers) else -1 for at in [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]
            ]
            while len(journal.layers) < 4:
                distance = len(journal.layers)
                journal.add_vertices(
                    0, np.flatnonzero(np.array([0, 1, 1, 2, 2, 2, 3, 3, 3, 3]) == distance)
                )
                journal.end_layer()
        assert path.read_bytes() == sound


def test_what_was_changed_is_cut_off(tmp_path: Path) -> None:
    path, layout = tmp_path / "layers", BitLayout(10, 4)
    distances = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    write(path, layout, distances)
    sound = path.read_bytes()
    for at in range(len(sound)):
        path.write_bytes(sound[:at] + bytes([sound[at] ^ 4]) + sound[at + 1 :])
        with Journal(path, WHAT, layout) as journal:
            assert len(journal.layers) < 4
            assert found(journal) == [d if d < len(journal.layers) else -1 for d in distances]


@pytest.mark.parametrize("other", [{"version": "2"}, {"puzzle": "q"}, {"goal": "h"}])
def test_layers_of_something_else_are_dropped(tmp_path: Path, other: dict[str, object]) -> None:
    path, layout = tmp_path / "layers", BitLayout(10, 4)
    write(path, layout, [0, 1, 1, 2, 2, 2, 3, 3, 3, 3])
    with Journal(path, WHAT | other, layout) as journal:
        assert journal.dropped
        assert not journal.layers
    with Journal(path, WHAT | other, BitLayout(10, 5)) as journal:
        assert journal.dropped
