"""The folder of a dataset: Parquet files in parts, and a card."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Literal

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from pyarrow.parquet import ParquetWriter

from puzzlebase.builder.progress import Phase, Reporter
from puzzlebase.machine import processors
from puzzlebase.plugins.dataset.rows import SPLITS, TableStates
from puzzlebase.puzzles import Indices
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.version import VERSION

_STATES_OF_PART = 1 << 22
_STATES_TOGETHER = 1 << 19  # whose rows are a group in the file of each split


@dataclass(frozen=True)
class Wanted:
    """The states that a dataset has, and what it says of them."""

    states: int | None  # drawn in all, or at each distance; None for all states
    by: Literal["distance"] | None
    texts: bool
    share: float  # of states for validation, and for tests
    seed: int


def write_dataset(
    source: OpenTable, folder: Path, wanted: Wanted, reporter: Reporter
) -> dict[str, int]:
    """Write a dataset, and return the number of states in each split.

    The folder gets its name once it is complete. Raises InvalidRequest if there is something in it.
    """
    folder = folder.resolve()
    if folder.exists() and any(folder.iterdir()):
        raise InvalidRequest(
            f"the folder {str(folder)!r} is not empty", "name another one, or empty it"
        )
    unfinished = folder.with_name(f"{folder.name}.{token_hex(8)}.writing")
    try:
        (unfinished / "data").mkdir(parents=True)
        dataset = _Dataset(TableStates(source), wanted, unfinished)
        counts = dataset.write(reporter)
        dataset.describe(counts)
        if folder.exists():
            folder.rmdir()
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return dict(zip(SPLITS, counts.sum(axis=1).tolist(), strict=True))


class _Dataset:
    """A dataset in a folder that is being written."""

    def __init__(self, states: TableStates, wanted: Wanted, folder: Path) -> None:
        self._states, self._wanted, self._folder = states, wanted, folder
        self._source = source = states.source
        self._layers = source.table.info.layers
        self._chosen: Indices | None = None
        if wanted.states:
            self._chosen = states.sample(wanted.states, wanted.by, wanted.seed)
        self._size = states.size if self._chosen is None else len(self._chosen)
        self._moves = [move.name for move in source.puzzle.moves]
        facts = {
            "puzzle": source.puzzle.name,
            "goal": source.goal.name,
            "gods_number": str(source.table.info.gods_number),
            "digest": source.origin.tag,
            "moves": json.dumps(self._moves),
        }
        example = states.rows(source.space.goal_states[:1], texts=wanted.texts)
        self._schema = example.schema.with_metadata(facts)

    def write(self, reporter: Reporter) -> Indices:
        """Write all parts, and return the number of states by split and distance."""
        begins = range(0, self._size, _STATES_OF_PART)
        title = f"write {self._source.puzzle.name}"
        with (
            reporter.phase(title, self._size, "states") as phase,
            ThreadPoolExecutor(processors()) as pool,
        ):
            parts = pool.map(lambda begin: self._write_part(begin, len(begins), phase), begins)
            counts: Indices = np.sum([*parts], axis=0)
        return counts

    def _write_part(self, begin: int, parts: int, phase: Phase) -> Indices:
        end = min(begin + _STATES_OF_PART, self._size)
        suffix = f"{begin // _STATES_OF_PART:05}-of-{parts:05}.parquet"
        paths = [self._folder / "data" / f"{split}-{suffix}" for split in SPLITS]
        counts = np.zeros((len(SPLITS), len(self._layers)), np.int64)
        with ExitStack() as stack:
            files = [
                stack.enter_context(
                    ParquetWriter(
                        path,
                        self._schema,
                        compression="zstd",
                        use_dictionary=["distance"],
                        column_encoding={"index": "DELTA_BINARY_PACKED"},
                    )
                )
                for path in paths
            ]
            for first in range(begin, end, _STATES_TOGETHER):
                indices = self._between(first, min(first + _STATES_TOGETHER, end))
                splits = self._states.splits(indices, self._wanted.share, self._wanted.seed)
                for split, file in enumerate(files):
                    some = indices[splits == split]
                    rows = self._states.rows(some, texts=self._wanted.texts)
                    file.write_table(rows)
                    counts[split] += np.bincount(rows["distance"], minlength=counts.shape[1])
                    phase.advance(len(some))
        return counts

    def _between(self, first: int, last: int) -> Indices:
        """The states of some positions, without those that cannot reach the goal."""
        if self._chosen is not None:
            return self._chosen[first:last]
        indices = np.arange(first, last)
        reaching: Indices = indices[self._source.distances(indices) >= 0]
        return reaching

    def describe(self, counts: Indices) -> None:
        """Write the card."""
        environment = Environment(  # noqa: S701 -- it is text
            loader=PackageLoader(__package__),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        card = environment.get_template("card.txt").render(
            puzzle=self._source.puzzle,
            goal=self._source.goal,
            digest=self._source.origin.tag,
            layers=self._layers,
            left_out=self._states.size - sum(self._layers),
            schema=self._schema,
            moves=self._moves,
            counts=dict(zip(SPLITS, counts.tolist(), strict=True)),
            symmetries=self._states.symmetries,
            wanted=self._wanted,
            version=VERSION,
        )
        (self._folder / "README.md").write_text(card, "utf-8")
