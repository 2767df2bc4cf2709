"""Published tables in the browser: the answers of the service from static files,
on good hosts, bad ones and liars.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from shutil import copytree
from urllib.parse import parse_qsl

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from puzzlebase.plugins.publish.block_files import write_blocks
from puzzlebase.plugins.publish.tests.test_alike import LEVELS
from puzzlebase.puzzles import PuzzleError, discovery
from puzzlebase.service.answers import lookups, random_states
from puzzlebase.service.error_status import problem_of
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from tests.browser.chromium import visiting
from tests.browser.hosts import FileServer, hosting
from tests.commands import command, ran
from tests.documents import assert_shown, examples, fenced
from tests.fixtures import build_table
from tests.matrix import only
from tests.proofs.published import compare

from .conftest import TABLES
from .playing import watched

DOCUMENT = Path(__file__).parents[4] / "plugins" / "publish" / "README.md"
LEVELS_DOCUMENT = DOCUMENT.parents[1] / "levels" / "README.md"
STATES = 10

READER = 40_000  # bytes of the modules that lookups need
TABLE = "import('/puzzlebase.js').then((module) => { globalThis.table = module.table; })"


@pytest.fixture(scope="module")
def opened(
    data: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], OpenTable]]:
    """Opens the table of a puzzle of each family, or of the level water."""
    folder, built = tmp_path_factory.mktemp("levels"), tmp_path_factory.mktemp("built")
    (folder / "water.tubes").write_text(LEVELS["water.tubes"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PUZZLEBASE_PUZZLES", str(folder))
        discovery.forget()
        build_table(built, "water")
        yield lambda name: Sources(built if name == "water" else data).table(name, None)
    discovery.forget()


@pytest.fixture(scope="module")
def published(
    published: Path, opened: Callable[[str], OpenTable], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The puzzles that other tests have, and the level water."""
    folder = copytree(published, tmp_path_factory.mktemp("published"), dirs_exist_ok=True)
    ran(opened("water").table.header.path.parent, "publish", "water", str(folder))
    return folder


@pytest.fixture
def host(published: Path) -> Iterator[FileServer]:
    with hosting(published) as server:
        yield server


@pytest.fixture
def reader(chromium: Browser, host: FileServer) -> Iterator[Page]:
    """A page of the host that has the reader."""
    with visiting(chromium) as context, watched(context.new_page(), "status of 404") as page:
        page.goto(f"{host.address}/")
        page.evaluate(TABLE)
        yield page


def wrong_texts(source: OpenTable) -> Iterator[str]:
    """Texts near states: with another letter, or with one of no state;
    two exchanged; one too many; one lacking.
    """
    random = Random(5)
    for number in range(STATES):
        text = random_states.random_state(source, seed=f"{number}")["state"]
        one, other = random.sample(range(len(text)), 2)
        for letter in (text[other], "?"):
            yield text[:one] + letter + text[one + 1 :]
        exchanged = [*text]
        exchanged[one], exchanged[other] = text[other], text[one]
        yield "".join(exchanged)
        yield text[:one] + text[one + 1 :]
        yield text + text[one]
    yield ""


@pytest.mark.slow(10)
@pytest.mark.parametrize("name", only({"novice", "panex-2"}.__contains__, TABLES))
def test_what_is_no_state_of_the_table_is_refused(
    name: str, opened: Callable[[str], OpenTable], reader: Page
) -> None:
    """All that the service refuses, and what no goal can be reached from."""
    source = opened(name)
    texts = [*wrong_texts(source)]
    found = reader.evaluate(
        """async ([name, texts]) => {
            const puzzle = await table(`/${name}`);
            const answered = ({ distance }) => [200, distance];
            const refused = ({ status }) => [status, null];
            return Promise.all(texts.map((text) => puzzle.lookup(text).then(answered, refused)));
        }""",
        [name, texts],
    )
    wanted = [lookup_or_status(source, text) for text in texts]
    for text, [status, distance], [_, expected] in zip(texts, found, wanted, strict=True):
        assert distance == expected, text
        assert status in ((400, 422) if expected is None else (200,)), text


