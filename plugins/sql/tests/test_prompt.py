"""plugins/sql/prompt.py: statements as they are typed, and where results go."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from puzzlebase.command_line.printing import complain
from puzzlebase.plugins.sql import prompt
from puzzlebase.service.sql.tables import open_session


def test_the_prompt_goes_on_after_errors(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed: Iterator[str | type[BaseException]] = iter(
        ["SELECT 17", "  + 4 AS sum;", "SELEC;", "SELECT 1", KeyboardInterrupt, "SELECT 5 AS five;", EOFError]
    )

    def read(_prompt: str) -> str:
        line = next(typed)
        if isinstance(line, str):
            return line
        raise line

    monkeypatch.setattr("builtins.input", read)
    with open_session(folder) as session:
        prompt.converse(session, partial(prompt.show, rows=10), complain)
    shown = capsys.readouterr()
    assert shown.out.split()[-4:] == ["sum", "21", "five", "5"]
    assert "SELEC" in shown.err


def test_the_prompt_knows_words_of_its_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter([".help", "tables;", "", "SELECT 3", "help", "AS help;", "quit", "SELECT 99;"])
    monkeypatch.setattr("builtins.input", lambda _prompt: next(typed))
    with open_session(folder) as session:
        prompt.converse(session, partial(prompt.show, rows=10), complain)
        names = [*session.tables]
    shown = capsys.readouterr()
    assert "exit, quit       the end, as Ctrl-D" in shown.out
    assert all(name in shown.out.partition("docs/sql.md")[2] for name in names)
    assert next(typed) == "SELECT 99;", "nothing is read after quit"
    assert shown.err, "within a statement a word is SQL"
