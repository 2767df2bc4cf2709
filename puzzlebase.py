"""The command line: the same answers as over HTTP, for people or, with --json, for programs."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from functools import wraps
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import Any, Literal

import click
import orjson
from click.core import ParameterSource
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from builder import (
    BuildError,
    Estimate,
    Reporter,
    VerificationError,
    build,
    build_layers,
    build_oracle,
    certify_oracle,
    default_threads,
    describe,
    estimate,
    estimate_oracle,
    layers_needed,
    spare_memory,
    verify,
    verify_layers,
    verify_oracle,
    verify_sample,
)
from db import ANTIPODES_KEPT, DEFAULT_MEMORY, MissingTable, TableError, layers_path, oracle_path, table_path
from db.sql.limits import DEFAULT_MEMORY_MB, DEFAULT_SECONDS, Limits, QueryError
from puzzles import Goal, Puzzle, PuzzleError, find
from service.answers import answer, catalog, grades, hints, lookups, pictures, random_states, solutions, whole_tables
from service.answers.answer import MAX_BATCH
from service.answers.batches import lookup_batch
from service.answers.grades import DEFAULT_STARS
from service.answers.solutions import MAX_SOLUTIONS
from service.problems import InvalidRequest, problem_of
from service.sources.budget import Budget, SearchLimits
from service.sources.folder import Tables
from service.sources.search import OpenSearch, Searchable
from service.sources.source import Source
from service.sources.table import OpenTable

VERSION = version("puzzlebase")

_FAILED = 1
_WRONG_USE = 2


def main() -> None:
    """Run the command line; exit status 0, 1 for a failed check, 2 for wrong use."""
    _open_streams()
    try:
        cli.main(prog_name="puzzlebase", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(_WRONG_USE)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(128 + signal.SIGINT)
    except UnicodeError as error:
        click.echo(f"puzzlebase: the text is no Unicode: {error}", err=True)
        sys.exit(_WRONG_USE)
    except OSError as error:
        click.echo(f"puzzlebase: {error}", err=True)
        sys.exit(_FAILED)
    except (PuzzleError, TableError, InvalidRequest, QueryError, BuildError, VerificationError) as error:
        _complain(error)
        wrong_use = isinstance(error, PuzzleError | MissingTable | InvalidRequest | QueryError)
        sys.exit(_WRONG_USE if wrong_use else _FAILED)


def _open_streams() -> None:
    """Have standard streams even where the caller closed them, as `<&-` does: nothing to read, and nobody who reads."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _stop_at_signals(name: str) -> None:
    """Have Ctrl-C and SIGTERM end a build at once, with a word on how to go on.

    Finished layers are on disk and nothing else needs care, so there is nothing to unwind: an
    exception raised wherever a signal finds the program could leave a lock held and a thread waiting.
    """
    word = f"\nthe build of {name} was stopped; run the same command again: it goes on behind the last complete layer\n"

    def stop(number: int, _frame: object) -> None:
        os.write(2, word.encode())
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # as a job in the background ignores Ctrl-C
            signal.signal(number, stop)


def _complain(error: Exception) -> None:
    problem = problem_of(error)
    if problem and "--json" in sys.argv:
        click.echo(orjson.dumps(problem))
        return
    click.echo(f"puzzlebase: {error}", err=True)
    if hint := getattr(error, "hint", ""):
        click.echo(f"  {hint}", err=True)


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb; it ends as any program does whose reader, head say, has what it wanted: click would say 1."""
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
    help="Folder of the tables.",
)
@click.pass_context
def cli(context: click.Context, data: Path) -> None:
    """Exact distances and best moves of puzzles."""
    context.obj = data


_puzzle = click.argument("puzzle", callback=lambda _context, _parameter, name: find(name))
_goal = click.option("--goal", help="Name of the goal, by default the puzzle's first; or a state where any can be.")
_OF_STATES = {"ignore_unknown_options": True}
"""For verbs that take states: those of Panguru may begin with the hole, '-', and capitals."""


def _no_options(_context: click.Context, _parameter: click.Parameter, words: Any) -> Any:
    """Refuse what the line above lets through that is no state."""
    for word in [words] if isinstance(words, str) else words:
        if word.startswith("-") and word != "-" and not word[1:].isupper():
            raise click.NoSuchOption(word)
    return words


class _Number(click.FloatRange):
    """A number of a range; click finds nan in every one, which is neither less nor more than its ends."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if not -inf < number < inf:
            self.fail(f"{value!r} is no number", param, ctx)
        return number


