"""Questions about one table: stored queries drawn, pictures of states, and the commands that write the same."""

from __future__ import annotations

import io
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.db.sql.session import Session
from puzzlebase.service.answers import pictures
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.service.sql.formats import csv_lines
from puzzlebase.service.sql.statements import stored_queries
from puzzlebase.tools.charts.chart import Chart, Style, chart_of
from puzzlebase.tools.charts.drawing import svg

LIMITS = StatementLimits(seconds=600)
_DRAWN = 100_000  # states that a query of all states draws from a larger table


@dataclass(frozen=True)
class File:
    """A file of the site and the words behind `puzzlebase` that write or print the same bytes."""

    name: str
    content: bytes
    words: Sequence[str]

    @property
    def command(self) -> str:
        """The words as one types them."""
        return shlex.join(["puzzlebase", *self.words])


@dataclass(frozen=True)
class Figure:
    """A picture with a caption, which may be empty."""

    picture: File
    label: str  # for those who do not see it
    caption: str = ""
    numbers: File | None = None  # of a chart of a query, as CSV
    query: str = ""  # the SQL, as it can be asked


@dataclass(frozen=True)
class PageSection:
    """Figures under one heading, with a text before them."""

    id: str
    title: str
    text: str
    figures: Sequence[Figure]
    commands: Sequence[str] = ()  # that print the same facts
    small: bool = False  # of states, which need less width than charts


@dataclass
class Results:
    """One table, and the session that is asked about it."""

    tables: Tables
    session: Session
    source: OpenTable

    def __post_init__(self) -> None:
        self.puzzle, self.goal = self.source.puzzle, self.source.goal
        self.name = self.puzzle.table_name(self.goal)
        self.goal_words = [] if self.goal == self.puzzle.goals[0] else [f"--goal={self.goal.name}"]

    def command(self, verb: str, *words: str) -> str:
        """A command about the table."""
        return shlex.join(["puzzlebase", verb, self.puzzle.name, *self.goal_words, *words])

    @property
    def sample(self) -> str:
        """The states that the queries of all states look at, in words."""
        info = self.source.table.info
        solvable = " Those that cannot be solved are left out." if info.reachable < info.states else ""
        if info.states <= _DRAWN:
            return f"All {info.states:,} states.{solvable}"
        return (
            f"From {_DRAWN:,} of the {info.states:,} states, drawn at random, each time the same ones.{solvable} "
            "A distance that none of them has is left out."
        )

    def rows(self, query: str) -> tuple[Sequence[str], list[tuple[Any, ...]]]:
        """Read the columns and the rows of a stored query; raises QueryError."""
        self.session.set_puzzle(self.name)
        (result,) = self.session.run(stored_queries()[query])
        columns, rows = result.rows()
        return columns, list(rows)

    def chart(self, query: str, title: str, caption: str = "", **style: Any) -> Figure:
        """Draw a stored query; raises QueryError, and InvalidRequest where its rows make no chart."""
        (figure,) = self.charts(query, {query: Style(title, **style)}, caption)
        return figure

    def charts(self, query: str, styles: dict[str, Style], caption: str = "") -> list[Figure]:
        """Draw one stored query in several styles, by the names of their files without the ending."""
        columns, rows = self.rows(query)
        asked, limit = ["sql", query, "--puzzle", self.name], ["--seconds", f"{LIMITS.seconds:g}"]
        text = io.StringIO(newline="")
        csv_lines(columns, rows, text)
        numbers = File(f"{query}.csv", text.getvalue().encode(), [*asked, "--csv", *limit])
        figures = []
        for name, style in styles.items():
            look = ["--title", style.title, *(["--unit", style.unit] if style.unit else []), *["--log"] * style.log]
            chart = self.drawn(chart_of(columns, rows, style), f"{name}.svg", [*asked, "--chart"], [*look, *limit])
            figures.append(replace(chart, caption=caption, numbers=numbers, query=stored_queries()[query]))
        return figures

    def drawn(self, chart: Chart, file: str, words: list[str], more: Sequence[str] = ()) -> Figure:
        """Draw a chart; the command that writes its file has these words before and behind the file's name."""
        return Figure(File(file, svg(chart).encode(), [*words, file, *more]), chart.style.title)

    def picture(self, file: str, state: str, caption: str, style: str | None = None) -> Figure:
        """Draw a state."""
        drawn = pictures.drawn(self.puzzle, self.goal, state, style=style)
        words = ["picture", self.puzzle.name, state, *self.goal_words, *(["--style", style] if style else [])]
        return Figure(File(file, drawn.encode(), [*words, "--output", file]), f"The state {state}", caption)
