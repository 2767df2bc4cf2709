"""A SQL session takes no more memory than docs/sql.md says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sql.tables import SessionTables
from tests.matrix import one_in
from tests.serving import COMMAND
from tests.waiting import PATIENCE

HOG = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, done.stderr)
"""
MEMORY_MB = 300


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems count in other units")
@pytest.mark.parametrize(
    ("statement", "message"),
    one_in(
        4,
        [
            (
                "SELECT index FROM states('avenger') ORDER BY hash(index) LIMIT 3 OFFSET 40000000",
                "was stopped",
            ),
            (
                (
                    "SELECT length(string_agg(state_text('avenger', index), ',')) FROM "
                    "states('avenger')"
                ),
                "was stopped",
            ),
            (
                (
                    "SELECT sum(distance('avenger', index)) FROM states('avenger') WHERE "
                    "index < 1000000"
                ),
                "",
            ),
        ],
    ),
)
def test_hogs_stay_within_the_bound(data: Path, statement: str, message: str) -> None:
    command = [str(COMMAND), "--data", str(data), "sql", "--memory", str(MEMORY_MB), statement]
    hog = [sys.executable, "-c", HOG, *command]
    done = subprocess.run(hog, capture_output=True, text=True, check=True, timeout=PATIENCE)
    status, peak, errors = done.stdout.split(" ", 2)
    assert message in errors
    assert (status == "0") == (not message)
    assert int(peak) >> 10 < 200 + 2 * MEMORY_MB + 256


def test_tables_that_are_open_share_the_bound(data: Path) -> None:
    """Of two tables that do not fit together,
    the one used longest ago is freed, and answers again when asked.
    """
    bound = 8_000_000  # the Avenger's distances take 5 MB, the Challenger's orbits and space less
    tables = SessionTables(data, bound)
    tables.digests = {
        name: Sources(data).table(*goal).origin.tag for name, goal in tables.names.items()
    }
    for name in [*tables.names] * 2:
        opened = tables.open(name)
        assert opened.distances(opened.space.goal_states[:1]) == 0
        held = sum(tables.open(other).table.nbytes for other in tables.names)
        assert held <= bound
