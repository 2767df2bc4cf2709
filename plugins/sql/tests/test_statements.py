"""plugins/sql/statements.py: which statements are meant."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from puzzlebase.db.errors import MissingTable
from puzzlebase.db.sql.session import Session
from puzzlebase.paths import table_path
from puzzlebase.plugins.sql.statements import statements
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sql.tables import session_over_tables
from tests.sql.conftest import ask


def test_a_query_of_one_table_asks_for_its_name(
    session: Session, folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(InvalidRequest, match="one table") as refused:
        statements(session, "antipodes", None)
    assert "novice" in refused.value.hint
    with pytest.raises(MissingTable):
        session.set_puzzle("nope")
    shutil.copy(table_path(folder, "novice"), tmp_path)
    with session_over_tables(tmp_path) as begun:
        assert len(ask(begun, statements(begun, "antipodes", None))) == 21
