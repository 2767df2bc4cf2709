"""JSON whose integers no reader rounds: numbers up to 2^53,
which doubles hold exactly, and decimal strings above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

LARGEST_NUMBER = 2**53  # the largest integer that is written as a number


def to_json(answer: object, default: Callable[[Any], Any] | None = None) -> bytes:
    """Write an answer as JSON; `default` replaces values of types that JSON does not have."""
    try:
        return orjson.dumps(answer, option=orjson.OPT_STRICT_INTEGER)
    except orjson.JSONEncodeError:  # an integer is too long, or a value of SQL has another type
        return orjson.dumps(_readable(answer), default)


def _readable(value: Any) -> Any:
    """Replace integers by strings if a reader might round them."""
    if isinstance(value, dict):
        return {str(key): _readable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_readable(each) for each in value]
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        return str(value)
    return value
