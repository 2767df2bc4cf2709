"""Games of a puzzle, one after another, on a screen: the board, the goal, the rules, and the keys between games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

from puzzlebase.tools.play.drawing import draw
from puzzlebase.tools.play.game import TerminalGame
from puzzlebase.tools.play.screen import Line, flow, width, words
from puzzlebase.tools.play.starts import Start, Starts

_BESIDE, _PANEL = 76, 34  # columns from which the goal and the rules stand beside the board, and theirs
_ABOVE, _GOAL = 34, 8  # rows from which the goal's picture stands above it, and the picture's
_KEYS = Path(__file__).with_name("keys.txt")
_DOES = 11  # the column in which a line says what its key does


class Playing:
    """Games of a puzzle, the first one from a state, and others from states of the same start."""

    def __init__(self, starts: Starts, start: Start, state: str, *, coloured: bool) -> None:
        self._starts, self._start, self._coloured = starts, start, coloured
        self._game = TerminalGame(starts.puzzle, starts.goal, state, starts.ask)
        self._results: list[str] = []
        self._page: int | None = None  # of the rules
        self._pages = 0  # 0 before the first lines
        self._asks = False

    def press(self, key: str) -> bool:
        """Make a move or do what a key says; False at the end."""
        game = self._game
        if self._page is not None:
            self._page = self._page + 1 if self._page + 1 < self._pages else None
        elif self._asks:
            self._asks = False
            return key not in ("y", "Y", "enter")
        elif key == "f1" or (key == "h" and not game.spells("h")):
            self._page = 0
        elif game.solved and key == "n":  # not Enter, which may be typed behind the last move
            self._next()
        elif game.solved and key in ("q", "escape"):
            return False
        elif (key == "q" and not game.spells("q")) or (key == "escape" and not game.typed and not game.offers):
            self._asks = True
        else:
            game.press("ctrl-r" if game.solved and key == "r" else key)
        return True

    def summary(self) -> Iterator[str]:
        """The lines of all games."""
        yield from self._results
        yield from self._game.summary()

    def _next(self) -> None:
        self._results += self._game.summary()
        self._game = TerminalGame(self._starts.puzzle, self._starts.goal, self._start.state(None), self._starts.ask)

    # What is shown.

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The board and the texts beside it, or a page of the rules."""
        beside = columns >= _BESIDE
        above = [*words(self._starts.puzzle.title, columns, "bold")[:1], *self._status(columns)]
        keys = self._keys(columns)
        panel = self._goal(_PANEL, min(_GOAL, rows // 3)) + self._instructions(_PANEL) if beside else []
        if not self._pages and (not beside or len(panel) > rows - len(above) - len(keys)):
            self._page = 0
        self._pages = self._pages or 1
        if self._page is not None:
            pages = self._rules(columns, rows)
            self._pages = len(pages)
            return pages[min(self._page, self._pages - 1)]
        if not beside and rows >= _ABOVE:
            above += self._goal(columns, _GOAL)
        across = columns - _PANEL - 2 if beside else columns
        foot = [*self._states(across), *self._says(across)]
        space = max(rows - len(above) - len(foot) - len(keys), 1)
        board = self._drawn(self._game.state, across, space)
        if not beside:
            return [*above, *board, *foot, *keys]
        left = [*board, *[[]] * (space - len(board)), *foot]
        rest = (panel + [[]] * len(left))[: len(left)]
        both = ([*one, ("", " " * (across + 2 - width(one))), *other] for one, other in zip(left, rest, strict=True))
        return [*above, *both, *keys]

    def _drawn(self, state: str, columns: int, rows: int) -> list[Line]:
        """The board of a state, or its text where there are no colours."""
        if not self._coloured:
            return words(state, columns)
        return draw(self._starts.puzzle.board.drawing.layout(state, self._starts.goal), columns, rows)

    def _status(self, columns: int) -> list[Line]:
        return flow((("", each) for each in (self._start.words, *self._game.status())), columns)

    def _states(self, columns: int) -> list[Line]:
        """The state, and the goal to compare it with."""
        goals = [f"goal  {state}" for state in self._starts.goal.states[:1]]
        return [[("dim", text[:columns])] for text in (f"state {self._game.state}", *goals)]

    def _says(self, columns: int) -> list[Line]:
        """The prompt, or a question, and the answers of the last key, two lines at least."""
        game = self._game
        prompt: Line = [("bold", f"move> {game.typed}")]
        if self._asks:
            prompt = [("bold", "End the game?  y yes  n no")]
        elif game.solved:
            prompt = [("bold", "The end.")]
        answers = [line for text in game.says for line in words(text, columns, "bold")]
        if game.offers:
            answers += flow([("", "moves:"), *(("reverse", name) for name in game.offers)], columns)[:4]
        return [prompt, *answers, *[[]] * (2 - len(answers))]

    def _keys(self, columns: int) -> list[Line]:
        game = self._game
        rules, end = ("F1" if game.spells("h") else "h"), ("Esc" if game.spells("q") else "q")
        shown = ["? hint", "Tab moves", "Bksp undo", "= distance", f"{rules} rules", f"{end} end"]
        if game.solved:
            shown = ["n next", "r again", "Bksp back", "q end"]
        return flow((("dim", text) for text in shown), columns)

    def _goal(self, columns: int, rows: int) -> list[Line]:
        goal = self._starts.goal
        picture = self._drawn(goal.states[0], columns, rows) if goal.states else []
        return [[("bold", f"Goal: {goal.name}")], *picture, []]

    def _instructions(self, columns: int) -> list[Line]:
        puzzle = self._starts.puzzle
        how = puzzle.about.instructions or "Make moves until the board looks like the goal."
        return [*words(how, columns), [], *words(f"Moves: {puzzle.notation.moves}", columns, "dim")]

    def _rules(self, columns: int, rows: int) -> list[list[Line]]:
        """The pages of the rules, the goal and the keys."""
        puzzle = self._starts.puzzle
        about = [*words(puzzle.title, columns, "bold"), *words(puzzle.about.sentence or "", columns), []]
        keys = _KEYS.read_text("utf-8").splitlines()
        does = [wrap(line, columns, subsequent_indent=" " * _DOES) for line in keys]
        parts: list[list[Line]] = [about, self._instructions(columns), [[]], self._goal(columns, _GOAL)]
        parts += [[[("", line)] for line in lines] for lines in does]
        pages: list[list[Line]] = [[]]
        for part in parts:
            if len(pages[-1]) + len(part) >= rows:
                pages.append([])
            pages[-1] += part
        more = [f"page {number} of {len(pages)}, any key goes on" for number in range(1, len(pages) + 1)]
        return [[*page, [("reverse", text[:columns])]] for page, text in zip(pages, more, strict=True)]
