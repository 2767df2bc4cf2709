"""Every verb, address and method on every kind of puzzle: an answer, or a refusal with its remedy; never a fault."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import click
import pytest

import puzzlebase
from puzzlebase.command_line.main import program
from puzzlebase.opened import OpenPuzzle
from puzzlebase.plugins.definitions.tests.small_definitions import EXAMPLES, SMALL, definitions_from
from puzzlebase.plugins.patterns.definitions import MEMORY
from puzzlebase.puzzles import find
from puzzlebase.puzzles.contract.puzzle import played
from puzzlebase.puzzles.discovery import RULES
from puzzlebase.service.error_status import problem_of
from puzzlebase.service.http.addresses import every_address
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sources.budget import SearchLimits
from tests.commands import Terminal, command, ran
from tests.matrix import only
from tests.one_way import TRIANGLE

pytestmark = [pytest.mark.plugin, pytest.mark.slow(5)]

ALL = "answered counted estimated goals"
TABLE = f"{ALL} buildable file numbered table tables verified won"
BACK = f"{TABLE} back"
KINDS = {
    "family with a table": ("sliding-2x3", f"{BACK} layered undo", ""),
    "wheels with a table": ("novice", f"{BACK} layered undo", ""),
    "family by search": ("sliding-2x3", f"{ALL} buildable layered numbered won", None),
    "family with layers alone": ("sliding-3x3", f"{ALL} buildable file layered layers numbered won", "--depth 5"),
    "oracle": ("hanoi-nnn-20", "answered formula goals verified won", None),
    "oracle beside a table": ("panex-5", f"{ALL} buildable formula layered numbered won", None),
    "construction": ("quantum-2x2-50", "answered quantum won", None),
    "definition with a table": ("Lamps", f"{BACK} definition layered undo", ""),
    "definition with symmetric rows": ("corners", f"{BACK} definition layered undo", ""),
    "definition with patterns": ("3x3x3", f"{ALL} definition file tables verified won", ""),
    "definition by search": ("Lamps", f"{ALL} buildable definition layered numbered won", None),
    "Sokoban with a table": ("First", f"{TABLE} level lost", ""),
    "pegs with a table": ("cross", f"{TABLE} level lost", ""),
    "cars with a table": ("jam", f"{BACK} level", ""),
    "blocks with a table": ("small", f"{BACK} level", ""),
    "tubes with a table": ("water", f"{TABLE} level", ""),
    "level that cannot be solved": ("stuck", f"{ALL} buildable file level lost numbered table tables verified", ""),
    "level by search": ("First", f"{ALL} buildable level won", None),
    "packed game with a table": ("frogs", f"{TABLE} lost", ""),
    "game by rules with a table": ("small-triangle", f"{TABLE} lost", ""),
    "game by rules by search": ("small-triangle", f"{ALL} buildable won", None),
}
"""Of each kind a puzzle, what is true of it, and the words after `build` that make its file, if it has one.

