"""Levels as people read, write, play and see them,
over all states of small ones, beside plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puzzlebase.plugins.levels.files import Level, LevelFile
from puzzlebase.plugins.levels.game import LevelGame
from puzzlebase.plugins.levels.states.reachable import reachable_boards
from puzzlebase.plugins.levels.text import BadLevel
from puzzlebase.puzzles import IllegalMove, ImpossibleState
from puzzlebase.testing import LevelLaws
from tests.naive import levels as naive
from tests.puzzles.board_law import assert_law

from .test_levels import CROSS, MICRO

Plain = Callable[[str], naive.Game]
"""The plain game that begins at a state, from its text with lines."""

RAILS = "....\n..AA\n....\n....\n"
BLOCKS = "AAB.\nA.B.\nCC#D\nE..D\n"
ROOM = "#####\n#@$.#\n#####\n"
ROOM_STATE = ROOM.strip().replace("\n", "/")
CROSS_STATE = CROSS.strip("\n").replace("\n", "/")
BLOCKS_GOAL = "....\n....\n..#.\n.E..\n"


def level_of(folder: Path, name: str, text: str) -> Level:
    """The level of a file."""
    (folder / name).write_text(text, "utf-8")
    (level,) = LevelFile(folder / name).levels
    return level


def game_of(folder: Path, name: str, text: str) -> LevelGame:
    """The game of a level, from its file."""
    return level_of(folder, name, text).game


def blocks(counts: str) -> Any:
    plain = partial(naive.blocks, goal=BLOCKS_GOAL, counts=counts)
    return pytest.param(
        "a.blocks",
        f"; counts: {counts}\n{BLOCKS}\ngoal\n{BLOCKS_GOAL}",
        plain,
        id=f"blocks-{counts}",
    )


def sokoban(name: str, board: str, counts: str) -> Any:
    plain = partial(naive.sokoban, pushes=counts == "pushes")
    return pytest.param("a.xsb", f"; counts: {counts}\n{board}", plain, id=f"{name}-{counts}")


WIDE = f"{'#' * 64}\n#{'-' * 58}@$-.#\n{'#' * 64}\n"
LONG = f"{'#' * 402}\n#{'-' * 396}@$-.#\n{'#' * 402}\n"  # its numbers have two bytes
SQUARE = "######\n#-@-.#\n#-$*-#\n#----##\n###-$.#\n  ##### #*\n"  # nobody reaches the last box
SEVEN = "\n".join([8 * "A" + 8 * "B", 8 * "B" + 8 * "A", *(16 * each for each in "CDE.."), ""])
GAMES = [
    *(sokoban("micro", MICRO, counts) for counts in ("pushes", "moves")),
    sokoban("a floor of 400 cells", LONG, "pushes"),
    sokoban("several words", WIDE, "moves"),
    pytest.param("a.pegs", CROSS, naive.pegs, id="cross"),
    pytest.param("a.pegs", "o\no\n.\no\n.\n", naive.pegs, id="column"),
    pytest.param("a.pegs", "oo.o\noooo\n oo\n", naive.pegs, id="rows"),
    pytest.param(
        "a.pegs",
        "ooo.\n.oo.\ngoal\n....\no...\n",
        partial(naive.pegs, goal="....\no...\n"),
        id="goal",
    ),
    *(blocks(counts) for counts in ("piece", "straight", "cells")),
    *(
        pytest.param(
            "a.cars",
            f"; counts: {counts}\n..B.\nAAB.\n..CC\nD...\nD...\n",
            partial(naive.blocks, goal=RAILS, counts=counts, rails=True),
            id=f"cars-{counts}",
        )
        for counts in ("straight", "cells")
    ),
    pytest.param(
        "a.blocks",
        "; alike: 12 34\n12\n\u0020#\n34\n5\ngoal\n34\n.#\n12\n.5\n",
        partial(naive.blocks, goal="34\n.#\n12\n.5\n", counts="piece", alike="12 34"),
        id="alike in the goal",
    ),
    pytest.param("a.tubes", "ABCA\nBCAB\nCABC\n....\n....\n", naive.tubes, id="tubes"),
    pytest.param("a.tubes", "AAB\nBAB\n...\nC..\nCC.\n", naive.tubes, id="equal pours"),
    pytest.param("a.tubes", SEVEN, naive.tubes, id="seven tubes of 16"),
]


def lines(text: str) -> str:
    """A state's text as plain Python reads it."""
    return text.replace("/", "\n") + "\n"


class TestLaws(LevelLaws):
    """Texts and keys, over all states."""

    @pytest.fixture(params=[each.values[:2] for each in GAMES])
    def game(self, request: pytest.FixtureRequest, tmp_path: Path) -> LevelGame:
        return game_of(tmp_path, *request.param)


@pytest.mark.parametrize(("name", "level", "plain"), GAMES)
def test_moves_and_goals_are_those_of_plain_python(
    tmp_path: Path, name: str, level: str, plain: Plain
) -> None:
    """In every state that the start leads to."""
    game = game_of(tmp_path, name, level)
    states = reachable_boards(game.rules, 1 << 20, lambda *_: None)
    assert states.count > 2
    for key in game.rules.keys(states.boards(np.arange(states.count))):
        text = game.write(key)
        before = plain(lines(text))
        assert {plain(lines(played)).start for _, played in game.moves_of(text)} == {
            *before.after(before.start)
        }
        assert bool(game.rules.solved(key[None])[0]) == before.solved(before.start)


@pytest.mark.parametrize(
    ("name", "level"), [pytest.param(*each.values[:2], id=each.id) for each in GAMES]
)
def test_motions_take_the_pieces_to_those_after(tmp_path: Path, name: str, level: str) -> None:
    assert_law(level_of(tmp_path, name, level).puzzle())


