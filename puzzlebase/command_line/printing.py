"""What verbs print: answers as text or JSON, and errors with their remedy."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

import click
import orjson

from puzzlebase.service.problems import problem_of


def show(
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


def complain(error: Exception) -> None:
    """Print an error with its hint; with --json, as the problem that HTTP answers with."""
    problem = problem_of(error)
    if problem and "--json" in sys.argv:
        click.echo(orjson.dumps(problem))
        return
    click.echo(f"puzzlebase: {error}", err=True)
    if hint := getattr(error, "hint", ""):
        click.echo(f"  {hint}", err=True)
