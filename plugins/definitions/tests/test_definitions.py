"""Puzzles from definition files,
against a reference implementation and published layers; and refusals.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import puzzlebase
from puzzlebase.plugins.definitions.definition import Definition
from puzzlebase.plugins.definitions.definition_file import DefinitionFile
from puzzlebase.plugins.definitions.moves import all_moves
from puzzlebase.plugins.definitions.space import Numbered
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.puzzles import (
    Distances,
    ImpossibleState,
    InvalidState,
    Puzzle,
    Space,
    UnknownPuzzle,
    all_families,
    find,
)
from puzzlebase.puzzles.contract.space import States
from puzzlebase.puzzles.discovery import discover_definitions, forget
from puzzlebase.testing.puzzles import letters_are_those_of_play, play_agrees_with_expand
from tests.commands import command, ran
from tests.fixtures import Held, enumerated
from tests.matrix import only
from tests.naive.definition import NaiveDefinition

from .small_definitions import CUBE, EXAMPLES, SMALL, written

pytestmark = pytest.mark.needs("stickers")


def numbered(definition: Definition) -> Numbered:
    moves = all_moves(definition)
    return Numbered(Texts(definition), moves)


def definition_of(name: str) -> Puzzle:
    return DefinitionFile(EXAMPLES / f"{name.removesuffix('-quarter')}.tws").puzzle(name)


def by_orbits(space: Space, distances: Distances) -> None:
    """Compare with the distances that orbits give,
    where there are some, whichever of them stands for one.
    """
    if isinstance(space.storage, States):
        return
    assert space.storage.problem(space.goal_states) is None
    stored = Held(enumerated(space.stored()))
    assert np.array_equal(space.distances(np.arange(space.size), stored.probe), distances)
    read = lambda first, last: stored.distances[first:last]  # noqa: E731
    assert np.array_equal(space.distance_range(1, space.size, read), distances[1:])
    assert space.stored_size < space.size


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("powers", only(bool, [True, False]), ids=["powers", "quarter"])
def test_all_states_have_the_distances_of_the_twin(tmp_path: Path, name: str, powers: bool) -> None:
    text, states, kind = SMALL[name].text, SMALL[name].states, SMALL[name].kind
    file = written(tmp_path, name, text)
    known = NaiveDefinition(text).distances(powers=powers)
    puzzle = file.puzzle(file.name + ("" if powers else "-quarter"))
    space = puzzle.space(puzzle.goal())
    distances = enumerated(space)
    every = np.arange(space.size)
    texts = [puzzle.format(board) for board in space.unrank(every)]
    reached = {
        text: distance
        for text, distance in zip(texts, distances.tolist(), strict=True)
        if distance >= 0
    }
    assert reached == known
    by_orbits(space, distances)
    assert space.rank(space.unrank(every)).tolist() == every.tolist()
    found = numbered(file.definition)
    assert found.count.exact is False or found.count.states == len(known)
    assert found.count.states >= len(known)
    assert states in (None, len(known))
    assert kind in (None, found.numbering.kind)
    assert not space.connected or space.size == len(known)
    for law in (play_agrees_with_expand, letters_are_those_of_play):
        law(puzzle, puzzle.goal())


PUBLISHED = {
    # Layers of the 2x2x2: OEIS A079761 and A079762; of the pyraminx and the skewb: Jaap
    # Scherphuis's puzzle page.
    "2x2x2": (1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644),
    "2x2x2-quarter": (
        *(
            1,
            6,
            27,
            120,
            534,
            2256,
            8969,
            33058,
            114149,
            360508,
            930588,
            1350852,
            782536,
            90280,
            276,
        ),
    ),
    "pyraminx": (1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32),
    "skewb": (1, 8, 48, 288, 1728, 10248, 59304, 315198, 1225483, 1455856, 81028, 90),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLISHED)
def test_layers_are_the_published_ones(name: str) -> None:
    puzzle = definition_of(name)
    space = puzzle.space(puzzle.goal())
    assert space.connected
    assert tuple(np.bincount(enumerated(space)).tolist()) == PUBLISHED[name]


STATES = {
    "3x3x3": 43_252_003_274_489_856_000,
    "cube-corners": 88_179_840,
    "dino": 19_958_400,
    "fto": 2_759_049_216_000,
    "lights-out": 2**23,
    "topspin-10": 3_628_800,
    "turnstile-pieces": 6_286_896_000,
}


def test_every_example_has_its_states() -> None:
    """Numbers published by Jaap Scherphuis; those of TopSpin are all orders of ten discs."""
    known = STATES | {
        name: sum(layers) for name, layers in PUBLISHED.items() if not name.endswith("-quarter")
    }
    assert known.keys() == {path.stem for path in EXAMPLES.glob("*.tws")}
    for name, states in known.items():
        assert numbered(DefinitionFile(EXAMPLES / f"{name}.tws").definition).count[:2] == (
            states,
            True,
        )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A folder of definitions that discovery reads while a test runs."""
    monkeypatch.setenv("PUZZLEBASE_PUZZLES", str(tmp_path))
    discover_definitions(tmp_path)
    yield tmp_path
    monkeypatch.undo()
    forget()


