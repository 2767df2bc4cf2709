"""docs/sql.md and the plugin's README: their examples give what they show,
and docs/sql.md names everything there is.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from docs.sql_pictures import QUERIES, draw
from puzzlebase.db.sql.session import Session
from puzzlebase.plugins.sql.formats import text_table
from puzzlebase.plugins.sql.parquet import write_table
from tests.matrix import one_in
from tests.sql.conftest import ask, table

PAGE = (Path(__file__).parents[3] / "docs" / "sql.md").read_text("utf-8")
README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
EXAMPLES = re.findall(
    r"^```sql\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE + README, re.DOTALL | re.MULTILINE
)


@pytest.mark.needs("panguru")
@pytest.mark.slow
@pytest.mark.parametrize(("query", "shown"), EXAMPLES)
def test_documented_queries_give_what_is_shown(session: Session, query: str, shown: str) -> None:
    *_, last = [text_table(result, 100)[0] for result in session.run(query)]
    text = io.StringIO()
    Console(file=text, width=1000).print(last)
    assert [line.rstrip() for line in text.getvalue().splitlines()] == shown.splitlines()


@pytest.mark.slow
def test_every_view_macro_and_function_has_an_example(session: Session) -> None:
    hidden = {"stored_in", "distance_of_text", "distance_of_index"}
    macros = {
        name
        for (name,) in ask(
            session, "SELECT function_name FROM duckdb_functions() WHERE NOT internal"
        )
    }
    assert macros >= {"states", "histogram", "blocks", "distance", "successors"}
    examples = " ".join(query for query, _ in EXAMPLES)
    headings = " ".join(re.findall(r"^### (.*)$", PAGE, re.MULTILINE))
    for name in (macros | {"puzzles", "layers", "state_text", "state_index"}) - hidden:
        assert re.search(rf"\b{name}\b", examples), name
        assert re.search(rf"\b{name}\b", headings), name


def test_the_parquet_example(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ((program, shown),) = re.findall(
        r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", README, re.DOTALL | re.MULTILINE
    )
    write_table(table(folder, "challenger"), tmp_path / "challenger.parquet", with_text=False)
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    assert capsys.readouterr().out == shown


@pytest.mark.slow
@pytest.mark.parametrize("picture", one_in(3, QUERIES), ids=lambda path: path.stem)
def test_the_pictures_are_drawn_from_the_queries_beside_them(
    session: Session, tmp_path: Path, picture: Path
) -> None:
    drawn = picture.with_suffix(".svg")
    assert f"/pictures/{drawn.name})" in README
    draw(session, picture, tmp_path / drawn.name)
    stored, redrawn = (ET.parse(path).getroot() for path in (drawn, tmp_path / drawn.name))
    svg = "{http://www.w3.org/2000/svg}"
    for root in (stored, redrawn):
        assert root.tag == f"{svg}svg"
    lines = [
        [path.get("d") for path in root.iter(f"{svg}path") if path.get("stroke-width") == "2"]
        for root in (stored, redrawn)
    ]
    assert len(lines[0]) >= 2
    # in which there is no Turnstile here
    assert lines[0] == lines[1] or picture.stem == "histograms"
