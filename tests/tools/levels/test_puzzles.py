"""Levels as puzzles: built, served and asked as any other, and compared with the plain rules."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock

import duckdb
import numpy as np
import pytest
from flask.testing import FlaskClient

import puzzlebase
from puzzlebase.builder import BuildError, TableJob, VerificationError
from puzzlebase.db.errors import DamagedTable
from puzzlebase.db.table_file import TableFile
from puzzlebase.puzzles import UnknownPuzzle, find
from puzzlebase.puzzles.discovery import all_families, forget, unreadable
from puzzlebase.service.answers.catalog import puzzle_list
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sources.sources import Sources
from puzzlebase.tools.levels import files
from puzzlebase.tools.levels.formats import blocks
from puzzlebase.tools.levels.game import MOST_LETTERS, Step
from puzzlebase.tools.levels.states import numbered
from puzzlebase.tools.levels.text import read_levels
from tests.conftest import quiet_job
from tests.matrix import one_in
from tests.naive import levels as naive
from tests.puzzles.small_definitions import definitions_from

EXAMPLES = Path(__file__).parents[3] / "examples"
BOXES = "#######\n#@ $ .#\n# $  .#\n#  #  #\n#######\n"
LEVELS = {
    "room.xsb": BOXES,
    "walks.xsb": f"; counts: moves\n{BOXES}",
    "cross.pegs": "  ...\n  .o.\n..ooo..\n...o...\n...o...\n  ...\n  ...\n",
    "jam.cars": "..B.\nAAB.\n..CC\n....\n",
    "small.blocks": "AAB.\nA.B.\nCC#D\nE..D\n\ngoal\n....\n....\n..#.\n.E..\n",
    "water.tubes": "ABC\nBCA\nCAB\n...\n...\n",
}
GAMES: dict[str, Callable[[str], naive.Game]] = {
    "room": lambda board: naive.sokoban(board, pushes=True),
    "walks": lambda board: naive.sokoban(board, pushes=False),
    "cross": naive.pegs,
    "jam": lambda board: naive.blocks(board, "....\n..AA\n....\n....\n", "straight", rails=True),
    "small": lambda board: naive.blocks(board, "....\n....\n..#.\n.E..\n", "piece"),
    "water": naive.tubes,
}
REVERSIBLE = {"jam", "small"}
BLANKS = {"room": "-", "walks": "-", "cross": "_"}
"""The characters of states in place of blanks."""


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
    """The tables of all levels."""
    folder = tmp_path_factory.mktemp("data")
    for name in GAMES:
        job(name, folder).build()
    return folder


@pytest.fixture
def client(data: Path) -> FlaskClient:
    """A client of a service with all tables."""
    return create_app(data).test_client()


def level_of(name: str) -> str:
    """The board of a level."""
    text = next(text for file, text in LEVELS.items() if file.startswith(name))
    return text.split("\ngoal")[0].removeprefix("; counts: moves\n")


def of(name: str, text: str) -> naive.State:
    """The state that a text stands for in the plain rules."""
    return GAMES[name](text.replace("/", "\n").replace(BLANKS.get(name, " "), " ")).start


@pytest.mark.parametrize("few", [numbered._FEW, 2], ids=["few", "many"])
@pytest.mark.parametrize("name", one_in(3, GAMES))
def test_every_distance_is_that_of_the_plain_rules(
    name: str, few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables of equal digests by one thread and two; and those of bits for codes, where moves flip bits."""
    monkeypatch.setattr(numbered, "_FEW", few)
    after, expected = naive.distances(GAMES[name](level_of(name)))
    digests = set()
    for threads in (1, 2):
        job(name, tmp_path / str(threads), threads).build()
        job(name, tmp_path / str(threads), threads).verify()
        table = Sources(tmp_path / str(threads)).table(name)
        digests.add(table.table.header.digest)
        assert table.space.size == len(after)
        assert table.space.one_way == (name not in REVERSIBLE)
        indices = np.arange(table.space.size)
        texts = [table.puzzle.format(board) for board in table.space.unrank(indices)]
        assert len({*texts}) == len(texts)
        found = dict(zip((of(name, text) for text in texts), table.distances(indices).tolist(), strict=True))
        assert found == {state: expected.get(state, -1) for state in after}
        assert [table.index(text) for text in texts] == indices.tolist()
    assert len(digests) == 1


