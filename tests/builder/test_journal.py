"""builder/journal.py: finished layers come back, and what is not sound or not this graph's is dropped."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlebase.builder.journal import Layout, Spill
from puzzlebase.db.lock import FileInUse

pytestmark = pytest.mark.plain

WHAT: dict[str, object] = {"version": "1", "puzzle": "p", "goal": "g"}


def write(path: Path, layout: Layout, distances: list[int], *, as_bits: bool = False) -> None:
    """Every layer of a list of distances."""
    at = np.array(distances)
    with Spill(path, WHAT, layout) as spill:
        for distance in range(max(distances) + 1):
            for piece, rows in enumerate(spill.pieces):
                first, last = layout.nodes(rows)
                nodes = first + np.flatnonzero(at[first:last] == distance)
                if as_bits:
                    words = np.zeros((rows[1] - rows[0], layout.words), np.uint64)
                    for node in (nodes - first).tolist():
                        row, column = divmod(node, layout.width)
                        words[row, column // 64] |= np.uint64(1 << column % 64)
                    spill.add_bits(piece, words, len(nodes), np.arange(len(words)))
                else:
                    spill.add_nodes(piece, nodes)
            assert spill.end_layer() == distances.count(distance)


def found(spill: Spill) -> list[int]:
    return [distance for piece in range(len(spill.pieces)) for distance in spill.distances(piece).tolist()]


@settings(max_examples=60)
@given(
    width=st.integers(1, 200),
    distances=st.lists(st.integers(-1, 6), min_size=1, max_size=400).map(lambda some: [0, *some]),
    as_bits=st.booleans(),
)
def test_layers_come_back(width: int, distances: list[int], as_bits: bool) -> None:
    layout = Layout(len(distances), width)
    with TemporaryDirectory() as folder:
        write(path := Path(folder, "layers"), layout, distances, as_bits=as_bits)
        check(path, layout, distances)


def check(path: Path, layout: Layout, distances: list[int]) -> None:
    with Spill(path, WHAT, layout) as spill:
        assert spill.layers == [distances.count(distance) for distance in range(max(distances) + 1)]
        assert found(spill) == distances
        for distance in range(len(spill.layers)):
            nodes = np.concatenate([spill.nodes(piece, distance) for piece in range(len(spill.pieces))])
            assert nodes.tolist() == [node for node, at in enumerate(distances) if at == distance]


def test_many_pieces_and_both_forms(tmp_path: Path) -> None:
    layout = Layout(1_000_000, 1000)
    assert len(layout.pieces) > 10
    assert [first for first, _ in layout.pieces[1:]] == [last for _, last in layout.pieces[:-1]]
    distances = np.random.default_rng(5).integers(0, 5, layout.size)
    distances[distances == 3] = 0
    distances[:100] = 3
    write(tmp_path / "layers", layout, distances.tolist())
    with Spill(tmp_path / "layers", WHAT, layout) as spill:
        assert found(spill) == distances.tolist()


@pytest.mark.parametrize("highest", [126, 127, 128, 255, 256, 32_766, 32_767, 32_768])
def test_distances_of_any_width(tmp_path: Path, highest: int) -> None:
    """In one, two and four bytes, from bits as well as from differences."""
    distances = [0, 1, -1, *[highest, highest - 1] * 40]
    write(tmp_path / "layers", layout := Layout(len(distances), 70), distances, as_bits=True)
    with Spill(tmp_path / "layers", WHAT, layout) as spill:
        assert found(spill) == distances


def test_what_was_not_finished_is_cut_off(tmp_path: Path) -> None:
    path, layout = tmp_path / "layers", Layout(10, 4)
    write(path, layout, [0, 1, 1, 2, 2, 2, 3, 3, 3, 3])
    sound = path.read_bytes()
    for length in range(len(sound)):
        path.write_bytes(sound[:length])
        with Spill(path, WHAT, layout) as spill:
            assert spill.layers == [1, 2, 3, 4][: len(spill.layers)]
            assert found(spill) == [at if at < len(spill.layers) else -1 for at in [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]]
            while len(spill.layers) < 4:
                distance = len(spill.layers)
                spill.add_nodes(0, np.flatnonzero(np.array([0, 1, 1, 2, 2, 2, 3, 3, 3, 3]) == distance))
                spill.end_layer()
        assert path.read_bytes() == sound


def test_what_was_changed_is_cut_off(tmp_path: Path) -> None:
    path, layout = tmp_path / "layers", Layout(10, 4)
    distances = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    write(path, layout, distances)
    sound = path.read_bytes()
    for at in range(len(sound)):
        path.write_bytes(sound[:at] + bytes([sound[at] ^ 4]) + sound[at + 1 :])
        with Spill(path, WHAT, layout) as spill:
            assert len(spill.layers) < 4
            assert found(spill) == [d if d < len(spill.layers) else -1 for d in distances]


@pytest.mark.parametrize("other", [{"version": "2"}, {"puzzle": "q"}, {"goal": "h"}])
def test_layers_of_something_else_are_dropped(tmp_path: Path, other: dict[str, object]) -> None:
    path, layout = tmp_path / "layers", Layout(10, 4)
    write(path, layout, [0, 1, 1, 2, 2, 2, 3, 3, 3, 3])
    with Spill(path, WHAT | other, layout) as spill:
        assert spill.dropped
        assert not spill.layers
    with Spill(path, WHAT | other, Layout(10, 5)) as spill:
        assert spill.dropped


def test_one_at_a_time(tmp_path: Path) -> None:
    path, layout = tmp_path / "layers", Layout(10, 4)
    with Spill(path, WHAT, layout) as spill, pytest.raises(FileInUse):
        Spill(path, WHAT, layout)
    spill.close(remove=True)
    assert not path.exists()
    with Spill(path, WHAT, layout):
        pass