Moves can be taken `back`; some states are `lost`; some can be `won`. `tables` are in the folder, be they of a
puzzle's patterns.
"""
FEW = {
    "wheels with a table",
    "oracle",
    "construction",
    "definition with a table",
    "Sokoban with a table",
    "level that cannot be solved",
    "packed game with a table",
    "game by rules by search",
}
"""Of which `make test` asks."""
LEVELS = {
    "First.xsb": "#######\n#@ $ .#\n# $  .#\n#  #  #\n#######\n",
    "stuck.xsb": "#####\n#@$ #\n#  .#\n#####\n",
    "cross.pegs": "  ...\n  .o.\n..ooo..\n...o...\n...o...\n  ...\n  ...\n",
    "jam.cars": "..B.\nAAB.\n..CC\n....\n",
    "small.blocks": "AAB.\nA.B.\nCC#D\nE..D\n\ngoal\n....\n....\n..#.\n.E..\n",
    "water.tubes": "ABC\nBCA\nCAB\n...\n...\n",
}
TOO_MANY = "too many states|too many to number|data of the oracle|does not go with"
REFUSALS = {
    "answered": TOO_MANY,
    "back": "cannot all be taken back",
    "buildable": f"has no table|{TOO_MANY}",
    "counted": "too long for one answer|count them",
    "definition": "no definition by its name",
    "estimated": f"{TOO_MANY}|--dry-run goes with tables alone",
    "file": "",
    "formula": "there are no formulas",
    "goals": f"no goal|{TOO_MANY}",
    "layered": f"layers do not help|{TOO_MANY}",
    "layers": f"no layers|no table|layers do not help|{TOO_MANY}",
    "level": "there are no levels",
    "lost": f"no state of .* is lost|need its table|{TOO_MANY}",
    "numbered": f"numbered by its table|{TOO_MANY}",
    "quantum": "there is no experiment|has no measures",
    "table": f"no table|no 'manifest|does not exist|{TOO_MANY}",
    "tables": f"no table|{TOO_MANY}",
    "undo": "depends on the state",
    "verified": f"no table|{TOO_MANY}",
    "won": "no state of .* can reach this goal|cannot be solved",
}
"""The words of the error where an answer needs what is not true of a puzzle."""

VERBS = {
    "antipodes": {"NAME": "table"},
    "board": {"NAME": "", "NAME STATE": ""},
    "build": {"NAME --dry-run": "estimated", "NAME --depth 1 --data OTHER": "layered"},
    "check": {"FILE": "definition"},
    "experiment": {"FAMILY --boards 1": "quantum"},
    "export": {"NAME --parquet FOLDER/states.parquet --text": "table"},
    "formula": {"FAMILY --disks 2": "formula"},
    "grade": {"NAME STATE MOVE QUICK": "answered", "NAME STATE AFTER --states QUICK": "answered"},
    "hardest": {"NAME": "table won"},
    "hint": {"NAME STATE --level 4 QUICK": "answered", "NAME STATE --moves MOVE QUICK": "answered"},
    "histogram": {"NAME": "table"},
    "info": {"NAME": ""},
    "levels": {"FILE": "level won"},
    "list": {"": ""},
    "lookup": {"NAME STATE QUICK": "answered", "NAME STATE --goal AFTER QUICK": "answered goals"},
    "measures": {"NAME STATE": "quantum"},
    "mixing": {"NAME --turns 3": "table won back", "NAME --turns 3 --walk no-undo": "table won back undo"},
    "picture": {"NAME STATE --highlight MOVE": ""},
    "play": {
        "NAME": "answered",
        "NAME STATE": "answered",
        "NAME --seed 1": "answered",
        "NAME --daily": "answered won",
        "NAME --difficulty easy": "table won",
        "NAME --distance 1": "table won",
    },
    "publish": {"NAME FOLDER/public --data OTHER": "buildable", "--all FOLDER/public": "tables"},
    "random": {
        "NAME QUICK": "answered won",
        "NAME --seed 1 QUICK": "answered won",
        "NAME --difficulty easy QUICK": "table won",
        "NAME --lost QUICK": "lost",
        "NAME --turns 3 QUICK": "answered",
    },
    "release": {"FOLDER/release": "tables"},
    "get": {"NAME --from FOLDER/release --data FOLDER/new": "table"},  # from there
    "serve": {},  # the addresses below
    "solve": {"NAME STATE QUICK": "answered", "NAME STATE --all 2 --states QUICK": "answered counted"},
    "sql": {
        "SELECT|min(index),min(distance)|FROM|states('NAME')": "table",
        "SELECT|s.*,distance('NAME',0),state_text('NAME',0)|FROM|successors('NAME',0)|AS|s": "table",
        "SELECT|distance('NAME','STATE'),state_index('NAME','STATE')": "table",
        "local-maxima --puzzle NAME": "table",
        "one-optimal-move --puzzle NAME": "table",
    },
    "verify": {"NAME": "verified", "NAME --layers": "layers"},
}
"""The words after each verb, and what must be true of the puzzle for an answer."""
ADDRESSES = {
    "about": {"{}": ""},
    "antipodes": {"{}": "table"},
    "board": {"{}": "", '{"state": "STATE"}': ""},
    "formula": {'{"disks": "2"}': "formula"},
    "grade": {'{"state": "STATE", "moves": ["MOVE"]}': "answered", '{"state": "STATE", "states": []}': "answered"},
    "healthz": {"{}": ""},
    "hint": {'{"state": "STATE", "level": 4}': "answered"},
    "histogram": {"{}": "table"},
    "lookup": {'{"state": "STATE"}': "answered", '{"state": "STATE", "goal": "AFTER"}': "answered goals"},
    "lookup_batch": {'{"states": ["STATE", "AFTER"], "moves": true}': "answered"},
    "picture": {'{"state": "STATE", "highlight": "MOVE"}': ""},
    "puzzle_list": {"{}": ""},
    "random": {
        '{"seed": "1"}': "answered won",
        '{"difficulty": "easy"}': "table won",
        '{"lost": true}': "lost",
        '{"turns": 3}': "answered",
    },
    "readyz": {"{}": "file"},
    "scrape": {"{}": ""},
    "service": {"{}": ""},
    "solve": {'{"state": "STATE", "states": true, "all": 2}': "answered counted"},
}
METHODS = {
    "distance": {'["STATE"]': "answered"},
    "distances": {'[["STATE", "AFTER"]]': "answered"},
    "goal": {"": ""},
    "hint": {'["STATE", 4]': "answered"},
    "index": {'["STATE"]': "numbered"},
    "lookup": {'["STATE"]': "answered"},
    "moves": {"": ""},
    "picture": {'["STATE"]': ""},
    "record": {"": ""},
    "source": {"": "answered"},
    "state": {'["STATE"]': ""},
}
"""Those written by hand, and of those that are made of answers one about a source and one about the puzzle alone."""


class Asked(NamedTuple):
    """A puzzle to ask about in its data folder: what is true of it, and words to put into questions."""

    data: Path
    traits: list[str]
    words: dict[str, str]

    def filled(self, question: str) -> str:
        """A question about this puzzle."""
        return re.sub("|".join(self.words), lambda word: self.words[word[0]], question)

    def right(self, needs: str, *, answered: bool, told: str) -> bool:
        """True for an answer where all that it needs is true, and elsewhere for an error that says so."""
        missing = [REFUSALS[need] for need in needs.split() if need not in self.traits]
        return answered != bool(missing) and bool(re.search(missing[0] if missing else "", told))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for data of each kind, whose puzzles this process knows meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MEMORY, "3000")
        patch.setenv("TERM", "xterm")
        mine = tmp_path_factory.mktemp("mine")
        texts = LEVELS | {f"{name}.tws": SMALL[name.lower()].text for name in ("Lamps", "corners")}
        texts |= {"3x3x3.tws": (EXAMPLES / "3x3x3.tws").read_text("utf-8"), "triangle.py": TRIANGLE}
        for name, text in texts.items():
            (mine / name).write_text(text, "utf-8")
        patch.setenv(RULES, f"{mine / 'triangle.py'}:{EXAMPLES / 'frogs.py'}")
        with definitions_from(mine):
            yield tmp_path_factory.mktemp("kinds")


@pytest.fixture(params=only(FEW.__contains__, KINDS))
def asked(request: pytest.FixtureRequest, folder: Path, tmp_path: Path) -> Asked:
    name, traits, build = KINDS[request.param]
    data = folder / request.param
    if not data.exists():
        data.mkdir()
        if build is not None:
            ran(data, "build", name, *build.split())
    puzzle = find(name)
    state = puzzle.goal().start
    after = played(puzzle.play, state, [move.name for move in puzzle.moves_of(state)])
    if state in puzzle.goal().states:
        state = next(iter(after.values()))
        after = played(puzzle.play, state, [move.name for move in puzzle.moves_of(state)])
    move = next(iter(after))
    words = {"NAME": name, "STATE": state, "MOVE": move, "AFTER": after[move], "FOLDER": str(tmp_path)}
    words |= {"OTHER": str(tmp_path / "other"), "FAMILY": puzzle.about.family or name, "QUICK": "--max-seconds=1"}
    files = [*folder.parent.glob(f"mine*/{name}.*"), EXAMPLES / "frogs.py"]
    return Asked(data, traits.split(), words | {"FILE": str(files[0])})


def test_every_verb_answers_or_refuses(asked: Asked) -> None:
    """`play` gets words: a hint, the moves, and its end."""
    assert {*VERBS} == {*program.list_commands(click.Context(program))}
    wrong = []
    for verb, question, needs in ((verb, *each) for verb, questions in VERBS.items() for each in questions.items()):
        given = [asked.filled(word.replace("|", " ")) for word in question.split()]
        lines = "hint\nmoves\n" if verb == "play" else ""
        done = command(asked.data, verb, *given, given=lines, stream=Terminal if verb == "play" else BytesIO)
        told = done.stderr + done.stdout
        remedy = told.rstrip().rpartition("\n")[2].startswith(("  ", "Error: --"))
        if not asked.right(needs, answered=not done.status, told=told) or (done.status and not remedy):
            wrong.append((verb, question, done.status, told[-300:]))
    assert wrong == []


def test_every_address_answers_or_refuses(asked: Asked) -> None:
    addresses = [*every_address()]
    assert {*ADDRESSES} == {each.name for each in addresses}
    client = create_app(asked.data, limits=SearchLimits(seconds=1)).test_client()
    wrong = []
    for path in ("/", "/play/NAME", "/docs", "/openapi.json"):
        assert client.get(asked.filled(path)).status_code == 200
    for each, method in ((address, method) for address in addresses for method in address.methods):
        path = asked.filled(each.path.format(name="NAME", family="FAMILY"))
        for question, needs in ADDRESSES[each.name].items():
            given = {"query_string" if method == "GET" else "json": json.loads(asked.filled(question))}
            response = client.open(path, method=method, **given)
            answered = response.status_code == 200
            documented = answered or response.status_code in {400, *each.statuses, *dict(each.also)} - {500}
            told = (response.get_json(silent=True) or {}).get("detail", response.text)
            if not asked.right(needs, answered=answered, told=told) or not documented:
                wrong.append((method, path, question, response.status_code, told[:300]))
    assert wrong == []


def test_every_method_answers_or_refuses(asked: Asked) -> None:
    assert {*METHODS} > {name for name in vars(OpenPuzzle) if not name.startswith("_")}
    puzzle = puzzlebase.open(asked.words["NAME"], data=asked.data, seconds=1)
    wrong = []
    for name, question, needs in ((name, *each) for name, questions in METHODS.items() for each in questions.items()):
        error = None
        try:
            found = getattr(puzzle, name)
            _ = found(*json.loads(asked.filled(question))) if question else found
        except Exception as raised:  # noqa: BLE001 -- all errors of the methods are compared
            error = raised
        documented = error is None or problem_of(error)
        if not asked.right(needs, answered=error is None, told=str(error)) or not documented:
            wrong.append((name, question, error))
    assert wrong == []
