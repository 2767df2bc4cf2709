"""The pages of the site: one for each table of a folder, an index of them, and their pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from puzzlebase.db.errors import TableError
from puzzlebase.db.paths import build_command, tables_in
from puzzlebase.db.regular import written
from puzzlebase.db.sql.errors import QueryError
from puzzlebase.puzzles import NoSpace, PuzzleError, all_families
from puzzlebase.service.answers import catalog, whole_tables
from puzzlebase.service.answers.catalog import PuzzleAnswer
from puzzlebase.service.answers.whole_tables import Histogram
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sql.tables import open_session
from puzzlebase.service.sql.watchdog import Watchdog
from puzzlebase.tools.charts.drawing import check_installed
from puzzlebase.tools.site.results import LIMITS, PageSection, Results
from puzzlebase.tools.site.sections import SECTIONS

# Files that all pages share: the colours and the frame are those of the page that the service has.
_STYLES = ("page/common.css", "page/page.css", "page/cards.css", "page/icon.svg", "tools/site/site.css")
_NOT_DRAWN = (QueryError, TableError, InvalidRequest, PuzzleError, NoSpace)


@dataclass(frozen=True)
class Page:
    """The page of a table; `left_out` names each section that could not be drawn, with the reason."""

    name: str
    about: PuzzleAnswer
    goal: str | None
    histogram: Histogram
    sections: list[PageSection]
    left_out: list[str]


def write_site(data: Path, site: Path, tell: Callable[[str], None]) -> list[Page]:
    """Write the site of all tables in a folder into another one, and return its pages.

    `tell` is told of every page and of all that is left out. Files of an earlier site are replaced one by one. Raises
    InvalidRequest where there are no tables, or where charts cannot be drawn.
    """
    check_installed()
    tables = Tables(data)
    environment = Environment(loader=PackageLoader("puzzlebase.tools.site"), autoescape=True, undefined=StrictUndefined)
    environment.trim_blocks = environment.lstrip_blocks = True
    pages: list[Page] = []
    with open_session(data, LIMITS) as session, Watchdog(session):
        for damage in session.damaged:
            tell(f"left out: {damage}")
        for puzzle, goal in tables.built():
            name = puzzle.table_name(goal)
            if name not in session.tables:
                continue
            tell(name)
            try:
                page = _page(Results(tables, session, tables.get(puzzle.name, goal.name)))
            except _NOT_DRAWN as error:
                tell(f"  left out: {error}")
                continue
            for why in page.left_out:
                tell(f"  left out: {why}")
            for figure in chain.from_iterable(section.figures for section in page.sections):
                for file in filter(None, (figure.picture, figure.numbers)):
                    _write(site / name / file.name, file.content)
            text = environment.get_template("puzzle.html").render(page=page)
            _write(site / f"{name}.html", text.encode())
            pages.append(page)
    _tell_of_unknown(tables, data, tell)
    if not pages:
        raise InvalidRequest(f"there are no tables in {str(data)!r} yet", f"{build_command('PUZZLE')} makes one")
    _write(site / "index.html", environment.get_template("index.html").render(groups=_groups(pages)).encode())
    for style in _STYLES:
        _write(site / Path(style).name, files("puzzlebase").joinpath(style).read_bytes())
    return pages


def _tell_of_unknown(tables: Tables, data: Path, tell: Callable[[str], None]) -> None:
    known = {puzzle.table_name(goal) for puzzle, goal in tables.built()}
    for name in [path.stem for path in tables_in(data) if path.stem not in known]:
        tell(f"left out: {name}, no puzzle has this name; PUZZLEBASE_PUZZLES names the folder of its definition file")


def _page(results: Results) -> Page:
    sections, left_out = [], []
    for make in SECTIONS:
        try:
            section = make(results)
        except _NOT_DRAWN as error:
            left_out.append(f"{(make.__doc__ or '').rstrip('.')}: {error}")
            continue
        if section.figures:
            sections.append(section)
    about = catalog.about(results.tables, results.puzzle, results.goal)
    goal = results.goal.name if results.goal_words else None
    return Page(results.name, about, goal, whole_tables.histogram(results.source), sections, left_out)


def _groups(pages: list[Page]) -> list[tuple[str, list[Page]]]:
    """The pages by family, each family with its title, those of few states first."""
    pages = sorted(pages, key=lambda page: page.histogram["states"])
    families = ((each.title, [page for page in pages if page.about["family"] == each.name]) for each in all_families())
    return [(title, members) for title, members in families if members]


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with written(path) as unfinished:
        unfinished.write_bytes(content)
