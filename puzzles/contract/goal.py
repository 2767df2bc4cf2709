"""A goal of a puzzle, and what others have published about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Published:
    """Published numbers of a goal, None where there are none; a build that disagrees is refused.

    Attributes:
        source: who published it, and where.
        states: the number of states that can reach the goal.
        gods_number: the largest distance.
        layers: the numbers of states at distance 0, 1, 2, ...: all of them, or none.
        start_distance: the distance of the goal's start.
    """

    source: str
    states: int | None = None
    gods_number: int | None = None
    layers: tuple[int, ...] = ()
    start_distance: int | None = None


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal: the states that are solved.

    Attributes:
        name: what the goal is called among those of its puzzle.
        states: the states at distance 0.
        start: the state where play begins, by default the first of `states`.
        published: what others have published about the goal.
        key: names the goal's table, by default `name`. Goals with equal keys share one table.
    """

    name: str
    states: tuple[str, ...]
    start: str = ""
    published: Published | None = None
    key: str = ""

    def __post_init__(self) -> None:
        if not self.start and self.states:
            object.__setattr__(self, "start", self.states[0])
        if not self.key:
            object.__setattr__(self, "key", self.name)
