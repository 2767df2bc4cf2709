"""Charts of answers that are no rows of SQL: how turns mix, published experiments, and formulas."""

from __future__ import annotations

from puzzlebase.research.charts.chart import Chart, Style, chart_of
from puzzlebase.service.answers.experiments import ExperimentAnswer
from puzzlebase.service.answers.formulas import FormulaAnswer


def of_experiment(found: ExperimentAnswer) -> Chart:
    """The values of each method over all boards, sorted."""
    lines = found["lines"]
    rows = [(part, *values) for part, values in enumerate(zip(*lines.values(), strict=True))]
    style = Style(f"{found['family']}: {found['boards']:,} boards of each kind, seed {found['seed']}", "moves")
    return chart_of([found["axis"], *lines], rows, style)


def of_formula(found: FormulaAnswer) -> Chart:
    """Each quantity of the formulas by size, from the way that gives most."""
    name = "-".join(filter(None, (found["family"], found["variant"])))
    columns: list[str] = []
    by_size: dict[int, dict[str, int | None]] = {}
    for quantity in found["quantities"]:
        columns.append(quantity["name"])
        for value in quantity["values"]:
            known = (value["recurrence"], value["closed_form"], value["exact"])
            number = next((int(each) for each in known if each is not None), None)
            by_size.setdefault(value["n"], {})[quantity["name"]] = number
    rows = [(n, *(numbers.get(column) for column in columns)) for n, numbers in sorted(by_size.items())]
    return chart_of(["n", *columns], rows, Style(f"{name}: moves by size", "moves", log=True))
