"""Clients that mean harm, for a while: each attack is a function that goes on until it is told to stop.

They check nothing. What they do to others is seen by those.
"""

from __future__ import annotations

import json
import random
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context
from threading import Thread
from typing import Any
from urllib.parse import quote

from puzzlebase.puzzles import find
from tests.waiting import PATIENCE

Address = tuple[str, int]
ORACLE = "panex-10"
_POST = "POST /v1/puzzles/{name}/lookup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


def _connect(address: Address, stack: ExitStack) -> socket.socket:
    connection = stack.enter_context(socket.socket())
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 13)
    connection.settimeout(2)
    connection.connect(address)
    return connection


def _send_batch(connection: socket.socket, name: str, states: list[str]) -> None:
    batch = json.dumps({"states": states, "moves": True}).encode()
    connection.sendall(_POST.format(name=name).encode() + f"Content-Length: {len(batch)}\r\n\r\n".encode() + batch)


def _shuffled(name: str, choose: random.Random) -> str:
    """A state with the right pieces anywhere, their colours exchanged."""
    state = find(name).goal().states[0]
    letters = sorted({*state} - {"."})
    other = dict(zip(letters, choose.sample(letters, len(letters)), strict=True))
    pieces = [other[letter] for letter in state if letter != "."]
    choose.shuffle(pieces)
    return "".join("." if letter == "." else pieces.pop() for letter in state)


def abandoned_searches(address: Address, choose: random.Random) -> None:
    """Searches whose client leaves."""
    with ExitStack() as stack:
        state, goal = (quote(_shuffled("avenger", choose)) for _ in range(2))
        path = f"/v1/puzzles/avenger/lookup?state={state}&goal={goal}"
        _connect(address, stack).sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        time.sleep(choose.uniform(0, 0.5))


def random_goals(address: Address, choose: random.Random) -> None:
    """Goals that nobody asked before: each has a space of its own."""
    with ExitStack() as stack:
        connection = _connect(address, stack)
        for _ in range(20):
            name = choose.choice(["avenger", "challenger", "novice"])
            state, goal = (quote(_shuffled(name, choose)) for _ in range(2))
            path = f"/v1/puzzles/{name}/lookup?state={state}&goal={goal}&max_states=2000"
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            with suppress(TimeoutError):
                connection.recv(1 << 13)


def batches_to_an_oracle(address: Address, choose: random.Random) -> None:
    """Ten thousand states, each of which takes a while."""
    puzzle = find(ORACLE)
    start = puzzle.goal().start
    with ExitStack() as stack:
        for _ in range(4):
            _send_batch(_connect(address, stack), ORACLE, [puzzle.play(start, "LC"), start] * 5000)
        time.sleep(choose.uniform(0, 5))


def bad_text(address: Address, choose: random.Random) -> None:
    """Bytes that are no text, no address, no JSON and no HTTP."""
    some = bytes(choose.randrange(256) for _ in range(200)).translate(None, b"\r\n ")
    for sent in (
        b"GET /v1/puzzles/" + some + b"/lookup?state=" + some + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /v1/puzzles/novice/lookup?state=%ff%fe" + some.hex().encode() + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        _POST.format(name="novice").encode() + f"Content-Length: {len(some)}\r\n\r\n".encode() + some,
        some + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nX-Odd: " + some * 100,
    ):
        with ExitStack() as stack, suppress(OSError):
            connection = _connect(address, stack)
            connection.sendall(sent)
            connection.recv(1 << 13)


ATTACKS: tuple[Callable[[Address, random.Random], None], ...] = (
    abandoned_searches,
    random_goals,
    batches_to_an_oracle,
    bad_text,
)


def _attack(address: Address, seconds: float, begun: Any, counts: Any) -> None:
    """Every attack again and again in a thread of its own, for so many seconds."""
    done: Counter[str] = Counter()
    begun.set()
    until = time.monotonic() + seconds

    def repeat(attack: Callable[[Address, random.Random], None], seed: int) -> None:
        choose = random.Random(seed)
        while time.monotonic() < until:
            with suppress(OSError):
                attack(address, choose)
                done[attack.__name__] += 1
            time.sleep(0.05)

    threads = [Thread(target=repeat, args=(attack, seed)) for seed, attack in enumerate(ATTACKS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    counts.put(done)


@contextmanager
def attacking(address: Address, seconds: float) -> Iterator[Counter[str]]:
    """Attack in a process of its own, for so many seconds from the beginning of the block.

    At its end, say how often each attack was made.
    """
    spawn = get_context("spawn")
    counts, begun = spawn.Queue(), spawn.Event()
    process = spawn.Process(target=_attack, args=(address, seconds, begun, counts))
    process.start()
    made: Counter[str] = Counter()
    try:
        assert begun.wait(PATIENCE)
        yield made
        made.update(counts.get(timeout=120))
        process.join(60)
    finally:
        process.kill()
