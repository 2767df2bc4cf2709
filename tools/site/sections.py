"""The sections of a table's page: each is a function, whose docstring names it where it could not be drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isfinite

from puzzlebase.db.errors import MissingTable
from puzzlebase.puzzles import all_families, drawing_of
from puzzlebase.service.answers import whole_tables
from puzzlebase.service.answers.random_states import WALKS
from puzzlebase.tools.charts.chart import Style, chart_of_rows
from puzzlebase.tools.formulas.answer import FormulaAnswer, formula, formulas_of
from puzzlebase.tools.formulas.answer import drawn as drawn_formula
from puzzlebase.tools.mixing.answer import MixingAnswer, mixing
from puzzlebase.tools.mixing.answer import drawn as drawn_mixing
from puzzlebase.tools.site.results import PageSection, Results

_ANTIPODES = 6
_SIZES = 20  # of the formulas
_NEARLY_MIXED = (0.01, 0.001)


def layers(results: Results) -> PageSection:
    """The states at each distance."""
    found = whole_tables.histogram(results.source)
    title = f"{results.name}: states by distance"
    styles = {"layers": Style(title), "layers-log": Style(f"{title}, logarithmic", log=True)}
    text = (
        f"{sum(found['layers']):,} states can be solved, the farthest in {found['gods_number'] or 0:,} moves, and on "
        f"average in {found['mean']:,.3f}."
    )
    figures = results.charts("layers", styles)
    return PageSection("layers", "States by distance", text, figures, [results.command("histogram")])


def antipodes(results: Results) -> PageSection:
    """The states farthest from solved, some of them drawn."""
    found = whole_tables.antipodes(results.source, 0, _ANTIPODES)
    states = enumerate(found["states"], 1)
    figures = [results.picture(f"antipode-{number}.svg", state, state) for number, state in states]
    listed = f" The first {len(figures)} of them:" if found["count"] > len(figures) else ""
    many = "1 state needs" if found["count"] == 1 else f"{found['count']:,} states need"
    text = f"{many} {found['distance'] or 0:,} moves.{listed}"
    query = f"puzzlebase sql antipodes --puzzle {results.name}"
    commands = [results.command("antipodes", "--limit", f"{_ANTIPODES}"), query]
    return PageSection("antipodes", "Farthest from solved", text, figures, commands, small=True)


def mixed(results: Results) -> PageSection:
    """The mixing by random turns, for each walk that was computed."""
    figures = []
    for walk in WALKS:
        try:
            found = mixing(results.source, walk)
        except MissingTable:
            continue
        words = ["mixing", results.puzzle.name, *results.goal_words, "--walk", walk]
        words += ["--turns", str(len(found["turns"]) - 1), "-o"]
        chart = results.drawn(chart_of_rows(**drawn_mixing(found)), f"mixing-{walk}.svg", words)
        figures.append(replace(chart, caption=f"{WALKS[walk].capitalize()}. {_turns_needed(found)}"))
    text = "Exactly, over all states: the total variation distance from all states being equally likely."
    return PageSection("mixing", "How random turns mix it", text, figures)


def _turns_needed(found: MixingAnswer) -> str:
    """The turns after which little is left, as far as that was computed."""
    facts = []
    for little in _NEARLY_MIXED:
        turn = next((turn["turn"] for turn in found["turns"] if turn["from_uniform"] < little), None)
        if turn is not None:
            facts.append(f"less than {100 * little:g} % from uniform after {turn} turns")
    last = found["turns"][-1]
    facts.append(f"{100 * last['from_uniform']:.3g} % after {last['turn']}")
    return f"{'; '.join(facts).capitalize()}."


def choices(results: Results) -> PageSection:
    """The moves that lead nearer, as far and farther."""
    text = "Of a state's moves, how many are optimal, how many leave it as far, and how many lead away."
    chart = results.chart("choices", f"{results.name}: moves of a state by distance", results.sample, unit="moves")
    return PageSection("choices", "Choices", text, [chart])


def at_home(results: Results) -> PageSection:
    """The distance by the number of pieces at home."""
    figures, tells = [], ""
    if results.puzzle.board.at_home:
        title = f"{results.name}: distance by pieces at home"
        figures.append(results.chart("at-home", title, results.sample, unit="moves"))
        columns, rows = results.rows("correlation")
        correlation = dict(zip(columns, rows[0], strict=True))["correlation"]
        if correlation is not None and isfinite(correlation):
            tells = (
                f"The correlation with the distance is {correlation:.3f}; at -1 it would tell the distance exactly. "
            )
    text = f"{tells}A piece is at home where it is when solved."
    command = f"puzzlebase sql correlation --puzzle {results.name}"
    return PageSection("at-home", "What a player sees", text, figures, [command])


def greedy(results: Results) -> PageSection:
    """The wrong moves of a player who looks some moves ahead for pieces at home."""
    title = f"{results.name}: how often looking ahead goes wrong"
    caption = (
        "From 1,000 states drawn at random, each time the same ones; three moves ahead from fewer where a state has "
        "many moves."
    )
    text = (
        "A player tries all ways to make one, two or three moves or fewer, and takes the first move of one that gets "
        "most pieces home, any of these if there are several, and the shortest way if one ends solved. The move is "
        "wrong if it leads no nearer."
    )
    at_home = results.puzzle.board.at_home
    figures = [results.chart("greedy", title, caption, unit="per cent of the moves")] if at_home else []
    return PageSection("greedy", "Looking ahead", text, figures)


def sizes(results: Results) -> PageSection:
    """The same puzzle in other sizes: tables, and formulas where the family has some."""
    figures = []
    _, rows = results.rows("by-size")
    if len(rows) > 1 and results.puzzle.about.instructions:  # a pattern, which nobody plays, has numbers but no size
        title = f"{results.name} and other sizes: states and God's number"
        figures.append(results.chart("by-size", title, "The tables that are built here.", log=True))
    if known := _formula(results):
        words, found = known
        chart = results.drawn(chart_of_rows(**drawn_formula(found)), "formula.svg", [*words, "--chart"])
        meanings = "; ".join(f"{quantity['name']}: {quantity['meaning']}" for quantity in found["quantities"])
        figures.append(replace(chart, caption=f"{meanings}."))
    return PageSection("sizes", "Other sizes", "How it grows.", figures)


def _formula(results: Results) -> tuple[list[str], FormulaAnswer] | None:
    """The formulas of the puzzle's variant, behind the words that ask for them; None where it has none."""
    family = next(family for family in all_families() if family.name == results.puzzle.about.family)
    if "formulas" not in family.extra:
        return None
    stem, _, _ = results.puzzle.name.rpartition("-")
    formulas = formulas_of(family)
    if stem not in ({f"{family.name}-{variant}" for variant in formulas.variants} or {family.name}):
        return None
    sizes = f"1-{min(_SIZES, formulas.largest)}"
    return ["formula", stem, "--disks", sizes], formula(results.tables, stem, None, sizes)


def other_pictures(results: Results) -> PageSection:
    """The state in which play begins, in every style of picture that the puzzle has."""
    figures = [
        results.picture(f"{style}.svg", results.goal.start, f"Where play begins: {style}.", style)
        for style in drawing_of(results.puzzle).styles
    ]
    return PageSection("styles", "Pictures", "The state in which play begins, in every style.", figures)


Make = Callable[[Results], PageSection]
SECTIONS: tuple[Make, ...] = (layers, antipodes, mixed, choices, greedy, at_home, sizes, other_pictures)
