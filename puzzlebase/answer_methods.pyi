from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal

from puzzlebase.service.answers.pictures import Picture

Answer = Mapping[str, Any]
"""The object that HTTP answers with; docs/http-types.md has its fields."""

class AnswerMethods:
    """A method for each answer about a puzzle."""

    def solve(
        self,
        state: str,
        *,
        states: bool = False,
        all: int | None = None,
        offset: int = 0,
        limit: int = 10000,
        lurd: bool = False,
    ) -> Answer:
        """A shortest solution, or several and how many there are.

        Args:
            state: the state, written as the puzzle's notation says
            states: whether to give the states of the solution too
            all: also give this many solutions, and how many there are
            offset: number of moves of the solution to skip; in a body a decimal string above 2^53
            limit: number of moves of the solution to give
            lurd: whether to write each solution of Sokoban as players do, in one word with a letter
                for each step: luurD
        """

    def hint(
        self,
        state: str,
        level: int = 1,
        moves: str | Sequence[str] = (),
    ) -> Answer:
        """Help in four levels, from the distance to the whole solution.

        Args:
            state: the state, written as the puzzle's notation says
            level: 1: the distance; 2: also the parts to move; 3: also a move; 4: also the solution
            moves: the moves played from the state: the hint is for the state after them, and for a
                lost one it says how many to take back
        """

    def grade(
        self,
        state: str,
        moves: str | Sequence[str] | None = None,
        states: str | Sequence[str] | None = None,
        stars: str | Sequence[int | None] = (0, 4, None),
        hints: str | Sequence[int] = (),
    ) -> Answer:
        """The grade of a player's game: legal, solved, stars, the first mistake.

        Args:
            state: the state, written as the puzzle's notation says
            moves: the moves played
            states: in place of the moves, the states of the game, with or without the first
            stars: how many moves may be wasted for all stars, for one less, and so on: 1 to 10
                limits, rising; null allows any number
            hints: levels of the hints shown; 3 and 4, played or not, cost the third star
        """

    def random(
        self,
        distance: int | None = None,
        min: int | None = None,
        max: int | None = None,
        percentile: float | None = None,
        difficulty: int | str | None = None,
        *,
        lost: bool = False,
        turns: int | None = None,
        seed: int | str | None = None,
        daily: str | date | Literal["today"] | None = None,
    ) -> Answer:
        """A random state of the difficulty asked for, with a scramble that leads to it.

        Args:
            distance: the exact distance
            min: the smallest distance
            max: the largest distance
            percentile: in place of a distance: how many per cent of all states with a distance are
                at most as far
            difficulty: in place of a distance: first, easy, medium, hard, hardest, or a level; the
                puzzle's address lists them
            lost: true for a state that cannot be solved any more, in place of a distance
            turns: in place of a distance: number of random turns from solved
            seed: equal seeds give equal states
            daily: YYYY-MM-DD: the state of that day; today: of this day, in UTC
        """

    def picture(
        self,
        state: str,
        style: int | str | None = None,
        highlight: int | str | None = None,
    ) -> Picture:
        """A drawing of a state, as SVG.

        Args:
            state: the state
            style: the name of a picture, if the puzzle has several
            highlight: the name of a legal move: the picture shows its effect
        """

    def board(
        self,
        state: str | None = None,
        style: int | str | None = None,
    ) -> Answer:
        """The pieces of a state, and the effect of every legal move.

        Args:
            state: the state, by default where play to the goal begins
            style: the name of a picture, if the puzzle has several
        """

    def histogram(
        self,
        from_: str | None = None,
    ) -> Answer:
        """The number of states at each distance.

        Args:
            from_: a set of states, as a goal may be one: count these in place of all
        """

    def antipodes(
        self,
        offset: int = 0,
        limit: int = 100000,
    ) -> Answer:
        """The states farthest from the goal, a page at a time.

        Args:
            offset: number of entries to skip
            limit: number of entries to give
        """
