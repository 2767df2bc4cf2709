"""The files of the pages: modules, styles, icons, and the text of the foot of each page."""

from __future__ import annotations

import re
from functools import cache
from hashlib import blake2b
from importlib.metadata import metadata
from pathlib import Path
from posixpath import dirname, join, normpath

from puzzlebase.version import VERSION

FOLDER = Path(__file__).parents[2] / "page"  # the folder of files, as it is installed
KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ts": "text/plain; charset=utf-8",
}
WORKER = "service-worker.js"
PUBLISHED_WORKER = "published-worker.js"
_IMPORTED = re.compile(rb'^import .* from "(\.+/.+)";$', re.MULTILINE)


@cache
def files() -> dict[str, bytes]:
    """Every file, by its path."""
    return {
        path.relative_to(FOLDER).as_posix(): path.read_bytes()
        for path in sorted(FOLDER.rglob("*"))
        if path.suffix in KINDS
    }


@cache
def digest() -> str:
    """The name of one version of these files, so that a browser never mixes two."""
    return blake2b(b"".join(files().values()), digest_size=6).hexdigest()


@cache
def imported_modules(*first: str) -> list[str]:
    """Modules, and all modules of these files that they import, directly or not."""
    found = [*first]
    for module in found:
        imported = [
            normpath(join(dirname(module), path.decode()))
            for path in _IMPORTED.findall(files()[module])
        ]
        found += [path for path in dict.fromkeys(imported) if path not in found]
    return found


@cache
def footer() -> dict[str, str | None]:
    """The foot of each page: the version, the licence and, if the package names it, the source."""
    told = metadata("puzzlebase")
    urls = [url.partition(", ")[2] for url in told.get_all("Project-URL", [])]
    return {
        "version": VERSION,
        "licence": told["License-Expression"],
        "source": next(iter(urls), None),
    }
