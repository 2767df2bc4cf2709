"""Headers of responses, for caches, pages of other origins and browsers.

The ETag of an exact answer names all that it depends on: the program, the puzzle's rules if they
are in a file, and the data, such as a table's digest. A search's ETag has the address in place of
data, so a known ETag saves the search.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from werkzeug.http import parse_etags

from puzzlebase.service.http.exchange import Environ, Headers
from puzzlebase.version import VERSION, source_hash

EVERY_RESPONSE: Headers = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", "ETag, Retry-After, X-Request-ID"),
    ("Vary", "Accept-Encoding"),  # a proxy may compress answers
    ("X-Content-Type-Options", "nosniff"),
]

PREFLIGHT: Headers = [
    ("Access-Control-Allow-Methods", "GET, HEAD, POST"),
    ("Access-Control-Allow-Headers", "Content-Type, If-None-Match, X-Request-ID"),
    ("Access-Control-Max-Age", "86400"),
    # added to the answer to OPTIONS: the browser asks before a request that is not simple, and
    # again after a day
]

NO_STORE: Headers = [("Cache-Control", "no-store")]  # for an answer that may differ the next time
# may be stored, to be checked each time: pages, rules in files
ASK_AGAIN: Headers = [("Cache-Control", "no-cache")]
_FOR_A_DAY: Headers = [("Cache-Control", "public, max-age=86400")]


@lru_cache(256)
def exact(rules: str, data: str) -> Headers:
    """The headers of an exact answer,
    by the rules of its puzzle and a text that identifies its data.

    Rules in a file may be edited at any time; the program's rules change with its version.
    """
    return [("ETag", f'"{_tag(rules, data)}"'), *(ASK_AGAIN if rules else _FOR_A_DAY)]


def caller_has_answer(rules: str, data: str, if_none_match: str | None) -> bool:
    """True if the caller has the answer already, by the If-None-Match of the request."""
    return if_none_match is not None and parse_etags(if_none_match).contains_weak(_tag(rules, data))


def tag_of_search(environ: Environ) -> str:
    """The text that identifies a search's exact answer,
    the same from any files: a hash of the address.
    """
    asked = repr((environ["PATH_INFO"], environ["QUERY_STRING"]))
    return hashlib.blake2b(asked.encode(), digest_size=12).hexdigest()


def _tag(rules: str, data: str) -> str:
    return f"{VERSION}-{source_hash()}-{data}{rules and f'-{rules}'}"