@pytest.mark.parametrize("name", GAMES)
def test_every_shortest_solution_solves_the_level(name: str, data: Path) -> None:
    """The moves that answers name lead to the goal by the rules; the corpus has what all faces answer about levels."""
    known = naive.explore(GAMES[name](level_of(name)))
    puzzle = puzzlebase.open(name, data=data)
    solved = puzzle.solve(puzzle.goal.start, all=20)
    assert len({*map(tuple, solved["solutions"])}) == len(solved["solutions"]) == min(20, solved["optimal_count"])
    for solution in solved["solutions"]:
        assert len(solution) == known.par
        assert puzzle.lookup(reduce(find(name).play, solution, puzzle.goal.start))["distance"] == 0


def test_games_of_sokoban_are_graded_as_players_write_them(data: Path) -> None:
    """A letter for each step, in one word; capitals push, and players often leave them out."""
    walks, room = (puzzlebase.open(name, data=data) for name in ("walks", "room"))
    game = "".join(walks.solve(walks.goal.start)["solution"])
    pushes = sum(map(str.isupper, game))
    par = naive.explore(GAMES["room"](level_of("room"))).par
    for played in ([game], [game.lower()], [game[:4], game[4:]]):
        answer = walks.grade(walks.goal.start, moves=played)
        assert (answer["solved"], answer["length"], answer["stars"]) == (True, len(game), 3)
        answer = room.grade(room.goal.start, moves=played)
        assert (answer["solved"], answer["length"], answer["optimal_length"]) == (True, pushes, par)
    answer = room.grade(room.goal.start, moves=["ulurrr"])
    assert answer["illegal"]
    assert (answer["legal"], answer["illegal"]["played"]) == (False, "u")


def test_sql_names_the_moves_of_each_state(data: Path) -> None:
    rows = puzzlebase.sql(
        "SELECT unnest(successors('room', state_index('room', '#######/#@-$-.#/#-$--.#/#--#--#/#######')))", data
    )
    named = {row[0]["move"]: row[0]["distance"] for row in rows.fetchall()}
    answer = puzzlebase.open("room", data=data).lookup("#######/#@-$-.#/#-$--.#/#--#--#/#######")
    assert named == {move["move"]: move["distance"] for move in answer["moves"]}


@pytest.mark.parametrize("name", GAMES)
def test_without_a_table_a_search_answers(name: str, tmp_path: Path) -> None:
    known = naive.explore(GAMES[name](level_of(name)))
    puzzle = puzzlebase.open(name, data=tmp_path)
    answer = puzzle.lookup(puzzle.goal.start)
    assert (answer["distance"], answer["source"]) == (known.par, "search")
    assert len(puzzle.solve(puzzle.goal.start)["solution"]) == known.par


def test_a_state_that_the_start_does_not_lead_to_is_searched(data: Path, client: FlaskClient) -> None:
    """A box stands where no push can have left it."""
    elsewhere = "#######/#@$--.#/#-$--.#/#--#--#/#######"
    _, expected = naive.distances(naive.sokoban(elsewhere.replace("/", "\n").replace("-", " "), pushes=True))
    assert Sources(data).table("room").index(elsewhere) < 0
    for what in ("lookup", "solve", "hint"):
        answer = asked(client, what, state=elsewhere)
        assert (answer["source"], answer["distance"]) == ("search", expected[of("room", elsewhere)])
    assert puzzlebase.open("room", data=data).lookup(elsewhere)["distance"] == answer["distance"]
    hopeless = "#######/#$---.#/#@$--.#/#--#--#/#######"
    answer = asked(client, "lookup", state=hopeless)
    assert (answer["solvable"], answer["exact"], answer["source"]) == (False, True, "search")
    bounded = asked(client, "lookup", state=elsewhere, max_states=1)
    assert (bounded["solvable"], bounded["exact"]) == (None, False)


