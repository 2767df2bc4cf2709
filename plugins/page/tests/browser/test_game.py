"""A game from its first minute to its last: a light beginning,
how hard it is, stars, the next game, days in a row.
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import OVER_BOTH, PUBLISHED, TABLES
from .playing import (
    answer_of,
    begin,
    board_of,
    expect_state,
    home,
    lookup_of,
    open_puzzle,
    play_page,
    press,
    screen,
    state_of,
    strike,
    watched,
)

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"
"""Five moves from solved; one shortest solution is R L R' L2' R (docs/http-api.md)."""
SOLUTION = ("R", "L", "R'", "L2'", "R")


PASTE = """(text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def solve(page: Page, name: str) -> None:
    """Solve the game with the moves of the service, which the page is not asked for."""
    answer = answer_of(page, f"{name}/solve", state=page.locator("#state").input_value())
    press(page, *answer["solution"])
    expect(page.locator("#solved .stars")).to_be_visible()


def stored(page: Page) -> Any:
    return json.loads(page.evaluate("localStorage.getItem('puzzlebase')"))


@OVER_BOTH
def test_a_page_begins_light_beside_its_goal(page: Page) -> None:
    begin(page, "novice")
    assert 1 <= lookup_of(page, "novice", state_of(page))["distance"] <= 3
    expect(page.locator("#kind")).to_have_text("first steps, 1 to 3 moves")
    expect(page.locator(".goal img")).to_be_in_viewport()
    expect(page.locator("#how")).to_be_visible()
    expect(page.locator("#hint")).to_have_text("Hint how far it is")


def test_a_page_that_gets_no_first_position_finds_one(page: Page) -> None:
    """A service that is too busy, say,
    which may take as long as it likes: no game begins solved.
    """
    page.route("**/random?*", lambda _: None)
    begin(page, "novice")
    assert lookup_of(page, "novice", state_of(page))["distance"] >= 1
    expect(page.locator("#hint")).not_to_have_attribute("aria-disabled", "true")


def test_what_is_typed_and_is_no_move_is_told(page: Page) -> None:
    open_puzzle(page, "novice", NOVICE)
    for typed, keys in (("x", "x"), ("L4", "L4")):
        strike(page.locator("#board"), typed)
        expect(page.locator("#told")).to_have_text(f"No move begins with {keys} here.")
    expect(page.locator("#count")).to_have_text("0 moves")


@OVER_BOTH
def test_the_rules_fold_away_once_they_are_known(page: Page) -> None:
    begin(page, "novice")
    expect(page.locator("#rules")).to_have_attribute("open", "")
    solve(page, "novice")
    begin(page, "novice")
    expect(page.locator("#rules")).not_to_have_attribute("open", "")
    expect(page.locator("#how")).to_be_hidden()
    begin(page, "panex-2")
    expect(page.locator("#how")).to_be_visible()


@OVER_BOTH
def test_a_browser_that_keeps_nothing_plays_all_the_same(page: Page) -> None:
    refused = "{ get() { throw new DOMException('no', 'SecurityError'); } }"
    page.add_init_script(
        "for (const s of ['localStorage', 'sessionStorage']) "
        f"Object.defineProperty(window, s, {refused})"
    )
    begin(page, "novice")
    solve(page, "novice")
    expect(page.locator("#solved")).to_contain_text("the fewest there are.")
    begin(page, "novice")
    expect(page.locator("#how")).to_be_visible()
    page.goto(home(page))
    expect(page.locator("#find")).to_be_visible()
    expect(page.locator("#last")).to_be_hidden()


@OVER_BOTH
def test_the_hint_is_quiet_while_there_is_nothing_to_hint(page: Page) -> None:
    before_scripts = page.request.get(play_page(page, "novice")).text()
    assert re.search('id="hint"[^>]* aria-disabled="true"', before_scripts)
    open_puzzle(page, "novice", NOVICE)
    hint = page.locator("#hint")
    expect(hint).not_to_have_attribute("aria-disabled", "true")
    press(page, *SOLUTION)
    expect(hint).to_have_attribute("aria-disabled", "true")
    expect(hint).to_have_text("Hint solved")
    hint.click(force=True)
    expect(page.locator("#hint-text")).to_be_empty()
    page.click("#undo")
    expect(hint).to_have_text("Hint how far it is")


@OVER_BOTH
def test_the_end_has_the_next_game_and_a_harder_one(page: Page) -> None:
    about = answer_of(page, "novice")
    words = {word["name"]: word for word in about["difficulties"]}
    open_puzzle(page, "novice", NOVICE)
    expect(page.locator("#kind")).to_have_text("easy, 4 to 6 moves")
    press(page, *SOLUTION)
    expect(page.locator("#solved .stars")).to_have_attribute("aria-label", "3 of 3 stars")
    expect(page.locator(".board-box")).to_have_class("board-box won")
    page.get_by_role("button", name="Again", exact=True).click()
    expect(page.locator("#state")).to_have_value(NOVICE)
    expect(page.locator("#solved")).to_be_hidden()
    for wanted, button in (("easy", "Next"), ("medium", "Harder")):
        solve(page, "novice")
        before = page.locator("#state").input_value()
        page.get_by_role("button", name=button, exact=True).click()
        expect(page.locator("#state")).not_to_have_value(before)
        distance = lookup_of(page, "novice", page.locator("#state").input_value())["distance"]
        assert words[wanted]["min"] <= distance <= words[wanted]["max"]
        expect(page.locator("#kind")).to_contain_text(f"{wanted}, ")
    open_puzzle(
        page, "novice", answer_of(page, "novice/random", difficulty="hardest", seed="a")["state"]
    )
    solve(page, "novice")
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Harder", exact=True)).to_have_count(0)


@OVER_BOTH
def test_the_best_of_each_difficulty_is_kept(page: Page) -> None:
    """Two moves wasted, then none, then two again;
    and a game whose solution was shown is no feat.
    """
    for moves, told in (
        (("L", "L'", *SOLUTION), ""),
        (SOLUTION, "Your best of this kind so far!"),
        (("L", "L'", *SOLUTION), "Your best of this kind: 3 of 3 stars, 0 moves wasted."),
    ):
        open_puzzle(page, "novice", NOVICE)
        press(page, *moves)
        expect(page.locator("#solved .stars")).to_be_visible()
        expect(page.locator("#solved .best")).to_have_text(told)
    assert stored(page)["best"] == {"novice easy": {"stars": 3, "wasted": 0}}
    begin(page, "novice")
    page.click("#solution summary")
    expect(page.locator("#solution .where")).to_be_visible()
    page.click("#solution summary")
    solve(page, "novice")
    assert list(stored(page)["best"]) == ["novice easy"]


@OVER_BOTH
def test_a_game_is_shared_as_a_line_and_its_address(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script("delete Navigator.prototype.share")
    moves = "L L' R L R'"
    begin(page, "novice", f"?state={NOVICE}&moves={quote(moves)}")
    expect(page.locator("#count")).to_have_text("5 moves")
    page.click("#sequence summary")
    link = page.locator("#sequence-link").get_attribute("href") or ""
    asked = {"state": [NOVICE], "moves": [moves]}
    assert parse_qs(urlsplit(link).query) == asked
    field = page.locator("#sequence-field")
    field.fill("L2', X")
    field.press("Enter")
    expect(page.locator("#sequence-error")).to_contain_text(re.compile("Move 2: .*'X'"))
    expect(page.locator("#count")).to_have_text("5 moves")
    page.evaluate(PASTE, "L2’ R")
    expect(page.locator("#solved .stars")).to_be_visible()
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    line, address = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert line == "Novice easy · 7 moves, 2 more than the fewest · ★★☆"
    page.goto(address)
    page.wait_for_selector("main[data-ready]")
    assert state_of(page) == NOVICE
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    open_puzzle(page, "novice", NOVICE)
    press(page, *SOLUTION)
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_label("To be copied")).to_have_value(
        re.compile("Novice easy · 5 moves, the fewest · ★★★\nhttp")
    )


@OVER_BOTH
def test_daily_games_count_once_a_day_and_in_a_row(page: Page) -> None:
    """The day before yesterday breaks the row."""
    day = page.evaluate("new Date().toISOString().slice(0, 10)")
    ago = "const day = (ago) => new Date(Date.now() - ago * 864e5).toISOString().slice(0, 10);"
    begin(page, "novice", f"?daily={day}")
    assert (
        state_of(page) == answer_of(page, "novice/random", daily=day, difficulty="medium")["state"]
    )
    expect(page.locator("#kind")).to_contain_text(f"daily {day}, medium, ")
    solve(page, "novice")
    assert stored(page)["daily"] == {"day": day, "days": 1, "of": ["novice"]}
    page.get_by_role("button", name="Again", exact=True).click()
    expect(page.locator("#count")).to_have_text("0 moves")
    solve(page, "novice")
    assert stored(page)["daily"] == {"day": day, "days": 1, "of": ["novice"]}
    for before, days in ((1, 8), (2, 1)):
        page.evaluate(
            f"{ago} localStorage.puzzlebase = "
            f"JSON.stringify({{ daily: {{ day: day({before}), days: 7 }} }})"
        )
        page.locator("#positions").get_by_text("Daily", exact=True).click()
        expect(page.locator("#count")).to_have_text("0 moves")
        solve(page, "novice")
        assert stored(page)["daily"] == {"day": day, "days": days, "of": ["novice"]}
        expect(page.locator("#solved .best")).to_contain_text(
            "8 days in a row" if days == 8 else "a daily game"
        )
    page.goto(home(page))
    expect(page.locator("#streak")).to_have_text(
        "You solved it today."
        if page.locator(".today").get_attribute("data-puzzle") == "novice"
        else "1 day in a row, with another daily game today."
    )
    begin(page, "novice", "?daily=2026-01-01")
    solve(page, "novice")
    assert stored(page)["daily"] == {"day": day, "days": 1, "of": ["novice"]}


@OVER_BOTH
def test_a_day_of_the_past_is_played_by_the_calendar(page: Page) -> None:
    """With a move shown, as the line to share says there too.
    The month, the first page and its table then tell it.
    """
    page.clock.set_fixed_time("2026-12-01T06:30:00Z")
    page.add_init_script(
        "delete Navigator.prototype.share;"
        "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
    )
    begin(page, "novice")
    page.click("#dailies summary")
    day = page.locator("ol.month").get_by_text("3", exact=True)
    expect(page.get_by_role("button", name="1 December 2026", exact=True)).to_be_enabled()
    expect(page.get_by_role("button", name="2 December 2026", exact=True)).to_be_disabled()
    page.get_by_role("button", name="The month before").click()
    day.click()
    expect(page.locator("#kind")).to_contain_text("daily 2026-11-03, medium, ")
    drawn = answer_of(page, "novice/random", daily="2026-11-03", difficulty="medium")
    expect_state(page, drawn["state"])
    for text in ("to go.", "wheel", "Play"):
        page.click("#hint")
        expect(page.locator("#hint-text")).to_contain_text(text)
    solve(page, "novice")
    page.get_by_role("button", name="Share").click()
    line = f"Novice daily 2026-11-03 · {drawn['distance']} moves, the fewest · ★★☆ · with hints\n"
    expect(page.get_by_label("To be copied")).to_have_value(
        re.compile(f"{line}http.*daily=2026-11-03$")
    )
    expect(day).to_have_accessible_name("3 November 2026, 2 of 3 stars")
    page.goto(home(page))
    expect(page.locator("#next-day")).to_have_text("The next one comes within 18 hours.")
    expect(page.locator("#streak")).to_be_hidden()
    page.click("#archive summary")
    expect(page.locator("#results")).to_contain_text(
        "1 game solved. Daily games: 0 days in a row, 0 at best."
    )
    expect(page.locator(".wasted tr").first).to_have_text("01")
    page.get_by_role("button", name="The month before").click()
    expect(day).to_have_accessible_name("3 November 2026, 2 of 3 stars")
    day.click()
    expect(page.locator("#today")).to_contain_text("Puzzle of 3 November 2026: ")
    page.get_by_role("link", name="Play it").click()
    expect(page.locator("#kind")).to_contain_text("daily 2026-11-03")


@OVER_BOTH
def test_levels_of_a_file_are_a_path(page: Page) -> None:
    """The first that is not solved is lit; the end of a game leads to the next level."""
    begin(page, "pair-1")
    path = page.get_by_role("navigation", name="Levels of this file")
    expect(path.locator(".lit")).to_have_attribute("aria-label", "pair-1")
    solve(page, "pair-1")
    expect(path.locator("[aria-current]")).to_have_attribute("aria-label", "pair-1, 3 of 3 stars")
    expect(path.locator(".lit")).to_have_attribute("aria-label", "pair-2")
    page.get_by_role("link", name="Next level").click()
    expect(path.locator("[aria-current]")).to_have_attribute("aria-label", "pair-2")
    expect(path.locator("a").first).to_have_attribute("aria-label", "pair-1, 3 of 3 stars")


@OVER_BOTH
def test_new_positions_say_how_hard_they_are(page: Page) -> None:
    open_puzzle(page, "novice", NOVICE)
    about = answer_of(page, "novice")
    shown = page.locator("#positions")
    for word in about["difficulties"]:
        moves = (
            f"{word['min']} to {word['max']} moves"
            if word["min"] < word["max"]
            else f"{word['max']} moves"
        )
        name = "First steps" if word["name"] == "first" else word["name"].capitalize()
        expect(shown.get_by_role("button", name=f"{name} {moves}")).to_be_visible()
    expect(shown.locator(".path button")).to_have_count(len(about["levels"]))
    level = about["levels"][-2]
    shown.locator(".path").get_by_text(level["name"], exact=True).click()
    expect(page.locator("#kind")).to_contain_text(f"level {level['name']}, {level['min']}")
    distance = lookup_of(page, "novice", page.locator("#state").input_value())["distance"]
    assert level["min"] <= distance <= level["max"]
    page.reload()
    page.wait_for_selector("main[data-ready]")
    expect(page.locator("#kind")).to_contain_text(f"level {level['name']}, ")


def test_any_position_is_set_by_taps(context: BrowserContext) -> None:
    """Two places exchange their colours. What cannot be is told, and leaving changes nothing."""
    with watched(context.new_page(), "status of 422") as page:
        open_puzzle(page, "novice", NOVICE)
        before = board_of(page, "novice", NOVICE)["pieces"]
        one, *others = before[::2]  # the other half are edges
        other = next(each for each in others if each["colour"] != one["colour"])
        editor = page.locator("#editor")
        begins = editor.get_by_role("button", name="Play from here")
        for second, told in ((one, "does not have the pieces of novice"), (other, "tap two")):
            page.locator("#positions").get_by_text("Set up", exact=True).click()
            expect(editor).to_be_visible()
            for piece in (one, second):
                page.mouse.click(*screen(page, piece["x"], piece["y"]))
            expect(editor).to_contain_text(told)
            if second is one:
                expect(begins).to_be_disabled()
                editor.get_by_role("button", name="Leave").click()
                expect_state(page, NOVICE)
        begins.click()
        expect(page.locator("#state")).not_to_have_value(NOVICE)
        after = {each["place"]: each for each in board_of(page, "novice", state_of(page))["pieces"]}
        changed = {
            each["place"] for each in before if after[each["place"]]["colour"] != each["colour"]
        }
        assert changed == {one["place"], other["place"]}


def test_a_piece_is_carried_elsewhere(context: BrowserContext) -> None:
    """An impossible position is told, and taken back. An answer that fails is asked for again."""
    with watched(context.new_page(), "status of 422", "status of 503") as page:
        open_puzzle(page, "panex-2")
        places = {place["name"]: place for place in board_of(page, "panex-2")["places"]}
        page.locator("#positions").get_by_text("Set up", exact=True).click()
        editor = page.locator("#editor")
        expect(editor).to_be_visible()

        def carry(*names: str) -> None:
            first, last = (screen(page, places[each]["x"], places[each]["y"]) for each in names)
            page.mouse.move(*first)
            page.mouse.down()
            page.mouse.move(*last)
            page.mouse.up()

        carry("L2", "R0")
        carry("L1", "R2")
        expect(editor).to_contain_text("has tile 'a' too deep")
        expect(editor.get_by_role("button", name="Play from here")).to_be_disabled()
        page.keyboard.press("Control+z")
        page.route("**/lookup?*", lambda route: route.fulfill(status=503, json={"status": 503}))
        carry("L1", "C2")
        expect(editor.get_by_role("button", name="Try again")).to_be_visible()
        page.unroute("**/lookup?*")
        editor.get_by_role("button", name="Try again").click()
        editor.get_by_role("button", name="Play from here").click()
        expect_state(page, "|a|bAB")


def test_of_two_new_positions_the_last_one_asked_for_begins(page: Page) -> None:
    open_puzzle(page, "novice", NOVICE)
    page.route("**/random?*hard*", lambda _: None)
    hard, easy = (
        page.locator("#positions").get_by_text(word, exact=True) for word in ("Hard", "Easy")
    )
    with page.expect_request("**/random?*hard*"):
        hard.click()
    easy.click()
    expect(page.locator("#kind")).to_contain_text("easy")
    field = page.locator("#state")
    expect(field).not_to_have_value(NOVICE)
    state = field.input_value()
    with page.expect_response("**/random?*hard*") as late:
        page.unroute("**/random?*hard*")
    late.value.finished()
    page.evaluate("new Promise((done) => setTimeout(done, 100))")  # the page reads it
    expect(field).to_have_value(state)
    expect(page.locator("#kind")).to_contain_text("easy")


def swipe_up(page: Page, x: float, y: float) -> None:
    """Move a finger up from a point of the screen."""
    session = page.context.new_cdp_session(page)
    for at in range(6):
        kind = "touchMove" if at else "touchStart"
        points = [{"x": x, "y": y - 20 * at}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize(
    ("site", "name"),
    [
        ("service", "novice"),
        *(
            pytest.param("service", name, marks=pytest.mark.matrix)
            for name in (*TABLES[1:], "quantum-3x3-1000")
        ),
        *(pytest.param("folder_host", name, marks=pytest.mark.matrix) for name in PUBLISHED),
    ],
    indirect=["site"],
)
def test_on_a_phone_the_board_comes_first_and_nothing_is_a_hole(
    phone: BrowserContext, name: str
) -> None:
    """The whole game is on the screen, and fingers hit its buttons."""
    with watched(phone.new_page()) as page:
        begin(page, name)
        menu = page.locator("#positions").bounding_box()
        assert menu is not None
        assert menu["y"] + menu["height"] <= 844
        buttons = [each.bounding_box() for each in page.locator("button:visible").all()]
        assert min(min(each["width"], each["height"]) for each in buttons if each) >= 44
        piece = page.locator("#board .movable").first.bounding_box()
        assert piece is not None
        swipe_up(page, piece["x"] + piece["width"] / 2, piece["y"] + piece["height"] / 2)
        assert page.evaluate("scrollY") == 0
        box = page.locator(".board-box").bounding_box()
        assert box is not None
        assert box["y"] < 260
        strips = page.evaluate(
            """() => {
                const shown = [...document.querySelectorAll("main *")].filter(
                    (each) => each.children.length === 0 || each.id === "board",
                );
                const boxes = shown.map((each) => each.getBoundingClientRect());
                const rows = boxes.filter(({ height, width }) => height > 0 && width > 2);
                rows.sort((a, b) => a.top - b.top);
                let [foot, most] = [rows[0].top, 0];
                for (const { top, bottom } of rows) {
                    most = Math.max(most, top - foot);
                    foot = Math.max(foot, bottom);
                }
                return most;
            }"""
        )
        assert strips < 60
        board = page.locator("#board").bounding_box()
        assert board is not None
        swipe_up(page, board["x"] + 4, board["y"] + board["height"] - 4)
        page.wait_for_function("() => scrollY > 0")
