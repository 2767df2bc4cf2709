"""A service with a table of each family, a published folder of them,
a browser, and pages that must not complain.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from puzzlebase.service.http.app import create_app
from tests.browser.chromium import browser
from tests.browser.hosts import Host, hosting
from tests.commands import ran
from tests.fixtures import build_table, copy_of_shared
from tests.needs import PRESENT
from tests.serving import Served, serving
from tests.waiting import PATIENCE

from .playing import visitor, watched

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[3] / "examples"
LEVELS = EXAMPLES / "levels"

expect.set_options(timeout=1000 * PATIENCE)  # the service may have kernels to compile first

TABLES = ("novice", "panex-2", "sliding-2x3", "panguru-4", "quantum-2x2-2", "hanoi-nnn-3")
"""One puzzle of each family."""

PAIR = "#####\n#@$.#\n#####\n\n######\n#@$ .#\n######\n"
"""Two levels of Sokoban in a file."""

MORE = ("lights-3x3", "cross", "pair-1", "pair-2")
"""Others that are published beside them."""

PUBLISHED = (*TABLES, *MORE)
"""Seven puzzles and three levels: those in a published folder."""

NEEDED = {"definitions", "hanoi", "levels", "methods", "panex", "panguru", "publish", "quantum"}
collect_ignore_glob = ["test_*.py"] if NEEDED - PRESENT else []

OVER_BOTH = pytest.mark.parametrize(
    "site", ["service", pytest.param("folder_host", marks=pytest.mark.matrix)], indirect=True
)
"""For a test of what a published folder has too; `make test` takes the service."""

ONE_AND_MORE = [TABLES[0], *(pytest.param(name, marks=pytest.mark.matrix) for name in TABLES[1:])]
"""The same, of which `make test` takes the first."""


def lights(size: int) -> str:
    """A definition of lamps in a square: to press one switches it and those beside it."""
    count = size * size
    numbers = " ".join(str(place + 1) for place in range(count))
    lines = [
        f"# rows LAMPS: {size}",
        f"Name Lights-{size}x{size}",
        "",
        f"Set LAMPS {count} 2",
        "",
        "Solved",
        "LAMPS",
    ]
    lines += [" ".join(["1"] * count), " ".join(["0"] * count), "End", ""]
    for place in range(count):
        column, row = place % size, place // size
        beside = [
            abs(other % size - column) + abs(other // size - row) <= 1 for other in range(count)
        ]
        name = f"{chr(ord('a') + column)}{row + 1}"
        lines += [
            f"Move {name}",
            "LAMPS",
            numbers,
            " ".join(str(int(each)) for each in beside),
            "End",
            "",
        ]
    return "\n".join(lines)


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with those tables, the oracle of a puzzle whose solution is long,
    a level, and the definition of a cube.
    """

    def build(folder: Path) -> None:
        (folder / "puzzles.d").mkdir()
        for example in EXAMPLES.glob("2x2x2.*"):
            (folder / "puzzles.d" / example.name).write_bytes(example.read_bytes())
        for name in TABLES:
            build_table(folder, name)
        (folder / "puzzles.d" / "pair.xsb").write_text(PAIR, "utf-8")

    return copy_of_shared(tmp_path_factory, "page", build)


@pytest.fixture(scope="session")
def published(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same tables and some more, as a published folder."""

    def publish(folder: Path) -> None:
        for path in data.glob("*.duckdb"):
            (folder / path.name).write_bytes(path.read_bytes())
        copytree(data / "puzzles.d", folder / "puzzles.d")
        (folder / "puzzles.d" / "lights-3x3.tws").write_text(lights(3), "utf-8")
        (folder / "puzzles.d" / "cross.pegs").write_bytes((LEVELS / "cross.pegs").read_bytes())
        for name in MORE:
            ran(folder, "--puzzles", str(folder / "puzzles.d"), "build", name)
        words = (
            "--puzzles",
            str(folder / "puzzles.d"),
            "publish",
            *TABLES,
            *MORE,
            str(folder / "published"),
        )
        ran(folder, *words)

    return copy_of_shared(tmp_path_factory, "published", publish) / "published"


@pytest.fixture(scope="session")
def service(data: Path) -> Iterator[Served]:
    """The service over those tables."""
    with serving(data, "--workers", "1") as served:
        yield served


@pytest.fixture(scope="session")
def folder_host(published: Path) -> Iterator[Host]:
    """A host of the published folder, which lies below some path; no service runs."""
    with hosting(published, "/some/games") as server:
        yield Host(f"{server.address}/some/games", create_app(published.parent).test_client())


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Served | Host:
    """The site that a test looks at: the service, or a published folder where it is marked so."""
    found: Served | Host = request.getfixturevalue(getattr(request, "param", "service"))
    return found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these tests first: one process has them all, since they share a browser,
    and would end long after the others.
    """
    items.sort(key=lambda item: HERE not in item.path.parents)


BROWSERS = ExitStack()


@cache
def opened() -> Browser:
    """The browser of this process."""
    return BROWSERS.enter_context(browser())


@pytest.fixture
def chromium() -> Browser:
    """The browser, which tests in a row share."""
    return opened()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close it before a test of another folder: while it runs, that could have no event loop."""
    if not nextitem or HERE not in nextitem.path.parents:
        BROWSERS.close()
        opened.cache_clear()


@pytest.fixture
def context(chromium: Browser, site: Served | Host) -> Iterator[BrowserContext]:
    """A visitor who would rather see no motion,
    so that a test need not wait for it; nothing is kept for later.
    """
    size = {"width": 1100, "height": 900}
    with visitor(
        chromium, site, reduced_motion="reduce", viewport=size, service_workers="block"
    ) as context:
        yield context


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page of theirs. Whatever it says on the console fails the test, at its end."""
    with watched(context.new_page()) as opened:
        yield opened


@pytest.fixture
def phone(chromium: Browser, site: Served | Host) -> Iterator[BrowserContext]:
    """A phone of 390 by 844."""
    with visitor(
        chromium,
        site,
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
        viewport={"width": 390, "height": 844},
        service_workers="block",
    ) as context:
        yield context
