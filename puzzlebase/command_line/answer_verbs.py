"""The verbs of answers: of a record, or of a function that a source of distances is given to."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.service.sources.budget import SearchLimits

if TYPE_CHECKING:
    from puzzlebase.paths import DataFolder
    from puzzlebase.puzzles import Puzzle
    from puzzlebase.service.answers.record import AnswerRecord

_EXTENSIBLE = "solve"  # the verb that plugins add options to; to look for them takes a while


def _half_of_memory() -> int:
    from puzzlebase.machine import spare_memory

    return spare_memory() // 2


def answer_verb(
    verb: Callable[..., Shown], may_search: Callable[[dict[str, Any]], bool] = lambda _: True
) -> options.Verb:
    """Make a verb of an answer from a source of distances,
    with the options of a search in case there is no table. Show its result.

    `may_search` tells the values of options that a search can meet.
    """

    @options.goal
    @click.option(
        "--max-states",
        type=click.IntRange(0),
        default=sys.maxsize,
        help="States a search may expand if there is no table.",
    )
    @options.with_default(
        "--max-seconds",
        type=options.SECONDS,
        default=SearchLimits.seconds,
        help="Time limit of a search, seconds.",
    )
    @click.option(
        "--memory",
        type=click.IntRange(1),
        default=_half_of_memory,
        help="Memory limit of a search, bytes. The default is half of the free memory.",
    )
    @options.as_json
    @click.pass_obj
    @wraps(verb)
    def with_source(
        data: DataFolder,
        /,
        puzzle: Puzzle,
        goal: str | None,
        max_states: int,
        max_seconds: float,
        memory: int,
        **given: Any,
    ) -> None:
        from puzzlebase.command_line.verb_sources import show_verb_of_source

        limits = SearchLimits(max_states, max_seconds, memory)
        show_verb_of_source(verb, data, puzzle, goal, limits, may_search=may_search(given), **given)

    return with_source


@cache
def command_of(record: AnswerRecord[..., Any]) -> click.Command:
    """The verb of an answer about a puzzle: an option for each field,
    and `--json`, or `--output` for a document.
    """

    def shown(*subject: Any, **given: Any) -> Shown:
        return Shown(
            record(*subject, **options.given_options(**given)), record.printed, record.notes
        )

    if record.subject == "state":
        verb = answer_verb(shown, record.may_search)
        if record.name == _EXTENSIBLE:
            verb = options.plugin_options(record.name)(verb)
    else:
        verb = _at_once(record, shown)
    verb = options.combined_options(map(options.option_of_field, record.fields.values()))(verb)
    verb = options.puzzle(verb)
    return click.command(
        record.name,
        help=record.sentence,
        context_settings=options.TAKES_STATES if "state" in record.fields else None,
    )(verb)


def _at_once(record: AnswerRecord[..., Any], verb: Callable[..., Shown]) -> options.Verb:
    """Give a verb the table of a puzzle, or a puzzle and its goal. Show its result."""

    @options.goal
    @(options.as_json if record.media == "application/json" else options.output)
    @click.pass_obj
    def with_subject(
        data: DataFolder,
        /,
        puzzle: Puzzle,
        goal: str | None,
        as_json: bool = False,
        output: Path | None = None,
        **given: Any,
    ) -> None:
        from puzzlebase.service.sources.sources import sources_of

        subject = (
            [sources_of(data).table(puzzle.name, goal)]
            if record.subject == "table"
            else [puzzle, puzzle.goal(goal)]
        )
        result = verb(*subject, **given)
        if output:
            output.write_text(result.answer, "utf-8")
        else:
            show(result, as_json)

    return with_subject
