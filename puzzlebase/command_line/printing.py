"""Prints answers of verbs, as text or JSON, and errors with their remedy."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import click
import orjson

from puzzlebase.puzzles.contract.errors import UnknownPuzzle
from puzzlebase.service.error_status import problem_of
from puzzlebase.service.exact_json import to_json
from puzzlebase.terminal_text import fold_line

Lines = Callable[[Any], Iterable[str]]


@dataclass(frozen=True)
class Shown:
    """The result of a verb: an answer, its text for people, and notes for standard error."""

    answer: Any
    lines: Lines
    notes: Lines = lambda _: ()
    # then the exit status is 1: the answer says that something asked about is not in order
    failed: bool = False


def show(shown: Shown, as_json: bool) -> None:
    """Print an answer as JSON, or its lines for people, with notes on standard error."""
    if as_json:
        click.echo(to_json(shown.answer))
        return
    for line in shown.lines(shown.answer):
        click.echo(line)
    for note in shown.notes(shown.answer):
        print_note(note)


def print_note(line: str, indent: int = 0) -> None:
    """Print a line on standard error, folded between words on a terminal."""
    click.echo(fold_line(line, indent, sys.stderr), err=True)


def say_unreadable() -> bool:
    """Print each error of files in the folders of puzzles,
    and what is not used of the others; return True if there is an error.
    """
    from puzzlebase.puzzles.discovery import all_families, unreadable

    errors = dict.fromkeys(unreadable().values())
    for error in errors:
        print_note(f"puzzlebase: {error}")
        print_note(f"  {error.hint}", 2)
    for family in all_families():
        say_unused(family.unused)
    return bool(errors)


def say_unused(sentences: Iterable[str]) -> None:
    """Print what is not used of a file of puzzles."""
    for sentence in sentences:
        print_note(f"puzzlebase: {sentence}")


def complain(error: Exception) -> None:
    """Print an error with its hint; with --json, as the problem that HTTP answers with."""
    problem = problem_of(error)
    if problem and "--json" in sys.argv:
        click.echo(orjson.dumps(problem))
        return
    print_note(f"puzzlebase: {error}")
    if hint := getattr(error, "hint", ""):
        print_note(f"  {hint}", 2)
    if type(error) is UnknownPuzzle:  # others name their file
        from puzzlebase.puzzles.discovery import searched

        for line in searched():
            print_note(f"  {line}", 2)
