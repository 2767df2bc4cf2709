"""The puzzle of a definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from puzzlebase.puzzles._listed import TooManyStates
from puzzlebase.puzzles._puzzle import (
    Goal,
    IllegalMove,
    Letters,
    Move,
    NoSpace,
    Notation,
    Puzzle,
    shorten,
)
from puzzlebase.puzzles._space import Space
from puzzlebase.puzzles._spaces import SPACES
from puzzlebase.puzzles.definitions.definition import Definition
from puzzlebase.puzzles.definitions.drawing import Drawn, drawing_of
from puzzlebase.puzzles.definitions.sequences import NamedTurn, all_moves
from puzzlebase.puzzles.definitions.space import Numbered
from puzzlebase.puzzles.definitions.text import Texts


def puzzle_of(name: str, definition: Definition, *, powers: bool, drawn: Drawn | None = None) -> Puzzle:
    """The puzzle of a definition; every power of a generator is one move, or only the generator and its inverse.

    Raises Refused for moves that there cannot be.
    """
    moves = all_moves(definition.generators, definition.orientations, powers=powers)
    texts = Texts(definition)
    player = texts.player(moves)
    numbers = {move.name: number for number, move in enumerate(moves)}

    def play(text: str, move: str) -> str:
        if move not in numbers:
            raise IllegalMove(f"there is no move {shorten(move)!r}", f"moves are: {' '.join(numbers)}")
        return player.one(text, numbers[move])

    examples = [texts.solved]
    for move in moves[:1] + moves[-1:]:
        examples.append(play(examples[-1], move.name))
    goal = Goal("solved", (texts.solved,), key=f"solved-{definition.digest}")
    return Puzzle(
        name=name,
        title=(definition.title or name) + ("" if powers else ", turned step by step"),
        moves=tuple(Move(move.name, move.generator) for move in moves),
        goals=(goal,),
        notation=Notation(
            state=f"A letter for each piece, the first for the first one: {texts.says}",
            moves=", ".join(numbers),
            examples=tuple(dict.fromkeys(examples)),
        ),
        parse=texts.parse,
        format=texts.format,
        play=play,
        drawing=drawing_of(texts, moves, drawn),
        letters=Letters(texts.length, player.all),
        space=SPACES.remember(_remembering(name, definition, moves, texts)),
    )


def _remembering(
    name: str, definition: Definition, moves: Sequence[NamedTurn], texts: Texts
) -> Callable[[Goal], Space]:
    """Makes the space; raises NoSpace where there are too many states, and remembers that: to count them takes time."""
    refused: list[str] = []

    def space(_goal: Goal) -> Space:
        if not refused:
            numbered = Numbered(definition, moves, texts)  # the space holds it, and nothing else does
            try:
                return numbered.space()
            except TooManyStates:
                refused.append(f"{'' if numbered.count.exact else 'up to '}{numbered.count.words}")
        raise NoSpace(
            f"{name} has {refused[0]} states, too many to number",
            "ask about a smaller puzzle; playing and drawing need no numbers",
        )

    return space
