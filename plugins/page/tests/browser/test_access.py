"""For people without sight or mouse: axe finds nothing,
nothing is wider than the screen, Tab reaches everything.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.hosts import Host
from tests.serving import Served

from .conftest import OVER_BOTH
from .playing import begin, home, open_puzzle, press, violations, visitor, watched

PANELS = ("dailies", "truth", "so-far", "solution", "all-states", "position", "looks")


WIDER = [pytest.param(name, marks=pytest.mark.matrix) for name in ("quantum-2x2-2", "panguru-4")]


@OVER_BOTH
def test_axe_finds_nothing(chromium: Browser, site: Served | Host) -> None:
    """In the dark only the contrast is another."""

    def sound(page: Page) -> bool:
        page.emulate_media(color_scheme="light")
        found = violations(page)
        page.emulate_media(color_scheme="dark")
        return found + violations(page, "color-contrast") == []

    size = {"width": 390, "height": 844}
    with (
        visitor(
            chromium,
            site,
            reduced_motion="reduce",
            bypass_csp=True,
            viewport=size,
            service_workers="block",
        ) as context,
        watched(context.new_page()) as page,
    ):
        page.goto(home(page))
        page.click("#archive summary")
        expect(page.locator("#month li").first).to_be_visible()
        assert sound(page)
        open_puzzle(page, "novice", "RBBBBBBBBBBBBRRRRRRRR")
        press(page, "R", "L", "R'", "L2'", "R")
        expect(page.locator("#solved .stars")).to_be_visible()
        assert sound(page)
        open_puzzle(page, "novice", "RBBBBBBBBBBBBRRRRRRRR")
        for panel in PANELS:
            page.click(f"#{panel} summary")
        for _ in range(4):
            page.click("#hint")
            expect(page.locator("#hint")).not_to_have_attribute("aria-busy", "true")
        press(page, "R")
        expect(page.locator("#truth .tile").first).to_be_visible()
        assert sound(page)


@OVER_BOTH
@pytest.mark.parametrize("name", ["", "panex-2", *WIDER])
def test_nothing_is_wider_than_the_screen(page: Page, name: str) -> None:
    if not name:
        page.goto(home(page))
    else:
        begin(page, name)
        for panel in PANELS:
            page.click(f"#{panel} summary")
        expect(page.locator("#truth .tile").first).to_be_visible()
    for width in (320, 768, 2560):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@OVER_BOTH
@pytest.mark.parametrize(
    ("width", "height"), [(360, 740), pytest.param(1200, 900, marks=pytest.mark.matrix)]
)
def test_the_board_stays_in_sight_while_its_solution_is_played(
    page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    open_puzzle(page, "novice", "RBBBBBBBBBBBBRRRRRRRR")
    for panel in PANELS:
        page.click(f"#{panel} summary")
    expect(page.locator("#solution input")).to_be_visible()
    page.locator("#solution input").evaluate("slider => slider.scrollIntoView({ block: 'end' })")
    expect(page.locator("#solution input")).to_be_in_viewport()
    expect(page.locator("#board")).to_be_in_viewport(ratio=1)


@OVER_BOTH
def test_the_keyboard_alone_is_enough(page: Page) -> None:
    """Tab goes to the board, the hint, undo, each move and each panel;
    what is done is announced with what it changed.
    """
    changed = (
        "edge R from 20 to 12; corner B from 11 to 19; edge B from 12 to 20; corner R from 19 to 11"
    )
    open_puzzle(page, "novice", "RBBBBBBBBBBBBRRRRRRRR")
    visited: list[str] = []
    for _ in range(40):
        page.keyboard.press("Tab")
        visited.append(
            page.evaluate(
                "document.activeElement.id "
                "|| document.activeElement.textContent.trim().slice(0, 24)"
            )
        )
        if visited[-1] == "hint":
            page.keyboard.press("Enter")
            expect(page.locator("#live")).to_have_text("5 moves to go.")
        if visited[-1] == "R":
            page.keyboard.press("Enter")
            expect(page.locator("#live")).to_have_text(f"R: {changed}.")
            break
    assert visited[0] == "Skip to the content"
    assert {"board", "hint", "L", "R"} <= set(visited)
    page.keyboard.press("Control+z")
    expect(page.locator("#live")).to_contain_text("Took back R")
    page.locator("#truth summary").focus()
    page.keyboard.press("Enter")
    page.locator("#board").focus()
    page.keyboard.type("R")
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_have_text(f"R: {changed}. 4 moves from solved.")


@OVER_BOTH
def test_a_board_is_pieces_and_places_in_words(page: Page) -> None:
    """The label of the board is short; its description says what lies where, and what is wanted."""
    open_puzzle(page, "panguru-4", "RBYBRYYR-B")
    board = page.get_by_role("application", name="Board", exact=True)
    expect(board).to_have_accessible_description(
        re.compile(
            "^pebble R at 0, 4, 7; plate W at 0; pebble B at 1, 3, 9; plate R at 1, 4, 7; "
            "pebble Y at 2, 5, 6; plate Y at 2, 5, 8; plate B at 3, 6, 9; empty at 8 "
        )
    )
    board.press("1")
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_have_text("1: pebble B from 1 to 8.")


@OVER_BOTH
def test_a_first_view_takes_two_round_trips(context: BrowserContext) -> None:
    """The page, then what its head names. The board shows nothing else;
    pictures and a panel's module may be late.
    """
    with watched(context.new_page()) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
        open_puzzle(page, "novice", "RBBBBBBBBBBBBRRRRRRRR")
        addresses = page.evaluate(
            "[...document.head.querySelectorAll('link, script')].map(({ href, src }) => "
            "href || src)"
        )
        named = {f"GET {address}" for address in addresses}
        ends = ("/picture", "/lookup", ".svg", "/graph.js")
        later = [
            each
            for each in asked[1:]
            if each not in named and not urlsplit(each).path.endswith(ends)
        ]
        assert later == []
        assert len(asked) == len(set(asked)), "each is asked for once"


@pytest.mark.parametrize("name", ["novice", "2x2x2"])
def test_motion_is_shown_to_those_who_welcome_it(
    chromium: Browser, site: Served | Host, name: str
) -> None:
    with (
        visitor(chromium, site, service_workers="block") as context,
        watched(context.new_page()) as page,
    ):
        open_puzzle(page, name)
        drawings = page.evaluate(
            """async () => {
                const seen = new Set();
                const watch = new MutationObserver(() => {
                    const paths = [...document.querySelectorAll("#board .pieces path")];
                    seen.add(paths.map((path) => path.getAttribute("d")).join());
                });
                const board = document.querySelector("#board");
                watch.observe(board, { attributes: true, subtree: true });
                for (let frame = 0; frame < 600 && seen.size <= 3; frame++) {
                    if (frame % 60 === 0) {
                        seen.clear();
                        document.querySelector("#moves button").click();
                    }
                    await new Promise(requestAnimationFrame);
                }
                return seen.size;
            }"""
        )
        assert drawings > 3, "more than before and after one move"
