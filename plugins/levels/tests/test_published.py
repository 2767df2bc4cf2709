"""Published levels: the par of each is the published one."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlebase.plugins.levels.files import levels_of_files
from puzzlebase.plugins.levels.report import report

FILES = sorted(Path(__file__).with_name("published").iterdir())


@pytest.mark.slow(20)
@pytest.mark.matrix
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_levels_have_their_published_pars(path: Path) -> None:
    """One states none: it cannot be solved. Each file names the source of its pars."""
    for level in levels_of_files(path)[0]:
        found = report(level, threads=2)
        assert (found.par, found.states is not None) == (level.text.par, True), level.name
