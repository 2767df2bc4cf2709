"""db/sql/macros.sql: the tables and macros of every session."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.sql.session import Session
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sql.tables import SessionTables
from tests.fixtures import opened
from tests.sql.conftest import ask, table


@pytest.mark.needs("panex", "hanoi", "panguru")
@pytest.mark.slow
def test_tables_layers_and_histograms(session: Session, folder: Path) -> None:
    names = {path.stem for path in folder.glob("*.duckdb")}
    assert len(names) == 9
    found = {
        name: (states, gods_number)
        for name, states, gods_number in ask(
            session, "SELECT puzzle, states, gods_number FROM puzzles"
        )
    }
    assert set(found) == names == set(session.tables)
    assert found["avenger"] == (52_390_800, 15)
    tables = SessionTables(folder, 1 << 30)
    for name in names:
        layers = ask(
            session,
            f"SELECT distance, states FROM layers WHERE puzzle = '{name}' ORDER BY distance",
        )
        info = tables._sources.table(*tables.names[name]).table.info
        assert layers == list(enumerate(info.layers))
        histogram = ask(session, f"FROM histogram('{name}')")
        assert [row[:2] for row in histogram] == layers
        assert math.isclose(sum(row[2] for row in histogram), 1)
        assert max(len(row[3]) for row in histogram) == 40
        histograms = ask(
            session, f"SELECT distance, sum(states) FROM census('{name}') GROUP BY 1 ORDER BY 1"
        )
        assert histograms == layers
        ((blocks, stored),) = ask(session, f"SELECT count(*), sum(n) FROM blocks('{name}')")
        assert (blocks, stored) == (-(-info.stored_size // BLOCK_SIZE), info.stored_size)


def test_antipodes_have_their_text(session: Session, tables: Sources) -> None:
    avenger = opened(tables, "avenger")
    found = ask(
        session,
        "SELECT index, state_text('avenger', index) FROM states('avenger') WHERE distance = 15 "
        "ORDER BY index",
    )
    assert found == avenger.table.file.antipodes() == ask(session, "FROM antipodes('avenger')")


def test_drawn_gives_all_states_or_a_sample(session: Session, folder: Path) -> None:
    assert ask(session, "SELECT count(DISTINCT index) FROM drawn('novice', 100_000)") == [(97_020,)]
    (first, second) = (ask(session, "FROM drawn('avenger', 500)") for _ in range(2))
    assert first == second
    indices = np.array([row[0] for row in first])
    assert len(set(indices.tolist())) > 490
    assert [row[1] for row in first] == table(folder, "avenger").distances(indices).tolist()
