"""research/sequences_of_turns: the lower bounds of the answer of 2016."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlebase.puzzles.discovery import known_numbers
from research.sequences_of_turns.__main__ import STATES, least, main, sequences


def test_the_bounds_by_counting_sequences() -> None:
    """S(N) = 1 + 2 (5 + 25 + ... + 5^N), so 14 for the Turnstile and 11 for the Avenger."""
    assert [sequences(turns) for turns in range(4)] == [1, 11, 61, 311]
    assert all(sequences(turns) == (5 ** (turns + 1) - 3) // 2 for turns in range(64))
    found = {name: least(name) for name in STATES}
    assert found == {"turnstile": 14, "avenger": 11, "novice": 7, "challenger": 9, "puzzler": 20}
    assert all(
        sequences(turns - 1) < STATES[name] <= sequences(turns) for name, turns in found.items()
    )
    assert all(known_numbers()[name]["states"] == states for name, states in STATES.items())


def test_the_command_prints_the_figures_of_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    main("turnstile", 13, 14)
    page = Path(__file__).parents[2] / "research" / "sequences_of_turns" / "README.md"
    assert capsys.readouterr().out in page.read_text("utf-8")
