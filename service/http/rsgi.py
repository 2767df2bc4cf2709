"""The app as granian runs it: no thread is taken for a request before all of it has come.

Under granian's WSGI a client that stalls in its body holds one of few threads for as long as it likes
(granian has no deadline for bodies and wants none). Here an event loop reads bodies, within a limit
of size and of time, and what cannot be answered from memory at once goes on to a thread. What can is answered
on the loop itself: to hand a lookup to a thread and back took 40 microseconds. Who leaves before a thread was free
costs no more, and whose search is under way ends it.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from time import perf_counter
from typing import Any, Protocol

from service.http.app import App, create_app
from service.http.middleware import BEGAN, GONE, Delivered
from service.http.requests import BODY_SECONDS, MAX_BODY, REFUSAL
from service.problems import Overloaded, SlowBody, TooLarge
from service.sources.budget import SearchLimits

_BUFFERED = 1 << 28
"""Bytes of bodies, of requests that are not answered yet, that a process holds at most."""

_MOST_WAITING = 1024
"""Requests that a thread works on, or that wait for one."""


class _Scope(Protocol):
    """What granian tells of a request."""

    method: str
    path: str
    query_string: str
    client: str
    scheme: str

    @property
    def headers(self) -> Any: ...


class _Protocol(Protocol):
    """What granian reads a body from, in chunks, and takes the response."""

    def __aiter__(self) -> Any: ...

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None: ...

    def client_disconnect(self) -> Awaitable[None]: ...


class Server:
    """The WSGI app behind granian's own interface, one in each process."""

    def __init__(self, app: App, threads: int) -> None:
        self._app = app
        self._threads = ThreadPoolExecutor(threads, "request")
        self._buffered = 0
        self._waiting = 0

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Before the first request. What is here now stays: for the collector to look through it takes 90 ms."""
        gc.collect()
        gc.freeze()

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        """After the last one."""
        gc.unfreeze()

    async def __rsgi__(self, scope: _Scope, protocol: _Protocol) -> None:
        """Answer one request."""
        environ = _environ(scope)
        body = bytearray()
        try:
            if scope.method == "POST":
                await self._read(scope, protocol, body)
                environ["wsgi.input"] = BytesIO(body)
            elif delivered := self._app.delivery.at_once(environ):
                _send(delivered, protocol)
                return
            self._admit()
        except (TooLarge, SlowBody, Overloaded) as refusal:
            environ[REFUSAL] = refusal
            _send(self._app.delivery.respond(environ), protocol)
        else:
            await self._in_a_thread(environ, protocol)
        finally:
            self._buffered -= len(body)

    async def _read(self, scope: _Scope, protocol: _Protocol, body: bytearray) -> None:
        """Read all of the body; raises TooLarge, SlowBody, Overloaded, and then the rest of it is not read."""
        length = scope.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY:
            raise TooLarge("the body is too long", f"send at most {MAX_BODY:,} bytes")
        try:
            async with asyncio.timeout(BODY_SECONDS):
                async for chunk in protocol:
                    body += chunk
                    self._buffered += len(chunk)
                    if len(body) > MAX_BODY:
                        raise TooLarge("the body is too long", f"send at most {MAX_BODY:,} bytes")
                    if self._buffered > _BUFFERED:
                        raise Overloaded("too many bodies are here already", "try again in a moment")
        except TimeoutError:
            raise SlowBody(
                f"{len(body):,} bytes of the body came in {BODY_SECONDS:g} s, and not the rest", "send it in one go"
            ) from None

    def _admit(self) -> None:
        if self._waiting >= _MOST_WAITING:
            raise Overloaded(f"{self._waiting:,} requests are waiting", "try again in a moment")

    async def _in_a_thread(self, environ: dict[str, Any], protocol: _Protocol) -> None:
        """Answer when a thread is free, unless the client has gone by then; a search hears of it when it goes later."""
        loop = asyncio.get_running_loop()
        gone: Future[None] = Future()
        environ[GONE] = gone
        watch = loop.create_task(_watch(protocol, gone))
        self._waiting += 1
        try:
            await loop.run_in_executor(self._threads, self._answer, environ, protocol, gone)
        finally:
            self._waiting -= 1
            watch.cancel()

    def _answer(self, environ: dict[str, Any], protocol: _Protocol, gone: Future[None]) -> None:
        if not gone.done():
            _send(self._app.delivery.respond(environ), protocol)


def _send(delivered: Delivered, protocol: _Protocol) -> None:
    status, headers, body = delivered
    protocol.response_bytes(int(status[:3]), headers, body)


async def _watch(protocol: _Protocol, gone: Future[None]) -> None:
    await protocol.client_disconnect()
    gone.set_result(None)


_ENVIRON: dict[str, Any] = {
    "SCRIPT_NAME": "",
    "SERVER_NAME": "localhost",
    "SERVER_PORT": "80",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.input": BytesIO(),
    "wsgi.input_terminated": True,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
_NAMED = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}


def _environ(scope: _Scope) -> dict[str, Any]:
    """The request as WSGI has it."""
    path = scope.path
    environ = _ENVIRON | {
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": path if path.isascii() else path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "REMOTE_ADDR": scope.client.rpartition(":")[0],
        "wsgi.url_scheme": scope.scheme,
        BEGAN: perf_counter(),
    }
    for name, value in scope.headers.items():
        environ[_NAMED.get(name) or f"HTTP_{name.upper().replace('-', '_')}"] = value
    return environ


def create(factory: Callable[[], App] = create_app) -> Server:
    """What granian loads in each process.

    A request that waits for a search holds a thread, so there are as many more of these as searches may run.
    """
    return Server(factory(), 2 + SearchLimits.configured().at_once)
