"""The results site in a browser: it opens from disk without a network, fits a narrow screen, and axe finds nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser

from puzzlebase.tools.site.pages import write_site
from tests.browser.playing import violations, watched
from tests.conftest import build_table

PAGES = ("index", "panex-2", "hanoi-nnn-3")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of two tables."""
    folder = tmp_path_factory.mktemp("results-data")
    for name in PAGES[1:]:
        build_table(folder, name)
    site = tmp_path_factory.mktemp("results")
    write_site(folder, site, lambda _: None)
    return site


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.matrix)])
def test_the_site_opens_from_disk(chromium: Browser, results: Path, scheme: Literal["light", "dark"]) -> None:
    """Nothing is asked of any other place, and every picture is drawn in the colours that the reader wants."""
    context = chromium.new_context(color_scheme=scheme, offline=True)
    asked: list[str] = []
    for name in PAGES:
        with watched(context.new_page()) as page:
            page.on("request", lambda request: asked.append(request.url))
            page.goto((results / f"{name}.html").as_uri())
            page.evaluate("document.querySelectorAll('img').forEach(each => { each.loading = 'eager' })")
            page.wait_for_function("[...document.images].every(each => each.complete && each.naturalWidth)")
            for summary in page.locator("details summary").all():
                summary.click()
            for width in (320, 768, 2560):
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
        assert violations(page) == []  # axe itself asks for styles, which a browser does not give a page from disk
        page.close()
    assert asked
    assert all(address.startswith("file:") for address in asked)
    context.close()


@pytest.mark.slow
def test_charts_follow_the_readers_setting(chromium: Browser, results: Path) -> None:
    address = (results / "panex-2" / "layers.svg").as_uri()
    papers = []
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page = chromium.new_page(color_scheme=scheme)
        page.goto(address)
        papers.append(page.evaluate("getComputedStyle(document.querySelector('rect')).fill"))
        page.close()
    assert papers == ["rgb(255, 255, 255)", "rgb(27, 32, 39)"]
