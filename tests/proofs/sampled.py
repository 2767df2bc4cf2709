"""Random states of puzzles that are searched with patterns:
their distances, and what the searches took.

Each state is written to a file when it is found, `sampled/PUZZLE.jsonl` in the data folder, and a
proof that was stopped goes on there. The file's first line names the patterns; where they, or the
program's version, are others now, it begins anew.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from puzzlebase.puzzles import find
from puzzlebase.service.http.app import create_app
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.sources import Sources
from puzzlebase.version import VERSION

_HARDEST = 5


class Found(NamedTuple):
    """A state, its distance, and what the search took:
    moves looked at, and seconds of the processor.
    """

    state: str
    distance: int
    looked: int
    seconds: float


def searchable(name: str, tables: Sources, goal_name: str | None = None) -> Searchable:
    """Prepare searches with patterns."""
    puzzle = find(name)
    searchable = Searchable.in_folder(tables, puzzle, puzzle.goal(goal_name))
    assert searchable.patterns, f"the patterns of {name} are not built"
    return searchable


def sample(known: Searchable, data: Path, count: int, seed: int = 24) -> list[Found]:
    """So many states, each equally likely; every one is searched to its end, without a budget."""
    digests = {name: table.table.header.digest for name, table in known.patterns.items()}
    header = json.dumps({"version": VERSION, "seed": seed, "patterns": digests})
    path = data / "sampled" / f"{known.puzzle.name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    stored = lines if lines[:1] == [header] else [header]
    found = [Found(**json.loads(line)) for line in stored[1:]][:count]
    drawn = np.random.default_rng(seed).integers(0, known.space.size, count).tolist()
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in stored)
        for index in drawn[len(found) :]:
            found.append(_searched(known, index))
            file.write(f"{json.dumps(found[-1]._asdict())}\n")
            file.flush()
    assert [one.state for one in found] == [known.puzzle.text(index, known.goal) for index in drawn]
    return found


def _searched(known: Searchable, index: int) -> Found:
    began, budget = time.process_time(), Budget()
    distance = OpenSearch(known, budget).distance(index)
    assert distance >= 0
    return Found(
        known.puzzle.text(index, known.goal), distance, budget.states, time.process_time() - began
    )


def lines_of(found: list[Found]) -> Iterator[str]:
    """The findings as text for people."""
    distances = [one.distance for one in found]
    counts = np.bincount(distances)
    layers = ", ".join(
        f"{distance}: {count}" for distance, count in enumerate(counts.tolist()) if count
    )
    yield (
        f"{len(found):,} random states, all exact: mean distance {np.mean(distances):.2f}; {layers}"
    )
    yield f"processor time: {_percentiles([one.seconds for one in found], '.3f')} s"
    yield f"moves looked at: {_percentiles([one.looked for one in found], ',.0f')}"
    for one in sorted(found, key=lambda one: (one.distance, one.looked))[: -_HARDEST - 1 : -1]:
        yield f"at {one.distance}, {one.looked:,} moves looked at: {one.state}"


def _percentiles(values: list[float] | list[int], form: str) -> str:
    median, high, most = (format(value, form) for value in np.percentile(values, [50, 99, 100]))
    return f"median {median}, 99th percentile {high}, max {most}"


def over_http(known: Searchable, data: Path, found: list[Found]) -> str:
    """Whole hints and grades over HTTP, within the budget that a request has by default."""
    client = create_app(data).test_client()
    address = f"/v1/puzzles/{known.puzzle.name}"
    for one in found:
        hint = client.get(
            f"{address}/hint", query_string={"state": one.state, "level": 4}
        ).get_json()
        assert (hint["distance"], hint["exact"], len(hint["solution"])) == (
            one.distance,
            True,
            one.distance,
        )
        graded = client.post(
            f"{address}/grade", json={"state": one.state, "moves": hint["solution"]}
        ).get_json()
        assert (graded["solved"], graded["optimal_length"], graded["stars"]) == (
            True,
            one.distance,
            3,
        )
    return (
        f"hints and grades over HTTP of {len(found)} of them are exact within the ordinary budget"
    )
