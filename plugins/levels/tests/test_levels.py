"""Answers about levels, beside plain Python and published numbers,
and of files that are no levels.
"""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from puzzlebase.plugins.levels.files import LevelFile, levels_of_files
from puzzlebase.plugins.levels.report import LevelReport, report
from puzzlebase.plugins.levels.states.reachable import reachable_boards
from puzzlebase.plugins.levels.verb import verb
from puzzlebase.puzzles.contract.errors import TooManyStates
from tests.commands import command

ROOT = Path(__file__).parent.parent.parent.parent

MICRO = """\
####
# .#
#  ###
#*@  #
#  $ #
#  ###
####
"""
CROSS = "  ...\n  .o.\n..ooo..\n...o...\n...o...\n  ...\n  ...\n"
STATES = {"jam": 2332, "klotski-1": 25955, "klotski-2": 25955}
"""Published numbers of states of examples."""


def reports(folder: Path, **texts: str) -> dict[str, LevelReport]:
    """The reports on levels, whose files are named by keyword, a dot written as two underscores."""
    for name, text in texts.items():
        (folder / name.replace("__", ".")).write_text(text, "utf-8")
    return {level.name: report(level, threads=2) for level in levels_of_files(folder)[0]}


@pytest.mark.parametrize(
    ("name", "text", "at"),
    [
        ("a.xsb", "####\n#@$?.#\n####\n", "2:4: '?' is none of"),
        ("a.xsb", "####\n#@@#\n####\n", "2:3: there are 2 players"),
        ("a.xsb", "; open\n####\n#@$.\n####\n", "3:4: the player can leave"),
        ("a.xsb", "#####\n#@$ #\n#####\n", "1:1: there are 1 boxes and 0 goals"),
        ("a.xsb", "######\n#@$.##\n####$#\n######\n", "3:5: the player cannot come to this box"),
        ("a.xsb", "4#|#@$?|4#\n\n5#\n#@$?#\n5#\n", "4:4: '?' is none of"),
        ("a.xsb", f"{MICRO}\n; par: 5\n", "9:1: no level follows this par"),
        (
            "a.xsb",
            f"; count: moves\n{MICRO}",
            "1:1: 'count: moves' is no value; did you mean 'counts: moves'?",
        ),
        ("a.xsb", f"; par = 9\n{MICRO}", "1:1: 'par = 9' is no value; did you mean 'par: 9'?"),
        (
            "a.xsb",
            f"; order: top\n{MICRO}",
            "1:1: order is no value of such a level, only par, counts",
        ),
        ("a.xsb", f"{MICRO}\ngoal\n{MICRO}", "10:1: such a level has no goal of its own"),
        ("a.cars", "AA.\ngoal\n.AA\n", "3:1: such a level has no goal of its own"),
        (
            "a.tubes",
            "; counts: balls\nA.\n.A\n",
            "1:1: counts is no value of such a level, only par, order",
        ),
        (
            "a.xsb",
            "; counts: jumps\n######\n#@$. #\n######\n",
            "1:1: counts is 'jumps', and must be one of pushes, moves",
        ),
        ("a.xsb", "; par: many\n######\n#@$. #\n######\n", "1:1: par is 'many'"),
        ("a.xsb", "goal\n###\n", "1:1: a goal must come after"),
        ("a.xsb", "#" * 5000, "1:1: the level has more than 4,096 cells"),
        (
            "a.xsb",
            f"{'#' * 23}\n#@{' ' * 20}#\n" + f"#{' ' * 21}#\n" * 20 + "#" * 23,
            "1:1: the floor has 441 cells; at most 400 can be packed",
        ),
        ("a.pegs", "o" * 70, "1:1: a board has at most 63 cells, this one has 70"),
        ("a.pegs", "oo.oo\n", "1:1: it cannot be solved"),
        ("a.pegs", "oo.\ngoal\noo \n", "3:1: the goal has other places"),
        ("a.blocks", "AAB\n...\n", "1:1: the level has no goal"),
        ("a.blocks", "ABA\n...\ngoal\n..A\n", "1:3: piece 'A' is in two parts"),
        ("a.blocks", "AB.\n...\ngoal\nC..\n", "4:1: the level has no piece 'C' of this shape"),
        ("a.blocks", "A.#\ngoal\n..A\n", "3:3: piece 'A' cannot be here, in a wall"),
        ("a.blocks", "A.\ngoal\n.A\ngoal\nA.\n", "4:1: the level has two goals"),
        ("a.blocks", "; alike: AB\nAB.\ngoal\n.A\n", "1:1: 'AB' must be pieces of equal shape"),
        ("a.cars", "AA.\nBB.\nBB.\n", "2:1: car 'B' is no straight line"),
        ("a.cars", "BB.\n", "1:1: there is no horizontal car A"),
        ("a.tubes", "A\n" * 130, "1:1: there are 130 tubes"),
        ("a.tubes", "AB\nA\n", "2:2: this tube has 1 places, another 2"),
        ("a.tubes", "AB\n.A\n", "2:2: there is a free place under this colour"),
        ("a.tubes", "AB\nA.\n", "1:1: colour 'B' occurs 1 times"),
    ],
)
def test_bad_levels_are_named_by_line_and_column(
    tmp_path: Path, name: str, text: str, at: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    result = CliRunner().invoke(verb, [str(tmp_path)])
    assert result.exit_code == 1
    assert f"{tmp_path / name}:{at}" in result.output


COLLECTION = """\
Rooms for a rainy day
author: N. N.
Comment:
####
Comment-End:

; ==========
; Round the corner

{micro}Title: Corner
Author: N. N. #7

2
4#|#@$.#|##-##|_4#
luluurDR

'Duh!'

\t#####
\t#@$.#
\t#####
"""


def test_collections_of_sokoban_are_read_as_people_write_them(tmp_path: Path) -> None:
    """Words before, between and after boards,
    titles and authors under them or at the head, comments of several lines, runs, tabs.
    """
    found = reports(tmp_path, **{"My levels__sok": COLLECTION.format(micro=MICRO)})
    assert {
        name: (each.title, each.author, each.par, each.problem) for name, each in found.items()
    } == {
        "My-levels-1": ("Corner", "N. N. #7", 8, None),
        "My-levels-2": ("2", "N. N.", 1, None),
        "My-levels-3": ("Duh!", "N. N.", 1, None),
    }


def test_a_long_comment_is_passed_at_once(tmp_path: Path) -> None:
    (tmp_path / "one.xsb").write_text(
        "comment:\n" + "\n" * 1_000_000 + f"comment-end\n{MICRO}", "utf-8"
    )
    [level], problems = levels_of_files(tmp_path / "one.xsb")
    assert (level.name, problems) == ("one", [])


def test_cars_as_people_write_them(tmp_path: Path) -> None:
    """The red car is X if there is one; a board may be one line.
    The pars are those of other solvers.
    """
    found = reports(
        tmp_path,
        red__cars="; counts: cells\nOPPPAA\nOBCC.Q\nOBXX.Q\nRRRD.Q\n..EDFF\nGGE...\n",
        line__cars="BBoKMxDDDKMoIAALooIoJLEEooJFFNoGGoxN\n",
        solved__cars="..AA\n",
    )
    assert {name: (each.par, each.problem) for name, each in found.items()} == {
        "red": (63, None),
        "line": (58, None),
        "solved": (0, None),
    }
    assert (
        "it is solved at the start"
        in CliRunner().invoke(verb, [str(tmp_path / "solved.cars")]).output
    )


@pytest.mark.slow(20)
@pytest.mark.matrix
def test_water_sort_of_thirteen_tubes(tmp_path: Path) -> None:
    tubes = "KABC DEFG HIJK ABCD EFGH IJKA BCDE FGHI JKAB CDEF GHIJ .... ....".split()
    found = reports(tmp_path, wide__tubes="\n".join(tubes))["wide"]
    assert (found.par, found.states, found.problem) == (34, 81_998, None)


def test_what_a_game_checks_before_it_ships(tmp_path: Path) -> None:
    first = f"; First\n; author: N. N.\n; par: 8\n{MICRO}Date: 2000\n"
    (tmp_path / "micro.xsb").write_text(first, "utf-8")
    (tmp_path / "README").write_text("no level", "utf-8")
    run = CliRunner().invoke
    result = run(verb, [str(tmp_path)])
    assert result.exit_code == 0
    assert result.output.splitlines()[:2] == [
        "micro (First, by N. N.): par 8",
        "  56 states, 41 of them lost (73%)",
    ]
    result = run(verb, [str(tmp_path), "--states", "20"])
    assert (result.exit_code, "PROBLEM: it has more than" in result.output) == (1, True)
    (tmp_path / "deep.pegs").write_text("; depth: 8\noo.\n", "utf-8")
    result = run(verb, [str(tmp_path / "deep.pegs")])
    unused = f"puzzlebase: {tmp_path / 'deep.pegs'}:1:1: 'depth: 8' is not used\n"
    assert (result.exit_code, result.stderr) == (1, unused)
    assert LevelFile(tmp_path / "deep.pegs").family.unused == (unused[12:-1],)
    (tmp_path / "deep.pegs").unlink()
    (tmp_path / "wrong.xsb").write_text(f"; par: 7\n{MICRO}", "utf-8")
    result = run(verb, [str(tmp_path), "--json"])
    assert result.exit_code == 1
    assert [each["problem"] for each in json.loads(result.output)["levels"]] == [
        None,
        f"{tmp_path / 'wrong.xsb'}:1:1: its par is 8, the file says 7",
    ]
    result = run(verb, [str(tmp_path), "--csv"])
    assert [(row["name"], row["par"]) for row in csv.DictReader(io.StringIO(result.output))] == [
        ("micro", "8"),
        ("wrong", "8"),
    ]


def test_a_bad_file_harms_no_other(tmp_path: Path) -> None:
    files = {
        "micro.pegs": b"oo.\n",
        "same.pegs": b"oo.\n",
        "same.xsb": MICRO.encode(),
        "utf16.xsb": MICRO.encode("utf-16"),
        "empty.tubes": b"",
        "with a name.pegs": b"oo.\n",
        "LOUD.XSB": MICRO.encode(),
        "_.pegs": b"oo.\n",
        "words.txt": b"Play them in any order.\n",
        "z.pegs": b"; =1+1\x1b]0;owned\a\noo.\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    os.mkfifo(tmp_path / "pipe.xsb")
    (tmp_path / "@up").symlink_to(tmp_path)
    done = command(None, "levels", "@up", "--csv", folder=tmp_path)
    rows = [*csv.DictReader(io.StringIO(done.stdout))]
    assert done.status == 1
    assert [(row["name"], row["title"], row["par"]) for row in rows if row["par"]] == [
        ("LOUD", "", "8"),
        ("micro", "", "1"),
        ("with-a-name", "", "1"),
        ("z", "'=1+1]0;owned", "1"),
    ]
    problems = {row["name"]: row["problem"] for row in rows if row["problem"]}
    for name, words in {
        "same": "@up/same.pegs and @up/same.xsb both define 'same'",
        "utf16": "utf16.xsb:1:1: the file is not UTF-8",
        "empty": "empty.tubes:1:1: there is no level in the file",
        "_": "rename the file",
        "pipe": "no regular file",
    }.items():
        assert words in problems.pop(name)
    assert not problems
    assert "\x1b" not in command(None, "levels", str(tmp_path / "z.pegs")).stdout


@pytest.mark.parametrize(
    "path", sorted((ROOT / "examples" / "levels").iterdir()), ids=lambda path: path.name
)
def test_the_examples_have_the_par_that_they_state(path: Path) -> None:
    for level in levels_of_files(path)[0]:
        assert level.text.par is not None
        if path.stem == "english":  # its states take minutes
            continue
        found = report(level, threads=2)
        assert found.problem is None
        assert found.states == STATES.get(level.name, found.states)


def test_english_solitaire_has_the_counted_positions_at_first() -> None:
    """The first layers; the counts are those of a program in another language."""
    (level,) = levels_of_files(ROOT / "examples" / "levels" / "english.pegs")[0]
    layers: list[int] = []
    with pytest.raises(TooManyStates):
        reachable_boards(level.game.rules, 100_000, lambda states, _found: layers.append(states))
    assert layers == [1, 4, 12, 60, 296, 1338, 5648, 21842]
