"""The driver of a build on a Ray cluster: it starts parts,
has them find each layer, and writes the journal.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain, pairwise
from typing import Any

import ray

from puzzlebase.builder.breadth_first import Engine
from puzzlebase.builder.breadth_first.rows import row_scan_pays
from puzzlebase.builder.errors import CONTINUES, BuildError
from puzzlebase.builder.journal import BitLayout, Journal
from puzzlebase.builder.preflight import PROGRAM
from puzzlebase.plugins.cluster.machines import actors
from puzzlebase.plugins.cluster.part import Part, messages_to_journal, messages_to_part
from puzzlebase.puzzles import Graph
from puzzlebase.puzzles.contract.space import ProductForm


def engine_of(workers: int | None, graph: Graph) -> Engine:
    """The engine that has parts find the layers;
    raises BuildError for moves that are no tables of rows.
    """
    if not graph.product:
        raise BuildError(
            "the moves of this puzzle are no tables of rows", "build it without --cluster"
        )
    return Engine(partial(_by_parts, workers), lambda _graph: 0)


def _by_parts(workers: int | None, graph: Graph, journal: Journal, _threads: int) -> Iterator[None]:
    """Find layers in so many parts, or in one for each processor of the cluster.

    Ray carries messages from one part to another, and all of them to this process, which writes the
    journal. Raises BuildError if a part is lost, and Shortage.
    """
    assert graph.product
    product, layout = graph.product(), journal.layout
    count = min(workers or int(ray.cluster_resources().get("CPU", 1)), len(layout.pieces))
    ends = [part * len(layout.pieces) // count for part in range(count + 1)]
    tables = ray.put(product)
    layers = range(len(journal.layers))
    try:
        with actors(Part, count, _memory_of_a_part(product, layout, count)) as kinds:
            parts = [
                kind.remote(tables, layout, range(*own))
                for kind, own in zip(kinds, pairwise(ends), strict=True)
            ]
            reached, layer = (
                ray.put(messages_to_part(journal, some)) for some in (layers, layers[-1:])
            )
            ray.get([part.begin.remote(reached, layer) for part in parts])
            found: list[Any] = []
            while not journal.complete:
                by_scan = row_scan_pays(graph.size, journal.layers)
                found = [part.step.remote(by_scan, *found) for part in parts]
                messages_to_journal(chain(*ray.get(found)), journal)
                yield
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        what = str(error).strip().partition("\n")[0].rstrip(".:")
        raise BuildError(
            f"the cluster failed: {what or type(error).__name__}", CONTINUES
        ) from error


def _memory_of_a_part(product: ProductForm, layout: BitLayout, parts: int) -> int:
    """The bytes that a part needs: the program, its tables, and its bit sets.

    The bit sets are two bits for each vertex and another one for each own vertex.
    """
    tables = sum(table.nbytes for table in product.tables)
    return PROGRAM + 2 * tables + (2 * layout.rows + -(-layout.rows // parts)) * layout.words * 8
