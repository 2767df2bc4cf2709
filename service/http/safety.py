"""Headers that keep browsers from doing more with a response than showing it."""

from __future__ import annotations

from puzzlebase.service.http.connection.exchange import Headers

EVERY_RESPONSE: Headers = [("X-Content-Type-Options", "nosniff")]

_ANY_PAGE: Headers = [("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer")]

PAGE: Headers = [
    (
        "Content-Security-Policy",
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "; ".join(f"{kind}-src 'self'" for kind in ("script", "style", "img", "connect")),
    ),
    *_ANY_PAGE,
]
"""What a page adds: only the service's own files are run in it, and no other page frames it."""
