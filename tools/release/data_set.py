"""A release as a data set: layers and antipodes of all its tables as Parquet, and the card for hubs of data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.metadata import distribution, metadata
from pathlib import Path

import pyarrow as pa
from jinja2 import Environment, PackageLoader, StrictUndefined
from pyarrow.parquet import write_table

from puzzlebase.builder.publishing import unpublished
from puzzlebase.db.table_file import ANTIPODES_KEPT, TableFile
from puzzlebase.puzzles import find
from puzzlebase.tools.release.manifest import Manifest

CARD, LICENCE = "README.md", "LICENSE"
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


def licence() -> str:
    """The name of this program's licence, as SPDX has it."""
    return metadata("puzzlebase")["License-Expression"]


def write_parquet(to: Path, tables: Sequence[Path]) -> None:
    """Write the layers and the antipodes of all tables, sorted, into a folder."""
    rows: dict[str, list[pa.Table]] = {name: [] for name in _COLUMNS}
    for path in tables:
        with TableFile(path) as table:
            info, antipodes = table.info, table.antipodes()
        indices, texts = zip(*antipodes, strict=True) if antipodes else ((), ())
        for name, distances, values in (
            (LAYERS, range(len(info.layers)), [info.layers]),
            (ANTIPODES, [info.gods_number] * len(indices), [indices, texts]),
        ):
            given = [[info.puzzle] * len(distances), [info.goal] * len(distances), distances, *values]
            columns = zip(_COLUMNS[name], given, strict=True)
            rows[name].append(pa.table({column: pa.array(some, kind) for (column, kind, _), some in columns}))
    for name, some in rows.items():
        whole = pa.concat_tables(some).sort_by([(column, "ascending") for column, *_ in _COLUMNS[name][:4]])
        with unpublished(to / name) as unfinished:
            write_table(whole, unfinished, row_group_size=_ROWS_PER_GROUP, compression="zstd")


def write_card(
    to: Path, manifest: Manifest, address: str | None, doi: str | None, definitions: Sequence[str]
) -> list[str]:
    """Write the card, and the licence that it names; returns what only the releasing person can know."""
    gaps = [] if address else ["the address at which the folder is served: release it again with --address"]
    gaps += [] if doi else ["a DOI, which an archive such as Zenodo gives: release it again with --doi"]
    gaps += [f"the licence of {name}, which its author chooses" for name in definitions]
    environment = Environment(  # noqa: S701 -- it is text
        loader=PackageLoader("puzzlebase.tools.release"),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    names = [table.name for table in manifest.tables]
    more = f" and {len(names) - _NAMES_IN_TITLE} more" if len(names) > _NAMES_IN_TITLE else ""
    title = f"Exact distances of every state: {', '.join(names[:_NAMES_IN_TITLE])}{more}"
    card = environment.get_template("card.md").render(
        title=title,
        title_as_yaml=json.dumps(title),
        licence=licence(),
        manifest=manifest,
        puzzles={name: find(name.partition("@")[0]) for name in names},
        columns=_COLUMNS,
        definitions=definitions,
        where=f"{address.rstrip('/')}/" if address else "",
        doi=doi,
        gaps=gaps,
    )
    text = distribution("puzzlebase").read_text(f"licenses/{LICENCE}") or licence()
    for name, content in ((LICENCE, text), (CARD, card)):
        with unpublished(to / name) as unfinished:
            unfinished.write_text(content, "utf-8")
    return gaps
