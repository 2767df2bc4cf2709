"""Definition files once more, from ksolve's rules alone: no checks, one state at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from string import ascii_lowercase, ascii_uppercase

Pieces = tuple[tuple[str, int], ...]  # the piece in each place and how it is turned
State = tuple[Pieces, ...]  # of each set
_ROTATION = re.compile(r"[xyz][0-9]?|[A-Z_]+v")


class NaiveDefinition:
    """The content of a file with Set, Solved, Goal and Move;
    `wild` are the pieces with no visible orientation.

    A goal is a list of parts: a text of moves,
    or for each set a line of letters and one of digits, `?` for any.
    """

    def __init__(self, text: str) -> None:
        self.sets: dict[str, tuple[int, int]] = {}
        self.blocks: dict[str, dict[str, list[list[str]]]] = {}
        self.goals: dict[str, list[str | dict[str, list[list[str]]]]] = {}
        block: dict[str, list[list[str]]] = {}
        lines: list[list[str]] = []
        for line in text.splitlines():
            words = line.split()
            if not words or words[0] in ("#", "Name"):
                continue
            if words[0] == "Set":
                self.sets[words[1]] = int(words[2]), int(words[3])
            elif words[0] in ("Solved", "Move"):
                block = self.blocks[words[-1]] = {}
            elif words[0] == "Goal":
                block = {}
                self.goals.setdefault(words[1], []).append(
                    f"<{','.join(words[2:])}>" if words[2:] else block
                )
            elif words[0] in self.sets:
                lines = block[words[0]] = []
            elif words[0] != "End":
                lines.append(words)
        self.wild: set[tuple[str, str]] = set()
        self.solved = tuple(self._solved(name) for name in self.sets)

    def _solved(self, name: str) -> Pieces:
        places, _ = self.sets[name]
        lines = self.blocks["Solved"].get(name, [])
        numbers = lines[0] if lines else [str(number) for number in range(1, places + 1)]
        order = sorted({*numbers}, key=int)
        letters = [(ascii_uppercase + ascii_lowercase)[order.index(number)] for number in numbers]
        turned = lines[1] if len(lines) > 1 else ["0"] * places
        self.wild |= {
            (name, letter) for letter, digit in zip(letters, turned, strict=True) if digit == "?"
        }
        return tuple(
            (letter, 0 if digit == "?" else int(digit))
            for letter, digit in zip(letters, turned, strict=True)
        )

    def after(self, state: State, move: str) -> State:
        """The state after a move of the file: the numbers of a move name the sources of pieces."""
        moved = []
        for (name, (places, ways)), pieces in zip(self.sets.items(), state, strict=True):
            lines = self.blocks[move].get(name, [])
            come = [int(word) - 1 for word in lines[0]] if lines else list(range(places))
            turns = [int(word) for word in lines[1]] if len(lines) > 1 else [0] * places
            new = []
            for source in come:
                letter, turned = pieces[source]
                new.append(
                    (letter, 0 if (name, letter) in self.wild else (turned + turns[source]) % ways)
                )
            moved.append(tuple(new))
        return tuple(moved)

    def text(self, state: Sequence[Sequence[tuple[str, int | str]]]) -> str:
        """Write a state or a mask as text."""
        seen = [
            ways > 1 and {(n, letter) for letter, _ in p} - self.wild
            for (n, (_, ways)), p in zip(self.sets.items(), self.solved, strict=True)
        ]
        return "-".join(
            "".join(letter + (str(turned) if turns else "") for letter, turned in pieces)
            for pieces, turns in zip(state, seen, strict=True)
        )

    @property
    def moves(self) -> list[str]:
        """The names of the file's moves that change something and are no rotations of the whole."""
        named = [name for name in self.blocks if name != "Solved" and not _ROTATION.fullmatch(name)]
        return [name for name in named if self.powers(name)]

    def powers(self, move: str) -> list[str]:
        """The names of all powers of a move: R, R2, R2', R'."""
        sets = self.sets.items()
        start = tuple(tuple((str(place), 0) for place in range(places)) for _, (places, _) in sets)
        order, state = 1, self.after(start, move)
        while state != start:
            order, state = order + 1, self.after(state, move)
        names = []
        for power in range(1, order):
            times, sign = (power, "") if 2 * power <= order else (order - power, "'")
            names.append(f"{move}{times if times > 1 else ''}{sign}")
        return names

    def chosen(self, words: Iterable[str] = ()) -> dict[str, list[int]]:
        """For each move of the file the powers that are moves:
        all, or those of `words` with their inverses.
        """
        named = {move: self.powers(move) for move in self.moves}
        found: dict[str, list[int]] = {}
        for move, powers in named.items():
            every = range(1, len(powers) + 1)
            own = {
                power
                for word in words
                for power in every
                if word in (move, powers[power - 1], powers[-power])
            }
            found[move] = [*every] if not words or move in words else sorted(own)
        return found

    def neighbours(self, state: State, chosen: dict[str, list[int]]) -> list[State]:
        """The states after chosen powers of moves."""
        found = []
        for move, powers in chosen.items():
            after = state
            for power in range(1, max(powers, default=0) + 1):
                after = self.after(after, move)
                if power in powers:
                    found.append(after)
        return found

    def led_to(
        self, starts: Iterable[State], chosen: dict[str, list[int]], most: int = 1 << 20
    ) -> dict[State, int]:
        """The distance from the nearest of some states,
        of all states that moves lead to; ends above `most`.
        """
        found = dict.fromkeys(starts, 0)
        queue = [*found]
        for state in queue:
            for after in self.neighbours(state, chosen):
                if after not in found:
                    found[after] = found[state] + 1
                    queue.append(after)
            if len(found) > most:
                break
        return found

    def distances(
        self, *, powers: bool = True, words: Iterable[str] = (), goal: str = ""
    ) -> dict[str, int]:
        """The distances of all states that moves lead to,
        from the solved one or from a goal's states among them.

        Moves are all, or those of `words`;
        without `powers` only the moves of the file and their inverses.
        """
        chosen = self.chosen(words)
        if not powers:
            chosen = {
                move: [each for each in of if each in (1, len(of))] for move, of in chosen.items()
            }
        every = self.led_to([self.solved], chosen)
        if goal:
            parts = [self._part(part) for part in self.goals.get(goal, goal.split("|"))]
            every = self.led_to(
                [state for state in every if any(fits(state) for fits in parts)], chosen
            )
        return {self.text(state): distance for state, distance in every.items()}

    def _part(self, part: str | dict[str, list[list[str]]]) -> Callable[[State], bool]:
        """The test of a part of a goal."""
        if part == "rotations":
            turns = {move: [1] for move in self.blocks if _ROTATION.fullmatch(move)}
            return self.led_to([self.solved], turns).__contains__
        if isinstance(part, str) and part.startswith("<"):
            named = {
                name: (move, power)
                for move in self.moves
                for power, name in enumerate(self.powers(move), 1)
            }
            turns = {}
            for word in part.strip("<>").split(","):
                turns.setdefault(named[word][0], []).append(named[word][1])
            return self.led_to([self.solved], turns).__contains__
        text = part if isinstance(part, str) else self._text_of(part)
        return lambda state: all(
            wanted in (letter, "?") for letter, wanted in zip(self.text(state), text, strict=True)
        )

    def _text_of(self, block: dict[str, list[list[str]]]) -> str:
        """The mask of a goal's block as a text."""
        parts: list[Sequence[tuple[str, int | str]]] = []
        for (name, (places, _)), solved in zip(self.sets.items(), self.solved, strict=True):
            if name not in block:
                parts.append(solved)
                continue
            numbers = (
                self.blocks["Solved"].get(name) or [[str(each) for each in range(1, places + 1)]]
            )[0]
            letters = dict(zip(numbers, (letter for letter, _ in solved), strict=True)) | {"?": "?"}
            turned = block[name][1] if len(block[name]) > 1 else ["0"] * places
            parts.append(
                [
                    (letters[number], turn)
                    for number, turn in zip(block[name][0], turned, strict=True)
                ]
            )
        return self.text(parts)
