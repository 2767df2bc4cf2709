"""The folder of a dataset: Parquet files in parts, and a card."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Literal

import numpy as np
from pyarrow.parquet import write_table

from puzzlebase.builder.progress import Reporter
from puzzlebase.plugins.dataset.rows import SPLITS, TableStates
from puzzlebase.plugins.text_templates import text_template
from puzzlebase.puzzles import Indices
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.threads import on_all_processors
from puzzlebase.version import VERSION

_STATES_OF_PART = 1 << 20
_SETTINGS = {
    "compression": "zstd",
    "use_dictionary": ["distance"],
    "column_encoding": {"index": "DELTA_BINARY_PACKED"},
}


@dataclass(frozen=True)
class Wanted:
    """The states that a dataset has, and what it says of them."""

    states: int | None  # drawn in all, or at each distance; None for all states
    by: Literal["distance"] | None
    texts: bool
    seed: int


def write_dataset(source: OpenTable, folder: Path, wanted: Wanted, reporter: Reporter) -> int:
    """Write a dataset, and return the number of states.

    The folder gets its name once it is complete. Raises InvalidRequest if there is something in it.
    """
    folder = folder.resolve()
    if folder.exists() and any(folder.iterdir()):
        raise InvalidRequest(
            f"the folder {str(folder)!r} is not empty", "name another one, or empty it"
        )
    states = TableStates(source)
    unfinished = folder.with_name(f"{folder.name}.{token_hex(8)}.writing")
    try:
        (unfinished / "data").mkdir(parents=True)
        counts = _write_parts(states, unfinished / "data", wanted, reporter)
        (unfinished / "README.md").write_text(_card(states, wanted, counts), "utf-8")
        unfinished.replace(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return int(counts.sum())


def _write_parts(states: TableStates, folder: Path, wanted: Wanted, reporter: Reporter) -> Indices:
    """Write a file for each part and split; return the states by split and distance, int64[...]."""
    chosen: range | Indices = range(states.size)
    if wanted.states:
        chosen = states.sample(wanted.states, wanted.by, wanted.seed)
    begins = range(0, len(chosen), _STATES_OF_PART)
    layers = len(states.source.table.info.layers)

    def write_part(begin: int) -> list[Indices]:
        indices = np.array(chosen[begin : begin + _STATES_OF_PART])
        reaching = indices[states.source.distances(indices) >= 0]
        splits = states.splits(reaching, wanted.seed)
        counts = []
        for number, split in enumerate(SPLITS):
            rows = states.rows(reaching[splits == number], texts=wanted.texts)
            name = f"{split}-{begins.index(begin):05}-of-{len(begins):05}.parquet"
            write_table(rows, folder / name, **_SETTINGS)
            counts.append(np.bincount(rows["distance"], minlength=layers))
        phase.advance(len(indices))
        return counts

    with reporter.phase(f"write {states.record.name}", len(chosen), "states") as phase:
        counts: Indices = np.sum(on_all_processors(write_part, begins), axis=0)
    return counts


def _card(states: TableStates, wanted: Wanted, counts: Indices) -> str:
    card = text_template(__package__, "card.txt")
    schema = states.rows(states.source.space.goal_states[:1], texts=wanted.texts).schema
    by_split = dict(zip(SPLITS, counts.tolist(), strict=True))
    return card.render(
        states=states, wanted=wanted, counts=by_split, schema=schema, version=VERSION
    )
