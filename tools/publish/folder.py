"""The folder of a published table: its header, its blocks and their index, and states by distance."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from puzzlebase.puzzles import Signed
from puzzlebase.service.answers import catalog, pictures, random_states, whole_tables
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.table import OpenTable
from puzzlebase.tools.publish.blocks import BLOCK, LARGE, SMALL_BLOCK, write_blocks
from puzzlebase.tools.publish.drawing import DrawingData
from puzzlebase.tools.publish.ranking import ranking_of
from puzzlebase.tools.publish.states import Begin, NoForm, TextStates
from puzzlebase.tools.publish.stored import StoredForm

FORMAT = 1
HEADER = "header.json"
_DRAWN = 64  # states of each distance
_ANTIPODES = 1000


def write_table(tables: Tables, source: OpenTable, folder: Path, begin: Begin) -> None:
    """Write a table into a folder; raises NoForm where no form of a page holds it."""
    puzzle, goal = source.puzzle, source.goal
    states = TextStates.of(source, begin)
    digest = source.table.file.digest
    ranking = ranking_of(states)
    try:
        found = states.moves()
        moves: Any = [move.data() for move in found]
        drawing = DrawingData(states, found).data()
    except NoForm:
        if ranking.automaton is None:
            raise
        stored = StoredForm(states, ranking.automaton)
        moves, drawing = stored.moves(folder, digest), stored.drawing(folder, digest)
    with begin("publish", ranking.size) as advance:
        block = SMALL_BLOCK if ranking.size > LARGE else BLOCK
        blocks = write_blocks(folder, _counted(ranking.distances, advance), digest, block=block)
    header = {
        "format": FORMAT,
        "digest": digest,
        "goal": goal.name,
        "about": catalog.about(tables, puzzle, goal),
        "histogram": whole_tables.histogram(source),
        "start": goal.start,
        "solved": next(iter(goal.states), None),
        "states": states.as_data(),
        "one_way": source.one_way,
        "moves": moves,
        "drawing": drawing,
        "ranking": ranking.data,
        "blocks": blocks,
    }
    shown = next(iter(goal.states), goal.start)
    (folder / "goal.svg").write_text(pictures.drawn(puzzle, goal, shown), "utf-8")
    _write(folder / HEADER, digest, header)
    antipodes = whole_tables.antipodes(source, 0, _ANTIPODES)
    _write(folder / "states.json", digest, {"states": _by_distance(source), "antipodes": antipodes})


def read_header(path: Path) -> dict[str, Any]:
    """Read the header of a published table."""
    header: dict[str, Any] = json.loads(path.read_text("ascii").split("\n")[1])
    return header


def _counted(distances: Iterable[Signed], advance: Callable[[int], None]) -> Iterator[Signed]:
    """The same distances; `advance` hears how many more there are."""
    for piece in distances:
        yield piece
        advance(len(piece))


def _by_distance(source: OpenTable) -> list[list[str]]:
    """Some states at each distance, drawn at random, the same ones each time."""
    return [
        [*dict.fromkeys(_state(source, distance, number) for number in range(min(count, _DRAWN)))]
        for distance, count in enumerate(source.table.info.layers)
    ]


def _state(source: OpenTable, distance: int, number: int) -> str:
    key = random_states.key(f"publish {number}")
    return random_states.random(source, min_distance=distance, max_distance=distance, key=key)["state"]


def _write(path: Path, digest: str, content: dict[str, Any]) -> None:
    """Write JSON behind a line with its checksum, so that a changed byte is noticed."""
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    path.write_text(f"{zlib.crc32(text.encode()):08x} {digest}\n{text}\n", "ascii")
