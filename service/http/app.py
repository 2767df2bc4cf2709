"""The HTTP app; its addresses are in addresses.py. It holds no puzzle and no lookup."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from apiflask import APIFlask
from flask import has_request_context, request

from puzzlebase import plugins
from puzzlebase.db.block_cache import DEFAULT_MEMORY
from puzzlebase.db.errors import TableError
from puzzlebase.db.mapped import MappedFiles
from puzzlebase.machine import spare_memory
from puzzlebase.paths import cache_folder
from puzzlebase.puzzles import find
from puzzlebase.puzzles.discovery import look_beside
from puzzlebase.service.http import metrics, openapi
from puzzlebase.service.http.address_record import Address, serve
from puzzlebase.service.http.addresses import ADDRESSES
from puzzlebase.service.http.error_responses import add_problems
from puzzlebase.service.http.limits import MAX_BODY
from puzzlebase.service.http.middleware import Middleware
from puzzlebase.service.http.requests import StrictJson, StrictRequest, check_request
from puzzlebase.service.http.responses import Responder
from puzzlebase.service.sources.budget import SearchLimits
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.memory import Memory
from puzzlebase.service.sources.pool import Searches
from puzzlebase.version import VERSION

_TRUST = 0.1  # seconds until a table's file is checked again
_PAGES = 1 / 2  # of the free memory: a mapped table that takes more may have to be read from the disk, in a thread


class App(APIFlask):
    """The service, a WSGI application. Every request goes through `middleware`, which asks Flask if necessary."""

    request_class = StrictRequest
    json_provider_class = StrictJson

    def __init__(self, tables: Tables, limits: SearchLimits, *, log: bool) -> None:
        super().__init__(
            "puzzlebase.service.http",
            title="Puzzlebase",
            version=VERSION,
            docs_path=None,
            static_folder=None,  # type: ignore[arg-type]  # Flask may have it so
        )
        self.tables = tables
        self.limits = limits
        self.middleware = Middleware(self.wsgi_app, tables, log=log)
        self.wsgi_app = self.middleware  # type: ignore[method-assign]  # as Flask's documents do
        self.url_map.merge_slashes = False
        self.config.update(
            MAX_CONTENT_LENGTH=MAX_BODY + 1,  # a body in chunks is cut there; requests.py refuses it
            VALIDATION_ERROR_STATUS_CODE=400,
            AUTO_VALIDATION_ERROR_RESPONSE=False,
            AUTO_404_RESPONSE=False,
            DESCRIPTION="Exact distances and best moves of puzzles.",
            OPENAPI_VERSION="3.1.0",
            AUTO_OPERATION_ID=True,
        )

    def _get_spec(self, *given: Any, **more: Any) -> Any:
        """The specification, for the path below which a proxy has the service."""
        root = request.script_root if has_request_context() else ""
        return super()._get_spec(*given, **more) | {"servers": [{"url": root or "/"}]}  # type: ignore[operator]


def create_app(
    data: Path,
    memory: Memory | int = DEFAULT_MEMORY,
    limits: SearchLimits | None = None,
    *,
    log: bool = False,
    warm: Sequence[str] = (),
) -> App:
    """Make the service over a folder, and open each table. `memory` is the account or its bound; see also Settings."""
    look_beside(data)
    mapped = MappedFiles(cache_folder(data), in_memory=spare_memory() * _PAGES)
    tables = Tables(data, memory, _TRUST, metrics.count_blocks, mapped)
    app = App(tables, limits or SearchLimits(), log=log)
    app.before_request(check_request)
    app.spec_processor(openapi.complete)
    add_problems(app)
    searches = Searches(tables, app.limits)
    responder = Responder(tables, searches, app.limits)
    for each in (*ADDRESSES, *plugins.every("addresses")):
        if isinstance(each, Address):
            serve(app, each, responder)
        else:
            app.register_blueprint(each)
    for name, error in tables.warm().items():
        if error is not None:
            app.logger.error("%s: %s; %s", name, error, error.hint)
    for puzzle in map(find, warm):
        with suppress(TableError):  # a damaged file is logged
            if tables.without_search(puzzle.name) is None:
                searches.warm(puzzle, puzzle.goal())
    return app