_SECONDS = 10**9
"""The most that may be asked for, as over HTTP."""

_state = click.argument("state", callback=_no_options)
_offset = click.IntRange(0, 2**53)
_file = click.Path(dir_okay=False, path_type=Path)
_threads = click.option(
    "--threads",
    type=click.IntRange(1, 1024),
    default=default_threads,
    help="At most so many, by default one for each processor.",
)
_json = click.option("--json", "as_json", is_flag=True, help="Print the object that HTTP answers with.")


def _open(data: Path, puzzle: Puzzle, goal: str | None) -> OpenTable:
    return Tables(data).get(puzzle.name, goal)


_MEMORY = "Bytes that a search may hold, where there is no table; by default half of what is free."


def _searching(verb: Callable[..., None]) -> Callable[..., None]:
    """The options of a verb that answers from a table or, where there is none, by search; it is given a source."""

    @_goal
    @click.option(
        "--max-states", type=click.IntRange(0), help="States that a search may expand, where there is no table."
    )
    @click.option("--max-seconds", type=_Number(0, _SECONDS), help="Seconds that a search may take.")
    @click.option("--memory", type=click.IntRange(1), default=lambda: spare_memory() // 2, help=_MEMORY)
    @_json
    @click.pass_context
    @wraps(verb)
    def with_source(context: click.Context, /, **given: Any) -> None:
        tables, puzzle, goal = Tables(context.obj), given.pop("puzzle"), given.pop("goal")
        spend = given.pop("max_states"), given.pop("max_seconds"), given.pop("memory")
        try:
            source = tables.source(puzzle.name, goal)
        except MissingTable:
            if not puzzle.enumerable:
                raise
            with _budget(*spend) as budget:
                aim = puzzle.goal(goal)
                layers = tables.layers(puzzle.name, aim.name)
                verb(source=OpenSearch(Searchable.of(puzzle, aim, layers), budget), **given)
        else:
            verb(source=source, **given)

    return with_source


@contextmanager
def _budget(states: int | None, seconds: float | None, memory: int) -> Iterator[Budget]:
    """A budget that Ctrl-C ends too: what is proven by then is the answer. A terminal shows how far a search is."""
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


def _print(answer: Any, text: Callable[[Any], None], as_json: bool) -> None:
    if as_json:
        click.echo(orjson.dumps(answer))
    else:
        text(answer)


@cli.command("list")
@_json
@click.pass_obj
def list_(data: Path, as_json: bool) -> None:
    """Puzzles that have a table, and others worth naming."""

    def text(listed: catalog.Puzzles) -> None:
        rows = [("name", "title", "states", "God's number", "coverage")]
        for line in listed["puzzles"]:
            numbers = _number(line["states"]), _number(line["gods_number"])
            rows.append((line["name"], line["title"], *numbers, line["coverage"]))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())

    _print(catalog.puzzle_list(Tables(data)), text, as_json)


@cli.command()
@_puzzle
@_goal
@_json
@click.pass_obj
def info(data: Path, puzzle: Puzzle, goal: str | None, as_json: bool) -> None:
    """Moves, goals, notation and the table of a puzzle."""
    _print(catalog.about(Tables(data), puzzle, puzzle.goal(goal)), _print_info, as_json)


def _print_layers(known: catalog.PuzzleAnswer, path: Path) -> None:
    layers = known["layers"]
    assert layers is not None
    click.echo(
        f"{known['name']}, goal {layers['goal']}: layers 0 to {layers['depth']} in {path}, {layers['bytes']:,} bytes"
    )


