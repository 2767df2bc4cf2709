"""Steps of the tests that play: they open a puzzle,
look at the board as data, and make its moves as a person does.

They do so on the pages of a service and on those of a published folder. What is right is told by
the service that the pages come from, or by one that runs in the test alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect

from tests.browser.chromium import visiting
from tests.browser.hosts import Host
from tests.serving import Served

AXE = Path(__file__).parents[4] / "page" / "node_modules" / "axe-core" / "axe.min.js"


@contextmanager
def watched(page: Page, *expected: str) -> Iterator[Page]:
    """A page that says nothing on the console until the end of the block,
    but what contains one of `expected`.
    """
    logged: list[str] = []

    def note(message: ConsoleMessage) -> None:
        logged.append(f"{message.type}: {message.text} {message.location}")

    page.on("console", note)
    page.on("pageerror", lambda error: logged.append(str(error)))
    yield page
    known = *expected, "Service Worker registration blocked by Playwright"
    unexpected = [message for message in logged if not any(part in message for part in known)]
    assert not unexpected, unexpected


_PUBLISHED: WeakKeyDictionary[BrowserContext, Host] = WeakKeyDictionary()
"""The hosts of the visitors that look at published folders."""


@contextmanager
def visitor(chromium: Browser, site: Served | Host, **options: Any) -> Iterator[BrowserContext]:
    """A visitor of a service or of a published folder."""
    with visiting(chromium, base_url=site.address, **options) as context:
        if isinstance(site, Host):
            _PUBLISHED[context] = site
        yield context


def is_published(page: Page) -> bool:
    """True if the page's visitor looks at a published folder."""
    return page.context in _PUBLISHED


def home(page: Page) -> str:
    """The address of the first page."""
    host = _PUBLISHED.get(page.context)
    return f"{host.address}/index.html" if host else "/"


def play_page(page: Page, name: str, query: str = "") -> str:
    """The address of the page of a puzzle."""
    host = _PUBLISHED.get(page.context)
    return f"{host.address}/{name}/index.html{query}" if host else f"/play/{name}{query}"


def answer_of(page: Page, path: str, **fields: Any) -> Any:
    """The answer of the service about a puzzle, by what follows `/v1/puzzles/` in its address."""
    address = f"/v1/puzzles/{path}"
    given = {name: str(value) for name, value in fields.items() if value is not None}
    if host := _PUBLISHED.get(page.context):
        local = host.answers.get(address, query_string=given)
        assert local.status_code == 200, local.text
        return local.json
    answer = page.request.get(address, params={**given})
    assert answer.ok, answer.text()
    return answer.json()


def open_puzzle(page: Page, name: str, state: str | None = None, goal: str | None = None) -> None:
    """Open the page of a puzzle, by default where play to the goal begins,
    and wait until its moves are there.
    """
    if state is None:
        state = answer_of(page, f"{name}/board", goal=goal)["state"]
    fields = {"state": state, "goal": goal}
    query = "&".join(
        f"{field}={quote(value, safe='')}" for field, value in fields.items() if value is not None
    )
    begin(page, name, f"?{query}")


def begin(page: Page, name: str, query: str = "") -> None:
    """Open the page of a puzzle, and wait until its moves are there."""
    page.goto(play_page(page, name, query))
    page.wait_for_selector("main[data-ready]")
    page.wait_for_selector("#moves button")


def press(page: Page, *moves: str) -> None:
    """Press the buttons of moves, each as soon as the one before has been made."""
    for move in moves:
        before = page.locator("#state").input_value()
        page.locator("#moves").get_by_text(move, exact=True).click()
        expect(page.locator("#state")).not_to_have_value(before)


def strike(board: Locator, keys: str) -> None:
    """Press keys on a board, all at once:
    a name that begins a longer one is a move if the next key comes late.
    """
    struck = "new KeyboardEvent('keydown', { key, bubbles: true, composed: true })"
    board.evaluate(
        f"(board, keys) => {{ for (const key of keys) board.dispatchEvent({struck}); }}", [*keys]
    )


def state_of(page: Page) -> str:
    """The state that the address names."""
    return parse_qs(urlsplit(page.url).query)["state"][0]


def expect_state(page: Page, state: str) -> None:
    """Wait until the address, the field and the drawing are of this state."""
    expect(page.locator("#state")).to_have_value(state)
    expect(page.locator("#board")).to_have_attribute("data-state", state)
    assert state_of(page) == state


def board_of(page: Page, name: str, state: str | None = None) -> Any:
    """The board of a state, by default of the start, from the service."""
    return answer_of(page, f"{name}/board", state=state)


def lookup_of(page: Page, name: str, state: str) -> Any:
    """The lookup of a state, from the service."""
    return answer_of(page, f"{name}/lookup", state=state)


def screen(page: Page, x: float, y: float) -> tuple[float, float]:
    """The point of the screen that shows a point of the board."""
    point: dict[str, float] = page.evaluate(
        """([x, y]) => {
            const board = document.querySelector("#board");
            board.scrollIntoView({ block: "center" });
            const { x: left, y: top } = new DOMPoint(x, y).matrixTransform(board.getScreenCTM());
            return { left, top };
        }""",
        [x, y],
    )
    return point["left"], point["top"]


def violations(page: Page, *rules: str) -> list[Any]:
    """The violations that axe finds, with their elements:
    of these rules, or of all it has, best practices too.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found: list[Any] = page.evaluate(
        "async (rules) => (await axe.run(document, rules.length ? { runOnly: rules } : "
        "{})).violations",
        list(rules),
    )
    return [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found]
