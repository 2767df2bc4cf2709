"""service/sql/tables.py: the functions of states say what the tables say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from puzzlebase.db.sql.session import Session
from puzzlebase.service.sql.tables import SessionTables
from tests.sql.conftest import PANGURU_GOAL, all_distances, ask, table


@pytest.mark.needs("panex", "hanoi", "panguru")
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["novice", "panguru-4", f"panguru-4@{PANGURU_GOAL.lower()}", "panex-2", "hanoi-nnn-3"]
)
def test_functions_say_what_the_tables_say(session: Session, folder: Path, name: str) -> None:
    tables = SessionTables(folder, 1 << 30)
    if name not in tables.names:
        (name,) = (known for known in tables.names if known.startswith("panguru-4@"))
    source = tables._sources.table(*tables.names[name])
    puzzle, distances = source.puzzle, all_distances(source)
    for index, distance, text, again, by_text, by_index in ask(
        session,
        f"""
        SELECT index, distance, state_text('{name}', index) AS state, state_index('{name}', state),
               distance('{name}', state), distance('{name}', index)
        FROM states('{name}') WHERE index % 37 = 1
        """,
    ):
        assert distance == distances[index] == by_text == by_index
        assert text == puzzle.text(index, source.goal)
        assert again == index
    expanded = source.space.expand(np.arange(source.space.size))
    for index, move, to, distance in ask(
        session,
        f"""
        SELECT states.index, successors.move, successors.index, successors.distance
        FROM states('{name}') AS states, successors('{name}', states.index) AS successors
        WHERE states.index % 41 = 3
        """,
    ):
        number = [each.name for each in puzzle.moves].index(move)
        assert expanded[index, number] == to
        assert distances[to] == distance
    ((moves,),) = ask(
        session, f"SELECT sum(len(successors('{name}', index))) FROM states('{name}')"
    )
    assert moves == np.count_nonzero(expanded >= 0)


@pytest.mark.needs("panex")
@pytest.mark.slow
def test_functions_take_null_and_several_tables_at_once(session: Session, folder: Path) -> None:
    rows = ask(
        session,
        """
        SELECT puzzle, index, state_text(puzzle, index), distance(puzzle, index),
            len(successors(puzzle, index))
        FROM (VALUES ('novice', 3), ('panex-2', 5), (NULL, 2), ('novice', NULL), ('novice', 4))
            AS asked(puzzle, index)
        """,
    )
    novice, panex = table(folder, "novice"), table(folder, "panex-2")
    assert [row[2] for row in rows] == [
        novice.puzzle.text(3, novice.goal),
        panex.puzzle.text(5, panex.goal),
        None,
        None,
        novice.puzzle.text(4, novice.goal),
    ]
    assert (
        [row[3] is None for row in rows]
        == [row[4] is None for row in rows]
        == [False, False, True, True, False]
    )
    assert ask(
        session, "SELECT distance('novice', CAST(NULL AS VARCHAR)), state_text(NULL, 1)"
    ) == [(None, None)]
