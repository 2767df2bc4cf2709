"""/v1/puzzles/{name}/mixing."""

from __future__ import annotations

from typing import Annotated

from flask import Response
from pydantic import Field

from puzzlebase.service.answers.fields import GoalFields
from puzzlebase.service.answers.random_states import WALKS, WalkName
from puzzlebase.service.http.address_record import TABLE, Address
from puzzlebase.service.http.responses import Responder, exact, json_response
from puzzlebase.tools.mixing.answer import MixingAnswer, mixing

_MAX_INTEGER = 2**53


class MixingFields(GoalFields):
    """The random turns, and the distance to compare with."""

    walk: Annotated[
        WalkName,
        Field(description="how each turn is drawn: " + "; ".join(f"{name}: {what}" for name, what in WALKS.items())),
    ] = "any"
    turns: Annotated[
        int | None, Field(ge=0, le=_MAX_INTEGER, description="number of turns, by default all that were computed")
    ] = None
    easier_than: Annotated[
        int | None, Field(ge=1, le=_MAX_INTEGER, description="a distance: how likely is the state nearer?")
    ] = None


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
