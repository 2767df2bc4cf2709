"""How the tests play: they open a puzzle, look at the board as data, and make its moves as a person does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from playwright.sync_api import ConsoleMessage, Page, expect

AXE = Path(__file__).parents[2] / "page" / "node_modules" / "axe-core" / "axe.min.js"


@contextmanager
def watched(page: Page, *expected: str) -> Iterator[Page]:
    """A page that says nothing on the console until the end of the block, but what contains one of `expected`."""
    logged: list[str] = []

    def note(message: ConsoleMessage) -> None:
        logged.append(f"{message.type}: {message.text} {message.location}")

    page.on("console", note)
    page.on("pageerror", lambda error: logged.append(str(error)))
    yield page
    known = *expected, "Service Worker registration blocked by Playwright"
    unexpected = [message for message in logged if not any(part in message for part in known)]
    assert not unexpected, unexpected


def open_puzzle(page: Page, name: str, state: str | None = None, goal: str | None = None) -> None:
    """Open the page of a puzzle, by default where play to the goal begins, and wait until its moves are there."""
    if state is None:
        state = page.request.get(f"/v1/puzzles/{name}/board", params={"goal": goal} if goal else {}).json()["state"]
    fields = {"state": state, "goal": goal}
    query = "&".join(f"{field}={quote(value, safe='')}" for field, value in fields.items() if value is not None)
    page.goto(f"/play/{name}?{query}")
    page.wait_for_selector("main[data-ready]")
    page.wait_for_selector("#moves button")


def state_of(page: Page) -> str:
    """The state that the address names."""
    return parse_qs(urlsplit(page.url).query)["state"][0]


def expect_state(page: Page, state: str) -> None:
    """Wait until the address, the field and the drawing are of this state."""
    expect(page.locator("#state")).to_have_value(state)
    expect(page.locator("#board")).to_have_attribute("aria-label", f"Board, state {state}")
    assert state_of(page) == state


def board_of(page: Page, name: str, state: str) -> Any:
    """The board of a state, from the service."""
    answer = page.request.get(f"/v1/puzzles/{name}/board", params={"state": state})
    assert answer.ok, answer.text()
    return answer.json()


def lookup_of(page: Page, name: str, state: str) -> Any:
    """What the service knows of a state."""
    answer = page.request.get(f"/v1/puzzles/{name}/lookup", params={"state": state})
    assert answer.ok, answer.text()
    return answer.json()


def screen(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a point of the board is on the screen."""
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
    """What axe finds, with the elements: by these rules, or by every rule it has, best practices too."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found: list[Any] = page.evaluate(
        "async (rules) => (await axe.run(document, rules.length ? { runOnly: rules } : {})).violations", list(rules)
    )
    return [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found]
