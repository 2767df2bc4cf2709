"""The classical Tower of Hanoi, beside the magnetic one:
disks have one side, and posts no colour.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from puzzlebase.plugins.definitions.rules_puzzles import rules_puzzle
from puzzlebase.plugins.small_graphs import small_graph_path, small_graph_search
from puzzlebase.puzzles import About, Board, Family, Goal, Layout, Published, Puzzle
from puzzlebase.puzzles.families.classical.graph_picture import MAX_DRAWN, graph_picture

_POSTS = "SID"
_DISKS = "123456789abc"
_EMPTY = "-"

State = tuple[str, ...]


def _moves(state: State) -> Iterator[tuple[str, State]]:
    """The legal moves: the top disk, the last of a post, goes to a post without a smaller one."""
    for source, disks in enumerate(state):
        for target, others in enumerate(state):
            if source != target and disks and (not others or others[-1] < disks[-1]):
                posts = [*state]
                posts[source], posts[target] = disks[:-1], others + disks[-1]
                yield f"{_POSTS[source]}-{_POSTS[target]}", tuple(posts)


def _read(disks: str, text: str) -> State:
    posts: State = tuple("" if post == _EMPTY else post for post in text.split("/"))
    tidy = all("".join(sorted(post)) == post for post in posts)
    if (
        len(posts) != len(_POSTS)
        or sorted("".join(posts)) != [*disks]
        or not tidy
        or text != _write(posts)
    ):
        raise ValueError(
            "three posts with / between, each its disks from the bottom, 1 the largest, or -"
        )
    return posts


def _write(state: State) -> str:
    return "/".join(post or _EMPTY for post in state)


def _graph_picture(parse: Callable[[str], Board], n: int, text: str, _goal: Goal) -> Layout:
    """Draw all states, and the shortest path of one; raises what `parse` raises."""
    parse(text)
    disks = _DISKS[:n]
    goal: State = ("", "", disks)
    nearer = dict(small_graph_search([goal], lambda state: (after for _, after in _moves(state))))
    moves = [(one, two) for one in nearer for _, two in _moves(one) if one < two]
    distances = {state: len(small_graph_path(state, nearer)) - 1 for state in nearer}
    return graph_picture(
        disks, moves, distances, small_graph_path(_read(disks, text), nearer), _write
    )


def _puzzle(name: str) -> Puzzle:
    n = int(name.rpartition("-")[2])
    disks = _DISKS[:n]
    start: State = (disks, "", "")
    puzzle = rules_puzzle(
        name,
        start=start,
        solved=lambda state: state[-1] == disks,
        moves=_moves,
        read=partial(_read, disks),
        write=_write,
        title=f"Tower of Hanoi, {n} disk{'s' if n > 1 else ''}",
        about=About(
            inventor="Edouard Lucas",
            link="https://oeis.org/A000225",
            sentence="The classical tower: disks of one side, on three posts.",
            instructions="Move one disk at a time, never onto a smaller one, until all lie "
            "on the last post.",
        ),
        published=Published("OEIS A000225", 3**n, start_distance=2**n - 1),
    )
    if n > MAX_DRAWN:
        return puzzle
    posts = puzzle.board.drawing
    graph = partial(_graph_picture, puzzle.parse, n)
    drawing = replace(posts, styles={"posts": posts.layout, "graph": graph})
    return replace(puzzle, board=replace(puzzle.board, drawing=drawing))


FAMILY = Family(
    name="classical",
    title="Tower of Hanoi",
    template=f"hanoi-classical-1 to hanoi-classical-{len(_DISKS)}",
    pattern=re.compile("hanoi-classical-([1-9]|1[0-2])"),
    # of those the laws are tested by index; a build of these finds and proves all states
    members=(),
    example="hanoi-classical-3",
    larger=("hanoi-classical-3", "hanoi-classical-6"),
    place=2,
    make=_puzzle,
)
