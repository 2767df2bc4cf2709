"""Parts without a cluster: one process hands over the messages between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from puzzlebase.builder.breadth_first import Engine, find_layers, layout_of
from puzzlebase.builder.journal import Journal
from puzzlebase.command_line.verbs import of_files
from puzzlebase.plugins.cluster.part import Message, Part, messages_to_journal, messages_to_part
from puzzlebase.puzzles import Graph, find

pytestmark = pytest.mark.needs("panex", "panguru")


def in_turn(count: int, graph: Graph, journal: Journal, _threads: int) -> Iterator[None]:
    """Find layers in parts of this process, each with every so-many-th share of the pieces."""
    assert graph.product
    pieces, layers = len(journal.pieces), range(len(journal.layers))
    owned = [range(part * pieces // count, (part + 1) * pieces // count) for part in range(count)]
    parts = [Part(graph.product(), journal.layout, own) for own in owned]
    for part in parts:
        part.begin(messages_to_part(journal, layers), messages_to_part(journal, layers[-1:]))
    messages: list[list[Message]] = []
    while not journal.complete:
        messages = [part.step(False, *messages) for part in parts]
        messages_to_journal(chain(*messages), journal)
        yield


def distances(graph: Graph, journal: Journal, parts: int) -> list[int]:
    """The distances of all vertices, found by parts,
    or without any if there are 0; closes the journal.
    """
    engine = (
        {"engine": lambda _graph: Engine(partial(in_turn, parts), lambda _graph: 0)}
        if parts
        else {}
    )
    with journal:
        find_layers(graph, journal, 1, lambda *_: None, **engine)
        return [
            distance
            for piece in range(len(journal.pieces))
            for distance in journal.distances(piece).tolist()
        ]


@pytest.mark.parametrize("name", ["challenger", "panex-4", "panguru-4"])
def test_parts_find_the_layers_that_one_machine_finds(tmp_path: Path, name: str) -> None:
    """From the start, and after seven layers that another build found before it was stopped."""
    puzzle = find(name)
    graph = puzzle.space(puzzle.goals[0]).stored()
    expected = distances(graph, Journal(tmp_path / "plain", {}, layout_of(graph)), 0)
    for parts in (1, 3):
        assert (
            distances(graph, Journal(tmp_path / f"{parts}", {}, layout_of(graph)), parts)
            == expected
        )
    with (
        Journal(tmp_path / "stopped", {}, layout_of(graph)) as journal,
        pytest.raises(KeyboardInterrupt),
    ):
        find_layers(graph, journal, 1, stop_after_seven)
    assert distances(graph, Journal(tmp_path / "stopped", {}, layout_of(graph)), 2) == expected


def stop_after_seven(layer: int, _vertices: int, _found: int) -> None:
    if layer == 7:
        raise KeyboardInterrupt


@pytest.mark.parametrize(("words", "share"), [(1, 0.9), (4, 0.0001)])
def test_a_message_says_what_it_was_made_of(words: int, share: float) -> None:
    """Rows without a vertex are left out."""
    random = np.random.default_rng(int(words + share * 1000))
    lit = random.random((9, 64 * words)) < share
    lit[:, 7] = True
    lit[[2, 5]] = False
    bits = np.packbits(lit, axis=1, bitorder="little").view(np.uint64)
    rows, of_rows = Message.of(0, bits, 7, np.array([0, 2, 4, 6, 8])).rows()
    assert rows.tolist() == [0, 4, 6, 8]
    assert np.array_equal(of_rows, bits[rows])


def test_the_document_names_every_option_and_no_other() -> None:
    page = (Path(__file__).parents[3] / "plugins" / "cluster" / "README.md").read_text("utf-8")
    options = {option for parameter in of_files.build.params for option in parameter.opts}
    assert {option for option in options if option.startswith("--cluster")} <= {
        *re.findall(r"--[a-z-]+", page)
    }
    for line in re.findall(r"^ *(?:entrypoint: )?puzzlebase .*? build (.*)$", page, re.MULTILINE):
        assert {word for word in line.split() if word.startswith("--")} <= options, line
