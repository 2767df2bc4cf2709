"""Definition files once more, from ksolve's rules alone: no checks, one state at a time."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

Pieces = tuple[tuple[str, int], ...]  # the piece in each place and how it is turned
State = tuple[Pieces, ...]  # of each set


class NaiveDefinition:
    """The content of a file with Set, Solved and Move; `wild` are the pieces with no visible orientation."""

    def __init__(self, text: str) -> None:
        self.sets: dict[str, tuple[int, int]] = {}
        self.blocks: dict[str, dict[str, list[list[str]]]] = {}
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
        self.wild |= {(name, letter) for letter, digit in zip(letters, turned, strict=True) if digit == "?"}
        return tuple((letter, 0 if digit == "?" else int(digit)) for letter, digit in zip(letters, turned, strict=True))

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
                new.append((letter, 0 if (name, letter) in self.wild else (turned + turns[source]) % ways))
            moved.append(tuple(new))
        return tuple(moved)

    def text(self, state: State) -> str:
        """Write a state as text."""
        seen = [
            ways > 1 and {(n, letter) for letter, _ in p} - self.wild
            for (n, (_, ways)), p in zip(self.sets.items(), state, strict=True)
        ]
        return "-".join(
            "".join(letter + (str(turned) if turns else "") for letter, turned in pieces)
            for pieces, turns in zip(state, seen, strict=True)
        )

    def distances(self, *, powers: bool) -> dict[str, int]:
        """The distances of all states that moves lead to."""
        found = {self.solved: 0}
        queue = [self.solved]
        for state in queue:
            for after in self._neighbours(state, powers=powers):
                if after not in found:
                    found[after] = found[state] + 1
                    queue.append(after)
        return {self.text(state): distance for state, distance in found.items()}

    def _neighbours(self, state: State, *, powers: bool) -> list[State]:
        """The states after every power of each move, or only after each move and its inverse."""
        found = []
        for move in self.blocks:
            if move == "Solved":
                continue
            around = [self.after(state, move)]
            while (after := self.after(around[-1], move)) != around[0]:
                around.append(after)
            found += around if powers else [around[0], around[-2]] if len(around) > 1 else around
        return found
