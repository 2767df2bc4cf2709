"""plugins/sql/prompt.py: statements as they are typed, and where results go."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from puzzlebase.command_line.printing import complain
from puzzlebase.db.sql.session import Session
from puzzlebase.plugins.charts.sql import ChartOptions
from puzzlebase.plugins.sql import prompt
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sql.tables import open_session
from tests.sql.conftest import one


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


@pytest.mark.slow
def test_a_chart_of_too_many_rows_says_so(session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write = ChartOptions(chart=tmp_path / "drawn.svg").writer()
    for rows, message in ((10_000, ""), (10_001, "only the first 10,000 rows")):
        prompt.show(one(session, f"SELECT i, i * 2 AS n FROM range({rows}) AS numbers(i)"), 10, write)
        assert message in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["drawn.svg"]
    before = (tmp_path / "drawn.svg").read_text("utf-8")
    with pytest.raises(InvalidRequest):
        prompt.show(one(session, "SELECT 'a', 'b'"), 10, write)
    assert (tmp_path / "drawn.svg").read_text("utf-8") == before
