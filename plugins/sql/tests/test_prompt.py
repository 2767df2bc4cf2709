"""plugins/sql/prompt.py: statements as they are typed, and where results go."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from puzzlebase.command_line.printing import complain
from puzzlebase.plugins.sql import prompt
from puzzlebase.service.sql.tables import session_over_tables


def test_the_prompt_goes_on_after_errors(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed: Iterator[str | type[BaseException]] = iter(
        [
            "SELECT 17",
            "  + 4 AS sum;",
            "SELEC;",
            "SELECT 1",
            KeyboardInterrupt,
            "",
            "SELECT 5 AS five;",
            "exit",
        ]
    )

    def read(_prompt: str) -> str:
        line = next(typed)
        if isinstance(line, str):
            return line
        raise line

    monkeypatch.setattr("builtins.input", read)
    with session_over_tables(folder) as session:
        prompt.converse(session, partial(prompt.show, rows=10), complain)
    shown = capsys.readouterr()
    assert shown.out.split()[-4:] == ["sum", "21", "five", "5"]
    assert "SELEC" in shown.err
