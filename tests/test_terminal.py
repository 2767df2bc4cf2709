"""The program on a real terminal: the screen of each verb, and the terminal afterwards."""

from __future__ import annotations

import signal
from io import StringIO
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest

from puzzlebase.puzzles import find
from puzzlebase.terminal_text import fold_line
from tests.commands import command
from tests.serving import free_port
from tests.terminals import COLUMNS, on_a_terminal
from tests.waiting import wait_until

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


def seen(*words: str, status: int = 0) -> list[str]:
    """The lines that a verb leaves on the screen."""
    with on_a_terminal(*words) as terminal:
        assert terminal.end() == status, terminal.text
        assert not set(SPINNER) & set(terminal.text), terminal.text
        assert not terminal.screen.cursor_hidden
        return [line for line in terminal.screen.lines if line]


@pytest.mark.slow
def test_a_searched_answer_begins_its_line_and_nothing_of_the_search_stays(tmp_path: Path) -> None:
    """The bug that tests without a terminal could not see:
    a spinner, with the answer glued to it.
    """
    *notes, distance, moves = seen("--data", str(tmp_path), "solve", "novice", NOVICE)
    assert " ".join(" ".join(notes).split()) == (
        f"puzzlebase: there is no table of novice yet in {tmp_path}, so this is a search "
        f"build it: puzzlebase build novice --data {tmp_path}"
    )
    assert distance == f"{NOVICE}  distance 5 (search)"
    assert len(moves.split()) == 5


def test_a_line_is_folded_between_words_for_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    piped, terminal = StringIO(), Mock(isatty=lambda: True)
    line = "  one  two-and-three four https://example.org/a/long/address"
    assert fold_line(line, 4, piped) == line
    assert fold_line(line, 4, terminal).split("\n") == [
        "  one  two-and-three", "    four", "    https://example.org/a/long/address"
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "info novice",
        f"lookup novice {NOVICE} x",
        "info novice --json",
        "frobnicate",
    ],
)
def test_a_terminal_shows_what_a_pipe_gets(data: Path, words: str) -> None:
    """The same words, in more lines where those of a pipe are too long;
    standard error may stand between.
    """
    piped = command(data, *words.split())
    shown = seen("--data", str(data), *words.split(), status=int(str(piped.status or 0)))
    assert sorted(" ".join(shown).split()) == sorted((piped.stdout + piped.stderr).split())
    lines = (piped.stdout + piped.stderr).splitlines()
    assert {line.rstrip() for line in lines if len(line) <= COLUMNS} - {""} <= {*shown}


@pytest.mark.needs("panguru", "sql")
@pytest.mark.slow
def test_builds_exports_and_queries_leave_their_words_alone(tmp_path: Path) -> None:
    built = seen("--data", str(tmp_path), "build", "panguru-4", "--threads", "1")
    assert any(line.startswith("  16,800 states, God's number 11") for line in built)
    assert not any("━" in line or "ETA" in line for line in built)
    file = tmp_path / "x.parquet"
    *_, exported = seen("--data", str(tmp_path), "export", "panguru-4", "--parquet", str(file))
    assert exported == f"{file}: 16,800 states, {file.stat().st_size:,} bytes"
    assert seen("--data", str(tmp_path), "sql", "SELECT 5 AS five") == ["five", "   5"]


@pytest.mark.slow
def test_ctrl_c_ends_a_search_with_what_is_proven(tmp_path: Path) -> None:
    puzzle = find("sliding-3x5")
    # its search takes longer than half a minute
    far = puzzle.text(puzzle.space(puzzle.goal()).size - 1, puzzle.goal())
    with on_a_terminal("--data", str(tmp_path), "solve", puzzle.name, far) as terminal:
        terminal.until("states expanded")
        terminal.type("\x03")
        assert terminal.end() == 128 + signal.SIGINT
        *_, line = [line for line in terminal.screen.lines if line]
        assert "moves from the goal; the search ended before it knew (search)" in line
        assert not set(SPINNER) & set(terminal.text)


@pytest.mark.slow
def test_a_signal_that_the_shell_has_ignored_stays_ignored(tmp_path: Path) -> None:
    """As Ctrl-C is in the background of a script."""
    solve = "--data", str(tmp_path), "solve", "sliding-4x4", "cabf975601234ed8"
    with on_a_terminal(*solve, ignoring=[signal.SIGINT]) as terminal:
        terminal.until("states expanded")
        status = Path(f"/proc/{terminal.process.pid}/status").read_text()
        ignored = int(status.partition("SigIgn:")[2].split()[0], 16)
        assert ignored >> (signal.SIGINT - 1) & 1


@pytest.mark.slow
def test_serve_prints_its_address_alone_and_ends_with_ctrl_c(data: Path) -> None:
    port = str(free_port())
    with on_a_terminal("--data", str(data), "serve", "--port", port, "--workers", "1") as terminal:
        terminal.until(f"{port}/docs")
        assert "{" not in terminal.text, "no log"
        service = psutil.Process(terminal.process.pid)
        *_, worker = service.children()
        service.suspend()
        terminal.type("\x03")  # which the worker heeds, too: here it ends first
        wait_until(lambda: worker.status() == psutil.STATUS_ZOMBIE, "the worker has ended")
        service.resume()
        assert terminal.end() == 0
