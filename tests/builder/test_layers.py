"""db/layers.py and builder/layers.py: stored layers come back, and wrong ones are an error."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from puzzlebase.builder import BuildError, LayersJob, Reporter, Shortage, VerificationError
from puzzlebase.builder.unfinished import lock_unfinished
from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.db.layers import LayersFile, LayersInfo, write_layers
from puzzlebase.puzzles import find
from puzzlebase.puzzles.contract.space import STATES
from tests.fixtures import quiet_job
from tests.puzzles.enumerating import distances_of


def write(path: Path, layers: list[list[int]], depth: int | None = None) -> None:
    """Write a file of these layers under the name of panex-3."""
    size = find("panex-3").space(find("panex-3").goal()).size
    depth = len(layers) - 1 if depth is None else depth
    info = LayersInfo("panex-3", "exchange", "states", size, depth, tuple(map(len, layers)))
    write_layers(path, info, [np.array(vertices, np.int64) for vertices in layers])


def true_layers(depth: int) -> list[list[int]]:
    distances = distances_of("panex-3")
    return [np.flatnonzero(distances == distance).tolist() for distance in range(depth + 1)]


def check(path: Path) -> None:
    puzzle = find("panex-3")
    quiet_job(LayersJob, puzzle, path.parent).verify()


@pytest.mark.parametrize(
    "vertices", [[1, 70_000, 5_000_000_000, 10_000_000_000], list(range(0, 400_000, 3))]
)
def test_what_is_written_is_read(vertices: list[int], tmp_path: Path) -> None:
    path = tmp_path / "x.layers.indices"
    info = LayersInfo("x", "y", "states", 1 << 40, 1, (1, len(vertices)))
    write_layers(path, info, [np.array([3]), np.array(vertices)])
    file = LayersFile(path)
    assert [layer.tolist() for layer in file.layers] == [[3], vertices]
    assert file.info == info
    assert len(LayersFile(path, 8).layers) == 1, "as many as fit into memory"


@pytest.mark.needs("panex")
@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth"), [("panex-3", 1000), ("sliding-2x3", 8), ("novice", 0)])
def test_layers_are_those_of_the_whole_space(name: str, depth: int, tmp_path: Path) -> None:
    puzzle = find(name)
    path = quiet_job(LayersJob, puzzle, tmp_path, depth=depth).build()
    if puzzle.space(puzzle.goal()).storage is STATES:
        distances = distances_of(name)
        layers = LayersFile(path).layers
        assert len(layers) == min(depth, int(distances.max())) + 1
        for distance, layer in enumerate(layers):
            np.testing.assert_array_equal(layer, np.flatnonzero(distances == distance))
    quiet_job(LayersJob, puzzle, path.parent).verify()
    assert [file.name for file in tmp_path.iterdir()] == [f"{name}.layers.indices"]


@pytest.mark.needs("panex")
@pytest.mark.slow
def test_wrong_layers_are_found(tmp_path: Path) -> None:
    path = tmp_path / "panex-3.layers.indices"
    layers = true_layers(6)
    write(path, layers)
    check(path)
    for wrong in (
        [*layers[:3], layers[3][1:], *layers[4:]],  # a vertex is missing
        [*layers[:6], layers[6][1:]],  # in the last layer too, where its neighbours cannot tell
        [*layers[:3], sorted([*layers[3], layers[5][0]]), *layers[4:]],  # one is in two
        [*layers[:3], sorted([*layers[3], true_layers(20)[20][0]]), *layers[4:]],  # one is farther
        [[*layers[1][:1]], *layers[1:]],  # another goal
        layers[1:],
    ):
        write(path, wrong)
        with pytest.raises(VerificationError):
            check(path)
    write(path, layers, depth=7)  # a layer less than is said
    with pytest.raises(VerificationError):
        check(path)


@pytest.mark.needs("panex")
def test_every_damage_is_an_error(tmp_path: Path) -> None:
    path = quiet_job(LayersJob, find("panex-3"), tmp_path, depth=20).build()
    whole = path.read_bytes()
    rng = np.random.default_rng(4)
    for at in rng.integers(0, len(whole), 20).tolist():
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        with pytest.raises(DamagedTable):
            LayersFile(path)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DamagedTable):
        LayersFile(path)
    path.unlink()
    with pytest.raises(MissingTable):
        LayersFile(path)


def test_one_build_of_layers_at_a_time(tmp_path: Path) -> None:
    job = quiet_job(LayersJob, find("novice"), tmp_path, depth=5)
    with lock_unfinished(job.path), pytest.raises(BuildError, match="another build"):
        job.build()


class StoppedAt(Reporter):
    """A reporter that presses Ctrl-C at one of its lines, and stores all lines."""

    def __init__(self, line: str) -> None:
        super().__init__(Console(quiet=True))
        self._line = line
        self.word = ""

    def say(self, line: str) -> None:
        """Store a line; one that begins so stops the build."""
        self.word = line
        if line.startswith(self._line):
            raise KeyboardInterrupt


def test_a_build_that_is_stopped_leaves_nothing_and_says_that_it_starts_anew(
    tmp_path: Path,
) -> None:
    puzzle = find("novice")
    report = StoppedAt("  layer   3")
    with pytest.raises(KeyboardInterrupt):
        LayersJob(puzzle, puzzle.goal(), tmp_path, report=report, depth=5).build()
    assert (
        report.word
        == "the build of novice.layers was stopped; run the same command again: it starts anew"
    )
    assert [*tmp_path.iterdir()] == []


def test_layers_that_memory_is_too_small_for_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = find("novice")
    monkeypatch.setattr("puzzlebase.builder.layers.spare_memory", lambda: 20_000)
    with pytest.raises(Shortage, match="memory is too small for layer 5") as refused:
        quiet_job(LayersJob, puzzle, tmp_path, depth=9).build()
    assert "DEPTH=4" in refused.value.hint
    assert [*tmp_path.iterdir()] == []