def _print_info(known: catalog.PuzzleAnswer) -> None:
    table = known["table"]
    lines = {
        "puzzle": f"{known['name']} ({known['title']}, family {known['family']})",
        "moves": " ".join(move["move"] for move in known["moves"]),
        "goals": ", ".join(f"{goal['name']} (from {goal['start']})" for goal in known["goals"]),
        "state": known["notation"]["state"],
        "notation": known["notation"]["moves"],
        "examples": "  ".join(known["notation"]["examples"]),
        "states": _number(known["states"]),
        "God's number": _number(known["gods_number"]),
        "coverage": known["coverage"],
    }
    if table:
        of = "what the oracle answers from" if table["encoding"] == "oracle" else f"distances of {table['encoding']}"
        certified = (f"{proved['nodes']:,} {proved['graph']}" for proved in table["certificates"])
        lines |= {
            "stored": f"{of}, {table['bytes']:,} bytes",
            "built": table["built"] or "unknown",
            "digest": table["digest"],
            "certified": " and ".join(certified),
        }
    for name, line in lines.items():
        if line:
            click.echo(f"{name:>13}  {line}")


_Kind = Literal["table", "layers", "oracle"]


def _kind(puzzle: Puzzle, *, layers: bool, oracle: bool) -> _Kind:
    """What is built or verified; of a puzzle too large for tables it is the oracle, where there is one."""
    if oracle and not puzzle.oracle:
        raise click.UsageError(f"{puzzle.name} has no oracle; leave the option out for its table")
    if oracle or (puzzle.oracle and not puzzle.enumerable):
        return "oracle"
    return "layers" if layers else "table"


def _refuse(what: str, *options: str) -> None:
    """Refuse those of the options that were given: with what is built or verified they have no meaning."""
    context = click.get_current_context()
    for option in options:
        if context.get_parameter_source(option) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{option} does not go with {what}; leave it out")


