"""The folder of a published table: its header,
its blocks with their index, and the data for random states.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from puzzlebase.plugins.publish.block_files import BLOCK, LARGE, SMALL_BLOCK, write_blocks
from puzzlebase.plugins.publish.drawing import DrawingData
from puzzlebase.plugins.publish.ranking import Ranking, ranking_of
from puzzlebase.plugins.publish.states import Begin, NoForm, TextStates
from puzzlebase.plugins.publish.stored import StoredForm
from puzzlebase.puzzles import find
from puzzlebase.service.answers import catalog, pictures, whole_tables
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.table import OpenTable

FORMAT = 2
HEADER = "header.json"
ANTIPODES = 1000
_SOLVED = 1000  # states of the goal that the header has
_COUNTED = 1 << 26  # states whose distances are counted in ranges smaller than those of the table
_RANGE = 1 << 12


def write_table(data: Folder, source: OpenTable, folder: Path, begin: Begin) -> None:
    """Write a table into a folder; raises NoForm if no form of a page can hold it."""
    puzzle, goal, digest = source.puzzle, source.goal, source.table.header.digest
    states = TextStates.of(source, begin)
    try:
        moves, drawing = _by_letters(states)
        texts, ranking = states.data(), ranking_of(states)
    except NoForm:
        stored = StoredForm(states)
        texts, ranking = stored.texts, stored.ranking
        with begin("draw", ranking.size) as advance:
            moves, drawing = stored.write(folder, digest, advance)
    with begin("publish", ranking.size) as advance:
        block = SMALL_BLOCK if ranking.size > LARGE else BLOCK
        blocks = write_blocks(
            folder, ranking.distances, ranking.size, digest, block=block, advance=advance
        )
    header = {
        "format": FORMAT,
        "digest": digest,
        "goal": goal.name,
        "about": catalog.about(data, puzzle, goal),
        "histogram": whole_tables.histogram(source),
        "start": goal.start,
        "solved": [*goal.states[:_SOLVED]],
        "labelled": puzzle.board.part is not None,
        "states": texts,
        "one_way": source.one_way,
        "found": find(puzzle.name).found is not None,  # this one is numbered
        "moves": moves,
        "drawing": drawing,
        "ranking": ranking.data,
        "blocks": blocks,
        "draws": _draws(source, ranking, folder, digest),
    }
    solved = next(iter(goal.states), goal.start)
    (folder / "goal.svg").write_bytes(pictures.state_picture(puzzle, goal, solved).encode())
    if example := puzzle.about.example:
        picture = pictures.state_picture(puzzle, goal, example.state, highlight=example.move)
        (folder / "example.svg").write_bytes(picture.encode())
    _write(folder / HEADER, digest, header)
    _write(folder / "antipodes.json", digest, {**whole_tables.antipodes(source, 0, ANTIPODES)})


def _by_letters(states: TextStates) -> tuple[Any, dict[str, Any]]:
    """The moves of states and their drawing as data, by letters at places; raises NoForm."""
    moves, shown = states.moves()
    alphabet = states.data()["alphabet"]
    return [move.data(alphabet) for move in moves], DrawingData(states, moves, shown).data()


def _draws(source: OpenTable, ranking: Ranking, folder: Path, digest: str) -> dict[str, Any]:
    """Write the data by which a page draws random states.

    For each distance, and last for none, this is the number of states in each range of the page's
    numbers. Those of color wheels are the indices of the service.
    """
    size, distances, layers = ranking.size, ranking.distances, len(source.table.info.layers)
    if not ranking.indices:
        size, distances = (
            source.space.size,
            lambda first, end: source.distances(np.arange(first, end)),
        )
    if size > _COUNTED and not ranking.indices:
        histograms = source.table.histograms
        block = histograms.length
        counts = np.array([histograms.between(far, far) for far in range(layers)])
    else:
        block = _RANGE
        ranges = (distances(first, min(first + block, size)) for first in range(0, size, block))
        counts = np.array(
            [np.bincount(np.where(far < 0, layers, far), minlength=layers + 1) for far in ranges]
        ).T
    values = counts.reshape(-1).astype(np.int32)
    written = write_blocks(
        folder, lambda first, end: values[first:end], len(values), digest, "counts"
    )
    return {"size": size, "block": block, "counts": written}


def read_folder_json(content: bytes, digest: str | None = None) -> dict[str, Any]:
    """Read JSON behind its checksum, of the table with this digest;
    raises ValueError for anything else.
    """
    first, _, rest = content.partition(b"\n")
    checksum, _, of = first.decode("ascii").partition(" ")
    if int(checksum, 16) != zlib.crc32(rest[:-1]):
        raise ValueError("it does not have its checksum")
    found: dict[str, Any] = orjson.loads(rest)
    if of != (digest or found["digest"]):
        raise ValueError("it belongs to another table")
    return found


def _write(path: Path, digest: str, content: dict[str, Any]) -> None:
    """Write JSON after a line with its checksum, so that a changed byte is noticed."""
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    path.write_text(f"{zlib.crc32(text.encode()):08x} {digest}\n{text}\n", "utf-8")
