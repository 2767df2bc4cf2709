"""The command line: the same answers as over HTTP, as text for people or, with --json, for programs.

The verbs stand in the order in which the documents list them. The text for people is in service/answers/text.py.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from functools import partial, wraps
from importlib.metadata import version
from math import inf, isfinite
from pathlib import Path
from typing import Any

import click
import orjson
from click.core import ParameterSource
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from builder import (
    CONTINUES,
    BuildError,
    Job,
    LayersJob,
    OracleJob,
    TableJob,
    VerificationError,
    default_threads,
)
from db import ANTIPODES_KEPT, MissingTable, TableError
from db.sql.errors import QueryError
from db.sql.limits import DEFAULT_MEMORY_MB, DEFAULT_SECONDS, Limits
from machine import spare_memory
from puzzles import Puzzle, PuzzleError, find
from service.answers import catalog, grades, hints, lookups, pictures, random_states, solutions, text, whole_tables
from service.answers.batches import lookup_batch
from service.answers.grades import DEFAULT_STARS
from service.answers.limits import MAX_BATCH, MAX_SOLUTIONS
from service.problems import InvalidRequest, problem_of
from service.sources.budget import Budget, SearchLimits
from service.sources.folder import Tables
from service.sources.search import OpenSearch, Searchable
from service.sources.source import Source
from service.sources.table import OpenTable
from service.sql.output import Output

VERSION = version("puzzlebase")

_FAILED = 1
_WRONG_USE = 2


def main() -> None:
    """Run the command line; the exit status is 0, 1 for a failed check, 2 for wrong use."""
    _open_streams()
    try:
        cli.main(prog_name="puzzlebase", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(_WRONG_USE)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(128 + signal.SIGINT)
    except UnicodeError as error:
        click.echo(f"puzzlebase: the text is not valid Unicode: {error}", err=True)
        sys.exit(_WRONG_USE)
    except OSError as error:
        click.echo(f"puzzlebase: {error}", err=True)
        sys.exit(_FAILED)
    except (PuzzleError, TableError, InvalidRequest, QueryError, BuildError, VerificationError) as error:
        _complain(error)
        wrong_use = isinstance(error, PuzzleError | MissingTable | InvalidRequest | QueryError)
        sys.exit(_WRONG_USE if wrong_use else _FAILED)


def _open_streams() -> None:
    """Open the standard streams that the caller closed, as `<&-` does: nothing can be read, what is written is lost."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _stop_at_signals(name: str) -> None:
    """Make Ctrl-C and SIGTERM end a build at once, with a message that tells how to continue it.

    Finished layers are on disk and nothing else needs care, so there is nothing to unwind. An exception raised
    wherever a signal finds the program could leave a lock held and a thread waiting.
    """
    word = f"\nthe build of {name} was stopped; {CONTINUES}\n"

    def stop(number: int, _frame: object) -> None:
        os.write(2, word.encode())
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # a job in the background ignores Ctrl-C
            signal.signal(number, stop)


def _complain(error: Exception) -> None:
    """Print an error with its hint; with --json, as the problem that HTTP answers with."""
    problem = problem_of(error)
    if problem and "--json" in sys.argv:
        click.echo(orjson.dumps(problem))
        return
    click.echo(f"puzzlebase: {error}", err=True)
    if hint := getattr(error, "hint", ""):
        click.echo(f"  {hint}", err=True)


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb. If its reader, such as head, closes the pipe, end as programs do; click would exit with 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(128 + signal.SIGPIPE)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data"),
    envvar="PUZZLEBASE_DATA",
    show_default=True,
    help="Folder that holds the tables.",
)
@click.pass_context
def cli(context: click.Context, data: Path) -> None:
    """Exact distances and best moves of puzzles."""
    context.obj = data


# What verbs share.


