"""Rules that misbehave: each says what is wrong in one line,
and harms neither a table nor another puzzle.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from runpy import run_path
from unittest import mock

import numpy as np
import pytest

import puzzlebase
from puzzlebase.plugins.definitions import rules_puzzles
from puzzlebase.puzzles import discovery, find
from puzzlebase.puzzles.contract.errors import BrokenPuzzle
from puzzlebase.service.http.app import create_app
from tests.commands import Done, command, ran
from tests.documents import assert_shown, examples, fenced, run
from tests.puzzles.board_law import assert_law

README = Path(__file__).parents[1] / "README.md"
GAME = """
from puzzlebase.puzzles import Family, rules_puzzle

def read(text):
    {read}

def write(state):
    {write}

def solved(state):
    {solved}

def moves(state):
    {moves}

FAMILY = Family.of(
    rules_puzzle("{name}", start={start}, solved=solved, moves=moves, read=read, write=write)
)
"""
SOUND = {
    "name": "walk",
    "start": "0",
    "read": "if not text.isdigit(): raise ValueError('it is a number')\n    return int(text)",
    "write": "return str(state)",
    "solved": "return state == 9",
    "moves": "if state < 9: yield 'up', state + 1",
}
Write = Callable[..., Path]


@pytest.fixture
def game(tmp_path: Path) -> Write:
    """Write the file of a game, a walk from 0 to 9, with some of its functions in other words."""

    def write(name: str = "walk", **changed: str) -> Path:
        path = tmp_path / f"{name}.py"
        path.write_text(GAME.format(**SOUND | {"name": name} | changed), "utf-8")
        return path

    return write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for tables."""
    (tmp_path / "tables").mkdir()
    return tmp_path / "tables"


MISBEHAVING = {
    "endless moves": (
        {
            "moves": (
                "number = 0\n    while True:\n        yield str(number), number % 10\n       "
                " number += 1"
            )
        },
        "walk is broken: '0' has more than 4,096 moves, if they end at all",
    ),
    "moves raise": (
        {"moves": "if state == 5: raise KeyError('lost')\n    yield 'up', state + 1"},
        "walk.py, line 15: KeyError: 'lost'",
    ),
    "no moves": ({"moves": "return None"}, "TypeError: 'NoneType' object is not iterable"),
    "unhashable": (
        {"moves": "yield 'up', [state + 1]"},
        "'0' has a move that is no name and hashable state: unhashable type: 'list'",
    ),
    "a number as a name": (
        {"moves": "yield 7, state"},
        "'0' has a move 7, and names are texts without spaces",
    ),
    "one name twice": (
        {"moves": "yield 'up', 1\n    yield 'up', 2"},
        "walk is broken: '0' has two moves 'up'",
    ),
    "solved says nothing": (
        {"solved": "state == 9"},
        "walk is broken: '0' is solved or not, and the rules say None",
    ),
    "solved raises": (
        {"solved": "return 1 / state"},
        "walk.py, line 12: ZeroDivisionError: division by zero",
    ),
    "two lines": (
        {"write": "return '0\\n'"},
        r"walk is broken: it writes '0\n', which is no text of one line",
    ),
    "read differently": (
        {"read": "return int(text) // 2 * 2"},
        "walk is broken: '1' does not read as the state that it is written for",
    ),
    "not read": (
        {"start": "-1"},
        "walk is broken: '-1' is written and not read: '-1' is no state of walk: it is a number",
    ),
    "read raises": (
        {"read": "return None + text"},
        "walk.py, line 5: TypeError: unsupported operand type",
    ),
}


def built(folder: Path, path: Path) -> Done:
    return command(folder, "--rules", str(path), "build", path.stem)