@cli.command("build")
@_puzzle
@_goal
@_threads
@click.option("--depth", type=click.IntRange(0, 10**6), help="Only the layers up to this distance, for searches.")
@click.option("--oracle", is_flag=True, help="The data of the puzzle's oracle, where it has one, in place of a table.")
@click.option("--dry-run", is_flag=True, help="Only say what memory, disk and time it needs, and whether it fits.")
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

    A build that was stopped goes on behind its last complete layer when it is run again. With --depth
    it is the layers around the goal, which searches begin from where there is no table; of a puzzle too
    large for tables that has an oracle, and with --oracle, the data that the oracle answers from.
    """
    aim = puzzle.goal(goal)
    kind = _kind(puzzle, layers=depth is not None, oracle=oracle)
    if kind == "oracle":
        _refuse(f"the oracle of {puzzle.name}", "depth")
    elif kind == "layers":
        _refuse("layers, which are found as far as memory goes", "force")
    if dry_run:
        needed = _needed(data, puzzle, aim, kind, depth or 0, threads)
        _print(asdict(needed), lambda _: click.echo(describe(needed)), as_json)
        if kind != "layers":
            needed.check(puzzle.name)
        return
    if kind == "table":
        _stop_at_signals(puzzle.table_name(aim))
        path = build(puzzle, aim, data, VERSION, threads, force=force)
    elif kind == "layers":
        path = build_layers(puzzle, aim, depth or 0, data)
    else:
        assert puzzle.oracle
        path = build_oracle(puzzle, puzzle.oracle, data, force=force)
    tables = Tables(data)

    def text(known: catalog.PuzzleAnswer) -> None:
        if kind == "layers":
            _print_layers(known, path)
            return
        if kind == "table":
            _print_histogram(whole_tables.histogram(tables.get(puzzle.name, aim.name)))
            click.echo()
        _print_info(known)
        click.echo(f"{'file':>13}  {path}")

    _print(catalog.about(tables, puzzle, aim), text, as_json)


def _needed(data: Path, puzzle: Puzzle, goal: Goal, kind: _Kind, depth: int, threads: int) -> Estimate:
    if kind == "oracle":
        return estimate_oracle(oracle_path(data, puzzle.name))
    if kind == "layers":
        return layers_needed(puzzle, goal, depth, data)
    return estimate(puzzle.space(goal), table_path(data, puzzle.table_name(goal)), threads)


@cli.command("verify")
@_puzzle
@_goal
@_threads
@click.option("--sample", is_flag=True, help="A quick look: the header and random states, not every one.")
@click.option("--layers", is_flag=True, help="The stored layers, not the table.")
@click.option("--oracle", is_flag=True, help="The data of the puzzle's oracle, not the table.")
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
    aim = puzzle.goal(goal)
    if sample + layers + oracle > 1:
        raise click.UsageError("--sample, --layers and --oracle exclude one another; give one of them")
    kind = _kind(puzzle, layers=layers, oracle=oracle or certificate)
    if kind == "oracle":
        assert puzzle.oracle
        _refuse(f"the oracle of {puzzle.name}, which is checked in full", "sample", "layers")
        path = oracle_path(data, puzzle.name)
        verify_oracle(puzzle, puzzle.oracle, path, Reporter())
        found = f"{path} is sound: it gives every published distance"
        if certificate:
            found = "\n".join(certify_oracle(puzzle, puzzle.oracle, path.with_suffix(".certificate"), Reporter()))
    elif kind == "layers":
        path = layers_path(data, puzzle.table_name(aim))
        verify_layers(puzzle, aim, path, Reporter())
        found = f"{path} is sound: every state in it has the distance it should"
    elif sample:
        path = table_path(data, puzzle.table_name(aim))
        checked = verify_sample(puzzle, aim, path, Reporter())
        found = f"{path} passed a quick look at {checked:,} random distances"
    else:
        path = table_path(data, puzzle.table_name(aim))
        verify(puzzle, aim, path, threads, Reporter())
        found = f"{path} is sound: every state has the distance it should"
    _print(catalog.about(Tables(data), puzzle, aim), lambda _: click.echo(found), as_json)


@cli.command(context_settings=_OF_STATES)
@_puzzle
@click.argument("states", nargs=-1, required=True, callback=_no_options)
@click.option("--moves/--no-moves", default=None, help="Also every move; by default for one state, not for many.")
@_searching
def lookup(source: Source, states: tuple[str, ...], moves: bool | None, as_json: bool) -> None:
    """How far STATES are from solved, and for one state every move, best first.

    "-" in place of the states reads them from standard input, a line each.
    """
    if len(states) == 1 and states[0] != "-" and moves is not False:
        _print(lookups.lookup(source, states[0]), _print_lookup, as_json)
        return
    many = [line.strip() for line in sys.stdin] if states == ("-",) else list(states)
    found = lookup_batch(source, many, moves=bool(moves))
    if as_json:
        click.echo(found)
        return
    for result in orjson.loads(found)["results"]:
        if "problem" in result:
            click.echo(f"{result['state']}  {result['problem']['detail']}")
        elif moves:
            _print_lookup(result)
        else:
            _print_distance(result)


def _print_lookup(answer: lookups.LookupAnswer) -> None:
    _print_distance(answer)
    _print_moves(answer["moves"])


def _print_moves(moves: list[lookups.MoveAnswer]) -> None:
    for move in moves:
        delta = "" if move["delta"] is None else f"{move['delta']:+d}"
        best = "  optimal" if move["optimal"] else ""
        click.echo(f"  {move['move']:<5} {move['state']}  {_number(move['distance']):>6} {delta:>4}{best}")


@cli.command(context_settings=_OF_STATES)
@_puzzle
@_state
@click.option("--states", is_flag=True, help="Also give the states passed.")
@click.option("--all", "every", type=click.IntRange(1, MAX_SOLUTIONS), help="So many solutions, and their number.")
@click.option("--offset", type=_offset, default=0, show_default=True, help="Moves to skip.")
@click.option("--limit", type=click.IntRange(1, MAX_BATCH), default=MAX_BATCH, show_default=True, help="Moves to give.")
@_searching
def solve(source: Source, state: str, states: bool, every: int | None, offset: int, limit: int, as_json: bool) -> None:
    """A shortest solution of a state."""

    def text(answer: solutions.SolveAnswer) -> None:
        _print_distance(answer)
        if states:
            for move, passed in zip(("", *answer["solution"]), answer["states"], strict=True):
                click.echo(f"  {move:<5} {passed}")
        elif every is None:
            click.echo(" ".join(answer["solution"]))
        if every is not None:
            for line in answer["solutions"]:
                click.echo(" ".join(line))
            count = answer["optimal_count"]
            click.echo(f"{'too many to count' if count is None else count} shortest solutions", err=True)
        if answer["next"] is not None:
            click.echo(f"go on with --offset {answer['next']}", err=True)

    found = solutions.solve(source, state, states=states, every=every, offset=offset, limit=limit)
    _print(found, text, as_json)


@cli.command(context_settings=_OF_STATES)
@_puzzle
@_state
@click.option("--level", type=click.IntRange(1, 4), default=1, show_default=True, help="How much to tell.")
@_searching
def hint(source: Source, state: str, level: int, as_json: bool) -> None:
    """Help in steps: 1 the distance, 2 also what to move, 3 also a move, 4 also the solution."""

    def text(answer: hints.HintAnswer) -> None:
        _print_distance(answer)
        if level >= 2:
            click.echo(f"  move: {', '.join(answer['groups']) or 'nothing'}")
        if level >= 3:
            click.echo(f"  best: {answer['move'] or 'nothing'}")
        if level >= 4:
            click.echo(f"  all:  {' '.join(answer['solution'])}")

    _print(hints.hint(source, state, level), text, as_json)


@cli.command(context_settings=_OF_STATES)
@_puzzle
@_state
@click.argument("moves", nargs=-1, callback=_no_options)
@click.option("--states", is_flag=True, help="MOVES are the states passed.")
@click.option("--stars", help="Most wasted moves for three, two and one star, as 0,4,any.")
@_searching
def grade(source: Source, state: str, moves: tuple[str, ...], states: bool, stars: str | None, as_json: bool) -> None:
    """What a game from STATE was worth; MOVES may be one word, "L R2'", or many."""

    def text(answer: grades.GradeAnswer) -> None:
        _print_distance(answer)
        _print_moves(answer["steps"])
        if answer["illegal"]:
            click.echo(f"step {answer['illegal']['step']} is not legal: {answer['illegal']['reason']}")
        if mistake := answer["first_mistake"]:
            better = " or ".join(mistake["better"]) or "stopping, it was solved"
            click.echo(f"first mistake: step {mistake['step']}, {mistake['played']}; better: {better}")
        solved = "solved" if answer["solved"] else "not solved"
        wasted = "" if answer["wasted"] is None else f", {answer['wasted']} wasted"
        click.echo(f"{solved}, {answer['length']} moves{wasted}, {'★' * answer['stars'] or 'no star'}")

    played = [move for word in moves for move in word.split()]
    thresholds = DEFAULT_STARS if stars is None else _thresholds(stars)
    game = {"states": played} if states else {"moves": played}
    _print(grades.grade(source, state, **game, stars=thresholds), text, as_json)


def _thresholds(text: str) -> list[int | None]:
    try:
        return [None if part == "any" else int(part) for part in text.split(",")]
    except ValueError:
        raise click.BadParameter(f"{text!r} is not numbers and 'any' between commas, as 0,4,any") from None


@cli.command("random")
@_puzzle
@click.option("--distance", type=click.IntRange(0), help="Exactly so far.")
@click.option("--min", "least", type=click.IntRange(0), help="At least so far.")
@click.option("--max", "greatest", type=click.IntRange(0), help="At most so far.")
@click.option("--percentile", type=_Number(0, 100), help="So many per cent are at most as far.")
@click.option("--seed", help="Equal seeds give equal states.")
@click.option("--daily", type=click.DateTime(["%Y-%m-%d"]), help="The state of a day.")
@_searching
def random_state(
    source: Source,
    distance: int | None,
    least: int | None,
    greatest: int | None,
    percentile: float | None,
    seed: str | None,
    daily: datetime | None,
    as_json: bool,
) -> None:
    """A random state as hard as wanted, with a scramble that leads to it."""
    ranged = least is not None or greatest is not None
    if (distance is not None) + ranged + (percentile is not None) > 1:
        raise click.UsageError("give one of --distance, --min and --max, or --percentile")
    if seed is not None and daily is not None:
        raise click.UsageError("give one of --seed and --daily")
    if distance is not None:
        least = greatest = distance

    def text(answer: random_states.RandomAnswer) -> None:
        _print_distance(answer)
        if answer["percentile"] is not None:
            click.echo(f"  at least as hard as {answer['percentile']:.4g} % of all states")
        if answer["scramble"] is not None:
            click.echo(f"  scramble: {' '.join(answer['scramble'])}")

    key = random_states.key(seed, daily.date() if daily else None)
    found = random_states.random(source, least=least, greatest=greatest, percentile=percentile, key=key)
    _print(found, text, as_json)


@cli.command()
@_puzzle
@_goal
@_json
@click.pass_obj
def histogram(data: Path, puzzle: Puzzle, goal: str | None, as_json: bool) -> None:
    """How many states lie at each distance."""
    _print(whole_tables.histogram(_open(data, puzzle, goal)), _print_histogram, as_json)


_BARS = 100
"""More layers than these are printed in bands of several distances."""


def _print_histogram(answer: whole_tables.Histogram) -> None:
    layers = answer["layers"]
    if not layers:
        click.echo(f"{answer['puzzle']}, goal {answer['goal']}: none of {answer['states']:,} states can reach it")
        return
    band = -(-len(layers) // _BARS)
    bars = [sum(layers[first : first + band]) for first in range(0, len(layers), band)]
    widest, digits, total = len(f"{max(bars):,}"), max(len(str(len(layers) - 1)), 4), sum(layers)
    click.echo(f"{answer['puzzle']}, goal {answer['goal']}: states at each distance")
    for first, states in zip(range(0, len(layers), band), bars, strict=True):
        last = min(first + band, len(layers)) - 1
        distances = f"{first:>{digits}}" + (f" to {last:<{digits}}" if band > 1 else "")
        bar = "█" * round(40 * states / max(bars))
        click.echo(f"  {distances}  {states:>{widest},}  {states / total:7.3%}  {bar}".rstrip())
    click.echo(f"  {total:,} states, God's number {len(layers) - 1:,}, mean {answer['mean']:,.3f}")


@cli.command()
@_puzzle
@_goal
@click.option("--offset", type=_offset, default=0, show_default=True, help="How many to skip.")
@click.option("--limit", type=click.IntRange(1, ANTIPODES_KEPT), default=100, show_default=True, help="How many.")
@_json
@click.pass_obj
def antipodes(data: Path, puzzle: Puzzle, goal: str | None, offset: int, limit: int, as_json: bool) -> None:
    """The states farthest from solved."""

    def text(answer: whole_tables.Antipodes) -> None:
        for state in answer["states"]:
            click.echo(state)
        rest = f"; go on with --offset {answer['next']}" if answer["next"] is not None else ""
        click.echo(f"{answer['count']:,} states at distance {answer['distance']}{rest}", err=True)

    _print(whole_tables.antipodes(_open(data, puzzle, goal), offset, limit), text, as_json)


@cli.command(context_settings=_OF_STATES)
@_puzzle
@_state
@click.option("--style", help="Which of the puzzle's pictures, by default the first.")
@click.option("--output", type=_file, help="A file in place of standard output.")
def picture(puzzle: Puzzle, state: str, style: str | None, output: Path | None) -> None:
    """A state drawn as SVG."""
    drawn = pictures.drawn(puzzle, state, style)
    if output:
        output.write_text(drawn, "utf-8")
    else:
        click.echo(drawn)


_AT_ONCE = "Requests of each process that may search at a time."


@cli.command("sql")
@click.argument("query", required=False)
@click.option("--puzzle", help="The table that queries of the list ask; elsewhere the variable puzzle.")
@click.option("--list", "listed", is_flag=True, help="Name the queries there are, and what each shows.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the last result as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print the last result as an array of objects.")
@click.option("--parquet", type=_file, help="Write the last result to this file.")
@click.option("--svg", type=_file, help="Draw the last result: its first column to the right, the others as lines.")
@click.option(
    "--rows", "most", type=click.IntRange(1, 10**9), default=100, show_default=True, help="Most rows to print as text."
)
@click.option(
    "--seconds", type=_Number(0.001, _SECONDS), default=DEFAULT_SECONDS, show_default=True, help="A statement's most."
)
@click.option(
    "--memory",
    type=click.IntRange(64, 10**9),
    default=DEFAULT_MEMORY_MB,
    show_default=True,
    help="Megabytes of DuckDB's own.",
)
@_threads
@click.pass_obj
def sql_session(
    data: Path,
    query: str | None,
    puzzle: str | None,
    listed: bool,
    as_csv: bool,
    as_json: bool,
    parquet: Path | None,
    svg: Path | None,
    most: int,
    seconds: float,
    memory: int,
    threads: int,
) -> None:
    """SQL over every table: QUERY is SQL, a file of it, "-", or the name of a query; without it, a prompt.

    docs/sql.md tells what can be asked. Nothing asked can change a table or touch another file.
    """
    from service.sql import prompt as console

    if listed:
        console.print_queries(as_json)
        return
    show = console.showing(as_csv, as_json, parquet, svg, most)
    console.run(data, query, puzzle, Limits(seconds, memory, threads), show, _complain)


@cli.command("export")
@_puzzle
@_goal
@click.option("--parquet", type=_file, is_flag=False, flag_value="", help="The file, by default named like the table.")
@click.option("--text", is_flag=True, help="Also each state's text.")
@click.pass_obj
def export_table(data: Path, puzzle: Puzzle, goal: str | None, parquet: Path | None, text: bool) -> None:
    """Write a whole table, index and distance of every state, to a Parquet file."""
    from service.sql import formats as rows

    opened = _open(data, puzzle, goal)
    path = parquet if parquet and parquet.name else Path(f"{puzzle.table_name(opened.goal)}.parquet")
    rows.export(opened, path, with_text=text)
    click.echo(f"{path}: {opened.space.size:,} states, {path.stat().st_size:,} bytes")


@cli.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True)
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes.")
@click.option(
    "--memory",
    type=click.IntRange(1),
    default=DEFAULT_MEMORY,
    show_default=True,
    envvar="PUZZLEBASE_MEMORY",
    help="Bytes of distances each open table may hold in each process.",
)
@click.option("--log/--no-log", default=True, show_default=True, help="A line of JSON a request, on standard error.")
@click.option("--searches", type=click.IntRange(1, 64), default=SearchLimits.at_once, show_default=True, help=_AT_ONCE)
@click.option(
    "--search-states",
    type=click.IntRange(0),
    default=SearchLimits.states,
    show_default=True,
    help="States one may expand.",
)
@click.option(
    "--search-seconds",
    type=_Number(0, _SECONDS),
    default=SearchLimits.seconds,
    show_default=True,
    help="How long it may take.",
)
@click.option(
    "--search-memory", type=click.IntRange(1), default=SearchLimits.memory, show_default=True, help="Bytes it may hold."
)
@click.pass_obj
def serve_tables(
    data: Path,
    host: str,
    port: int,
    workers: int,
    memory: int,
    log: bool,
    searches: int,
    search_states: int,
    search_seconds: float,
    search_memory: int,
) -> None:
    """Answer over HTTP until stopped; new and rebuilt tables are served without a restart."""
    from service.http.server import serve
    from service.http.settings import Settings

    limits = SearchLimits(search_states, search_seconds, search_memory, searches)
    serve(Settings(data, memory, log, limits), host, port, workers)


def _print_distance(answer: answer.Answer) -> None:
    distance = answer["distance"]
    what = "cannot reach the goal" if distance is None else f"distance {distance}"
    if not answer["exact"]:
        what = f"at least {answer['lower_bound']} moves from the goal; the search ended before it knew"
    click.echo(f"{answer['state']}  {what} ({answer['source']})")


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


if __name__ == "__main__":
    main()
