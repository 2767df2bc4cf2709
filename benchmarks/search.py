"""Searches without a table: their times from nothing, and from the first layers stored.

Each search finds a state's distance and every optimal first move; its
time is a value. All searches run in one process, on one thread; a search with patterns takes all processors after a
tenth of a second. Kernels are compiled, and nothing is known of the state before. Random pebbles on random plates
are each a new goal, and their time includes preparing it. The far states were reached from random ones, step by
step to a neighbour no nearer to the goal. A separate process builds the layers, and its whole time counts.

Definitions with patterns are asked for states after random turns, none of which makes one move with the turn before.
The 3x3x3 has the tables of the folder `--data` if they are there. A move examined is a child whose bound was looked
up. Its rate is for one processor: the seconds of all threads count.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest import mock

import numpy as np

from benchmarks.far_states import SEARCH_MEMORY, turned
from benchmarks.figures import Figure, Measured, timed
from benchmarks.process import run
from puzzlebase.paths import layers_path, table_path
from puzzlebase.plugins.patterns.definitions import MEMORY
from puzzlebase.puzzles import Goal, GraphSearch, PatternDatabases, Puzzle, Shortest, Space, find
from puzzlebase.puzzles.discovery import forget, read_definitions
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.sources import Sources

_STATES = 1_000
_FAR_PANGURU = ("BOGPYCB-YROCPRG", "-YRPPCBORCBYGOG", "BOGPYCBCYRO-PRG", "OYGP-YBCORBCPRG")
"""States 24 moves from solved, one less than God's number, on the first plates."""


_EXAMPLES = Path(__file__).parents[1] / "examples"


class _Answer(NamedTuple):
    """The cost of a distance with all optimal moves; seconds of all processors, too."""

    seconds: float
    of_processors: float
    moves_examined: int


def measure(data: Path) -> Measured:
    """All searches, one puzzle after the other."""
    with TemporaryDirectory() as layers:
        found = {title: figures for search in _SEARCHES for title, figures in search(Path(layers)).items()}
        return found | _definitions(data, Path(layers))


def _panguru(_layers: Path) -> Measured:
    puzzle = find("panguru")
    plates = list(puzzle.goal().name)
    draw = np.random.default_rng(11)
    drawn = [(puzzle.goal("".join(draw.permutation(plates))), draw.random()) for _ in range(1 + _STATES)]
    _, *seconds = [timed(partial(_from_nothing, puzzle, goal, share))[1] for goal, share in drawn]
    space = puzzle.space(puzzle.goal())
    searched = partial(_shortest, puzzle, space)
    far = [puzzle.index(state, puzzle.goal()) for state in _FAR_PANGURU]
    return {
        "Panguru without a table": [
            Figure("random pebbles on random plates", "ms", [1e3 * each for each in seconds], "≤ 10, at most 1,000"),
            Figure(
                "states at distance 24",
                "s",
                [timed(partial(searched, index))[1] for index in far],
                "≤ 10",
            ),
        ]
    }


def _from_nothing(puzzle: Puzzle, goal: Goal, share: float) -> Shortest:
    """A search to a new goal, from the state at this share of the indices."""
    space = puzzle.space(goal)
    return _shortest(puzzle, space, int(share * space.size))


def _shortest(puzzle: Puzzle, space: Space, index: int) -> Shortest:
    engine = puzzle.engine(GraphSearch)
    assert engine
    assert engine.shortest, "the puzzle has a search of its own"
    return engine.shortest(space, index, lambda _visited, _bound: True)


def _turnstile(layers: Path) -> Measured:
    seconds = _process(layers, "build", "turnstile", "--depth", "9")
    nothing, stored = (_of("turnstile", Sources(folder)) for folder in (layers / "none", layers))
    return {
        "Turnstile without a table": [
            Figure("building the layers 0 to 9", "s", [seconds]),
            Figure("their file", "bytes", [layers_path(layers, "turnstile").stat().st_size]),
            Figure("random states, from the layers", "ms", _random(stored), "median < 100, at most 3,000"),
            Figure("random states, from nothing", "ms", _random(nothing)),
        ]
    }


def _by_patterns(title: str, name: str, at_most: str, folder: Path) -> Measured:
    seconds = _process(folder, "build", name)
    known = _of(name, Sources(folder))
    answers = _answers(known, _drawn(known))
    return {
        f"{title} by patterns": [
            Figure("building the patterns", "s", [seconds], "≤ 300"),
            _size(known, "≤ 600,000,000"),
            Figure("random states", "ms", [1e3 * answer.seconds for answer in answers], at_most),
            _rate(answers),
        ]
    }


