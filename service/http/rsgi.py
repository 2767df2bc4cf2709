"""The app under granian's own interface, RSGI,
where a request takes a thread only when all of it is here.

An event loop reads bodies, with limits of size and time. It also answers plain lookups from memory:
passing one to a thread and back took 40 microseconds. While kernels are compiled, all requests take
threads, and kernels run as plain Python.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext, suppress
from multiprocessing.connection import wait
from threading import Thread
from typing import Any

import psutil
from granian.rsgi import Scope

from puzzlebase import hooks
from puzzlebase.db.errors import TableError
from puzzlebase.kernels import interpreted
from puzzlebase.service.answers.lookups import lookup
from puzzlebase.service.error_status import Overloaded, SlowBody, TooLarge
from puzzlebase.service.http.app import App, create_app
from puzzlebase.service.http.exchange import KEY, Environ, Exchange, PlainResponse, begin_exchange
from puzzlebase.service.http.limits import BODY_SECONDS, MAX_BODIES, MAX_BODY, MAX_WAITING
from puzzlebase.service.http.logs import flush_log
from puzzlebase.service.http.requests import request_too_long
from puzzlebase.service.http.settings import Settings
from puzzlebase.service.sources.sources import Sources
from puzzlebase.system import return_large_blocks

_READINESS = "/readyz"


class Server:
    """Serves `app` in one process, with two threads more than searches may run.
    Health and metrics have their own.
    """

    def __init__(self, app: App) -> None:
        self.app = app
        self._threads = ThreadPoolExecutor(2 + app.limits.at_once, "request")
        self._watched = {
            path: ThreadPoolExecutor(1, path[1:])
            # readiness waits for files that are being opened
            for path in (_READINESS, "/healthz", "/metrics")
        }
        self._before = [each for make in hooks.plugin_objects("before") if (each := make())]
        self._bodies = asyncio.Semaphore(MAX_BODIES)
        self._waiting = 0
        self._compiled = asyncio.Event()
        self._compiled.set()

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin, before the first request: kernels are compiled while requests are answered."""
        self._compiled.clear()
        loop.call_soon(Thread(target=self._compile, args=(loop,), daemon=True).start)

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """End this process after its last answer:
        searches whose clients have left may still run in threads.
        """
        flush_log()
        os._exit(0)

    def _compile(self, loop: asyncio.AbstractEventLoop) -> None:
        """Load numba and compile kernels.
        Then exempt all of it from garbage collection, which takes 90 ms.
        """
        try:
            warm_up_rsgi(self.app.sources)
        finally:
            gc.freeze()
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._compiled.set)

    async def __rsgi__(self, scope: Scope, transport: Any) -> None:
        """Answer one request."""
        exchange = rsgi_exchange(scope)
        for each in self._before:
            each(exchange, scope.headers)
        if self._compiled.is_set() and (response := self.app.middleware.fast_response(exchange)):
            _send(response, transport)
            return
        posted = scope.method == "POST"
        try:
            async with self._bodies if posted else nullcontext():
                if posted:
                    exchange.body = await _body(scope.headers.get("content-length", "0"), transport)
                elif scope.path == _READINESS:
                    await self._compiled.wait()
                await self._respond_in_thread(scope, exchange, transport)
        except (TooLarge, SlowBody, Overloaded) as refusal:
            exchange.refusal = refusal
            response = self.app.middleware.respond(environ_of(scope, exchange))
            response.headers.append(("Connection", "close"))  # the rest of the body is not read
            _send(response, transport)

    async def _respond_in_thread(self, scope: Scope, exchange: Exchange, transport: Any) -> None:
        """Respond when a thread is free, unless the client has left by then.
        If it leaves later, its search ends.

        Raises Overloaded if too many requests wait.
        """
        threads = self._watched.get(scope.path, self._threads)
        if threads is self._threads and self._waiting >= MAX_WAITING:
            raise Overloaded(f"{self._waiting:,} requests are waiting", "try again in a moment")
        loop = asyncio.get_running_loop()
        exchange.gone = gone = Future[None]()
        watch = loop.create_task(_watch(transport, gone))
        self._waiting += 1
        try:
            await loop.run_in_executor(threads, self._respond, scope, exchange, gone, transport)
        finally:
            self._waiting -= 1
            watch.cancel()

    def _respond(
        self, scope: Scope, exchange: Exchange, gone: Future[None], transport: Any
    ) -> None:
        if gone.done():
            return
        response = None
        if not self._compiled.is_set():
            with interpreted():
                response = self.app.middleware.fast_response(exchange)
        _send(response or self.app.middleware.respond(environ_of(scope, exchange)), transport)


