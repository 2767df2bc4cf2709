"""What callers may keep: the ETag and Cache-Control of an answer, and whether a caller's copy is still right.

An exact answer is right as long as nothing changes that it was made from. So its tag names all of that: the program,
the puzzle's rules where they are read from a file, and the data, such as a table by its digest. Answers from one table
share a tag, since a tag belongs to one address anyway. But the tag of a search's answer has the address in it: who has
that tag has the answer, and no search has to show it.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from werkzeug.http import parse_etags

from puzzlebase.service.http.connection.exchange import Environ, Headers
from puzzlebase.version import program

NO_STORE: Headers = [("Cache-Control", "no-store")]
"""The headers of an answer that may differ the next time."""

ASK_AGAIN: Headers = [("Cache-Control", "no-cache")]
"""The headers of what may be kept, but is asked for anew each time: a page, or what follows from a file of rules."""

FOREVER: Headers = [("Cache-Control", "public, max-age=31536000, immutable")]
"""The headers of a file whose address names its content."""

_FOR_A_DAY: Headers = [("Cache-Control", "public, max-age=86400")]


@lru_cache(256)
def exact(rules: str, data: str) -> Headers:
    """The headers of an exact answer about a puzzle of these rules, from data that this text tells from any other.

    Rules in a file may be edited at any time; those of the program change when another version is installed.
    """
    return [("ETag", f'"{_tag(rules, data)}"'), *(ASK_AGAIN if rules else _FOR_A_DAY)]


def is_known(rules: str, data: str, if_none_match: str | None) -> bool:
    """Whether the caller has the answer already, by the If-None-Match of its request."""
    return if_none_match is not None and parse_etags(if_none_match).contains_weak(_tag(rules, data))


def is_named(rules: str, data: str, if_none_match: str | None) -> bool:
    """Whether the caller names the tag itself: "*" does not show that it ever had the answer."""
    return if_none_match != "*" and is_known(rules, data, if_none_match)


def of_search(environ: Environ, used: list[str]) -> str:
    """The sources of a search's exact answer, as a text: the address, and the digests of the data used."""
    asked = repr((environ["PATH_INFO"], environ["QUERY_STRING"], used))
    return hashlib.blake2b(asked.encode(), digest_size=12).hexdigest()


def _tag(rules: str, data: str) -> str:
    return f"{program()}-{data}{rules and f'-{rules}'}"
