"""For people without sight or mouse: axe finds nothing, nothing is wider than the screen, Tab reaches everything."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.playing import open_puzzle, watched
from tests.serving import Served

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
PANELS = ("truth", "so-far", "solution", "all-states", "position")


def violations(page: Page, *rules: str) -> list[Any]:
    """What axe finds, with the elements: by these rules, or by every rule it has, best practices too."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found: list[Any] = page.evaluate(
        "async (rules) => (await axe.run(document, rules.length ? { runOnly: rules } : {})).violations", list(rules)
    )
    return [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(chromium: Browser, site: Served, scheme: Literal["light", "dark"]) -> None:
    """In the dark only the contrast is another."""
    rules = ["color-contrast"] if scheme == "dark" else []
    context = chromium.new_context(base_url=site.address, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    with watched(context.new_page()) as page:
        page.goto("/")
        assert violations(page, *rules) == []
        open_puzzle(page, "novice", "RBBBBBBBBBBBBRRRRRRRR")
        for panel in PANELS:
            page.click(f"#{panel} summary")
        for _ in range(4):
            page.click("#hint")
            expect(page.locator("#hint")).not_to_have_attribute("aria-busy", "true")
        page.locator("#moves").get_by_text("R", exact=True).click()
        expect(page.locator("#truth .tile").first).to_be_visible()
        assert violations(page, *rules) == []
    context.close()


@pytest.mark.parametrize("width", [320, 768, 2560])
def test_nothing_is_wider_than_the_screen(chromium: Browser, site: Served, width: int) -> None:
    context = chromium.new_context(
        base_url=site.address, viewport={"width": width, "height": 900}, reduced_motion="reduce"
    )
    with watched(context.new_page()) as page:
        for address in ("/", "/play/panex-2", "/play/quantum-2x2-1", "/play/panex-10"):
            page.goto(address)
            page.wait_for_timeout(100)
            if "play" in address:
                page.wait_for_selector("#moves button")
                for panel in PANELS:
                    page.click(f"#{panel} summary")
                expect(page.locator("#truth .tile").first).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    context.close()


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    """Tab goes to the board, the hint, undo, each move and each panel; what is done is announced with the state."""
    open_puzzle(page, "novice", "RBBBBBBBBBBBBRRRRRRRR")
    visited: list[str] = []
    for _ in range(40):
        page.keyboard.press("Tab")
        visited.append(
            page.evaluate("document.activeElement.id || document.activeElement.textContent.trim().slice(0, 24)")
        )
        if visited[-1] == "hint":
            page.keyboard.press("Enter")
            expect(page.locator("#live")).to_have_text("5 moves to go.")
        if visited[-1] == "R":
            page.keyboard.press("Enter")
            expect(page.locator("#live")).to_have_text("R. State RBBBBBBBBBBRRRRRRRRBB")
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
    expect(page.locator("#live")).to_have_text("R. 4 moves from solved. State RBBBBBBBBBBRRRRRRRRBB")


def test_a_first_view_takes_two_round_trips(context: BrowserContext) -> None:
    """The page, then all that its head names. What the board shows comes of nothing else; the pictures may be later."""
    with watched(context.new_page()) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(f"{request.method} {urlsplit(request.url).path}"))
        open_puzzle(page, "novice", "RBBBBBBBBBBBBRRRRRRRR")
        head = page.evaluate("[...document.head.querySelectorAll('link, script')].map(({ href, src }) => href || src)")
        named = {f"GET {urlsplit(address).path}" for address in head}
        later = [each for each in asked[1:] if each not in named and not each.endswith(("/picture", "/lookup"))]
        assert later == []
        assert len(asked) == len(set(asked)), "each is asked for once"


def test_motion_is_shown_to_those_who_welcome_it(chromium: Browser, site: Served) -> None:
    context = chromium.new_context(base_url=site.address)
    with watched(context.new_page()) as page:
        open_puzzle(page, "novice")
        turned = page.evaluate(
            """async () => {
                const seen = new Set();
                const watch = new MutationObserver(() => {
                    for (const path of document.querySelectorAll("#board .pieces path[transform]"))
                        seen.add(path.getAttribute("transform"));
                });
                watch.observe(document.querySelector("#board"), { attributes: true, subtree: true });
                document.querySelector("#moves button").click();
                await new Promise(done => setTimeout(done, 600));
                return seen.size;
            }"""
        )
        assert turned > 3
    context.close()
