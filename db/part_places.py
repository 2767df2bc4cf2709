"""Where the parts of a split table lie: in the places that were named, or beside the table."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "PUZZLEBASE_PARTS"
"""Of the environment: folders or addresses of the web with commas between, which the option --parts sets."""


def part_places(data: Path) -> list[str]:
    """The places for a data folder, that of part 0 first."""
    named = [place.strip().rstrip("/") for place in os.environ.get(VARIABLE, "").split(",")]
    return [place for place in named if place] or [str(data)]


def wrong_place(places: str) -> str | None:
    """What is wrong with places that a person named; None for what can be read from."""
    from urllib.parse import urlsplit  # noqa: PLC0415 -- few calls need it

    for number, place in enumerate(places.split(",")):
        if "://" not in place:
            continue
        try:
            address = urlsplit(place.strip())
            known = address.scheme in ("http", "https") and address.hostname and address.port != 0
        except ValueError:
            known = False
        if not known or "@" in address.netloc or address.query or address.fragment:
            return f"the place of part {number} is no plain address with http or https: a host, a port, and a path"
    return None
