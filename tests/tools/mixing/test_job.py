"""Random turns: distributions over all states agree with random turns made one at a time, by the rules alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.builder import TableJob, VerificationError
from puzzlebase.builder.preflight import Estimate, Shortage
from puzzlebase.puzzles import find
from puzzlebase.tools.mixing.file import Measurement, mixing_path, read_mixing
from puzzlebase.tools.mixing.job import MixingJob
from puzzlebase.tools.mixing.walk import UnknownWalk, Walk
from tests import naive
from tests.conftest import quiet
from tests.naive import mixing

SOLVED = "BBBBBBBBBBBBRRRRRRRRR"
STATES = 97_020
EXACT = 1e-12


def walked(data: Path, name: str, walk: str, turns: int, threads: int = 2) -> tuple[Measurement, ...]:
    puzzle = find(name)
    job = MixingJob(puzzle, puzzle.goal(), data, "test", threads, quiet(), walk=walk, turns=turns)
    return read_mixing(job.build()).turns


def wheels(moves: list[str], walk: str) -> mixing.Choices:
    """The moves that a walk may choose out of all `moves`."""

    def choices(state: str, last: str) -> Iterable[tuple[str, str]]:
        for move in moves:
            same_wheel = last[:1] == move[0]
            undone = last != "" and naive.undo(last) == [move]
            if walk == "any" or not (same_wheel if len(moves) == len(naive.FULL_TURNS) else undone):
                yield move, naive.turn(state, move)

    return choices


def agrees(
    found: tuple[Measurement, ...], start: str, choices: mixing.Choices, known: dict[str, int], states: int
) -> None:
    """Compare each turn with that of the reference implementation, to 1e-12."""
    now = {(start, ""): Fraction(1)}
    for turn in found:
        by_state = mixing.of_states(now)
        assert turn.reached == len(by_state)
        assert abs(turn.from_uniform - mixing.from_uniform(by_state, states)) < EXACT
        by_distance = [Fraction(0)] * len(turn.by_distance)
        for state, probability in by_state.items():
            by_distance[known[state]] += probability
        assert np.abs(np.array(turn.by_distance) - np.array(by_distance, float)).max() < EXACT
        now = mixing.turned(now, choices)


@pytest.mark.parametrize(("walk", "turns"), [("any", 5), ("no-undo", 6), ("alternate", 6)])
def test_wheels_agree_with_the_reference(data: Path, known: dict[str, int], walk: str, turns: int) -> None:
    found = walked(data, "novice", walk, turns)
    agrees(found, SOLVED, wheels(naive.FULL_TURNS, walk), known, STATES)


@pytest.mark.parametrize(("walk", "turns"), [("any", 7), ("no-undo", 8)])
def test_sixths_agree_with_the_reference(data: Path, walk: str, turns: int) -> None:
    neighbours = naive.wheel_neighbours(naive.SIXTH_TURNS, interchangeable=False)
    known = naive.distances(SOLVED, neighbours, turns)
    found = walked(data, "novice-sixths", walk, turns)
    agrees(found, SOLVED, wheels(naive.SIXTH_TURNS, walk), known, STATES)


def slides(state: str) -> Iterable[tuple[str, str]]:
    """The moves of a board of 2 rows and 3 columns, by the place that the tile comes from, and the boards behind."""
    at = state.index("0")
    for place in range(6):
        if abs(place // 3 - at // 3) + abs(place % 3 - at % 3) == 1:
            board = [*state]
            board[at], board[place] = board[place], board[at]
            yield f"{place} {at}", "".join(board)


def small(data: Path) -> tuple[str, dict[str, int]]:
    """The table of a board whose states differ in their number of moves, and the distances of the reference."""
    puzzle = find("sliding-2x3")
    TableJob(puzzle, puzzle.goal(), data, "test", 2, quiet()).build()
    return puzzle.goal().start, naive.distances(puzzle.goal().start.replace(" ", ""), slides)


@pytest.mark.parametrize("walk", ["any", "no-undo"])
def test_moves_that_are_not_always_legal(tmp_path: Path, walk: str) -> None:
    start, known = small(tmp_path)

    def choices(state: str, last: str) -> Iterable[tuple[str, str]]:
        back = " ".join(reversed(last.split()))
        every = [(move, after) for move, after in slides(state)]
        return every if walk == "any" or not last else [each for each in every if each[0] != back] or every

    agrees(walked(tmp_path, "sliding-2x3", walk, 10), start, choices, known, 360)


def test_the_askers_walk(data: Path) -> None:
    """The wheels alternate, as the asker of 90 turns does it; forwards, along every move of every state."""
    space = find("novice").space(find("novice").goal())
    neighbours = space.expand(np.arange(STATES))
    now = np.zeros((2, STATES))
    now[:, space.goal_states] = 1
    found = walked(data, "novice", "alternate", 40)
    for turn in found[1:]:
        for begun_with in range(2):
            wheel = (begun_with + turn.turn - 1) % 2
            after = np.zeros(STATES)
            for move in range(5 * wheel, 5 * wheel + 5):
                np.add.at(after, neighbours[:, move], now[begun_with] / 5)
            now[begun_with] = after
        both = now.mean(axis=0)
        assert abs(turn.from_uniform - np.abs(both - 1 / STATES).sum() / 2) < EXACT
        assert turn.reached == np.count_nonzero(both)
    assert [turn.reached == STATES for turn in found].index(True) == 13
    assert [f"{found[turns].from_uniform:.3g}" for turns in (8, 20)] == ["0.643", "0.0639"]


def test_threads_change_nothing(data: Path) -> None:
    """Nor does a verification, which makes as many turns as the file has."""
    for name, walk in (("novice", "any"), ("novice", "alternate"), ("novice-sixths", "no-undo")):
        assert walked(data, name, walk, 12, threads=1) == walked(data, name, walk, 12, threads=3)
        assert "sound" in MixingJob(find(name), find(name).goal(), data, walk=walk).verify()


def test_only_wheels_alternate_and_have_numbers_of_32_bits(tmp_path: Path) -> None:
    small(tmp_path)
    with pytest.raises(UnknownWalk, match="no wheels"):
        walked(tmp_path, "sliding-2x3", "alternate", 3)
    puzzle = find("sliding-2x3")
    with pytest.raises(UnknownWalk, match="has no wheels"):
        MixingJob(puzzle, puzzle.goal(), tmp_path, single=True).build()


def test_probabilities_that_do_not_sum_to_1_are_refused(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = mixing_path(data, "novice", "any")
    walked(data, "novice", "any", 2)
    before = stored.read_bytes()
    sums = Walk.measure

    def lossy(walk: Walk) -> Measurement:
        by_distance, apart, reached = walk._sums()
        monkeypatch.setattr(walk, "_sums", lambda: (by_distance * (1 - 1e-8), apart, reached))
        return sums(walk)

    monkeypatch.setattr(Walk, "measure", lossy)
    with pytest.raises(VerificationError, match=r"sum to 0\.99999999"):
        walked(data, "novice", "any", 3)
    assert stored.read_bytes() == before


def estimated(folder: Path, name: str, turns: int) -> Estimate:
    puzzle = find(name)
    return MixingJob(puzzle, puzzle.goal(), folder, threads=2, turns=turns).estimate()


def test_a_walk_is_not_called_a_build(tmp_path: Path) -> None:
    needed = estimated(tmp_path, "novice", 40)
    with pytest.raises(Shortage, match="a random walk of novice needs about") as caught:
        replace(needed, spare_memory=1000).check("novice")
    assert caught.value.hint.endswith("free some memory, or walk anyway with --force")
    assert "build" not in f"{caught.value} {caught.value.hint}"


def test_the_document_names_the_time_that_the_program_expects(tmp_path: Path) -> None:
    expected = estimated(tmp_path, "turnstile", 40).describe().rpartition(" about ")[2]
    document = " ".join((Path(__file__).parents[3] / "docs" / "mixing.md").read_text("utf-8").split())
    assert f"For 40 turns on two free processors the program expects {expected}" in document


@pytest.mark.slow
@pytest.mark.parametrize("walk", ["any", "alternate"])
def test_numbers_of_32_bits_say_nearly_the_same(data: Path, walk: str) -> None:
    puzzle = find("novice")
    both = []
    for single in (False, True):
        job = MixingJob(puzzle, puzzle.goal(), data, "test", 2, quiet(), walk=walk, turns=40, single=single)
        mixing_path(data, "novice", walk).unlink(missing_ok=True)
        both.append(read_mixing(job.build()).turns)
    mixing_path(data, "novice", walk).unlink()
    for exact, near in zip(*both, strict=True):
        assert near.reached == exact.reached
        assert near.from_uniform == pytest.approx(exact.from_uniform, abs=1e-6)
        assert near.by_distance == pytest.approx(exact.by_distance, abs=1e-6)
