"""plugins/release as a data set: hubs can read its card, and DuckDB and Arrow find published numbers in its Parquet."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from tests.commands import command, ran
from tests.test_docs import ROOT, fenced

MINE = "Name three\nSet P 3 1\nSolved\nP\n1 2 3\nEnd\nMove A\nP\n2 1 3\nEnd\nMove B\nP\n1 3 2\nEnd\n"


def rows(query: str) -> list[tuple[Any, ...]]:
    """Rows that DuckDB answers, without any table of ours."""
    return duckdb.execute(query).fetchall()


def front_matter(card: Path) -> dict[str, Any]:
    yaml: Any = import_module("yaml")
    _, fields, _ = card.read_text("utf-8").split("---\n", 2)
    return dict(yaml.safe_load(fields))


def test_a_hub_can_read_the_card(release: Path) -> None:
    """The fields are those of https://huggingface.co/docs/hub/datasets-manual-configuration and datasets-cards."""
    fields = front_matter(release / "README.md")
    assert set(fields) == {"pretty_name", "license", "tags", "configs"}
    assert fields["license"] == "mit"
    assert (release / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
    assert (ROOT / "LICENSE").read_text("utf-8").startswith("MIT License\n")
    assert [config["data_files"] for config in fields["configs"]] == ["layers.parquet", "antipodes.parquet"]
    assert [config.get("default") for config in fields["configs"]] == [True, None]
    for config in fields["configs"]:
        assert set(config) <= {"config_name", "data_files", "default"}
        assert (release / config["data_files"]).is_file()


def test_the_card_tells_of_every_table_and_column(release: Path) -> None:
    card = (release / "README.md").read_text("utf-8")
    for table in json.loads((release / "manifest.json").read_text("utf-8"))["tables"]:
        (row,) = [line for line in card.splitlines() if line.startswith(f"| `{table['name']}` |")]
        assert row.endswith(f"| `{table['digest']}` |")
        for proof in table["certificates"]:
            assert f"{proof['nodes']:,} {proof['graph']} with {proof['links']:,} moves" in row
    assert re.search(r"^\| `novice` \| Novice \| 97,020 \| 13 \| ", card, re.MULTILINE)
    for name in ("layers.parquet", "antipodes.parquet"):
        for column in pq.read_schema(release / name):
            assert f"| `{column.name}` | {column.type} | " in card
    assert "**To fill in**" in card


def test_layers_and_antipodes_are_those_of_a_reference(release: Path, known: dict[str, int]) -> None:
    asked = f"FROM '{release}/layers.parquet' WHERE puzzle = 'novice' ORDER BY distance"
    assert rows(f"SELECT distance, states {asked}") == sorted(Counter(known.values()).items())
    farthest = rows(f"SELECT state FROM '{release}/antipodes.parquet' WHERE puzzle = 'novice'")
    assert sorted(state for (state,) in farthest) == sorted(state for state, far in known.items() if far == 13)
    for name, last in (("layers", "distance"), ("antipodes", '"index"')):
        found = rows(f"SELECT puzzle, goal, {last} FROM '{release}/{name}.parquet'")
        assert found == sorted(found)


def test_the_queries_of_the_card_and_of_the_document_can_be_pasted(
    release: Path, known: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(release)
    histogram, means, farthest = fenced(release / "README.md", "sql")
    assert [states for _, _, states, *_ in rows(means)] == sorted(states for _, _, states, *_ in rows(means))
    ((_, _, states, gods_number, mean),) = [row for row in rows(means) if row[0] == "novice"]
    assert (states, gods_number) == (97_020, 13)
    assert mean == pytest.approx(sum(known.values()) / len(known))
    assert len(rows(histogram)) == 16  # of the Avenger, whose God's number is 15
    assert [distance for _, distance in rows(farthest)] == [15] * 5
    (shown,) = fenced(ROOT / "plugins" / "release" / "README.md", "sql")
    assert len(rows(shown.replace("sliding-2x3", "novice"))) == 14


def test_the_citation_is_of_the_licence_and_every_digest(release: Path) -> None:
    yaml: Any = import_module("yaml")
    citation = yaml.safe_load((release / "CITATION.cff").read_text("utf-8"))
    tables = json.loads((release / "manifest.json").read_text("utf-8"))["tables"]
    assert {"cff-version", "message", "title", "authors"} <= set(citation)  # what version 1.2.0 of the format demands
    assert (citation["cff-version"], citation["type"], citation["license"]) == ("1.2.0", "dataset", "MIT")
    assert [each["value"] for each in citation["identifiers"]] == [f"blake2b:{table['digest']}" for table in tables]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A data folder with the table of a definition, and the folder `mine` of that beside it."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "three.tws").write_text(MINE, "utf-8")
    ran(tmp_path / "data", "--puzzles", str(mine), "build", "three")
    return tmp_path / "data"


@pytest.mark.slow(2)
def test_no_table_goes_without_its_definition(built: Path, tmp_path: Path) -> None:
    to, mine = tmp_path / "to", tmp_path / "mine"
    done = command(built, "release", str(to))
    assert done.status == 1
    assert "three.duckdb' cannot be released without the definition" in done.stderr
    assert "--puzzles" in done.stderr
    (mine / "three.tws").write_text(MINE.replace("1 3 2", "3 2 1"), "utf-8")
    done = command(built, "--puzzles", str(mine), "release", str(to))
    assert (done.status, "of another definition" in done.stderr) == (1, True), done.stderr
    assert not to.exists()


@pytest.mark.slow(2)
def test_of_a_folder_that_holds_all_only_the_definition_is_copied(built: Path, tmp_path: Path) -> None:
    """Its licence is its author's: the card names that as a gap."""
    to = tmp_path / "to"
    (built / "three.tws").write_text(MINE, "utf-8")
    (built / "three.journal").write_bytes(b"of a build")
    ran(built, "--puzzles", str(built), "release", str(to))
    assert "- the licence of `three.tws`" in (to / "README.md").read_text("utf-8")
    assert {path.stem for path in to.iterdir()} == {
        "CITATION", "LICENSE", "README", "antipodes", "layers", "manifest", "three",
    }  # fmt: skip
    assert sorted(to.glob("three.*")) == [to / "three.duckdb", to / "three.tws"]
    asked = command(to, "--puzzles", str(to), "histogram", "three", "--json")
    assert json.loads(asked.stdout)["layers"] == [1, 2, 2, 1]
