"""Published tables in the browser: the answers of the service from static files, on good hosts, bad ones and liars."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from puzzlebase.service.answers import boards, grades, hints, lookups, random_states, solutions
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.table import OpenTable
from tests.browser.conftest import TABLES
from tests.browser.playing import watched
from tests.browser.static_host import FileServer, hosting
from tests.commands import command
from tests.conftest import build_table
from tests.proofs.published import compare
from tests.test_docs import assert_shown, examples

DOCUMENT = Path(__file__).parents[2] / "docs" / "publishing.md"
STATES = 40
READER = 40_000  # bytes of the modules that lookups need


@pytest.fixture(scope="module")
def published(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The table of a puzzle of each family."""
    folder = tmp_path_factory.mktemp("published")
    done = command(data, "publish", *TABLES, str(folder))
    assert done.status in (0, None), done.stderr
    return folder


@pytest.fixture
def host(published: Path) -> Iterator[FileServer]:
    with hosting(published) as server:
        yield server


@pytest.fixture
def reader(chromium: Browser, host: FileServer) -> Iterator[Page]:
    """A page of the host that has the reader."""
    context = chromium.new_context(base_url=host.address)
    with watched(context.new_page(), "status of 404") as page:
        page.goto(f"{host.address}/")
        page.evaluate("import('/puzzlebase.js').then((module) => { globalThis.table = module.table; })")
        yield page
    context.close()


def cases(source: OpenTable) -> list[tuple[str, list[Any], Any]]:
    """Methods of a puzzle with arguments, and what the service answers."""
    random = np.random.default_rng(3)
    found: list[tuple[str, list[Any], Any]] = []
    for number in range(STATES):
        text = random_states.random(source, key=f"{number}")["state"]
        found.append(("lookup", [text], lookups.lookup(source, text)))
        found.append(("solve", [text, {"states": True}], solutions.solve(source, text, states=True)))
        found += [("hint", [text, level], hints.hint(source, text, level)) for level in (1, 2, 3, 4)]
        moves, state = [], text
        for _ in range(random.integers(0, 12)):
            listed = lookups.lookup(source, state)["moves"]
            move = listed[0 if random.random() < 0.6 else random.integers(len(listed))]
            moves.append(move["move"])
            state = move["state"]
        shown = random.integers(1, 5, 2).tolist()
        graded = grades.grade(source, text, moves=moves, hints=shown)
        found.append(("grade", [text, moves, {"hints": shown}], graded))
    return found


@pytest.mark.slow(20)
@pytest.mark.parametrize("name", TABLES)
def test_answers_are_those_of_the_service(name: str, data: Path, reader: Page) -> None:
    asked = cases(Tables(data).get(name, None))
    answers = reader.evaluate(
        """async ([name, cases]) => {
            const puzzle = await table(`/${name}`);
            return Promise.all(cases.map(([method, given]) => puzzle[method](...given)));
        }""",
        [name, [case[:2] for case in asked]],
    )
    for (method, given, wanted), found in zip(asked, answers, strict=True):
        assert found == json.loads(json.dumps(wanted)), (method, given)


@pytest.mark.slow(60)
@pytest.mark.matrix
def test_answers_about_the_avenger(tmp_path: Path, chromium: Browser) -> None:
    """Its colours have any names. `python -m tests.proofs.published` compares 100,000 states."""
    build_table(tmp_path, "avenger")
    done = command(tmp_path, "publish", "avenger", str(tmp_path / "published"))
    assert done.status in (0, None), done.stderr
    with hosting(tmp_path / "published") as host, watched(chromium.new_page()) as page:
        page.goto(host.address)
        compare(Tables(tmp_path).get("avenger"), page, states=2000, games=50)


def drawn(board: Any) -> list[Any]:
    """The pieces of a board in no order, without ids, and the moves with the states after them."""
    pieces = [
        {key: float(value) if key in "xy" else value for key, value in piece.items() if key != "id"}
        for piece in board["pieces"]
    ]
    moves = [(move["move"], move["group"], move["after"]) for move in board["moves"]]
    rest = [board[key] for key in ("puzzle", "goal", "state", "solved", "width", "height", "places")]
    return [sorted(pieces, key=lambda piece: json.dumps(piece, sort_keys=True)), [[*move] for move in moves], *rest]


