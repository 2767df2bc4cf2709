"""A release as a data set: layers and antipodes of all its tables as Parquet, and the card for hubs of data."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import distribution, metadata
from pathlib import Path

import pyarrow as pa
from pyarrow.parquet import write_table

from puzzlebase.builder.publishing import unpublished
from puzzlebase.db.limits import ANTIPODES_KEPT
from puzzlebase.db.table_file import TableFile
from puzzlebase.plugins.release.manifest import Manifest
from puzzlebase.puzzles import find

LICENCE = "LICENSE"
_TEMPLATES = {"README.md": "card.md", "CITATION.cff": "citation.cff"}
LAYERS, ANTIPODES = "layers.parquet", "antipodes.parquet"
_ROWS_PER_GROUP = 1 << 14  # which a query about one puzzle skips where it holds others
_NAMES_IN_TITLE = 3

_STATES = (
    ("puzzle", pa.string(), "name of the puzzle"),
    ("goal", pa.string(), "key of the goal, with which a table's name ends where it is not the default one"),
    ("distance", pa.int32(), "fewest moves to the goal"),
)
_COLUMNS = {
    LAYERS: (*_STATES, ("states", pa.int64(), "how many states lie at this distance")),
    ANTIPODES: (
        *_STATES,
        ("index", pa.int64(), "rank of the state, from 0"),
        ("state", pa.string(), f"the state as text; at most {ANTIPODES_KEPT:,} of a table are kept"),
    ),
}
"""The columns of each file, with types and meanings."""


def write_parquet(to: Path, tables: Sequence[Path]) -> None:
    """Write the layers and the antipodes of all tables, sorted, into a folder."""
    rows: dict[str, list[tuple[object, ...]]] = {name: [] for name in _COLUMNS}
    for path in tables:
        with TableFile(path) as table:
            info = table.info
            rows[LAYERS] += [(info.puzzle, info.goal, *layer) for layer in enumerate(info.layers)]
            rows[ANTIPODES] += [(info.puzzle, info.goal, info.gods_number, *each) for each in table.antipodes()]
    for name, columns in _COLUMNS.items():
        ordered = sorted(rows[name])
        arrays = [pa.array([row[at] for row in ordered], kind) for at, (_, kind, _) in enumerate(columns)]
        whole = pa.table(arrays, [column for column, *_ in columns])
        with unpublished(to / name) as unfinished:
            write_table(whole, unfinished, row_group_size=_ROWS_PER_GROUP, compression="zstd")


def write_texts(to: Path, manifest: Manifest, date: str, definitions: Sequence[str]) -> None:
    """Write the card, the citation, and the licence that both name."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(  # noqa: S701 -- it is text
        loader=PackageLoader("puzzlebase.plugins.release"),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    names = [table.name for table in manifest.tables]
    more = f" and {len(names) - _NAMES_IN_TITLE} more" if len(names) > _NAMES_IN_TITLE else ""
    licence = metadata("puzzlebase")["License-Expression"]  # as SPDX has it
    facts = {
        "title": f"Exact distances of every state: {', '.join(names[:_NAMES_IN_TITLE])}{more}",
        "licence": licence,
        "manifest": manifest,
        "date": date,
        "puzzles": {name: find(name.partition("@")[0]) for name in names},
        "columns": _COLUMNS,
        "definitions": definitions,
    }
    texts = {name: environment.get_template(template).render(facts) for name, template in _TEMPLATES.items()}
    texts[LICENCE] = distribution("puzzlebase").read_text(f"licenses/{LICENCE}") or licence
    for name, text in texts.items():
        with unpublished(to / name) as unfinished:
            unfinished.write_text(text, "utf-8")
