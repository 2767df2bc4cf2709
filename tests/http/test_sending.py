"""connection/sending.py: large answers to clients that read, that read slowly, that leave, and that do not read."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event, Thread

import pytest

from puzzlebase.service.http.connection import byte_budget, sending
from puzzlebase.service.http.connection.byte_budget import ByteBudget, Client
from puzzlebase.service.http.connection.exchange import PlainResponse
from puzzlebase.service.http.connection.sending import LARGE, send_large
from tests.waiting import PATIENCE, wait_until

BODY = bytes(range(256)) * (4 * LARGE // 256)
BUDGET = ByteBudget("answers", len(BODY), lambda _parts: None)
RESPONSE = PlainResponse("200 OK", [("Content-Length", str(len(BODY)))], BODY)


class Granian:
    """Opens the file that it is given, and reads pieces of it as a client would take them: `at_most` so many bytes.

    After these it leaves, or reads no more until the sending has ended.
    """

    def __init__(self, at_most: int = len(BODY), pause: float = 0.0, *, departs: bool = False) -> None:
        self.at_most, self.pause, self.departs = at_most, pause, departs
        self.got = b""
        self.headers: list[tuple[str, str]] = []
        self._thread: Thread | None = None
        self._sent = Event()

    def response_file(self, status: int, headers: list[tuple[str, str]], file: str) -> None:
        """Read in a thread."""
        assert status == 200
        self.headers = headers
        self._thread = Thread(target=self._read, args=(os.open(file, os.O_RDONLY),))
        self._thread.start()

    def _read(self, file: int) -> None:
        with os.fdopen(file, "rb", buffering=0) as opened:
            while len(self.got) < self.at_most and (piece := opened.read(LARGE // 2)):
                self.got += piece
                time.sleep(self.pause)
            if not self.departs:
                self._sent.wait(PATIENCE)

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        """Take all of it."""
        assert status == 200
        self.headers, self.got = headers, body

    def send(self) -> float:
        """Send RESPONSE through this, and return the seconds that it took."""
        gc.collect()  # what other tests have left, which may close files of theirs
        began = time.monotonic()
        before = {*Path("/dev/fd").iterdir()}
        asyncio.run(send_large(RESPONSE, self, BUDGET))
        taken = time.monotonic() - began
        self._sent.set()
        if self._thread:
            self._thread.join(PATIENCE)
        assert {*Path("/dev/fd").iterdir()} <= before  # some that others left may have been closed meanwhile
        return taken


@pytest.mark.parametrize("pause", [0.0, 0.02])
def test_an_answer_that_is_read_is_whole(pause: float) -> None:
    granian = Granian(pause=pause)
    granian.send()
    assert granian.got == BODY
    assert granian.headers == RESPONSE.headers


def test_an_answer_whose_client_leaves_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "READ_SECONDS", 3600)
    granian = Granian(LARGE, departs=True)
    granian.send()
    assert granian.got == BODY[:LARGE]


def test_an_answer_that_is_not_read_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "READ_SECONDS", 0.1)
    monkeypatch.setattr(sending, "READ_RATE", 10 * len(BODY))
    assert Granian(LARGE // 2).send() >= 0.2


@pytest.mark.slow
def test_an_answer_that_is_not_read_makes_room_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "READ_SECONDS", 3600)
    monkeypatch.setattr(byte_budget, "_STALLED", 3600)
    assert BUDGET.take(len(BODY))
    with ThreadPoolExecutor(1) as pool:
        sent = pool.submit(Granian(LARGE // 2).send)
        wait_until(lambda: BUDGET._clients, "it is sent")
        assert not BUDGET.take(1)  # it may still be read
        monkeypatch.setattr(byte_budget, "_STALLED", 0)
        assert not BUDGET.take(1)  # it leaves soon
        sent.result(PATIENCE)
    BUDGET.give(len(BODY))
    assert BUDGET.taken == 0


def test_no_other_answer_ends_while_one_does_that_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop may be late to end it, and to give its bytes back."""
    monkeypatch.setattr(byte_budget, "_STALLED", 0)
    budget = ByteBudget("answers", 2, lambda _parts: None)
    ended = set[str]()
    first, second = (Client(partial(ended.add, name), 1) for name in ("first", "second"))
    with budget.watching(second), budget.watching(first):
        assert budget.take(2)
        for _ in range(2):
            assert not budget.take(1)
    assert ended == {"first"}


def test_without_a_pipe_the_server_takes_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> tuple[int, int]:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(os, "pipe", refuse)
    granian = Granian()
    sent = send_large(RESPONSE, granian, BUDGET)
    with pytest.raises(StopIteration):
        sent.send(None)
    assert granian.got == BODY
