"""The files of the pages: modules, styles and icons."""

from __future__ import annotations

import re
from functools import cache
from hashlib import blake2b
from pathlib import Path
from posixpath import dirname, join, normpath

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
    """Every file of the pages, by its path."""
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
def imported_files(*first: str) -> list[str]:
    """Modules of the pages, and all files that they import, directly or not."""
    found = [*first]
    for module in found:
        imported = [
            normpath(join(dirname(module), path.decode()))
            for path in _IMPORTED.findall(files()[module])
        ]
        found += [path for path in dict.fromkeys(imported) if path not in found]
    return found
