"""Published experiments, run again: their numbers, what their methods give here, and what is known now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from puzzlebase import plugins
from puzzlebase.puzzles import Family, all_families
from puzzlebase.puzzles.contract.errors import shorten
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.tools.experiments.record import Experiment, Finding

_EXTRA = "experiment"  # the name of what a family with an experiment has for this tool: an Experiment


class ExperimentAnswer(TypedDict):
    """An experiment that was run again."""

    family: Annotated[str, Field(description="name of the family of puzzles")]
    source: Annotated[str, Field(description="who published the experiment")]
    boards: Annotated[int, Field(description="number of boards of each kind")]
    seed: Annotated[int, Field(description="what they were drawn from")]
    numbers: Annotated[list[Finding], Field(description="the numbers, by figure")]
    axis: Annotated[str, Field(description="what the rows of `lines` are over")]
    lines: Annotated[dict[str, list[float]], Field(description="values over all boards, sorted, in 101 steps")]


def families() -> dict[str, Family]:
    """The families that have an experiment, by name."""
    return {family.name: family for family in all_families() if _EXTRA in family.extra}


def family_of(name: str) -> Family:
    """The family of a name that has an experiment; raises InvalidRequest."""
    known = families()
    if name not in known:
        raise InvalidRequest(
            f"there is no experiment with {shorten(name)!r}", f"families that have one are: {', '.join(known)}"
        )
    return known[name]


def experiment(family: Family, boards: int, seed: int, report: Callable[[float], None]) -> ExperimentAnswer:
    """Run the experiment of a family over so many boards; `report` is told what part is done."""
    published: Experiment = plugins.attribute(family.extra[_EXTRA])
    found = published.run(boards, seed, report)
    return {
        "family": family.name,
        "source": published.source,
        "boards": boards,
        "seed": seed,
        "numbers": found.numbers,
        "axis": found.axis,
        "lines": {
            name: [values[round((boards - 1) * part / 100)] for part in range(101)]
            for name, values in found.lines.items()
        },
    }


def drawn(found: ExperimentAnswer) -> dict[str, Any]:
    """The values of each method over all boards, sorted, as a writer draws them."""
    lines = found["lines"]
    return {
        "columns": [found["axis"], *lines],
        "rows": [(part, *values) for part, values in enumerate(zip(*lines.values(), strict=True))],
        "title": f"{found['family']}: {found['boards']:,} boards of each kind, seed {found['seed']}",
        "unit": "moves",
    }
