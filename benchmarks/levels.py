"""Levels: positions found and certified, in peg solitaire.

The rectangle has 6 rows of 5 places, all but one with a peg. One thread finds the positions in two ways: as bits of
codes, and in a hash table of packed keys. Plain Python, with a set of frozen sets, has 5 rows of 4 places. English
solitaire is built with all threads: found, numbered, searched backwards, written and certified.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import process
from benchmarks.figures import Figure, Measured, timed
from puzzlebase.db.table_file import TableFile
from puzzlebase.plugins.levels.formats import pegs
from puzzlebase.plugins.levels.states.dense import Codes, densely_reachable
from puzzlebase.plugins.levels.states.numbered import reachable
from puzzlebase.plugins.levels.states.packed import PackedRules
from puzzlebase.plugins.levels.text import Grid, LevelText
from puzzlebase.puzzles.machinery.listed import TooManyStates
from tests.naive import levels as naive

_LEVELS = Path(__file__).parents[1] / "examples" / "levels"
_RECTANGLE = ("ooooo", "ooooo", "ooooo", "ooo.o", "ooooo", "ooooo")
_SMALLER = ("oooo", "oooo", "oo.o", "oooo", "oooo")
_HASHED = 10_000_000
"""Positions after which the hash table is not filled further."""
_RUNS = 3


def measure(_data: Path) -> Measured:
    """Measure all of it."""
    game = pegs.game(LevelText("", {}, Grid.of("/".join(_RECTANGLE)))).rules
    codes = Codes.of(int(game.start[0]), game.masks)
    densely_reachable(game, codes, 1)  # compiles it
    dense = [timed(lambda: densely_reachable(game, codes, 1)) for _ in range(_RUNS)]
    size = dense[0][0].size
    hashed = [timed(lambda: _hashed(game)) for _ in range(_RUNS)]
    plain = [timed(lambda: _plain(naive.pegs("\n".join(_SMALLER)))) for _ in range(_RUNS)]
    return {
        f"New positions a second of one thread, millions; the rectangle has {size:,}": [
            Figure("bits of codes", "million/s", [size / seconds / 1e6 for _, seconds in dense], "≥ 4"),
            Figure("hash table", "million/s", [found / seconds / 1e6 for found, seconds in hashed]),
            Figure("plain Python", "million/s", [found / seconds / 1e6 for found, seconds in plain]),
        ],
        "`puzzlebase --puzzles examples/levels build english`": _english(),
    }


def _hashed(game: PackedRules) -> int:
    try:
        return len(reachable(game, _HASHED))
    except TooManyStates as error:
        return sum(error.layers)


def _plain(game: naive.Game) -> int:
    """The number of states that a plain search finds."""
    seen = {game.start}
    waiting = [game.start]
    while waiting:
        for state in game.after(waiting.pop()):
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return len(seen)


def _english() -> list[Figure]:
    with TemporaryDirectory() as data:
        done, seconds = timed(lambda: process.run(["--puzzles", _LEVELS, "--data", data, "build", "english"]))
        path = Path(data, "english.duckdb")
        with TableFile(path) as file:
            states, won, size = file.info.states, file.info.reachable, path.stat().st_size
    return [
        Figure(f"all {states:,} positions, of which {won:,} can be won", "s", [seconds], "≤ 300"),
        Figure("most memory", "GB", [done.peak / 1e9], "≤ 8"),
        Figure("the file, for each position", "bytes", [size / states], "≤ 1.5"),
    ]
