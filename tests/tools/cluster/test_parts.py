"""The search of parts without a cluster: one process hands over the messages between them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.builder.breadth_first import find_layers, layout_of
from puzzlebase.builder.journal import BitLayout, Journal
from puzzlebase.command_line.verbs import of_files
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.puzzles import Graph, find
from puzzlebase.tools.cluster.messages import Message, of_bits, of_vertices
from puzzlebase.tools.cluster.plan import Division
from puzzlebase.tools.cluster.search import ExpansionSearch, PartSearch, RowSearch


def graph_of(name: str) -> Graph:
    puzzle = find(name)
    return puzzle.space(puzzle.goals[0]).stored()


def parts_of(graph: Graph, count: int, folder: Path, *, by_rows: bool) -> list[PartSearch]:
    division = Division.of(layout_of(graph), count)
    parts: list[PartSearch] = []
    for part in range(division.parts):
        journal = Journal(folder / f"{part}", {}, division.layout)
        if not journal.layers:
            for piece in division.pieces(part):
                first, last = division.layout.vertices(journal.pieces[piece])
                goal = graph.goal_states
                journal.add_vertices(piece, goal[(goal >= first) & (goal < last)])
            journal.end_layer()
        kind = RowSearch if by_rows else ExpansionSearch
        parts.append(kind(graph, division, part, journal, lambda _: None))
    return parts


def search(parts: list[PartSearch], last: int = 10**6) -> None:
    """Find all layers up to the last one; messages arrive when all parts have turned."""
    mail: list[tuple[int, Message]] = []
    layer = min(len(part.journal.layers) for part in parts) - 1
    for part in parts:
        part.take_up(layer)
    found = 1
    while found and layer < last:
        for part in parts:
            part.tell(lambda to, message: mail.append((to, message)))
        for to, message in mail:
            parts[to].receive(message)
        mail.clear()
        layer += 1
        found = sum(part.turn(layer, lambda: None) for part in parts)


def distances_of(parts: list[PartSearch]) -> list[int]:
    """The distances of all vertices, each part's own; closes the journals."""
    return [distance for part in parts for distance in of_journal(part.journal, part.division.pieces(part.part))]


def of_journal(journal: Journal, pieces: range) -> list[int]:
    with journal:
        return [distance for piece in pieces for distance in journal.distances(piece).tolist()]


def plain(graph: Graph, folder: Path) -> list[int]:
    journal = Journal(folder / "plain", {}, layout_of(graph))
    find_layers(graph, journal, 1, lambda *_: None)
    return of_journal(journal, range(len(journal.pieces)))


@pytest.mark.parametrize(
    ("name", "by_rows"),
    [
        ("challenger", True),
        ("panex-4", True),
        ("panguru-4", True),
        ("panex-4", False),
        ("sliding-3x3", False),
        ("quantum-2x2-4", False),
    ],
)
def test_parts_find_the_layers_that_one_machine_finds(tmp_path: Path, name: str, by_rows: bool) -> None:
    graph = graph_of(name)
    expected = plain(graph, tmp_path)
    for count in (1, 2, 3, 4):
        (tmp_path / f"{count}").mkdir()
        parts = parts_of(graph, count, tmp_path / f"{count}", by_rows=by_rows)
        search(parts)
        assert distances_of(parts) == expected, count


@pytest.mark.parametrize(("name", "by_rows"), [("challenger", True), ("sliding-3x3", False)])
def test_parts_that_have_more_layers_than_others_go_on_with_them(tmp_path: Path, name: str, by_rows: bool) -> None:
    """One part lost its files, another stopped after layer 7, one after layer 9: no layer is written twice."""
    graph = graph_of(name)
    for last, lost in ((9, 0), (7, 1)):
        parts = parts_of(graph, 3, tmp_path, by_rows=by_rows)
        search(parts, last)
        for part in parts:
            part.journal.close()
        (tmp_path / f"{lost}").unlink()
    parts = parts_of(graph, 3, tmp_path, by_rows=by_rows)
    assert len({len(part.journal.layers) for part in parts}) > 1
    search(parts)
    assert len({len(part.journal.layers) for part in parts}) == 1
    assert distances_of(parts) == plain(graph, tmp_path)


@pytest.mark.parametrize("width", [64, 200, 1 << 16])
@pytest.mark.parametrize("share", [0.0001, 0.01, 0.2, 0.9])
@pytest.mark.parametrize("make", ["bits", "vertices"])
def test_a_message_says_what_it_was_made_of(width: int, share: float, make: str) -> None:
    rows, words = 5, -(-width // 64)
    random = np.random.default_rng(int(width + share * 1000))
    vertices = np.flatnonzero(random.random(rows * width) < share)
    vertices = vertices if len(vertices) else np.array([width])
    bits = np.zeros((rows, words), np.uint64)
    for vertex in vertices.tolist():
        bits[vertex // width, vertex % width // 64] |= np.uint64(1) << np.uint64(vertex % width % 64)
    message = of_bits(0, 2, bits, width) if make == "bits" else of_vertices(0, vertices + 2 * width, width, words)
    assert message
    got, lit = np.zeros((rows + 3, words), np.uint64), np.zeros(rows + 3, np.bool_)
    message.add_to(got, width, lit)
    assert np.array_equal(got[2 : 2 + rows], bits)
    assert not got[:2].any()
    assert not got[2 + rows :].any()
    assert lit.astype(bool).tolist() == got.any(axis=1).tolist()
    assert of_bits(0, 0, np.zeros_like(bits), width) is None
    assert message.dense == (len(message.data) == 8 * words * message.rows)


@pytest.mark.parametrize(("size", "width", "wanted"), [(38_640, 210, 4), (10_432_800, 113_400, 4), (10**7, 1 << 16, 7)])
def test_parts_share_all_rows_and_all_blocks(size: int, width: int, wanted: int) -> None:
    layout = BitLayout(size, width)
    division = Division.of(layout, wanted)
    parts = range(division.parts)
    assert division.parts == min(wanted, len(layout.pieces))
    assert [piece for part in parts for piece in division.pieces(part)] == list(range(len(layout.pieces)))
    assert [division.vertices(part)[0] for part in parts] == division.ends[:-1].tolist()
    blocks = [block for part in parts for block in division.blocks(part)]
    assert blocks == list(range(-(-size // BLOCK_SIZE)))
    writers = [part for part in parts for _ in division.blocks(part)]
    assert division.parts_of(np.array(blocks) * BLOCK_SIZE).tolist() == writers
    assert [(first, last) for _, first, last in division.owners(0, size)] == [division.vertices(part) for part in parts]


def test_a_margin_is_what_a_part_leads_to() -> None:
    """A plain walk over the edges of each row finds the same."""
    graph = graph_of("challenger")
    assert graph.product
    product = graph.product()
    division = Division.of(layout_of(graph), 3)
    for part in range(3):
        first, last = division.rows(part)
        targets = {row for moves in product.row_move.tolist() for row in moves[first:last] if row >= 0}
        assert division.margin(product, part).tolist() == sorted(targets - set(range(first, last)))


def test_the_document_names_every_option_and_no_other() -> None:
    page = (Path(__file__).parents[3] / "docs" / "cluster.md").read_text("utf-8")
    options = {option for parameter in of_files.build.params for option in parameter.opts}
    assert {option for option in options if option.startswith("--cluster")} <= {*re.findall(r"--[a-z-]+", page)}
    for line in re.findall(r"^ *(?:entrypoint: )?puzzlebase .*? build (.*)$", page, re.MULTILINE):
        assert {word for word in line.split() if word.startswith("--")} <= options, line
