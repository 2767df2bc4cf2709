"""research/turnstile_mixing: a walk on orbits and one on states mix alike."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from puzzlebase.paths import table_path
from puzzlebase.plugins.mixing.mixing import compute_mixing
from puzzlebase.puzzles import find
from puzzlebase.service.sources.sources import Sources
from research.turnstile_mixing.__main__ import main
from research.turnstile_mixing.orbits_walk import walked
from tests.fixtures import quiet


@pytest.mark.slow(5)
@pytest.mark.parametrize(("name", "turns"), [("novice", 40), ("challenger", 15)])
def test_orbits_mix_as_states_do(data: Path, tmp_path: Path, name: str, turns: int) -> None:
    """The novice's orbits are those of both wheels,
    the challenger's those of one: the half turn swaps its wheels.
    """
    shutil.copy(table_path(data, name), tmp_path)
    puzzle = find(name)
    table = Sources(tmp_path).table(name)
    on_states = compute_mixing(
        table.puzzle, table.space, table.table, "alternate", turns, 2, quiet()
    )
    for near, exact in zip(walked(puzzle, puzzle.goal(), tmp_path, turns), on_states, strict=True):
        assert near.reached == exact.reached
        assert near.from_uniform == pytest.approx(exact.from_uniform, abs=1e-6)
        assert near.by_distance == pytest.approx(exact.by_distance, abs=1e-6)


@pytest.mark.slow(5)
def test_the_command_prints_the_figures_of_the_document(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(data, "novice", 13)
    assert capsys.readouterr().out.splitlines()[-1].split()[:3] == ["13", "2.288e-01", "97,020"]
