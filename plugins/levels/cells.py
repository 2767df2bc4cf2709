"""Boards of cells: their names, texts and layouts, and outlines around cells."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product
from string import ascii_lowercase

from puzzlebase.errors import shorten
from puzzlebase.plugins.levels.text import Cell, Grid
from puzzlebase.plugins.small_graphs import small_graph_search
from puzzlebase.puzzles import ImpossibleState, Layout, Piece, Place, Shape
from puzzlebase.puzzles.contract.layout import number

WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))
"""Right, left, down and up; each even one is followed by its opposite."""

Spot = tuple[float, float]
"""A row and a column; the column may be a fraction."""
SIDE = 40.0
MARGIN = 14.0
FLOOR = "#e9e6df"
_FRAME, _SQUARES = "#6b6459", "#dfdbd2"


def cell_name(cell: Cell) -> str:
    """The name of a cell: the letter of its column from the left,
    and the number of its row from the top.
    """
    row, column = cell
    letters = ""
    while column >= 0:
        letters = ascii_lowercase[column % 26] + letters
        column = column // 26 - 1
    return f"{letters}{row + 1}"


def cells_in_reach(start: Cell, free: Container[Cell]) -> dict[Cell, Cell]:
    """The cells that steps on free ones lead to, nearest first,
    each with the one before it; the start with itself.
    """
    return dict(
        small_graph_search([start], lambda cell: filter(free.__contains__, cells_beside(cell)))
    )


def cells_beside(cell: Cell) -> list[Cell]:
    """The four cells beside a cell, as WAYS are."""
    return [(cell[0] + down, cell[1] + right) for down, right in WAYS]


class CellBoard:
    """A board of cells, with its fixed parts.

    Attributes:
        cells: the character in each cell of the level.
        fixed: the fixed part in each cell of the rectangle, a character.
        floor: the cells in which pieces can be, by default all that are not `outside`.
    """

    def __init__(self, grid: Grid, under: Mapping[str, str], outside: str, wrong: str) -> None:
        """Make the board of a level; raises BadLevel.

        Args:
            grid: the level.
            under: the fixed part under each character of a text.
            outside: the character beyond the ends of rows.
            wrong: the words for other characters in errors.
        """
        self._under, self._outside, self._wrong = under, outside, wrong
        self.cells = self._cells_of(grid)
        self.fixed = {
            cell: under[self.cells.get(cell, outside)]
            for cell in product(range(len(grid.rows)), range(grid.width))
        }
        self.floor = {cell for cell, char in self.fixed.items() if char != outside}

    def _cells_of(self, grid: Grid) -> dict[Cell, str]:
        for cell, char in grid:
            if char not in self._under:
                raise grid.fault(f"{char!r} is {self._wrong}", cell)
        return dict(grid)

    def read(self, text: str) -> dict[Cell, str]:
        """The characters of a state; raises BadLevel, and ImpossibleState for another board."""
        cells, outside = self._cells_of(Grid.of(text)), self._outside
        for cell in self.fixed | cells:
            if self._under[cells.get(cell, outside)] != self.fixed.get(cell, outside):
                has, fixed = (
                    repr(each[cell]) if cell in each else "nothing" for each in (cells, self.fixed)
                )
                raise ImpossibleState(
                    f"row {cell[0] + 1}, column {cell[1] + 1} has {has} where the "
                    f"level has {fixed}",
                    f"fixed parts must be as in {shorten(self.write({}), 400)!r}",
                )
        return cells

    def write(self, pieces: Mapping[Cell, str]) -> str:
        """The text of a state, by the characters of cells that differ from the fixed ones."""
        last_row, last_column = max(self.fixed)
        chars = {**self.fixed, **pieces}
        rows = (
            "".join(chars[row, column] for column in range(last_column + 1))
            for row in range(last_row + 1)
        )
        return "/".join(row.rstrip("-") for row in rows)

    @cached_property
    def places(self) -> dict[Cell, Place]:
        """The place of each cell of the floor."""
        return {
            cell: Place(cell_name(cell), *drawing_middle([cell])) for cell in sorted(self.floor)
        }

    @cached_property
    def ground(self) -> tuple[Shape, ...]:
        """Walls around a floor of squares."""
        walls = [cell for cell, fixed in self.fixed.items() if fixed == "#"]
        return (
            drawing_mark("walls", _FRAME, drawing_outline({*walls, *self.floor}, -6, 8)),
            drawing_mark("floor", FLOOR, drawing_outline(self.floor, 0)),
            drawing_mark(
                "squares",
                _SQUARES,
                drawing_outline([cell for cell in self.floor if sum(cell) % 2] or self.floor, 0),
            ),
        )

    def layout(
        self, marks: Iterable[Shape], pieces: Iterable[Piece], below: Sequence[Place] = ()
    ) -> Layout:
        """Lay pieces on marks; there may be places below the board."""
        height, width = (2 * MARGIN + SIDE * (1 + last) for last in max(self.fixed))
        height += SIDE if below else 0
        return Layout(width, height, (*self.places.values(), *below), tuple(marks), tuple(pieces))


def drawing_middle(cells: Iterable[Spot]) -> tuple[float, float]:
    """The point in the middle of cells, in a drawing of a level."""
    rows, columns = zip(*cells, strict=True)
    return (
        round(MARGIN + SIDE * (sum(columns) / len(columns) + 0.5), 2),
        round(MARGIN + SIDE * (sum(rows) / len(rows) + 0.5), 2),
    )


def drawing_outline(cells: Iterable[Spot], inset: float, radius: float = 0) -> str:
    """The closed paths around cells, drawn in by `inset`, with round corners.

    A path follows the edges of cells, with the cells on its right; turning right is multiplication
    by 1j. Cells that touch only at a corner have separate paths. Paths are cached, since pieces
    take few positions.
    """
    return _outline(tuple(cells), inset, radius)


@lru_cache(1 << 12)
def _outline(cells: tuple[Spot, ...], inset: float, radius: float) -> str:
    inside = {complex(column, row) for row, column in cells}
    edges = {
        (cell, ahead)
        for cell in inside
        for ahead in (1, 1j, -1, -1j)
        if cell - 1j * ahead not in inside
    }
    path = ""
    while edges:
        cell, ahead = next(iter(edges))
        step = "M"
        while (cell, ahead) in edges:
            edges.remove((cell, ahead))
            onward, aside = cell + ahead, cell + ahead - 1j * ahead
            turn = 1 if onward not in inside else -1 if aside in inside else 0
            if turn:
                corner = (
                    SIDE * cell
                    + ahead * (SIDE / 2 - turn * inset)
                    - 1j * ahead * (SIDE / 2 - inset)
                )
                path += f"{step}{_point(corner - radius * ahead)}"
                ahead *= turn * 1j
                if radius:
                    path += (
                        f"A{number(radius)} {number(radius)} 0 0 {turn > 0:d} "
                        f"{_point(corner + radius * ahead)}"
                    )
                step = "L"
            cell = (onward, cell, aside)[turn]
        path += "Z"
    return path


def _point(at: complex) -> str:
    return f"{number(MARGIN + SIDE / 2 + at.real)} {number(MARGIN + SIDE / 2 + at.imag)}"


def drawing_mark(name: str, colour: str, *outlines: str) -> Shape:
    """The mark of some outlines in a drawing of a level."""
    return Shape(id=name, outline="".join(outlines), colour=colour, x=0, y=0)


def drawing_tint(colour: str) -> str:
    """The colour in a drawing of a floor that a piece of this colour should reach."""
    return "#" + "".join(
        f"{(int(colour[at : at + 2], 16) + int(FLOOR[at : at + 2], 16)) // 2:02x}"
        for at in (1, 3, 5)
    )