@pytest.mark.slow(10)
@pytest.mark.parametrize("name", TABLES)
def test_boards_are_those_of_the_service(name: str, data: Path, reader: Page) -> None:
    source = Tables(data).get(name, None)
    texts = [random_states.random(source, key=f"{number}")["state"] for number in range(20)]
    found = reader.evaluate(
        "([name, texts]) => table(`/${name}`).then((puzzle) => Promise.all(texts.map((text) => puzzle.board(text))))",
        [name, texts],
    )
    for text, board in zip(texts, found, strict=True):
        wanted = json.loads(json.dumps(boards.board(source.puzzle, source.goal, text)))
        assert drawn(board) == drawn(wanted)


@pytest.mark.slow(10)
def test_random_states_are_at_the_distance_asked_for(data: Path, reader: Page) -> None:
    """And the scramble leads there from solved, as the puzzle's rules have it."""
    source = Tables(data).get("novice", None)
    layers = source.table.info.layers
    asked: list[dict[str, Any]] = [
        *({"distance": far, "seed": str(n)} for far in range(len(layers)) for n in range(3)),
        {},
        {"daily": "today"},
    ]
    found = reader.evaluate(
        "(asked) => table('/novice').then((puzzle) => Promise.all(asked.map((each) => puzzle.random(each))))", asked
    )
    for options, drawn_state in zip(asked, found, strict=True):
        wanted = lookups.lookup(source, drawn_state["state"])["distance"]
        assert drawn_state["distance"] == wanted == len(drawn_state["scramble"])
        assert options.get("distance", wanted) == wanted
        state = source.goal.states[0]
        for move in drawn_state["scramble"]:
            state = source.puzzle.play(state, move)
        assert state == drawn_state["state"]
    again = reader.evaluate("(asked) => table('/novice').then((puzzle) => puzzle.random(asked))", asked[20])
    assert again == found[20]


LOOKUPS = """async ([name, texts, whole]) => {
    try {
        const puzzle = await table(`/${name}`, { whole });
        const found = [];
        for (const text of texts) found.push((await puzzle.lookup(text)).moves.map(({ distance }) => distance));
        return found;
    } catch (error) {
        return error.name === "Unreadable" && error.hint ? `${error.message}; ${error.hint}` : `${error}`;
    }
}"""


@pytest.fixture(scope="module")
def novice(data: Path) -> tuple[list[str], list[list[int]]]:
    """States of novice, and the distances after their moves."""
    source = Tables(data).get("novice", None)
    texts = [random_states.random(source, key=f"{number}")["state"] for number in range(10)]
    return texts, [[move["distance"] for move in lookups.lookup(source, text)["moves"]] for text in texts]  # type: ignore[misc]


def test_ranges_are_enough(host: FileServer, reader: Page, novice: tuple[list[str], list[list[int]]]) -> None:
    texts, distances = novice
    host.asked.clear()
    assert reader.evaluate(LOOKUPS, ["novice", texts, 0]) == distances
    asked = [each for each in host.asked if each.startswith("/novice/")]
    assert all("bytes=" in each for each in asked if "distances" in each)
    modules = ["modules/problem.js", *(each.lstrip("/") for each in host.asked if each.startswith("/table/"))]
    assert sum((host.folder / module).stat().st_size for module in modules) <= READER
    assert len(asked) == 1 + 1 + 2, "the header, the index of a file, two blocks: each once"


def test_a_host_without_ranges(host: FileServer, reader: Page, novice: tuple[list[str], list[list[int]]]) -> None:
    texts, distances = novice
    host.ranges = False
    assert reader.evaluate(LOOKUPS, ["novice", texts, 0]) == distances


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda part: part[:-1], "other bytes"),
        (lambda part: part + b"x", "other bytes"),
        (lambda part: part[::-1], "damaged"),
        (lambda part: bytes(len(part)), "damaged"),
    ],
)
def test_a_host_that_lies_about_ranges(
    host: FileServer,
    reader: Page,
    novice: tuple[list[str], list[list[int]]],
    change: Callable[[bytes], bytes],
    message: str,
) -> None:
    host.changed = change
    assert message in reader.evaluate(LOOKUPS, ["novice", novice[0], 0])


@pytest.mark.parametrize("missing", ["header.json", "distances.0"])
def test_a_missing_file_is_named(
    published: Path,
    tmp_path: Path,
    reader: Page,
    host: FileServer,
    novice: tuple[list[str], list[list[int]]],
    missing: str,
) -> None:
    folder = copied(published, tmp_path)
    (folder / "novice" / missing).unlink()
    host.folder = folder
    message = reader.evaluate(LOOKUPS, ["novice", novice[0], 0])
    assert missing in message
    assert "404" in message


