"""Hosts of pages: the service, and a host of static files with a strict policy, which has no service at all."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from flask.testing import FlaskClient

from tests.range_server import RangeHandler, RangeServer, answering

KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


class Host(NamedTuple):
    """A published folder on a host, and a client of a service's answers that runs in the test alone."""

    address: str
    answers: FlaskClient


class FileHandler(RangeHandler):
    """A host of static files; with ranges, unless its server has none. It names no file that was not asked for."""

    server: FileServer

    def answer(self, status: int, content: bytes, **headers: str) -> None:
        """Send an answer, and note its size."""
        super().answer(status, content, **headers)
        self.server.sent.append(len(content))

    def do_HEAD(self) -> None:  # noqa: N802
        """Answer that it is there."""
        self.answer(200, b"")

    def respond(self) -> None:
        """Answer with a file, or with the range of it that was asked for."""
        server, asked = self.server, self.headers["Range"]
        path = server.folder / self.path.partition("?")[0].removeprefix(server.below).lstrip("/")
        server.asked.append(f"{self.path} {asked or ''}".strip())
        time.sleep(server.delay)
        if self.path in ("/", "/favicon.ico"):
            self.answer(200, b"<!doctype html><title>Host</title>", **{"Content-Type": "text/html"})
        elif not self.path.startswith(server.below) or not path.is_file():
            self.answer(404, b"")
        elif asked and server.ranges:
            first, last = map(int, asked.removeprefix("bytes=").split("-"))
            with path.open("rb") as file:
                file.seek(first)
                part = server.changed(file.read(last + 1 - first))
            self.answer(206, part, **{"Content-Range": f"bytes {first}-{last}/{path.stat().st_size}"})
        else:
            kind = KINDS.get(path.suffix, "application/octet-stream")
            self.answer(200, path.read_bytes(), **{"Content-Type": kind, "Content-Security-Policy": POLICY})


class FileServer(RangeServer):
    """Of a published folder, below some path."""

    ranges = True
    delay = 0.0

    def __init__(self, folder: Path, below: str = "") -> None:
        super().__init__(folder, handler=FileHandler)
        self.changed: Callable[[bytes], bytes] = lambda part: part
        self.below = below
        self.sent: list[int] = []  # bytes of bodies


def hosting(folder: Path, below: str = "") -> AbstractContextManager[FileServer]:
    """A host of a folder."""
    return answering(FileServer(folder, below))
