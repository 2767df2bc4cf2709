"""CITATION.cff: the version, and digests of tables that are built."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import table_path

ROOT = Path(__file__).parent.parent
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))


def test_its_digests_are_those_of_tables_that_are_built(data: Path) -> None:
    names = []
    for each in CITATION["identifiers"]:
        name, states, gods_number = re.findall(
            r"^the digest of the table of (\S+): (\S+) \w+, .* (\d+)$", each["description"]
        )[0]
        with TableFile(table_path(data, name)) as table:
            assert each["value"] == f"blake2b:{table.digest}"
            assert (states, int(gods_number)) == (f"{table.info.reachable:,}", table.info.gods_number)
        names.append(name)
    assert names == ["novice", "challenger", "avenger"]
