"""What is asked about one table: stored queries drawn, and pictures of states."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.db.sql.session import Session
from puzzlebase.puzzles import Goal, Puzzle
from puzzlebase.service.answers import pictures
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sql.formats import csv_lines
from puzzlebase.service.sql.statements import stored_queries
from puzzlebase.tools.charts.chart import Style, chart_of
from puzzlebase.tools.charts.drawing import svg
from puzzlebase.tools.site.figure import Figure, File

SECONDS = 600
"""Time limit of a query."""

LIMITS = StatementLimits(seconds=SECONDS)

DRAWN = 100_000
"""States that a query of all states draws from a larger table."""


@dataclass(frozen=True)
class Results:
    """One table, and the session that is asked about it."""

    tables: Tables
    session: Session
    source: OpenTable

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.source.puzzle

    @property
    def goal(self) -> Goal:
        """The goal."""
        return self.source.goal

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.puzzle.table_name(self.goal)

    @property
    def goal_words(self) -> list[str]:
        """The option that names the goal, where it is not the first."""
        return [] if self.goal == self.puzzle.goals[0] else [f"--goal={self.goal.name}"]

    @property
    def sample(self) -> str:
        """Which states the queries of all states look at, in words."""
        info = self.source.table.info
        solvable = " Those that cannot be solved are left out." if info.reachable < info.states else ""
        if info.states <= DRAWN:
            return f"All {info.states:,} states.{solvable}"
        return (
            f"From {DRAWN:,} of the {info.states:,} states, drawn at random, each time the same ones.{solvable} "
            "A distance that none of them has is left out."
        )

    def rows(self, query: str) -> tuple[Sequence[str], list[tuple[Any, ...]]]:
        """The columns and the rows of a stored query; raises QueryError."""
        self.session.set_puzzle(self.name)
        (result,) = self.session.run(stored_queries()[query])
        columns, rows = result.rows()
        return columns, list(rows)

    def chart(self, query: str, title: str, caption: str = "", **style: Any) -> Figure:
        """A chart of a stored query; raises QueryError, and InvalidRequest where its rows make no chart."""
        (figure,) = self.charts(query, {query: Style(title, **style)}, caption)
        return figure

    def charts(self, query: str, styles: dict[str, Style], caption: str = "") -> list[Figure]:
        """Charts of one stored query in several styles, by the names of their files without the ending."""
        columns, rows = self.rows(query)
        asked = ["sql", query, "--puzzle", self.name]
        limit = ["--seconds", str(SECONDS)]
        text = io.StringIO(newline="")
        csv_lines(columns, rows, text)
        numbers = File(f"{query}.csv", text.getvalue().encode(), [*asked, "--csv", *limit])
        figures = []
        for name, style in styles.items():
            options = chain(
                ["--title", style.title], ["--unit", style.unit] if style.unit else [], ["--log"] if style.log else []
            )
            file = f"{name}.svg"
            drawn = svg(chart_of(columns, rows, style)).encode()
            picture = File(file, drawn, [*asked, "--chart", file, *options, *limit])
            figures.append(Figure(picture, style.title, caption, numbers, stored_queries()[query]))
        return figures

    def picture(self, file: str, state: str, caption: str, style: str | None = None) -> Figure:
        """A picture of a state."""
        drawn = pictures.drawn(self.puzzle, self.goal, state, style=style)
        words = ["picture", self.puzzle.name, state, *self.goal_words, *(["--style", style] if style else [])]
        return Figure(File(file, drawn.encode(), [*words, "--output", file]), f"The state {state}", caption)