def test_a_file_of_another_release(
    published: Path, tmp_path: Path, reader: Page, host: FileServer, novice: tuple[list[str], list[list[int]]]
) -> None:
    """Files of two tables side by side are an error, never an answer."""
    folder = copied(published, tmp_path)
    (folder / "novice" / "distances.0").write_bytes((folder / "sliding-2x3" / "distances.0").read_bytes())
    host.folder = folder
    for whole in (0, 1 << 20):
        assert "publish the table once more" in reader.evaluate(LOOKUPS, ["novice", novice[0], whole])


@pytest.mark.slow(20)
@pytest.mark.parametrize("name", ["novice", "panex-2"])
def test_a_flipped_byte_is_an_error_or_changes_nothing(name: str, data: Path, published: Path, reader: Page) -> None:
    source = Tables(data).get(name, None)
    texts = [random_states.random(source, key=f"{number}")["state"] for number in range(5)]
    right = [[move["distance"] for move in lookups.lookup(source, text)["moves"]] for text in texts]
    random = np.random.default_rng(5)
    unread = {"states.json", "goal.svg", "index.html"}  # by lookups
    files = sorted({path.name for path in (published / name).iterdir()} - unread)
    flips = [
        [file, int(random.integers((published / name / file).stat().st_size)), int(random.integers(1, 256))]
        for file in files
        for _ in range(30)
    ]
    found = reader.evaluate(
        """async ([name, texts, flips]) => {
            const fetched = new Map();
            const results = [];
            for (const [file, at, bits] of flips) {
                const fetching = async (address) => {
                    const key = String(address);
                    if (!fetched.has(key)) fetched.set(key, await (await fetch(address)).arrayBuffer());
                    const bytes = new Uint8Array(fetched.get(key).slice(0));
                    if (key.endsWith(`/${file}`)) bytes[at] ^= bits;
                    return new Response(bytes);
                };
                try {
                    const puzzle = await table(`/${name}`, { fetching });
                    const all = [];
                    for (const text of texts) {
                        all.push((await puzzle.lookup(text)).moves.map(({ distance }) => distance));
                    }
                    results.push(all);
                } catch (error) {
                    results.push(error.name);
                }
            }
            return results;
        }""",
        [name, texts, flips],
    )
    results = zip(flips, found, strict=True)
    assert not [(flip, result) for flip, result in results if result not in ("Unreadable", right)]
    assert found.count("Unreadable") > len(flips) / 2


@pytest.mark.parametrize(
    ("text", "message"),
    [("RBBB", "has 4 letters"), ("Q" * 21, 'has "Q"'), ("R" * 21, None)],
)
def test_what_is_no_state_is_told_in_words(reader: Page, text: str, message: str | None) -> None:
    found = reader.evaluate(
        "(text) => table('/novice').then((puzzle) => puzzle.lookup(text)).catch((error) => error.message)", text
    )
    if message:
        assert message in found
    else:
        assert found["solvable"] is False


def test_the_document_publishes_and_plays(data: Path, tmp_path: Path, chromium: Browser) -> None:
    """Its command writes the folder that its page and its program read, and a strict policy lets them."""
    (example,) = examples(DOCUMENT)
    done = command(data, *shlex.split(example.command)[1:], folder=tmp_path)
    assert_shown(example, done.stdout)
    with hosting(tmp_path / "published") as host, watched(chromium.new_page()) as page:
        page.goto(f"{host.address}/novice/index.html")
        element = page.locator("puzzle-base")
        expect(element.locator("svg.board .pieces > g")).to_have_count(21)
        hint = element.get_by_role("button", name="Hint")
        for _ in range(4 + 3):  # levels, and the moves of the first steps
            hint.dispatch_event("click")
            expect(hint).to_have_attribute("aria-busy", "false")
        expect(element.locator(".stars")).to_have_attribute("aria-label", "2 of 3 stars")
        host.server_close()
        element.get_by_role("button", name="Next").click()
        expect(element.locator(".stars")).not_to_be_visible()
        expect(element.locator(".chip")).to_have_count(10)


def copied(folder: Path, to: Path) -> Path:
    """A copy of a published folder, of its tables alone."""
    for path in folder.glob("*/*"):
        (to / path.parent.name).mkdir(exist_ok=True)
        (to / path.parent.name / path.name).write_bytes(path.read_bytes())
    return to
