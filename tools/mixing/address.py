"""/v1/puzzles/{name}/mixing."""

from __future__ import annotations

from flask import Response
from pydantic import Field

from puzzlebase.service.answers.fields import GoalFields
from puzzlebase.service.answers.random_states import WalkName
from puzzlebase.service.http.address_record import TABLE, Address
from puzzlebase.service.http.responses import Responder, exact, json_response
from puzzlebase.tools.mixing.answer import EACH_TURN, MixingAnswer, mixing

_MAX_INTEGER = 2**53


class MixingFields(GoalFields, use_attribute_docstrings=True):
    """The random turns, and the distance to compare with."""

    walk: WalkName = Field("any", description=f"how each turn is drawn: {EACH_TURN}")
    turns: int | None = Field(None, ge=0, le=_MAX_INTEGER)
    """number of turns, by default all that were computed"""
    easier_than: int | None = Field(None, ge=1, le=_MAX_INTEGER)
    """a distance: how likely is the state nearer?"""


def mixed(responder: Responder, fields: MixingFields, name: str) -> Response:
    """Answer with the facts after each of the turns."""
    source = responder.tables.get(name, fields.goal)
    found = mixing(source, fields.walk, fields.turns, fields.easier_than)
    return exact(source.puzzle, f"{source.origin.tag}-{len(found['turns'])}", lambda: json_response(found))


ADDRESS = Address(
    "/v1/puzzles/{name}/mixing",
    "mixed",
    mixed,
    MixingFields,
    MixingAnswer,
    TABLE,
    "Mixing",
    "How well random turns mix a puzzle, exactly, from what puzzlebase mixing computed before.",
    (304, 404, 409, 422, 500, 503),
)