def rsgi_service() -> Server:
    """Make the service by the settings in the environment; granian calls this in each worker."""
    if parent := multiprocessing.parent_process():
        Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()
    return_large_blocks()
    settings = Settings.from_environment()
    memory = max(settings.memory - psutil.Process().memory_info().rss, 0)
    return Server(create_app(settings.data, memory, settings.limits, log=settings.log))


def _end_after(parent: int) -> None:
    """End with the main process,
    which workers of a killed service would outlive: they hold the port.
    """
    wait([parent])
    os._exit(1)


def warm_up_rsgi(sources: Sources) -> None:
    """Warm up the server by a lookup in every table in memory,
    to load numba and compile kernels: a second, the first time ten.
    """
    for puzzle, goal in sources.folder.built():
        with suppress(TableError):  # a damaged file is logged
            table = sources.folder.tables.find(puzzle, goal)
            if table and table.blocks and table.blocks.in_memory:
                lookup(sources.table(puzzle.name, goal.name), goal.start)


def _send(response: PlainResponse, transport: Any) -> None:
    status, headers, body = response
    transport.response_bytes(int(status[:3]), headers, body)


async def _body(stated_length: str, pieces: Any) -> bytearray:
    """Read a whole body. Raises TooLarge or SlowBody, and leaves the rest unread."""
    if int(stated_length.lstrip("0") or 0) > MAX_BODY:  # the server refuses more than 64 bits
        raise request_too_long()
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in pieces:
                body += piece
                if len(body) > MAX_BODY:
                    raise request_too_long()
    except TimeoutError:
        came = f"only {len(body):,} bytes of the body came in {BODY_SECONDS:g} s"
        raise SlowBody(came, "send it in one go") from None
    return body


def _latin(text: str) -> str:
    """A part of an address in WSGI's form, with one character for each byte."""
    return text if text.isascii() else text.encode().decode("latin-1")


async def _watch(transport: Any, gone: Future[None]) -> None:
    await transport.client_disconnect()
    gone.set_result(None)


_ENVIRON: Environ = {
    "SERVER_NAME": "localhost",
    "SERVER_PORT": "80",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
}
_WITHOUT_PREFIX = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}


def rsgi_exchange(scope: Scope) -> Exchange:
    """Begin the Exchange of a request."""
    exchange = begin_exchange(
        scope.method,
        _latin(scope.path),
        _latin(scope.query_string),
        scope.client.rpartition(":")[0],
        scope.headers.get,
    )
    exchange.scheme = scope.scheme
    return exchange


def environ_of(scope: Scope, exchange: Exchange) -> Environ:
    """The WSGI environment of a request, for the app."""
    environ = _ENVIRON | {
        "REQUEST_METHOD": exchange.method,
        "SCRIPT_NAME": exchange.prefix,
        "PATH_INFO": exchange.path,
        "QUERY_STRING": exchange.query,
        "REMOTE_ADDR": exchange.client,
        "wsgi.url_scheme": exchange.scheme,
        KEY: exchange,
    }
    for name, value in scope.headers.items():
        environ[_WITHOUT_PREFIX.get(name) or f"HTTP_{name.upper().replace('-', '_')}"] = value
    return environ
