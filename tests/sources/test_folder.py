"""service/sources/folder.py: files come, are replaced, break and go while the service runs."""

from __future__ import annotations

import ctypes
import gc
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any
from weakref import ref

import numpy as np
import pytest

from puzzlebase.db.block_cache import PackedBlocks
from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.db.mapped import MappedFiles
from puzzlebase.db.table import Table
from puzzlebase.paths import CACHE, NOWHERE, cache_folder, table_path
from puzzlebase.puzzles import find
from puzzlebase.puzzles.discovery import forget
from puzzlebase.service.answers import catalog, lookups, random_states
from puzzlebase.service.sources import folder
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import opened
from tests.waiting import PATIENCE


def put(data: Path, folder: Path, name: str, copied: str | None = None) -> Path:
    """Put a copy of a table (of this name, or of another one) into a folder,
    moved into place as the builder does.
    """
    path = table_path(folder, name)
    copy = path.with_suffix(".copy")
    copy.write_bytes(table_path(data, copied or name).read_bytes())
    return copy.replace(path)


def test_a_table_is_served_once_it_is_there(data: Path, tmp_path: Path) -> None:
    tables = Sources(tmp_path)
    with pytest.raises(MissingTable) as caught:
        opened(tables, "novice")
    assert "puzzlebase build novice" in caught.value.hint
    put(data, tmp_path, "novice")
    first = opened(tables, "novice")
    assert opened(tables, "novice") is first
    put(data, tmp_path, "novice")
    second = opened(tables, "novice")
    assert second is not first
    assert (
        first.distances(first.space.goal_states).tolist()
        == second.distances(second.space.goal_states).tolist()
        == [0]
    )
    assert [puzzle.name for puzzle, _ in tables.folder.built()] == ["novice"]


@pytest.mark.slow
def test_a_table_in_hand_outlives_its_file(data: Path, tmp_path: Path) -> None:
    tables = Sources(Folder(tmp_path, memory=1 << 14))
    put(data, tmp_path, "challenger")
    challenger = opened(tables, "challenger")
    indices = np.arange(0, challenger.space.size, 997)
    put(data, tmp_path, "challenger", copied="novice")
    assert np.array_equal(
        challenger.distances(indices), opened(Sources(data), "challenger").distances(indices)
    )
    with pytest.raises(DamagedTable):
        opened(tables, "challenger")
    table_path(tmp_path, "challenger").unlink()
    with pytest.raises(MissingTable):
        opened(tables, "challenger")


def test_goals_equal_up_to_renaming_colours_share_a_table(tables: Sources) -> None:
    avenger, turnstile, scrambled = find("avenger"), find("turnstile"), ".C.E.DAB.BDAEA.ECDBC."
    solved, recoloured = ".BBB.AAA.CCC.DDD.EEE.", ".zzz.BBB.qqq.DDD.EEE."
    for goal in (solved, recoloured):
        shared = tables.table("avenger", goal)
        assert (shared.goal.name, shared.goal.states) == (goal, (goal,))
        assert shared.table is tables.table("avenger").table
        assert lookups.lookup(shared, goal)["distance"] == 0
        assert lookups.lookup(shared, scrambled)["distance"] == 14
        drawn = random_states.random_state(shared, min=5, max=5)
        state = goal
        for move in drawn["scramble"] or ():
            state = avenger.play(state, move)
        assert state == drawn["state"]
    assert turnstile.goal(solved).key != turnstile.goal().key, (
        "where colours are fixed they are not renamed"
    )


