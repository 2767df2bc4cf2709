"""The page in trouble: no connection, a damaged table, a table that is replaced, a slow search."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.serving import Served, serving
from tests.waiting import wait_until

from .playing import (
    answer_of,
    begin,
    expect_state,
    lookup_of,
    open_puzzle,
    press,
    state_of,
    visitor,
    watched,
)

DROPPED = "net::ERR"
EXAMPLES = Path(__file__).parents[4] / "examples"


def test_playing_goes_on_while_the_connection_is_down(page: Page) -> None:
    """The page goes on for ever if moves permute places;
    other puzzles go on as far as it has looked ahead.
    """
    with watched(page.context.new_page(), DROPPED) as offline:
        open_puzzle(offline, "novice", "RBBBBBBBBBBBBRRRRRRRR")
        offline.click("#truth summary")
        expect(offline.locator("#truth .tile")).to_have_count(10)
        graph = (
            "performance.getEntriesByType('resource').some(({ name }) => "
            "name.endsWith('/graph.js'))"
        )
        offline.wait_for_function(graph)
        offline.context.set_offline(True)
        press(offline, "R", "L", "R'", "L2'", "R")
        expect(offline.locator("#notice")).to_contain_text("The connection is down")
        offline.get_by_role("button", name="Close").click()
        expect(offline.locator("#notice")).to_be_hidden()
        offline.click("#so-far summary")  # what is opened for the first time is here, too
        expect(offline.locator("#so-far circle")).not_to_have_count(0)
        expect(offline.locator("#board .pieces > g")).to_have_count(21)
        assert state_of(offline) == "BBBBBBBBBBBBRRRRRRRRR"
        offline.click("#undo")
        expect(offline.locator("#count")).to_have_text("4 moves")
        offline.context.set_offline(False)
        offline.click("#redo")
        expect(offline.locator("#notice")).to_be_hidden()
        expect_state(offline, "BBBBBBBBBBBBRRRRRRRRR")


def test_the_page_reloads_without_a_connection(chromium: Browser, service: Served) -> None:
    """With its state, its game and the moves that are known;
    a hint says what is missing. Nothing stale comes later.
    """
    with (
        visitor(chromium, service, reduced_motion="reduce") as context,
        watched(context.new_page(), DROPPED) as page,
    ):
        open_puzzle(page, "novice", "RBBBBBBBBBBBBRRRRRRRR")
        for path in (
            "/play/novice",
            "/v1/puzzles/novice",
            "/v1/puzzles/novice/board?state=RBBBBBBBBBBBBRRRRRRRR",
        ):
            cached = f"caches.match('{path}').then(Boolean)"
            wait_until(partial(page.evaluate, cached), f"{path} is kept")
        press(page, "R")
        press(page, "L")
        state = state_of(page)
        context.set_offline(True)
        page.reload()
        page.wait_for_selector("#moves button")
        expect_state(page, state)
        expect(page.locator("#count")).to_have_text("2 moves")
        expect(page.locator("#notice")).to_contain_text("The connection is down")
        page.click("#hint")
        expect(page.locator("#hint-text")).to_contain_text(
            "The connection is down, and this hint is not known here."
        )
        press(page, "R'")
        page.goto("/play/novice")
        page.wait_for_selector("#moves button")
        context.set_offline(False)
        expect(page.locator("#notice")).to_be_hidden()
        page.reload()
        page.wait_for_selector("main[data-ready]")
        assert not page.evaluate(
            "fetch('../v1/puzzles/novice').then(({ headers }) => headers.has('X-Puzzlebase-Kept'))"
        )


@pytest.fixture
def table(service: Served) -> Iterator[Path]:
    """A table of the service, which is put in place again after the test."""
    path = service.data / "panex-2.duckdb"
    sound = path.read_bytes()
    yield path
    replace(path, sound)


def test_a_damaged_table_is_told_and_a_new_one_is_used(
    chromium: Browser, service: Served, table: Path
) -> None:
    sound = table.read_bytes()
    with (
        visitor(chromium, service, reduced_motion="reduce") as visit,
        watched(visit.new_page(), "status of 500") as page,
    ):
        open_puzzle(page, "panex-2")
        replace(table, b"damaged" * 1000)
        problem = until(page, 500)
        page.goto("/play/panex-2?state=Aab%7C%7CB")
        page.wait_for_selector("#moves button")
        page.click("#hint")
        expect(page.locator("#notice")).to_have_text(f"{problem['detail']} {problem['hint']}")
        press(page, "RC")
        replace(table, sound)
        until(page, 200)
        page.click("#hint")
        distance = lookup_of(page, "panex-2", state_of(page))["distance"]
        expect(page.locator("#hint-text")).to_have_text(f"{distance} moves to go.")


def until(page: Page, status: int) -> Any:
    """The table's answer once it has this status; the service opens a new file in its own time."""
    path = "/v1/puzzles/panex-2/lookup?state=Aab%7C%7CB"
    wait_until(
        lambda: page.request.get(path).status == status, f"the table's answer has status {status}"
    )
    return page.request.get(path).json()


