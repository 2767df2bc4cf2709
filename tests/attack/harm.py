"""Harm to what a running service answers from: its tables, its cache, its definitions and its workers.

Each kind of harm is a method of `Harm` that does its worst once and leaves the folder usable. Where a worker ends by
it, the clients that may lose a request by that are noted.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil

from puzzlebase.paths import table_path
from tests.serving import COMMAND, Served
from tests.waiting import wait_until

APART = 6.0
"""Seconds after a worker was replaced in which its end would end the service."""


class Ended(NamedTuple):
    """Workers that were ended: the local ports of their clients, and from when until when others could be lost."""

    ports: frozenset[int]
    began: float
    over: float


HOSTILE = {
    "a-long-power.tws": "Name Power\nSet A 3 1\nSolved\nA\n1 2 3\nEnd\nMove R\nA\n2 3 1\nEnd\n"
    f"MoveSequence S {'1' * 60_000}x\n",
    "a-chain.tws": "Name Chain\nSet A 3 1\nSolved\nA\n1 2 3\nEnd\nMove R\nA\n2 3 1\nEnd\n"
    + "".join(f"MoveSequence S{k} S{k + 1} S{k + 1}\n" for k in range(20_000)),
    "powers.tws": "Name Powers\nSet A 3 1\nSolved\nA\n1 2 3\nEnd\nMove U\nA\n2 3 1\nEnd\n"
    + "".join(f"MoveSequence S{k} {' '.join(['U999'] * 1000)}\n" for k in range(150)),
    "a-bomb.json": json.dumps(
        {
            "name": "bomb",
            "orbits": [{"orbitName": "A", "numPieces": 3, "numOrientations": 1}],
            "defaultPattern": {"A": {"pieces": [0, 1, 2], "orientation": [0, 0, 0]}},
            "moves": {"R": {"A": {"permutation": [1, 2, 0], "orientationDelta": [0, 0, 0]}}},
            "derivedMoves": {"S": "(" * 2000 + "R" + ")999999999" * 2000},
        }
    ),
    "nothing.tws": "",
    "bytes.tws": "\x00\x01\x02" * 1000,
}


class Harm:
    """Harm to one service, whose tables are also in a folder of sound ones. `done` counts it by kind."""

    def __init__(self, served: Served, sound: Path, definitions: Path, seed: int) -> None:
        self.done: Counter[str] = Counter()
        self.ended: list[Ended] = []
        self._served = served
        self._sound = sound
        self._definitions = definitions
        self._choose = random.Random(seed)
        self._cache = served.data / "cache"

    @property
    def kinds(self) -> list[Callable[[], None]]:
        """Every kind of harm."""
        return [
            self.swap_a_table,
            self.rebuild_a_table,
            self.damage_a_table,
            self.change_cache_files,
            self.cut_cache_files,
            self.remove_cache_files,
            self.add_hostile_definitions,
            self.kill_a_worker,
        ]

    def until(self, end: float) -> None:
        """Do harm of a random kind again and again, each kind at least once."""
        kinds = self.kinds
        turn = 0
        while time.monotonic() < end or turn < len(kinds):
            kind = kinds[turn] if turn < len(kinds) else self._choose.choice(kinds)
            kind()
            self.done[kind.__name__] += 1
            turn += 1
            time.sleep(self._choose.uniform(0.2, 2))

    def swap_a_table(self) -> None:
        """Put a copy of a table in its place, as an operator does."""
        path = self._choose.choice(sorted(self._sound.glob("*.duckdb")))
        self._put(path, path.name)

    def rebuild_a_table(self) -> None:
        """Build a table anew, as an operator does."""
        command: list[str | Path] = [COMMAND, "--data", self._served.data, "build", "novice", "--threads", "1"]
        subprocess.run(command, check=True, capture_output=True, timeout=600)

    def damage_a_table(self) -> None:
        """Put a damaged copy of the one table that may be damaged in its place, and later a sound one."""
        name = table_path(Path(), DAMAGED).name
        content = bytearray((self._sound / name).read_bytes())
        for _ in range(50):
            content[self._choose.randrange(4096, len(content))] ^= 1 << self._choose.randrange(8)
        strange = self._served.data / (name + ".copy")
        strange.write_bytes(content)
        strange.replace(self._served.data / name)
        time.sleep(1)
        self._put(self._sound / name, name)

    def change_cache_files(self) -> None:
        """Put copies in place of what is mapped, with every 37th byte of the last 90 kB changed."""
        for path in self._cached():
            with suppress(FileNotFoundError):
                content = np.fromfile(path, np.uint8)
                content[-90_000::37] ^= 0x11
                self._replace(path, content.tobytes())

    def cut_cache_files(self) -> None:
        """Put copies in place of what is mapped that end half way."""
        for path in self._cached():
            with suppress(FileNotFoundError):
                content = path.read_bytes()
                self._replace(path, content[: len(content) // 2])

    def _replace(self, path: Path, content: bytes) -> None:
        copy = path.with_name(f"{path.name}.copy")
        copy.write_bytes(content)
        copy.replace(path)

    def remove_cache_files(self) -> None:
        """Remove what is mapped."""
        for path in self._cached():
            path.unlink(missing_ok=True)

    def add_hostile_definitions(self) -> None:
        """Put definitions that never end into the folder, ask for each, and remove them."""
        for name, text in HOSTILE.items():
            (self._definitions / name).write_text(text)
        try:
            for name in HOSTILE:
                address = f"{self._served.address}/v1/puzzles/{Path(name).stem}"
                try:
                    with urllib.request.urlopen(address, timeout=30) as response:
                        response.read()
                except urllib.error.HTTPError as error:
                    error.read()
                except OSError as error:
                    self.done[f"no answer about a hostile definition: {name} {error}"] += 1
        finally:
            for name in HOSTILE:
                (self._definitions / name).unlink()

    def kill_a_worker(self) -> None:
        """End a worker at once."""
        worker = self._choose.choice(self._served.accepting())
        with _Noted(self, [worker]):
            worker.kill()
            self._wait_for_workers({worker.pid})
        time.sleep(APART)

    def _wait_for_workers(self, gone: set[int]) -> None:
        """Wait until these are gone and as many others answer."""
        wait_until(
            lambda: len(now := self._served.accepting()) >= WORKERS and not gone & {worker.pid for worker in now},
            "a worker that was killed was replaced",
        )

    def _cached(self) -> list[Path]:
        return [path for path in sorted(self._cache.rglob("*")) if not path.is_dir()]

    def _put(self, path: Path, name: str) -> None:
        copy = self._served.data / (name + ".copy")
        shutil.copy(path, copy)
        copy.replace(self._served.data / name)


class _Noted:
    """Workers may end within this block: their clients are noted, and from when until when others could be lost."""

    def __init__(self, harm: Harm, workers: list[psutil.Process]) -> None:
        self._harm = harm
        self._workers = workers

    def __enter__(self) -> None:
        self._began = time.monotonic()
        ports: set[int] = set()
        for worker in self._workers:
            worker.suspend()
        for worker in self._workers:
            ports |= {each.raddr.port for each in worker.net_connections("tcp") if each.raddr}
            worker.resume()
        self._ports = frozenset(ports)

    def __exit__(self, *_: object) -> None:
        self._harm.ended.append(Ended(self._ports, self._began, time.monotonic()))


DAMAGED = "quantum-2x2-2"
"""The puzzle whose table is damaged at times."""

WORKERS = 2
