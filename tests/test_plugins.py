"""Plugins of others, installed as entry points: found,
named in a line where they raise, read only when needed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from puzzlebase.plugins.definitions.tests.small_definitions import CUBE, definitions_from
from puzzlebase.puzzles import UnknownPuzzle, all_families, files, find
from puzzlebase.puzzles.discovery import unreadable
from puzzlebase.service.http.app import create_app
from tests.commands import command, ran
from tests.one_way import package_of
from tests.waiting import PATIENCE

GREETING = """
import click
from puzzlebase.hooks import Plugin

@click.command()
def verb():
    '''Greet.'''
    click.echo("good day")

PLUGIN = Plugin(
    verbs={"greet": "greeting:verb", "share": "share:share", "lookup": "greeting:verb",
        "late": "greeting:not_there"},
    addresses={"/v1/puzzles/{name}/share": "share:share"},
    queries={"greeting": "greeting_queries:greeting.sql"},
    readers={".upper": "greeting:read", ".raises": "greeting:fail"},
)

def read(text):
    from puzzlebase.plugins.definitions.ksolve import read_ksolve
    return read_ksolve(text.swapcase())

def fail(text):
    1 / 0
"""
FAMILY = """
from puzzlebase.puzzles import Family, rules_puzzle

def moves(text):
    return [("R", text[2] + text[:2])]

FAMILY = Family.of(rules_puzzle("spinner", start="ABC", solved="ABC".__eq__, moves=moves, read=str))
"""
ENTRIES = """
[puzzlebase.tools]
greeting = greeting:PLUGIN
raises = raises:PLUGIN
none = greeting:verb
[puzzlebase.families]
spinner = spinner:FAMILY
raises = raises:FAMILY
"""


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[Path]:
    """A folder of installed plugins, which is searched while a test runs."""
    folder = tmp_path / "installed"
    document = (Path(__file__).parent.parent / "docs" / "plugins.md").read_text("utf-8")
    share = document.partition("```python\nfrom typing")[2].partition("```")[0]
    modules = {
        "greeting": GREETING,
        "spinner": FAMILY,
        "raises": "1 / 0",
        "share": f"from typing{share}",
    }
    (folder / "greeting_queries").mkdir(parents=True)
    (folder / "greeting_queries" / "__init__.py").touch()
    (folder / "greeting_queries" / "greeting.sql").write_text(
        "-- A greeting.\nSELECT 'good day' AS greeting;\n"
    )
    with package_of(folder, ENTRIES, modules):
        yield folder
    sys.modules.pop("greeting_queries", None)


@pytest.mark.needs("sql")
@pytest.mark.slow
@pytest.mark.usefixtures("installed")
def test_what_others_install_is_there(data: Path) -> None:
    assert command(data, "greet").stdout == "good day\n"
    assert "greet " in command(data, "--help").stdout
    assert (
        command(data, "lookup", "novice", find("novice").goals[0].start).stdout != "good day\n"
    ), "ours"
    assert "good day" in command(data, "sql", "greeting").stdout
    assert find("spinner").play("ABC", "R") == "CAB"
    assert "spinner" in command(data, "list").stdout


@pytest.mark.usefixtures("installed")
def test_an_answer_that_others_declare_has_every_face(data: Path, known: dict[str, int]) -> None:
    """The answer is that of the document."""
    share = sum(distance <= 2 for distance in known.values()) / len(known)
    assert json.loads(command(data, "share", "novice", "--distance", "2", "--json").stdout) == {
        "share": share
    }
    assert "The largest distance of these." in command(data, "share", "--help").stdout
    client = create_app(data).test_client()
    assert client.get("/v1/puzzles/novice/share?distance=2").get_json() == {"share": share}


@pytest.mark.usefixtures("installed")
def test_a_reader_of_definitions_is_found_by_the_ending(tmp_path: Path) -> None:
    files._kind.cache_clear()
    (tmp_path / "mine.upper").write_text(CUBE.swapcase())
    (tmp_path / "broken.raises").write_text(CUBE)
    (tmp_path / "other.tws").write_text(CUBE)
    with definitions_from(tmp_path):
        assert find("mine").goals[0].key == find("other").goals[0].key
        with pytest.raises(
            UnknownPuzzle, match=r"broken\.raises: ZeroDivisionError: division by zero"
        ):
            find("broken")
        assert {"mine", "other"} <= {family.name for family in all_families()}
    files._kind.cache_clear()


@pytest.mark.usefixtures("installed")
def test_a_plugin_that_raises_is_named_in_one_line(
    data: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ran(data, "--help")
    lacking = "AttributeError: module 'greeting' has no attribute 'not_there'"
    assert sorted(record.getMessage() for record in caplog.records) == [
        f"the plugin greeting (greeting:PLUGIN) cannot be used: {lacking}",
        "the plugin none (greeting:verb) cannot be used: TypeError: <Command verb> is no Plugin",
        "the plugin raises (raises:PLUGIN) cannot be used: ZeroDivisionError: division by zero",
    ]
    assert "there is no verb 'late'" in command(data, "late").stderr
    assert "ZeroDivisionError: division by zero" in str(unreadable()["raises"])


@pytest.mark.needs("mixing")
@pytest.mark.slow
def test_entry_points_are_not_read_for_what_is_ours(installed: Path) -> None:
    """A reader of them loads the modules that they name."""
    start = find("novice").goals[0].start
    commands = [
        ["--version"],
        ["lookup", "novice", start],
        ["mixing", "--help"],
        ["random", "novice", "--seed", "1"],
    ]
    program = f"""
import sys
sys.path.insert(0, {str(installed)!r})
from contextlib import suppress
from puzzlebase.command_line.main import main
for words in {commands!r}:
    sys.argv[1:] = words
    with suppress(SystemExit):
        main()
    print(words, {{"greeting", "raises", "spinner"}} & {{*sys.modules}})
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=installed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    printed = done.stdout.splitlines()
    assert all(f"{words} set()" in printed for words in commands), (done.stdout, done.stderr)
