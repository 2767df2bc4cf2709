"""Truths on request: hints, the first mistake, stars, the histogram, the solution, and searches."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.fixtures import COMMON

from .conftest import OVER_BOTH
from .playing import answer_of, board_of, expect_state, lookup_of, open_puzzle, press, state_of

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"
"""Five moves from solved; one shortest solution is R L R' L2' R (docs/http-api.md)."""


@OVER_BOTH
def test_a_stranger_solves_panex_with_the_hint_button_alone(page: Page) -> None:
    """Thirteen moves, the published number; and the page says what to do before any button."""
    open_puzzle(page, "panex-2")
    about = answer_of(page, "panex-2")
    expect(page.locator("#how")).to_have_text(about["instructions"])
    expect(page.locator(".goal img")).to_be_visible()
    button = page.locator("#hint")
    shown = []
    for _ in range(4):
        button.click()
        expect(button).not_to_have_attribute("aria-busy", "true")
        shown.append(page.locator("#hint-text").text_content() or "")
    assert shown[0] == "13 moves to go."
    assert re.fullmatch(
        r"13 moves to go\. Best: left track or right track\.|13 moves to go\. Best: \w+ track\.",
        shown[1],
    )
    assert re.fullmatch(r"13 moves to go\. Play [LCR]{2}: \w+ track\.", shown[2])
    assert re.match(r"13 moves to go\. A shortest solution: [LCR]{2} ", shown[3])
    for played in range(13):
        expect(page.locator("#count")).to_have_text(f"{played} move{'' if played == 1 else 's'}")
        expect(page.locator("#hint-text")).to_contain_text(f"{13 - played} move")
        expect(page.locator("#board .arrow")).to_have_count(1)
        button.click()
        expect(button).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("#solved")).to_contain_text(
        "the fewest there are. You were shown the solution."
    )
    expect(page.locator("#solved .stars")).to_have_attribute("aria-label", "2 of 3 stars")
    expect_state(page, "AB||ab")


@OVER_BOTH
def test_each_hint_is_drawn(page: Page) -> None:
    open_puzzle(page, "novice", NOVICE)
    found = lookup_of(page, "novice", NOVICE)
    best = [move["move"] for move in found["moves"] if move["optimal"]]
    board = board_of(page, "novice", NOVICE)
    handles = {piece for move in board["moves"] if move["move"] in best for piece in move["handle"]}
    page.click("#hint")
    expect(page.locator("#badge")).to_have_text(str(found["distance"]))
    page.click("#hint")
    expect(page.locator("#board .ring")).to_have_count(len(handles))
    assert page.locator("#board .arrow").count() == 0
    page.click("#hint")
    expect(page.locator("#board .arrow")).to_have_count(1)
    page.click("#hint")
    solution = answer_of(page, "novice/solve", state=NOVICE)["solution"]
    expect(page.locator("#hint-text")).to_have_text(
        f"5 moves to go. A shortest solution: {' '.join(solution)}"
    )
    page.locator("#moves").get_by_text("L3", exact=True).click()
    expect(page.locator("#hint-next")).to_have_text("play the next move")


@OVER_BOTH
def test_a_game_that_would_begin_solved_offers_a_scramble(page: Page) -> None:
    open_puzzle(page, "novice")
    easiest = answer_of(page, "novice")["difficulties"][0]
    solved = state_of(page)
    page.get_by_role("button", name="Scramble it").click()
    expect(page.locator("#state")).not_to_have_value(solved)
    expect(page.locator("#solved")).to_be_hidden()
    distance = lookup_of(page, "novice", page.locator("#state").input_value())["distance"]
    assert easiest["min"] <= distance <= easiest["max"]
    open_puzzle(page, "panex-2")
    expect(page.locator("#solved")).to_be_hidden()


@OVER_BOTH
def test_the_first_mistake_and_two_stars(page: Page) -> None:
    """R L, then R and its inverse, then the rest: two wasted,
    which is two stars by the service's own default.
    """
    open_puzzle(page, "novice", NOVICE)
    page.click("#so-far summary")
    distances = [5]
    for move in ("R", "L", "L", "L'", "R'", "L2'", "R"):
        press(page, move)
        distances.append(
            lookup_of(page, "novice", page.locator("#state").input_value())["distance"]
        )
    expect(page.locator("#solved .stars")).to_have_attribute("aria-label", "2 of 3 stars")
    expect(page.locator("#solved")).to_contain_text(
        "Solved in 7 moves; the fewest are 5, so 2 moves went to waste."
    )
    expect(page.locator("#so-far .body p")).to_contain_text(
        "The first mistake was move 3, L. Better: R'"
    )
    expect(page.locator("#so-far circle.mistake title")).to_have_text(f"3. L: {distances[3]}")
    drawn = ", ".join(map(str, distances))
    expect(page.locator("#so-far svg")).to_have_attribute(
        "aria-label", f"Distances from solved: {drawn}. The first mistake was move 3."
    )
    page.locator("#so-far circle").nth(1).click()
    expect(page.locator("#count")).to_have_text("1 move")


@OVER_BOTH
def test_the_histogram_says_where_one_is_and_leads_to_any_distance(page: Page) -> None:
    open_puzzle(page, "novice", NOVICE)
    page.click("#all-states summary")
    layers = answer_of(page, "novice/histogram")["layers"]
    bars = page.locator("#all-states .bar")
    expect(bars).to_have_count(len(layers))
    expect(page.locator("#all-states .bar.here")).to_have_attribute(
        "aria-label", re.compile(r"^Distance 5: .*you are here$")
    )
    expect(bars.nth(9)).to_have_attribute(
        "aria-label", re.compile(f"^Distance 9: {layers[9]:,} states")
    )
    bars.nth(9).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#all-states .bar.here")).to_have_attribute(
        "aria-label", re.compile("^Distance 9:")
    )
    assert lookup_of(page, "novice", state_of(page))["distance"] == 9


@OVER_BOTH
def test_the_solution_is_played_forward_and_back(page: Page) -> None:
    open_puzzle(page, "novice", NOVICE)
    page.click("#solution summary")
    line = answer_of(page, "novice/solve", state=NOVICE, states="true")
    slider = page.locator("#solution input")
    expect(slider).to_have_attribute("max", "5")
    for at in (3, 4, 3, 5, 0, 2):
        slider.fill(str(at))
        expect(page.locator("#solution .where")).to_have_text(f"{at} of 5 moves")
        expect_drawn(page, line["states"][at])
    page.get_by_text("Play on from here").click()
    expect_state(page, line["states"][2])
    expect(page.locator("#count")).to_have_text("2 moves")


def expect_drawn(page: Page, state: str) -> None:
    """Wait until what is written where on the board is as the service has it."""
    pieces = board_of(page, "novice", state)["pieces"]
    letters = sorted([f"{piece['x']:.0f} {piece['y']:.0f} {piece['label']}" for piece in pieces])
    page.wait_for_function(
        """(letters) => {
            const drawn = [...document.querySelectorAll("#board .pieces text")].map((text) => {
                const moved = text.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
                const x = Number(text.getAttribute("x")) + moved.e;
                const y = Number(text.getAttribute("y")) + moved.f;
                return `${x.toFixed(0)} ${y.toFixed(0)} ${text.textContent}`;
            });
            return JSON.stringify(drawn.sort()) === JSON.stringify(letters);
        }""",
        arg=letters,
    )


def test_any_part_of_a_solution_that_no_number_of_javascript_counts(page: Page) -> None:
    """64 disks take some 10^30 moves: answers write them as text, and the page rounds none."""
    open_puzzle(page, "hanoi-nnn-64")
    state = state_of(page)
    distance = int(lookup_of(page, "hanoi-nnn-64", state)["distance"])
    assert distance > 2**90
    page.click("#hint")
    expect(page.locator("#hint-text")).to_have_text(f"{distance:,} moves to go.")
    page.click("#solution summary")
    half = distance // 2
    page.locator("#solution input").fill("50000")  # of 100,000 places
    expect(page.locator("#solution .where")).to_have_text(f"{half:,} of {distance:,} moves")
    page.get_by_label("Forward").click()
    expect(page.locator("#solution .where")).to_have_text(f"{half + 1:,} of {distance:,} moves")
    asked: dict[str, str | float | bool] = {
        "state": state,
        "offset": str(half + 1),
        "limit": "8",
        "states": "true",
    }
    line = answer_of(page, "hanoi-nnn-64/solve", **asked)
    expect(page.locator("#solution .line")).to_have_text(f"next: {' '.join(line['solution'])} …")
    page.get_by_text("Play on from here").click()
    expect_state(page, line["states"][0])
    page.click("#hint")
    expect(page.locator("#hint-text")).to_have_text(f"{distance - half - 1:,} moves to go.")


def test_without_a_table_a_search_answers(page: Page) -> None:
    """It tells what that takes; to build a table is no visitor's business."""
    open_puzzle(page, "sliding-2x2", "0132")
    expect(page.locator("#searched")).to_contain_text(
        "Near the goal it is quick. Farther away it takes up to a minute"
    )
    expect(page.locator("main")).not_to_contain_text("puzzlebase build")
    page.click("#truth summary")
    found = lookup_of(page, "sliding-2x2", state_of(page))
    assert set(found) >= COMMON
    assert found["source"] == "search"
    expect(page.locator("#truth .tile")).to_have_count(len(found["moves"]))
    page.click("#solution summary")
    expect(page.locator("#solution .where")).to_have_text(f"0 of {found['distance']} moves")
    page.locator("#solution input").fill(str(found["distance"]))
    expect(page.locator("#solution .line")).to_have_text("solved")
    page.click("#all-states summary")
    expect(page.locator("#all-states .body")).to_contain_text("Only a table knows")


