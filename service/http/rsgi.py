"""The app under granian's own interface, RSGI, where a request takes a thread only when all of it is here.

Under granian's WSGI a client that stalls in its body holds one of few threads as long as it likes. Here an event loop
reads bodies, with limits of size and time. It also answers plain lookups from memory: passing one to a thread and back
took 40 microseconds. While kernels are compiled, all requests take threads, and kernels run as plain Python.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Awaitable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from threading import Thread
from time import monotonic
from typing import Any, Protocol

import psutil

from puzzlebase import plugins
from puzzlebase.db.errors import TableError
from puzzlebase.kernels import interpreted
from puzzlebase.service.answers.lookup_json import lookup_json
from puzzlebase.service.error_status import InvalidRequest, Overloaded, SlowBody, TooLarge
from puzzlebase.service.http import metrics
from puzzlebase.service.http.app import App, create_app
from puzzlebase.service.http.connection.body import Body
from puzzlebase.service.http.connection.byte_budget import ByteBudget
from puzzlebase.service.http.connection.connections import AcceptedConnections
from puzzlebase.service.http.connection.exchange import KEY, Environ, Exchange, PlainResponse, Transport
from puzzlebase.service.http.connection.limits import MAX_ANSWERS, MAX_BODIES, MAX_WAITING, REQUESTS_SHARE, STOP_SECONDS
from puzzlebase.service.http.connection.logs import WRITER
from puzzlebase.service.http.connection.sending import LARGE, send_large
from puzzlebase.service.http.connection.workers import beat, end_with_parent
from puzzlebase.service.http.middleware import begin
from puzzlebase.service.http.settings import Settings
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.memory import Memory, return_large_blocks

_POLL = 0.02  # seconds between two checks for requests under way
_READINESS = "/readyz"


class _Scope(Protocol):
    """A request from granian."""

    method: str
    path: str
    query_string: str
    client: str
    scheme: str
    http_version: str
    headers: Any


class _Transport(Transport, Protocol):
    """Gives a body, in pieces, and takes the response, for granian."""

    def __aiter__(self) -> Any: ...

    def client_disconnect(self) -> Awaitable[None]: ...


class Server:
    """Serves `app` in one process, with two threads more than searches may run. /readyz and /metrics have their own."""

    def __init__(self, app: App, bodies: int = MAX_BODIES, answers: int = MAX_ANSWERS) -> None:
        self.app = app
        self.bodies = ByteBudget("bodies", bodies, metrics.report_memory)
        self.answers = ByteBudget("answers", answers, metrics.report_memory)
        self._threads = ThreadPoolExecutor(2 + app.limits.at_once, "request")
        readiness = ThreadPoolExecutor(1, "readiness")
        self._watched = {
            _READINESS: readiness,
            "/healthz": readiness,  # while kernels are compiled
            "/metrics": ThreadPoolExecutor(1, "metrics"),
        }
        self.connections = AcceptedConnections(metrics.SURPLUS.inc)
        self._before = [each for make in plugins.every("before") if (each := make())]
        self._waiting = 0
        self._compiled = asyncio.Event()
        self._compiled.set()

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin, before the first request: kernels are compiled while requests are answered."""
        self._compiled.clear()
        loop.call_soon(self.connections.begin)  # granian listens when the loop runs
        beat(loop)
        loop.add_signal_handler(signal.SIGTERM, self._stop, loop)
        loop.add_signal_handler(signal.SIGINT, lambda: None)  # from a terminal; the main process then sends the other
        loop.call_soon(Thread(target=self._compile, args=(loop,), name="compile", daemon=True).start)

    def _stop(self, loop: asyncio.AbstractEventLoop) -> None:
        """Refuse new connections, announce the end of open ones in every answer, and end after the last answer."""
        self.connections.stop_listening()
        self.app.middleware.every_response.append(("Connection", "close"))
        self._end(loop, monotonic() + STOP_SECONDS)

    def _end(self, loop: asyncio.AbstractEventLoop, latest: float) -> None:
        """End this process when no request is under way, or at `latest` by `monotonic()`."""
        if self.connections.under_way() and monotonic() < latest:
            loop.call_later(_POLL, self._end, loop, latest)
            return
        WRITER.flush()
        os._exit(0)

    def _compile(self, loop: asyncio.AbstractEventLoop) -> None:
        """Load numba and compile kernels. Then exempt all of it from garbage collection, which takes 90 ms."""
        try:
            look_up_once(self.app.tables)
        finally:
            gc.freeze()
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._compiled.set)

    async def __rsgi__(self, scope: _Scope, transport: _Transport) -> None:
        """Answer one request."""
        client = scope.client
        exchange = begun(scope, client)
        for each in self._before:
            each(exchange, scope.headers)
        body: Body | None = None
        try:
            if scope.method == "POST":
                body = Body(self.bodies)
                await body.read(scope.headers.get("content-length", "0"), transport)
            elif self._compiled.is_set() and (response := self.app.middleware.at_once(exchange)):
                _send(response, transport)
                return
            elif scope.path == _READINESS:
                await self._compiled.wait()
            threads = self._watched.get(scope.path) or self._admit(client)
            await self._respond_in_thread(threads, scope, exchange, body, transport)
        except (TooLarge, SlowBody, Overloaded) as refusal:
            exchange.refusal = refusal
            response = self.app.middleware.respond(environ_of(scope, exchange))
            response.headers.append(("Connection", "close"))  # the rest of the body is not read
            _send(response, transport)
            if body:
                self.connections.close_refused(client)
        finally:
            self.connections.busy.discard(client)
            self.connections.answered = monotonic()
            if body:
                body.drop()

    def _admit(self, client: str) -> ThreadPoolExecutor:
        """The threads for ordinary requests; raises Overloaded if too many requests wait for them."""
        if self._waiting >= min(MAX_WAITING, self.connections.most // 4):
            raise Overloaded(f"{self._waiting:,} requests are waiting", "try again in a moment")
        self.connections.busy.add(client)
        return self._threads

    async def _respond_in_thread(
        self, threads: ThreadPoolExecutor, scope: _Scope, exchange: Exchange, body: Body | None, transport: _Transport
    ) -> None:
        """Respond when a thread is free, unless the client has left by then. If it leaves later, its search ends."""
        loop = asyncio.get_running_loop()
        gone: Future[None] = Future()
        exchange.gone, exchange.budget = gone, self.answers
        watch = loop.create_task(_watch(transport, gone))
        self._waiting += 1
        try:
            large = await loop.run_in_executor(threads, self._respond, scope, exchange, body, transport)
        finally:
            self._waiting -= 1
            watch.cancel()
        if large:
            if body:
                body.drop()
            try:
                await send_large(large, transport, self.answers)
            finally:
                self.answers.give(len(large.body))

    def _respond(
        self, scope: _Scope, exchange: Exchange, body: Body | None, transport: _Transport
    ) -> PlainResponse | None:
        """Respond; a large response is returned instead, with its bytes counted."""
        if exchange.gone and exchange.gone.done():
            return None
        response = None
        if not body and not self._compiled.is_set():
            with interpreted():
                response = self.app.middleware.at_once(exchange)
        if response is None:
            environ = environ_of(scope, exchange)
            if body:
                environ["wsgi.input"] = body.file()
            response = self.app.middleware.respond(environ)
        if len(response.body) > LARGE:
            return response
        _send(response, transport)
        return None


def create() -> Server:
    """Make the service by the settings in the environment; granian calls this in each worker."""
    end_with_parent()
    return_large_blocks()
    metrics.merge_ended()
    settings = Settings.from_environment()
    share = int(settings.memory * REQUESTS_SHARE)
    bodies, answers = min(MAX_BODIES, share), min(MAX_ANSWERS, share)
    taken = psutil.Process().memory_info().rss + bodies + answers
    memory = Memory(max(settings.memory - taken, 0), metrics.report_memory)
    app = create_app(settings.data, memory, settings.limits, log=settings.log, warm=settings.warm)
    return Server(app, bodies, answers)


def look_up_once(tables: Tables) -> None:
    """Look up a state in every table in memory, to load numba and compile kernels: a second, the first time ten."""
    for puzzle, goal in tables.built():
        with suppress(TableError):  # a damaged file is logged
            if tables.table(puzzle.name, goal.name).in_memory:
                lookup_json(tables.get(puzzle.name, goal.name), goal.start)


def _send(response: PlainResponse, transport: Transport) -> None:
    status, headers, body = response
    transport.response_bytes(int(status[:3]), headers, body)


def _latin(text: str) -> str:
    """A part of an address in WSGI's form, with one character for each byte."""
    return text.encode().decode("latin-1")


async def _watch(transport: _Transport, gone: Future[None]) -> None:
    await transport.client_disconnect()
    gone.set_result(None)


_ENVIRON: Environ = {
    "SERVER_NAME": "localhost",
    "SERVER_PORT": "80",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "wsgi.errors": sys.stderr,
    "wsgi.input": BytesIO(),
    "wsgi.input_terminated": True,
}
_WITHOUT_PREFIX = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}


def begun(scope: _Scope, client: str) -> Exchange:
    """Begin the Exchange of a request of a client, its address with its port."""
    address = client.rpartition(":")[0]
    exchange = begin(scope.method, _latin(scope.path), _latin(scope.query_string), address, scope.headers.get)
    exchange.scheme = scope.scheme
    if scope.http_version == "1.1" and len(scope.headers.get_all("host")) != 1:
        exchange.refusal = InvalidRequest("HTTP/1.1 asks for one Host header", "send one, with the service's address")
    return exchange


def environ_of(scope: _Scope, exchange: Exchange) -> Environ:
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