STATE = "RBBBBBBBBBBBBRRRRRRRR"
FIELDS = """
hint?level=1 hint?level=4 hint?level=0 hint?level=5 hint?level=1.5
solve?limit=2 solve?limit=0 solve?limit=10001 solve?offset=-1 solve?offset=9
solve?all=1000 solve?all=1001 solve?max=3
lookup?max_states=5 lookup?max_states=-1 lookup?max_seconds=0.5
antipodes?limit=10000 antipodes?limit=10001 antipodes?offset=-1 antipodes?page=2
random?seed=a&percentile=33.3 random?percentile=101 random?seed=a&max=3
random?min=-1 random?distance=99
random?distance=3&percentile=50 random?lost=true random?dificulty=easy random?difficulty=esay
random?seed=a&turns=1000 random?turns=1001 random?walk=any
random?daily=2026-11-21 random?daily=2026-02-30 random?daily=21.11.2026 random?daily=today&seed=a
"""
"""Addresses of novice, right ones and wrong ones; those of one state lack it."""
GAMES: list[dict[str, object]] = [
    {},
    {"stars": [1, 0]},
    {"hints": [5]},
    {"moves": ["X"]},
    {"moves": ["R", "R'"] * 5_001},
]


def test_fields_are_refused_as_by_the_service(data: Path, reader: Page) -> None:
    client = create_app(data).test_client()
    asked = [
        (verb, dict(parse_qsl(fields)))
        for verb, fields in (each.split("?") for each in FIELDS.split())
    ]
    asked = [
        (verb, fields if verb[0] in "ar" else {"state": STATE} | fields) for verb, fields in asked
    ]
    games = [
        (verb, {"state": STATE, "moves": ["R"]} | game)
        for game in GAMES
        for verb in ("hint", "grade")
    ]
    found = reader.evaluate(
        """async (asked) => {
            const { opened } = await import("/source/folder.js");
            const source = await opened("/novice/");
            return Promise.all(asked.map((given) =>
                source.answer(...given).then(() => 200, ({ status }) => status)));
        }""",
        [*asked, *games],
    )
    told = [client.get(f"/v1/puzzles/novice/{verb}", query_string=fields) for verb, fields in asked]
    told += [client.post(f"/v1/puzzles/novice/{verb}", json=game) for verb, game in games]
    assert found == [each.status_code for each in told]


def lookup_or_status(source: OpenTable, text: str) -> list[int | None]:
    """The status of a lookup, and the distance if it is answered."""
    try:
        return [200, lookups.lookup(source, text)["distance"]]
    except PuzzleError as error:
        told = problem_of(error)
        return [told and told["status"], None]


@pytest.mark.slow(60)
@pytest.mark.matrix
@pytest.mark.parametrize("name", ["avenger", "panex-5"])
def test_answers_about_large_tables(name: str, tmp_path: Path, chromium: Browser) -> None:
    """Colours with any names, and texts of columns.
    `python -m tests.proofs.published` compares 100,000 states.
    """
    build_table(tmp_path, name)
    ran(tmp_path, "publish", name, str(tmp_path / "published"))
    source = Sources(tmp_path).table(name)
    with (
        hosting(tmp_path / "published") as host,
        visiting(chromium) as context,
        watched(context.new_page()) as page,
    ):
        page.goto(host.address)
        compare(source, page, states=2000, games=50)


LOOKUPS = """async ([name, texts, whole]) => {
    try {
        const puzzle = await table(`/${name}`, { whole });
        const found = [];
        for (const text of texts) {
            const { moves } = await puzzle.lookup(text);
            found.push(moves.map(({ distance }) => distance));
        }
        return found;
    } catch (error) {
        const unreadable = error.name === "Unreadable" && error.hint;
        return unreadable ? `${error.message}; ${error.hint}` : `${error}`;
    }
}"""


@pytest.fixture(scope="module")
def novice(data: Path) -> tuple[list[str], list[list[int]]]:
    """States of novice, and the distances after their moves."""
    source = Sources(data).table("novice", None)
    texts = [random_states.random_state(source, seed=f"{number}")["state"] for number in range(10)]
    return texts, [
        [move["distance"] for move in lookups.lookup(source, text)["moves"]]  # type: ignore[misc]
        for text in texts
    ]


