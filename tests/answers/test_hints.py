"""service/answers/hints.py: each level tells more, and what it tells agrees with the reference implementation."""

from __future__ import annotations

from puzzlebase.puzzles import find
from puzzlebase.service.answers import boards, hints
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.search import OpenSearch, Searchable
from tests import naive
from tests.conftest import COMMON, opened, some_states

NEIGHBOURS = naive.wheel_neighbours(naive.FULL_TURNS, interchangeable=False)


def test_hints_tell_more_by_level(tables: Tables, known: dict[str, int]) -> None:
    novice = opened(tables, "novice")
    more = [set(), {"groups"}, {"groups", "move"}, {"groups", "move", "solution"}]
    for state in [novice.goal.start, *some_states(tables, "novice", 40)]:
        best = [move for move, after in NEIGHBOURS(state) if known[after] == known[state] - 1]
        for level in (1, 2, 3, 4):
            answer = hints.hint(novice, state, level)
            assert set(answer) == COMMON | {"level"} | more[level - 1]
            assert (answer["level"], answer["distance"]) == (level, known[state])
        wheels = {"L": "left wheel", "R": "right wheel"}
        assert set(answer["groups"]) == {wheels[move[0]] for move in best}
        assert answer["move"] == (best[0] if best else None)
        assert answer["solution"][:1] == best[:1]
        assert known[naive.play(state, answer["solution"])] == 0


def test_a_hint_and_a_board_name_the_tile() -> None:
    """The tile beside the blank that goes home; one of two digits is named as it is drawn."""
    puzzle = find("sliding-3x3")
    search = OpenSearch(Searchable.of(puzzle, puzzle.goal(), None), Budget())
    for state, tile in (("123456708", "tile 8"), ("123450786", "tile 6")):
        assert hints.hint(search, state, 2)["groups"] == [tile]
    groups = {each["move"]: each["group"] for each in boards.board(puzzle, puzzle.goal(), "123450786")["moves"]}
    assert groups == {"U": "tile 6", "D": "tile 3", "R": "tile 5"}
    large = find("sliding-4x4")
    assert {each["group"] for each in boards.board(large, large.goal())["moves"]} == {"tile 12", "tile 15"}