def test_the_line_of_a_construction_is_played_by_amounts(page: Page) -> None:
    """Its bounds are told as they are, and its moves are those of `solve`,
    whose names the board does not list.
    """
    start = "60,40,0,0/40,60,0,0/0,0,90,10/0,0,10,90"
    open_puzzle(page, "quantum-2x2-100", start)
    line = answer_of(page, "quantum-2x2-100/solve", state=start, states="true")
    assert not line["exact"]
    expect(page.locator("#searched")).to_have_count(0)
    button, printed = page.locator("#hint"), page.locator("#hint-text")
    bounds = f"At least {line['lower_bound']} moves to go, at most {line['upper_bound']}."
    group = f"tile {line['solution'][0][1]}"
    for text in ("", f" A way begins with: {group}.", f" Play {line['solution'][0]}: {group}."):
        button.click()
        expect(printed).to_have_text(bounds + text)
    button.click()
    expect(printed).to_contain_text(f"A solution: {' '.join(line['solution'][:5])}")
    button.click()
    expect_state(page, line["states"][1])
    expect(printed).not_to_contain_text(bounds)
    page.locator("#solution summary").click()
    rest = answer_of(page, "quantum-2x2-100/solve", state=line["states"][1])["solution"]
    expect(page.locator("#solution .where")).to_have_text(f"0 of {len(rest)} moves")
    page.get_by_role("button", name="Last", exact=True).click()
    expect(page.locator("#solution .line")).to_have_text("solved")