def asked(client: FlaskClient, what: str, **fields: Any) -> Any:
    """The answer about the room."""
    return client.get(f"/v1/puzzles/room/{what}", query_string=fields).json


def test_another_goal_is_searched_or_built(client: FlaskClient, tmp_path: Path) -> None:
    start, goal = find("room").goal().start, "#######/#--$-*#/#----@#/#--#--#/#######"
    moved = asked(client, "lookup", state=start)["moves"][0]["state"]
    answer = asked(client, "lookup", state=start, goal=moved)
    assert (answer["source"], answer["distance"]) == ("search", 1)
    built = quiet_job(TableJob, find("room"), tmp_path, moved)
    built.build()
    built.verify()
    source = Sources(tmp_path).table("room", moved)
    assert source.distances(np.array([source.index(start)])) == 1
    wrong = client.get("/v1/puzzles/room/lookup", query_string={"state": start, "goal": goal})
    assert wrong.status_code in {404, 409, 422}


def test_a_wrong_par_refuses_the_build(tmp_path: Path) -> None:
    with definitions_from(written(tmp_path / "levels", {"line.pegs": "; par: 7\noo.o\n"})):
        with pytest.raises(VerificationError, match=r"distance from the start .*line\.pegs: expected 7, found 2"):
            job("line", tmp_path).build()
        assert not [*tmp_path.glob("*.duckdb")]


def test_a_level_that_changed_has_no_table(tmp_path: Path) -> None:
    folder = written(tmp_path / "levels", {"line.pegs": "oo.o\n"})
    with definitions_from(folder):
        job("line", tmp_path).build()
    written(folder, {"line.pegs": "; counted\noo.o.\n"})
    with definitions_from(folder), pytest.raises(DamagedTable, match="of another definition"):
        Sources(tmp_path).table("line")


def test_a_damaged_number_is_an_error(tmp_path: Path) -> None:
    path = job("cross", tmp_path).build()
    with duckdb.connect(str(path)) as file:
        file.execute("UPDATE ranking SET checksum = 'wrong'::BLOB WHERE name = 'keys'")
    with pytest.raises(DamagedTable):
        Sources(tmp_path).table("cross")