def _size(known: Searchable, at_most: str = "") -> Figure:
    return Figure("their files", "bytes", [sum(table.table.header.size for table in known.patterns.values())], at_most)


def _rate(answers: Sequence[_Answer]) -> Figure:
    examined, seconds = (sum(part) for part in zip(*[(each[2], each[1]) for each in answers], strict=True))
    return Figure("moves examined in a second of a processor", "million", [examined / seconds / 1e6], "≥ 10")


def _definitions(data: Path, folder: Path) -> Measured:
    """Definitions of more states than a table has, each with the bytes for its patterns and the turns from solved."""
    for name, text in ("3x3x3", (_EXAMPLES / "3x3x3.tws").read_text("utf-8")), ("puzzler-pieces", _puzzler_pieces()):
        (folder / f"{name}.tws").write_text(text, "utf-8")
    read_definitions(folder)
    found = {
        "The 3x3x3": _definition("3x3x3", 2 << 30, 17, 10, data, folder),
        "The 3x3x3 in quarter turns": _definition("3x3x3-quarter", 10**9, 18, 10, data, folder),
        "The Puzzler with all pieces different": _definition("puzzler-pieces", 10**9, 23, 20, data, folder),
    }
    forget()
    return {f"{title} by patterns": figures for title, figures in found.items()}


def _puzzler_pieces() -> str:
    """The Turnstile's definition with different pieces, and corners that turn with their wheel."""
    text = (_EXAMPLES / "turnstile-pieces.tws").read_text("utf-8").replace("CORNERS 10 1", "CORNERS 10 3")
    text = text.partition("Solved\n")[0] + "Solved\nEnd\n" + text.partition("End\n")[2]
    for corners, turns in (
        ("6 1 2 3 4 5 7 8 9 10", "1 1 1 1 1 1 0 0 0 0"),
        ("1 2 3 4 6 7 8 9 10 5", "0 0 0 0 1 1 1 1 1 1"),
    ):
        text = text.replace(f"{corners}\n", f"{corners}\n{turns}\n")
    return text


def _definition(name: str, memory: int, turns: int, states: int, data: Path, folder: Path) -> list[Figure]:
    with mock.patch.dict(os.environ, {MEMORY: str(memory)}):
        puzzle, figures = find(name), []
        needs = puzzle.needs(PatternDatabases, puzzle.goal()) or ()
        if all(table_path(data, need.puzzle).exists() for need in needs):
            folder = data
        else:
            seconds = _process(folder, "--puzzles", str(folder), "build", name)
            figures.append(Figure("building the patterns", "s", [seconds], "≤ 1,200"))
        known = Searchable.in_folder(Sources(Folder(folder, SEARCH_MEMORY)), puzzle, puzzle.goal())
        answers = _answers(known, [turned(puzzle, number, turns) for number in range(1 + states)])
        times = [answer.seconds for answer in answers]
        return [*figures, _size(known), Figure(f"states after {turns} random turns", "s", times), _rate(answers)]


def _process(data: Path, *words: str) -> float:
    """Seconds of `puzzlebase` with these words. Its memory cannot be told from that of what was measured before."""
    _, seconds = timed(lambda: run(["--data", data, *words]))
    return seconds


def _of(name: str, tables: Sources) -> Searchable:
    puzzle = find(name)
    return Searchable.in_folder(tables, puzzle, puzzle.goal())


def _drawn(searchable: Searchable) -> list[int]:
    """The indices of random states."""
    return [*map(int, np.random.default_rng(12).integers(0, searchable.space.size, 1 + _STATES))]


def _random(searchable: Searchable) -> list[float]:
    """Milliseconds for the distance and the optimal moves of random states."""
    return [1e3 * answer.seconds for answer in _answers(searchable, _drawn(searchable))]


def _answers(searchable: Searchable, states: Sequence[int | str]) -> list[_Answer]:
    """Ask for states by index or text. One before the others is not counted."""

    def ask(state: int | str) -> _Answer:
        budget, used = Budget(states=1 << 62, seconds=1800), time.process_time()
        source = OpenSearch(searchable, budget)
        index = source.index(state) if isinstance(state, str) else state

        def found() -> None:
            assert source.distance(index) >= 0
            source.neighbours(index)

        _, seconds = timed(found)
        return _Answer(seconds, time.process_time() - used, budget.states)

    return [ask(state) for state in states][1:]


_fifteen = partial(_by_patterns, "The 15-puzzle", "sliding-4x4", "median ≤ 5, 99 % ≤ 500")
_puzzler = partial(_by_patterns, "The Puzzler", "puzzler", "median ≤ 50, 99 % ≤ 5,000")
_SEARCHES: list[Callable[[Path], Measured]] = [_turnstile, _panguru, _fifteen, _puzzler]
