"""Hosts of pages: the service,
and a host of static files with a strict policy, which has no service at all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseServer
from threading import Thread
from typing import NamedTuple, TypeVar

from flask.testing import FlaskClient

from tests.waiting import PATIENCE

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
    """A published folder on a host,
    and a client of a service's answers that runs in the test alone.
    """

    address: str
    answers: FlaskClient


class FileHandler(BaseHTTPRequestHandler):
    """A host of static files; with ranges, unless its server has none.
    It names no file that was not asked for.
    """

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # an answer is one write
    server: FileServer

    def answer(self, status: int, content: bytes, **headers: str) -> None:
        """Send an answer, by default of the right length, and note its size."""
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(content))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
        self.server.sent.append(len(content))

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        """Answer that it is there."""
        self.answer(200, b"")

    def do_GET(self) -> None:
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
            first, end = asked.removeprefix("bytes=").split("-")
            part = server.changed(path.read_bytes()[int(first) : int(end) + 1 if end else None])
            self.answer(
                206,
                part,
                **{
                    "Content-Range": (
                        f"bytes {first}-{int(first) + len(part) - 1}/{path.stat().st_size}"
                    )
                },
            )
        else:
            kind = KINDS.get(path.suffix, "application/octet-stream")
            self.answer(
                200, path.read_bytes(), **{"Content-Type": kind, "Content-Security-Policy": POLICY}
            )


class FileServer(ThreadingHTTPServer):
    """Of a folder, below some path;
    `asked` are paths and ranges that were asked for, `sent` the bytes of bodies.
    """

    daemon_threads = True
    block_on_close = False
    handler = FileHandler
    ranges = True
    delay = 0.0

    def __init__(self, folder: Path, below: str = "") -> None:
        super().__init__(("127.0.0.1", 0), self.handler)
        self.folder = folder
        self.below = below
        self.changed: Callable[[bytes], bytes] = lambda part: part
        self.asked: list[str] = []
        self.sent: list[int] = []

    @property
    def address(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self.server_address[1]}"


Server = TypeVar("Server", bound=BaseServer)


@contextmanager
def answering(server: Server) -> Iterator[Server]:
    """A server that answers in this process until the end of the block."""
    with server:
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join(PATIENCE)


def hosting(folder: Path, below: str = "") -> AbstractContextManager[FileServer]:
    """A host of a folder."""
    return answering(FileServer(folder, below))
