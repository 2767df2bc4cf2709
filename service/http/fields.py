"""What may be asked: the fields of each request, the same in an address as in a body."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from service.answers.grades import DEFAULT_STARS
from service.answers.limits import MAX_BATCH, MAX_SOLUTIONS

MAX_STATE = 4096
_Text = Annotated[str, Field(max_length=MAX_STATE)]


class _Fields(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _day(text: object) -> date:
    if not isinstance(text, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        raise ValueError("a day is written YYYY-MM-DD")
    return date.fromisoformat(text)


class NoFields(_Fields):
    """Nothing may be asked."""


class GoalFields(_Fields):
    """Which goal."""

    goal: Annotated[
        str | None,
        Field(max_length=MAX_STATE, description="the goal's name, by default the first; or a state where any can be"),
    ] = None


class SearchFields(GoalFields):
    """What a search may spend where there is no table; the service's own limits stand."""

    max_states: Annotated[int | None, Field(ge=0, le=2**53, description="states a search may expand")] = None
    max_seconds: Annotated[float | None, Field(ge=0, le=10**9, description="seconds a search may take")] = None


class StateFields(SearchFields):
    """A state and a goal."""

    state: Annotated[
        str, Field(max_length=MAX_STATE, description="the state, written as the notation of the puzzle tells")
    ]


class SolveFields(StateFields):
    """A state to solve."""

    states: Annotated[bool, Field(description="also give the states passed")] = False
    all: Annotated[
        int | None, Field(ge=1, le=MAX_SOLUTIONS, description="also give so many solutions, and how many there are")
    ] = None
    offset: Annotated[int, Field(ge=0, le=2**53, description="how many moves of the solution to skip")] = 0
    limit: Annotated[int, Field(ge=1, le=MAX_BATCH, description="how many moves of it to give")] = MAX_BATCH


class SolveBodyFields(SolveFields):
    """The same in a body, where numbers are numbers."""

    model_config = ConfigDict(strict=True)


class HintFields(StateFields):
    """A state that a player is stuck at."""

    level: Annotated[
        int, Field(ge=1, le=4, description="1 the distance, 2 also what to move, 3 also a move, 4 also the solution")
    ] = 1


class HintBodyFields(HintFields):
    """The same in a body, where numbers are numbers."""

    model_config = ConfigDict(strict=True)


class BatchFields(SearchFields):
    """Many states."""

    model_config = ConfigDict(strict=True)

    states: Annotated[list[str], Field(description="the states", json_schema_extra={"maxItems": MAX_BATCH})]
    moves: Annotated[bool, Field(description="also give every move, as a lookup does")] = False


class GradeFields(StateFields):
    """A game: where it began, and its moves or the states it passed."""

    model_config = ConfigDict(strict=True)

    moves: Annotated[
        list[_Text] | None, Field(description="the moves played", json_schema_extra={"maxItems": MAX_BATCH})
    ] = None
    states: Annotated[
        list[_Text] | None,
        Field(description="or the states passed, with or without the first", json_schema_extra={"maxItems": MAX_BATCH}),
    ] = None
    stars: Annotated[
        list[int | None],
        Field(
            description="most wasted moves for all stars, one less, ...; 1 to 10 limits, rising; null: any",
            json_schema_extra={"minItems": 1, "maxItems": 10},
        ),
    ] = list(DEFAULT_STARS)

    @model_validator(mode="after")
    def _one_game(self) -> Self:
        if (self.moves is None) == (self.states is None):
            raise ValueError("give either moves or states")
        return self


class RandomFields(SearchFields):
    """How hard a random state should be, and how to draw it again."""

    distance: Annotated[int | None, Field(ge=0, le=2**53, description="exactly so far")] = None
    min: Annotated[int | None, Field(ge=0, le=2**53, description="at least so far")] = None
    max: Annotated[int | None, Field(ge=0, le=2**53, description="at most so far")] = None
    percentile: Annotated[
        float | None, Field(ge=0, le=100, description="the distance at which so many per cent are at most as far")
    ] = None
    seed: Annotated[str | None, Field(max_length=200, description="equal seeds give equal states")] = None
    daily: Annotated[date | None, BeforeValidator(_day), Field(description="YYYY-MM-DD: the state of that day")] = None

    @model_validator(mode="after")
    def _one_difficulty(self) -> Self:
        ranged = self.min is not None or self.max is not None
        if (self.distance is not None) + ranged + (self.percentile is not None) > 1:
            raise ValueError("give one of distance, min and max, or percentile")
        if self.seed is not None and self.daily is not None:
            raise ValueError("give one of seed and daily")
        return self


class PageFields(GoalFields):
    """A page of a list."""

    offset: Annotated[int, Field(ge=0, le=2**53, description="how many to skip")] = 0
    limit: Annotated[int, Field(ge=1, le=10_000, description="how many to give")] = 100


class PictureFields(GoalFields):
    """A state to draw; the goal may be given as everywhere, and does not show."""

    state: Annotated[str, Field(max_length=MAX_STATE, description="the state")]
    style: Annotated[
        str | None, Field(max_length=200, description="which of the puzzle's pictures, where it has several")
    ] = None
