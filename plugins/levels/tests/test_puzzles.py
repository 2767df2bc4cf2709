"""Levels as puzzles: built, served and asked as any other, and compared with the plain rules."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import duckdb
import numpy as np
import pytest
from flask.testing import FlaskClient

import puzzlebase
from puzzlebase.builder import TableJob, VerificationError
from puzzlebase.db.errors import DamagedTable
from puzzlebase.plugins.definitions.tests.small_definitions import definitions_from
from puzzlebase.puzzles import UnknownPuzzle, find
from puzzlebase.puzzles.discovery import unreadable
from puzzlebase.service.answers.catalog import puzzle_list
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sources.sources import Sources
from tests.commands import command, ran
from tests.fixtures import quiet_job
from tests.matrix import one_in
from tests.naive import levels as naive
from tests.slowness import slowness

from .test_games import GAMES, Plain, lines
from .test_levels import CROSS

pytestmark = pytest.mark.needs("panex", "page", "definitions", "publish")

EXAMPLES = Path(__file__).parents[3] / "examples"
BOXES = "#######\n#@ $ .#\n# $  .#\n#  #  #\n#######\n"
LEVELS = {"room.xsb": BOXES, "walks.xsb": f"; counts: moves\n{BOXES}", "cross.pegs": CROSS}


def written(folder: Path, levels: dict[str, str]) -> Path:
    """A folder of levels."""
    folder.mkdir(exist_ok=True)
    for name, text in levels.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module", autouse=True)
def levels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The levels as puzzles of this process."""
    with definitions_from(written(tmp_path_factory.mktemp("levels"), LEVELS)):
        yield


