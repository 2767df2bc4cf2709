"""A published folder without its host, a release after another, and pages that can be installed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from puzzlebase.plugins.page import files
from puzzlebase.plugins.publish.pages import write_pages
from puzzlebase.service.http.app import create_app
from tests.browser.chromium import visiting
from tests.browser.hosts import FileServer, Host, hosting
from tests.serving import Served
from tests.waiting import wait_until

from .conftest import OVER_BOTH
from .playing import answer_of, home, play_page, visitor, watched

pytestmark = pytest.mark.slow(10)

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"
LINE = ("R", "L", "R'", "L2'", "R")
"""One of its shortest solutions (docs/http-api.md)."""


@pytest.fixture
def host(published: Path, tmp_path: Path) -> Iterator[FileServer]:
    """A host of a folder of its own, which may change."""
    with hosting(shutil.copytree(published, tmp_path / "published"), "/games") as server:
        yield server


@pytest.fixture
def visit(chromium: Browser, host: FileServer) -> Iterator[BrowserContext]:
    """A visitor whose browser keeps what it may."""
    with visiting(chromium, base_url=f"{host.address}/games/", reduced_motion="reduce") as context:
        yield context


def opened(page: Page, query: str = f"?state={NOVICE}") -> None:
    page.goto(f"novice/index.html{query}")
    page.wait_for_selector("main[data-ready]")
    page.wait_for_selector("#moves button")


def keeps(page: Page, *paths: str) -> None:
    """Wait until the browser keeps one of these."""
    matching = f"Promise.all({[*paths]}.map((path) => caches.match(path)))"
    wait_until(
        partial(page.evaluate, f"{matching}.then((all) => all.some(Boolean))"),
        f"one of {paths} is kept",
    )


def releases(page: Page) -> list[str]:
    """The releases that the browser keeps."""
    found: list[str] = page.evaluate("caches.keys()")
    return [name.removeprefix("puzzlebase /games/ ") for name in found]


def release_of(host: FileServer) -> str:
    """The release that lies on a host."""
    line = (host.folder / "service-worker.js").read_text("utf-8").partition("\n")[0]
    found: str = json.loads(line.removeprefix("self.puzzlebase = ").rstrip(";"))["release"]
    return found


def new_release(host: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put another release in place:
    it says other words when a game is solved, and has another title.
    """
    source = files.files()["modules/stars.js"]
    assert b"Solved in" in source
    monkeypatch.setitem(files.files(), "modules/stars.js", source.replace(b"Solved in", b"Done in"))
    with TemporaryDirectory(dir=host.folder.parent) as unfinished:
        write_pages(host.folder, Path(unfinished))


def solved(page: Page) -> str:
    for number, move in enumerate(LINE, 1):
        page.locator("#moves").get_by_text(move, exact=True).click()
        expect(page.locator("#count")).to_have_text("1 move" if number == 1 else f"{number} moves")
    return page.locator("#solved p").first.text_content() or ""


def test_all_of_it_goes_on_without_the_host(visit: BrowserContext, host: FileServer) -> None:
    """After one visit: a reload, hints, a solved game with its stars,
    a new position, the first page and back.
    """
    with watched(visit.new_page(), "net::ERR") as page:
        opened(page)
        for path in (
            "novice/index.html",
            "novice/distances.0",
            "novice/counts.0",
            "index.html",
            "rules/grade.js",
        ):
            keeps(page, f"/games/{path}")
        host.shutdown()
        host.server_close()
        page.reload()
        page.wait_for_selector("main[data-ready]")
        for _ in range(4):
            page.click("#hint")
            expect(page.locator("#hint")).not_to_have_attribute("aria-busy", "true")
        expect(page.locator("#hint-text")).to_contain_text("5 moves to go. A shortest solution:")
        assert (
            solved(page) == "Solved in 5 moves, the fewest there are. You were shown the solution."
        )
        page.get_by_role("button", name="Next", exact=True).click()
        expect(page.locator("#count")).to_have_text("0 moves")
        page.get_by_role("link", name="Puzzles").click()
        expect(page.locator("#last a")).to_have_count(1)
        page.locator("#last a").click()
        page.wait_for_selector("main[data-ready]")