class _Number(click.FloatRange):
    """A finite number in a range; click takes nan, which is neither below a range nor above it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number


def _refuse_options(_context: click.Context, _parameter: click.Parameter, words: Any) -> Any:
    """Refuse words that begin with a dash, except states of Panguru: in those, only capitals follow it."""
    for word in [words] if isinstance(words, str) else words:
        if word.startswith("-") and word != "-" and not word[1:].isupper():
            raise click.NoSuchOption(word)
    return words


_TAKES_STATES = {"ignore_unknown_options": True}
"""Settings of a verb that takes states, which may begin with a dash; `_refuse_options` then refuses other words."""

_MAX_SECONDS = 10**9
"""The longest time limit, as over HTTP."""

_OFFSET = click.IntRange(0, 2**53)
_FILE = click.Path(dir_okay=False, path_type=Path)

_puzzle = click.argument("puzzle", callback=lambda _context, _parameter, name: find(name))
_state = click.argument("state", callback=_refuse_options)
_goal = click.option(
    "--goal",
    help="Name of the goal, or a state where any state can be the goal. The default is the puzzle's first goal.",
)
_threads = click.option(
    "--threads",
    type=click.IntRange(1, 1024),
    default=default_threads,
    help="Threads to use at most. The default is one for each processor.",
)
_json = click.option("--json", "as_json", is_flag=True, help="Print the JSON object that HTTP answers with.")


def _record(
    kind: Callable[..., Any], parameter: str, *options: Callable[[Callable[..., None]], Callable[..., None]]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a verb the values of these options as one record; they are named like the fields of its dataclass."""

    def decorate(verb: Callable[..., None]) -> Callable[..., None]:
        @wraps(verb)
        def with_record(*arguments: Any, **given: Any) -> None:
            values = {field.name: given.pop(field.name) for field in fields(kind)}  # type: ignore[arg-type]
            verb(*arguments, **{parameter: kind(**values)}, **given)

        decorated: Callable[..., None] = with_record
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def _searching(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb a source and the options of a search, which answers if there is no table."""

    @_goal
    @click.option("--max-states", type=click.IntRange(0), help="States a search may expand if there is no table.")
    @click.option("--max-seconds", type=_Number(0, _MAX_SECONDS), help="Time limit of a search, seconds.")
    @click.option(
        "--memory",
        type=click.IntRange(1),
        default=lambda: spare_memory() // 2,
        help="Memory limit of a search, bytes. The default is half of the free memory.",
    )
    @_json
    @click.pass_context
    @wraps(verb)
    def with_source(context: click.Context, /, **given: Any) -> None:
        tables, puzzle, goal = Tables(context.obj), given.pop("puzzle"), given.pop("goal")
        limits = given.pop("max_states"), given.pop("max_seconds"), given.pop("memory")
        try:
            source = tables.source(puzzle.name, goal)
        except MissingTable:
            if not puzzle.enumerable:
                raise
            with _budget(*limits) as budget:
                meant = puzzle.goal(goal)
                layers = tables.layers(puzzle.name, meant.name)
                verb(source=OpenSearch(Searchable.of(puzzle, meant, layers), budget), **given)
        else:
            verb(source=source, **given)

    return with_source


@contextmanager
def _budget(states: int | None, seconds: float | None, memory: int) -> Iterator[Budget]:
    """A budget for a search. Ctrl-C ends it too, and the answer is what is proven by then.

    On a terminal, a line shows how far the search is.
    """
    console = Console(stderr=True, highlight=False)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("search")

        def tell(expanded: int, bound: int) -> None:
            bar.update(task, description=f"search: {expanded:,} states expanded, at least {bound:,} moves")

        budget = Budget(inf if states is None else states, inf if seconds is None else seconds, memory, tell)
        former = signal.signal(signal.SIGINT, lambda *_: budget.stop())
        try:
            yield budget
        finally:
            signal.signal(signal.SIGINT, former)
    if budget.stopped:
        sys.exit(128 + signal.SIGINT)


def _headers(data: Path) -> Tables:
    """The files of the data folder, to say what they are: no table is read into memory as a whole."""
    return Tables(data, memory=0)


def _open(data: Path, puzzle: Puzzle, goal: str | None) -> OpenTable:
    return Tables(data).get(puzzle.name, goal)


def _print(
    answer: Any,
    lines: Callable[[Any], Iterable[str]],
    as_json: bool,
    notes: Callable[[Any], Iterable[str]] | None = None,
) -> None:
    """Print an answer as JSON, or its lines for people, with notes on standard error."""
    if as_json:
        click.echo(orjson.dumps(answer))
        return
    for line in lines(answer):
        click.echo(line)
    for note in notes(answer) if notes else ():
        click.echo(note, err=True)


# The verbs.


@cli.command("list")
@_json
@click.pass_obj
def list_(data: Path, as_json: bool) -> None:
    """List the puzzles that have a table, and some that have none."""
    _print(catalog.puzzle_list(_headers(data)), text.puzzles, as_json)


@cli.command()
@_puzzle
@_goal
@_json
@click.pass_obj
def info(data: Path, puzzle: Puzzle, goal: str | None, as_json: bool) -> None:
    """Show the moves, goals, notation and table of a puzzle."""
    _print(catalog.about(_headers(data), puzzle, puzzle.goal(goal)), text.puzzle, as_json)


def _kind(puzzle: Puzzle, *, layers: bool, oracle: bool) -> type[Job]:
    """What to build or verify. For a puzzle that is too large for tables that is its oracle, where it has one.

    Options that this kind of job does not have are refused.
    """
    if oracle and not puzzle.oracle:
        raise click.UsageError(f"{puzzle.name} has no oracle; leave the option out for its table")
    if oracle or (puzzle.oracle and not puzzle.enumerable):
        kind: type[Job] = OracleJob
    else:
        kind = LayersJob if layers else TableJob
    for option, what in _REFUSED.get(kind, {}).items():
        if click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{option} does not go with {what.format(puzzle.name)}; leave it out")
    return kind


_REFUSED: dict[type[Job], dict[str, str]] = {
    LayersJob: {"force": "layers, which are found as far as memory goes"},
    OracleJob: {
        "depth": "the oracle of {}",
        "sample": "the oracle of {}, which is checked in full",
        "layers": "the oracle of {}, which is checked in full",
    },
}
"""The options that a kind of job does not have, and how it is named to a user who gives one."""


def _given(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None and value is not False}


@cli.command("build")
@_puzzle
@_goal
@_threads
@click.option("--depth", type=click.IntRange(0, 10**6), help="Build only the layers up to this distance, for searches.")
@click.option("--oracle", is_flag=True, help="Build the data of the puzzle's oracle, if it has one, not the table.")
@click.option("--dry-run", is_flag=True, help="Print the memory, disk and time needed and whether they suffice; stop.")
@click.option("--force", is_flag=True, help="Build although memory or disk seem too small.")
@_json
@click.pass_obj
def build_table(
    data: Path,
    puzzle: Puzzle,
    goal: str | None,
    threads: int,
    depth: int | None,
    dry_run: bool,
    force: bool,
    oracle: bool,
    as_json: bool,
) -> None:
    """Build the table of a puzzle, verify it and print its histogram.

    A build that was stopped continues after its last complete layer when it is run again.

    With --depth only the layers around the goal are built, from which searches start where there is no table. With
    --oracle the data of the puzzle's oracle are built; for a puzzle that has one and is too large for a table they
    are built in any case.
    """
    kind = _kind(puzzle, layers=depth is not None, oracle=oracle)
    job = kind(puzzle, puzzle.goal(goal), data, VERSION, threads, **_given(force=force, depth=depth))
    if dry_run:
        needed = job.estimate()
        _print(asdict(needed), lambda _: [needed.describe()], as_json)
        needed.check(puzzle.name)
        return
    if job.resumes:
        _stop_at_signals(job.path.stem)
    job.build()
    tables = _headers(data)
    _print(catalog.about(tables, puzzle, job.goal), partial(_BUILT[kind], job, tables), as_json)


def _built_table(job: Job, tables: Tables, known: catalog.PuzzleAnswer) -> Iterator[str]:
    yield from text.histogram(whole_tables.histogram(tables.get(job.puzzle.name, job.goal.name)))
    yield ""
    yield from _built_file(job, tables, known)


def _built_file(job: Job, _tables: Tables, known: catalog.PuzzleAnswer) -> Iterator[str]:
    yield from text.puzzle(known)
    yield text.fact("file", job.path)


def _built_layers(job: Job, _tables: Tables, known: catalog.PuzzleAnswer) -> Iterable[str]:
    return text.layers(known, job.path)


_BUILT: dict[type[Job], Callable[[Job, Tables, catalog.PuzzleAnswer], Iterable[str]]] = {
    TableJob: _built_table,
    LayersJob: _built_layers,
    OracleJob: _built_file,
}
"""What to say of a file that was built."""


@cli.command("verify")
@_puzzle
@_goal
@_threads
@click.option("--sample", is_flag=True, help="Take a quick look: check the header and random states, not every state.")
@click.option("--layers", is_flag=True, help="Check the stored layers, not the table.")
@click.option("--oracle", is_flag=True, help="Check the data of the puzzle's oracle, not the table.")
@click.option("--certificate", is_flag=True, help="Also write the oracle's own certificate, and have it checked.")
@_json
@click.pass_obj
def verify_table(
    data: Path,
    puzzle: Puzzle,
    goal: str | None,
    threads: int,
    sample: bool,
    layers: bool,
    oracle: bool,
    certificate: bool,
    as_json: bool,
) -> None:
    """Check a stored table again: every checksum, every count, the certificate of every state."""
    if sample + layers + oracle > 1:
        raise click.UsageError("--sample, --layers and --oracle exclude one another; give one of them")
    kind = _kind(puzzle, layers=layers, oracle=oracle or certificate)
    given = _given(sample=sample, certificate=certificate)
    job = kind(puzzle, puzzle.goal(goal), data, VERSION, threads, **given)
    shown = job.verify()
    _print(catalog.about(_headers(data), puzzle, job.goal), lambda _: [shown], as_json)


@cli.command(context_settings=_TAKES_STATES)
@_puzzle
@click.argument("states", nargs=-1, required=True, callback=_refuse_options)
@click.option("--moves/--no-moves", default=None, help="Show every move. The default is to do so for a single state.")
@_searching
def lookup(source: Source, states: tuple[str, ...], moves: bool | None, as_json: bool) -> None:
    """Show how far STATES are from solved and, for a single state, every move, best first.

    "-" in place of the states reads them from standard input, one per line.
    """
    if len(states) == 1 and states[0] != "-" and moves is not False:
        _print(lookups.lookup(source, states[0]), text.lookup, as_json)
        return
    many = [line.strip() for line in sys.stdin] if states == ("-",) else list(states)
    found = lookup_batch(source, many, moves=bool(moves))
    if as_json:
        click.echo(found)
    else:
        _print(orjson.loads(found), text.batch, as_json)


@cli.command(context_settings=_TAKES_STATES)
@_puzzle
@_state
@click.option("--states", is_flag=True, help="Show the state after each move.")
@click.option(
    "--all", "every", type=click.IntRange(1, MAX_SOLUTIONS), help="Show this many solutions, and how many there are."
)
@click.option("--offset", type=_OFFSET, default=0, show_default=True, help="Moves to skip.")
@click.option("--limit", type=click.IntRange(1, MAX_BATCH), default=MAX_BATCH, show_default=True, help="Moves to show.")
@_searching
def solve(source: Source, state: str, states: bool, every: int | None, offset: int, limit: int, as_json: bool) -> None:
    """Find a shortest solution of a state."""
    found = solutions.solve(source, state, states=states, every=every, offset=offset, limit=limit)
    _print(found, text.solution, as_json, text.solution_notes)


@cli.command(context_settings=_TAKES_STATES)
@_puzzle
@_state
@click.option("--level", type=click.IntRange(1, 4), default=1, show_default=True, help="How much help to give.")
@_searching
def hint(source: Source, state: str, level: int, as_json: bool) -> None:
    """Give help in steps: 1 the distance, 2 also what to move, 3 also a move, 4 also the solution."""
    _print(hints.hint(source, state, level), text.hint, as_json)


@cli.command(context_settings=_TAKES_STATES)
@_puzzle
@_state
@click.argument("moves", nargs=-1, callback=_refuse_options)
@click.option("--states", is_flag=True, help="MOVES are the states after each move.")
@click.option("--stars", help="Max wasted moves for three, two and one star, such as 0,4,any.")
@_searching
def grade(source: Source, state: str, moves: tuple[str, ...], states: bool, stars: str | None, as_json: bool) -> None:
    """Grade a game that begins at STATE. MOVES may be one word, such as "L R2'", or many."""
    played = [move for word in moves for move in word.split()]
    thresholds = DEFAULT_STARS if stars is None else _thresholds(stars)
    game = {"states": played} if states else {"moves": played}
    _print(grades.grade(source, state, **game, stars=thresholds), text.grade, as_json)


def _thresholds(stars: str) -> list[int | None]:
    """The value of --stars as numbers, with None for any."""
    try:
        return [None if part == "any" else int(part) for part in stars.split(",")]
    except ValueError:
        raise click.BadParameter(f"{stars!r} is not a list of numbers and 'any', such as 0,4,any") from None


@dataclass(frozen=True)
class _Draw:
    """The options of `random`: how hard the state has to be, and the key that makes the draw repeatable."""

    distance: int | None
    min_distance: int | None
    max_distance: int | None
    percentile: float | None
    seed: str | None
    daily: datetime | None

    def __post_init__(self) -> None:
        ranged = self.min_distance is not None or self.max_distance is not None
        if (self.distance is not None) + ranged + (self.percentile is not None) > 1:
            raise click.UsageError("give only one of --distance, --min and --max, and --percentile")
        if self.seed is not None and self.daily is not None:
            raise click.UsageError("give only one of --seed and --daily")


@cli.command("random")
@_puzzle
@_record(
    _Draw,
    "draw",
    click.option("--distance", type=click.IntRange(0), help="Exact distance from solved."),
    click.option("--min", "min_distance", type=click.IntRange(0), help="Min distance from solved."),
    click.option("--max", "max_distance", type=click.IntRange(0), help="Max distance from solved."),
    click.option("--percentile", type=_Number(0, 100), help="Percentage of states that are at most as far."),
    click.option("--seed", help="Any text; equal seeds give equal states."),
    click.option("--daily", type=click.DateTime(["%Y-%m-%d"]), help="Day whose state is wanted."),
)
@_searching
def random_state(source: Source, draw: _Draw, as_json: bool) -> None:
    """Draw a random state, as hard as you want, with a scramble that leads to it."""
    exact = draw.distance is not None
    found = random_states.random(
        source,
        min_distance=draw.distance if exact else draw.min_distance,
        max_distance=draw.distance if exact else draw.max_distance,
        percentile=draw.percentile,
        key=random_states.key(draw.seed, draw.daily.date() if draw.daily else None),
    )
    _print(found, text.random_state, as_json)


@cli.command()
@_puzzle
@_goal
@_json
@click.pass_obj
def histogram(data: Path, puzzle: Puzzle, goal: str | None, as_json: bool) -> None:
    """Show how many states lie at each distance."""
    _print(whole_tables.histogram(_open(data, puzzle, goal)), text.histogram, as_json)


@cli.command()
@_puzzle
@_goal
@click.option("--offset", type=_OFFSET, default=0, show_default=True, help="States to skip.")
@click.option("--limit", type=click.IntRange(1, ANTIPODES_KEPT), default=100, show_default=True, help="States to list.")
@_json
@click.pass_obj
def antipodes(data: Path, puzzle: Puzzle, goal: str | None, offset: int, limit: int, as_json: bool) -> None:
    """List the states farthest from solved."""
    found = whole_tables.antipodes(_open(data, puzzle, goal), offset, limit)
    _print(found, text.antipodes, as_json, text.antipodes_notes)


@cli.command(context_settings=_TAKES_STATES)
@_puzzle
@_state
@click.option("--style", help="Style of the picture. The default is the puzzle's first.")
@click.option("--output", type=_FILE, help="File to write. The default is standard output.")
def picture(puzzle: Puzzle, state: str, style: str | None, output: Path | None) -> None:
    """Draw a state as SVG."""
    drawn = pictures.drawn(puzzle, state, style)
    if output:
        output.write_text(drawn, "utf-8")
    else:
        click.echo(drawn)


@cli.command("sql")
@click.argument("query", required=False)
@click.option("--puzzle", help="Table that a stored query asks; other statements find it in the variable puzzle.")
@click.option("--list", "listed", is_flag=True, help="List the stored queries, and what each shows.")
@_record(
    Output,
    "output",
    click.option("--csv", is_flag=True, help="Print the last result as CSV."),
    click.option("--json", is_flag=True, help="Print the last result as an array of objects."),
    click.option("--parquet", type=_FILE, help="Write the last result to this Parquet file."),
    click.option(
        "--svg",
        type=_FILE,
        help="Draw the last result to this file. Its first column is the horizontal axis, the others are lines.",
    ),
    click.option(
        "--rows",
        type=click.IntRange(1, 10**9),
        default=Output.rows,
        show_default=True,
        help="Max rows to print as text.",
    ),
)
@_record(
    Limits,
    "limits",
    click.option(
        "--seconds",
        type=_Number(0.001, _MAX_SECONDS),
        default=DEFAULT_SECONDS,
        show_default=True,
        help="Time limit per statement, seconds.",
    ),
    click.option(
        "--memory",
        "memory_mb",
        type=click.IntRange(64, 10**9),
        default=DEFAULT_MEMORY_MB,
        show_default=True,
        help="Memory limit of DuckDB, megabytes.",
    ),
    _threads,
)
@click.pass_obj
def sql_session(
    data: Path, query: str | None, puzzle: str | None, listed: bool, output: Output, limits: Limits
) -> None:
    """Run SQL over every table. Without QUERY, open a prompt.

    QUERY is SQL, a file that ends in .sql, "-" for standard input, or the name of a stored query. docs/sql.md says what
    can be asked. No statement can change a table or reach another file.
    """
    from service.sql import prompt, statements

    if listed:
        _print(statements.listed_queries(), statements.listed_lines, output.json)
        return
    if output.formats > 1:
        raise click.UsageError("give only one of --csv, --json, --parquet and --svg")
    prompt.run(data, query, puzzle, limits, output, _complain)


@cli.command("export")
@_puzzle
@_goal
@click.option(
    "--parquet", type=_FILE, is_flag=False, flag_value="", help="File to write. The default is named like the table."
)
@click.option("--text", "with_text", is_flag=True, help="Write the text of each state too.")
@click.pass_obj
def export_table(data: Path, puzzle: Puzzle, goal: str | None, parquet: Path | None, with_text: bool) -> None:
    """Write a whole table, the index and distance of every state, to a Parquet file."""
    from service.sql.parquet import export

    source = _open(data, puzzle, goal)
    path = parquet if parquet and parquet.name else Path(f"{puzzle.table_name(source.goal)}.parquet")
    export(source, path, with_text=with_text)
    click.echo(f"{path}: {source.space.size:,} states, {path.stat().st_size:,} bytes")


@cli.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True, help="Port to listen at.")
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes that answer.")
@click.option(
    "--memory",
    "worker_memory",
    type=click.IntRange(1),
    show_default="half of what is free, shared, at most 4 GiB",
    envvar="PUZZLEBASE_MEMORY",
    help="Memory of each process, bytes: tables, spaces, oracles, searches and requests.",
)
@click.option("--log/--no-log", default=True, show_default=True, help="Log each request as JSON on standard error.")
@_record(
    SearchLimits,
    "limits",
    click.option(
        "--searches",
        "at_once",
        type=click.IntRange(1, 64),
        default=SearchLimits.at_once,
        show_default=True,
        help="Requests that may search at a time in each process.",
    ),
    click.option(
        "--search-states",
        "states",
        type=click.IntRange(0),
        default=SearchLimits.states,
        show_default=True,
        help="States the searches of a request may expand.",
    ),
    click.option(
        "--search-seconds",
        "seconds",
        type=_Number(0, _MAX_SECONDS),
        default=SearchLimits.seconds,
        show_default=True,
        help="Time limit of the searches of a request, seconds.",
    ),
    click.option(
        "--search-memory",
        "memory",
        type=click.IntRange(1),
        default=SearchLimits.memory,
        show_default=True,
        help="Memory limit of the searches of a request, bytes.",
    ),
)
@click.pass_obj
def serve_tables(
    data: Path, host: str, port: int, workers: int, worker_memory: int | None, log: bool, limits: SearchLimits
) -> None:
    """Answer over HTTP until stopped. New and rebuilt tables are served without a restart."""
    from service.http.server import serve
    from service.http.settings import Settings, default_memory

    serve(Settings(data, worker_memory or default_memory(workers), log, limits), host, port, workers)


if __name__ == "__main__":
    main()
