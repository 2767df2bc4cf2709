"""The puzzle of a definition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from puzzlebase.puzzles.contract.engines import GraphSearch, WholeTable
from puzzlebase.puzzles.contract.errors import IllegalMove, NoSpace, no_goal, no_space, shorten
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.patterns import Pattern
from puzzlebase.puzzles.contract.puzzle import BoardSide, IndexSide, Letters, Move, Notation, Puzzle
from puzzlebase.puzzles.contract.space import Space
from puzzlebase.puzzles.definitions.abstractions import ABSTRACTION, abstractions, too_large
from puzzlebase.puzzles.definitions.definition import Definition
from puzzlebase.puzzles.definitions.drawing import Drawn, sticker_drawing
from puzzlebase.puzzles.definitions.sequences import NamedMove, all_moves
from puzzlebase.puzzles.definitions.space import Numbered
from puzzlebase.puzzles.definitions.text import Texts
from puzzlebase.puzzles.machinery.listed import TooManyStates
from puzzlebase.puzzles.machinery.spaces import SPACES


def puzzle_of(name: str, definition: Definition, *, powers: bool, drawn: Drawn | None = None) -> Puzzle:
    """The puzzle of a definition; every power of a generator is one move, or only the generator and its inverse.

    Raises FormatError for moves that there cannot be.
    """
    moves = all_moves(definition, powers=powers)
    texts = Texts(definition)
    turns = {move.name: move.turn for move in moves}
    spaces = _Spaces(name, definition, moves, texts, powers=powers)

    def play(text: str, move: str) -> str:
        if move not in turns:
            raise IllegalMove(f"there is no move {shorten(move)!r}", f"moves are: {' '.join(turns)}")
        return texts.play(text, turns[move])

    examples = [texts.solved]
    for move in moves[:1] + moves[-1:]:
        examples.append(play(examples[-1], move.name))
    bounds = (lambda: spaces.bounds) if ABSTRACTION not in name and too_large(definition) else None
    goal = Goal("solved", (texts.solved,), key=f"solved-{definition.digest}")
    return Puzzle(
        name=name,
        title=(definition.title or name) + ("" if powers else ", turned step by step"),
        moves=tuple(Move(move.name, move.generator) for move in moves),
        goals=(goal,),
        notation=Notation(
            state=f"A letter for each piece, the first for the first one: {texts.says}",
            moves=", ".join(turns),
            examples=tuple(dict.fromkeys(examples)),
        ),
        board=BoardSide(
            parse=texts.parse,
            format=texts.format,
            play=play,
            drawing=sticker_drawing(texts, moves, drawn),
            letters=Letters(texts.length, texts.player([*turns.values()])),
        ),
        index_side=IndexSide(SPACES.remember(spaces.space), spaces.on_the_fly),
        engines=(WholeTable(), GraphSearch(bounds=bounds)),
    )


class _Spaces:
    """The spaces of a definition's puzzle, and what is stored of them, since to count states takes time."""

    def __init__(
        self, name: str, definition: Definition, moves: Sequence[NamedMove], texts: Texts, *, powers: bool
    ) -> None:
        self._name = name
        self._given = definition, moves, texts
        self._powers = powers
        self._refused: tuple[str, bool] | None = None  # how many states there are, and whether all are reached

    def space(self, _goal: Goal) -> Space:
        """The space with all its states numbered; raises NoSpace where there are too many."""
        if self._refused is None:
            numbered = Numbered(*self._given)  # the space holds it, and nothing else does
            try:
                return numbered.space()
            except TooManyStates:
                self._refused = f"{'' if numbered.count.exact else 'up to '}{numbered.count.words}", numbered.dense
        raise NoSpace(
            f"{self._name} has {self._refused[0]} states, too many to number",
            "ask about a smaller puzzle; of this one single states can be asked, played and drawn",
        )

    def on_the_fly(self, goal: Goal, memory: int | None) -> Space:
        """A new space around a goal; raises ImpossibleState for one that cannot be reached, and NoSpace."""
        texts = self._given[2]
        connected = self._refused is not None and self._refused[1]
        try:
            space = self._rows.growing(texts.parse(goal.states[0]), memory, connected=connected)
        except TooManyStates:
            raise no_space(self._name) from None
        if space is None:
            raise no_goal(goal.name, texts.solved)
        return space

    @cached_property
    def _rows(self) -> Numbered:
        """It makes growing spaces, and numbers nothing."""
        return Numbered(*self._given)

    @cached_property
    def bounds(self) -> list[Pattern]:
        """The abstractions."""
        definition, moves, texts = self._given
        found = abstractions(self._name, definition, self._rows.blocks)
        return [each.pattern(name, moves, texts, powers=self._powers) for name, each in found.items()]
