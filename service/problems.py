"""What an error is called and which status it has: one map, for HTTP and the command line alike."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pydantic import Field
from typing_extensions import TypedDict

from db import DamagedTable, MissingTable
from puzzles import IllegalMove, ImpossibleState, InvalidState, NoSpace, UnknownGoal, UnknownPuzzle


class Problem(TypedDict):
    """RFC 9457 problem details, with a hint that names the remedy."""

    type: Annotated[str, Field(description="where this kind of problem is explained")]
    title: Annotated[str, Field(description="the kind of problem")]
    status: Annotated[int, Field(description="that of the response")]
    detail: Annotated[str, Field(description="what was wrong this time")]
    hint: Annotated[str, Field(description="what to do about it")]


class Kind(NamedTuple):
    """One kind of problem."""

    slug: str
    title: str
    status: int
    meaning: str


INVALID_PARAMETER = Kind("invalid-parameter", "Invalid parameter", 400, "A parameter is missing, unknown or malformed.")
NO_ADDRESS = Kind("no-such-address", "No such address", 404, "Nothing is served at this address.")
WRONG_METHOD = Kind("wrong-method", "Method not allowed", 405, "The address is right, the HTTP method is not.")
SLOW_BODY = Kind("slow-body", "Request timeout", 408, "The body did not come in the time that /v1 states.")
TOO_LARGE = Kind(
    "too-large", "Request too large", 413, "The body, or a list in it, is longer than the limits that /v1 states."
)
ADDRESS_TOO_LONG = Kind("address-too-long", "Address too long", 414, "The address is too long; use POST where offered.")
NO_TABLE = Kind("missing-table", "No table", 409, "The answer needs a table that has not been built, or cannot be.")
UNEXPECTED = Kind("internal-error", "Internal error", 500, "A fault of the service, logged there.")


class Refusal(Exception):
    """A request that is not answered; `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class InvalidRequest(Refusal):
    """Fields that are well formed each and make no sense together, or ask too much."""


class AddressTooLong(InvalidRequest):
    """An address longer than any request needs."""


class Overloaded(Refusal):
    """More at once than the service does."""


class SlowBody(InvalidRequest):
    """A body that did not come in time."""


class TooMuchWork(InvalidRequest):
    """An answer that takes longer than one may."""


class TooLarge(InvalidRequest):
    """A list with more entries than one request may have."""


KINDS: dict[type[Exception], Kind] = {
    InvalidState: Kind("invalid-state", "Unreadable state", 400, "The text cannot be read as a state of the puzzle."),
    IllegalMove: Kind("illegal-move", "Illegal move", 400, "The puzzle has no such move, or not in this state."),
    UnknownPuzzle: Kind("unknown-puzzle", "Unknown puzzle", 404, "No family has a puzzle of this name."),
    UnknownGoal: Kind("unknown-goal", "Unknown goal", 404, "The puzzle has no goal of this name."),
    MissingTable: NO_TABLE,
    NoSpace: NO_TABLE,
    ImpossibleState: Kind("impossible-state", "Impossible state", 422, "A state that reads well and cannot occur."),
    AddressTooLong: ADDRESS_TOO_LONG,
    TooLarge: TOO_LARGE,
    TooMuchWork: Kind(
        "too-much-work", "Too much work", 400, "The answer takes longer than the limits that /v1 states."
    ),
    SlowBody: SLOW_BODY,
    InvalidRequest: INVALID_PARAMETER,
    Overloaded: Kind("overloaded", "Overloaded", 503, "More at once than the service does: most often, searches."),
    DamagedTable: Kind("damaged-table", "Damaged table", 500, "The table's file is not what was built."),
}
"""Errors that mean something to the caller; anything else is UNEXPECTED."""

EVERY_KIND = sorted(
    {*KINDS.values(), INVALID_PARAMETER, NO_ADDRESS, WRONG_METHOD, TOO_LARGE, ADDRESS_TOO_LONG, UNEXPECTED},
    key=lambda kind: (kind.status, kind.slug),
)


def problem(kind: Kind, detail: str, hint: str, status: int | None = None) -> Problem:
    """A problem of that kind."""
    return {
        "type": f"/docs#{kind.slug}",
        "title": kind.title,
        "status": status or kind.status,
        "detail": detail,
        "hint": hint,
    }


def problem_of(error: Exception) -> Problem | None:
    """The problem an error means, or None for one that means nothing to the caller."""
    for known, kind in KINDS.items():
        if isinstance(error, known):
            return problem(kind, str(error), getattr(error, "hint", ""))
    return None
