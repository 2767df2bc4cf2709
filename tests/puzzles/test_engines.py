"""A puzzle names the patterns whose tables a search needs."""

from __future__ import annotations

import pytest

from puzzlebase.puzzles import find


@pytest.mark.needs("oriented", "tiles")
def test_a_puzzle_names_its_patterns_for_a_goal() -> None:
    """The files of the 15-puzzle are in plugins/patterns/README.md."""
    asked = ("puzzler", None), ("sliding-4x4", "blank-5"), ("novice", None)
    assert [find(name).pattern_names(find(name).goal(goal)) for name, goal in asked] == [
        ("turnstile", "puzzler-edges"),
        (),
        (),
    ]