def test_files_of_the_folder_are_puzzles_and_wrong_ones_say_why(folder: Path) -> None:
    ours = len(all_families())
    written(folder, "mine", CUBE)
    written(folder, "turnstile", CUBE)
    written(folder, "both", CUBE)
    written(folder, "both", "Set", ".def")
    written(folder, "broken", "Set")
    written(folder, "notes", "nothing of ours", ".txt")
    written(folder, "loud", CUBE, ".TWS")
    written(folder, "piped", CUBE)
    (folder / "link.tws").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "piped.svg")
    discover_definitions(folder)
    assert [family.name for family in all_families()][ours:] == ["loud", "mine"]
    assert find("mine").about.family == "mine"
    assert [move.name for move in find("mine").moves] == ["R", "R2", "R3", "R2'", "R'"]
    assert [move.name for move in find("mine-quarter").moves] == ["R", "R'"]
    goal = find("mine").goal("B0C1A0")
    digest = DefinitionFile(folder / "mine.tws").definition.digest
    assert goal.key.startswith(f"to-{digest}-")
    assert find("mine").goal(goal.key).states == ("B0C1A0",)
    assert find("mine").table_name(find("mine").goal()) == "mine"
    for name, message in {
        "turnstile": "Color wheels",
        "both": "both define 'both'",
        "broken": "line 1",
        "link": "No such file",
        "piped": "piped.svg: it is no regular file",
    }.items():
        with pytest.raises(UnknownPuzzle, match=message):
            find(name)
    assert find("avenger")


def test_files_beyond_the_most_are_told_in_a_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlebase.puzzles.files.MOST_FILES", 3)
    (folder / "more").mkdir()
    for name in ("a", "b", "more/c", "more/d", "more/e"):
        written(folder, name, CUBE)
    discover_definitions(folder, folder / "more")
    assert [family.name for family in all_families()][-3:] == ["a", "b", "c"]
    with pytest.raises(
        UnknownPuzzle, match=r"d\.tws and later files are not read: at most 3 of the 5 are"
    ):
        find("e")
    words = "--puzzles", str(folder), "--puzzles", str(folder / "more")
    assert command(folder, *words, "list").stderr.count("later files") == 1


def test_the_command_line_takes_definitions(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = tmp_path_factory.mktemp("data")
    written(folder, "mine", f"# label Q: ring\n{CUBE}")
    listed = command(data, "list", "--puzzles", str(folder))
    assert listed.status == 0
    not_used = "mine.tws: line 1: the remark 'label Q' is left out"
    assert not_used in " ".join(listed.stderr.split())
    built = command(data, "build", "mine", "--puzzles", str(folder), "--dry-run")
    assert (built.status, not_used in " ".join(built.stderr.split())) == (0, True)
    written(folder, "broken", "Set")
    listed = command(data, "list", "--puzzles", str(folder))
    assert (listed.status, "mine" in listed.stdout) == (1, True)
    assert listed.stderr.count("broken.tws, line 1") == 1
    assert (
        "broken"
        not in command(data, "info", "mine").stderr + command(data, "board", "novice").stderr
    )
    assert command(data, "info", "broken").stderr.count("broken.tws, line 1") == 1
    assert command(data, "--puzzles", str(folder / "none"), "list").status == 2


def test_texts_say_what_is_wrong(tmp_path: Path) -> None:
    puzzle = written(tmp_path, "still", SMALL["still"].text).puzzle("still")
    assert puzzle.goals[0].start == "ABCDEA-A3B1"
    for state, error, message in (
        ("ABCDEA-A3B", InvalidState, "has 10 characters, not 11"),
        ("ABCDEA-A3B9", InvalidState, "'B9' in place 2 of B"),
        ("ABCDEA.A3B1", InvalidState, "'.'"),
        ("ABCDEZ-A3B1", InvalidState, "'Z' in place 6 of A"),
        ("ABCDEB-A3B1", ImpossibleState, "'B' 2 times, not 1, in A"),
        ("ABCDEÄ-A3B1", InvalidState, "character 6"),
    ):
        with pytest.raises(error) as caught:
            puzzle.parse(state)
        assert message in str(caught.value)
    space = puzzle.space(puzzle.goal())
    wrong = np.stack(
        [puzzle.parse(state) for state in ("BACDEA-A3B1", "ABCDAE-A3B1", "ABCDEA-A3B0")]
    )
    assert space.rank(wrong).tolist() == [-1, -1, -1]


def test_another_definition_of_a_name_has_other_tables(tmp_path: Path) -> None:
    one, same, other = (
        written(tmp_path, name, text).puzzle(name).goals[0].key
        for name, text in (
            ("a", CUBE),
            ("b", "# comment\n" + CUBE),
            ("c", CUBE.replace("0 0 1", "1 0 0")),
        )
    )
    assert one == same != other


def test_an_unknown_puzzle_says_where_definitions_were_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PUZZLEBASE_PUZZLES", raising=False)
    data = tmp_path / "data"
    data.mkdir()
    asked = command(None, "info", "nobodys", folder=tmp_path)
    assert asked.status == 2
    assert f"there is no folder {tmp_path}/puzzles.d or {data}/puzzles.d" in asked.stderr
    for folder in (data / "puzzles.d", tmp_path / "puzzles.d"):  # the present folder comes first
        folder.mkdir()
        written(folder, "mine", CUBE)
        asked = command(None, "info", "nobodys", folder=tmp_path)
        assert f"definition files are those in {folder}" in asked.stderr
        ran(None, "info", "mine", folder=tmp_path)


def test_definitions_lie_beside_the_tables_that_an_option_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PUZZLEBASE_PUZZLES", raising=False)
    (tmp_path / "tables" / "puzzles.d").mkdir(parents=True)
    written(tmp_path / "tables" / "puzzles.d", "mine", CUBE)
    for words in (["--data", "tables", "info", "mine"], ["info", "mine", "--data", "tables"]):
        assert "mine" in command(None, *words, folder=tmp_path).stdout
    assert puzzlebase.open("mine", data=tmp_path / "tables").distance("B0C1A0") == 1
