"""What callers may keep: the ETag and Cache-Control of an answer, and whether a caller's copy is still right.

An exact answer stays right as long as its source does, so its tag is that of the source (the digest of a table)
after the version of the service. The answers of one source share a tag: an ETag belongs to one address anyway.
"""

from __future__ import annotations

from werkzeug.http import parse_etags

from puzzlebase.service.http.exchange import Headers
from puzzlebase.version import VERSION

NO_STORE: Headers = [("Cache-Control", "no-store")]
"""The headers of an answer that may differ the next time."""


def exact(source_tag: str) -> Headers:
    """The headers of an exact answer."""
    return [("ETag", f'"{VERSION}-{source_tag}"'), ("Cache-Control", "public, max-age=86400")]


def is_known(source_tag: str, if_none_match: str | None) -> bool:
    """Whether the caller has the answer already, by the If-None-Match of its request."""
    return if_none_match is not None and parse_etags(if_none_match).contains_weak(f"{VERSION}-{source_tag}")
