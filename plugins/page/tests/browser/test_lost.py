"""A game that can no longer be won:
the page says so where a player asks for help, and never before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.answers.test_lost import games
from tests.fixtures import build_table
from tests.one_way import SMALL, installed, jumps_from, reference
from tests.serving import Served, serving

from .playing import expect_state, open_puzzle, press

KNOWN = reference(SMALL)
MOVES, STATES = next(
    game for game in games(KNOWN, SMALL, 99) if [KNOWN[s] < 0 for s in game[1]].count(True) == 3
)
"""A game whose last three states are lost."""
LAST = len(MOVES) - 3
"""The number of moves after which it can still be won."""


@pytest.fixture(scope="module", params=["table", pytest.param("search", marks=pytest.mark.matrix)])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """A service that has the small triangle, with a table or without one."""
    data = tmp_path_factory.mktemp("data")
    with installed(tmp_path_factory.mktemp("pegs")) as path:
        if request.param == "table":
            build_table(data, "small-triangle")
        with serving(data, "--workers", "1", "--searches", "8", PYTHONPATH=path) as served:
            # a first search compiles kernels
            served.get(f"/v1/puzzles/small-triangle/lookup?state={SMALL}")
            yield served


@pytest.mark.slow
def test_it_is_said_to_whom_asks_and_the_way_back_is_a_button(page: Page) -> None:
    open_puzzle(page, "small-triangle")
    press(page, *MOVES)
    expect_state(page, STATES[-1])
    expect(page.locator("#hint-text")).to_be_empty()
    assert not re.search("lost|no longer", page.locator("main").inner_text()), "nobody has asked"
    with page.expect_request(
        lambda request: request.method == "POST" and request.url.endswith("/hint")
    ) as asked:
        page.click("#hint")
    sent = json.loads(asked.value.post_data or "")
    assert (sent["state"], sent["moves"]) == (SMALL, MOVES)
    expect(page.locator("#hint-text")).to_have_text("This can no longer be won.Take back 3 moves")
    expect(page.locator("#live")).to_have_text("This can no longer be won. Take back 3 moves.")
    page.locator("#hint-text button").click()
    expect(page.locator("#state")).to_have_value(STATES[LAST])
    expect(page.locator("#hint-text")).to_be_empty()
    page.click("#hint")
    distance = KNOWN[STATES[LAST]]
    expect(page.locator("#hint-text")).to_have_text(
        f"{distance} move{'' if distance == 1 else 's'} to go."
    )


@pytest.mark.slow
def test_a_game_of_rules_begins_at_its_own_start(page: Page) -> None:
    """Its page counts no state that is lost among those that are so many moves from solved."""
    page.goto("/play/small-triangle")
    page.wait_for_selector("main[data-ready]")
    expect(page.locator("#state")).to_have_value(SMALL)
    expect(page.locator("#rules")).not_to_contain_text("moves from solved")


@pytest.mark.slow
def test_distances_and_moves_tell_which_moves_lose(page: Page) -> None:
    open_puzzle(page, "small-triangle", STATES[LAST])
    page.click("#truth summary")
    losing = {move for move, after in jumps_from(STATES[LAST]) if KNOWN[after] < 0}
    with_table = page.request.get("/v1/puzzles/small-triangle").json()["table"]
    if with_table:
        shown = page.locator("#truth .tile.lost .name")
        expect(shown).to_have_count(len(losing))
        assert {*shown.all_inner_texts()} == losing
        expect(page.locator("#truth .legend")).to_contain_text("× can no longer be won.")
    press(page, *MOVES[LAST:])
    expect(page.locator("#truth .distance")).to_have_text(
        "This can no longer be won. Take back 3 moves"
    )
    page.click("#so-far summary")
    if with_table:
        expect(page.locator("#so-far svg")).to_have_attribute(
            "aria-label", re.compile(f"{KNOWN[STATES[LAST]]}, lost, lost, lost")
        )
        expect(page.locator("#so-far .body p")).to_contain_text("Move 1 lost it.")
        expect(page.locator("#so-far circle.mistake")).to_have_count(3)
    page.locator("#truth .distance button").click()
    expect(page.locator("#state")).to_have_value(STATES[LAST])
