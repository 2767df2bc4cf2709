"""What callers may keep: the ETag and Cache-Control of an answer, and whether a caller's copy is still right.

An exact answer stays right as long as its source does, so its tag is that of the source (the digest of a table)
after the version of the service. The answers of one source share a tag: an ETag belongs to one address anyway. Each
exact answer of a search has a tag of its own, made from its address: who has the tag has the answer, and no search has
to show it.
"""

from __future__ import annotations

import hashlib

from werkzeug.http import parse_etags

from puzzlebase.service.http.exchange import Environ, Headers
from puzzlebase.version import VERSION

NO_STORE: Headers = [("Cache-Control", "no-store")]
"""The headers of an answer that may differ the next time."""

ASK_AGAIN: Headers = [("Cache-Control", "no-cache")]
"""The headers of a page: it may be kept, to show when one goes back, and is asked for anew."""

FOREVER: Headers = [("Cache-Control", "public, max-age=31536000, immutable")]
"""The headers of a file whose address names its content."""


def exact(source_tag: str) -> Headers:
    """The headers of an exact answer."""
    return [("ETag", f'"{VERSION}-{source_tag}"'), ("Cache-Control", "public, max-age=86400")]


def is_known(source_tag: str, if_none_match: str | None) -> bool:
    """Whether the caller has the answer already, by the If-None-Match of its request."""
    return if_none_match is not None and parse_etags(if_none_match).contains_weak(f"{VERSION}-{source_tag}")


def is_named(source_tag: str, if_none_match: str | None) -> bool:
    """Whether the caller names the tag itself: "*" does not show that it ever had the answer."""
    return if_none_match != "*" and is_known(source_tag, if_none_match)


def tag_of_address(environ: Environ) -> str:
    """A tag of the address that a request asks."""
    address = f"{environ['PATH_INFO']}?{environ['QUERY_STRING']}"
    return hashlib.blake2b(address.encode(), digest_size=12).hexdigest()
