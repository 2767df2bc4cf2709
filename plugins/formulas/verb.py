"""The verb formula: its options and its text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.plugins.formulas.answer import (
    DEFAULT_SIZES,
    FormulaAnswer,
    FormulaQuantity,
    FormulaValue,
    formula,
)
from puzzlebase.service.answers.text import number
from puzzlebase.terminal_text import align_columns, fold_line


@click.command()
@click.argument("name")
@click.option("--variant", help="Variant of the family, such as nnn. The default is its first.")
@click.option(
    "--disks",
    "sizes",
    default=DEFAULT_SIZES,
    show_default=True,
    help="Disks, or tiles of a tower: N, FIRST-LAST, or several of these with commas.",
)
@options.as_json
@options.data_option
def verb(data: Path, name: str, variant: str | None, sizes: str, as_json: bool) -> None:
    """Show how many moves solutions take, for any size.

    The numbers come from a recurrence, a closed form and, if there is a table or an oracle, from
    its exact values. NAME is a family, hanoi or panex; or a family and a variant, such as
    hanoi-nnn.
    """
    from puzzlebase.command_line.verb_sources import header_sources_of_verb

    show(Shown(formula(header_sources_of_verb(data), name, variant, sizes), _lines), as_json)


def _lines(answer: FormulaAnswer) -> Iterator[str]:
    """A table for each quantity: its values by every method, for the sizes that have one."""
    name = (
        answer["family"] if answer["variant"] is None else f"{answer['family']} {answer['variant']}"
    )
    for at, quantity in enumerate(filter(_given, answer["quantities"])):
        if at:
            yield ""
        limit = f"; its limit is {quantity['limit']}" if quantity["limit"] else ""
        yield fold_line(f"{name}, {quantity['name']}: {quantity['meaning']}{limit}", 2)
        rows: list[tuple[str, ...]] = [("n", "recurrence", "closed form", "exact", "", "ratio")]
        for value in _given(quantity):
            ratio = "" if value["ratio"] is None else f"{value['ratio']:.10f}"
            rows.append(
                (
                    str(value["n"]),
                    number(value["recurrence"]),
                    number(value["closed_form"]),
                    number(value["exact"]),
                    {True: "equal", False: "NOT EQUAL", None: ""}[value["equal"]],
                    ratio,
                )
            )
        yield from align_columns(rows, range(6))


def _given(quantity: FormulaQuantity) -> list[FormulaValue]:
    return [
        each
        for each in quantity["values"]
        if {each["recurrence"], each["closed_form"], each["exact"]} != {None}
    ]
