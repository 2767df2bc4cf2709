"""The requests of the corpus: those of `requests.txt`,
about the puzzles of `tables.txt` and some without a table.
"""

from __future__ import annotations

import json
import random
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote_plus

import puzzlebase
from puzzlebase.command_line.verbs import VERBS
from puzzlebase.hooks import plugin_references
from puzzlebase.opened import OpenPuzzle
from puzzlebase.puzzles import IllegalMove, PuzzleError
from tests.corpus.world import Built, built

SEARCHED = {
    **dict.fromkeys(("sliding-3x3", "sliding-2x4", "panguru", "rooms-1", "quantum-3x3-10"), 4),
    **dict.fromkeys(("panex-5", "hanoi-nnn-5", "hanoi-classical-4"), 9),
    "rings": 1,
}
"""Puzzles without a table, and how many random moves from the start their states are:
searches, oracles, methods.
"""


class Asking:
    """Fills in the requests about one puzzle and goal."""

    def __init__(self, name: str, goal: str | None = None, *, published: bool = False) -> None:
        self.chance = random.Random(f"{name} {goal}")
        self.published, self.count = published, 0
        self.values: dict[str, Any] = {
            "name": name,
            "opened": f"open({name!r}, {goal!r})" if goal else f"open({name!r})",
        }
        forms = {
            "only_goal": "?goal={}",
            "and_goal": "&goal={}",
            "json_goal": ', "goal": "{}"',
            "cli_goal": " --goal {}",
        }
        self.values |= {key: form.format(goal) if goal else "" for key, form in forms.items()}

    def ask(self, section: str) -> Iterator[str]:
        """The requests of a section. Every fifth command is asked, in JSON and as text."""
        for line in sections()[section]:
            kind, _, rest = line.partition(" ")
            if kind == "js>" and not self.published:
                continue
            text = Template(rest if kind == "?" else line).substitute(
                self.values, level=self.count % 4 + 1
            )
            if kind != "?":
                yield text
                continue
            self.count += 1
            if self.count % 5 == 0:
                yield from (f"{text} --json", text)

    def about_a_state(self, puzzle: OpenPuzzle, text: str) -> Iterator[str]:
        """The requests about a state, with a random game from there."""
        moves, after = walked(puzzle, text, self.chance.randrange(1, 6), self.chance)
        highlight = f"&highlight={quote_plus(moves[0])}" if moves else ""
        self.values |= {"shown": self.chance.randrange(1, 5), "and_highlight": highlight}
        self.values |= {
            "state": shlex.quote(text),
            "state_url": quote_plus(text),
            "after_url": quote_plus(after),
        }
        self.values |= {
            "state_json": json.dumps(text),
            "state_py": repr(text),
            "after_json": json.dumps(after),
        }
        self.values["played"] = shlex.quote(" ".join(moves))
        self.fill(moves=moves, wrong=[*moves, "?"])
        yield from self.ask("state")

    def fill(self, **lists: list[str]) -> None:
        """Note lists of texts, as each face writes them."""
        for name, texts in lists.items():
            self.values |= {
                name: shlex.join(texts),
                f"{name}_json": json.dumps(texts),
                f"{name}_py": repr(texts),
            }


def questions() -> Iterator[str]:
    """All requests, in their order."""
    for each in built():
        if each.name not in SEARCHED:
            yield from about_a_table(each)
    for name, turns in SEARCHED.items():
        yield from about_a_search(name, turns)
    for verb in ("", *sorted({*VERBS, *plugin_references("verbs")})):
        yield f"puzzlebase {verb} --help".replace("  ", " ")
    yield from sections()["rest"]


def about_a_table(table: Built) -> Iterator[str]:
    """About a puzzle with a table: all of it, random states, and states at several distances."""
    asking = Asking(table.name, table.goal, published=table.published)
    puzzle = puzzlebase.open(table.name, table.goal)
    histogram = puzzle.histogram()
    far = len(histogram["layers"]) - 1
    asking.values |= {"half": far // 2, "beyond": far + 1, "count": histogram["states"]}
    yield from asking.ask("puzzle")
    yield from asking.ask("table")
    texts = [
        puzzle.random(distance=at, seed="s")["state"]
        for at in sorted({0, far // 2, far} & {*range(far + 1)})
    ]
    texts += [puzzle.random(lost=True, seed="s")["state"]] if histogram.get("lost") else []
    texts += table.states
    for text in texts:
        yield from asking.about_a_state(puzzle, text)
    asking.fill(states=[*texts, "x"])
    yield from asking.ask("states")


def about_a_search(name: str, turns: int) -> Iterator[str]:
    """About a puzzle without a table, the same of states near its start."""
    asking, puzzle = Asking(name), puzzlebase.open(name)
    yield from asking.ask("puzzle")
    for number in range(3):
        _, state = walked(puzzle, puzzle.goal.start, turns if number else 0, asking.chance)
        yield from asking.about_a_state(puzzle, state)
    yield from asking.ask("search")


def walked(
    puzzle: OpenPuzzle, text: str, steps: int, chance: random.Random
) -> tuple[list[str], str]:
    """Random legal moves from a state,
    fewer where there are none left, and the state after them.
    """
    moves: list[str] = []
    with suppress(PuzzleError):  # text is no state
        for _ in range(steps):
            names = [move.name for move in puzzle.record.moves_of(text)]
            for name in chance.sample(names, len(names)):
                with suppress(IllegalMove):
                    text = puzzle.state(text).after([name])
                    moves.append(name)
                    break
    return moves, str(text)


def sections() -> dict[str, list[str]]:
    """The lines of `requests.txt`, by section."""
    found = defaultdict[str, list[str]](list)
    section = ""
    for line in Path(__file__).with_name("requests.txt").read_text("utf-8").splitlines():
        if title := re.fullmatch(r"\[(\w+)]", line):
            section = title[1]
        elif line and not line.startswith("#"):
            found[section] += expanded(line)
    return found


def expanded(line: str) -> list[str]:
    """The lines that a line stands for."""
    before, opened, rest = line.partition("[[")
    choices, _, after = rest.partition("]]")
    return (
        [each for choice in choices.split("|") for each in expanded(before + choice + after)]
        if opened
        else [line]
    )