def test_ranges_are_enough(
    host: FileServer, reader: Page, novice: tuple[list[str], list[list[int]]]
) -> None:
    texts, distances = novice
    host.asked.clear()
    assert reader.evaluate(LOOKUPS, ["novice", texts, 0]) == distances
    asked = [each for each in host.asked if each.startswith("/novice/")]
    assert all("bytes=" in each for each in asked if "distances" in each)
    modules = [
        "modules/problem.js",
        "modules/service_address.js",
        *(each.lstrip("/") for each in host.asked if each.startswith(("/rules/", "/source/"))),
    ]
    assert sum((host.folder / module).stat().st_size for module in modules) <= READER
    assert len(asked) == 1 + 1 + 2, "the header, the index of a file, two blocks: each once"


@pytest.mark.parametrize("count", [50, pytest.param(4000, marks=pytest.mark.matrix)])
def test_a_host_without_ranges(tmp_path: Path, host: FileServer, reader: Page, count: int) -> None:
    """Its files are fetched whole. A block for each number:
    4,000 are more than are kept of a large table.
    """
    numbers = np.arange(count) % 14
    header = write_blocks(tmp_path, lambda first, end: numbers[first:end], count, "digest", block=1)
    reader.evaluate("import('/source/files.js').then((module) => { globalThis.files = module; })")
    host.folder, host.ranges = tmp_path, False
    found = reader.evaluate(
        """([header, count]) => {
            const folder = new files.Folder(new URL("/", location.href));
            const blocks = new files.Blocks(folder, header, "digest", 0);
            return blocks.values(Array.from({ length: count }, (_, at) => at));
        }""",
        [header, len(numbers)],
    )
    assert found == numbers.tolist()


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


def test_a_file_of_another_release(
    published: Path,
    tmp_path: Path,
    reader: Page,
    host: FileServer,
    novice: tuple[list[str], list[list[int]]],
) -> None:
    """Files of two tables side by side are an error, never an answer."""
    folder = copied(published, tmp_path)
    (folder / "novice" / "distances.0").write_bytes(
        (folder / "sliding-2x3" / "distances.0").read_bytes()
    )
    host.folder = folder
    for whole in (0, 1 << 20):
        assert "publish the table once more" in reader.evaluate(
            LOOKUPS, ["novice", novice[0], whole]
        )


@pytest.mark.slow(20)
@pytest.mark.parametrize("name", only("panex-2".__eq__, ["novice", "panex-2", "water"]))
def test_a_flipped_byte_is_an_error_or_changes_nothing(
    name: str, opened: Callable[[str], OpenTable], published: Path, reader: Page
) -> None:
    """In every kind of file that the reader reads: for lookups, boards and random states."""
    source = opened(name)
    texts = [random_states.random_state(source, seed=f"{number}")["state"] for number in range(5)]
    random = np.random.default_rng(5)
    files = sorted(
        {path.name for path in (published / name).iterdir()} - {"goal.svg", "index.html"}
    )
    flips = [
        [
            file,
            int(random.integers((published / name / file).stat().st_size)),
            int(random.integers(1, 256)),
        ]
        for file in files
        for _ in range(20)
    ]
    found = reader.evaluate(
        """async ([name, texts, flips]) => {
            const fetched = new Map();
            const results = [];
            for (const [file, at, bits] of flips) {
                const fetching = async (address) => {
                    const key = String(address);
                    if (!fetched.has(key))
                        fetched.set(key, await (await fetch(address)).arrayBuffer());
                    const bytes = new Uint8Array(fetched.get(key).slice(0));
                    if (key.endsWith(`/${file}`)) bytes[at] ^= bits;
                    return new Response(bytes);
                };
                try {
                    const puzzle = await table(`/${name}`, { fetching });
                    const all = [await puzzle.random({ difficulty: "easy", seed: "1" })];
                    for (const text of texts)
                        all.push(await puzzle.lookup(text), await puzzle.board(text));
                    results.push(JSON.stringify(all));
                } catch (error) {
                    results.push(error.hint ? error.name : `${error}`);
                }
            }
            return results;
        }""",
        [name, texts, [["none", 0, 0], *flips]],
    )
    right = found.pop(0)
    assert [each["state"] for each in json.loads(right)[1::2]] == texts
    results = zip(flips, found, strict=True)
    assert not [
        (flip, result[:99]) for flip, result in results if result not in ("Unreadable", right)
    ]
    assert found.count("Unreadable") > len(flips) / 4, "much of an index fills it up"