def test_callers_keep_their_letters_and_their_order(tmp_path: Path) -> None:
    klotski = "ABBC/ABBC/DEEF/DGHF/I..J"
    game = game_of(
        tmp_path, "a.blocks", klotski.replace("/", "\n") + "\ngoal\n....\n....\n....\n.BB.\n.BB.\n"
    )
    renamed = klotski.translate(str.maketrans("ACDFGHIJE", "97531zyxw"))
    assert np.array_equal(game.read(renamed), game.read(klotski))
    assert game.play(renamed, "y-c5") == "9BB7/9BB7/5ww3/51z3/..yx"
    assert game.effect(renamed, "y-c5").handle == ("piece-y",)
    tubes = game_of(tmp_path, "a.tubes", "AB\nBA\n..\n..\n")
    assert game.start == klotski
    for text, move, after in (
        ("../AB/../BA", "2-1", "B./A./../BA"),
        ("../AB/../BA", "2-3", "../A./B./BA"),
        ("BA/../AB/..", "1-4", "B./../AB/A."),
    ):
        assert tubes.play(text, move) == after
        assert np.array_equal(tubes.read(text), tubes.rules.start)
    assert tubes.effect("../AB/../BA", "2-3").handle == ("colour-B-1",)


def test_moves_as_players_name_them(tmp_path: Path) -> None:
    cars = game_of(tmp_path, "a.cars", "..B.\nAABx\nooCC\n....\n")
    assert cars.start == "..B./AAB#/..CC/...."
    assert {
        move.name: (move.group, after) for move, after in cars.moves_of("ooB./AABx/..CC/oooo")
    } == {
        "C-1": ("car C", "..B./AAB#/.CC./...."),
        "C-2": ("car C", "..B./AAB#/CC../...."),
    }
    xsb = game_of(tmp_path, "a.xsb", "; counts: moves\n#####\n#@$.#\n#####\n")
    assert [
        (move.name, move.group, after) for move, after in xsb.moves_of("#####/#@$.#/#####")
    ] == [("R", "player", "#####/#-@*#/#####")]
    pushes = game_of(tmp_path, "b.xsb", SQUARE)
    # a box that nobody reaches is not in states
    assert pushes.start.endswith("/###-$.#/--#####-#.")
    pushed, walked = pushes.effect(pushes.start, "c3u").motions or ()
    assert (pushed.piece, pushed.slide) == ("box-1", (0, -40))
    assert walked.slide == (-40, 0, 0, 40, 0, 40, 40, 0, 0, -40)
    pegs = game_of(tmp_path, "a.pegs", " o\n o\n .\noo.\n")
    assert {(move.name, move.group, after) for move, after in pegs.moves_of("_o/-o/ ./oo.")} == {
        ("b1b3", "peg b1", "-./-./-o/oo."),
        ("a4c4", "peg a4", "-o/-o/-./..o"),
    }
    with pytest.raises(IllegalMove) as caught:
        pegs.play(pegs.start, "b1b2")
    assert caught.value.hint == "legal moves are: a4c4, b1b3"


WRONG: list[tuple[str, str, str, type[Exception], str]] = [
    ("a.xsb", MICRO, "####/#-.?/", BadLevel, "row 2, column 4: '[?]' is none of"),
    (
        "a.blocks",
        "AAB.\ngoal\nAA..\n",
        "A.AB",
        BadLevel,
        "row 1, column 3: piece 'A' is in two parts",
    ),
    ("a.tubes", "AB\nBA\n..\n", "AB/B", BadLevel, "row 2, column 2: this tube has 1 places"),
    (
        "a.xsb",
        ROOM,
        "#####/#@$-#/#####",
        ImpossibleState,
        "row 2, column 4 has '-' where the level has '.'",
    ),
    (
        "a.xsb",
        ROOM,
        "#####/#@$.#/####",
        ImpossibleState,
        "row 3, column 5 has nothing where the level has '#'",
    ),
    (
        "a.xsb",
        ROOM,
        f"{ROOM_STATE}/#",
        ImpossibleState,
        "row 4, column 1 has '#' where the level has nothing",
    ),
    ("a.xsb", ROOM, "#####/#$$.#/#####", ImpossibleState, "2 boxes and 0 players"),
    ("a.pegs", CROSS, CROSS_STATE.replace(".", "o"), ImpossibleState, "33 pegs"),
    ("a.pegs", CROSS, CROSS_STATE.replace("o", "."), ImpossibleState, "0 pegs"),
    (
        "a.blocks",
        "AAB.\ngoal\nAA..\n",
        "AA..",
        ImpossibleState,
        "does not have the pieces of this level",
    ),
    (
        "a.blocks",
        "AAB.\ngoal\nAA..\n",
        "BBA.",
        ImpossibleState,
        "does not have the pieces of this level",
    ),
    (
        "a.tubes",
        "AB\nBA\n..\n",
        "AB/BA",
        ImpossibleState,
        "does not have the tubes and colours of this level",
    ),
    ("a.tubes", "AB\nBA\n..\n", "AB/BC/AC", ImpossibleState, "does not have the tubes"),
]


@pytest.mark.parametrize(("name", "level", "text", "error", "wrong"), WRONG)
def test_texts_that_are_no_states_of_the_level(
    tmp_path: Path, name: str, level: str, text: str, error: type[Exception], wrong: str
) -> None:
    game = game_of(tmp_path, name, level)
    for function in (game.read, game.layout, game.moves_of):
        with pytest.raises(error, match=wrong):
            function(text)
