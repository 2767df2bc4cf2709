"""Everything goes wrong at once, and every answer is right.

Clients ask what a reference implementation knows. Meanwhile tables are swapped, rebuilt and damaged, and files of the
cache are changed, cut and removed. Definitions that never end come and go. Workers are
killed. Other clients mean harm.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import pytest

from puzzlebase.puzzles import find
from tests import naive
from tests.attack.harm import DAMAGED, WORKERS, Ended, Harm
from tests.attack.questions import Lost, Puzzle, ask, known
from tests.conftest import build_table
from tests.http.attackers import ATTACKS, attacking
from tests.naive import hanoi, panguru
from tests.naive.definition import NaiveDefinition
from tests.naive.quantum import move_names, quantum_neighbours
from tests.puzzles.small_definitions import SMALL
from tests.serving import COMMAND, Served, serving
from tests.waiting import PATIENCE

SECONDS = 60 * float(os.environ["ATTACK_MINUTES"])
CLIENTS = 2
MEMORY = 512 << 20
DEFINED = "corners"
GAMES = 2000
"""States of each puzzle whose moves are compared."""


class Setting(NamedTuple):
    """A service, the sound tables, and the folder of definitions."""

    served: Served
    sound: Path
    definitions: Path


@pytest.fixture(scope="module")
def puzzles() -> list[Puzzle]:
    """The puzzles of the reference implementations."""
    full = naive.wheel_neighbours(naive.FULL_TURNS, interchangeable=False)
    sixths = naive.wheel_neighbours(naive.SIXTH_TURNS, interchangeable=False)
    solved = "BBBBBBBBBBBBRRRRRRRRR"
    tower, leap = hanoi.neighbours("NNN"), panguru.neighbours
    units = quantum_neighbours(move_names(2, 2, 1))
    definition = NaiveDefinition(SMALL[DEFINED].text)
    triangle = find("panguru-4").goal().states[0]
    return [
        known("novice", naive.distances(solved, full), full, GAMES),
        known("novice-sixths", naive.distances(solved, sixths), sixths, GAMES),
        known("panguru-4", naive.distances(triangle, leap), leap, GAMES),
        known(DAMAGED, naive.distances("2,0,0,0/0,2,0,0/0,0,2,0/0,0,0,2", units), units, GAMES, may_fail=(500,)),
        known("hanoi-nnn-7", naive.distances(find("hanoi-nnn-7").goal().states[0], tower), tower, GAMES),
        Puzzle(DEFINED, definition.distances(powers=True), {}),
    ]


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    data, sound, definitions = (tmp_path / name for name in ("data", "sound", "puzzles.d"))
    for folder in (data, sound, definitions):
        folder.mkdir()
    for name in ("novice", "novice-sixths", "panguru-4", "hanoi-nnn-7", DAMAGED):
        shutil.copy(build_table(sound, name), data)
    (definitions / f"{DEFINED}.tws").write_text(SMALL[DEFINED].text)
    build: list[str | Path] = [COMMAND, "--data", data, "--puzzles", definitions, "build", DEFINED]
    subprocess.run(build, check=True, capture_output=True, timeout=PATIENCE)
    options = ("--puzzles", str(definitions), "--memory", str(MEMORY), "--workers", str(WORKERS), "--no-log")
    with serving(data, *options, errors=tmp_path / "errors.log") as served:
        yield Setting(served, sound, definitions)


def test_everything_at_once(setting: Setting, puzzles: list[Puzzle], capfd: pytest.CaptureFixture[str]) -> None:
    served = setting.served
    host, _, port = served.address.removeprefix("http://").rpartition(":")
    harm = Harm(*setting, seed=1)
    until = time.monotonic() + SECONDS
    with (
        attacking((host, int(port)), SECONDS) as attacks,
        ProcessPoolExecutor(CLIENTS, get_context("spawn")) as pool,
    ):
        clients = [pool.submit(ask, host, int(port), puzzles, until, seed) for seed in range(CLIENTS)]
        harm.until(until)
        outcomes = [client.result(timeout=SECONDS + 300) for client in clients]
    wrong = [each for outcome in outcomes for each in outcome.wrong]
    lost = [each for outcome in outcomes for each in outcome.lost]
    refused = sum((outcome.refused for outcome in outcomes), Counter())
    answers = sum(outcome.answers for outcome in outcomes)
    with capfd.disabled():
        print(  # noqa: T201 (the figures)
            f"\n{SECONDS / 60:g} minutes: {answers:,} answers, "
            f"{sum(one.compared for one in outcomes):,} facts compared, {len(wrong)} wrong; refused {dict(refused)}; "
            f"{len(lost)} requests lost, all but {len(unexplained(lost, harm.ended))} with a worker that ended\n"
            f"harm {dict(harm.done)}, attacks {dict(attacks)}"
        )
    assert wrong == []
    assert unexplained(lost, harm.ended) == []
    assert sum(count for (_, status), count in refused.items() if status == 503) < answers / 50
    assert set(attacks) == {attack.__name__ for attack in ATTACKS}
    assert min(harm.done[kind.__name__] for kind in harm.kinds) > 0
    assert not any(kind.startswith("no answer") for kind in harm.done)
    status, ready = served.get("/readyz")
    assert (status, ready["damaged"]) == (200, [])


def unexplained(lost: list[Lost], ended: list[Ended]) -> list[Lost]:
    """The lost requests whose connection was not one of a worker that was ended."""

    def explained(one: Lost) -> bool:
        return any(
            (one.port in each.ports or each.began <= one.connected <= each.over)
            and each.began <= one.at <= each.over + 1
            for each in ended
        )

    return [one for one in lost if not explained(one)]
