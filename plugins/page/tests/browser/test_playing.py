"""The page of a puzzle in a browser: each family by mouse,
touch and keys; undo, redo, restart and the address.
"""

from __future__ import annotations

import re
from cmath import rect
from itertools import combinations
from math import radians
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.matrix import only
from tests.waiting import wait_until

from .conftest import ONE_AND_MORE, OVER_BOTH, TABLES
from .playing import (
    board_of,
    expect_state,
    lookup_of,
    open_puzzle,
    press,
    screen,
    state_of,
    strike,
    watched,
)


def path(board: Any, move: Any) -> list[tuple[float, float]]:
    """Points along the way of a piece that one drags to make a move, plainly worked out.
    The unit on top of several alike is dragged where the lowest one goes.
    """
    motion = next(each for each in move["motions"] if each["piece"] in move["handle"])
    piece = next(each for each in board["pieces"] if each["id"] == move["handle"][0])
    points = [complex(piece["x"], piece["y"])]
    if turn := motion["turn"]:
        middle = complex(turn["x"], turn["y"])
        away = points[0] - middle
        degrees = [turn["degrees"] * part / 8 for part in range(1, 9)]
        points += [middle + away * rect(1, radians(each)) for each in degrees]
    else:
        legs = iter(motion["slide"])
        for leg in zip(legs, legs, strict=True):
            points.append(points[-1] + complex(*leg))
    return [(point.real, point.imag) for point in points]


def drag_along(page: Page, points: list[tuple[float, float]]) -> None:
    """Drag from the first point of the board to the last."""
    page.mouse.move(*screen(page, *points[0]))
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*screen(page, *point), steps=2)
    page.mouse.up()


def drag(page: Page, board: Any, move: Any) -> None:
    drag_along(page, path(board, move))


def type_name(page: Page, _board: Any, move: Any) -> None:
    page.locator("#board").focus()
    strike(page.locator("#board"), move["move"])
    page.keyboard.press("Enter")


def press_button(page: Page, _board: Any, move: Any) -> None:
    page.locator("#moves").get_by_text(move["move"], exact=True).focus()
    page.keyboard.press("Enter")


@OVER_BOTH
@pytest.mark.parametrize("name", only({"novice", "panex-2", "quantum-2x2-2"}.__contains__, TABLES))
def test_each_move_can_be_dragged_typed_and_chosen(page: Page, name: str) -> None:
    """On one page: three of the first moves by dragging, then four of the last ones by keys."""
    open_puzzle(page, name)
    state = state_of_start(page, name)
    ways = (
        (drag, 0),
        (drag, 1),
        (drag, 2),
        (press_button, -1),
        (type_name, -2),
        (press_button, -3),
        (type_name, -4),
    )
    for make, number in ways:
        board = board_of(page, name, state)
        move = board["moves"][number % len(board["moves"])]
        make(page, board, move)
        expect_state(page, move["after"])
        expect(page.locator("#live")).to_contain_text(move["move"])
        state = move["after"]


def state_of_start(page: Page, name: str) -> str:
    state: str = board_of(page, name)["state"]
    return state


@OVER_BOTH
@pytest.mark.parametrize("name", ONE_AND_MORE)
def test_moves_by_touch(phone: BrowserContext, name: str) -> None:
    """A tap makes a piece's only move; where it has several, a second tap says where to."""
    with watched(phone.new_page()) as page:
        open_puzzle(page, name)
        state = state_of_start(page, name)
        board = board_of(page, name, state)
        move = board["moves"][0]
        points = path(board, move)
        page.touchscreen.tap(*screen(page, *points[0]))
        if sum(move["handle"][0] in other["handle"] for other in board["moves"]) > 1:
            expect(page.locator("#board .target").first).to_be_visible()
            page.touchscreen.tap(*screen(page, *points[-1]))
        expect_state(page, move["after"])


@OVER_BOTH
def test_the_back_button_is_undo(page: Page) -> None:
    open_puzzle(page, "novice")
    start = state_of_start(page, "novice")
    states = [start]
    for move in ("L", "R2", "L'"):
        page.locator("#moves").get_by_text(move, exact=True).click()
        after = next(
            each["after"]
            for each in board_of(page, "novice", states[-1])["moves"]
            if each["move"] == move
        )
        expect_state(page, after)
        states.append(after)
    page.go_back()
    expect_state(page, states[2])
    page.click("#undo")
    expect_state(page, states[1])
    expect(page.locator("#count")).to_have_text("1 move")
    page.go_forward()
    expect_state(page, states[2])
    page.click("#redo")
    expect_state(page, states[3])
    page.reload()
    page.wait_for_selector("#moves button")
    expect(page.locator("#count")).to_have_text("3 moves")
    page.click("#undo")
    expect_state(page, states[2])
    page.click("#restart")
    expect(page.locator("#count")).to_have_text("0 moves")
    expect(page.locator("#state")).to_have_value(start)
    page.wait_for_function(
        "state => new URLSearchParams(location.search).get('state') === state", arg=start
    )


