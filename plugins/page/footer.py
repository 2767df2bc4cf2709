"""The foot of each page."""

from __future__ import annotations

from functools import cache
from importlib.metadata import metadata

from puzzlebase.version import VERSION


@cache
def page_footer() -> dict[str, str | None]:
    """The foot of each page: the version, the licence and, if the package names it, the source."""
    told = metadata("puzzlebase")
    urls = [url.partition(", ")[2] for url in told.get_all("Project-URL", [])]
    return {
        "version": VERSION,
        "licence": told["License-Expression"],
        "source": next(iter(urls), None),
    }
