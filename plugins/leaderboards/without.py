"""A service without answers tells the rules, positions to begin at, and the worth of a game.

No reply names a distance, or a move of a state that the caller chose.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click

from puzzlebase.command_line.options import Added
from puzzlebase.service.answers.grades import grade
from puzzlebase.service.answers.random_states import random_state
from puzzlebase.service.answers.record import AnswerRecord
from puzzlebase.service.error_status import NotServed

if TYPE_CHECKING:
    from puzzlebase.service.http.exchange import Exchange

_VARIABLE = "PUZZLEBASE_WITHOUT"
_ANSWERS = "answers"
_PUZZLES = "/v1/puzzles/"
_SERVED = re.compile(rf"{_PUZZLES}[^/]+(/(board|picture|grade|random))?")
# What these two answers say in place of a distance, and of moves that are known to be good.
_UNKNOWN = (
    "solvable",
    "lost",
    "distance",
    "lower_bound",
    "upper_bound",
    "optimal_length",
    "wasted",
    "delta",
    "optimal",
    "first_mistake",
    "lost_at",
    "percentile",
    "scramble",
)
_HIDDEN = {**dict.fromkeys(_UNKNOWN), "exact": False, "against_bound": False}


@dataclass(frozen=True)
class Without:
    """The thing that a service does without: `answers`, or nothing."""

    without: str | None

    def to_environment(self) -> dict[str, str]:
        """The environment variable that tells workers."""
        return {_VARIABLE: self.without or ""}


def _is_closed() -> bool:
    return os.environ.get(_VARIABLE) == _ANSWERS


class _Hiding(AnswerRecord[..., Any]):
    """An answer that hides what a service without answers does not tell."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """The answer."""
        answer = super().__call__(*given, **named)
        if not _is_closed():
            return answer
        shown = _hidden(answer)
        if "steps" in answer:
            shown["steps"] = [*map(_hidden, answer["steps"])]
        return shown


def _hidden(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _HIDDEN.get(name, value) for name, value in answer.items()}


def _hiding(record: AnswerRecord[..., Any]) -> _Hiding:
    return _Hiding(**{each.name: getattr(record, each.name) for each in fields(record)})


GRADE, RANDOM = _hiding(grade), _hiding(random_state)


def from_environment() -> Callable[[Exchange, Any], None] | None:
    """The function that refuses requests for answers; None if the service has them."""

    def refuse(exchange: Exchange, _headers: Any) -> None:
        path = f"/{exchange.path.lstrip('/')}"  # as Flask finds an address
        asks = exchange.method != "OPTIONS" and path.startswith(_PUZZLES)
        if asks and not _SERVED.fullmatch(path):
            exchange.refusal = NotServed(
                "this service tells no distances and no moves",
                "play on without a hint, or ask whoever runs the service",
            )

    return refuse if _is_closed() else None


ADDED = Added(
    Without,
    (
        click.option(
            "--without",
            type=click.Choice([_ANSWERS]),
            envvar=_VARIABLE,
            help="Tell no distance and no move of a caller's state, only rules and grades.",
        ),
    ),
)
