"""Reference implementations: the rules once more, from their description alone, in plain Python.

Nothing here imports anything of the project. A state of a color wheel is its 21-character text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Neighbours = Callable[[str], Iterable[tuple[str, str]]]

FULL_TURNS = ["L", "L2", "L3", "L2'", "L'", "R", "R2", "R3", "R2'", "R'"]
SIXTH_TURNS = ["L", "L'", "R", "R'"]


def turn(state: str, move: str) -> str:
    """Turn a wheel by sixths, one at a time: plain is clockwise, ' anticlockwise."""
    sixths = int(move[1]) if move[1:2].isdigit() else 1
    if move.endswith("'"):
        sixths = 6 - sixths
    for _ in range(sixths):
        if move[0] == "L":
            wheel = state[:12]
            state = wheel[-2:] + wheel[:-2] + state[12:]
        else:
            wheel = state[9:]
            state = state[:9] + wheel[2:] + wheel[:2]
    return state


def play(state: str, moves: str | Iterable[str]) -> str:
    """The state after some moves, "L R2'" or a list of them."""
    for move in moves.split() if isinstance(moves, str) else moves:
        state = turn(state, move)
    return state


def undo(moves: str) -> list[str]:
    """The moves that take back a list of moves."""
    back = {"": "'", "'": "", "2": "2'", "2'": "2", "3": "3"}
    return [move[0] + back[move[1:]] for move in reversed(moves.split())]


def renamed(state: str) -> str:
    """Rename a state's letters a, b, c, ... by first appearance, left to right."""
    names: dict[str, str] = {".": "."}
    for letter in state:
        names.setdefault(letter, "abcdefghij"[len(names) - 1])
    return "".join(names[letter] for letter in state)


def wheel_neighbours(turns: list[str], *, interchangeable: bool) -> Neighbours:
    """Every state one move away, with the move."""

    def neighbours(state: str) -> Iterable[tuple[str, str]]:
        for move in turns:
            after = turn(state, move)
            yield move, renamed(after) if interchangeable else after

    return neighbours


def distances(start: str, neighbours: Neighbours, depth: int | None = None) -> dict[str, int]:
    """Search breadth-first over a dictionary, to a depth or to the end."""
    found = {start: 0}
    layer = [start]
    distance = 0
    while layer and (depth is None or distance < depth):
        distance += 1
        after = []
        for state in layer:
            for _, successor in neighbours(state):
                if successor not in found:
                    found[successor] = distance
                    after.append(successor)
        layer = after
    return found


def distance_to(known: dict[str, int], start: str, neighbours: Neighbours, deepest: int) -> int:
    """Find the distance of `start` to the first state of a search;
    `known` are its distances up to `deepest`.

    Layers from `start` are made until one meets the known states. A state outside them is farther
    than `deepest`, so no shorter path is missed.
    """
    seen = {start}
    layer = [start]
    walked = 0
    while True:
        met = [known[state] for state in layer if state in known]
        if met:
            return walked + min(met)
        assert walked + deepest < 50, "the searches never meet"
        walked += 1
        layer = [
            after
            for state in layer
            for _, after in neighbours(state)
            if not (after in seen or seen.add(after))  # type: ignore[func-returns-value]
        ]


def shortest(state: str, known: dict[str, int], neighbours: Neighbours) -> list[list[str]]:
    """Every shortest solution, in the order in which moves are listed."""
    if known[state] == 0:
        return [[]]
    return [
        [move, *rest]
        for move, after in neighbours(state)
        if known[after] == known[state] - 1
        for rest in shortest(after, known, neighbours)
    ]


def grade(
    start: str, moves: list[str], known: dict[str, int], turns: list[str]
) -> dict[str, object]:
    """The stars of a game: three without a wasted move,
    two for up to four, one for any solution.
    """
    state, length, mistake, illegal = start, 0, None, None
    for step, move in enumerate(moves, 1):
        if move not in turns:
            illegal = step
            break
        after = turn(state, move)
        if known[after] != known[state] - 1 and mistake is None:
            better = [other for other in turns if known[turn(state, other)] == known[state] - 1]
            mistake = {"step": step, "played": move, "better": better}
        state, length = after, step
    solved = illegal is None and known[state] == 0
    wasted = length - (known[start] - known[state])
    return {
        "legal": illegal is None,
        "illegal": illegal,
        "solved": solved,
        "length": length,
        "optimal_length": known[start],
        "wasted": wasted,
        "stars": 0 if not solved else 3 if wasted == 0 else 2 if wasted <= 4 else 1,
        "first_mistake": mistake,
        "last": state,
    }
