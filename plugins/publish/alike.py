"""All texts of one state: letters of alike pieces exchanged,
rows in any order, the player anywhere within reach.

Reading changed texts finds them.
Later every move of every state is compared, by the canonical text.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from puzzlebase.puzzles import Puzzle, PuzzleError

_PLAYER, _FREE = "@+", "-."  # on plain floor and on a goal
_WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))
Cell = tuple[int, int]
Shape = tuple[Cell, ...]


@dataclass(frozen=True)
class Alike:
    """The differences between texts of one state; the puzzle writes its canonical text."""

    # of pieces of one shape that are alike; the first piece on the board has the first
    letters: tuple[str, ...] = ()
    shapes: tuple[Shape, ...] = ()  # of these
    # letters by their rank, if rows have no order: the greatest row, read from its end, comes first
    rows: str = ""
    player: bool = (
        False  # True if a player may stand anywhere in reach; it stands in the first cell
    )

    @classmethod
    def of(cls, puzzle: Puzzle, texts: Sequence[str]) -> Alike:
        """Find the differences by reading some texts: those that do not change the state."""

        def unseen(changed: Callable[[str], str]) -> bool:
            pairs = [(text, after) for text in texts if (after := changed(text)) != text]
            try:
                return bool(pairs) and all(
                    (puzzle.parse(text) == puzzle.parse(after)).all() for text, after in pairs
                )
            except PuzzleError:
                return False

        letters = {letter: letter for letter in sorted({*"".join(texts)}) if letter.isalnum()}
        for one, other in combinations(letters, 2):
            swap = str.maketrans(one + other, other + one)
            if letters[other] == other and unseen(lambda text, swap=swap: text.translate(swap)):  # type: ignore[misc]
                letters[other] = letters[one]
        kinds: dict[Shape, str] = {}
        free = [
            each
            for each in dict.fromkeys(texts[0])
            if [*letters.values()].count(letters.get(each, "")) > 1
        ]
        for letter, shape in _shapes(texts[0], free).items():
            kinds[shape] = kinds.get(shape, "") + letter
        found = cls((*kinds.values(),), (*kinds,))
        if unseen(lambda text: "/".join(text.split("/")[::-1])):
            found = replace(found, rows="".join(dict.fromkeys(f".{texts[0].replace('/', '')}")))
        return replace(found, player=unseen(lambda text: _standing(text, max)))

    def canonical(self, text: str) -> str:
        """The canonical text of the state that a text shows."""
        if self.letters:
            left = {
                shape: iter(kind) for shape, kind in zip(self.shapes, self.letters, strict=True)
            }
            shapes = _shapes(text, "".join(self.letters))
            text = text.translate({ord(each): next(left[shape]) for each, shape in shapes.items()})
        if self.rows:
            worth = self.rows.index
            rows = sorted(
                text.split("/"),
                key=lambda row: [worth(letter) for letter in row[::-1]],
                reverse=True,
            )
            text = "/".join(rows)
        return _standing(text, min) if self.player else text

    def orders(self, texts: Iterable[str]) -> Iterator[str]:
        """Texts with their rows in other orders,
        so that each row moves; none if rows have an order.
        """
        for text in texts if self.rows else ():
            rows = text.split("/")
            yield from ("/".join([*rows[first:], *rows[:first]]) for first in range(len(rows)))

    def change(self, text: str, after: str) -> list[Any] | None:
        """The cells that a move changes,
        each with a letter or its source cell; None if this is not needed.
        """
        if self == Alike():
            return None
        before, behind = _cells(text), _cells(after)
        at = {
            letter: cell
            for cell, letter in before.items()
            if any(letter in kind for kind in self.letters)
        }
        if self.player:
            before = {
                cell: _FREE[_PLAYER.index(char)] if char in _PLAYER else char
                for cell, char in before.items()
            }
        cells = sorted({*before, *behind})
        changed = [cell for cell in cells if before.get(cell, "-") != behind.get(cell, "-")]
        return [[*cell, at.get(behind.get(cell, "-"), behind.get(cell, "-"))] for cell in changed]

    def data(self) -> dict[str, Any]:
        """The differences as JSON."""
        walks = {"player": [_PLAYER, _FREE]} if self.player else {}
        return {"alike": self.letters, "rows": self.rows, **walks} if self != Alike() else {}


def _shapes(text: str, letters: Container[str]) -> dict[str, Shape]:
    """The cells of each of these letters,
    by their distance from its first; in the order of the first cells.
    """
    cells: dict[str, list[Cell]] = {}
    for cell, char in _cells(text).items():
        if char in letters:
            cells.setdefault(char, []).append(cell)
    return {
        char: tuple((row - some[0][0], column - some[0][1]) for row, column in some)
        for char, some in cells.items()
    }


def _cells(text: str) -> dict[Cell, str]:
    return {
        (row, column): char
        for row, line in enumerate(text.split("/"))
        for column, char in enumerate(line)
    }


def _standing(text: str, choose: Callable[[Sequence[Cell]], Cell]) -> str:
    """The text with its player, if any, in the canonical cell in reach."""
    cells = _cells(text)
    reached = [cell for cell, char in cells.items() if char in _PLAYER]
    if len(reached) != 1:
        return text
    for row, column in reached:  # which grows meanwhile
        beside = [(row + down, column + right) for down, right in _WAYS]
        reached += [
            cell for cell in beside if cells.get(cell, "#") in _FREE and cell not in reached
        ]
    start, to = reached[0], choose(reached)
    cells[start] = _FREE[_PLAYER.index(cells[start])]
    cells[to] = _PLAYER[_FREE.index(cells[to])]
    lines = ["" for _ in text.split("/")]
    for (row, _), char in cells.items():
        lines[row] += char
    return "/".join(line.rstrip("-") for line in lines)
