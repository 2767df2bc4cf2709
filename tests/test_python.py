"""puzzlebase/__init__.py and opened.py:
a puzzle from Python answers as HTTP does, and a query is a relation.
"""

from __future__ import annotations

import doctest
import gc
import json
import os
import re
import shutil
import subprocess
import sys
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import duckdb
import numpy as np
import pytest

import puzzlebase
from puzzlebase.db.errors import MissingTable
from puzzlebase.db.sql.errors import QueryError
from puzzlebase.opened import OpenPuzzle
from puzzlebase.paths import table_path
from tests.fixtures import TABLES
from tests.waiting import PATIENCE

DOCUMENTS = Path(__file__).parent.parent / "docs"
FAR = ".C.E.DAB.BDAEA.ECDBC."


@pytest.fixture(scope="module")
def avenger(data: Path) -> OpenPuzzle:
    return puzzlebase.open("avenger", data=data)


def test_a_table_is_used_once_it_is_built(
    data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A program in another folder is told, once, that searches answer."""
    there = puzzlebase.open("novice", data=tmp_path)
    assert there.source == "search"
    assert there.distance("BBBBBBBBBBBBRRRRRRRRR") == 0
    builds = f"build it: puzzlebase build novice --data {tmp_path}"
    assert caplog.messages == [
        f"there is no table of novice in {tmp_path}, so searches answer; {builds}"
    ]
    (tmp_path / "novice.duckdb").symlink_to(data / "novice.duckdb")
    assert there.source == "table"


def test_a_state_shows_itself_as_its_picture(avenger: OpenPuzzle) -> None:
    start = avenger.state()
    assert avenger.distance(start) == 0
    turned = start.after("L R2'")
    assert turned == start.after(["L", "R2'"])
    assert avenger.distance(turned) == 2
    drawn = ET.fromstring(turned._repr_svg_())
    assert drawn.tag.endswith("svg")
    assert avenger.picture(turned)._repr_svg_() == turned._repr_svg_()


def test_a_query_is_a_relation(data: Path, known: dict[str, int]) -> None:
    query = (
        "SELECT distance, count(*) AS states FROM states('novice') GROUP BY ALL ORDER BY distance"
    )
    found = puzzlebase.sql(query, data=data)
    assert found.columns == ["distance", "states"]
    assert found.fetchall() == sorted(Counter(known.values()).items())
    assert puzzlebase.sql(query, data=data).arrow().read_all().num_rows == 14
    assert {
        name for (name,) in puzzlebase.sql("SELECT puzzle FROM puzzles", data=data).fetchall()
    } == {*TABLES}


def test_a_query_reads_the_frames_of_its_call(data: Path) -> None:
    """A relation keeps them, whatever a later call names so."""
    first, second = (
        puzzlebase.sql("FROM mine", data=data, mine={"index": np.array([index])})
        for index in (5, 6)
    )
    assert (first.fetchall(), second.fetchall()) == ([(5,)], [(6,)])


def test_a_query_is_written_to_a_named_file(data: Path, tmp_path: Path) -> None:
    """The query itself still writes nowhere."""
    file = tmp_path / "drawn.parquet"
    found = [
        puzzlebase.sql(f"FROM drawn('novice', 99{seed})", data=data, parquet=file).fetchall()
        for seed in ("", ", seed := 2", ", seed := 0")
    ]
    assert duckdb.read_parquet(str(file)).fetchall() == found[2] == found[0] != found[1]
    with pytest.raises(QueryError):
        puzzlebase.sql(f"COPY (SELECT 1) TO '{tmp_path}/other'", data=data, parquet=file)
    assert [*tmp_path.iterdir()] == [file]


@pytest.mark.slow
def test_a_session_of_a_former_folder_is_freed_with_its_last_relation(
    data: Path, tmp_path: Path
) -> None:
    query = "SELECT count(*) FROM states('novice')"
    relations = []
    for number in range(8):
        copy = tmp_path / "copy"
        shutil.copy(table_path(data, "novice"), copy)
        os.utime(copy, ns=(number, number))
        copy.replace(table_path(tmp_path, "novice"))
        relation = puzzlebase.sql(query, data=tmp_path)
        assert relation.fetchall() == [(97_020,)]
        relations.append(relation.filter("true"))
    held = len(open_files(tmp_path))
    assert [relation.fetchall() for relation in relations] == [[(97_020,)]] * 8
    del relation
    relations.clear()
    gc.collect()
    assert len(open_files(tmp_path)) <= held / 8 + 1
    assert puzzlebase.sql(query, data=tmp_path).fetchall() == [(97_020,)]


def open_files(folder: Path) -> list[str]:
    """The tables of a folder that this process has open, also those that were replaced."""
    links = [str(file.readlink()) for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
    return [link for link in links if link.startswith(f"{folder}/novice.duckdb")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "query", ["FROM states('novice')", "SELECT distance('novice', 0)", "FROM novice.layer"]
)
def test_sql_names_the_command_for_a_missing_table(tmp_path: Path, query: str) -> None:
    """The folder may be missing too.
    A traceback shows all that is known of an error, so it has the command.
    """
    with pytest.raises((MissingTable, duckdb.Error)) as caught:
        puzzlebase.sql(query, data=tmp_path).fetchall()
    shown = "".join(traceback.format_exception_only(caught.value))
    assert "there is no table of novice yet" in shown
    assert f"build it: puzzlebase build novice --data {tmp_path}" in shown


def test_several_threads_ask_sql(data: Path, known: dict[str, int]) -> None:
    def count(least: int) -> list[Any]:
        query = f"SELECT count(*) FROM states('novice') WHERE distance >= {least}"
        return [puzzlebase.sql(query, data=data).fetchall()[0][0] for _ in range(2)]

    with ThreadPoolExecutor(6) as pool:
        found = [*pool.map(count, [0, 1, 2] * 2)]
    assert (
        found
        == [[sum(distance >= least for distance in known.values())] * 2 for least in (0, 1, 2)] * 2
    )


@pytest.mark.slow
def test_import_is_light_and_one_lookup_needs_no_compiler(data: Path) -> None:
    """Of the second process: the first one keeps the numbering of the space."""
    text = f"""
import sys
import puzzlebase
assert not {{"numpy", "duckdb", "click", "importlib.metadata"}} & sys.modules.keys()
from puzzlebase.command_line.main import main
sys.argv = ["puzzlebase", "--data", {str(data)!r}, "lookup", "avenger", {FAR!r}, "--json"]
main()
assert "numba" not in sys.modules
"""
    command = [sys.executable, "-c", text]
    done = [
        subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        for _ in range(2)
    ]
    assert done[1].returncode == 0, done[1].stderr
    assert json.loads(done[1].stdout)["distance"] == 14
    assert done[0].stdout == done[1].stdout
    assert [*(data / "cache").glob("*.numbering")]


@pytest.mark.slow
def test_the_document_shows_what_python_prints(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").symlink_to(data)
    monkeypatch.chdir(tmp_path)
    for name in ("python.md", "in-bulk.md"):
        failed, tried = doctest.testfile(str(DOCUMENTS / name), module_relative=False)
        assert tried > 10
        assert not failed, capsys.readouterr().out
    text = (DOCUMENTS / "python.md").read_text("utf-8")
    (pasted,) = re.finditer(r"```python\n(import .*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    words = [sys.executable, "-c", pasted[1]]
    done = subprocess.run(words, check=True, timeout=PATIENCE, stdout=subprocess.PIPE, text=True)
    assert done.stdout == pasted[2]


def test_the_document_names_errors_where_they_are() -> None:
    document = (DOCUMENTS / "python.md").read_text("utf-8")
    named = re.findall(r"(?m)^\| `(puzzlebase\.[\w.]+)\.(\w+)`", document)
    assert len(named) > 6
    for module, name in named:
        assert issubclass(getattr(import_module(module), name), Exception), name


def shown_by(notebook: Path, data: Path, folder: Path) -> tuple[str, list[str]]:
    """The text and the pictures of a notebook that runs in a folder."""
    import nbformat  # noqa: PLC0415 -- which takes a while
    from nbclient import NotebookClient  # noqa: PLC0415

    (folder / "data").symlink_to(data)
    cells = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
    assert not any(cell.get("outputs") for cell in cells.cells)
    done = NotebookClient(
        cells, timeout=PATIENCE, resources={"metadata": {"path": folder}}
    ).execute()
    shown = [output for cell in done.cells for output in cell.get("outputs", [])]
    pictures = [
        output.data["image/svg+xml"]
        for output in shown
        if "image/svg+xml" in output.get("data", {})
    ]
    return "".join(output.get("text", "") for output in shown), pictures


@pytest.mark.slow
@pytest.mark.matrix
def test_the_notebook_runs(data: Path, tmp_path: Path) -> None:
    text, pictures = shown_by(DOCUMENTS / "notebook.ipynb", data, tmp_path)
    assert len(pictures) == 4  # the start, the histogram, an antipode, and home
    assert "304 states need 15 moves" in text


@pytest.mark.slow
@pytest.mark.matrix
@pytest.mark.needs("heuristics")
def test_a_learned_heuristic_leads_a_search(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers end in other digits on other machines, so few of them are compared."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")  # threads that wait busily slow the others
    text, pictures = shown_by(
        DOCUMENTS.parent / "examples" / "learned-heuristic.ipynb", data, tmp_path
    )
    assert "mean error 0.5" in text
    assert "admissible: False" in text
    assert "of 21 are solved in 13 moves" in text
    assert len(pictures) == 1
