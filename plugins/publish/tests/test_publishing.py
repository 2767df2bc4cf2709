"""plugins/publish/publishing.py: named tables are written, and one that cannot be is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlebase.plugins.publish import stored
from tests.commands import command, ran
from tests.fixtures import build_table


@pytest.mark.slow(5)
def test_a_table_of_another_goal_has_a_folder_and_a_page_of_its_own(tmp_path: Path) -> None:
    build_table(tmp_path, "sliding-2x3", "blank-0")
    to = tmp_path / "to"
    ran(tmp_path, "publish", "sliding-2x3", "--goal", "blank-0", str(to))
    assert "sliding-2x3@blank-0" in (to / "index.html").read_text("utf-8")
    assert {"header.json", "index.html"} <= {
        path.name for path in (to / "sliding-2x3@blank-0").iterdir()
    }
    assert not [*to.glob(".publish.*")]


@pytest.mark.needs("quantum")
def test_a_table_without_a_form_and_a_damaged_one_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stored moves hold fewer states here than those of a quantum board, so that it has no form."""
    monkeypatch.setattr(stored, "MOST", 10)
    build_table(tmp_path, "quantum-2x2-1")
    (tmp_path / "challenger.duckdb").write_bytes(b"no table")
    done = command(tmp_path, "publish", "quantum-2x2-1", str(tmp_path / "to"))
    assert (
        done.status,
        "quantum-2x2-1 cannot be published: more than 10 states" in done.stderr,
    ) == (2, True)
    assert command(tmp_path, "publish", "challenger", str(tmp_path / "to")).status == 1
    assert not [*(tmp_path / "to").glob("*")]
