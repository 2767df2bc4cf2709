"""A game by its keys. It knows no terminal, only keys by name and lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os.path import commonprefix
from typing import NamedTuple

import numpy as np

from puzzlebase.db.errors import MissingTable
from puzzlebase.puzzles import Goal, IllegalMove, Puzzle, PuzzleError
from puzzlebase.puzzles.contract.errors import did_you_mean
from puzzlebase.service.answers import grades, hints, text
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.source import Source

_ARROWS = {"up": "U", "down": "D", "left": "L", "right": "R"}
_LEVELS = 4


class Played(NamedTuple):
    """A move that was made."""

    move: str
    state: str  # after it


class TerminalGame:
    """One game from a start. `ask` gives a source of distances, with a new budget for each question."""

    def __init__(self, puzzle: Puzzle, goal: Goal, start: str, ask: Callable[[], Source]) -> None:
        puzzle.parse(start)
        self.puzzle, self.goal, self.start = puzzle, goal, start
        self.steps: list[Played] = []
        self.typed = ""
        self.says: list[str] = []
        self.offers: list[str] = []  # moves to choose from
        self.hints: list[int] = []  # the levels shown
        self.shows_distance = False
        self._ask = ask
        self._level = 0
        self._grade: grades.GradeAnswer | None = None
        self._distances: dict[str, str] = {}

    @property
    def state(self) -> str:
        """The state now."""
        return self.steps[-1].state if self.steps else self.start

    @property
    def _names(self) -> list[str]:
        return [move.name for move in self.puzzle.moves_of(self.state)]

    @property
    def _legal(self) -> list[str]:
        listed = self.puzzle.board.drawing.listed
        names = [move.name for move in listed(self.state)] if listed else self._names
        return [*self.puzzle.played(self.state, names)]

    def spells(self, letter: str) -> bool:
        """True if a letter belongs to a move: one is begun, or some legal move begins so, in either case."""
        return bool(self.typed) or any(name[:1].lower() == letter for name in self._names)

    @property
    def solved(self) -> bool:
        """True if the game is over."""
        return self._grade is not None

    def press(self, key: str) -> None:
        """Do the action of a key."""
        special = {
            "enter": self._enter,
            " ": self._enter,
            "tab": self._complete,
            "backspace": self._back,
            "escape": self._forget,
            "ctrl-r": self._restart,
            "?": self._hint,
            "=": self._toggle_distance,
        }
        self.offers = []
        if key in special:
            special[key]()
        elif key in _ARROWS:
            self._type(_ARROWS[key])
        elif len(key) == 1:
            self._type(key)
        if self.shows_distance:
            self._distance()

    def status(self) -> Iterator[str]:
        """The moves made, and the distance if it is shown."""
        count = len(self.steps)
        yield f"{count} move{'' if count == 1 else 's'}"
        if self.shows_distance:
            yield self._distance()

    def summary(self) -> Iterator[str]:
        """The lines that stay on the screen after the game."""
        yield " ".join((f"{self.start} ", *(step.move for step in self.steps))).rstrip()
        if self._grade:
            yield self._worth(self._grade)
        else:
            yield f"go on with: puzzlebase play {self.puzzle.name} '{self.state}'"

    # Moves.

    def _type(self, letter: str) -> None:
        if self.solved:
            return
        self.says = []
        self.typed += letter
        found = self._candidates()
        if not found:
            wrong = f"no move begins with {self.typed!r}"
            meant = did_you_mean(self.typed, self._names).strip()
            self.says = [wrong, meant] if meant else [f"{wrong}; Tab shows the moves"]
            self.typed = ""
        elif len(found) == 1 and len(found[0]) == len(self.typed):
            self._play(found[0])

    def _candidates(self) -> list[str]:
        """The moves that begin with the typed letters, in their own case if there are any."""
        exact = [name for name in self._names if name.startswith(self.typed)]
        return exact or [name for name in self._names if name.lower().startswith(self.typed.lower())]

    def _enter(self) -> None:
        if self.solved or not self.typed:
            return
        found = self._candidates()
        complete = [name for name in found if len(name) == len(self.typed)]
        self._make_or_offer(complete if len(complete) == 1 else found)

    def _complete(self) -> None:
        if not self.typed:
            self.says, self.offers = [], self._legal
            return
        found = self._candidates()
        self.typed = commonprefix(found) or self.typed  # noqa: RUF071 -- letter by letter
        self._make_or_offer(found)

    def _make_or_offer(self, moves: list[str]) -> None:
        """Make the only move, or let the player choose one of several."""
        if len(moves) == 1:
            self._play(moves[0])
        else:
            self.says, self.offers = [], moves

    def _play(self, move: str) -> None:
        self.typed, self._level = "", 0
        try:
            after = self.puzzle.play(self.state, move)
        except IllegalMove as error:
            self.says = [str(error)]
            return
        self.steps.append(Played(move, after))
        self.says = []
        if self._is_solved(after):
            self._finish()

    def _is_solved(self, state: str) -> bool:
        """True for a solved state; letters may be renamed if states have indices, and rules may tell it."""
        if state in self.goal.states or not self.puzzle.enumerable:
            return state in self.goal.states
        source = self._ask()
        space, index = source.space, source.index(state)
        return space is not None and bool(space.solved(np.array([index]))[0])

    def _back(self) -> None:
        if self.typed:
            self.typed = self.typed[:-1]
        elif self.steps:
            self._grade = None
            self._level = 0
            self.says = [f"{self.steps.pop().move} is taken back"]

    def _forget(self) -> None:
        self.typed, self.says = "", []

    def _restart(self) -> None:
        self.steps, self.typed, self._level, self._grade = [], "", 0, None
        self.says = ["from the start"]

    # Help.

    def _hint(self) -> None:
        if self.solved:
            return
        with self._answering():
            self._level = min(self._level + 1, _LEVELS)
            self.hints.append(self._level)
            moves = [step.move for step in self.steps]
            lines = [*text.hint(hints.hint(self._ask(), self.start, self._level, moves))]
            self.says = [lines[0].removeprefix(self.state).strip(), *(line.strip() for line in lines[1:][-1:])]

    def _toggle_distance(self) -> None:
        self.shows_distance = not self.shows_distance

    def _distance(self) -> str:
        if self.state not in self._distances:
            self._distances[self.state] = "distance not known"
            with self._answering():
                [line] = text.distance(hints.hint(self._ask(), self.state, 1))
                self._distances[self.state] = line.removeprefix(self.state).strip()
        return self._distances[self.state]

    def _finish(self) -> None:
        with self._answering():
            moves = [step.move for step in self.steps]
            self._grade = grades.grade(self._ask(), self.start, moves=moves, hints=self.hints)
            self.says = [self._worth(self._grade)]
            if mistake := self._grade["first_mistake"]:
                better = " or ".join(mistake["better"])
                self.says.append(f"first mistake: step {mistake['step']}, {mistake['played']}; better: {better}")

    def _worth(self, grade: grades.GradeAnswer) -> str:
        """The last line of a grade, with the number of hints."""
        *_, line = text.grade(grade)
        count = len(self.hints)
        return line + (f", {count} hints" if count > 1 else ", 1 hint" if count else "")

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Show the error of a question in place of its answer."""
        try:
            yield
        except (PuzzleError, InvalidRequest, MissingTable) as error:
            self.says = [str(error), error.hint]
