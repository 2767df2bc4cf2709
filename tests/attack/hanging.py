"""The service with one more address: whoever asks for it gets the interpreter of a worker, and never gives it back."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import Any

from puzzlebase.service.http import rsgi
from puzzlebase.service.http.server import serve
from puzzlebase.service.http.settings import Settings

HANG = "/hang"


class Hanging:
    """The application that granian loads."""

    def __init__(self, server: rsgi.Server) -> None:
        self.server = server
        self.__rsgi_init__ = server.__rsgi_init__

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        if scope.path == HANG:
            ctypes.PyDLL(None).sleep(600)
        await self.server.__rsgi__(scope, protocol)


def create() -> Hanging:
    return Hanging(rsgi.create())


if __name__ == "__main__":
    serve(Settings(Path(sys.argv[1])), "127.0.0.1", int(sys.argv[2]), 2, app="tests.attack.hanging:create")
