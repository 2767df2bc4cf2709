"""All names that a puzzle's own file needs, and the search for puzzles by name."""

from puzzlebase.errors import did_you_mean, shorten
from puzzlebase.kernels import kernel
from puzzlebase.puzzles.contract.engines import (
    Engine,
    GraphSearch,
    Pattern,
    PatternDatabases,
    Patterns,
    WholeTable,
)
from puzzlebase.puzzles.contract.errors import (
    IllegalMove,
    ImpossibleState,
    InvalidState,
    NoSpace,
    PuzzleError,
    TooManyStates,
    UnknownGoal,
    UnknownPuzzle,
)
from puzzlebase.puzzles.contract.goal import Goal, Published
from puzzlebase.puzzles.contract.layout import (
    Effect,
    Layout,
    Look,
    Motion,
    Piece,
    Place,
    Shape,
    Turn,
    circle,
    grid,
    moved_to,
    piece_in,
    rectangle,
    square,
)
from puzzlebase.puzzles.contract.puzzle import (
    About,
    Board,
    BoardSide,
    Drawing,
    ExampleMove,
    Family,
    IndexSide,
    Letters,
    Move,
    Notation,
    Puzzle,
    check_move,
    format_board,
    places_at_home,
    states_after_moves,
)
from puzzlebase.puzzles.contract.space import (
    Arrays,
    Boards,
    Directed,
    Distances,
    Graph,
    Indices,
    ProductForm,
    Shortest,
    Signed,
    Space,
    Spend,
    Successors,
)
from puzzlebase.puzzles.discovery import all_families, find
from puzzlebase.puzzles.machinery.ranking_tables import RANKING_TABLES
from puzzlebase.puzzles.machinery.spaces import SPACES
from puzzlebase.sentinels import UNREACHED
