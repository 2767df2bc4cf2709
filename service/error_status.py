"""Problems: the name, status and meaning of each error, for HTTP and the command line alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from typing_extensions import TypedDict

from puzzlebase.db.errors import DamagedTable, MissingTable, ReplacedTable, UnreadableTable
from puzzlebase.errors import ErrorWithHint
from puzzlebase.puzzles.contract.errors import (
    IllegalMove,
    ImpossibleState,
    InvalidState,
    NoSpace,
    UnknownGoal,
    UnknownPuzzle,
)

if TYPE_CHECKING:
    from puzzlebase.puzzles import Puzzle


class Problem(TypedDict):
    """A problem, as RFC 9457 has it, with a hint that names the remedy."""

    type: str
    """address where this kind of problem is explained"""
    title: str
    """name of this kind of problem"""
    status: int
    """status of the response"""
    detail: str
    """what is wrong"""
    hint: str
    """the remedy"""


class ProblemKind(NamedTuple):
    """A kind of problem; `slug` is its name in addresses."""

    slug: str
    title: str
    status: int
    meaning: str


INVALID_PARAMETER = ProblemKind(
    "invalid-parameter", "Invalid parameter", 400, "A parameter is missing, unknown or malformed."
)
NO_ADDRESS = ProblemKind(
    "no-such-address", "No such address", 404, "Nothing is served at this address."
)
WRONG_METHOD = ProblemKind(
    "wrong-method", "Method not allowed", 405, "The address is right, the HTTP method is not."
)
SLOW_BODY = ProblemKind(
    "slow-body", "Request timeout", 408, "The body did not arrive within the time that /v1 states."
)
TOO_LARGE = ProblemKind(
    "too-large",
    "Request too large",
    413,
    "The body, or a list in it, is longer than the limits that /v1 states.",
)
ADDRESS_TOO_LONG = ProblemKind(
    "address-too-long", "Address too long", 414, "The address is too long; use POST where offered."
)
NO_TABLE = ProblemKind(
    "missing-table",
    "No table",
    409,
    "The answer needs a table that has not been built, or cannot be.",
)
UNEXPECTED = ProblemKind(
    "internal-error", "Internal error", 500, "The service has a fault; its log says more."
)


class InvalidRequest(ErrorWithHint):
    """The fields are well formed, but they contradict one another or ask for too much."""


class AddressTooLong(InvalidRequest):
    """The address is longer than any request needs."""


class Overloaded(ErrorWithHint):
    """The service is as busy as it may be."""


class SlowBody(InvalidRequest):
    """The body did not arrive in time."""


class NotServed(ErrorWithHint):
    """The service was started without such answers."""


class TooMuchWork(InvalidRequest):
    """The answer would take longer than an answer may."""


class TooLarge(InvalidRequest):
    """The body, or a list in it, is too long."""


# The kind of each error that means something to the caller; any other error is UNEXPECTED.
KINDS: dict[type[Exception], ProblemKind] = {
    InvalidState: ProblemKind(
        "invalid-state",
        "Unreadable state",
        400,
        "The text cannot be read as a state of the puzzle.",
    ),
    IllegalMove: ProblemKind(
        "illegal-move",
        "Illegal move",
        400,
        "The puzzle has no such move, or the state does not allow it.",
    ),
    UnknownPuzzle: ProblemKind(
        "unknown-puzzle", "Unknown puzzle", 404, "No family has a puzzle of this name."
    ),
    UnknownGoal: ProblemKind(
        "unknown-goal", "Unknown goal", 404, "The puzzle has no goal of this name."
    ),
    MissingTable: NO_TABLE,
    NoSpace: NO_TABLE,
    ImpossibleState: ProblemKind(
        "impossible-state",
        "Impossible state",
        422,
        "The text reads as a state, but such a state cannot occur.",
    ),
    AddressTooLong: ADDRESS_TOO_LONG,
    TooLarge: TOO_LARGE,
    TooMuchWork: ProblemKind(
        "too-much-work",
        "Too much work",
        400,
        "The answer takes longer than /v1 states, or a board is too large.",
    ),
    NotServed: ProblemKind(
        "not-served", "Not served", 403, "The service was started without such answers."
    ),
    SlowBody: SLOW_BODY,
    InvalidRequest: INVALID_PARAMETER,
    Overloaded: ProblemKind(
        "overloaded", "Overloaded", 503, "Too many requests at the same time, most often searches."
    ),
    ReplacedTable: ProblemKind(
        "replaced-table",
        "Table replaced",
        503,
        "The file of the table was replaced, and the new one is being opened.",
    ),
    UnreadableTable: ProblemKind(
        "unreadable-table",
        "Table not readable",
        500,
        "The program has no permission to read the file of the table.",
    ),
    DamagedTable: ProblemKind(
        "damaged-table", "Damaged table", 500, "The file of the table is not as it was built."
    ),
}
EVERY_KIND = sorted(
    {*KINDS.values(), NO_ADDRESS, WRONG_METHOD, UNEXPECTED},
    key=lambda kind: (kind.status, kind.slug),
)


def make_problem(kind: ProblemKind, detail: str, hint: str, status: int | None = None) -> Problem:
    """Make a problem of a kind; `status` if it differs from the kind's."""
    return {
        "type": f"/docs#{kind.slug}",
        "title": kind.title,
        "status": status or kind.status,
        "detail": detail,
        "hint": hint,
    }


def problem_of(error: Exception) -> Problem | None:
    """The problem that an error means; None for an error that is not the caller's concern."""
    for known, kind in KINDS.items():
        if isinstance(error, known):
            return make_problem(kind, str(error), getattr(error, "hint", ""))
    return None


def unsolvable_error(puzzle: Puzzle) -> InvalidRequest:
    """Make the error, of status 400, of a goal that no state can reach."""
    return InvalidRequest(f"no state of {puzzle.name} can reach this goal", "choose another goal")
