"""The machines that parts are started on."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlebase.builder import Shortage
from puzzlebase.builder.journal import BitLayout
from puzzlebase.tools.cluster.machines import Machine, place
from puzzlebase.tools.cluster.plan import Division, Plan

GB = 10**9


def plan(parts: int) -> Plan:
    return Plan("challenger", "solved", "key", "test", Path("/none"), Division(BitLayout(1, 1), parts), Path("/none"))


def machine(name: str, memory: int, processors: int = 2, files: frozenset[str] = frozenset()) -> Machine:
    return Machine(name, f"10.0.0.{name}", processors, memory * GB, files, "program")


def placed(machines: list[Machine], parts: int, need: int = GB) -> list[str]:
    return [found.id for found in place(plan(parts), machines, [need] * parts)]


def test_parts_are_shared_by_processors() -> None:
    assert placed([machine("1", 20), machine("2", 21)], 4) == ["2", "1", "2", "1"]
    assert placed([machine("1", 20, 4), machine("2", 20, 2)], 6).count("1") == 4


def test_a_part_goes_where_it_fits() -> None:
    assert placed([machine("1", 3), machine("2", 30)], 6, 2 * GB) == ["2", "1", "2", "2", "2", "2"]


def test_a_part_goes_back_to_the_one_machine_that_has_its_file() -> None:
    there = machine("2", 20, files=frozenset(plan(2).layers(number).name for number in (0, 1)))
    assert placed([machine("1", 20), there], 2) == ["2", "2"]
    shared = machine("1", 20, files=there.files)
    assert set(placed([shared, there], 2)) == {"1", "2"}


def test_too_little_memory_is_named() -> None:
    with pytest.raises(Shortage, match=r"part 1 of 2 of challenger needs about 3 GB of memory, 1 GB are left on 10.0"):
        placed([machine("1", 4)], 2, 3 * GB)
