"""Fixtures that tests share: the published numbers, and tables built once."""

from __future__ import annotations

import fcntl
import gc
import io
import json
import os
import re
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import numpy as np
import pytest
from flask.testing import FlaskClient
from hypothesis import settings
from rich.console import Console
from xdist.scheduler import LoadFileScheduling

from puzzlebase import hooks
from puzzlebase.builder import Reporter, TableJob
from puzzlebase.builder.breadth_first import find_layers, layout_of
from puzzlebase.builder.job import Job
from puzzlebase.builder.journal import Journal
from puzzlebase.paths import CACHE, NOWHERE
from puzzlebase.puzzles import UNREACHED, Distances, Graph, Indices, Puzzle, find
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sources.budget import NO_DEADLINE, Budget, Deadline
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from tests import naive
from tests.needs import PRESENT, of_whole_file
from tests.size import ROOT, families

# The first call of a kernel compiles it, which no deadline should count.
settings.register_profile("kernels", deadline=None, max_examples=50)
settings.register_profile("fuzz", deadline=None, max_examples=2000)
settings.load_profile("kernels")

COMMON = {
    "puzzle",
    "goal",
    "state",
    "solvable",
    "distance",
    "exact",
    "lower_bound",
    "upper_bound",
    "source",
}
"""The fields of every answer about a state."""

TABLES = ("novice", "challenger", "avenger", "novice-sixths")

FAMILIES = families()

TESTS = ROOT / "tests"
PLUGINS = (ROOT / "plugins", ROOT / "puzzles")
"""The folders with tests of plugins."""

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
"""Else each of the hundreds of processes that the tests begin would compile every module anew."""

os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / "puzzlebase" / "__pycache__"))
"""The folder of machine code for all:
copies of the tree and installed programs compile no kernel anew.
"""


def pytest_collection() -> None:
    """Look for no garbage while the files of tests are loaded: there is hardly any."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Keep what is loaded by now out of later collections,
    as a worker of the service does, and look through none.
    """
    gc.enable()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Do so after each file too: numba and its types,
    which the first kernel loads, are half a million objects.
    """
    result = yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()
    return result


def pytest_unconfigure() -> None:
    """Let Python free everything at its end, as it would."""
    gc.unfreeze()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Load no file of tests that needs a plugin that is not there,
    or of a plugin where none is to run.
    """
    chosen = config.option.markexpr.split(" and ")
    unwanted = "not plugin" in chosen and is_of_a_plugin(collection_path)
    return True if unwanted or of_whole_file(collection_path) - PRESENT else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Leave out a file of tests that imports a plugin whose folder is not there."""
    report = yield
    call = report.call
    cause = call.excinfo.value.__cause__ if call and call.excinfo else None
    if cause and (plugin := hooks.missing_plugin(cause)):
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 1, f"Skipped: it needs the plugin {plugin}")
    return report


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of plugins and, for `make test-all`, of research.

    Begin with the files that take longest, so that no process ends long before others.
    """
    for item in items:
        for plugin in {name for mark in item.iter_markers("needs") for name in mark.args} - PRESENT:
            item.add_marker(pytest.mark.skip(f"it needs the plugin {plugin}"))
        if ROOT / "research" in item.path.parents:
            item.add_marker("matrix")
        if is_of_a_plugin(item.path) or has_parameter_of_a_plugin(item):
            item.add_marker("plugin")
    seconds: Counter[Path] = Counter()
    for item in items:
        if slow := item.get_closest_marker("slow"):
            seconds[item.path] += slow.args[0] if slow.args else 1
    items.sort(key=lambda item: -seconds[item.path])


@cache
def is_of_a_plugin(path: Path) -> bool:
    """True if a file or folder of tests belongs to a plugin."""
    return any(folder in (path, *path.parents) for folder in PLUGINS)


def has_parameter_of_a_plugin(item: pytest.Item) -> bool:
    """True if the parameters of a test of ours name a family that is a plugin."""
    parameters = (
        item.callspec.id if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ""
    )
    return TESTS in item.path.parents and not FAMILIES.isdisjoint(re.findall("[a-z]+", parameters))


_TIME_OUT = pytest.StashKey[object]()


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: object) -> None:
    """Note a test's time-out."""
    item.stash[_TIME_OUT] = settings


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Give the closing of fixtures the time-out anew:
    the failure of a test ends the one that it had.
    """
    if _TIME_OUT in item.stash:
        item.ihook.pytest_timeout_set_timer(item=item, settings=item.stash[_TIME_OUT])


class _Schedule(LoadFileScheduling):  # type: ignore[misc]  # xdist states no types
    """A process gets whole files, and one gets all that share a browser and its service."""

    def _split_scope(self, nodeid: str) -> str:
        folder = nodeid.partition("::")[0].rpartition("/")[0]
        shared: str = folder if folder.endswith("/browser") else super()._split_scope(nodeid)
        return shared


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> _Schedule:
    """Share the tests out among processes."""
    return _Schedule(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem: str, sched: object) -> None:
    """Count a test whose process has ended as done.
    pytest-xdist would begin it again in each new process.
    """
    for tests in getattr(sched, "workqueue", {}).values():  # of files
        if crashitem in tests:
            tests[crashitem] = True


def quiet() -> Reporter:
    """A reporter nobody sees."""
    return Reporter(Console(file=io.StringIO()))


AnyJob = TypeVar("AnyJob", bound=Job)


def quiet_job(
    kind: Callable[..., AnyJob], puzzle: Puzzle, folder: Path, goal: str | None = None, **more: Any
) -> AnyJob:
    """A job for a puzzle's goal, by default its first, that nobody sees."""
    return kind(puzzle, puzzle.goal(goal), folder, **{"threads": 2, "report": quiet()} | more)


