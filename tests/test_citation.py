"""CITATION.cff: what its format asks for, the version, digests of tables that are built, and gaps with their names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from puzzlebase.db.paths import table_path
from puzzlebase.db.table_file import TableFile

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CITATION.cff").read_text("utf-8")

# Of the schema of version 1.2.0: https://github.com/citation-file-format/citation-file-format
REQUIRED = {"authors", "cff-version", "message", "title"}
KEYS = REQUIRED | {
    *("abstract", "commit", "contact", "date-released", "doi", "identifiers", "keywords", "license", "license-url"),
    *("preferred-citation", "references", "repository", "repository-artifact", "repository-code", "type", "url"),
    "version",
}
GAPS = {"doi", "repository-code", "url"}
"""Fields that a person fills in: the others can be told from here."""


@pytest.fixture
def citation() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(TEXT)
    return read


def test_it_has_the_fields_of_its_format(citation: dict[str, Any]) -> None:
    assert citation.keys() >= REQUIRED
    assert citation.keys() <= KEYS
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] in {"software", "dataset"}
    assert all(author.keys() == {"name"} for author in citation["authors"])
    for each in citation["identifiers"]:
        assert each.keys() == {"type", "value", "description"}
        assert each["type"] in {"doi", "other", "swh", "url"}


def test_it_cites_this_version(citation: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])
    releases = re.findall(r"^## \[(.+)\] - (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert releases[0] == (citation["version"], str(citation["date-released"]))


def test_a_gap_is_a_field_that_is_commented_out(citation: dict[str, Any]) -> None:
    gaps = set(re.findall(r"^# ([a-z-]+): \S*[A-Z]{4}", TEXT, re.MULTILINE))
    assert gaps | citation.keys() >= GAPS
    assert not gaps & citation.keys()
    assert gaps <= KEYS


def test_its_digests_are_those_of_tables_that_are_built(citation: dict[str, Any], data: Path) -> None:
    names = []
    for each in citation["identifiers"]:
        name, states, gods_number = re.findall(
            r"^the digest of the table of (\S+): (\S+) \w+, .* (\d+)$", each["description"]
        )[0]
        with TableFile(table_path(data, name)) as table:
            assert each["value"] == f"blake2b:{table.digest}"
            assert (states, int(gods_number)) == (f"{table.info.reachable:,}", table.info.gods_number)
        names.append(name)
    assert names == ["novice", "challenger", "avenger"]
