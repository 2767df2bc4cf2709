"""service/answers/hints.py: each level tells more,
and what it tells agrees with the reference implementation.
"""

from __future__ import annotations

from puzzlebase.service.answers import hints
from puzzlebase.service.sources.sources import Sources
from tests import naive
from tests.fixtures import COMMON, opened, some_states

NEIGHBOURS = naive.wheel_neighbours(naive.FULL_TURNS, interchangeable=False)


def test_hints_tell_more_by_level(tables: Sources, known: dict[str, int]) -> None:
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