def replace(table: Path, content: bytes) -> None:
    """Put a file in the table's place, as a build does."""
    beside = table.with_suffix(".new")
    beside.write_bytes(content)
    beside.replace(table)


def test_a_search_tells_its_bound_and_can_be_given_up(chromium: Browser, service: Served) -> None:
    """Searches here are slowed down: one finds no room,
    one gives a bound, the others end when the test says so.
    """
    ends = False

    def slow(route: Route) -> None:
        fields = parse_qs(urlsplit(route.request.url).query)
        if not ends and ("max_states" in fields or float(fields["max_seconds"][0]) > 3):
            return
        if fields.get("max_seconds") == ["1"]:
            route.fulfill(
                status=503, content_type="application/problem+json", body='{"status": 503}'
            )
            return
        answer: dict[str, object] = {
            "puzzle": "sliding-2x4", "goal": "blank-7", "state": fields["state"][0],
            "solvable": None, "distance": None, "exact": False,
            "lower_bound": 11, "upper_bound": None, "source": "search", "moves": [],
        }  # fmt: skip
        route.fulfill(status=200, content_type="application/json", body=json.dumps(answer))

    with (
        visitor(chromium, service, reduced_motion="reduce", service_workers="block") as context,
        watched(context.new_page(), "status of 503") as page,
    ):
        page.route("**/lookup?*", slow)
        board = answer_of(page, "sliding-2x4/board")
        open_puzzle(page, "sliding-2x4", board["moves"][0]["after"])
        for panel in ("truth", "solution"):
            page.click(f"#{panel} summary")
            where = page.locator("#search" if panel == "truth" else "#solution .search")
            expect(where).to_contain_text(
                re.compile(r"Searching for \d+ of at most 43 s, at least 11 moves")
            )
            where.get_by_role("button", name="Give up").click()
            expect(page.locator("#search")).to_be_hidden()
            expect(page.locator(f"#{panel} .body")).to_have_text("You gave the search up.")
            page.click(f"#{panel} summary")
        ends = True
        told = (
            "At least 11 moves to go. The search ended before it knew the way; nearer the goal it "
            "finds one."
        )
        page.click("#solution summary")
        expect(page.locator("#solution .body")).to_have_text(told)
        page.click("#hint")
        expect(page.locator("#hint-text")).to_have_text(told)


@pytest.mark.slow(30)
@pytest.mark.matrix
def test_a_search_that_ends_with_a_bound_leaves_the_way_back(
    chromium: Browser, tmp_path: Path
) -> None:
    """The hints of a scrambled cube without patterns,
    until it is solved: the scramble and a turn since are known.
    """
    (tmp_path / "puzzles.d").mkdir()
    shutil.copy(EXAMPLES / "3x3x3.tws", tmp_path / "puzzles.d")
    with (
        serving(tmp_path, "--workers", "1") as served,
        visitor(chromium, served, reduced_motion="reduce") as context,
        watched(context.new_page()) as page,
    ):
        begin(page, "3x3x3")
        assert state_of(page) != answer_of(page, "3x3x3/board")["solved"]
        page.locator("#positions").get_by_text("Scramble", exact=True).click()
        expect(page.locator("#positions")).to_have_attribute("aria-busy", "false")
        expect(page.locator("#count")).to_have_text("0 moves")
        press(page, "U")
        shown = page.locator("#hint-text")
        for text in (r"", r" A way begins with: .+\.", r" Play .+: .+\.", r" A solution: .+ …"):
            page.click("#hint")
            expect(shown).to_have_text(
                re.compile(rf"At least \d+ moves to go, at most (\d+)\.{text}")
            )
        most = int(re.findall(r"at most (\d+)", shown.text_content() or "")[0])
        assert most <= 31
        for made in range(most):
            page.click("#hint")
            expect(page.locator("#count")).to_have_text(f"{made + 2} moves")
        expect(page.locator("#solved")).to_contain_text(f"Solved in {most + 1} moves")
        assert state_of(page) == answer_of(page, "3x3x3/board")["solved"]


def test_an_unknown_puzzle_has_a_page_that_says_so(page: Page) -> None:
    """It links to the nearest name, and has no grammar of names."""
    with watched(page.context.new_page(), "status of 404") as lost:
        response = lost.goto("/play/novise")
        assert response is not None
        assert response.status == 404
        expect(lost.locator("main")).to_contain_text("There is no puzzle 'novise'")
        assert "names are" not in lost.inner_text("main")
        lost.get_by_role("link", name="Novice", exact=True).click()
        expect(lost.locator("h1")).to_have_text("Novice")
        lost.wait_for_selector("main[data-ready]")
