"""The first page: the puzzle of the day, the search,
what one played last, and all of it in little room.
"""

from __future__ import annotations

import hashlib

from playwright.sync_api import Browser, Page, expect

from tests.browser.hosts import Host
from tests.serving import Served

from .conftest import OVER_BOTH, PUBLISHED
from .playing import home, is_published, open_puzzle, press, visitor, watched

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"


def of_the_day(names: set[str], day: str) -> str:
    """The name of the least hash, of 256 bits, of the day and itself."""
    return min(
        names, key=lambda name: hashlib.blake2b(f"{day} {name}".encode(), digest_size=32).digest()
    )


@OVER_BOTH
def test_the_puzzle_of_the_day_is_shown_and_played(page: Page) -> None:
    page.goto(home(page))
    today = page.locator(".today[data-day]")
    name, day = today.get_attribute("data-puzzle"), today.get_attribute("data-day")
    if is_published(page):
        expect(today.locator("img")).to_have_attribute("src", f"{name}/goal.svg")
        assert name == of_the_day({*PUBLISHED}, day or "")
    else:
        listed = page.request.get("/v1/puzzles").json()["puzzles"]
        assert name == of_the_day(
            {each["name"] for each in listed if each["coverage"] == "table"}, day or ""
        )
        drawn = page.request.get(f"/v1/puzzles/{name}/random?daily={day}&difficulty=medium")
        assert drawn.ok
        page.wait_for_function(
            "state => document.querySelector('.today img').src.includes(state)", arg="state="
        )
        shown = page.evaluate(
            "new URL(document.querySelector('.today img').src).searchParams.get('state')"
        )
        assert shown == drawn.json()["state"]
    today.get_by_role("link", name="Play it").click()
    page.wait_for_selector("main[data-ready]")
    expect(page.locator("#kind")).to_contain_text(f"daily {day}")


def test_the_search_filters_as_one_types(page: Page) -> None:
    """By title, name, family, kind, inventor and what is said of it; it unfolds what is folded,
    and Enter goes to the first.
    """
    page.goto(home(page))
    shown = page.locator(".group li:visible")
    listed = page.locator(".group li").count()
    page.locator("#find").press_sequentially("hanoi rbb")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("RBB")
    expect(page.locator("#found")).to_have_text("1 puzzle")
    expect(page.locator(".today")).to_be_hidden()
    page.fill("#find", "color wheels sixths")
    expect(shown.first).to_be_visible()
    assert all("-sixths" in (each.get_attribute("data-puzzle") or "") for each in shown.all())
    for words, name in (("stacking levy", "hanoi-nnn-3"), ("pebbles plates", "panguru")):
        page.fill("#find", words)
        expect(page.locator(f'.group li[data-puzzle="{name}"]')).to_be_visible()
        expect(page.locator('.group li[data-puzzle="novice"]')).to_be_hidden()
    page.fill("#find", "nothing of the kind")
    expect(page.locator("#found")).to_have_text("No puzzle is called nothing of the kind.")
    page.fill("#find", "")
    expect(page.locator(".group li")).to_have_count(listed)
    expect(page.locator(".today")).to_be_visible()
    expect(page.locator(".group details[open]")).to_have_count(0)
    page.fill("#find", "novice")
    page.press("#find", "Enter")
    expect(page.locator("h1")).to_have_text("Novice")
    page.wait_for_selector("main[data-ready]")


@OVER_BOTH
def test_what_one_played_last_is_where_one_left_it(page: Page) -> None:
    page.goto(home(page))
    expect(page.locator("#last")).to_be_hidden()
    open_puzzle(page, "novice", NOVICE)
    page.locator("#moves").get_by_text("R", exact=True).click()
    expect(page.locator("#count")).to_have_text("1 move")
    state = page.locator("#state").input_value()
    page.goto(home(page))
    last = page.locator("#last a")
    expect(last).to_have_count(1)
    last.click()
    expect(page.locator("#state")).to_have_value(state)


@OVER_BOTH
def test_what_was_solved_has_a_mark(page: Page) -> None:
    page.goto(home(page))
    row = page.locator('.group li[data-puzzle="novice"]')
    expect(row).not_to_contain_text("solved")
    open_puzzle(page, "novice", NOVICE)
    press(page, "R", "L", "R'", "L2'", "R")
    expect(page.locator("#solved .stars")).to_be_visible()
    page.goto(home(page))
    expect(row.locator(".row-title")).to_have_text("Novice solved once")


@OVER_BOTH
def test_the_list_is_whole_without_scripts(chromium: Browser, site: Served | Host) -> None:
    with (
        visitor(chromium, site, java_script_enabled=False) as context,
        watched(context.new_page()) as page,
    ):
        page.goto(home(page))
        listed = {*PUBLISHED}
        if not is_published(page):
            listed = {
                puzzle["name"] for puzzle in page.request.get("/v1/puzzles").json()["puzzles"]
            }
        assert {
            each.get_attribute("data-puzzle") for each in page.locator(".group li").all()
        } == listed
        expect(page.locator("#find")).to_be_hidden()
