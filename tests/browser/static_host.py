"""A host of static files in this process: a good one, one without ranges, one that is slow, or one that lies."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from tests.part_server import PartHandler, PartServer
from tests.waiting import PATIENCE

KINDS = {".js": "text/javascript", ".json": "application/json", ".html": "text/html"}


class FileHandler(PartHandler):
    """A host of static files; with ranges, unless its server has none."""

    server: FileServer

    def answer(self, status: int, content: bytes, **headers: str) -> None:
        """Send an answer, and note its size."""
        super().answer(status, content, **headers)
        self.server.sent.append(len(content))

    def respond(self) -> None:
        """Answer with a file, or with the range of it that was asked for."""
        path = self.server.folder / self.path.lstrip("/")
        asked = self.headers["Range"]
        self.server.asked.append(f"{self.path} {asked or ''}".strip())
        time.sleep(self.server.delay)
        if self.path in ("/", "/favicon.ico"):
            self.answer(200, b"<!doctype html><title>Host</title>", **{"Content-Type": "text/html"})
        elif not path.is_file():
            self.answer(404, b"")
        elif asked and self.server.ranges:
            first, last = map(int, asked.removeprefix("bytes=").split("-"))
            with path.open("rb") as file:
                file.seek(first)
                part = self.server.changed(file.read(last + 1 - first))
            self.answer(206, part, **{"Content-Range": f"bytes {first}-{last}/{path.stat().st_size}"})
        else:
            kind = KINDS.get(path.suffix, "application/octet-stream")
            self.answer(200, path.read_bytes(), **{"Content-Type": kind})


class FileServer(PartServer):
    """Of a published folder; `asked` are the paths and ranges that were asked for."""

    ranges = True
    delay = 0.0

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, handler=FileHandler)
        self.changed: Callable[[bytes], bytes] = lambda part: part
        self.sent: list[int] = []  # bytes of bodies


@contextmanager
def hosting(folder: Path) -> Iterator[FileServer]:
    """A host of a folder."""
    with FileServer(folder) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join(PATIENCE)
