"""Headers that keep browsers from doing more with a response than showing it."""

from __future__ import annotations

from puzzlebase.service.http.exchange import Headers

EVERY_RESPONSE: Headers = [("X-Content-Type-Options", "nosniff")]

PAGE: Headers = [
    (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
]
"""What a page adds: nothing in it is run, and no other page frames it."""