@pytest.mark.parametrize("case", MISBEHAVING)
def test_a_build_says_what_is_wrong(
    game: Write, folder: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    monkeypatch.setattr(rules_puzzles, "LISTED", 1000)
    changed, message = MISBEHAVING[case]
    refused = built(folder, game(**changed))
    assert refused.status == 2
    assert message in refused.stderr
    assert refused.stderr.count("walk is broken") <= 1
    assert "Traceback" not in refused.stderr
    assert not [*folder.iterdir()]


def test_a_table_is_that_of_the_file_that_it_was_built_from(game: Write, folder: Path) -> None:
    assert built(folder, game()).status == 0
    assert built(folder, game(moves="yield 'up', state + 1\n    yield 'up', 3")).status == 2
    assert [path.name for path in folder.glob("walk*")] == ["walk.duckdb"]
    changed = command(
        folder, "--rules", str(game(solved="return state in (8, 9)")), "lookup", "walk", "7"
    )
    assert changed.status == 1
    assert "of another version or of another definition" in changed.stderr
    assert (
        "distance 2 (table)"
        in command(folder, "--rules", str(game()), "lookup", "walk", "7").stdout
    )


def test_what_does_not_fit_says_how_the_last_layers_grew(
    game: Write, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tree: each layer has twice the states of the one before, 511 down to that of 256."""
    monkeypatch.setattr(rules_puzzles, "LISTED", 1000)
    endless = game(moves="yield 'left', 2 * state + 1\n    yield 'right', 2 * state + 2")
    refused = built(folder, endless)
    assert refused.status == 1
    assert (
        "walk has more than 1,000 states; the last layers from the start had 64, 128, 256, 489"
        in refused.stderr
    )
    assert "\n  ask about single states, which a search answers" in refused.stderr
    looked = command(folder, "--rules", str(endless), "lookup", "walk", "4", "--json")
    assert json.loads(looked.stdout)["distance"] == 1
    assert json.loads(looked.stdout)["source"] == "search"


@pytest.mark.parametrize(
    "moves", ["yield 'up', (state + 2) % 20", "yield 'up', 1\n    yield 'down', 0"]
)
def test_a_table_of_other_rules_is_an_error(game: Write, moves: str) -> None:
    """The keys of a package's goals say nothing of its rules."""
    one, other = (
        run_path(str(game(name, moves=moves)))["FAMILY"].make(name)
        for name, moves in (("one", "yield 'up', (state + 1) % 10"), ("other", moves))
    )
    _, arrays = one.index_side.found.find(1000, 1, lambda *_: None)
    every = np.arange(10)
    assert (one.index_side.found.space(arrays).expand(every)[:, 0] == (every + 1) % 10).all()
    with pytest.raises(
        BrokenPuzzle,
        match=r"has moves that its table lacks, which is of other rules: build it anew",
    ):
        other.index_side.found.space(arrays).expand(every)


@contextmanager
def rules_from(*files: Path) -> Iterator[None]:
    """Execute files of rules in this process, whose families are there meanwhile."""
    with mock.patch.dict(os.environ, PUZZLEBASE_RULES=os.pathsep.join(map(str, files))):
        discovery.forget()
        yield
    discovery.forget()


def test_the_service_answers_for_all_others(game: Write, folder: Path) -> None:
    asked = game("asked", moves="if state: 1 / 0\n    yield 'up', 1")
    with rules_from(game("sound"), asked, game("unread", start="1 / 0")):
        client = create_app(folder).test_client()
        names = {each["name"] for each in client.get("/v1/puzzles").get_json()["puzzles"]}
        assert {"sound", "avenger"} <= names
        assert "unread" not in names
        for path, status, words in (
            ("unread", 404, "unread.py, line 18: ZeroDivisionError: division by zero"),
            ("asked/solve?state=0", 404, "asked.py, line 15: ZeroDivisionError: division by zero"),
            ("sound/histogram", 409, "sound"),
            ("sound/lookup?state=zero", 400, "'zero' is no state of sound: it is a number"),
        ):
            problem = client.get(f"/v1/puzzles/{path}")
            assert (problem.status_code, problem.get_json()["status"]) == (status, status), path
            assert words in problem.get_json()["detail"]
        assert client.get("/v1/puzzles/sound/solve?state=6").get_json()["solution"] == ["up"] * 3
        assert client.get("/v1/puzzles/novice").status_code == 200


def test_files_that_give_no_family_are_named_in_a_line(
    game: Write, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sound = game("sound")
    texts = {
        "raises": ("1 / 0\n", "line 1: ZeroDivisionError: division by zero"),
        "no_python": ("def f(:\n", "line 1: SyntaxError: "),
        "ends": ("raise SystemExit(3)\n", "line 1: SystemExit: 3"),
        "empty": ("", "TypeError: it gives no FAMILY"),
        "puzzle": ("FAMILY = 5\n", "TypeError: FAMILY is 5, no Family"),
        "clash": (
            sound.read_text("utf-8").replace('"sound"', '"novice"'),
            "ValueError: 'novice' is a name of ",
        ),
        "twice": (sound.read_text("utf-8"), "ValueError: 'sound' is a name of sound too"),
    }
    files = [sound]
    for name, (text, _) in texts.items():
        files.append(sound.with_stem(name))
        files[-1].write_text(text, "utf-8")
    options = [word for file in files for word in ("--rules", str(file))]
    listed = command(folder, *options, "list")
    assert listed.status == 1
    assert "sound " in listed.stdout
    assert [f"{file} is executed" for file in files] == caplog.messages
    for name, (_, message) in texts.items():
        lines = [
            line
            for line in listed.stderr.splitlines()
            if line.startswith(f"puzzlebase: {name} is broken: ")
        ]
        assert len(lines) == 1
        assert f"{sound.with_stem(name)}" in lines[0]
        assert message in lines[0]
    unknown = command(folder, *options, "info", "anything")
    assert unknown.status == 2
    assert unknown.stderr.count("raises is broken") == 1
    start = find("novice").goals[0].start
    assert command(folder, *options, "lookup", "novice", start).stdout.startswith(
        f"{start}  distance 0"
    )


def test_a_missing_file_is_wrong_use_and_harms_nothing_where_the_environment_names_it(
    game: Write, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    missing = tmp_path / "missing.py"
    refused = command(folder, "list", "--rules", str(missing))
    assert refused.status == 2
    assert f"File '{missing}' does not exist" in refused.stderr
    monkeypatch.setenv("PUZZLEBASE_RULES", f"{missing}{os.pathsep}{game('first')}")
    listed = command(folder, "list", "--rules", str(game("second")))
    assert {"first", "second", "novice"} <= {*listed.stdout.split()}
    assert (
        f"missing is broken: {missing}: FileNotFoundError: [Errno 2] No such file or directory"
        in listed.stderr
    )


@pytest.mark.parametrize(("state", "width"), [("8", 60), ("10", 104)])
def test_a_state_may_be_longer_than_the_last(
    game: Write, folder: Path, state: str, width: int
) -> None:
    """Its board is drawn, and so is what each move does to it, although squares come or go."""
    path = game(
        moves="if state < 9: yield 'up', state + 1\n    yield 'far', 21 - state",
        solved="return state == 11",
    )
    done = ran(folder, "--rules", str(path), "board", "walk", state, "--json")
    board = json.loads(done.stdout)
    assert (len(board["pieces"]), board["width"]) == (len(state), width)
    assert {move["move"]: move["after"] for move in board["moves"]}["far"] == str(21 - int(state))


def test_texts_may_grow_without_end(game: Write, folder: Path) -> None:
    """The first one fits into a word, later ones do not."""
    path = game(
        start="1",
        solved="return state == 10**20",
        moves="if state < 10**20: yield 'up', 10 * state\n    if state > 1: yield '-', state // 10",
    )
    assert "21 states, God's number 20" in built(folder, path).stdout
    done = ran(folder, "--rules", str(path), "lookup", "walk", "1000", "1" + "0" * 19, "--json")
    assert [each["distance"] for each in json.loads(done.stdout)["results"]] == [17, 1]
    assert "is sound" in ran(folder, "--rules", str(path), "verify", "walk").stdout


def test_the_game_of_the_document_has_levels_and_a_drawing(tmp_path: Path) -> None:
    """It is run as it stands there; its pieces become those after a move."""
    path = tmp_path / "jugs.py"
    path.write_text(next(block for block in fenced(README, "python") if "jugs" in block), "utf-8")
    family = run_path(str(path))["FAMILY"]
    for name in family.members:
        assert_law(family.make(name))
    for example in examples(README, "text"):
        if "jugs.py" in example.command:
            assert_shown(example, run(example, tmp_path, tmp_path))


def test_what_is_ours_executes_no_file(
    game: Write, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    command(folder, "--rules", str(game()), "info", "novice")
    assert not caplog.messages


def test_python_opens_them(game: Write, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of the caller's process stays as it was."""
    monkeypatch.setattr(discovery, "_added", [])
    before = dict(os.environ)
    assert puzzlebase.open("walk", data=folder, rules=game()).distance("4") == 5
    assert dict(os.environ) == before
    discovery.forget()
