"""The puzzle of a definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from puzzlebase import hooks
from puzzlebase.plugins.definitions.definition import PATTERN, Definition
from puzzlebase.plugins.definitions.goal_sets import GoalSets, SetGoal
from puzzlebase.plugins.definitions.hint_groups import hint_groups
from puzzlebase.plugins.definitions.moves import NamedMove, all_moves, spelled_moves
from puzzlebase.plugins.definitions.space import Numbered
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.plugins.definitions.text_squares import Squares
from puzzlebase.puzzles.contract.engines import GraphSearch, WholeTable
from puzzlebase.puzzles.contract.errors import NoSpace, TooManyStates, no_goal, no_index_side
from puzzlebase.puzzles.contract.goal import Goal
from puzzlebase.puzzles.contract.puzzle import (
    BoardSide,
    Drawing,
    IndexSide,
    Letters,
    Move,
    Notation,
    Puzzle,
    check_move,
)
from puzzlebase.puzzles.contract.space import Space
from puzzlebase.puzzles.machinery.any_goal import with_any_goal
from puzzlebase.puzzles.machinery.spaces import SPACES

_SETS = 8  # sets of goal states whose numbers of states are remembered, of all puzzles
_IN_LINE = 12  # places drawn at most
_INSTRUCTIONS = "Make moves until the board looks like the goal."

Draw = Callable[[Texts, Sequence[NamedMove]], Drawing]


def puzzle_of(name: str, definition: Definition, draw: Draw | None = None) -> Puzzle:
    """Make the puzzle of a definition; raise FormatError."""
    moves = all_moves(definition)
    texts = Texts(definition)
    turns = {move.name: move.turn for move in moves}
    spelled = spelled_moves(definition, moves)
    spaces = _Spaces(name, lambda: Numbered(texts, moves))

    def on_the_fly(goal: Goal, memory: int | None) -> Space:
        if isinstance(goal, SetGoal):
            return goal.among.coarse.seen(_of_set(name, goal).on_the_fly(goal, memory))
        return spaces.on_the_fly(goal, memory)

    def play(text: str, move: str) -> str:
        name = spelled.get(move, move)
        check_move(name, turns)
        return texts.play(text, turns[name])

    examples = [texts.solved]
    for move in moves[:1] + moves[-1:]:
        examples.append(play(examples[-1], move.name))
    large = PATTERN not in name and definition.is_large and not definition.forward
    patterns = patterns_of(name, definition) if large else None
    engines = [patterns.engine] if patterns else []
    goal = Goal("solved", (texts.solved,), key=f"solved-{definition.digest}")
    remarks, about = definition.remarks, definition.remarks.about
    if not about.instructions and PATTERN not in name:
        about = replace(about, instructions=_INSTRUCTIONS)
    groups = hint_groups({move.name: _group(definition, move) for move in moves})
    labels = {move: f" ({words})" for move, words in remarks.labels.items()}
    puzzle = Puzzle(
        name=name,
        title=definition.title or name,
        moves=tuple(Move(move, group) for move, group in groups.items()),
        goals=(goal,),
        notation=Notation(
            state=f"A letter for each piece, A for the first one: {texts.says}",
            moves="; ".join(
                [
                    ", ".join(move + labels.get(move, "") for move in turns),
                    *definition.notes,
                    *definition.unused,
                ]
            ),
            examples=tuple(dict.fromkeys(examples)),
        ),
        about=about,
        board=BoardSide(
            parse=texts.parse,
            format=texts.format,
            play=play,
            drawing=draw(texts, moves) if draw else _squares(texts, moves, play),
            letters=Letters(texts.length, texts.player([*turns.values()])),
            at_home=texts.at_home,
            spelled=lambda _state, word: [spelled.get(word, word)],
        ),
        index_side=IndexSide(SPACES.remember(spaces.space), on_the_fly),
        engines=(WholeTable(), *engines, GraphSearch()),
    )
    return _with_sets(puzzle, GoalSets(texts, moves, goal))


def _with_sets(puzzle: Puzzle, sets: GoalSets) -> Puzzle:
    """The puzzle with any state as a goal, and with sets of states."""
    whole = with_any_goal(puzzle)
    any_state, side = whole.board.goal_of, whole.index_side
    assert any_state
    assert side

    def seen(goal: Goal) -> Space:
        assert isinstance(goal, SetGoal)
        return goal.among.coarse.seen(_of_set(puzzle.name, goal).space(goal))

    of_set = SPACES.remember(seen)

    return replace(
        whole,
        goals=(*puzzle.goals, *sets.named()),
        board=replace(
            whole.board,
            goal_of=lambda text: sets.of_text(text) or any_state(text),
            states_of=sets.boards,
        ),
        index_side=replace(
            side, space=lambda goal: (of_set if isinstance(goal, SetGoal) else side.space)(goal)
        ),
    )


def _squares(texts: Texts, moves: Sequence[NamedMove], play: Callable[[str, str], str]) -> Drawing:
    """Draw a square for each place,
    in the rows that the file says or in lines; lamps are pressed by a touch.
    """
    definition = texts.definition
    where: list[tuple[float, float]] = []
    row = 0
    for name, places, _ in definition.sets:
        lines = [min(_IN_LINE, places - first) for first in range(0, places, _IN_LINE)]
        lengths = definition.remarks.rows.get(name, lines)
        for length in lengths:
            where += [(row, at + (max(lengths) - length) / 2) for at in range(length)]
            row += 1
    squares = Squares(
        contents=texts.parts,
        play=play,
        number=lambda part: ord(part[-1] if definition.pressed else part[0]),
        where=where,
        permutations={move.name: move.turn.source for move in moves},
        touched={
            move.name: definition.pressed[move.generator] for move in moves if definition.pressed
        },
    )
    return Drawing(
        layout=lambda text, goal: squares.layout(texts.format(texts.parse(text)), goal),
        effect=squares.effect,
    )


def patterns_of(name: str, definition: Definition) -> Any | None:
    """The patterns of a puzzle,
    as the plugin has them that searches with them; None without the plugin.
    """
    made = hooks.find("searches", "patterns of definitions")
    return made(name, definition) if made else None


def _group(definition: Definition, move: NamedMove) -> str:
    """The group of a move: from the file,
    or the row of the lamp that it presses, or the part that it turns.
    """
    remarks, generator = definition.remarks, move.generator
    if group := remarks.groups.get(move.name) or remarks.groups.get(generator):
        return group
    rows, place = remarks.rows.get(definition.sets[0].name), definition.pressed.get(generator)
    if rows and place is not None:
        return f"row {int(np.searchsorted(np.cumsum(rows), place, side='right')) + 1}"
    return remarks.labels.get(generator, generator)


@dataclass(eq=False)
class _Spaces:
    """The spaces of a definition's puzzle;
    the number of states is remembered, since counting takes time.
    """

    name: str
    numbered: Callable[[], Numbered]
    refused: tuple[str, bool] | None = (
        None  # the number of states if they are too many, and True if all are reached
    )

    def space(self, goal: Goal) -> Space:
        """Make the space with all its states numbered;
        raise NoSpace if they are too many, ImpossibleState for a goal that cannot be reached.
        """
        if self.refused is None:
            numbered = self.numbered()  # only the space holds it
            try:
                space = numbered.space()
            except TooManyStates:
                self.refused = (
                    f"{'' if numbered.count.exact else 'up to '}{numbered.count.words}",
                    numbered.dense,
                )
            else:
                if not len(space.goal_states):
                    raise no_goal(goal.name, numbered.texts.solved)
                return space
        raise NoSpace(
            f"{self.name} has {self.refused[0]} states, too many to number",
            "ask about a smaller puzzle; of this one single states can be asked, played and drawn",
        )

    def on_the_fly(self, goal: Goal, memory: int | None) -> Space:
        """Make a new space around a goal;
        raise ImpossibleState for one that cannot be reached, and NoSpace.
        """
        connected = self.refused is not None and self.refused[1]
        try:
            texts, goals = self._rows.texts, self._rows.goals
            boards = (
                texts.boards(*goals)
                if isinstance(goal, SetGoal)
                else texts.parse(goal.states[0])[None, :]
            )
            space = self._rows.growing(boards, memory, connected=connected)
        except TooManyStates:
            raise no_index_side(self.name) from None
        if space is None:
            raise no_goal(goal.name, texts.solved)
        return space

    @cached_property
    def _rows(self) -> Numbered:
        """The states for growing spaces, which numbers nothing."""
        return self.numbered()


@lru_cache(_SETS)
def _of_set(name: str, goal: SetGoal) -> _Spaces:
    return _Spaces(name, lambda: goal.among.numbered)
