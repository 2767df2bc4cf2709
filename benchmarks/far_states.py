"""Random states of a definition by its patterns: `python -m benchmarks.far_states DATA FILE RESULTS [--states 30]`.

Each state is drawn uniformly, by its number, among all with possible permutations and orientations. Its
result is a line of JSON, appended to the file of results when it is there: so a run that was stopped goes on
after the last of them. A loop of a fixed length is timed beside each, since a busy machine is slower. The
tables must be in the folder DATA.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from statistics import median

import click
import numpy as np

from puzzlebase.puzzles import find
from puzzlebase.puzzles.definitions.folder import DefinitionFile
from puzzlebase.puzzles.definitions.text import Texts
from puzzlebase.puzzles.discovery import read_definitions
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.search import OpenSearch, Searchable

_MEMORY = 4 << 30
_LOOP = 5_000_000


@click.command()
@click.argument("data", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("definition", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("results", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--states", default=30, help="So many random states in all.")
@click.option("--max-seconds", default=1800.0, help="Of a search; then its result is a bound.")
def main(data: Path, definition: Path, results: Path, states: int, max_seconds: float) -> None:
    """Measure the states that the results lack, and print what all of them say."""
    read_definitions(definition.parent)
    puzzle = find(DefinitionFile(definition).name)
    searchable = Searchable.in_folder(Tables(data, _MEMORY), puzzle, puzzle.goal())
    if not searchable.patterns:
        raise click.ClickException(f"build the patterns first: puzzlebase build {puzzle.name}")
    known = [json.loads(line) for line in results.read_text("utf-8").splitlines()] if results.exists() else []
    for number in range(len(known), states):
        state = _drawn(DefinitionFile(definition), searchable, number)
        known.append({"number": number, "state": state, **_measured(searchable, state, max_seconds)})
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(known[-1]) + "\n")
        click.echo(json.dumps(known[-1]))
    exact = [each for each in known if each["distance"] is not None]
    if exact:
        click.echo(f"{len(exact)} of {len(known)} exact, median {median(each['seconds'] for each in exact):.0f} s")


def _drawn(file: DefinitionFile, searchable: Searchable, number: int) -> str:
    """The random state of a number."""
    draw, texts, definition = np.random.default_rng([46, number]), Texts(file.definition), file.definition
    while True:
        labels, turns = definition.labels.copy(), np.zeros_like(definition.turned)
        for each in range(len(definition.sets)):
            places = definition.places_of(each)
            labels[places] = draw.permutation(labels[places])
            turns[places] = draw.integers(0, definition.orientations[places])
        text = texts.format(texts.boards(labels[None, :], turns[None, :])[0])
        if searchable.space.rank(searchable.puzzle.parse(text)[None, :])[0] >= 0:
            return text


def _measured(searchable: Searchable, state: str, max_seconds: float) -> dict[str, object]:
    """The distance, the bound and the optimal moves of a state, and what they took."""
    budget = Budget(states=1 << 62, seconds=max_seconds)
    source = OpenSearch(searchable, budget)
    began, used = time.perf_counter(), time.process_time()
    index = source.index(state)
    distance = source.distance(index)
    exact = distance >= 0
    successors = source.neighbours(index)[1] if exact else []
    moves = [move.name for move, to in zip(searchable.puzzle.moves, successors, strict=False) if to == distance - 1]
    return {
        "distance": distance if exact else None,
        "lower_bound": distance if exact else source.lower_bound(index),
        "optimal_moves": moves,
        "seconds": round(time.perf_counter() - began, 2),
        "seconds_of_processors": round(time.process_time() - used, 2),
        "moves_examined": budget.states,
        "seconds_of_a_loop": round(_loop(), 3),
        "load": round(os.getloadavg()[0], 1),
    }


def _loop() -> float:
    began = time.perf_counter()
    for _ in range(_LOOP):
        pass
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