def test_a_release_takes_the_place_of_the_former_as_a_whole(
    visit: BrowserContext, host: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The open page goes on as it is;
    what comes later is of the new one alone, and tables that are equal stay.
    """
    with watched(visit.new_page(), "status of 409") as page:
        opened(page)
        keeps(page, "/games/novice/distances.0")
        (former,) = releases(page)
        new_release(host, monkeypatch)
        opened(page)
        assert solved(page).startswith("Solved in"), "nothing of the new release is mixed in"
        wait_until(lambda: len(releases(page)) == 2, "the new release is here")
        installed = (
            "navigator.serviceWorker.getRegistration().then((each) => each.waiting !== null)"
        )
        wait_until(partial(page.evaluate, installed), "the new release waits")
        host.asked.clear()
        opened(page)
        assert solved(page).startswith("Done in")
        wait_until(lambda: releases(page) == [release_of(host)], "the former release has gone")
        assert former != release_of(host)
        assert not [asked for asked in host.asked if "distances" in asked], "the table is the same"


def goes_in(page: Page, name: str) -> None:
    """From the first page to a puzzle,
    as a person goes who has been here before or who looks around a while.
    """
    page.goto(home(page))
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.locator(f'.group li[data-puzzle="{name}"] a').click()
    page.wait_for_selector("main[data-ready]")
    page.wait_for_selector("#moves button")


def begins_again_without_a_host(page: Page, name: str, begin: str) -> None:
    """The first page says what is, and no picture is broken;
    the puzzle begins with a game, and so does a button.
    """
    page.goto(home(page))
    expect(page.locator("#offline")).to_have_text(
        "You are offline. What you played here before can be played."
    )
    page.evaluate("for (const each of document.images) each.loading = 'eager'")
    broken = "[...document.images].map((each) => each.decode().then(() => [], () => [each.src]))"
    assert page.evaluate(f"Promise.all({broken})").count([]) == page.locator("img").count()
    page.locator(f'.group li[data-puzzle="{name}"] a').click()
    page.wait_for_selector("main[data-ready]")
    for press in (False, True):
        if press:
            page.locator("#moves button").first.click()
            expect(page.locator("#count")).to_have_text("1 move")
            page.locator("#positions").get_by_text(begin, exact=True).click()
        expect(page.locator("#count")).to_have_text("0 moves")
        expect(page.locator("#hint")).not_to_have_attribute("aria-disabled", "true")
        expect(page.locator("#board .pieces > g")).not_to_have_count(0)


@pytest.mark.parametrize("ranges", [True, pytest.param(False, marks=pytest.mark.matrix)])
def test_from_the_first_page_to_a_puzzle_and_on_without_the_host(
    chromium: Browser, host: FileServer, ranges: bool
) -> None:
    """The files of new positions are kept though the page that is
    controlled already never asked for them.
    """
    host.ranges = ranges
    site = Host(f"{host.address}/games", create_app(host.folder).test_client())
    with visitor(chromium, site) as context, watched(context.new_page(), "net::ERR") as page:
        goes_in(page, "novice")
        for path in ("novice/counts.0", "novice/antipodes.json"):
            keeps(page, f"/games/{path}")
        host.shutdown()
        host.server_close()
        begins_again_without_a_host(page, "novice", "Medium")
        expect(page.locator("#kind")).to_contain_text("medium, ")
        page.click("#hint")
        expect(page.locator("#hint-text")).to_contain_text("moves to go.")


def test_from_the_first_page_to_a_puzzle_and_on_without_the_service(
    chromium: Browser, service: Served
) -> None:
    """Boards after its moves have been asked for."""
    name = "sliding-2x3"
    with visitor(chromium, service) as context, watched(context.new_page(), "net::ERR") as page:
        goes_in(page, name)
        for path in ("/", f"/play/{name}", f"/v1/puzzles/{name}", f"/v1/puzzles/{name}/board"):
            keeps(page, path)
        after = [move["after"] for move in answer_of(page, f"{name}/board")["moves"]]
        keeps(page, *[f"/v1/puzzles/{name}/board?state={state}" for state in after])
        context.set_offline(True)
        begins_again_without_a_host(page, name, "Medium")
        expect(page.locator("#notice")).to_contain_text("The connection is down")


def test_a_full_storage_and_other_caches_on_the_origin(chromium: Browser, service: Served) -> None:
    """Answers are shown though they cannot be kept.
    The caches of other paths stay when a worker begins.
    """
    others = ["puzzlebase /elsewhere/ r1", "puzzlebase r2"]
    with visitor(chromium, service) as context, watched(context.new_page()) as page:
        page.goto("/healthz")
        page.evaluate(f"Promise.all({others}.map((name) => caches.open(name)))")
        goes_in(page, "novice")
        assert {*others} < {*page.evaluate("caches.keys()")}
        full = {"origin": service.address, "quotaSize": 1}
        context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", full)
        page.goto(play_page(page, "panex-2"))
        page.wait_for_selector("#moves button")
        page.click("#truth summary")
        expect(page.locator("#truth .tile")).not_to_have_count(0)
        expect(page.locator("#notice")).to_be_hidden()
        full_now = (
            "caches.open('full').then((cache) => cache.put('/x', new Response('x'.repeat(1e6))))"
        )
        assert (
            page.evaluate(f"{full_now}.then(() => '', (error) => error.name)")
            == "QuotaExceededError"
        )


@OVER_BOTH
def test_the_pages_can_be_installed(chromium: Browser, site: Served | Host) -> None:
    """Chromium finds nothing wrong with them; only windows of tests install nothing."""
    with visitor(chromium, site) as context, watched(context.new_page()) as page:
        for address in (home(page), play_page(page, "novice")):
            page.goto(address)
            page.evaluate("navigator.serviceWorker.ready.then(() => null)")
            session = context.new_cdp_session(page)
            manifest = session.send("Page.getAppManifest")
            assert manifest["errors"] == []
            told = json.loads(manifest["data"])
            assert {icon["type"] for icon in told["icons"]} == {"image/svg+xml", "image/png"}
            found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
            assert [each["errorId"] for each in found] in ([], ["in-incognito"])
