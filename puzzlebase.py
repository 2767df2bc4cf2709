"""The command line: the same answers as over HTTP, for people or, with --json, for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
import orjson

from builder import BuildError, Reporter, VerificationError, build, default_threads, verify
from db import DEFAULT_MEMORY, MissingTable, TableError, table_path
from puzzles import Puzzle, PuzzleError, find
from service import answers, pictures
from service.problems import problem_of
from service.server import serve
from service.tables import OpenTable, Tables

VERSION = version("puzzlebase")

_FAILED = 1
_WRONG_USE = 2


def main() -> None:
    """Run the command line; exit status 0, 1 for a failed check, 2 for wrong use."""
    try:
        cli.main(prog_name="puzzlebase", standalone_mode=False)
    except BrokenPipeError:  # the reader, head say, has what it wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except click.ClickException as error:
        error.show()
        sys.exit(_WRONG_USE)
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped; a table that was there before is still there", err=True)
        sys.exit(130)
    except (PuzzleError, TableError, BuildError, VerificationError) as error:
        _complain(error)
        sys.exit(_WRONG_USE if isinstance(error, PuzzleError | MissingTable) else _FAILED)


def _complain(error: Exception) -> None:
    problem = problem_of(error)
    if problem and "--json" in sys.argv:
        click.echo(orjson.dumps(problem))
        return
    click.echo(f"puzzlebase: {error}", err=True)
    if hint := getattr(error, "hint", ""):
        click.echo(f"  {hint}", err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
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
_goal = click.option("--goal", help="Name of the goal, by default the puzzle's first.")
_state = click.argument("state")
_threads = click.option(
    "--threads", type=click.IntRange(1, 1024), default=default_threads, help="By default one for each processor."
)
_json = click.option("--json", "as_json", is_flag=True, help="Print the object that HTTP answers with.")


def _open(data: Path, puzzle: Puzzle, goal: str | None) -> OpenTable:
    return Tables(data).get(puzzle, puzzle.goal(goal))


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

    def text(listed: answers.Puzzles) -> None:
        rows = [("name", "title", "states", "God's number", "coverage")]
        for line in listed["puzzles"]:
            numbers = _number(line["states"]), _number(line["gods_number"])
            rows.append((line["name"], line["title"], *numbers, line["coverage"]))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())

    _print(answers.puzzle_list(Tables(data)), text, as_json)


@cli.command()
@_puzzle
@_goal
@_json
@click.pass_obj
def info(data: Path, puzzle: Puzzle, goal: str | None, as_json: bool) -> None:
    """Moves, goals, notation and the table of a puzzle."""
    _print(answers.about(Tables(data), puzzle, puzzle.goal(goal)), _print_info, as_json)


def _print_info(known: answers.PuzzleAnswer) -> None:
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
        certified = (f"{proved['nodes']:,} {proved['graph']}" for proved in table["certificates"])
        lines |= {
            "stored": f"distances of {table['encoding']}, {table['bytes']:,} bytes",
            "built": table["built"] or "unknown",
            "digest": table["digest"],
            "certified": " and ".join(certified),
        }
    for name, line in lines.items():
        click.echo(f"{name:>13}  {line}")


@cli.command("build")
@_puzzle
@_goal
@_threads
@_json
@click.pass_obj
def build_table(data: Path, puzzle: Puzzle, goal: str | None, threads: int, as_json: bool) -> None:
    """Build the table of a puzzle, verify it and print its histogram."""
    aim = puzzle.goal(goal)
    path = build(puzzle, aim, data, VERSION, threads)
    tables = Tables(data)

    def text(known: answers.PuzzleAnswer) -> None:
        _print_histogram(answers.histogram(tables.get(puzzle, aim)))
        click.echo()
        _print_info(known)
        click.echo(f"{'file':>13}  {path}")

    _print(answers.about(tables, puzzle, aim), text, as_json)


@cli.command("verify")
@_puzzle
@_goal
@_threads
@_json
@click.pass_obj
def verify_table(data: Path, puzzle: Puzzle, goal: str | None, threads: int, as_json: bool) -> None:
    """Check a stored table again: every checksum, every count, the certificate of every state."""
    aim = puzzle.goal(goal)
    path = table_path(data, puzzle.table_name(aim))
    verify(puzzle, aim, path, threads, Reporter())
    known = answers.about(Tables(data), puzzle, aim)
    _print(known, lambda _: click.echo(f"{path} is sound: every state has the distance it should"), as_json)


@cli.command()
@_puzzle
@_state
@_goal
@_json
@click.pass_obj
def lookup(data: Path, puzzle: Puzzle, state: str, goal: str | None, as_json: bool) -> None:
    """How far a state is from solved, and every move, best first."""

    def text(answer: answers.LookupAnswer) -> None:
        _print_distance(answer)
        for move in answer["moves"]:
            delta = "" if move["delta"] is None else f"{move['delta']:+d}"
            best = "  optimal" if move["optimal"] else ""
            click.echo(f"  {move['move']:<5} {move['state']}  {_number(move['distance']):>6} {delta:>4}{best}")

    _print(answers.lookup(_open(data, puzzle, goal), state), text, as_json)


@cli.command()
@_puzzle
@_state
@_goal
@click.option("--states", is_flag=True, help="Also give the states passed.")
@_json
@click.pass_obj
def solve(data: Path, puzzle: Puzzle, state: str, goal: str | None, states: bool, as_json: bool) -> None:
    """A shortest solution of a state."""

    def text(answer: answers.SolveAnswer) -> None:
        _print_distance(answer)
        if not states:
            click.echo(" ".join(answer["solution"]))
            return
        for move, passed in zip(("", *answer["solution"]), answer["states"], strict=True):
            click.echo(f"  {move:<5} {passed}")

    _print(answers.solve(_open(data, puzzle, goal), state, states=states), text, as_json)


@cli.command()
@_puzzle
@_goal
@_json
@click.pass_obj
def histogram(data: Path, puzzle: Puzzle, goal: str | None, as_json: bool) -> None:
    """How many states lie at each distance."""
    _print(answers.histogram(_open(data, puzzle, goal)), _print_histogram, as_json)


def _print_histogram(answer: answers.Histogram) -> None:
    layers = answer["layers"]
    widest = len(f"{max(layers):,}")
    click.echo(f"{answer['puzzle']}, goal {answer['goal']}: states at each distance")
    for distance, states in enumerate(layers):
        share = states / sum(layers)
        click.echo(
            f"  {distance:>4}  {states:>{widest},}  {share:7.3%}  {'█' * round(40 * states / max(layers))}".rstrip()
        )
    click.echo(f"  {sum(layers):,} states, God's number {answer['gods_number']}, mean {answer['mean']:.3f}")


@cli.command()
@_puzzle
@_goal
@click.option("--offset", type=click.IntRange(0), default=0, show_default=True, help="How many to skip.")
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="How many to give.")
@_json
@click.pass_obj
def antipodes(data: Path, puzzle: Puzzle, goal: str | None, offset: int, limit: int, as_json: bool) -> None:
    """The states farthest from solved."""

    def text(answer: answers.Antipodes) -> None:
        for state in answer["states"]:
            click.echo(state)
        rest = f"; go on with --offset {answer['next']}" if answer["next"] is not None else ""
        click.echo(f"{answer['count']:,} states at distance {answer['distance']}{rest}", err=True)

    _print(answers.antipodes(_open(data, puzzle, goal), offset, limit), text, as_json)


@cli.command()
@_puzzle
@_state
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A file in place of standard output.")
def picture(puzzle: Puzzle, state: str, output: Path | None) -> None:
    """A state drawn as SVG."""
    drawn = pictures.svg(puzzle.picture(state), f"{puzzle.title}: {state}")
    if output:
        output.write_text(drawn, "utf-8")
    else:
        click.echo(drawn)


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
@click.pass_obj
def serve_tables(data: Path, host: str, port: int, workers: int, memory: int) -> None:
    """Answer over HTTP until stopped; new and rebuilt tables are served without a restart."""
    serve(data, host, port, workers, memory)


def _print_distance(answer: answers.Answer) -> None:
    distance = answer["distance"]
    what = "cannot reach the goal" if distance is None else f"distance {distance}"
    click.echo(f"{answer['state']}  {what} ({answer['source']})")


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


if __name__ == "__main__":
    main()
