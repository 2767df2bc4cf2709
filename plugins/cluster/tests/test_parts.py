"""The search of parts without a cluster: one process hands over the messages between them."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.builder.breadth_first import find_layers, layout_of
from puzzlebase.builder.journal import BitLayout, Journal
from puzzlebase.command_line.verbs import of_files
from puzzlebase.plugins.cluster.plan import Division
from puzzlebase.plugins.cluster.search import PartSearch, of_rows
from puzzlebase.puzzles import Graph, find

pytestmark = pytest.mark.needs("panex", "panguru")


def graph_of(name: str) -> Graph:
    puzzle = find(name)
    return puzzle.space(puzzle.goals[0]).stored()


def parts_of(graph: Graph, count: int, folder: Path, most: float = math.inf) -> list[PartSearch]:
    """Parts that continue after as many layers as all of them have, or fewer."""
    division = Division.of(layout_of(graph), count)
    journals = []
    for part in range(division.parts):
        journal = Journal(folder / f"{part}", {}, division.layout, most)
        if not journal.layers:
            for piece in division.pieces(part):
                first, last = division.layout.vertices(journal.pieces[piece])
                goal = graph.goal_states
                journal.add_vertices(piece, goal[(goal >= first) & (goal < last)])
            journal.end_layer()
        journals.append(journal)
    least = min(len(journal.layers) for journal in journals)
    if least < max(len(journal.layers) for journal in journals):
        for journal in journals:
            journal.close()
        return parts_of(graph, count, folder, least)
    return [PartSearch(graph, division, part, journal) for part, journal in enumerate(journals)]


def search(parts: list[PartSearch], last: int = 10**6) -> None:
    """Find all layers up to the last one."""
    found = 1
    while found and len(parts[0]._journal.layers) <= last:
        mail = [message for part in parts for message in part.messages()]
        found = sum([part.turn(mail) for part in parts])


def distances_of(parts: list[PartSearch]) -> list[int]:
    """The distances of all vertices, each part's own; closes the journals."""
    return [distance for part in parts for distance in of_journal(part._journal, part._own)]


def of_journal(journal: Journal, pieces: range) -> list[int]:
    with journal:
        return [distance for piece in pieces for distance in journal.distances(piece).tolist()]


def plain(graph: Graph, folder: Path) -> list[int]:
    journal = Journal(folder / "plain", {}, layout_of(graph))
    find_layers(graph, journal, 1, lambda *_: None)
    return of_journal(journal, range(len(journal.pieces)))


@pytest.mark.parametrize("name", ["challenger", "panex-4", "panguru-4"])
def test_parts_find_the_layers_that_one_machine_finds(tmp_path: Path, name: str) -> None:
    graph = graph_of(name)
    expected = plain(graph, tmp_path)
    for count in (1, 2, 3, 4):
        (tmp_path / f"{count}").mkdir()
        parts = parts_of(graph, count, tmp_path / f"{count}")
        search(parts)
        assert distances_of(parts) == expected, count


def test_parts_that_have_more_layers_than_others_forget_them(tmp_path: Path) -> None:
    """One part lost its files, another stopped after layer 7."""
    graph = graph_of("challenger")
    for last, lost in ((9, 0), (7, 1)):
        parts = parts_of(graph, 3, tmp_path)
        search(parts, last)
        for part in parts:
            part._journal.close()
        (tmp_path / f"{lost}").unlink()
    parts = parts_of(graph, 3, tmp_path)
    search(parts)
    assert distances_of(parts) == plain(graph, tmp_path)


@pytest.mark.parametrize(("words", "share"), [(1, 0.9), (4, 0.0001)])
def test_a_message_says_what_it_was_made_of(words: int, share: float) -> None:
    random = np.random.default_rng(int(words + share * 1000))
    lit = random.random((5, 64 * words)) < share
    lit[:, 7] = True
    bits = np.packbits(lit, axis=1, bitorder="little").view(np.uint64)
    before = bits[:1] << np.uint64(1)
    got, filled = np.zeros((9, words), np.uint64), np.zeros(9, np.bool_)
    got[3] = before
    rows = np.array([0, 3, 4, 6, 8])
    of_rows(0, rows, bits).add_to(got, filled)
    bits[1] |= before[0]
    assert np.array_equal(got[rows], bits)
    assert not got[[1, 2, 5, 7]].any()
    assert np.flatnonzero(filled).tolist() == rows.tolist()


@pytest.mark.parametrize(("size", "width", "wanted"), [(38_640, 210, 4), (10_432_800, 113_400, 4), (10**7, 1 << 16, 7)])
def test_parts_share_all_rows(size: int, width: int, wanted: int) -> None:
    layout = BitLayout(size, width)
    division = Division.of(layout, wanted)
    parts = range(division.parts)
    assert division.parts == min(wanted, len(layout.pieces))
    assert [piece for part in parts for piece in division.pieces(part)] == list(range(len(layout.pieces)))
    assert [division.part_of(piece) for part in parts for piece in division.pieces(part)] == [
        part for part in parts for _ in division.pieces(part)
    ]
    rows = [row for part in parts for row in division.rows(part)]
    assert rows == [0, *(row for row in rows[1:-1:2] for _ in range(2)), layout.rows]


def test_the_document_names_every_option_and_no_other() -> None:
    page = (Path(__file__).parents[3] / "plugins" / "cluster" / "README.md").read_text("utf-8")
    options = {option for parameter in of_files.build.params for option in parameter.opts}
    assert {option for option in options if option.startswith("--cluster")} <= {*re.findall(r"--[a-z-]+", page)}
    for line in re.findall(r"^ *(?:entrypoint: )?puzzlebase .*? build (.*)$", page, re.MULTILINE):
        assert {word for word in line.split() if word.startswith("--")} <= options, line