@pytest.mark.parametrize("left", [("start", "goal_states"), ()])
def test_numbers_that_are_missing_are_an_error(
    left: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job("cross", tmp_path).build()
    ranking = TableFile.ranking
    monkeypatch.setattr(TableFile, "ranking", lambda file: {name: ranking(file)[name] for name in left})
    with pytest.raises(DamagedTable, match=r"holds impossible values|does not number the states of cross"):
        job("cross", tmp_path).verify()


def test_more_states_than_memory_holds_refuse_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlebase.builder.table.spare_memory", lambda: (400 << 20) + 80 * 100)
    with pytest.raises(BuildError, match=r"walks has more than 100 states; the last layers from the start had [\d, ]+"):
        job("walks", tmp_path).build()


def test_wrong_files_harm_no_other(tmp_path: Path) -> None:
    wrong = {
        "two.pegs": "oo.o\n\noo?\n",
        "panex.pegs": "oo.o\n\noo.o\n",
        "same.pegs": "oo.o\n",
        "same.tubes": "AB\nBA\n..\n",
        "bad.xsb": "####\n#@$\n####\n",
        "empty.tubes": "",
        "fine.pegs": "oo.o\n",
    }
    os.mkfifo(written(tmp_path / "levels", wrong) / "pipe.xsb")
    with definitions_from(tmp_path / "levels"):
        names = {name for family in all_families() for name in family.members}
        assert {"two-1", "two-2", "fine"} <= names
        assert {*unreadable()} == {"panex", "same", "empty", "pipe"}
        assert find("two-1").goal().start == "oo.o"
        for name, words in {
            "two-2": r"two\.pegs:3:3: '\?' is neither a peg",
            "panex": "panex.pegs and Panex are both called 'panex-1'",
            "same": "same.pegs and .*same.tubes both define 'same'",
            "bad": r"bad\.xsb:2:3: ",
            "empty": "there is no level in the file",
            "pipe": "it is no regular file: .*pipe.xsb",
        }.items():
            with pytest.raises(UnknownPuzzle, match=words):
                find(name)


def test_the_work_of_lists_grows_with_the_levels_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of a file is read once for all lists, until it changes."""
    read = mock.Mock(wraps=read_levels)
    monkeypatch.setattr(files, "read_levels", read)

    def calls(levels: int) -> int:
        written(tmp_path, {"many.xsb": "".join(f"; Wall {at}\n#####\n#@$.#\n#####\n\n" for at in range(levels))})
        forget()
        counted: list[str] = []
        sys.setprofile(lambda _frame, event, _of: counted.append(event))
        listed = puzzle_list(Sources(tmp_path))["puzzles"]
        sys.setprofile(None)
        assert (listed[-1]["name"], listed[-1]["title"]) == (f"many-{levels}", f"Wall {levels - 1}")
        return len(counted)

    with definitions_from(tmp_path):
        few, more, most = map(calls, (500, 1500, 2500))
        assert most - more < 1.1 * (more - few)
        with create_app(tmp_path).test_client() as client:
            page = client.get("/").text
        assert page.count("play/many-") == 1
        assert "many-1 to many-2500" in page
        assert all(find(f"many-{number}") for number in range(1, 400))
        for wrong in ("many-0", "many-2501", "many-01"):
            with pytest.raises(UnknownPuzzle):
                find(wrong)
        assert read.call_count == 3


def test_a_board_with_too_many_moves_is_too_much_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The texts after all moves have many millions of letters. Each step has one."""
    made = mock.Mock(wraps=Step)
    monkeypatch.setattr(blocks, "Step", made)
    empty, across = "." * 63, "#" * 62
    boards = {
        "many": [f"{'ABCDEFGHIJKLMNOP':.<63}", *[empty] * 62],
        "large": [*[f"{'A' * 16:.<63}"] * 16, *[empty] * 47],
        "corridor": ["A" + empty[1:], *[across + ".", empty, "." + across, empty] * 15, across + ".", empty],
    }
    texts = {f"{name}.blocks": "\n".join([*rows, "goal", *rows]) for name, rows in boards.items()}
    with definitions_from(written(tmp_path, texts)), create_app(tmp_path).test_client() as client:
        assert {*boards} <= {each["name"] for each in client.get("/v1/puzzles").get_json()["puzzles"]}
        for address in (f"/v1/puzzles/{name}{what}" for name in boards for what in ("", "/lookup", "/board")):
            made.reset_mock()
            refused = client.get(address, query_string={"state": "/".join(boards[address.split("/")[3]])})
            assert refused.get_json()["type"] == "/docs#too-much-work" or address.count("/") == 3
            assert refused.status_code == 400
            assert made.call_count << 12 < 2 * MOST_LETTERS


def test_others_give_packed_games_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frogs and toads, a file of rules with a kernel, whose machine code is stored and loaded again."""
    monkeypatch.setenv("PUZZLEBASE_RULES", str(EXAMPLES / "frogs.py"))
    forget()

    def after(state: str) -> Iterator[str]:
        for at, to in product(range(7), range(7)):
            mine, far = state[at], to - at if state[at] == "F" else at - to
            if state[to] == "." and (far == 1 or (far == 2 and {mine, state[(at + to) // 2]} == {*"FT"})):
                yield "".join({at: ".", to: mine}.get(place, each) for place, each in enumerate(state))

    known, expected = naive.distances(naive.Game("FFF.TTT", after, lambda state: state == "TTT.FFF"))
    job("frogs", tmp_path).build()
    table = Sources(tmp_path).table("frogs")
    texts = [table.puzzle.text(index, table.goal) for index in range(table.space.size)]
    distances = table.distances(np.arange(table.space.size)).tolist()
    assert dict(zip(texts, distances, strict=True)) == {state: expected.get(state, -1) for state in known}
    for text in texts:
        assert {table.puzzle.play(text, move.name) for move in table.puzzle.moves_of(text)} == known[text]
        assert len(table.puzzle.board.drawing.layout(text, table.goal).pieces) == 6
    forget()
