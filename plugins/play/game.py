"""A game by words. It knows no terminal, only words and lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

import numpy as np

from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.service.answers import grades, hints, text
from puzzlebase.service.answers.random_states import random_state, random_state_by_turns, seed_key
from puzzlebase.service.sources.source import Source

_LEVELS = 4  # of hints
_TURNS = 3  # random turns from solved, where no table tells how far states are
_TRIES = 20  # until these do not lead back to solved


class TerminalGame:
    """One game from a start. `ask` gives a source of distances,
    with a new budget for each question.
    """

    def __init__(self, puzzle: Puzzle, goal: Goal, start: str, ask: Callable[[], Source]) -> None:
        puzzle.parse(start)
        self.puzzle, self.goal = puzzle, goal
        self.states = [start]
        self.moves: list[str] = []
        self.best: str | None = None  # the move that a hint has told of the present state
        self._hints: list[int] = []  # the levels shown
        self._level = 0
        self._ask = ask

    def say(self, word: str) -> Iterator[str]:
        """Make a move, or do what a word says; gives lines that answer.

        Raises PuzzleError, InvalidRequest and MissingTable.
        """
        names = [move.name for move in self.puzzle.moves_of(self.states[-1])]
        alike = [name for name in names if name == word] or [
            name for name in names if name.lower() == word.lower()
        ]
        if len(alike) == 1:
            self._play(alike[0])
        elif word == "moves":
            yield "  ".join(self.puzzle.played(self.states[-1], names))
        elif word == "undo" and self.moves:
            self.states.pop()
            self._level, self.best = 0, None
            yield f"{self.moves.pop()} is taken back"
        elif word in ("hint", "?"):
            yield from self._hint()
        else:
            self._play(word)

    def solved(self) -> bool:
        """True for a solved state;
        letters may be renamed if states have indices, and rules may tell it.
        """
        state = self.states[-1]
        if state in self.goal.states or not self.puzzle.enumerable:
            return state in self.goal.states
        source = self._ask()
        space, index = source.space, source.index(state)
        return space is not None and bool(space.solved(np.array([index]))[0])

    def grade(self) -> Iterator[str]:
        """The worth of the game, and its first mistake. Raises as `say` does."""
        grade = grades.grade(self._ask(), self.states[0], moves=self.moves, hints=self._hints)
        *_, worth = text.grade(grade)
        yield worth
        if mistake := grade["first_mistake"]:
            better = " or ".join(mistake["better"])
            yield f"first mistake: step {mistake['step']}, {mistake['played']}; better: {better}"

    def _play(self, move: str) -> None:
        self.states.append(self.puzzle.play(self.states[-1], move))
        self.moves.append(move)
        self._level, self.best = 0, None

    def _hint(self) -> Iterator[str]:
        self._level = min(self._level + 1, _LEVELS)
        self._hints.append(self._level)
        answer = hints.hint(self._ask(), self.states[0], self._level, self.moves)
        self.best = answer.get("move")
        first, *more = text.hint(answer)
        yield first.removeprefix(self.states[-1]).strip()
        yield from (line.strip() for line in more[-1:])


def start_of_game(
    source: Source,
    difficulty: str | None = None,
    distance: int | None = None,
    seed: str | None = None,
    daily: date | None = None,
) -> str:
    """The state where a game begins: at a distance or of a difficulty,
    by default a light one, or the puzzle's own.

    Equal seeds give equal states, and so do equal days. Raises as `random_state` does.
    """
    goal = source.goal
    if distance is not None:
        return random_state(source, distance=distance, seed=seed, daily=daily)["state"]
    begins = goal.start not in goal.states
    if begins and (difficulty == "start" or (difficulty is None and source.one_way)):
        return goal.start
    if difficulty or len(source.ladder) > 1:
        drawn = random_state(source, difficulty=difficulty or "first", seed=seed, daily=daily)
        return drawn["state"]
    key = seed_key(seed, daily)
    keys = [key and f"{key} {number}" for number in range(_TRIES)]
    turned = (random_state_by_turns(source, _TURNS, each) for each in keys)
    return next((each["state"] for each in turned if each["distance"] != 0), goal.start)
