"""puzzlebase/command_line/main.py and machine.py: memory that runs out is a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlebase.errors import is_out_of_memory
from tests.commands import command


def test_which_errors_say_that_memory_ran_out() -> None:
    errors = [MemoryError("Unable to allocate 5 GiB"), RuntimeError("can't start new thread")]
    assert all(
        map(
            is_out_of_memory,
            [*errors, ImportError("x.so: failed to map segment from shared object")],
        )
    )
    assert not any(
        map(
            is_out_of_memory,
            [RuntimeError("no"), ImportError("no module named x"), ValueError("memory")],
        )
    )


def test_memory_that_runs_out_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("Unable to allocate 5 GiB")

    monkeypatch.setattr("puzzlebase.service.answers.catalog.puzzle_list", fail)
    done = command(tmp_path, "list")
    assert done.status == 1
    assert done.stderr.startswith(
        "puzzlebase: memory ran out: Unable to allocate 5 GiB\n  free some"
    )
