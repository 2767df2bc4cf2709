"""<puzzle-base> and the client on a page of another origin,
as plugins/page/README.md shows them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from puzzlebase.puzzles import find
from tests.browser.hosts import answering
from tests.serving import Served

from .playing import board_of, lookup_of, strike, violations, visitor, watched

DOCUMENT = Path(__file__).parents[4] / "plugins" / "page" / "README.md"
ADDRESS = "http://127.0.0.1:8080"
pytestmark = pytest.mark.slow(2)

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"
"""Five moves from solved (docs/http-api.md)."""
SOLUTION = ("R", "L", "R'", "L2'", "R")
"""The solution of NOVICE (plugins/page/README.md)."""
FAILED = "Failed to load resource"


def blocks(language: str) -> list[str]:
    """The code that the document shows, with no address but the test's."""
    return re.findall(
        rf"^```{language}\n(.*?)^```", DOCUMENT.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder that another server serves, and its address: another origin than the service's."""
    # some browsers ask for one, and the console says where there is none
    (tmp_path / "favicon.ico").touch()
    with serving_files(tmp_path) as address:
        yield tmp_path, address


@contextmanager
def serving_files(folder: Path) -> Iterator[str]:
    """The address of a server of a folder."""
    with answering(
        ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    ) as server:
        yield f"http://127.0.0.1:{server.server_address[1]}"


def test_the_page_of_the_document_plays(
    chromium: Browser, site: Served, elsewhere: tuple[Path, str]
) -> None:
    folder, origin = elsewhere
    source, _ = blocks("html")
    (folder / "game.html").write_text(source.replace(ADDRESS, site.address), "utf-8")
    with (
        visitor(chromium, site, reduced_motion="reduce") as context,
        watched(context.new_page()) as page,
    ):
        page.goto(f"{origin}/game.html")
        element = page.locator("puzzle-base")
        expect(element.locator("svg.board .pieces > g")).to_have_count(21)
        for _ in range(4):
            element.get_by_role("button", name="Hint").click()
            expect(element.locator(".hint-text")).to_contain_text("moves to go")
        distance = lookup_of(
            page, "novice", page.evaluate("document.querySelector('puzzle-base').state")
        )["distance"]
        for left in range(distance, 0, -1):
            expect(element.locator(".hint-text")).to_contain_text(f"{left} move")
            element.get_by_role("button", name="Hint").click()
        expect(page.locator("#log")).to_contain_text(f"solved in {distance} moves, 2 stars")
        expect(element.locator(".stars")).to_have_attribute("aria-label", "2 of 3 stars")
        element.get_by_role("button", name="Undo").click()
        assert page.evaluate("document.querySelector('puzzle-base').moves.length") == distance - 1


def test_the_client_alone(context: BrowserContext, site: Served) -> None:
    """The document's program says what the document shows."""
    (program,) = blocks("javascript")
    (shown,) = blocks("text")
    imported = re.sub(
        r'^import (.*) from "(.*)";$',
        r'const \1 = await import("\2");',
        program,
        flags=re.MULTILINE,
    )
    with watched(context.new_page(), "status of 400") as page:
        page.goto(f"{site.address}/play/novice")
        printed = page.evaluate(
            """async (program) => {
                const said = [];
                const run = Object.getPrototypeOf(async () => {}).constructor;
                const log = (...words) => said.push(words.join(" "));
                await new run("console", program)({ log });
                return said;
            }""",
            imported.replace(ADDRESS, site.address),
        )
    assert printed == shown.splitlines()


OwnPage = Callable[..., AbstractContextManager[Page]]


@pytest.fixture
def own_page(chromium: Browser, site: Served, elsewhere: tuple[Path, str]) -> OwnPage:
    """Opens a page of one's own with the element's script first,
    which notes the element's events in `told`.

    It takes the page's body, the words that its console may say,
    and options of the browser's context.
    """
    folder, origin = elsewhere

    @contextmanager
    def opened(body: str, *expected: str, **options: Any) -> Iterator[Page]:
        start = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Own</title>
            <script>const told = []; for (const type of ["move", "solved", "problem"])
                addEventListener(type, ({{ detail }}) =>
                    told.push([type, detail.kind ?? `${{detail.error}}`, detail]));
            </script>
            <script type="module" src="{site.address}/puzzlebase.js"></script><main><h1>Own</h1>"""
        (folder / "own.html").write_text(start + body, "utf-8")
        with (
            visitor(chromium, site, reduced_motion="reduce", **options) as context,
            watched(context.new_page(), *expected) as page,
        ):
            page.goto(f"{origin}/own.html")
            yield page

    return opened


def game(page: Page) -> Locator:
    return page.locator("puzzle-base")


def play(page: Page, *moves: str) -> None:
    """Play moves by their buttons."""
    for move in moves:
        after = find("novice").play(game(page).evaluate("element => element.state"), move)
        game(page).locator(".chip").get_by_text(move, exact=True).click()
        expect(game(page).locator("svg.board")).to_have_attribute("data-state", after)


def expect_begun(page: Page, state: str) -> None:
    """Wait until the board has this state, and the element says so."""
    expect(game(page).locator("svg.board")).to_have_attribute("data-state", state)
    assert page.evaluate("document.querySelector('puzzle-base').state") == state


def set_on(page: Page, **properties: object) -> None:
    """Set properties of the element, all at once."""
    page.evaluate(
        "given => Object.assign(document.querySelector('puzzle-base'), given)", properties
    )


def told(page: Page, kind: str) -> list[Any]:
    """The details of the events of a kind, in order."""
    found: list[Any] = page.evaluate(
        "kind => told.filter(([type]) => type === kind).map(each => each.slice(1))", kind
    )
    return found


def test_properties_begin_games_and_the_present_state_goes_on(own_page: OwnPage) -> None:
    with own_page("<puzzle-base></puzzle-base>") as page:
        expect(game(page)).to_contain_text("No puzzle is named here")
        set_on(page, puzzle="novice", state=NOVICE)
        expect_begun(page, NOVICE)
        after = next(
            move["after"]
            for move in board_of(page, "novice", NOVICE)["moves"]
            if move["move"] == "R"
        )
        assert page.evaluate("document.querySelector('puzzle-base').play('R')")
        expect_begun(page, after)
        set_on(page, state=after, puzzle="novice", hints=True)
        expect(game(page).get_by_role("button", name="Hint")).to_be_visible()
        assert page.evaluate("document.querySelector('puzzle-base').moves") == ["R"]
        assert game(page).get_attribute("state") == after
        page.evaluate(
            "document.querySelector('main').append(document.querySelector('puzzle-base'))"
        )
        assert page.evaluate("document.querySelector('puzzle-base').moves") == ["R"], (
            "it was only moved"
        )
        set_on(page, state=NOVICE)
        expect_begun(page, NOVICE)
        set_on(page, state=None, puzzle="panex-2", hints=False)
        expect_begun(page, "ab||AB")
        assert not page.evaluate("document.querySelector('puzzle-base').hasAttribute('state')")
        expect(game(page).get_by_role("button", name="Hint")).to_be_hidden()
        assert not told(page, "problem")


def test_a_difficulty_and_the_position_of_the_day(own_page: OwnPage) -> None:
    """The day's position is that of the page, `medium` where there are difficulties."""
    with own_page('<puzzle-base puzzle="novice" daily buttons="next"></puzzle-base>') as page:
        about = page.request.get("/v1/puzzles/novice").json()
        daily = page.request.get("/v1/puzzles/novice/random?daily=today&difficulty=medium").json()[
            "state"
        ]
        expect_begun(page, daily)
        assert page.evaluate("document.querySelector('puzzle-base').daily") is True
        page.evaluate("told.length = 0")
        ranges = {
            each["name"]: (each["min"], each["max"])
            for each in about["difficulties"] + about["levels"]
        }
        for name, value in (("easy", "easy"), ("4", 4)):
            low, high = ranges[name]
            set_on(page, daily=False, difficulty=value)
            begun(page)
            for _ in range(2):
                assert low <= distance_of(page) <= high
                game(page).get_by_role("button", name="Next").click()
                begun(page)
        set_on(page, difficulty=None, state=NOVICE)
        expect_begun(page, NOVICE)
        page.evaluate("told.length = 0")
        game(page).get_by_role("button", name="Next").click()
        begun(page)
        word = next(name for name, (low, high) in ranges.items() if low <= 5 <= high)
        assert ranges[word][0] <= distance_of(page) <= ranges[word][1]


def begun(page: Page) -> None:
    """Wait until another game has begun since the last call."""
    page.wait_for_function("told.some(([type, kind]) => kind === 'begin')")
    page.evaluate("told.length = 0")


def distance_of(page: Page) -> int:
    state = page.evaluate("document.querySelector('puzzle-base').state")
    distance: int = lookup_of(page, "novice", state)["distance"]
    return distance


WRONG = [
    ({"puzzle": "avanger"}, "there is no puzzle 'avanger'", "did you mean 'avenger'?"),
    ({"state": "nonsense"}, "'nonsense' has 8 letters, not 21", "a state of novice looks like"),
    ({"state": "", "difficulty": "silly"}, "no difficulty is 'silly'", "give one of first, easy"),
    ({"service": "ftp://x"}, "'ftp://x' is no address of a service.", "Set the attribute service"),
    ({"service": "/"}, "is not that of a service: 404", "Is this the address of a service"),
]
"""Properties, and the words about them."""


def test_what_cannot_be_played_is_said_and_healed(own_page: OwnPage) -> None:
    """Words in place of the board, one problem event,
    nothing thrown, no hint; with right values the game begins.
    """
    body = (
        f'<puzzle-base puzzle="novice" state="{NOVICE}" hints stars picture buttons="undo '
        'next"></puzzle-base>'
    )
    with own_page(body, FAILED) as page:
        expect_begun(page, NOVICE)
        error = game(page).get_by_role("alert")
        for number, (properties, wrong, remedy) in enumerate(WRONG, 1):
            before = page.evaluate(
                "names => Object.fromEntries(names.map(name => [name, "
                "document.querySelector('puzzle-base')[name]]))",
                [*properties],
            )
            set_on(page, **properties)
            expect(error).to_contain_text(wrong)
            expect(error).to_contain_text(remedy)
            assert "tiles-RxC" not in error.inner_text(), "no grammar of names"
            expect(game(page).locator("button:visible, .board:visible, img:visible")).to_have_count(
                0
            )
            assert len(told(page, "problem")) == number
            assert page.evaluate("document.querySelector('puzzle-base').play('R')") is False
            page.evaluate("document.querySelector('puzzle-base').hint()")
            page.evaluate("document.querySelector('puzzle-base').scramble()")
            set_on(page, **{**before, "state": NOVICE})
            expect_begun(page, NOVICE)
            expect(error).to_be_hidden()
            expect(game(page).get_by_role("button", name="Hint")).to_be_enabled()
            assert len(told(page, "problem")) == number


def test_a_service_that_comes_later_is_found(own_page: OwnPage) -> None:
    body = "<p>Wait</p>"
    with own_page(body, FAILED) as page:
        page.wait_for_function("customElements.get('puzzle-base') !== undefined")
        page.route("**/v1/**", lambda route: route.abort())
        page.route("**/healthz", lambda route: route.abort())
        page.evaluate(f"""() => {{
            const element = document.createElement("puzzle-base");
            Object.assign(element, {{ puzzle: "novice", state: "{NOVICE}" }});
            document.querySelector("main").append(element);
        }}""")
        expect(game(page).get_by_role("alert")).to_contain_text("cannot be reached")
        page.unroute("**/v1/**")
        page.unroute("**/healthz")
        expect_begun(page, NOVICE)
        assert len(told(page, "problem")) == 1


def test_solved_tells_what_was_shown_and_a_reload_forgets_none_of_it(own_page: OwnPage) -> None:
    body = f'<puzzle-base puzzle="novice" state="{NOVICE}" hints stars></puzzle-base>'
    with own_page(body) as page:
        hint = game(page).get_by_role("button", name="Hint")
        for stars, levels, shown in ((3, 2, False), (2, 4, True), (2, 0, True)):
            expect_begun(page, NOVICE)
            for _ in range(levels):
                hint.click()
                expect(hint).to_have_attribute("aria-busy", "false")
            play(page, *SOLUTION)
            expect(game(page).locator(".stars")).to_have_attribute(
                "aria-label", f"{stars} of 3 stars"
            )
            ((_, solved),) = told(page, "solved")
            assert (solved["stars"], solved["shown"], solved["wasted"]) == (stars, shown, 0)
            assert {*solved["hints"]} >= {*range(1, levels + 1)}
            assert hint.get_attribute("aria-disabled") == "true"
            page.reload()


def test_keys_do_what_they_do_on_the_page(own_page: OwnPage) -> None:
    body = f'<puzzle-base puzzle="novice" state="{NOVICE}"></puzzle-base>'
    with own_page(body) as page:
        expect_begun(page, NOVICE)
        page.evaluate("document.querySelector('puzzle-base').focus()")
        board = game(page).locator("svg.board")
        expect(board).to_be_focused()
        after = board_of(page, "novice", NOVICE)["moves"]
        strike(board, "l2'")
        expect_begun(page, next(move["after"] for move in after if move["move"] == "L2'"))
        page.keyboard.press("Control+z")
        expect_begun(page, NOVICE)
        page.keyboard.press("Control+Shift+z")
        assert page.evaluate("document.querySelector('puzzle-base').moves") == ["L2'"]
        assert board.evaluate("board => getComputedStyle(board).outlineStyle") == "solid"
        set_on(page, puzzle="sliding-2x3", state="120453")
        expect_begun(page, "120453")
        page.evaluate("document.querySelector('puzzle-base').focus()")
        page.keyboard.press("ArrowRight")
        expect_begun(page, "102453")


def test_themes_and_art(own_page: OwnPage, elsewhere: tuple[Path, str]) -> None:
    """The example of the document; then colours alone, patterns,
    and letters where colours do not tell.
    """
    _, example = blocks("html")
    art = elsewhere[0] / "art"
    art.mkdir()
    for tile in range(1, 6):
        (art / f"{tile}.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>', "utf-8")
    with own_page(example) as page:
        wheels, tiles = page.locator("#wheels"), page.locator("#tiles")
        red = wheels.locator("[part~=colour-d8433b]")
        expect(red.first).to_have_css("fill", "rgb(255, 215, 0)")
        expect(wheels.locator(".pieces text").first).to_have_css("fill", "rgb(0, 0, 0)")
        expect(tiles.locator("image")).to_have_count(5)
        hrefs = tiles.locator("image").evaluate_all("all => all.map(each => each.href.baseVal)")
        assert {*hrefs} == {f"art/{tile}.svg" for tile in range(1, 6)}
        expect(tiles.locator("defs rect")).to_have_count(0)
        expect(tiles.locator(".pieces")).to_have_text("")
        expect(tiles.locator(".chips")).to_be_hidden()
        expect(wheels.locator(".pieces")).to_have_text(re.compile("^[BR]{21}$"))
        for theme, patterns in (("colours", 0), ("patterns", 2)):
            wheels.evaluate("(element, theme) => (element.theme = theme)", theme)
            expect(wheels.locator(".pieces")).to_have_text("")
            expect(wheels.locator("pattern")).to_have_count(patterns)
        page.evaluate(
            "Object.assign(document.querySelector('#tiles'), { theme: 'colours', hide: '' })"
        )
        expect(tiles.locator(".pieces")).to_have_text(re.compile("^[1-5]{5}$"))


ACCENTS = ("#ffd000", "#888888", "#101010")


def test_looks_follow_the_page_and_stay_readable(own_page: OwnPage) -> None:
    """On an accent of one's own,
    and on a page that is light whatever the system is, or dark as the system is.
    """
    body = f"""<style>
            puzzle-base::part(moves) {{ gap: 11px }} puzzle-base {{ --puzzle-line: rgb(1, 2, 3) }}
        </style>
        <puzzle-base puzzle="novice" state="{NOVICE}" hints picture
            buttons="undo redo restart next"></puzzle-base>"""
    with own_page(body, color_scheme="dark", viewport={"width": 390, "height": 800}) as page:
        expect_begun(page, NOVICE)
        game(page).get_by_role("button", name="Hint").click()
        expect(game(page).locator(".hint-text")).to_have_text("5 moves to go.")
        for declared in ("normal", "light dark"):
            page.evaluate("value => (document.documentElement.style.colorScheme = value)", declared)
            paper = game(page).evaluate("element => getComputedStyle(element).backgroundColor")
            assert paper == ("rgb(255, 255, 255)" if declared == "normal" else "rgb(27, 32, 39)")
            for accent in ACCENTS:
                page.evaluate(
                    "value => "
                    "document.querySelector('puzzle-base').style.setProperty('--puzzle-accent', "
                    "value)",
                    accent,
                )
                assert not violations(page, "wcag2a", "wcag2aa"), accent
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        parts = {
            "board",
            "piece",
            "letter",
            "colour-2f6fde",
            "colour-d8433b",
            "button",
            "main",
            "move",
            "moves",
            "hint",
            "end",
            "error",
            "goal",
            "typed",
            "told",
        }
        inside = "document.querySelector('puzzle-base').shadowRoot.querySelectorAll('[part]')"
        assert parts == {*page.evaluate(f"[...{inside}].flatMap(each => [...each.part])")}
        assert (
            game(page).locator(".chips").evaluate("chips => getComputedStyle(chips).columnGap")
            == "11px"
        )
        assert (
            game(page).evaluate("element => getComputedStyle(element).borderTopColor")
            == "rgb(1, 2, 3)"
        )
