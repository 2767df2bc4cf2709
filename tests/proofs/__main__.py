"""Whole tables, built and proved: `python -m tests.proofs [PUZZLE ...]`, what `make proof` runs.

Every puzzle that a family lists, or those named, is built unless its table is there, and then
verified as `puzzlebase verify` does it: every block, count and state. The cost of the certificates
is printed beside the build's. A puzzle that memory or disk are too small for is skipped unless it
was named. Then the table is hidden, and a search without it has to find the same distances and all
optimal moves of random states at many distances. Where there is a module NAME beside this one, its
`check` is compared with the table too; where there is a module FAMILY, its `check_member`, also for
a puzzle that is too large for tables. Of a puzzle that is searched with patterns, these are built
and verified. At the end of all puzzles come the words of README.md that take minutes (readme.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click
import numpy as np

from puzzlebase.builder import Shortage, TableJob
from puzzlebase.builder.verify import verify_table
from puzzlebase.db.table_file import TableFile
from puzzlebase.plugins.patterns.job import PatternsJob
from puzzlebase.puzzles import Goal, PatternDatabases, Puzzle, WholeTable, all_families, find
from puzzlebase.sentinels import UNKNOWN
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.sources import Sources
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.version import VERSION
from tests.fixtures import quiet
from tests.proofs.readme import prove as prove_readme


@click.command()
@click.argument("names", nargs=-1, metavar="[PUZZLE]...")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data"),
    show_default=True,
)
def main(names: tuple[str, ...], data: Path) -> None:
    """Build and prove tables of every goal."""
    for name in names or [member for family in all_families() for member in family.members]:
        puzzle = find(name)
        if puzzle.engine(PatternDatabases):
            _prove_patterns(puzzle, data)
        for goal in puzzle.goals if puzzle.engine(WholeTable) else ():
            _prove(puzzle, goal, data, named=bool(names))
        for line in _more(puzzle, Sources(data)):
            click.echo(f"  {line}")
    if not names:
        prove_readme(data)


def _prove(puzzle: Puzzle, goal: Goal, data: Path, *, named: bool) -> None:
    """Build a table unless it is there, and verify it."""
    job = TableJob(puzzle, goal, data, VERSION, report=quiet())
    try:
        if not job.path.exists():
            job.build()
    except Shortage as error:
        if named:
            raise click.ClickException(f"{error}; {error.hint}") from error
        click.echo(f"{job.path.stem}: skipped, {error}")
        return
    report = quiet()
    proved = verify_table(TableJob(puzzle, goal, data, report=report))
    with TableFile(job.path) as file:
        built = sum(step.seconds for step in file.build_steps())
        certifying = sum(
            took for phase, took in report.seconds.items() if phase.startswith("certificate")
        )
        covered = " and ".join(
            f"{one.vertices:,} {one.graph}, {one.edges:,} links" for one in proved
        )
        click.echo(
            f"{puzzle.name}, goal {goal.name}: God's number "
            f"{file.info.gods_number}, {covered} certified"
        )
        click.echo(
            f"  in {certifying:.2f} s, {certifying / built:.0%} of the build's {built:.2f} s"
        )
    click.echo(f"  {_searched(Sources(data).table(puzzle.name, goal.name))}")


def _prove_patterns(puzzle: Puzzle, data: Path) -> None:
    """Build the tables of a puzzle's patterns unless they are there, and verify them."""
    job = PatternsJob(puzzle, puzzle.goal(), data, VERSION, report=quiet())
    job.build()
    for line in job.verify().splitlines():
        click.echo(f"  {line}")


def _more(puzzle: Puzzle, tables: Sources) -> Iterator[str]:
    """Lines about what the puzzle's own module shows, and its family's."""
    if find_spec(special := f"tests.proofs.{puzzle.name.replace('-', '_')}"):
        yield from import_module(special).check(tables)
    if find_spec(special := f"tests.proofs.{puzzle.about.family}"):
        module = import_module(special)
        if hasattr(module, "check_member"):
            yield from module.check_member(tables, puzzle)


_DISTANCES, _STATES, _SECONDS = 12, 2, 10.0


def _searched(table: OpenTable) -> str:
    """Compare searches, each of them bounded in seconds, with the table."""
    draw = np.random.default_rng(21)
    layers = table.table.info.layers
    searchable = Searchable.of(table.puzzle, table.goal, None)
    exact = deepest = 0
    states = []
    for distance in (
        np.unique(np.linspace(0, len(layers) - 1, _DISTANCES).astype(int)).tolist()
        if layers
        else []
    ):
        count = min(_STATES, layers[distance])
        ranks = draw.choice(layers[distance], count, replace=False).tolist()
        states += [table.locate(distance, distance, rank) for rank in ranks]
    for index in states:
        source = OpenSearch(searchable, Budget(seconds=_SECONDS))
        [expected], found = table.distances_of([index]), source.distance(index)
        if found == UNKNOWN:
            assert source.lower_bound(index) <= expected, index
            continue
        assert found == expected, (index, found, expected)
        assert source.optimal_moves(index, found) == table.optimal_moves(index, expected), index
        exact, deepest = exact + 1, max(deepest, found)
    return (
        f"{exact} of {len(states)} states found by search with the table hidden, to distance "
        f"{deepest}, all as in it"
    )


if __name__ == "__main__":
    main()
