"""What each part needs, and on which machine it is started."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from puzzlebase.builder.preflight import PROGRAM, Shortage, text_of_bytes
from puzzlebase.puzzles import ProductForm
from puzzlebase.tools.cluster.division import Division
from puzzlebase.tools.cluster.nodes import Node
from puzzlebase.tools.cluster.plan import Plan
from puzzlebase.tools.cluster.rows import margin_of

_GATHERED = 128 << 20
"""Bytes that a search by expansion holds of what it will send, and of what it expands."""


def memory_of_parts(division: Division, product: ProductForm | None) -> list[int]:
    """Bytes that each part needs: the program, its bit sets, and its tables.

    By rows these are three bits for each own node and two for each one of the margin; the tables are whole while they
    are cut to the part. By expansion they are three bits for each own node.
    """
    bytes_of_a_row = division.layout.words * 8
    needed = []
    for part in range(division.parts):
        first, last = division.rows(part)
        own = 3 * (last - first) * bytes_of_a_row
        if product:
            margin = len(margin_of(product, division, part))
            tables = sum(table.nbytes for table in product.tables)
            cut = 2 * 4 * product.links * (last - first + margin)
            needed.append(PROGRAM + own + 2 * margin * bytes_of_a_row + tables + cut)
        else:
            needed.append(PROGRAM + own + _GATHERED)
    return needed


def place(
    plan: Plan, nodes: Sequence[Node], needed: Sequence[int], missing: Sequence[int], placed: Sequence[Node | None]
) -> dict[int, Node]:
    """A machine for each missing part; raises Shortage where memory is too small.

    A part goes where its files are if they are on one machine alone, else where fewest parts are for each processor, of
    the machines where it fits.
    """
    left = {node.id: node.memory for node in nodes}
    there = {number: node for number, node in enumerate(placed) if node and number not in missing}
    parts = Counter(node.id for node in there.values())
    for number, node in there.items():
        # What a part holds already is no longer free; a part that has just been started will hold it.
        left[node.id] = left.get(node.id, 0) - needed[number] // 2
    found: dict[int, Node] = {}
    for number in missing:
        file = plan.layers(number).name
        holders = [node for node in nodes if file in node.files]
        candidates = holders if len(holders) == 1 else nodes
        fitting = [node for node in candidates if needed[number] <= left[node.id]]
        if fitting:
            node = min(fitting, key=lambda each: (parts[each.id] / each.processors, -left[each.id]))
        else:
            node = max(candidates, key=lambda each: left[each.id])
            most = " and ".join(f"{text_of_bytes(each.memory)} on {each.address}" for each in nodes)
            raise Shortage(
                f"part {number} of {plan.parts} of {plan.puzzle} needs about {text_of_bytes(needed[number])} of memory,"
                f" {text_of_bytes(left[node.id])} are left on {node.address}; free are {most}",
                "add machines, or more parts with --cluster-workers, or free some memory",
            )
        left[node.id] -= needed[number]
        parts[node.id] += 1
        found[number] = node
    return found


def memory_to_verify(nodes: Sequence[Node], parts: int) -> int:
    """Bytes of packed distances that each part may hold: what every machine has for the parts it would get."""
    at_most = int(np.ceil(parts / len(nodes)))
    return max(min(node.memory for node in nodes) * 3 // 4 // at_most - PROGRAM, _GATHERED // 2)
