"""A definition file as it is understood, in words or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from puzzlebase.builder.preflight import Shortage, estimate_table
from puzzlebase.plugins.definitions.definition_file import MOVES, DefinitionFile
from puzzlebase.plugins.definitions.goal_sets import SetGoal
from puzzlebase.plugins.definitions.moves import all_moves
from puzzlebase.plugins.definitions.puzzle import patterns_of
from puzzlebase.plugins.definitions.space import Numbered
from puzzlebase.plugins.definitions.state_counts import Count
from puzzlebase.plugins.definitions.text import Texts
from puzzlebase.plugins.text_templates import text_template
from puzzlebase.puzzles import Goal, Puzzle, all_families
from puzzlebase.terminal_text import fact_line

_NO_TABLE = "met", "none"  # ways to number states of which there are too many for one

_ABOUT = ("sentence", "instructions", "inventor", "link")


def report(
    file: DefinitionFile, threads: int, words: Sequence[str] = (), goal_name: str | None = None
) -> dict[str, Any]:
    """The answer of `puzzlebase check` about a file, with all or some moves; raises PuzzleError."""
    name, _, definition = file.with_moves(MOVES.join([file.name, *words]))
    moves = all_moves(definition)
    puzzle = file.puzzle(name)
    goal = puzzle.goal(goal_name)
    numbered = (
        goal.among.numbered if isinstance(goal, SetGoal) else Numbered(Texts(definition), moves)
    )
    count = _states_of(numbered)
    patterns = patterns_of(name, definition) if definition.is_large else None
    places = len(definition.labels)
    still = places - sum(len(block.places) for block in numbered.blocks)
    groups = dict.fromkeys(each.group for each in puzzle.moves)
    return {
        "file": str(file.path),
        "name": name,
        "title": definition.title,
        "sets": [
            f"{each.name}: {each.places} pieces"
            + (f", {each.orientations} orientations" if each.orientations > 1 else "")
            for each in definition.sets
        ],
        **{name: getattr(definition.remarks.about, name) for name in _ABOUT},
        "groups": {
            group: [each.name for each in puzzle.moves if each.group == group] for group in groups
        },
        "rows": {name: [*rows] for name, rows in definition.remarks.rows.items()},
        "metrics": [*_metrics(file, words)],
        "solved": numbered.texts.solved,
        "states": count.states if count.readable else count.words,
        "exact": count.exact,
        "way": numbered.numbering.kind,
        "numbers": numbered.numbering.size,
        "patterns": [*_patterns(patterns)],
        "notes": [
            *definition.notes,
            *([f"{still} of {places} pieces never change"] if still else ()),
        ],
        "unused": definition.unused,
        "table": _estimate(puzzle, goal, numbered, threads),
        "clash": next(
            (
                family.title
                for family in all_families()
                if family.pattern.fullmatch(file.name) and family.place < 200
            ),
            None,
        ),
    }


def _states_of(numbered: Numbered) -> Count:
    """The number of states that moves lead to,
    or the closest bound that counting or numbering them gives.
    """
    count, (kind, numbers, _) = numbered.count, numbered.numbering
    if numbers is None or count.exact:
        return count
    return Count(
        min(numbers, count.states), kind == "list", numbers if kind == "list" else count.at_least
    )


def _estimate(puzzle: Puzzle, goal: Goal, numbered: Numbered, threads: int) -> str | None:
    """The needs of a goal's table, in words,
    with a note if they do not fit; None without a table.
    """
    if numbered.numbering.kind in _NO_TABLE:
        return None
    estimate = estimate_table(puzzle.space(goal), Path("data", "table"), threads)
    try:
        estimate.check(puzzle.name)
    except Shortage:
        return f"{estimate.needs}; this does not fit here"
    return estimate.needs


def _patterns(patterns: Any | None) -> Iterator[dict[str, Any]]:
    """The patterns that a build makes."""
    for name, chosen in patterns.chosen.items() if patterns else ():
        yield {
            "name": name,
            "states": chosen.states,
            "stored": chosen.stored,
            "views": len(chosen.views),
            "bytes": chosen.stored // 2,
        }


def _metrics(file: DefinitionFile, words: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The puzzles with their moves, one for each metric, or one with some moves."""
    for metric in [file.name] if words else file.family.members:
        name, _, definition = file.with_moves(MOVES.join([metric, *words]))
        yield {"name": name, "moves": [move.name for move in all_moves(definition)]}


def report_lines(answer: dict[str, Any]) -> Iterator[str]:
    """The lines of a report for people."""
    template = text_template(__package__, "report.txt")
    yield template.render(answer, answer=answer, fact=fact_line).rstrip("\n")
