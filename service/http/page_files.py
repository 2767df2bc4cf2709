"""The files that pages consist of beside their HTML: styles, scripts and the icon. They lie in page/static."""

from __future__ import annotations

import re
from functools import cache
from hashlib import blake2b
from pathlib import Path, PurePosixPath

from apiflask import APIFlask
from flask import abort, redirect
from werkzeug.wrappers import Response

from puzzlebase.service.http import caching

FOLDER = Path(__file__).parents[2] / "page"

_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ts": "text/plain; charset=utf-8",
}
_STAYING = {"/icon.svg": "icon.svg", "/puzzlebase.d.ts": "puzzlebase.d.ts"}
"""Files that have an address that stays, too: browsers look for the icon, and programs for the types."""

_IMPORTED = re.compile(rb'^import .* from "\./(.+)";$', re.MULTILINE)


def add_page_files(app: APIFlask) -> None:
    """Serve every file below an address that names their content, so that browsers may keep them."""

    @app.get("/page/<digest>/<path:path>")
    @app.doc(hide=True)
    def page_file(digest: str, path: str) -> Response:
        content = _files().get(path) if digest == _digest() else None
        if content is None:
            abort(404)
        return Response(content, content_type=_KINDS[Path(path).suffix], headers=caching.FOREVER)

    @app.get("/puzzlebase.js")
    @app.doc(hide=True)
    def embedded() -> Response:  # at an address that stays, for pages elsewhere; it leads to the present files
        body = f'export * from "./{folder()}puzzlebase.js";\n'
        return Response(body, content_type=_KINDS[".js"], headers=caching.ASK_AGAIN)

    for address, path in _STAYING.items():

        @app.get(address, endpoint=path, defaults={"path": path})
        @app.doc(hide=True)
        def staying(path: str) -> Response:
            return Response(_files()[path], content_type=_KINDS[Path(path).suffix], headers=caching.ASK_AGAIN)

    @app.get("/favicon.ico")
    @app.doc(hide=True)
    def favicon() -> Response:
        return redirect("/icon.svg")


def folder() -> str:
    """Where the files are now, relative to the first page's address."""
    return f"page/{_digest()}/"


@cache
def modules(first: str) -> list[str]:
    """The modules that a page begins with: one, those that it imports, and those that these import."""
    found = [first]
    for module in found:
        imported = [str(PurePosixPath(module).parent / path.decode()) for path in _IMPORTED.findall(_files()[module])]
        found += [path for path in dict.fromkeys(imported) if path not in found]
    return found


@cache
def _files() -> dict[str, bytes]:
    """Every file, by path."""
    return {
        path.relative_to(FOLDER).as_posix(): path.read_bytes()
        for path in sorted(FOLDER.rglob("*"))
        if path.suffix in _KINDS
    }


@cache
def _digest() -> str:
    """Names one set of these files, so that a browser never mixes two."""
    return blake2b(b"".join(_files().values()), digest_size=6).hexdigest()
