"""A service with a table of each family, a browser, and pages that must not complain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from puzzlebase.puzzles import find
from puzzlebase.tools.methods.job import OracleJob
from tests.browser.chromium import browser
from tests.browser.playing import watched
from tests.conftest import build_table, copy_of_shared
from tests.serving import Served, serving
from tests.waiting import PATIENCE

expect.set_options(timeout=60_000)  # the service may have kernels to compile first

TABLES = ("novice", "panex-2", "sliding-2x3", "panguru-4", "quantum-2x2-1", "hanoi-nnn-3")
"""One puzzle of each family."""

ONE_AND_MORE = [TABLES[0], *(pytest.param(name, marks=pytest.mark.matrix) for name in TABLES[1:])]
"""The same, of which `make test` takes the first."""


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with those tables, and the oracle of a puzzle whose solution is long."""

    def build(folder: Path) -> None:
        for name in TABLES:
            build_table(folder, name)
        large = find("panex-10")
        OracleJob(large, large.goal(), folder).build()

    return copy_of_shared(tmp_path_factory, "page", build)


@pytest.fixture(scope="session")
def site(data: Path) -> Iterator[Served]:
    """The service over it."""
    with serving(data, "--workers", "1") as served:
        yield served


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser. It ends with its module: while it runs, no other test could have an event loop."""
    with browser() as running:
        yield running


@pytest.fixture
def context(chromium: Browser, site: Served) -> Iterator[BrowserContext]:
    """A visitor who would rather see no motion, so that a test need not wait for it; nothing is kept for later."""
    visitor = chromium.new_context(
        base_url=site.address,
        reduced_motion="reduce",
        viewport={"width": 1100, "height": 900},
        service_workers="block",
    )
    visitor.set_default_timeout(1000 * PATIENCE)
    yield visitor
    visitor.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page of theirs. Whatever it says on the console fails the test, at its end."""
    with watched(context.new_page()) as opened:
        yield opened


@pytest.fixture
def phone(chromium: Browser, site: Served) -> Iterator[BrowserContext]:
    """A phone of 390 by 844."""
    context = chromium.new_context(
        base_url=site.address,
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
        viewport={"width": 390, "height": 844},
        service_workers="block",
    )
    yield context
    context.close()
