"""Random definition files, goals and choices of moves,
whose every state is compared with a plain search.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from unittest import mock

import puzzlebase
from puzzlebase.plugins.definitions import factors
from puzzlebase.puzzles import find
from tests.fixtures import build_table
from tests.naive.definition import NaiveDefinition, State

from .small_definitions import definitions_from

_MOST, _LEAST = 1500, 6  # states


@dataclass(frozen=True)
class Drawn:
    """A definition, the words for some of its moves,
    none for all, and the text or the name of a goal.
    """

    text: str
    words: tuple[str, ...]
    goal: str
    few_rows: int  # from which on rows are stored up to symmetry

    @property
    def name(self) -> str:
        """The puzzle's name."""
        return "+".join(["random", *self.words])


def drawn(seed: int) -> Drawn:
    """Draw a definition of few states; every second one looks alike from several sides."""
    for attempt in count():
        chosen = random.Random(f"{seed} {attempt}")
        text = _turned_alike(chosen) if seed % 2 else _anything(chosen)
        naive = NaiveDefinition(text)
        every = naive.chosen()
        words = (
            tuple(_words(chosen, naive))
            if any(every.values()) and chosen.random() < (0.1 if seed % 2 else 0.4)
            else ()
        )
        found = naive.led_to([naive.solved], naive.chosen(words), _MOST)
        if _LEAST <= len(found) <= _MOST:
            kinds = [_one, _list, _mask, _generated, _rotations if seed % 2 else _mask]
            lines, goal = kinds[seed // 2 % len(kinds)](chosen, naive, [*found])
            return Drawn("\n".join([text, *lines, ""]), words, goal, 1 if seed % 2 else 64)
    raise AssertionError


def _words(chosen: random.Random, naive: NaiveDefinition) -> list[str]:
    """Some generators, and perhaps a power of the first one,
    which is no power of an earlier one.
    """
    first, *others = naive.moves
    return [chosen.choice(naive.powers(first)), *(move for move in others if chosen.random() < 0.6)]


def _anything(chosen: random.Random) -> str:
    """One or two sets of equal and different pieces, and up to three moves."""
    sets = {
        name: (chosen.randint(2, 5), chosen.choice((1, 1, 2, 3, 4)))
        for name in ("A", "B")[: chosen.randint(1, 2)]
    }
    lines = [f"Set {name} {places} {ways}" for name, (places, ways) in sets.items()] + ["Solved"]
    for name, (places, ways) in sets.items():
        labels = [chosen.randint(1, chosen.choice((2, places, 9))) for _ in range(places)]
        wild = {label for label in labels if ways > 1 and chosen.random() < 0.2}
        lines += [name, " ".join(map(str, labels))]
        lines.append(
            " ".join("?" if label in wild else str(chosen.randrange(ways)) for label in labels)
        )
    lines.append("End")
    for move in ("X", "Y", "Z")[: chosen.randint(1, 3)]:
        turn = {name: _turn(chosen, places, ways) for name, (places, ways) in sets.items()}
        lines += _move(move, {name: each for name, each in turn.items() if chosen.random() < 0.8})
    return "\n".join(lines)


def _turned_alike(chosen: random.Random) -> str:
    """Rings of as many places, one or two moves and their images all around; x turns the whole."""
    places = chosen.randint(3, 5)
    names = ("A", "B")[: chosen.choice((1, 1, 2))]
    sets = {name: chosen.choice((1, 1, 2, 3)) for name in names}
    step = chosen.choice([each for each in range(1, places) if places % each == 0])
    lines = [f"Set {name} {places} {ways}" for name, ways in sets.items()] + ["Solved"]
    for name, ways in sets.items():
        some = [chosen.randint(1, 9) for _ in range(step)] if chosen.random() < 0.3 else None
        labels = (
            [some[place % step] for place in range(places)] if some else [*range(1, places + 1)]
        )
        lines += [name, " ".join(map(str, labels))]
        if ways > 1:
            wild = chosen.random() < 0.1
            lines.append(" ".join("?" if wild else "0" for _ in labels))
    lines.append("End")
    together = chosen.random() < 0.3
    for first, moved in zip("UX", [names] if together else names, strict=False):
        turn = {name: _turn(chosen, places, sets[name]) for name in moved}
        for number, by in enumerate(range(0, places, step)):
            images = {}
            for name, (source, turns) in turn.items():
                images[name] = (
                    [(source[(place - by) % places] + by) % places for place in range(places)],
                    [turns[(place - by) % places] for place in range(places)],
                )
            lines += _move(f"{first}{'abcde'[number]}", images)
    around = [(place - step) % places for place in range(places)]
    lines += _move("x", {name: (around, [0] * places) for name in sets})
    return "\n".join(lines)


def _turn(chosen: random.Random, places: int, ways: int) -> tuple[list[int], list[int]]:
    """The source of each place,
    and the turn of each piece by its place before: mostly of few places.
    """
    source = [*range(places)]
    some = chosen.sample(source, min(places, chosen.choice((2, 2, 3, 4))))
    for place, other in zip(some, some[1:] + some[:1], strict=True):
        source[place] = other
    return source, [chosen.randrange(ways) if chosen.random() < 0.4 else 0 for _ in source]


def _move(name: str, turn: dict[str, tuple[list[int], list[int]]]) -> list[str]:
    lines = [f"Move {name}"]
    for of, (source, turns) in turn.items():
        lines += [of, " ".join(str(place + 1) for place in source), " ".join(map(str, turns))]
    return [*lines, "End"]


# Goals: lines of the file, and the goal's text or name.


def _one(
    _chosen: random.Random, _naive: NaiveDefinition, _states: list[State]
) -> tuple[list[str], str]:
    return [], ""


def _list(
    chosen: random.Random, naive: NaiveDefinition, states: list[State]
) -> tuple[list[str], str]:
    texts = [naive.text(state) for state in chosen.sample(states, chosen.randint(1, 3))]
    return [], "|".join(_around(naive, texts))


def _mask(
    chosen: random.Random, naive: NaiveDefinition, states: list[State]
) -> tuple[list[str], str]:
    masks = []
    for state in [states[0], *chosen.sample(states, chosen.randint(0, 1))]:
        share = chosen.choice((0.2, 0.5, 0.8))
        letters = [
            "?" if letter != "-" and chosen.random() < share else letter
            for letter in naive.text(state)
        ]
        masks.append("".join(letters))
    masks = _around(naive, masks)
    if chosen.random() < 0.5 or "-" in masks[0]:
        return [], "|".join(masks)
    return [line for mask in masks for line in _block(naive, mask)], "some"


def _block(naive: NaiveDefinition, mask: str) -> list[str]:
    """A mask of a file's only set as a goal of the file."""
    ((name, (places, _)),) = naive.sets.items()
    numbers = naive.blocks["Solved"][name][0]
    known = {
        letter: number for (letter, _), number in zip(naive.solved[0], numbers, strict=True)
    } | {"?": "?"}
    width = len(mask) // places
    lines = ["Goal some", name, " ".join(known[letter] for letter in mask[::width])]
    return [*lines, *([" ".join(mask[1::2])] if width > 1 else []), "End"]


def _around(naive: NaiveDefinition, texts: list[str]) -> list[str]:
    """States or masks; if the file has x, also those that it turns them to."""
    found = dict.fromkeys(texts)
    queue = [*found] if "x" in naive.blocks else []
    for text in queue:
        turned = []
        for name, part in zip(naive.sets, text.split("-"), strict=True):
            order = naive.blocks["x"][name][0]
            width = len(part) // len(order)
            turned.append("".join(part[width * (int(at) - 1) :][:width] for at in order))
        if (after := "-".join(turned)) not in found:
            found[after] = None
            queue.append(after)
    return [*found]


def _generated(
    chosen: random.Random, naive: NaiveDefinition, _states: list[State]
) -> tuple[list[str], str]:
    """Named in the file, or not."""
    words = chosen.sample(naive.moves, chosen.randint(1, max(len(naive.moves) - 1, 1)))
    return (
        ([f"Goal some {' '.join(words)}"], "some")
        if chosen.random() < 0.5
        else ([], f"<{','.join(words)}>")
    )


def _rotations(
    _chosen: random.Random, _naive: NaiveDefinition, _states: list[State]
) -> tuple[list[str], str]:
    return [], "rotations"


def check(case: Drawn, folder: Path) -> int:
    """Compare all distances by a table, a lookup and a search;
    returns the number of symmetries by what is stored.
    """
    naive = NaiveDefinition(case.text)
    known = naive.distances(words=case.words, goal=case.goal)
    (folder / "random.tws").write_text(case.text, "utf-8")
    data, empty = folder / "data", folder / "empty"
    data.mkdir()
    empty.mkdir()
    with definitions_from(folder), mock.patch.object(factors, "_FEW_ROWS", case.few_rows):
        goal = case.goal or None
        build_table(data, case.name, goal)
        built = puzzlebase.open(case.name, goal=goal, data=data)
        searched = puzzlebase.open(case.name, goal=goal, data=empty, seconds=600)
        states = [*known]
        for opened in (built, searched):
            assert opened.source == ("table" if opened is built else "search")
            assert dict(zip(states, opened.distances(states).tolist(), strict=True)) == known
        for state in states[:: max(len(states) // 20, 1)]:
            found = built.lookup(state)
            assert found["distance"] == known[state]
            assert [move["distance"] for move in found["moves"]] == [
                known[move["state"]] for move in found["moves"]
            ]
        space = find(case.name).space(built.goal)
        return space.size // max(space.stored_size, 1)
