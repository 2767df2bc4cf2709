"""Touch does the natural thing: a lamp is pressed,
a tip is turned, and a tap that plays nothing says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.serving import Served, serving

from .conftest import OVER_BOTH
from .playing import begin, board_of, expect_state, open_puzzle, screen, watched

EXAMPLES = Path(__file__).parents[4] / "examples"
NOVICE = "RBBBBBBBBBBBBRRRRRRRR"


@pytest.fixture
def definitions(tmp_path: Path) -> Iterator[Served]:
    """A service that has the definition files of the examples, and no table."""
    with serving(
        tmp_path, "--workers", "1", "--searches", "8", "--puzzles", str(EXAMPLES)
    ) as served:
        yield served


@pytest.fixture
def touched(phone: BrowserContext) -> Iterator[Page]:
    """A page of a phone."""
    with watched(phone.new_page()) as page:
        yield page


def tap(page: Page, piece: Any) -> None:
    page.touchscreen.tap(*screen(page, piece["x"], piece["y"]))


def after(board: Any, move: str) -> str:
    state: str = next(each["after"] for each in board["moves"] if each["move"] == move)
    return state


@pytest.mark.slow
@pytest.mark.matrix
@pytest.mark.parametrize("site", ["definitions"], indirect=True)
def test_a_tip_is_turned_by_a_tap(touched: Page) -> None:
    """The top sticker of the first face is of the tip that U turns."""
    open_puzzle(touched, "pyraminx")
    board = board_of(touched, "pyraminx", touched.locator("#state").input_value())
    tip = next(each for each in board["pieces"] if each["id"] == "piece-AXIALS-l0-o0")
    tap(touched, tip)
    expect_state(touched, after(board, "U"))


@pytest.mark.slow
@pytest.mark.parametrize("site", ["folder_host"], indirect=True)
def test_a_published_lamp_is_pressed_by_a_tap(touched: Page) -> None:
    """A tap on a lamp does what the button of its name does."""
    begin(touched, "lights-3x3")
    start = touched.locator("#state").input_value()
    names = [f"{column}{row}" for row in (1, 2, 3) for column in "abc"]
    lamps = touched.locator("#board [data-piece]").all()
    # a corner, the one in the middle, and the other corner
    for name, lamp in [*zip(names, lamps, strict=True)][::4]:
        touched.locator("#moves").get_by_text(name, exact=True).click()
        expect(touched.locator("#state")).not_to_have_value(start)
        pressed = touched.locator("#state").input_value()
        touched.click("#undo")
        expect_state(touched, start)
        lamp.tap()
        expect_state(touched, pressed)
        touched.click("#undo")
        expect_state(touched, start)


@pytest.mark.slow
@OVER_BOTH
def test_a_second_tap_turns_a_wheel_by_its_smallest_turn(touched: Page) -> None:
    open_puzzle(touched, "novice", NOVICE)
    board = board_of(touched, "novice", NOVICE)
    left = min(board["pieces"], key=lambda each: each["x"])
    tap(touched, left)
    expect(touched.locator("#board .target")).to_have_count(5)
    tap(touched, left)
    expect_state(touched, after(board, "L"))


@pytest.mark.slow
@OVER_BOTH
def test_a_tap_that_plays_nothing_says_why(touched: Page) -> None:
    """A disk of Hanoi may go to two posts; the disks under it to none."""
    open_puzzle(touched, "hanoi-nnn-3")
    told = touched.locator("#told")
    state = touched.locator("#state").input_value()
    board = board_of(touched, "hanoi-nnn-3", state)
    held = {piece for move in board["moves"] for piece in move["handle"]}
    fixed = next(each for each in board["pieces"] if each["id"] not in held)
    tap(touched, fixed)
    expect(told).to_have_text("This cannot move now.")
    expect(touched.locator("#live")).to_have_text("This cannot move now.")
    top = next(each for each in board["pieces"] if each["id"] in held)
    tap(touched, top)
    expect(touched.locator("#board .target")).to_have_count(2)
    tap(touched, top)
    expect(told).to_have_text("It can go to several places: tap one, or drag it there.")
    assert touched.locator("#state").input_value() == state
    expect(told).to_be_hidden()
