"""CORS: pages of any origin may ask, and read what is answered."""

from __future__ import annotations

from puzzlebase.service.http.connection.exchange import Headers

EVERY_RESPONSE: Headers = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", "ETag, Retry-After, X-Request-ID"),
]

PREFLIGHT: Headers = [
    ("Access-Control-Allow-Methods", "GET, HEAD, POST"),
    ("Access-Control-Allow-Headers", "Content-Type, If-None-Match, X-Request-ID"),
    ("Access-Control-Max-Age", "86400"),
]
"""What the answer to OPTIONS adds: the browser asks before a request that is not simple, and again after a day."""
