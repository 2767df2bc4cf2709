"""<puzzle-base> and the client on a page of another origin, as docs/page.md shows them."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.playing import lookup_of, watched
from tests.serving import Served
from tests.waiting import PATIENCE

DOCUMENT = Path(__file__).parents[2] / "docs" / "page.md"
ADDRESS = "http://127.0.0.1:8080"


def blocks(language: str) -> list[str]:
    """The code that the document shows, with no address but the test's."""
    return re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT.read_text("utf-8"), re.DOTALL | re.MULTILINE)


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder that another server serves, and its address: another origin than the service's."""
    (tmp_path / "favicon.ico").touch()  # some browsers ask for one, and the console says where there is none
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield tmp_path, f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join(PATIENCE)


def test_the_page_of_the_document_plays(chromium: Browser, site: Served, elsewhere: tuple[Path, str]) -> None:
    folder, origin = elsewhere
    (source,) = blocks("html")
    assert len(source.splitlines()) <= 20
    (folder / "game.html").write_text(source.replace(ADDRESS, site.address), "utf-8")
    context = chromium.new_context(reduced_motion="reduce", base_url=site.address)
    with watched(context.new_page()) as page:
        page.goto(f"{origin}/game.html")
        element = page.locator("puzzle-base")
        expect(element.locator("svg.board .pieces > g")).to_have_count(21)
        for _ in range(4):
            element.get_by_role("button", name="Hint").click()
            expect(element.locator(".hint-text")).to_contain_text("moves to go")
        distance = lookup_of(page, "novice", page.evaluate("document.querySelector('puzzle-base').state"))["distance"]
        for left in range(distance, 0, -1):
            expect(element.locator(".hint-text")).to_contain_text(f"{left} move")
            element.get_by_role("button", name="Hint").click()
        expect(page.locator("#log")).to_contain_text(f"solved in {distance} moves, 2 stars")
        expect(element.locator(".stars")).to_have_attribute("aria-label", "2 of 3 stars")
        element.get_by_role("button", name="Undo").click()
        assert page.evaluate("document.querySelector('puzzle-base').moves.length") == distance - 1
    context.close()


def test_the_client_alone(context: BrowserContext, site: Served) -> None:
    """The document's program says what the document shows."""
    (program,) = blocks("javascript")
    (shown,) = blocks("text")
    imported = re.sub(r'^import (.*) from "(.*)";$', r'const \1 = await import("\2");', program, flags=re.MULTILINE)
    with watched(context.new_page(), "status of 400") as page:
        page.goto(f"{site.address}/play/novice")
        printed = page.evaluate(
            """async (program) => {
                const said = [];
                const run = Object.getPrototypeOf(async () => {}).constructor;
                await new run("console", program)({ log: (...words) => said.push(words.join(" ")) });
                return said;
            }""",
            imported.replace(ADDRESS, site.address),
        )
    assert printed == shown.splitlines()