def build_table(folder: Path, name: str, goal: str | None = None) -> Path:
    """The file of a puzzle's table, by default of its first goal,
    which the builder makes in a folder.
    """
    return quiet_job(TableJob, find(name), folder, goal, version="test").build()


def enumerated(graph: Graph, threads: int = 2) -> Distances:
    """Distances of all nodes of a graph, int32[size], by the builder's search."""
    with (
        TemporaryDirectory() as folder,
        Journal(Path(folder, "layers"), {}, layout_of(graph)) as journal,
    ):
        find_layers(graph, journal, threads, lambda *_: None)
        distances = [journal.distances(piece) for piece in range(len(journal.pieces))]
    return np.concatenate(distances, dtype=np.int32)


class Held:
    """Distances in an array, read as a table's are."""

    def __init__(self, distances: Distances) -> None:
        self.distances = distances

    def probe(self, indices: Indices) -> Distances:
        """Of any nodes."""
        return np.where(indices < 0, UNREACHED, self.distances[indices]).astype(np.int32)

    def packed(self) -> None:
        """Not in blocks."""


@pytest.fixture
def heeds_ctrl_c() -> Iterator[None]:
    """SIGINT has its effect in this process and in those that it starts;
    a job in the background ignores it.
    """
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


@pytest.fixture
def unmapped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are read into this process's memory, or block by block where they do not fit."""
    monkeypatch.setenv(CACHE, NOWHERE)


@pytest.fixture(scope="session")
def golden() -> dict[str, Any]:
    """The published numbers, each with its source."""
    published: dict[str, Any] = json.loads(
        Path(__file__).with_name("golden.json").read_text("utf-8")
    )
    return published


@pytest.fixture(scope="session")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """The reference's distances of all novice states, found once for all processes."""

    def find_all(folder: Path) -> None:
        neighbours = naive.wheel_neighbours(naive.FULL_TURNS, interchangeable=False)
        distances = naive.distances("BBBBBBBBBBBBRRRRRRRRR", neighbours)
        (folder / "distances.json").write_text(json.dumps(distances), "utf-8")

    folder = copy_of_shared(tmp_path_factory, "known", find_all)
    distances: dict[str, int] = json.loads((folder / "distances.json").read_text("utf-8"))
    return distances


def copy_of_shared(
    factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]
) -> Path:
    """A copy of a folder that one of the processes has built, while the others waited."""
    own = factory.getbasetemp()
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "shared"
    shared.mkdir(exist_ok=True)
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / name).exists():
            unfinished = factory.mktemp(f"{name}-unfinished")
            build(unfinished)
            unfinished.replace(shared / name)
    return shutil.copytree(shared / name, factory.mktemp(name), dirs_exist_ok=True)


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the tables of TABLES.
    The real builder makes them once, and each process has a copy.

    A test that adds a table to it would change what another finds,
    so at the end there are as many as before.
    """
    folder = copy_of_shared(
        tmp_path_factory, "data", lambda folder: [build_table(folder, name) for name in TABLES]
    )
    before = {path.name for path in folder.glob("*.duckdb")}
    yield folder
    assert {path.name for path in folder.glob("*.duckdb")} == before, (
        "a test wrote to the folder that all share"
    )


@pytest.fixture(scope="module")
def tables(data: Path) -> Sources:
    """The tables of `data`, open. A module may have a fixture `data` of its own."""
    return tables_in(data)


@pytest.fixture(scope="module")
def client(data: Path) -> FlaskClient:
    """A client of the service over them, in this process."""
    return app_over(data).test_client()


# Modules that read the same folder open its tables once: to open a file takes DuckDB 60 ms.
tables_in = lru_cache(1)(Sources)
app_over = lru_cache(1)(create_app)


def opened(tables: Sources, name: str) -> OpenTable:
    """One of them, with its default goal."""
    return tables.table(name)


def searching(puzzle: Puzzle, goal: str | None = None, **budget: float) -> OpenSearch:
    """A search of a puzzle, without any file."""
    return OpenSearch(Searchable.of(puzzle, puzzle.goal(goal), None), Budget(**budget))  # type: ignore[arg-type]


def source_of(
    tables: Sources, name: str, goal: str | None = None, deadline: Deadline = NO_DEADLINE
) -> Source:
    """The source of a puzzle that needs no search."""
    source = tables.find(name, goal, deadline)
    assert source
    return source


def with_board(puzzle: Puzzle, **changed: Any) -> Puzzle:
    """The puzzle with other fields of its board side."""
    return replace(puzzle, board=replace(puzzle.board, **changed))


def some_states(tables: Sources, name: str, count: int, seed: int = 8) -> list[str]:
    """Random states of one of them, uniform over all."""
    table = opened(tables, name)
    indices = np.random.default_rng(seed).integers(0, table.space.size, count)
    return [table.puzzle.text(index, table.goal) for index in indices.tolist()]