def test_what_is_pressed_before_the_next_board_is_here_is_made_with_it(page: Page) -> None:
    later = re.compile(r"/board\?.*state=(?!123450)")
    page.route(later, lambda _: None)
    open_puzzle(page, "sliding-2x3", "123450")
    for _ in range(2):
        page.locator("#moves").get_by_text("R", exact=True).click()
    page.locator("#board").press("ArrowDown")
    two = next(piece for piece in board_of(page, "sliding-2x3")["pieces"] if piece["label"] == "2")
    page.mouse.click(*screen(page, two["x"], two["y"]))
    expect(page.locator("#state")).to_have_value("123405")
    page.unroute(later)
    expect_state(page, "203145")


def test_a_wrong_state_shows_the_services_own_words(page: Page) -> None:
    for given in ("nonsense", "BBBBBBBBBBBBBRRRRRRRR"):
        answer = page.request.get("/v1/puzzles/novice/lookup", params={"state": given}).json()
        with watched(page.context.new_page(), "status of 4") as other:
            other.set_viewport_size({"width": 390, "height": 844})
            open_puzzle(other, "novice", given)
            told = other.locator("#board-problem")
            expect(told).to_have_text(f"{answer['detail']} {answer['hint']}")
            expect(told).to_be_in_viewport(ratio=1)
            expect(other.locator("#state")).to_have_value(given)
            other.fill("#state", "still nonsense")
            other.press("#state", "Enter")
            expect(other.locator("#state-error")).to_contain_text("'still nonsense'")
            other.fill("#state", "RBBBBBBBBBBBBRRRRRRRR")
            other.press("#state", "Enter")
            expect_state(other, "RBBBBBBBBBBBBRRRRRRRR")
            expect(other.locator("#state-error")).to_be_hidden()
            expect(told).to_be_hidden()


@OVER_BOTH
def test_the_tiles_are_the_lookup(page: Page) -> None:
    open_puzzle(page, "novice", "RBBBBBBBBBBBBRRRRRRRR")
    page.click("#truth summary")
    found = lookup_of(page, "novice", "RBBBBBBBBBBBBRRRRRRRR")
    expect(page.locator("#truth .distance")).to_have_text(f"{found['distance']} moves from solved")
    tiles = page.locator("#truth .tile")
    expect(tiles).to_have_count(len(found["moves"]))
    signs = {-1: "\N{MINUS SIGN}1", 0: "0", 1: "+1"}
    for number, move in enumerate(found["moves"]):
        for part, text in (
            ("name", move["move"]),
            ("delta", signs[move["delta"]]),
            ("leads", move["state"]),
        ):
            expect(tiles.nth(number).locator(f".{part}")).to_have_text(text)
        expect(tiles.nth(number).locator(".far")).to_have_text(str(move["distance"]))
    tiles.nth(1).click()
    expect_state(page, found["moves"][1]["state"])


def test_a_cube_in_space_and_its_net(page: Page) -> None:
    """Three faces are seen, where the stickers of a corner adjoin;
    a drag beside them shows others. The looks chosen are remembered.
    """

    def seen() -> dict[str, tuple[str, list[str]]]:
        """The colour and the corners of each sticker that is seen."""
        stickers = page.locator("#board [data-piece]").evaluate_all(
            "all => all.map(({ dataset, firstChild: path }) => [dataset.piece, "
            "[path.part[1], path.getAttribute('d').slice(1, -1).split('L')]])"
        )
        return dict(stickers)

    open_puzzle(page, "2x2x2")
    for count in (12, 10):  # the corner that is held still is no piece
        wait_until(lambda: len(seen()) == count, f"{count} stickers are seen")  # noqa: B023
        stickers = seen()
        for (one, (_, near)), (other, (_, beside)) in combinations(stickers.items(), 2):
            assert one[:-1] != other[:-1] or len({*near} & {*beside}) == 2, "they have an edge"
        press(page, "R")
        turned = {
            (each["id"], each["colour"].replace("#", "colour-"))
            for each in board_of(page, "2x2x2", state_of(page))["pieces"]
        }
        wait_until(
            lambda: {(name, colour) for name, (colour, _) in seen().items()} <= turned,  # noqa: B023
            "the corners have their new colours",
        )
        drag_along(page, [(20, 20), (220, 20)])
        wait_until(
            lambda: seen().keys() != stickers.keys(),  # noqa: B023
            "other faces are seen",
        )
    page.click("#looks summary")
    page.get_by_label("The cube as a net").check()
    page.get_by_label("Pieces by").select_option("patterns")
    for _ in range(2):
        expect(page.locator("#board [data-piece]")).to_have_count(21)
        expect(page.locator("#board pattern")).to_have_count(6)
        page.reload()
        page.wait_for_selector("main[data-ready]")
