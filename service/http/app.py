"""The HTTP app; its addresses are in addresses.py. It holds no puzzle and no lookup."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, jsonify, request

from puzzlebase import hooks
from puzzlebase.db.block_cache import DEFAULT_MEMORY
from puzzlebase.db.mapped import MappedFiles
from puzzlebase.machine import spare_memory
from puzzlebase.paths import cache_folder
from puzzlebase.puzzles.discovery import discover_beside
from puzzlebase.service.http import openapi
from puzzlebase.service.http.addresses import add_addresses, every_address
from puzzlebase.service.http.error_responses import add_problems
from puzzlebase.service.http.limits import MAX_BODY
from puzzlebase.service.http.middleware import Middleware
from puzzlebase.service.http.requests import check_request
from puzzlebase.service.http.responses import Responder
from puzzlebase.service.sources.budget import SearchLimits
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.pool import Searches
from puzzlebase.service.sources.sources import Sources

_TRUST = 0.1  # seconds until a table's file is checked again
# of the free memory: a mapped table that takes more may have to be read from the disk, in a
# thread
_PAGES = 1 / 2


class App(Flask):
    """The service, a WSGI application.
    Every request goes through `middleware`, which asks Flask if necessary.
    """

    def __init__(self, sources: Sources, limits: SearchLimits, *, log: bool) -> None:
        super().__init__("puzzlebase.service.http", static_folder=None)
        self.sources = sources
        self.limits = limits
        self.middleware = Middleware(self.wsgi_app, sources, log=log)
        self.wsgi_app = self.middleware  # type: ignore[method-assign]  # as Flask's documents do
        self.url_map.merge_slashes = False
        # a body in chunks is cut there; requests.py refuses it
        self.config["MAX_CONTENT_LENGTH"] = MAX_BODY + 1
        self.add_url_rule("/openapi.json", "openapi.spec", self._openapi)

    @cached_property
    def spec(self) -> dict[str, Any]:
        """The specification."""
        return openapi.specification(every_address())

    def _openapi(self) -> Response:
        """The specification, for the path below which a proxy has the service."""
        return jsonify(self.spec | {"servers": [{"url": request.script_root or "/"}]})


def create_app(
    data: Path,
    memory: int = DEFAULT_MEMORY,
    limits: SearchLimits | None = None,
    *,
    log: bool = False,
) -> App:
    """Make the service over a folder, and open each table.
    `memory` is in bytes; see also Settings.
    """
    discover_beside(data)
    mapped = MappedFiles(cache_folder(data), in_memory=spare_memory() * _PAGES)
    sources = Sources(Folder(data, memory, _TRUST, mapped))
    app = App(sources, limits or SearchLimits(), log=log)
    app.before_request(check_request)
    add_problems(app)
    responder = Responder(sources, Searches(sources, app.limits))
    for record in every_address():
        add_addresses(app, record, responder)
    for each in hooks.plugin_objects("addresses"):
        if isinstance(each, Blueprint):
            app.register_blueprint(each)
    for name, error in sources.warm().items():
        if error is not None:
            app.logger.error("%s: %s; %s", name, error, error.hint)
    return app