def job(name: str, data: Path, threads: int = 2) -> TableJob:
    """The table of a level."""
    return quiet_job(TableJob, find(name), data, threads=threads)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of the rooms."""
    folder = tmp_path_factory.mktemp("data")
    for name in ("room", "walks"):
        job(name, folder).build()
    return folder


@pytest.fixture
def client(data: Path) -> FlaskClient:
    """A client of a service with these tables."""
    return create_app(data).test_client()


@pytest.mark.parametrize(("file", "level", "plain"), one_in(3, [each.values for each in GAMES]))
def test_every_distance_is_that_of_the_plain_rules(
    file: str, level: str, plain: Plain, tmp_path: Path
) -> None:
    """Of the table, and of a search without one."""
    with definitions_from(written(tmp_path / "levels", {file: level})):
        start = find("a").goal().start
        after, expected = naive.distances(plain(lines(start)))
        answer = puzzlebase.open("a", data=tmp_path).lookup(start)
        assert (answer["distance"], answer["source"]) == (
            expected.get(plain(lines(start)).start),
            "search",
        )
        built = job("a", tmp_path)
        built.build()
        built.verify()
        table = Sources(tmp_path).table("a")
        indices = np.arange(table.space.size)
        texts = [table.puzzle.format(board) for board in table.space.unrank(indices)]
        assert [table.index(text) for text in texts] == indices.tolist()
        states = [plain(lines(text)).start for text in texts]
        assert dict(zip(states, table.distances(indices).tolist(), strict=True)) == {
            state: expected.get(state, -1) for state in after
        }


def test_games_of_sokoban_are_graded_as_players_write_them(data: Path, client: FlaskClient) -> None:
    """A letter for each step, in one word; capitals push, and players often leave them out."""
    room = puzzlebase.open("room", data=data)
    for level in (puzzlebase.open("walks", data=data), room):
        start, address = level.goal.start, f"/v1/puzzles/{level.name}"
        solved = client.post(f"{address}/solve", json={"state": start, "lurd": True}).get_json()
        word = level.lurd(start)
        assert (solved["solution"], solved["next"]) == ([word], None)
        length = sum(map(str.isupper, word)) if level is room else len(word)
        for played in (word, word.lower()):
            game = {"state": start, "moves": [played]}
            answer = client.post(f"{address}/grade", json=game).get_json()
            assert (answer["solved"], answer["length"], answer["stars"]) == (True, length, 3)
        last = level.solve(start, lurd=True, offset=length - 1)
        answer = level.grade(answer["steps"][-2]["state"], moves=last["solution"])
        assert (answer["solved"], answer["length"]) == (True, 1)
    with pytest.raises(InvalidRequest, match="cross is no Sokoban"):
        puzzlebase.open("cross", data=data).lurd(find("cross").goal().start)
    answer = room.grade(room.goal.start, moves=["ulurrr"])
    assert answer["illegal"]
    assert (answer["legal"], answer["illegal"]["played"]) == (False, "u")


def test_what_the_table_lacks_is_searched(data: Path, client: FlaskClient) -> None:
    """A box stands where no push can have left it, and another goal."""

    def asked(what: str, **fields: Any) -> Any:
        return client.get(f"/v1/puzzles/room/{what}", query_string=fields).json

    elsewhere = "#######/#@$--.#/#-$--.#/#--#--#/#######"
    game = naive.sokoban(lines(elsewhere), pushes=True)
    distance = naive.distances(game)[1][game.start]
    assert Sources(data).table("room").index(elsewhere) < 0
    answer = asked("lookup", state=elsewhere)
    assert (answer["source"], answer["distance"]) == ("search", distance)
    answer = asked("lookup", state="#######/#$---.#/#@$--.#/#--#--#/#######")
    assert (answer["solvable"], answer["exact"], answer["source"]) == (False, True, "search")
    answer = asked("lookup", state=elsewhere, max_states=1)
    assert (answer["solvable"], answer["exact"]) == (None, False)


def test_a_table_of_another_goal(tmp_path: Path) -> None:
    puzzle = find("room")
    start = puzzle.goal().start
    moved = puzzle.play(start, puzzle.moves_of(start)[0].name)
    built = quiet_job(TableJob, puzzle, tmp_path, moved)
    built.build()
    built.verify()
    source = Sources(tmp_path).table("room", moved)
    assert source.distances(np.array([source.index(start)])) == 1


def test_solve_prints_the_steps_in_one_word(tmp_path: Path) -> None:
    """For each solution; a file whose name has a space is published too."""
    written(tmp_path, {"My room.xsb": "; author: N. N.\n######\n#@$ .#\n######\n"})
    start, folder = "######/#@$-.#/######", ["--puzzles", str(tmp_path)]
    done = ran(tmp_path, *folder, "solve", "My-room", start, "--lurd", "--all", "2", "--json")
    answer = json.loads(done.stdout)
    assert (answer["solution"], answer["solutions"]) == (["RR"], [["RR"]])
    assert ran(tmp_path, *folder, "solve", "My-room", start, "--lurd").stdout.endswith("\nRR\n")
    refused = command(tmp_path, *folder, "solve", "My-room", start, "--lurd", "--states")
    assert (refused.status, "states does not go with lurd" in refused.stderr) == (2, True)
    ran(tmp_path, "publish", "My room.xsb", "site", folder=tmp_path)
    assert (tmp_path / "site" / "My-room" / "index.html").exists()
    with definitions_from(tmp_path):
        assert find("My-room").about.inventor == "N. N."


def test_a_wrong_par_refuses_the_build(tmp_path: Path) -> None:
    with definitions_from(written(tmp_path / "levels", {"line.pegs": "; par: 7\noo.o\n"})):
        with pytest.raises(
            VerificationError, match=r"distance from the start .*line\.pegs: expected 7, found 2"
        ):
            job("line", tmp_path).build()
        assert not [*tmp_path.glob("*.duckdb")]


def test_a_level_that_changed_has_no_table(tmp_path: Path) -> None:
    folder = written(tmp_path / "levels", {"line.pegs": "oo.o\n"})
    with definitions_from(folder):
        job("line", tmp_path).build()
    written(folder, {"line.pegs": "; counted\noo.o.\n"})
    with definitions_from(folder), pytest.raises(DamagedTable, match="of another definition"):
        Sources(tmp_path).table("line")


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE ranking SET checksum = 'wrong'::BLOB",
        "DELETE FROM ranking",
        "DELETE FROM ranking WHERE name = 'listed'",
    ],
)
def test_damaged_numbers_are_an_error(damage: str, tmp_path: Path) -> None:
    path = job("cross", tmp_path).build()
    with duckdb.connect(str(path)) as file:
        file.execute(damage)
    with pytest.raises(DamagedTable):
        job("cross", tmp_path).verify()
    with pytest.raises(DamagedTable):
        Sources(tmp_path).table("cross")


def test_wrong_files_harm_no_other(tmp_path: Path) -> None:
    wrong = {
        "two.pegs": "oo.o\n\noo?\n",
        "panex.pegs": "oo.o\n\noo.o\n",
        "same.pegs": "oo.o\n",
        "same.tubes": "AB\nBA\n..\n",
        "empty.tubes": "",
    }
    os.mkfifo(written(tmp_path / "levels", wrong) / "pipe.xsb")
    with definitions_from(tmp_path / "levels"):
        assert {*unreadable()} == {"panex", "same", "empty", "pipe"}
        assert find("two-1").goal().start == "oo.o"
        for name, words in {
            "two-2": r"two\.pegs:3:3: '\?' is neither a peg",
            "panex": "panex.pegs and Panex are both called 'panex-1'",
            "same": "same.pegs and .*same.tubes both define 'same'",
            "pipe": "it is no regular file: .*pipe.xsb",
        }.items():
            with pytest.raises(UnknownPuzzle, match=words):
                find(name)


def test_a_file_of_many_levels_is_one_line_of_the_first_page(tmp_path: Path) -> None:
    written(
        tmp_path,
        {"many.xsb": "".join(f"; Wall {at}\n#####\n#@$.#\n#####\n\n" for at in range(10_000))},
    )
    began = process_time()
    with definitions_from(tmp_path):
        listed = puzzle_list(Sources(tmp_path))["puzzles"]
        assert (listed[-1]["name"], listed[-1]["title"]) == ("many-10000", "Wall 9999")
        with create_app(tmp_path).test_client() as client:
            page = client.get("/").text
        assert process_time() - began < 4 * slowness()
        assert (page.count("play/many-"), "many-1 to many-10000" in page) == (1, True)
        with pytest.raises(UnknownPuzzle):
            find("many-10001")


def test_a_board_with_too_many_moves_is_too_much_work(tmp_path: Path) -> None:
    """The texts after all moves would have many millions of letters."""
    empty, across = "." * 63, "#" * 62
    boards = {
        "many": [f"{'ABCDEFGHIJKLMNOP':.<63}", *[empty] * 62],
        "corridor": [
            "A" + empty[1:],
            *[across + ".", empty, "." + across, empty] * 15,
            across + ".",
            empty,
        ],
    }
    texts = {f"{name}.blocks": "\n".join([*rows, "goal", *rows]) for name, rows in boards.items()}
    with definitions_from(written(tmp_path, texts)), create_app(tmp_path).test_client() as client:
        for name, rows in boards.items():
            refused = client.get(
                f"/v1/puzzles/{name}/lookup", query_string={"state": "/".join(rows)}
            )
            assert (refused.status_code, refused.get_json()["type"]) == (400, "/docs#too-much-work")
