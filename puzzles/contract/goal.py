"""A goal of a puzzle, and its published numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Published:
    """Published numbers of a goal, None for unknown ones; a build that disagrees is refused."""

    source: str  # who published them, and where
    states: int | None = None  # that can reach the goal
    gods_number: int | None = None
    # the numbers of states at distance 0, 1, 2, ...: all of them, or none
    layers: tuple[int, ...] = ()
    start_distance: int | None = None


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal: the states that count as solved."""

    name: str
    states: tuple[str, ...]  # at distance 0
    start: str = ""  # where play begins, by default the first of `states`
    published: Published | None = None
    key: str = (
        ""  # names the goal's table, by default `name`; goals with equal keys share one table
    )
    # True if a state of its space stands for several texts, in which some pieces do not matter
    coarse: bool = False

    def __post_init__(self) -> None:
        if not self.start and self.states:
            object.__setattr__(self, "start", self.states[0])
        if not self.key:
            object.__setattr__(self, "key", self.name)
