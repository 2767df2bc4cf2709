"""Random states of a definition by its patterns:
`python -m benchmarks.far_states DATA FILE RESULTS [--states 30]`.

Each state is drawn uniformly. Its result is a line of JSON, appended to the file RESULTS as soon as
it is known. So a run that was stopped continues with the states that have none. The tables must be
in the folder DATA.
"""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click

from puzzlebase.plugins.definitions.definition_file import DefinitionFile
from puzzlebase.puzzles import Puzzle, find
from puzzlebase.puzzles.discovery import discover_definitions
from puzzlebase.service.answers.lookups import LookupAnswer, lookup
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.sources import Sources

_SEARCH_MEMORY = 6 << 30


@click.command()
@click.argument("data", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("definition", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("results", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--states", default=30, help="Number of random states in all.")
@click.option(
    "--max-seconds",
    default=1800.0,
    help="Most seconds of a search; after that its result is a bound.",
)
def main(data: Path, definition: Path, results: Path, states: int, max_seconds: float) -> None:
    """Measure the states that the results lack, and print what all of them say."""
    discover_definitions(definition.parent)
    puzzle = find(DefinitionFile(definition).name)
    searchable = Searchable.in_folder(Sources(Folder(data, _SEARCH_MEMORY)), puzzle, puzzle.goal())
    if not searchable.patterns:
        raise click.ClickException(f"build the patterns first: puzzlebase build {puzzle.name}")
    results.touch()
    known = [json.loads(line) for line in results.read_text("utf-8").splitlines()]
    for number in sorted(set(range(states)) - {each["number"] for each in known}):
        state = drawn(puzzle, number)
        searched = search(searchable, state, max_seconds)
        result = {
            "number": number,
            "state": state,
            "distance": searched.answer["distance"],
            "lower_bound": searched.answer["lower_bound"],
            "optimal_moves": [each["move"] for each in searched.answer["moves"] if each["optimal"]],
            "seconds": round(searched.seconds, 2),
            "seconds_of_processors": round(searched.of_processors, 2),
            "moves_examined": searched.moves_examined,
            "load": round(os.getloadavg()[0], 1),
        }
        known.append(result)
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")
        click.echo(json.dumps(result))
    seconds = [each["seconds"] for each in known if each["distance"] is not None]
    if seconds:
        click.echo(f"{len(seconds)} of {len(known)} exact, median {median(seconds):.2f} s")


def drawn(puzzle: Puzzle, number: int) -> str:
    """The random state of a number."""
    draw = random.Random(f"far {number}")  # noqa: S311
    states = (
        engine.draw(puzzle.goal(), draw.randrange) for engine in puzzle.engines if engine.draw
    )
    return next(state for state in states if state)


class Searched(NamedTuple):
    """A state's distance with all optimal moves, and their cost; seconds of all processors, too."""

    answer: LookupAnswer
    seconds: float
    of_processors: float
    moves_examined: int


def search(searchable: Searchable, state: str, max_seconds: float = 1800) -> Searched:
    """Search for the distance and the optimal moves of a state."""
    budget = Budget(states=1 << 62, seconds=max_seconds)
    began, used = time.perf_counter(), time.process_time()
    answer = lookup(OpenSearch(searchable, budget), state)
    return Searched(answer, time.perf_counter() - began, time.process_time() - used, budget.states)


if __name__ == "__main__":
    main()