def test_two_folders_in_one_process_have_a_cache_each(data: Path, tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        put(data, tmp_path / name, "novice")
    tables = [Sources(tmp_path / name) for name in "ab"]
    forget()  # the spaces that other tests have made
    # the second one has the space of the first
    for each, numbering in zip(tables, ([".numbering"], []), strict=True):
        lookups.lookup(each.table("novice"), find("novice").goal().start)
        cached = {path.suffix for path in (each.folder.data / "cache").iterdir()}
        assert sorted(cached) == [".distances", ".head", *numbering]


@pytest.mark.parametrize("cache", ["cache", NOWHERE])
def test_damage_is_noticed_whatever_is_mapped(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: str
) -> None:
    """A file put in place has the same digest, which its header states;
    a copy of the former one does not hide it.
    """
    monkeypatch.setenv(CACHE, cache if cache == NOWHERE else str(tmp_path / cache))
    path, mapped = put(data, tmp_path, "avenger"), MappedFiles(cache_folder(tmp_path))
    served = Sources(Folder(tmp_path, mapped=mapped))
    assert served.warm() == {"avenger": None}
    damaged = path.read_bytes()
    at = len(damaged) // 2  # among the blocks
    other = tmp_path / "other"
    other.write_bytes(damaged[:at] + bytes([damaged[at] ^ 1]) + damaged[at + 1 :])
    other.replace(path)
    for tables in (served, Sources(Folder(tmp_path, mapped=mapped))):
        assert isinstance(tables.warm()["avenger"], DamagedTable)
        with pytest.raises(DamagedTable):
            opened(tables, "avenger")
    put(data, tmp_path, "avenger")
    assert served.warm() == {"avenger": None}


READS = """
import sys
from pathlib import Path
from puzzlebase.service.http.app import create_app
client = create_app(Path(sys.argv[1])).test_client()
for address in ("readyz", "v1/puzzles/novice/histogram"):
    print(client.get(address).text)
"""


@pytest.mark.slow
def test_a_file_that_may_not_be_read_is_not_called_damaged(data: Path, tmp_path: Path) -> None:
    put(data, tmp_path, "novice").chmod(0)
    system = ctypes.CDLL(None)

    def as_others() -> None:
        for right in (1, 2):  # PR_CAPBSET_DROP: the right of root to read whatever its mode is
            system.prctl(24, right, 0, 0, 0)

    done = subprocess.run(
        [sys.executable, "-c", READS, tmp_path],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        preexec_fn=as_others,
    )
    ready, refused = map(json.loads, done.stdout.splitlines())
    (listed,) = ready["damaged"]
    assert (refused["status"], refused["type"]) == (500, "/docs#unreadable-table")
    for said in (listed, refused):
        assert "no permission" in said["detail"]
        assert said["hint"] == f"allow it: chmod a+r {table_path(tmp_path, 'novice')}"


def test_nobody_waits_while_a_changed_table_is_opened(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(data, tmp_path, "novice")
    put(data, tmp_path, "challenger")
    served = Sources(tmp_path)
    former, other = opened(served, "novice"), opened(served, "challenger")
    opening, go_on = Event(), Event()

    class Slow(Table):
        def load(self, *given: Any) -> PackedBlocks:
            opening.set()
            assert go_on.wait(PATIENCE)
            return super().load(*given)

    monkeypatch.setattr(folder, "Table", Slow)
    put(data, tmp_path, "novice")
    with ThreadPoolExecutor(1) as pool:
        noticed = pool.submit(opened, served, "novice")
        assert opening.wait(PATIENCE)
        try:
            assert opened(served, "novice") is former
            assert opened(served, "challenger") is other
            assert served.table("novice", "solved").table is former.table
        finally:
            go_on.set()
        after = noticed.result(PATIENCE)
    assert after is opened(served, "novice") is not former
    assert served.table("novice", "solved").table is after.table


@pytest.mark.slow
def test_a_former_table_is_freed_after_its_last_answer(data: Path, tmp_path: Path) -> None:
    put(data, tmp_path, "novice")
    served = Sources(tmp_path)
    in_use = opened(served, "novice")
    served.table("novice", "solved")
    former = []
    for _ in range(5):
        former.append(ref(opened(served, "novice").table))
        put(data, tmp_path, "novice")
        opened(served, "novice")
    gc.collect()
    assert [table() for table in former] == [in_use.table, None, None, None, None]
    del in_use
    gc.collect()
    assert former[0]() is None


def test_an_empty_folder_and_strangers_in_it(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "missing"):
        tables = Sources(place)
        assert tables.folder.built() == []
        assert catalog.readiness(tables) == {"ready": False, "tables": [], "damaged": []}
    (tmp_path / "unknown.duckdb").write_text("x")
    (tmp_path / "novice@unknown.duckdb").write_text("x")
    assert Sources(tmp_path).folder.built() == []
