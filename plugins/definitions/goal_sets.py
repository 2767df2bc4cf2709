"""Goals that are sets of states: lists, masks,
all states that some moves lead to, and rotations of the whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock

import numpy as np
from cachetools import LRUCache, cached

from puzzlebase.errors import shorten
from puzzlebase.plugins.definitions.coarse import MOST_GOAL_STATES, Coarse
from puzzlebase.plugins.definitions.definition import Pieces, Transformation
from puzzlebase.plugins.definitions.moves import NamedMove, move_of_word, rotation_moves
from puzzlebase.plugins.definitions.place_blocks import places_of_blocks
from puzzlebase.plugins.definitions.space import Numbered, listed_space
from puzzlebase.plugins.definitions.text import WILD, Texts
from puzzlebase.puzzles.contract.errors import (
    ImpossibleState,
    InvalidState,
    PuzzleError,
    TooManyStates,
    UnknownGoal,
    no_goal,
)
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.space import Boards
from puzzlebase.puzzles.files import FormatError

ROTATIONS = "rotations"
_MOST_TEXTS = 100  # goal states that a goal names
_CACHED = 1 << 26  # bytes of the last goals of all puzzles: callers choose their texts
_EACH = 1 << 20  # of a goal beside its states, and more


@dataclass(frozen=True, eq=False)
class GoalStates:
    """The states of a goal in a coarse definition."""

    coarse: Coarse
    pieces: Pieces

    @property
    def numbered(self) -> Numbered:
        """The numbers of the coarse definition's states."""
        coarse = self.coarse
        return Numbered(coarse.own_texts, coarse.moves, goals=self.pieces)

    @property
    def key(self) -> str:
        """The key of the set."""
        hashed = hashlib.blake2b(self.coarse.texts.definition.digest.encode(), digest_size=6)
        for numbers in (self.coarse.alike, self.coarse.moduli, *self.pieces):
            hashed.update(numbers.astype("<i8").tobytes())
        return f"set-{hashed.hexdigest()}"

    @property
    def texts(self) -> list[str]:
        """The first states as texts of the whole, the solved one before others."""
        coarse, (labels, turns) = self.coarse, self.pieces
        home, unturned = coarse.of(*coarse.texts.definition.solved(1))
        solved = ((labels == home) & (turns == unturned)).all(axis=1)
        others = np.flatnonzero(~solved)[:_MOST_TEXTS]
        boards = coarse.texts.boards(*coarse.filled(labels[others], turns[others]))
        return [coarse.texts.solved] * int(solved.any()) + [
            coarse.texts.format(board) for board in boards
        ]


@dataclass(frozen=True)  # without slots: arrays_of counts its states
class SetGoal(Goal):
    """A goal of several states, or with pieces that do not matter; `states` has the first ones."""

    among: GoalStates = field(compare=False, kw_only=True)


def _nbytes(goal: Goal | None) -> int:
    return _EACH + (
        sum(part.nbytes for part in goal.among.pieces) if isinstance(goal, SetGoal) else 0
    )


