"""Compression of large responses, for callers that accept gzip."""

from __future__ import annotations

import re
import zlib

from puzzlebase.service.http.connection.exchange import Headers, PlainResponse

MIN_BYTES = 2048
"""A smaller body fits into a packet or two as it is, and to compress a lookup of 1.4 kB takes 40 microseconds."""

EVERY_RESPONSE: Headers = [("Vary", "Accept-Encoding")]

_COMPRESSIBLE = ("application/json", "image/svg+xml", "text/")
_ACCEPTED = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)
_LEVEL = 1
_GZIP = 31  # zlib's code for a gzip header around its largest window


def compressed(response: PlainResponse, accept_encoding: str) -> PlainResponse:
    """The same response in fewer bytes, if the caller accepts that and the content is worth it.

    A strong ETag promises the same bytes, so it becomes a weak one.
    """
    given = {name.lower(): value for name, value in response.headers}
    if not _ACCEPTED.search(accept_encoding) or not given.get("content-type", "").startswith(_COMPRESSIBLE):
        return response
    body = zlib.compress(response.body, _LEVEL, _GZIP)
    changed = {"Content-Length": str(len(body))}
    if "etag" in given:
        changed["ETag"] = f"W/{given['etag']}"
    headers = [(name, changed.get(name, value)) for name, value in response.headers]
    return PlainResponse(response.status, [*headers, ("Content-Encoding", "gzip")], body)
