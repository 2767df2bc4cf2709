"""A level as a game for people: its states as text, the names of its moves, and its looks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from puzzlebase.errors import shorten
from puzzlebase.plugins.levels.states.packed import Key, PackedRules, packed_slots
from puzzlebase.plugins.levels.text import LevelText, Rows, every_line
from puzzlebase.puzzles import Effect, IllegalMove, Layout, Move, moved_to
from puzzlebase.service.error_status import TooMuchWork

MOST_LETTERS = 1 << 21
"""The most letters of the texts after all moves of a state."""


class Slide(NamedTuple):
    """The path of a piece in a move, from place to place by their names, through points between."""

    source: str
    target: str
    via: tuple[tuple[float, float], ...] = ()
    dragged: bool = True  # False if it only follows when another piece is dragged
    lift: bool = False  # True if it passes above other pieces


class Step(NamedTuple):
    """A legal move, the text after it, and the pieces that slide."""

    move: Move
    after: str
    slides: tuple[Slide, ...]


class LevelGame(ABC):
    """The game of a level.

    One law ties its two sides: the texts after the moves of a state read as the successors of its
    key, in the same order. Several moves may lead to the same key, for example those into several
    empty tubes.
    """

    rules: PackedRules
    start: str  # the first state, its rows joined by /
    state: str  # for people: how states are written
    moves: str  # and moves
    instructions: str  # tell how to play until it is solved
    sentence: str | None = None  # names the kind of game

    @abstractmethod
    def read(self, text: str) -> Key:
        """The key of a state; raises BadLevel for a text that is no state, and ImpossibleState."""

    @abstractmethod
    def write(self, key: Key) -> str:
        """The text of a key; it reads as this key."""

    @abstractmethod
    def steps(self, text: str) -> Iterable[Step]:
        """All legal moves, with unique names; raises as `read`."""

    @abstractmethod
    def layout(self, text: str) -> Layout:
        """The pieces of a state on their places; raises as `read`."""

    def spelled(self, text: str, word: str) -> Sequence[str]:  # noqa: ARG002
        """The moves of a word, as in BoardSide."""
        return [word]

    def after(self, key: Key) -> list[list[int]]:
        """The successors of a key, each as its numbers."""
        successors = self.rules.successors(key[None])
        states: list[list[int]] = successors[packed_slots(successors)].tolist()
        return states

    def moves_of(self, text: str) -> list[tuple[Move, str]]:
        """The moves of a state in the order of its successors,
        each with the text after it, as `play` gives it.
        """
        return [(step.move, step.after) for step in _few_steps(self, text)]

    def play(self, text: str, move: str) -> str:
        """The text after a move, in the caller's letters and order;
        raises IllegalMove, and as `read`.
        """
        return self._step(text, move).after

    def effect(self, text: str, move: str) -> Effect:
        """The effect of a legal move on the layout of a text."""
        step = self._step(text, move)
        before, after = (
            {piece.place: piece for piece in drawn(self, each).pieces}
            for each in (text, step.after)
        )
        return Effect(
            tuple(before[slide.source].id for slide in step.slides if slide.dragged),
            tuple(
                moved_to(before[slide.source], after[slide.target], via=slide.via, lift=slide.lift)
                for slide in step.slides
            ),
        )

    def _step(self, text: str, move: str) -> Step:
        for step in _few_steps(self, text):
            if step.move.name == move:
                return step
        names = shorten(", ".join(step.move.name for step in _few_steps(self, text)) or "none", 400)
        raise IllegalMove(
            f"{shorten(move)!r} is not legal in {shorten(text)!r}", f"legal moves are: {names}"
        )


@lru_cache(maxsize=256)
def drawn(game: LevelGame, text: str) -> Layout:
    """The layout of a state of a game; the last ones are stored."""
    return game.layout(text)


@lru_cache(maxsize=16)  # all moves of one state are asked for, played and drawn at once
def _few_steps(game: LevelGame, text: str) -> tuple[Step, ...]:
    """The moves of a state;
    raises TooMuchWork at once if their texts have more letters than MOST_LETTERS.
    """
    most = MOST_LETTERS // len(text)
    if len(game.after(game.read(text))) > most:
        raise TooMuchWork(
            f"{shorten(text)!r} has more than {most:,} moves, too many to say what each does",
            "take a smaller board; `levels` proves the par of large ones",
        )
    return tuple(game.steps(text))


class Format(NamedTuple):
    """A format of levels."""

    game: Callable[[LevelText], LevelGame]  # makes the game of a level; raises BadLevel
    values: tuple[str, ...] = ()  # names of the values that a level may state beside its par
    has_goal: bool = False  # True if a level may have a goal of its own
    rows_of: Rows = every_line
    extra: Mapping[str, str] = {}  # of the families of its files
