"""A server of the files of a folder by ranges of bytes, over connections that stay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseServer
from threading import Thread
from typing import TypeVar

from tests.waiting import PATIENCE


class RangeServer(ThreadingHTTPServer):
    """Of a folder; `asked` are the ranges that were asked for, `connections` how many connections were made."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, folder: Path, port: int = 0, handler: type[RangeHandler] | None = None) -> None:
        super().__init__(("127.0.0.1", port), handler or RangeHandler)
        self.folder = folder
        self.asked: list[str] = []
        self.connections = 0

    @property
    def address(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class RangeHandler(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # an answer is one write
    server: RangeServer

    def setup(self) -> None:
        """Count it."""
        super().setup()
        self.server.connections += 1

    def do_GET(self) -> None:
        """Answer a request."""
        self.respond()

    def respond(self) -> None:
        """Answer with the range of the file that the last part of the path names."""
        path = self.server.folder / self.path.rpartition("/")[2]
        wanted = self.headers["Range"].removeprefix("bytes=")
        self.server.asked.append(wanted)
        first, last = map(int, wanted.split("-"))
        if not path.is_file():
            self.answer(404, b"")
            return
        with path.open("rb") as file:
            file.seek(first)
            content = file.read(last + 1 - first)
        self.answer(206 if content else 416, content, **{"Content-Range": f"bytes {wanted}/{path.stat().st_size}"})

    def answer(self, status: int, content: bytes, **headers: str) -> None:
        """Send an answer, by default of the right length."""
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(content))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


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


def range_server(
    folder: Path, port: int = 0, handler: type[RangeHandler] | None = None
) -> AbstractContextManager[RangeServer]:
    """One in this process."""
    return answering(RangeServer(folder, port, handler))
