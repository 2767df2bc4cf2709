"""The puzzle of a game whose states are packed: of a level, or of a family that others install."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import TypeVar

import numpy as np

from puzzlebase.errors import shorten
from puzzlebase.plugins.levels.game import LevelGame, drawn
from puzzlebase.plugins.levels.states.packed import boards_of
from puzzlebase.plugins.levels.states.reachable import reachable_space, reachable_states
from puzzlebase.puzzles import (
    About,
    BoardSide,
    Drawing,
    Goal,
    IndexSide,
    InvalidState,
    Notation,
    Puzzle,
    Space,
)
from puzzlebase.puzzles.contract.puzzle import no_space
from puzzlebase.service.error_status import TooMuchWork

_CACHED = 1 << 10  # states whose moves are remembered, of each game

Told = TypeVar("Told")


def game_puzzle(name: str, title: str, goal: Goal, game: LevelGame, author: str = "") -> Puzzle:
    """Make the puzzle of a game; the goal has a start and no states,
    since the rules tell the solved ones.
    """

    def of_text(function: Callable[..., Told]) -> Callable[..., Told]:
        """The same function of a text,
        except that it raises InvalidState in place of ValueError.
        """

        def call(text: str, *rest: object) -> Told:
            try:
                return function(text, *rest)
            except ValueError as error:
                raise InvalidState(
                    f"{shorten(text)!r} is no state of {name}: {error}",
                    f"a state looks like {game.start!r}",
                ) from None

        return call

    read, first = of_text(game.read), game.rules.start
    moves_of = of_text(game.moves_of)
    names = lru_cache(_CACHED)(lambda text: [move for move, _ in moves_of(text)])

    def on_the_fly(goal: Goal, memory: int | None) -> Space:
        goal_states = np.array([read(state) for state in goal.states], first.dtype).reshape(
            -1, len(first)
        )
        return reachable_space(game.rules, goal_states, memory)

    examples = [game.start]
    with suppress(TooMuchWork):
        examples += (after for _, after in moves_of(game.start)[:2])
    return Puzzle(
        name=name,
        title=title,
        moves=(),
        goals=(goal,),
        notation=Notation(game.state, game.moves, tuple(examples)),
        about=About(
            inventor=author or None, sentence=game.sentence, instructions=game.instructions
        ),
        board=BoardSide(
            parse=lambda text: boards_of(read(text)[None])[0],
            format=lambda board: game.write(game.rules.keys(board)),
            play=of_text(game.play),
            spelled=of_text(game.spelled),
            drawing=Drawing(
                layout=of_text(lambda text, _goal: drawn(game, text)),
                effect=of_text(game.effect),
            ),
            at_home=None,
        ),
        index_side=IndexSide(no_space(name), on_the_fly, reachable_states(game.rules), names),
    )
