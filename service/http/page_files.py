"""The files that pages need as they are: styles, scripts and the icon. They lie in static/."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from apiflask import APIFlask
from flask import abort, redirect, request
from werkzeug.wrappers import Response

_FOLDER = Path(__file__).with_name("static")
_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_ICON = {"file": "icon.svg"}


def add_static_files(app: APIFlask) -> None:
    """Serve every file of static/ under /docs, and the icon where browsers look for it."""
    files = {path.name: path.read_bytes() for path in _FOLDER.iterdir()}

    @app.get("/icon.svg", endpoint="static_file", defaults=_ICON)
    @app.get("/docs/<file>", endpoint="static_file")
    @app.doc(hide=True)
    def static_file(file: str) -> Response:
        if file not in files:
            abort(404)
        response = Response(files[file], content_type=f"{_KINDS[Path(file).suffix]}; charset=utf-8")
        response.headers["Cache-Control"] = "no-cache"  # a browser asks each time whether its copy is still right
        response.set_etag(sha256(files[file]).hexdigest()[:16])
        return response.make_conditional(request)

    @app.get("/favicon.ico")
    @app.doc(hide=True)
    def favicon() -> Response:
        return redirect("/icon.svg")
