"""The fields of each request, the same in an address as in a body."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from puzzlebase.puzzles.contract.errors import did_you_mean, shorten
from puzzlebase.service.answers.difficulties import DIFFICULTIES
from puzzlebase.service.answers.grades import DEFAULT_STARS
from puzzlebase.service.answers.limits import MAX_BATCH, MAX_OFFSET, MAX_SOLUTIONS, MAX_STATE
from puzzlebase.service.answers.random_states import MAX_TURNS, RandomRequest, WalkName, today
from puzzlebase.service.error_status import InvalidRequest

_MAX_INTEGER = 2**53  # every reader of JSON reads integers up to this one exactly
_MAX_SECONDS = 10**9
_MAX_PAGE = 10_000
_MAX_NAME = 200  # characters of a seed or a style
_TODAY = "today"
_OFFSET_SCHEMA = {
    "anyOf": [
        {"type": "integer", "minimum": 0, "maximum": _MAX_INTEGER},
        {"type": "string", "pattern": f"^[0-9]{{1,{len(str(MAX_OFFSET)) - 1}}}$"},
    ]
}


def _text(description: str, most: int = MAX_STATE, default: Any = None) -> Any:
    return Field(default, max_length=most, description=description)


def _number(description: str, low: int = 0, high: int = _MAX_INTEGER, default: Any = None) -> Any:
    return Field(default, ge=low, le=high, description=description)


def _list(description: str, least: int = 0, most: int = MAX_BATCH, default: Any = None) -> Any:
    """A list; the functions that answer check its number of entries."""
    bounds: Any = {**({"minItems": least} if least else {}), "maxItems": most}
    return Field(default, description=description, json_schema_extra=bounds)


_Texts = list[Annotated[str, Field(max_length=MAX_STATE)]]


def _day(text: object) -> date | str:
    if text == _TODAY:
        return _TODAY
    if not isinstance(text, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        raise ValueError("a day is written YYYY-MM-DD, or today")
    return date.fromisoformat(text)


def _decimal(value: object) -> object:
    """The integer of a decimal string, JSON's form above 2^53; any other value unchanged."""
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,99}", value) else value


class NoFields(BaseModel):
    """No field."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, given: dict[str, Any]) -> dict[str, Any]:
        for name in given:
            if name not in cls.model_fields:
                meant = did_you_mean(name, cls.model_fields)
                raise InvalidRequest(f"there is no field {shorten(name)!r}", f"{meant}/docs lists all fields")
        return given


class GoalFields(NoFields):
    """A goal."""

    goal: str | None = _text(
        "the goal's name, by default the first; or a state, where the puzzle allows any as its goal"
    )


class SearchFields(GoalFields):
    """The most that a search may spend if there is no table. The service's own limits are never exceeded."""

    max_states: int | None = _number("number of states that a search may expand")
    max_seconds: float | None = _number("seconds that a search may take", 0, _MAX_SECONDS)


class StateFields(SearchFields):
    """A state and a goal."""

    state: str = _text("the state, written as the puzzle's notation says", default=...)


class SolveFields(StateFields):
    """A state to solve."""

    states: bool = Field(False, description="whether to give the states of the solution too")
    all: int | None = _number("also give this many solutions, and how many there are", 1, MAX_SOLUTIONS)
    offset: Annotated[int, BeforeValidator(_decimal), Field(ge=0, le=MAX_OFFSET), WithJsonSchema(_OFFSET_SCHEMA)] = (
        Field(0, description="number of moves of the solution to skip; in a body a decimal string above 2^53")
    )
    limit: int = _number("number of moves of the solution to give", 1, MAX_BATCH, MAX_BATCH)


class HintFields(StateFields):
    """A state at which a player is stuck."""

    level: int = _number("1: the distance; 2: also the parts to move; 3: also a move; 4: also the solution", 1, 4, 1)


class HintBodyFields(HintFields, strict=True):
    """The same fields in a body, and the moves of a game."""

    moves: _Texts = _list(
        "the moves played from the state: the hint is for the state after them, and for a lost one it says how many to "
        "take back",
        default=[],
    )


class BatchFields(SearchFields, strict=True):
    """Many states."""

    states: list[str] = _list("the states", default=...)
    moves: bool = Field(False, description="whether to give every move too, as a lookup does")


class GradeFields(StateFields, strict=True):
    """A game: the state where it began, and its moves or its states."""

    moves: _Texts | None = _list("the moves played")
    states: _Texts | None = _list("in place of the moves, the states of the game, with or without the first")
    stars: list[int | None] = _list(
        "how many moves may be wasted for all stars, for one less, and so on: 1 to 10 limits, rising; "
        "null allows any number",
        1,
        10,
        list(DEFAULT_STARS),
    )
    hints: list[Annotated[int, Field(ge=1, le=4)]] = Field(
        [], max_length=MAX_BATCH, description="levels of the hints shown; 3 and 4, played or not, cost the third star"
    )

    @model_validator(mode="after")
    def _one_game(self) -> Self:
        if (self.moves is None) == (self.states is None):
            raise ValueError("give either moves or states")
        return self


class RandomFields(SearchFields):
    """The difficulty of a random state, and the key to draw it again."""

    distance: int | None = _number("the exact distance")
    min: int | None = _number("the smallest distance")
    max: int | None = _number("the largest distance")
    percentile: float | None = _number(
        "in place of a distance: how many per cent of all states with a distance are at most as far", 0, 100
    )
    difficulty: str | None = _text(
        f"in place of a distance: {', '.join(DIFFICULTIES)}, or a level; the puzzle's address lists them", _MAX_NAME
    )
    lost: bool = Field(False, description="true for a state that cannot be solved any more, in place of a distance")
    turns: int | None = _number("in place of a distance: number of random turns from solved", 0, MAX_TURNS)
    walk: WalkName | None = Field(None, description="how each of the turns is drawn, by default any")
    seed: str | None = _text("equal seeds give equal states", _MAX_NAME)
    daily: Annotated[date | Literal["today"] | None, BeforeValidator(_day)] = Field(
        None, description="YYYY-MM-DD: the state of that day; today: of this day, in UTC"
    )

    @property
    def request(self) -> RandomRequest:
        """The request for a state; raises InvalidRequest for fields that exclude one another."""
        day = self.daily if isinstance(self.daily, date) or self.daily is None else today()
        return RandomRequest(**self.model_dump(exclude={*SearchFields.model_fields, "daily"}), day=day)

    @property
    def repeatable(self) -> bool:
        """True if an equal request has an equal answer, also tomorrow."""
        return self.seed is not None or (self.daily is not None and self.daily != _TODAY)


class PageFields(GoalFields):
    """A page of a list."""

    offset: int = _number("number of entries to skip", default=0)
    limit: int = _number("number of entries to give", 1, _MAX_PAGE, 100)


class BoardFields(GoalFields):
    """A state to lay out."""

    state: str | None = _text("the state, by default where play to the goal begins")
    style: str | None = _text("the name of a picture, if the puzzle has several", _MAX_NAME)


class PictureFields(BoardFields):
    """A state to draw."""

    state: str = _text("the state", default=...)
    highlight: str | None = _text("the name of a legal move: the picture shows its effect", _MAX_NAME)
