"""A worker that has served many puzzles,
goals and searches holds no more than `serve --memory` says.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import numpy as np
import pytest

from puzzlebase.puzzles import find
from tests.serving import Served, serving
from tests.waiting import PATIENCE

MEMORY = 1 << 30


def peak(served: Served) -> int:
    """Bytes of memory that the worker held at the most,
    less those of the files that all workers map.
    """
    (worker,) = served.workers()
    mapped = sum(
        each.rss
        for each in worker.memory_maps()
        if Path(each.path).suffix in (".distances", ".numbering")
    )
    status = Path(f"/proc/{worker.pid}/status").read_text("ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 - mapped


def ask(served: Served, name: str, **fields: object) -> None:
    """One lookup; a search may have to give up, which is an answer too."""
    with urlopen(
        f"{served.address}/v1/puzzles/{name}/lookup?{urlencode(fields)}", timeout=PATIENCE
    ) as response:
        assert json.load(response)["source"] in ("table", "oracle", "search")


@pytest.mark.matrix
@pytest.mark.slow(10)
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_many_puzzles_goals_and_searches(data: Path) -> None:
    """A hundred puzzles, three hundred goals and two hundred searches,
    of which many would each take all of it.
    """
    with serving(data, "--workers", "1", "--memory", str(MEMORY)) as served:
        for posts in itertools.islice(itertools.product("rbn", repeat=3), 25):
            for n in (2, 3, 4, 5):
                name = f"hanoi-{''.join(posts)}-{n}"
                ask(served, name, state=find(name).goal().start)
        random = np.random.default_rng(3)
        for name in ("turnstile", "panguru", "panex-6", "quantum-2x3-2", "sliding-3x4"):
            ask(served, name, state=find(name).goal().start, max_states=100_000)
        avenger = find("avenger")
        space = avenger.space(avenger.goal())
        texts = [
            avenger.text(index, avenger.goal())
            for index in random.integers(0, space.size, 600).tolist()
        ]
        for goal, state in zip(texts[:300], texts[300:], strict=True):
            ask(served, "avenger", state=state, goal=goal, max_states=2_000)
        turnstile = find("turnstile")
        start = turnstile.goal().states[0]
        for moves in itertools.islice(itertools.product(turnstile.moves, repeat=3), 95):
            state = start
            for move in moves:
                state = turnstile.play(state, move.name)
            ask(served, "turnstile", state=state, goal=start)
        for _ in range(5):  # each gives up for its memory
            state = turnstile.text(int(random.integers(0, 6_000_000_000)), turnstile.goal())
            ask(served, "turnstile", state=state, max_seconds=5)
        assert peak(served) < MEMORY
