"""The oracle of Panex: from blobs to exact distances, optimal moves and solutions, in the texts of states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path

import numpy as np

from puzzlebase.puzzles.contract.errors import NotProved
from puzzlebase.puzzles.contract.puzzle import Board
from puzzlebase.puzzles.contract.space import Boards
from puzzlebase.puzzles.families.panex import checker, graph_checker
from puzzlebase.puzzles.families.panex.board import MOVES, format_board, parse
from puzzlebase.puzzles.families.panex.certificate import certificate
from puzzlebase.puzzles.families.panex.distances import CAPACITY, PanexDistances
from puzzlebase.puzzles.families.panex.lengths import find_lengths, from_blobs, to_blobs
from puzzlebase.puzzles.families.panex.solutions import PanexPiece, PieceMoves, after_move, after_piece, first_piece


def make(n: int) -> dict[str, bytes]:
    """All that `PanexSolver` needs for towers of n: some tens of kilobytes, from the rules in about a second."""
    return to_blobs(find_lengths(max(n, 2)))


def certify(path: Path, steps: int = 34) -> Iterator[str]:
    """Write the certificate that the exchange takes no fewer than U(n) moves for all n >= 5, and have it checked.

    It gives what holds, line by line. Raises NotProved, and OSError where the file cannot be written.
    """
    with path.open("w", encoding="ascii") as file:
        for line in certificate(steps):
            file.write(line + "\n")
    yield f"the first {steps} steps are written to {path}, {path.stat().st_size:,} bytes"
    try:
        with path.open(encoding="ascii") as file:
            graph = graph_checker.check(file)
        yield (
            f"its graph is what the rules give, the same for every level: {graph.words} words, {graph.types} types, "
            f"{graph.partial_states:,} partial states, {graph.edges:,} edges"
        )
        with path.open(encoding="ascii") as file:
            proved = checker.check(file)
    except (graph_checker.GraphRefused, checker.StepsRefused) as error:
        raise NotProved(f"the certificate in {str(path)!r} is refused: {error}", "report it, with the file") from error
    yield (
        f"each step holds; from step {proved.first} on they repeat, with {proved.constants:,} constants and "
        f"{proved.inequalities:,} inequalities that hold for ever"
    )
    yield (
        "so the exchange takes at least U(n) moves for all n >= 5 (docs/panex-theorem.md); that U(n) suffice, by the "
        "construction of 1983, is cited and not proved here"
    )


class PanexSolver:
    """Exact answers about one goal; any thread may ask. Methods take texts of states and raise what `parse` raises."""

    def __init__(self, n: int, stored: Mapping[str, bytes], goal: Sequence[str], capacity: int = CAPACITY) -> None:
        """From the blobs of `make` and the texts of the goal states; for `capacity` see PanexDistances."""
        self._n = n
        lengths = from_blobs(stored)
        self._distances = PanexDistances(lengths, n, self._boards(goal), capacity)
        self._piece_moves = cache(lambda: PieceMoves(lengths))

    def _boards(self, texts: Sequence[str]) -> Boards:
        return np.array([parse(self._n, text) for text in texts], np.uint8).reshape(len(texts), 2 * self._n + 2)

    def distance(self, text: str) -> int:
        """Fewest moves to the goal, UNREACHED where there is no path."""
        return self._distances.distance(parse(self._n, text))

    def distances(self, texts: Sequence[str]) -> list[int]:
        """The distance of each state."""
        distances: list[int] = self._distances.distances(self._boards(texts)).tolist()
        return distances

    def line(self, text: str, offset: int = 0) -> Iterator[str]:
        """The moves of one solution, always the same, from move number `offset` on (0 is the first).

        There are none where there is no path. The state is read at once, the moves are found as they are taken.
        """
        moves = self._moves(parse(self._n, text), max(offset, 0))
        return map(tuple(MOVES).__getitem__, chain.from_iterable(moves))

    def _moves(self, board: Board, skip: int) -> Iterator[bytes]:
        for _, piece, _ in self._pieces(board):
            if skip < piece.length:
                yield from self._piece_moves().moves(piece, skip)
            skip = max(skip - piece.length, 0)

    def _pieces(self, board: Board) -> Iterator[tuple[Board, PanexPiece, Board]]:
        """The pieces and single moves of a board's solution, each with the boards before and after it."""
        while (left := self._distances.distance(board)) > 0:
            piece = self._distances.ask(partial(first_piece, board=board))
            if piece is None:
                piece = PanexPiece(1, self._distances.neighbours(board).tolist().index(left - 1), 0, 1)
            after = self._after(board, piece)
            yield board, piece, after
            board = after

    def _after(self, board: Board, piece: PanexPiece) -> Board:
        if piece.k == 1:
            return after_move(board, piece.type)
        return self._distances.ask(partial(after_piece, board=board, piece=piece))

    def state_at(self, text: str, offset: int) -> str:
        """The state before move number `offset` of that solution, at its end the last state."""
        board = parse(self._n, text)
        for before, piece, after in self._pieces(board):
            if offset < piece.length:
                return format_board(self._board_within(piece, before, offset))
            board = after
            offset -= piece.length
        return format_board(board)

    def _board_within(self, piece: PanexPiece, board: Board, number: int) -> Board:
        """The board before a move of a piece that begins at `board`."""
        while piece.k > 2:
            for part in self._piece_moves().parts(piece.k, piece.type, piece.flips):
                piece = part
                if number < part.length:
                    break
                number -= part.length
                board = self._after(board, part)
        for move in islice(chain.from_iterable(self._piece_moves().moves(piece)), number):
            board = after_move(board, move)
        return board
