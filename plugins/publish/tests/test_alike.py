"""Texts that show one state, in each format of levels:
found by reading changed texts, and compared in random games.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from puzzlebase.plugins.levels.files import LevelFile
from puzzlebase.plugins.publish.alike import Alike
from puzzlebase.puzzles import Puzzle

pytestmark = pytest.mark.needs("levels")

LEVELS = {
    "push.xsb": "#######\n#.  . #\n# $$  #\n#  @ ##\n#  ####\n####\n",
    "step.xsb": "; counts: moves\n######\n#. ###\n# $  #\n# @  #\n######\n",
    "jam.cars": "BBx..I\n.CCD.I\nAA.D.J\n.....J\n......\n",
    "park.blocks": "ABBE\nACD.\nFCD.\ngoal\n..BB\n....\n....\n",
    "cross.pegs": "  ...\n  .o.\n..ooo..\n...o...\n...o...\n  ...\n  ...\n",
    "water.tubes": "ABC\nBCA\nCAB\n...\n...\n",
}
FOUND = {
    "push.xsb": Alike(player=True),
    "step.xsb": Alike(),
    "jam.cars": Alike(("BC", "IDJ"), (((0, 0), (0, 1)), ((0, 0), (1, 0)))),
    "park.blocks": Alike(("ACD", "EF"), (((0, 0), (1, 0)), ((0, 0),))),
    "cross.pegs": Alike(),
    "water.tubes": Alike(rows=".ABC"),
}
"""Cars and blocks of one shape are alike,
but for those that the goal names. A car that has no equal has its letter.
"""


def played(puzzle: Puzzle) -> Iterator[str]:
    """The states of random games."""
    chance = Random(1)
    for _ in range(12):
        text = puzzle.goal().start
        for _ in range(12):
            yield text
            if not (moves := puzzle.moves_of(text)):
                break
            text = puzzle.play(text, chance.choice(moves).name)


@pytest.mark.slow(3)
@pytest.mark.parametrize("name", LEVELS)
def test_the_canonical_text_is_the_one_that_the_puzzle_writes(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(LEVELS[name])
    (level,) = LevelFile(path).levels
    puzzle = level.puzzle()
    texts = [*played(puzzle)]
    found = Alike.of(puzzle, texts[:64])
    kinds = {
        kind: shape
        for kind, shape in zip(found.letters, found.shapes, strict=True)
        if len(kind) > 1
    }
    assert Alike((*kinds,), (*kinds.values(),), found.rows, found.player) == FOUND[name]
    assert [*map(found.canonical, texts)] == [puzzle.format(puzzle.parse(text)) for text in texts]