@pytest.mark.parametrize("file", ["after.0", "looks.0"])
def test_the_element_says_what_is_wrong_with_a_file(
    published: Path, tmp_path: Path, reader: Page, host: FileServer, file: str
) -> None:
    """In words, in place of the board: where a byte is another,
    the file is of another table, or is not there.
    """
    for number, changed in enumerate(("flipped", "of another table", "gone")):
        folder = copied(published, tmp_path / f"{number}")
        path = folder / "water" / file
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(
            content if changed == "flipped" else (folder / "cross" / file).read_bytes()
        )
        if changed == "gone":
            path.unlink()
        host.folder = folder
        reader.evaluate("document.body.innerHTML = '<puzzle-base src=\"/water/\"></puzzle-base>'")
        expect(reader.locator("puzzle-base .error")).to_contain_text(f"/water/: {file}")
        expect(reader.locator("puzzle-base .error .remedy")).to_contain_text(
            "publish the table once more"
        )


def test_the_document_publishes_and_plays(data: Path, tmp_path: Path, chromium: Browser) -> None:
    """Its first command writes the folder that the page which it shows has beside itself.
    A strict policy holds.
    """
    example = examples(DOCUMENT)[0]
    done = command(data, *shlex.split(example.command)[1:], folder=tmp_path)
    assert_shown(example, done.stdout)
    (tmp_path / "game.html").write_text(
        f"<!doctype html><title>Game</title>{fenced(DOCUMENT, 'html')[0]}"
    )
    with (
        hosting(tmp_path) as host,
        visiting(chromium) as context,
        watched(context.new_page()) as page,
    ):
        page.goto(f"{host.address}/game.html")
        element = page.locator("puzzle-base")
        expect(element.locator("svg.board .pieces > g")).to_have_count(21)
        hint = element.get_by_role("button", name="Hint")
        for _ in range(4 + 6):  # levels, and the moves of an easy game
            hint.dispatch_event("click")
            expect(hint).to_have_attribute("aria-busy", "false")
        expect(element.locator(".stars")).to_have_attribute("aria-label", "2 of 3 stars")
        host.server_close()
        element.get_by_role("button", name="Undo").click()
        expect(element.locator(".stars")).not_to_be_visible()
        expect(element.locator(".chip")).to_have_count(10)


@pytest.mark.slow(20)
def test_a_level_of_ones_own_is_played_on_a_host_of_files(
    tmp_path: Path, chromium: Browser
) -> None:
    """The command of the document publishes the first level of plugins/levels/README.md,
    from a file alone.
    """
    (tmp_path / "first.xsb").write_text(fenced(LEVELS_DOCUMENT, "text")[0])
    (example,) = [each for each in examples(DOCUMENT) if "first.xsb" in each.command]
    done = command(tmp_path / "tables", *shlex.split(example.command)[1:], folder=tmp_path)
    assert "it is built first" in done.stderr
    assert_shown(example, done.stdout)
    with (
        hosting(tmp_path / "site") as host,
        visiting(chromium) as context,
        watched(context.new_page()) as page,
    ):
        page.goto(f"{host.address}/first/index.html")
        expect(page.locator("svg.board .pieces > g")).to_have_count(3)
        for move in ("c5r", "g3r"):
            page.locator("#moves").get_by_text(move, exact=True).click()
        page.click("#hint")
        expect(page.locator("#hint-text")).to_have_text(
            "This can no longer be won.Take back 2 moves"
        )


def copied(folder: Path, to: Path) -> Path:
    """A copy of a published folder, of its tables alone."""
    for path in folder.glob("*/*"):
        (to / path.parent.name).mkdir(parents=True, exist_ok=True)
        (to / path.parent.name / path.name).write_bytes(path.read_bytes())
    return to
