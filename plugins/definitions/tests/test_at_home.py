"""The number of pieces at home, against reference implementations that read the texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pytest

from puzzlebase.puzzles import find
from tests.naive import at_home as naive

from .small_definitions import EXAMPLES, SMALL, definitions_from, written

pytestmark = pytest.mark.needs("hanoi", "oriented", "panex", "panguru", "quantum", "tiles")

REFERENCES: dict[str, Callable[[str, str], int]] = {
    "novice": naive.letters,
    "turnstile": naive.letters,
    "novice-oriented": naive.letters,
    "panguru-4": naive.letters,
    "sliding-2x3": naive.tiles,
    "tiles-2x3-125": lambda solved, state: naive.tiles(solved.replace("x", "0"), state),
    "panex-3": naive.panex,
    "hanoi-nnn-3": naive.hanoi,
    "quantum-2x2-2 to 2,0,0,0/0,2,0,0/0,0,0,2/0,0,2,0": naive.quantum,
    "quantum-2x2-1": naive.quantum,
    "2x2x2": partial(naive.turned_pieces, characters=2),
    "wild": partial(naive.turned_pieces, characters=2),
    "many": partial(naive.turned_pieces, characters=3),
}


@pytest.fixture(autouse=True, scope="module")
def _definitions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The 2x2x2, small definitions with equal and wild pieces,
    and one with more pieces than letters.
    """
    folder = tmp_path_factory.mktemp("definitions")
    written(folder, "2x2x2", (EXAMPLES / "2x2x2.tws").read_text("utf-8"))
    written(folder, "wild", SMALL["wild"].text)
    still, turned = " ".join(map(str, range(1, 69))), " ".join(["1"] * 3 + ["0"] * 67)
    moves = f"Move S\nC\n{still} 70 69\nEnd\nMove T\nC\n{still} 69 70\n{turned}\nEnd\n"
    written(folder, "many", f"Set C 70 2\nSolved\nEnd\n{moves}")
    with definitions_from(folder):
        yield


@pytest.mark.parametrize("name", REFERENCES)
def test_pieces_at_home_are_those_that_one_sees(name: str) -> None:
    puzzle_name, _, goal_name = name.partition(" to ")
    puzzle = find(puzzle_name)
    goal = puzzle.goal(goal_name or None)
    space = puzzle.space(goal)
    indices = np.append(np.random.default_rng(28).integers(0, space.size, 200), space.goal_states)
    boards = space.unrank(indices)
    assert puzzle.board.at_home is not None
    found = puzzle.board.at_home(space.unrank(space.goal_states)[0], boards).tolist()
    states = [puzzle.format(board) for board in boards]
    assert found == [REFERENCES[name](goal.states[0], state) for state in states]
    assert found[-1] == max(found)
    assert len(set(found)) > 2


def test_where_pieces_have_no_homes_of_their_own_none_are_counted() -> None:
    assert find("avenger").board.at_home is None
