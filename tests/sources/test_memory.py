"""service/sources/memory.py: what a worker holds stays within one bound,
and what was used last stays.
"""

from __future__ import annotations

import gc
import shutil
import weakref
from functools import partial
from mmap import mmap
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from puzzlebase.db import block_cache
from puzzlebase.db.block_cache import PackedBlocks
from puzzlebase.db.table_file import BlockFile, Headers
from puzzlebase.paths import table_path
from puzzlebase.puzzles import find
from puzzlebase.puzzles.machinery.spaces import SPACES, arrays_of_spaces
from puzzlebase.service.error_status import Overloaded
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sources.budget import SearchLimits
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.memory import Holding, Memory
from puzzlebase.service.sources.pool import Searches
from puzzlebase.service.sources.search import Searchable
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import app_over, tables_in
from tests.waiting import PATIENCE


class Block(Holding):
    """Some bytes, of which nobody knows but their account."""

    def __init__(self, size: int) -> None:
        self.content: Any = np.zeros(size, np.uint8)

    @property
    def nbytes(self) -> int:
        """The bytes."""
        return 0 if self.content is None else len(self.content)

    def free(self) -> None:
        """Forget them."""
        self.content = None


def test_what_was_used_longest_ago_is_freed() -> None:
    memory = Memory(SPACES_NOW + 1000_000)
    blocks = [Block(300_000) for _ in range(5)]
    for block in blocks[:3]:
        memory.hold(block)
    blocks[0].used = blocks[2].used + 1
    memory.hold(blocks[3])
    assert [block.content is None for block in blocks[:4]] == [False, True, False, False]
    memory.hold(blocks[4])
    assert [block.content is None for block in blocks] == [False, True, True, False, False]
    assert memory.held == SPACES.nbytes + 900_000


def test_what_keeps_others_in_memory_is_freed_before_them() -> None:
    class Keeper(Block):
        keeps_others = True

    memory = Memory(SPACES_NOW + 1000_000)
    blocks = [Block(300_000), Keeper(300_000), Block(300_000), Block(300_000)]
    for block in blocks:
        memory.hold(block)
    assert [block.content is None for block in blocks] == [False, True, False, False]


SPACES_NOW = 1 << 34
"""More than all spaces that other tests leave in memory."""


@pytest.fixture(autouse=True)
def _only_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """The spaces of other tests do not count here."""
    tables_in.cache_clear()
    app_over.cache_clear()
    SPACES.free()
    gc.collect()
    monkeypatch.setitem(globals(), "SPACES_NOW", SPACES.nbytes)


@pytest.mark.slow
def test_a_space_goes_with_the_search_that_kept_it(tmp_path: Path) -> None:
    """Few bytes are that search's own: the goal is any state,
    whose space shares all else with the default goal's.
    """
    tables = Sources(Folder(tmp_path, SPACES_NOW + 300_000_000))
    searches = Searches(tables, SearchLimits())
    puzzle = find("avenger")
    search = searches.start(
        puzzle,
        puzzle.goal(".C.E.DAB.BDAEA.ECDBC."),
        None,
        None,
        lambda search: weakref.ref(search.space),
    )
    space = search.future.result(PATIENCE)
    assert space() is not None
    tables.folder.memory.hold(Block(tables.folder.memory.bound))
    assert space() is None


def test_two_first_searches_at_once_hold_one_set_of_layers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = Searches(Sources(tmp_path), SearchLimits())
    both, prepare, puzzle = Barrier(2), Searchable.in_folder, find("sliding-2x3")

    def prepared(*given: Any) -> Searchable:
        found = prepare(*given)
        both.wait(PATIENCE)
        return found

    monkeypatch.setattr(Searchable, "in_folder", prepared)
    running = [
        searches.start(
            puzzle,
            puzzle.goal(),
            None,
            None,
            lambda opened: opened.distance(opened.index("120453")),
        )
        for _ in range(2)
    ]
    assert [each.future.result(PATIENCE) for each in running] == [1, 1]
    memory = searches._memory
    (cached,) = memory._holdings
    assert cached.nbytes > 0
    cached.free()
    assert cached.nbytes == 0


def test_what_does_not_fit_is_refused() -> None:
    memory = Memory(SPACES_NOW + 1_000_000)
    block = Block(300_000)
    memory.hold(block)
    with memory.reserve(600_000):
        assert block.content is not None
        with memory.reserve(300_000):
            assert block.content is None
            with pytest.raises(Overloaded), memory.reserve(200_000):
                pass
    assert memory.held == SPACES.nbytes


def test_arrays_are_found_once_wherever_they_hang() -> None:
    array, bound, given = np.zeros(1000), np.zeros(3), np.zeros(5)
    calls = lambda: array, bound.sum, partial(np.add, given)
    holder = SimpleNamespace(views=[array[:10], {1: array[5:].reshape(-1, 5)}], calls=calls)
    assert {*map(id, arrays_of_spaces(holder))} == {*map(id, (array, bound, given))}
    assert arrays_of_spaces(np.frombuffer(mmap(-1, 4096), np.uint8)[8:]) == []


def test_one_space_for_a_key() -> None:
    avenger = find("avenger")
    spaces = {id(avenger.space(avenger.goal(f".{a}{a}{a}.BBB.CCC.DDD.EEE."))) for a in "AFGHI"}
    assert len(spaces) == 1
    other = {
        id(avenger.space(avenger.goal(state)))
        for state in (".C.E.DAB.BDAEA.ECDBC.", ".F.E.DAB.BDAEA.EFDBF.")
    }
    assert len(other) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("unmapped")
def test_tables_are_evicted_for_one_another(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each answers in its turn, and those used last are in memory. Others go before one is read."""
    for name in ("novice", "challenger", "novice-sixths"):
        shutil.copy(table_path(data, name), tmp_path)
    client = create_app(tmp_path, SPACES_NOW + 3_000_000).test_client()
    memory = client.application.sources.folder.memory  # type: ignore[attr-defined]
    read = block_cache.blocks_in_own_memory

    def in_own_memory(file: BlockFile, headers: Headers) -> PackedBlocks:
        held = memory.held
        blocks = read(file, headers)
        assert held + blocks.codes.nbytes <= memory.bound
        return blocks

    monkeypatch.setattr(block_cache, "blocks_in_own_memory", in_own_memory)
    for _ in range(3):
        for name in ("novice", "challenger", "novice-sixths"):
            ask(client, name)
            assert memory.held <= memory.bound


def ask(client: FlaskClient, name: str) -> None:
    puzzle = find(name)
    answer = client.get(
        f"/v1/puzzles/{name}/lookup?state={puzzle.goal().states[0]}&goal={puzzle.goal().name}"
    )
    assert answer.json
    assert (answer.status_code, answer.json["distance"], answer.json["source"]) == (200, 0, "table")
