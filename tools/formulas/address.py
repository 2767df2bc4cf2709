"""The address /v1/families/{family}/formula."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from puzzlebase.service.answers.fields import NoFields
from puzzlebase.service.http.address_record import FAMILY, Address
from puzzlebase.service.http.responses import json_response
from puzzlebase.tools.formulas.answer import DEFAULT_SIZES, FormulaAnswer, formula

_MAX_NAME = 200


class FormulaFields(NoFields):
    """The fields of a request for a family's formulas."""

    variant: Annotated[
        str | None, Field(max_length=_MAX_NAME, description="the variant, such as nnn, by default the family's first")
    ] = None
    disks: Annotated[
        str,
        Field(
            max_length=_MAX_NAME,
            description="how many disks, or tiles of a tower: numbers and ranges, as 1-5,10",
        ),
    ] = DEFAULT_SIZES


ADDRESS = Address(
    "/v1/families/{family}/formula",
    "formula",
    lambda responder, fields, family: json_response(formula(responder.tables, family, fields.variant, fields.disks)),
    FormulaFields,
    FormulaAnswer,
    FAMILY,
    "Formulas",
    "What solutions take for any size: by recurrence, by closed form and exactly.",
    (404, 500),
)
