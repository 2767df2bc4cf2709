"""Every command on a page writes the files that the page shows; the numbers are those of reference implementations."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from unittest import mock
from urllib.parse import unquote

import pytest

from puzzlebase.db.paths import table_path
from puzzlebase.db.sql.session import Session
from puzzlebase.puzzles import find
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sql.statements import stored_queries
from puzzlebase.service.sql.tables import open_session
from puzzlebase.tools.mixing.job import MixingJob
from puzzlebase.tools.site import sections
from puzzlebase.tools.site.pages import write_site
from puzzlebase.tools.site.results import Results
from tests.commands import command
from tests.conftest import build_table, opened
from tests.html_page import Page
from tests.matrix import one_in
from tests.sql.conftest import ask
from tests.waiting import PATIENCE

TABLES = (("panex-1", "centre"), ("panex-2", "centre"), ("hanoi-nnn-3", None), ("quantum-2x2-2", None))
EVERY = {"layers", "antipodes", "choices", "greedy", "at-home"}
SECTIONS = {
    "novice": {*EVERY, "mixing"},
    "panex-1@centre": {*EVERY, "sizes", "styles"},
    "panex-2@centre": {*EVERY, "sizes", "styles"},
    "hanoi-nnn-3": {*EVERY, "sizes", "styles"},
    "quantum-2x2-2": EVERY,
}
WRITES = ("--chart", "--output", "-o")


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tables of some families, a walk that was computed, and a damaged file."""
    folder = tmp_path_factory.mktemp("site-data")
    shutil.copy(table_path(data, "novice"), folder)
    for name, goal in TABLES:
        build_table(folder, name, goal)
    novice = find("novice")
    MixingJob(novice, novice.goal(), folder, "test", 1, walk="alternate", turns=50).build()
    (folder / "challenger.duckdb").write_bytes(b"no table")
    shutil.copy(table_path(data, "novice"), folder / "my-own.duckdb")
    return folder


@pytest.fixture(scope="module")
def told() -> list[str]:
    """The lines that were told while the site was written."""
    return []


@pytest.fixture(scope="module")
def site(folder: Path, told: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of that folder."""
    site = tmp_path_factory.mktemp("site")
    write_site(folder, site, told.append)
    return site


def page_of(site: Path, name: str) -> Page:
    return Page((site / f"{name}.html").read_text("utf-8"))


def numbers(site: Path, name: str, query: str) -> list[list[float | None]]:
    """The numbers behind a chart of a page."""
    _, *rows = csv.reader(io.StringIO((site / name / f"{query}.csv").read_text("utf-8")))
    return [[float(value) if value else None for value in row] for row in rows]


@pytest.mark.slow
def test_every_page_is_there_and_whole(site: Path, told: list[str]) -> None:
    """Every page opens from disk: all that it names lies beside it, and nothing is asked of any other place."""
    pages = {path.stem for path in site.glob("*.html")}
    assert pages == {"index", *SECTIONS}
    assert {unquote(link).removesuffix(".html") for link in page_of(site, "index").links} - {"#content"} == pages
    for name in pages:
        page = page_of(site, name)
        assert len(set(page.ids)) == len(page.ids)
        assert "Left out" not in page.texts
        inside = {link.removeprefix("#") for link in page.links if link.startswith("#")}
        assert inside | set(page.described) <= set(page.ids)
        outside = {link for link in page.links if not link.startswith("#")} | set(page.files)
        assert all((site / unquote(link)).is_file() for link in outside), name
        assert not any(file.endswith(".js") for file in page.files)
        if name in SECTIONS:
            assert set(page.ids) & {*EVERY, "mixing", "sizes", "styles"} == SECTIONS[name]
    assert any("challenger" in line and "left out" in line for line in told)
    assert any(line.startswith("left out: my-own, no puzzle has this name") for line in told)


@pytest.mark.slow
@pytest.mark.parametrize("name", one_in(2, ["panex-2@centre", "novice"]))
def test_the_commands_of_a_page_make_its_files(site: Path, folder: Path, tmp_path: Path, name: str) -> None:
    page, made = page_of(site, name), set()
    for words in page.commands("puzzlebase"):
        done = command(folder, *words, folder=tmp_path)
        assert done.status == 0, done.stderr
        if "--csv" in words:
            file = f"{words[1]}.csv"
            assert done.stdout == (site / name / file).read_text("utf-8"), words
            made.add(file)
        elif option := next((option for option in WRITES if option in words), None):
            file = words[words.index(option) + 1]
            assert (tmp_path / file).read_bytes() == (site / name / file).read_bytes(), words
            made.add(file)
    assert made == {path.name for path in (site / name).iterdir()}


@pytest.mark.slow
def test_the_sql_of_a_page_is_what_its_commands_ask(site: Path, folder: Path) -> None:
    texts = [code.strip() for code in page_of(site, "panex-2@centre").code if "SELECT" in code]
    stored = {text.strip(): query for query, text in stored_queries().items()}
    asked = {stored[text] for text in texts}
    assert asked == {"layers", "choices", "greedy", "at-home", "by-size"}
    with open_session(folder) as session:
        session.set_puzzle("panex-2@centre")
        for text in texts:
            found = ask(session, text)
            shown = numbers(site, "panex-2@centre", stored[text])
            assert [row for row in shown if None not in row] == [
                pytest.approx([float(value) for value in row]) for row in found if None not in row
            ]


@pytest.mark.slow
def test_the_numbers_are_those_of_reference_implementations(site: Path, known: dict[str, int]) -> None:
    """The mixing values are those of a study that shares nothing with this program."""
    assert numbers(site, "novice", "layers") == [list(row) for row in sorted(Counter(known.values()).items())]
    words = " ".join(" ".join(page_of(site, "novice").texts).split())
    assert "21 states need 13 moves" in words
    shown = [text for text in page_of(site, "novice").texts if len(text) == 21 and set(text) == {"B", "R"}]
    assert len(set(shown)) == 6
    assert {known[state] for state in shown} == {13}
    assert "less than 1 % from uniform after 31 turns; less than 0.1 % from uniform after 45 turns" in words.lower()
    assert "All 97,020 states." in words


def test_a_page_says_what_was_drawn_at_random(tables: Tables) -> None:
    session = mock.create_autospec(Session)
    sample = Results(tables, session, opened(tables, "avenger")).sample
    assert sample.startswith("From 100,000 of the 52,390,800 states, drawn at random, each time the same ones.")
    assert Results(tables, session, opened(tables, "novice")).sample == "All 97,020 states."


def test_where_pieces_have_no_homes_nothing_is_said_of_them(tables: Tables) -> None:
    results = Results(tables, mock.create_autospec(Session), opened(tables, "avenger"))
    homeless = replace(results, source=replace(results.source, puzzle=find("avenger-oriented")))
    for section in (sections.at_home, sections.greedy):
        assert not section(homeless).figures


def test_where_there_is_nothing_to_show_the_remedy_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="there are no tables") as error:
        write_site(tmp_path, tmp_path / "site", print)
    assert "build" in error.value.hint
    unequipped = mock.patch("puzzlebase.tools.charts.drawing.find_spec", return_value=None)
    with unequipped, pytest.raises(InvalidRequest, match="Vega-Altair"):
        write_site(tmp_path, tmp_path / "site", print)
    words: list[str | Path] = [sys.executable, "-m", "puzzlebase.tools.site", tmp_path, tmp_path / "site"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there are no tables" in done.stderr
    assert not (tmp_path / "site").exists()
