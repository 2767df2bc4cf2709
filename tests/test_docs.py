"""The documents are run: every command in them, and the answers they show."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import pytest
from flask.testing import FlaskClient

from service.app import create_app

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent


class Example(NamedTuple):
    """A command in a document and the output shown under it; "..." stands for anything."""

    command: str
    shown: str


def fenced(document: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", document.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def examples(document: Path) -> list[Example]:
    found = []
    for block in fenced(document, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            found.append(Example(command, shown))
    assert found, f"{document.name} shows no command"
    return found


def assert_shown(example: Example, output: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(example.shown, output, flags), f"$ {example.command}\n{output}"


def run(example: Example, folder: Path, data: Path) -> str:
    program, *words = shlex.split(example.command)
    programs = {
        "puzzlebase": [sys.executable, "puzzlebase.py", "--data", str(data)],
        "python": [sys.executable],
    }
    done = subprocess.run(
        [*programs[program], *words], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.replace(str(data), "data")


def test_adding_a_puzzle(tmp_path: Path) -> None:
    """The page's puzzle, added to a copy of the tree by its one file: built, verified, looked up, its laws tested."""
    copy = tmp_path / "copy"
    ignored = shutil.ignore_patterns(".*", "data", "benchmarks", "*.egg-info")
    shutil.copytree(ROOT, copy, ignore=ignored)
    page = ROOT / "docs" / "adding-a-puzzle.md"
    (puzzle,) = fenced(page, "python")
    (copy / "puzzles" / "pancakes.py").write_text(puzzle, "utf-8")
    for example in examples(page):
        output = run(example, copy, tmp_path / "data")
        assert_shown(example, output)
        if "pytest" in example.command:
            assert re.search(r"\d+ passed", output)
    laws = [sys.executable, "-m", "pytest", "tests/test_puzzles.py", "--collect-only"]
    collected = subprocess.run(laws, cwd=copy, capture_output=True, text=True, timeout=60, check=True).stdout
    assert collected.count("pancake-5") >= 7
    for check in ("ruff check", "ruff format --check", "mypy"):
        words = [str(BIN / check.split()[0]), *check.split()[1:], "puzzles/pancakes.py"]
        done = subprocess.run(words, cwd=copy, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def client(data: Path) -> FlaskClient:
    return create_app(data).test_client()


@pytest.mark.parametrize("document", ["README.md", "docs/http-api.md"])
def test_commands_show_what_they_print(document: str, data: Path, client: FlaskClient) -> None:
    for example in examples(ROOT / document):
        words = shlex.split(example.command)
        if words[0] == "make":
            subprocess.run(["make", "--dry-run", *words[1:]], cwd=ROOT, capture_output=True, check=True)
        elif words[0] == "curl":
            assert_shown(example, requested(words, client))
        else:
            assert_shown(example, run(example, ROOT, data))


def requested(words: list[str], client: FlaskClient) -> str:
    """What curl would print, with the JSON as the documents show it: one field a line, long lists on one."""
    address = urlsplit(next(word for word in words if word.startswith("http://127.0.0.1:8080")))
    path = unquote(address.path) + (f"?{address.query}" if address.query else "")
    if "-d" in words:
        body = words[words.index("-d") + 1]
        response = client.post(path, data=body, content_type="application/json")
    else:
        response = client.get(path)
    if response.content_type == "image/svg+xml; charset=utf-8":
        return response.text
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in json.loads(response.text).items()]
    return "{" + ", ".join(lines) + "}"


def test_every_target_verb_and_address_is_documented(client: FlaskClient) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    api = (ROOT / "docs" / "http-api.md").read_text("utf-8")
    for target in re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE):
        assert f"make {target}" in readme, target
    verbs = subprocess.run([BIN / "puzzlebase", "--help"], capture_output=True, text=True, check=True).stdout
    for verb in re.findall(r"^  (\w+) ", verbs.partition("Commands:")[2], re.MULTILINE):
        assert f"puzzlebase {verb}" in readme, verb
    for path, methods in json.loads(client.get("/openapi.json").text)["paths"].items():
        for method, operation in methods.items():
            heading = f"{method.upper()} {path}"
            assert heading in api, heading
            for field in operation.get("parameters", []):
                assert f"`{field['name']}`" in api.partition(heading)[2], (heading, field["name"])


def test_links_between_documents_lead_somewhere() -> None:
    for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