@dataclass(frozen=True, eq=False)
class GoalSets:
    """The goals of a definition that are sets of states."""

    _texts: Texts
    _moves: Sequence[NamedMove]
    _solved: Goal

    def named(self) -> Iterator[Goal]:
        """The goals that the file names and that moves lead to,
        and rotations if moves can make some.
        """
        definition = self._texts.definition
        turned = {ROTATIONS: [ROTATIONS]} if rotation_moves(definition) else {}
        for name, parts in (*definition.goals.items(), *turned.items()):
            with suppress(PuzzleError):
                goal = self._goal(name, parts)
                if name != ROTATIONS or goal.key != self._solved.key:
                    yield goal

    def check(self) -> None:
        """Raise FormatError for a goal of the file that no moves lead to,
        or with too many states.
        """
        for name, parts in self._texts.definition.goals.items():
            try:
                self._goal(name, parts)
            except PuzzleError as error:
                raise FormatError(f"the goal {name}: {error}", error.hint) from None

    @cached(LRUCache(_CACHED, _nbytes), lock=Lock())
    def of_text(self, text: str) -> Goal | None:
        """The goal of states and masks with | between them,
        moves as <U,D>, or rotations; None for another text.

        Raises PuzzleError for a set without states, or with too many.
        """
        return (
            self._goal(text, text.split("|"))
            if {*text} & {WILD, *"|<"} or text == ROTATIONS
            else None
        )

    @cached_property
    def _whole(self) -> Coarse:
        return Coarse.whole(self._texts, self._moves)

    def boards(self, name: str, goal: Goal) -> Boards:
        """A board for each state of a set,
        as far as the set or a goal tells states apart; raises PuzzleError.
        """
        own = {self._solved.name: [self._texts.solved], **self._texts.definition.goals}
        try:
            labels, turns = self._united(own.get(name, name.split("|")))
            coarse = self._whole.for_masks(labels, turns)
            coarse = coarse.finer(goal.among.coarse if isinstance(goal, SetGoal) else self._whole)
            numbered = Numbered(coarse.own_texts, coarse.moves)
            states = coarse.states(labels, turns)
            space = None if numbered.dense else numbered.space()
        except TooManyStates:
            raise _too_many(name) from None
        if space and not space.connected:
            raise InvalidState(
                f"the states of {shorten(name)!r} that moves lead to cannot be told",
                "take another set",
            )
        if space:
            inside = space.rank(coarse.own_texts.boards(*states)) >= 0
            states = states[0][inside], states[1][inside]
        if not len(states[0]):
            raise ImpossibleState(
                f"no moves lead to a state of {shorten(name)!r}", "take another set"
            )
        return self._texts.boards(*coarse.filled(*states))

    def _goal(self, name: str, parts: Sequence[str | Pieces]) -> Goal:
        try:
            found = self._by_moves(parts) or self._union(parts)
        except TooManyStates:
            raise _too_many(name) from None
        if not len(found.pieces[0]):
            raise no_goal(name, self._texts.solved)
        if found.key == GoalStates(self._whole, self._texts.definition.solved(1)).key:
            return replace(self._solved, name=name)
        coarse = found.coarse is not self._whole
        return SetGoal(name, tuple(found.texts), coarse=coarse, key=found.key, among=found)

    def _united(self, parts: Sequence[str | Pieces]) -> Pieces:
        """The masks of all parts, without those that another one covers."""
        masks, count = [], 0
        for part in parts:
            masks.append(self._masks(part) if isinstance(part, str) else part)
            count += len(masks[-1][0])
            if count > MOST_GOAL_STATES:
                raise TooManyStates(MOST_GOAL_STATES)
        every = np.unique(np.concatenate([np.hstack(each) for each in masks]), axis=0)
        needed = np.ones(len(every), bool)
        # a mask needs no others that it covers
        for number in np.flatnonzero((every < 0).any(axis=1)).tolist():
            covered = ((every[number] < 0) | (every == every[number])).all(axis=1)
            covered[number] = False
            needed &= ~covered
        labels, turns = np.hsplit(every[needed], 2)
        return labels, turns

    def _union(self, parts: Sequence[str | Pieces]) -> GoalStates:
        labels, turns = self._united(parts)
        coarse = self._whole.for_masks(labels, turns)
        coarse = self._whole if coarse.shows_all else coarse
        return GoalStates(coarse, coarse.states(labels, turns))

    def _masks(self, text: str) -> Pieces:
        """The masks of a part of a text."""
        if text == ROTATIONS:
            if found := rotation_moves(self._texts.definition):
                return self._listed(found)
            raise UnknownGoal(
                "the definition has no rotations of the whole, so they are no goal",
                "add them to the file, as moves x, y and z, or Uv and others: they do not follow "
                "from other moves",
            )
        if not text.startswith("<"):
            return self._texts.mask(text)
        moves = self._some_moves(text)
        if Numbered(self._texts, moves).count.at_least > MOST_GOAL_STATES:
            raise TooManyStates(MOST_GOAL_STATES)
        return self._listed([move.turn for move in moves])

    def _listed(self, turns: Sequence[Transformation]) -> Pieces:
        """All states that some turns lead to from the solved one."""
        solved = self._texts.boards(*self._texts.definition.solved(1))[0]
        listed = listed_space(solved, self._texts.player(turns), MOST_GOAL_STATES)
        return self._texts.pieces(listed.unrank(np.arange(listed.size)))

    def _some_moves(self, text: str) -> list[NamedMove]:
        """The moves of a text as <U,D>."""
        words = text[1:-1].replace(",", " ").split()
        if not (words and text.endswith(">")):
            raise InvalidState(
                f"{shorten(text)!r} names no moves", "name some between < and >, with commas"
            )
        turns = {word: move_of_word(self._texts.definition, word) for word in words}
        return [NamedMove(word, word, turn) for word, turn in turns.items()]

    def _by_moves(self, parts: Sequence[str | Pieces]) -> GoalStates | None:
        """The states that moves lead to as one state of a coarse definition;
        None if that has more of them.

        Pieces look alike that these moves exchange, and orientations are not seen that they change.
        """
        if len(parts) > 1 or not isinstance(parts[0], str) or not parts[0].startswith("<"):
            return None
        definition, coarse, moves = self._texts.definition, self._whole, self._some_moves(parts[0])
        if not {move.turn.key for move in moves} <= {move.turn.key for move in self._moves}:
            return None
        for group in places_of_blocks(definition, [move.turn for move in moves]):
            number, labels = int(self._texts.set_of[group[0]]), definition.labels[group].tolist()
            turned = any(
                (move.turn.turned[group] % definition.moduli[group]).any() for move in moves
            )
            coarse = coarse.without(number, labels if turned else [], labels)
        every, own, others = (
            Numbered(*each).count
            for each in (
                (self._texts, self._moves),
                (self._texts, moves),
                (coarse.own_texts, coarse.moves),
            )
        )
        exact = (
            every.exact
            and own.exact
            and others.exact
            and every.states == own.states * others.states
        )
        return GoalStates(coarse, coarse.of(*definition.solved(1))) if exact else None


def _too_many(name: str) -> InvalidState:
    return InvalidState(
        f"{shorten(name)!r} has more than {MOST_GOAL_STATES:,} states",
        "put ? for pieces and orientations that do not matter",
    )
