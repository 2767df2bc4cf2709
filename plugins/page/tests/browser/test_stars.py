"""Stars are earned: a move or a solution that was shown costs the third,
whatever one does in between.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.matrix import one_in

from .conftest import OVER_BOTH
from .playing import open_puzzle, play_page, press, watched

pytestmark = pytest.mark.slow(5)

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"
LINE = ("R", "L", "R'", "L2'", "R")
"""One of its shortest solutions (docs/http-api.md)."""


def hint(page: Page, level: int) -> None:
    for _ in range(level):
        page.click("#hint")
        expect(page.locator("#hint")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("#hint-text")).to_contain_text("to go.")


def opened(page: Page, panel: str, shows: str) -> None:
    page.click(f"#{panel} summary")
    expect(page.locator(f"#{panel} {shows}").first).to_be_visible()


def reload(page: Page) -> None:
    page.reload()
    page.wait_for_selector("main[data-ready]")
    page.wait_for_selector("#moves button")


def finish(page: Page, stars: int, words: str = "") -> None:
    """Make the moves that are left of the line, and read what the game was worth."""
    played = int((page.locator("#count").text_content() or "").split()[0])
    press(page, *LINE[played:])
    words = f"Solved in 5 moves, the fewest there are.{words}"
    expect(page.locator("#solved p").first).to_have_text(words)
    expect(page.locator("#solved .stars")).to_have_attribute("aria-label", f"{stars} of 3 stars")


MOVE, SOLUTION = " You were shown a move.", " You were shown the solution."


@OVER_BOTH
@pytest.mark.parametrize(
    ("level", "stars", "words"), one_in(2, [(2, 3, ""), (1, 3, ""), (4, 2, SOLUTION), (3, 2, MOVE)])
)
def test_each_level_of_a_hint(page: Page, level: int, stars: int, words: str) -> None:
    open_puzzle(page, "novice", NOVICE)
    press(page, LINE[0])
    hint(page, level)
    page.click("#restart")
    expect(page.locator("#state")).to_have_value(NOVICE)
    finish(page, stars, words)


@OVER_BOTH
def test_a_reload_the_back_button_and_a_new_game_forget_no_help(page: Page) -> None:
    open_puzzle(page, "novice", NOVICE)
    press(page, LINE[0])
    opened(page, "truth", ".tile")
    reload(page)
    finish(page, 2, MOVE)
    for _ in LINE[1:]:
        page.go_back()
    expect(page.locator("#count")).to_have_text("1 move")
    page.go_back()
    expect(page.locator("#state")).to_have_value(NOVICE)
    finish(page, 2, MOVE)
    page.goto(play_page(page, "panex-2"))
    page.wait_for_selector("#moves button")
    page.go_back()
    page.wait_for_selector("#moves button")
    page.click("#restart")
    expect(page.locator("#state")).to_have_value(NOVICE)
    finish(page, 2, MOVE)
    page.locator("#positions").get_by_text("Daily", exact=True).click()
    expect(page.locator("#count")).to_have_text("0 moves")
    open_puzzle(page, "novice", NOVICE)
    finish(page, 2, MOVE)


@OVER_BOTH
def test_a_second_tab_tells_nothing_for_free(page: Page) -> None:
    """The position is opened in a second tab and shown there:
    in neither is the third star to be had.
    """
    open_puzzle(page, "novice", NOVICE)
    press(page, LINE[0])
    with watched(page.context.new_page()) as second:
        open_puzzle(second, "novice", NOVICE)
        opened(second, "solution", ".where")
        second.locator("#solution summary").click()
        finish(second, 2, SOLUTION)
    finish(page, 2, SOLUTION)


@OVER_BOTH
def test_what_the_page_says_of_a_better_move_is_help(page: Page) -> None:
    """The first mistake names what had been better; taken back, that is a move shown."""
    open_puzzle(page, "novice", NOVICE)
    press(page, "L")
    opened(page, "so-far", "circle")
    expect(page.locator("#so-far .body p")).to_contain_text("Better:")
    page.click("#undo")
    expect(page.locator("#state")).to_have_value(NOVICE)
    finish(page, 2, MOVE)
