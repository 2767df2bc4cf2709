"""A client that asks one request after another, and compares each answer with those that are right.

It imports little, because it is started many times.
"""

from __future__ import annotations

import http.client
import random
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from tests.waiting import PATIENCE


class Expected(NamedTuple):
    """A request, and the right answers to it by their tag:
    the ETag of each, or of its table where it has none.
    """

    method: str
    path: str
    sent: bytes
    answers: dict[str, bytes]


class Outcome(NamedTuple):
    """The number of answers from each table, and what went wrong."""

    answered: Counter[str]
    failures: list[str]


def load(host: str, port: int, expected: list[Expected], end: Path, seed: int) -> Outcome:
    """Ask random ones of `expected` over one connection until the file `end` is there."""
    choose = random.Random(seed)
    outcome = Outcome(Counter(), [])
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    while not end.exists() and len(outcome.failures) < 10:
        asked = choose.choice(expected)
        try:
            connection.request(
                asked.method, asked.path, asked.sent, {"Content-Type": "application/json"}
            )
            response = connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException) as error:
            outcome.failures.append(f"{asked.path}: {error!r}")
            connection.close()
            continue
        right = (
            _table(asked, response.headers.get("ETag", ""), body)
            if response.status == 200
            else None
        )
        if right is None:
            outcome.failures.append(
                f"{asked.path}: {response.status} {response.headers.get('ETag')} {body[:500]!r}"
            )
        else:
            outcome.answered[right] += 1
    connection.close()
    return outcome


def load_until_refused(address: str, path: str) -> Counter[str]:
    """Ask for a path until the service is not there any more,
    and count the answers and the requests without one.

    A connection stays open until an answer says that it ends. One without any answer had only been
    made by the kernel when the service stopped, which then resets it: it was not accepted. One that
    was idle when the service stopped is closed, at the moment at which the client may just ask on
    it again.
    """
    outcome: Counter[str] = Counter()
    while True:
        with closing(
            http.client.HTTPConnection(address.removeprefix("http://"), timeout=PATIENCE)
        ) as connection:
            try:
                connection.connect()
            except ConnectionRefusedError:
                return outcome
            answered = False
            try:
                while connection.sock:
                    connection.request("GET", path)
                    response = connection.getresponse()
                    outcome[
                        "answered" if response.read() and response.status == 200 else "refused"
                    ] += 1
                    answered = True
            except (OSError, http.client.HTTPException):
                outcome["closed" if answered else "not accepted"] += 1


def _table(asked: Expected, tag: str, body: bytes) -> str | None:
    """The tag of the table that a whole answer comes from;
    None if it is not the one it names, or if there is none.
    """
    if tag:
        return tag if asked.answers.get(tag) == body else None
    return next((known for known, answer in asked.answers.items() if answer == body), None)
