"""A catalog: the service itself, its puzzles, and the files that it answers from."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple, TypeVar

from typing_extensions import TypedDict

from puzzlebase.db.errors import TableError
from puzzlebase.db.layers import LayersFile
from puzzlebase.db.table import Table
from puzzlebase.puzzles import (
    Goal,
    NoSpace,
    PatternDatabases,
    Puzzle,
    PuzzleError,
    WholeTable,
    all_families,
    find,
)
from puzzlebase.puzzles.contract.errors import BrokenPuzzle
from puzzlebase.puzzles.discovery import known_numbers
from puzzlebase.service.answers.difficulties import (
    DifficultyAnswer,
    difficulties,
    difficulty_levels,
)
from puzzlebase.service.answers.record import answer, answer_of_attributes
from puzzlebase.service.answers.whole_tables import gods_number_of_whole_table
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.sources import Sources

Made = TypeVar("Made")


class PuzzleSummary(TypedDict):
    """A puzzle in the list of puzzles. Its numbers are known from its table,
    or from one that was built elsewhere.
    """

    name: str
    """name in addresses"""
    title: str
    """name for people"""
    family: str
    """name of its family"""
    states: int | None
    """number of states; null if not known"""
    gods_number: int | None
    """largest distance of any state; null if not known"""
    coverage: str
    """the source of answers: table, oracle, construction, layers (the states nearest the goal, for
    searches), patterns (the tables of abstractions, for searches) or none (searches)
    """


class MoveName(TypedDict):
    """A move and the part of the puzzle that it moves."""

    move: str
    """name of the move"""
    group: str
    """name of the part in hints"""


class GoalSummary(TypedDict):
    """A goal, where play begins, and where it ends."""

    name: str
    """name of the goal"""
    start: str
    """the state where play begins: solved if the puzzle is to be scrambled first"""
    solved: str | None
    """a solved state; null if no state is"""


class NotationAnswer(TypedDict):
    """The notation of states and moves."""

    state: str
    """how states are written"""
    moves: str
    """how moves are written"""
    examples: list[str]
    """states to try"""


class ExampleMoveAnswer(TypedDict):
    """A move of a state, to be shown with the instructions."""

    state: str
    """the state"""
    move: str
    """name of a legal move: `picture` highlights it"""
    meaning: str
    """what it does, in a few words"""


class CertificateAnswer(TypedDict):
    """The check of a table: every vertex and every edge of a graph.
    The fields call these nodes and links.
    """

    graph: str
    """what the nodes are: states, or orbits of states"""
    nodes: int
    """number of nodes, all checked"""
    links: int
    """number of moves between them, all checked"""


class TableAnswer(TypedDict):
    """A built table."""

    goal: str
    """name of the goal"""
    encoding: str
    """the things with a stored distance: states, or orbits of states"""
    bytes: int
    """size of the file in bytes"""
    digest: str
    """digest of the content; equal builds have equal digests"""
    built: str | None
    """time of the build, ISO 8601"""
    certificates: list[CertificateAnswer]
    """the checks that prove its distances"""


class LayersAnswer(TypedDict):
    """Stored layers; without a table, searches begin from them."""

    goal: str
    """name of the goal"""
    encoding: str
    """what the stored indices number: states, or orbits of states"""
    depth: int
    """every state up to this distance is stored"""
    bytes: int
    """size of the file in bytes"""
    digest: str
    """digest of the content; equal builds have equal digests"""


class PatternAnswer(TypedDict):
    """The table of an abstraction, whose distances are lower bounds for searches."""

    puzzle: str
    """name of the abstraction"""
    bytes: int | None
    """size of its table in bytes; null if it is not built"""
    digest: str | None
    """digest of its table; null if it is not built"""


class PuzzleAnswer(PuzzleSummary):
    """One puzzle. Its numbers,
    table and layers are those of the goal asked for, by default the first.
    """

    inventor: str | None
    """who invented it; null if not known"""
    link: str | None
    """address of a page about it; null if there is none"""
    about: str | None
    """a description in a sentence; null if there is none"""
    instructions: str | None
    """how to play, and when it is solved; null if the puzzle does not say"""
    example: ExampleMoveAnswer | None
    """a move, as an example of the notation; null if there is none"""
    difficulties: list[DifficultyAnswer]
    """words for distances, easiest first; none where a search answers"""
    levels: list[DifficultyAnswer]
    """the same in finer steps, by number; the last one is the hardest"""
    moves: list[MoveName]
    """every move, in the puzzle's order; of the goal's start where moves depend on the state"""
    goals: list[GoalSummary]
    """every named goal, the default first"""
    notation: NotationAnswer
    """how states and moves are written"""
    table: TableAnswer | None
    """the table; null if there is none"""
    layers: LayersAnswer | None
    """the stored layers around the goal; null if there are none"""
    patterns: list[PatternAnswer]
    """the abstractions whose tables searches to the goal need; may be none"""


class Puzzles(TypedDict):
    """The puzzles that are stored here, and others worth naming."""

    puzzles: list[PuzzleSummary]
    """the puzzles, by family"""


class BudgetAnswer(TypedDict):
    """The budget of the searches of one request; max_states and max_seconds lower it."""

    states: int
    """states that may be expanded"""
    seconds: float
    """seconds that they may take"""
    at_once: int
    """requests of one process that may search at the same time; 503 for more"""


class Limits(TypedDict):
    """The limits of a request."""

    address: int
    """limit for the fields in an address, in characters"""
    body: int
    """limit for a body, in bytes"""
    body_seconds: float
    """limit for the time that a whole body takes to arrive, in seconds"""
    state: int
    """limit for a state, a move or a goal, in characters"""
    batch: int
    """limit for the states of a batch and the moves of a game"""
    answer_seconds: float
    """limit for an answer that needs no search, in seconds; 400 after that"""
    budget: BudgetAnswer
    """what the searches of one request may spend"""


class FamilyAnswer(TypedDict):
    """A family of puzzles."""

    name: str
    """name of the family"""
    title: str
    """name for people"""
    pattern: str
    """pattern of its puzzles' names"""
    members: list[str]
    """names to try"""


class Service(TypedDict):
    """This service."""

    version: str
    """version of the service"""
    limits: Limits
    """how much a request may ask for"""
    families: list[FamilyAnswer]
    """the families of puzzles"""


class Health(TypedDict):
    """A sign that the service answers."""

    status: str
    """always ok"""


class Damaged(TypedDict):
    """A file that is damaged."""

    table: str
    """name of the file, without .duckdb"""
    detail: str
    """the reason"""
    hint: str
    """the remedy"""


class Readiness(TypedDict):
    """The files of the data folder that can be used, and those that are damaged."""

    ready: bool
    """whether there is a file that can be used"""
    tables: list[str]
    """names of the files that can be used: NAME for a table, NAME.layers"""
    damaged: list[Damaged]
    """the files that cannot be used, and why"""


def readiness(sources: Sources) -> Readiness:
    """The tables and layers that can be used, and those that are damaged."""
    state = sources.warm()
    sound = [name for name, error in state.items() if error is None]
    damaged: list[Damaged] = [
        {"table": name, "detail": str(error), "hint": error.hint}
        for name, error in state.items()
        if error
    ]
    return {"ready": bool(sound), "tables": sound, "damaged": damaged}


@answer("folder", "Puzzles", path="/v1/puzzles")
def puzzle_list(sources: Sources) -> Puzzles:
    """Every puzzle that has a table or layers, and others worth naming.

    They come by family, without those that are broken.
    """
    families = all_families()
    listed = dict.fromkeys(
        name for family in families for name in family.listed if name not in family.patterns
    )
    in_folder = dict.fromkeys(file.puzzle.name for file in sources.folder.files())
    order = {family.name: place for place, family in enumerate(families)}
    unmade = {
        name: family for family in families for name in family.titles if name not in in_folder
    }

    def entry(name: str) -> PuzzleSummary:
        if family := unmade.get(name):
            return {
                "name": name,
                "title": family.titles[name],
                "family": family.name,
                "states": None,
                "gods_number": None,
                "coverage": "none",
            }
        puzzle = find(name)
        stored = _stored(sources.folder, puzzle, puzzle.goal())
        return _summary(puzzle, puzzle.goal(), stored)

    entries = catalog_of(listed | in_folder, entry)
    return {"puzzles": sorted(entries, key=lambda each: order[each["family"]])}


def catalog_of(names: Iterable[str], make: Callable[[str], Made]) -> list[Made]:
    """Make a catalog, an entry for each name. A puzzle that raises is left out and logged."""
    made = []
    for name in names:
        try:
            made.append(make(name))
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 -- whatever a puzzle of somebody's own raises
            _log(str(error if isinstance(error, PuzzleError) else BrokenPuzzle.at(error, name)))
    return made


@lru_cache(maxsize=256)
def _log(broken: str) -> None:
    """Log an error, each text only once."""
    logging.getLogger(__name__).error(broken)


@answer("folder", "A puzzle", name="about", path="/v1/puzzles/{name}", statuses=(404, 422))
def catalog_entry(sources: Sources, name: str, goal: str | None = None) -> PuzzleAnswer:
    """The moves, goals, notation and table of a puzzle.

    Args:
        goal: the goal's name, by default the first; or a state, where the puzzle allows any as its
            goal
    """
    puzzle = find(name)
    return about(sources.folder, puzzle, puzzle.goal(goal))


def about(folder: Folder, puzzle: Puzzle, goal: Goal) -> PuzzleAnswer:
    """Describe one puzzle."""
    stored, example = _stored(folder, puzzle, goal), puzzle.about.example
    summary = _summary(puzzle, goal, stored)
    ladders = (each.ladder(goal) for each in puzzle.engines if each.kind == summary["coverage"])
    layers = stored.table.info.layers if stored.table else next(ladders, ())
    return {
        **summary,
        "inventor": puzzle.about.inventor,
        "link": puzzle.about.link,
        "about": puzzle.about.sentence,
        "instructions": puzzle.about.instructions,
        "example": answer_of_attributes(example, ExampleMoveAnswer) if example else None,
        "difficulties": difficulties(layers),
        "levels": difficulty_levels(layers),
        "moves": [{"move": move.name, "group": move.group} for move in puzzle.moves_of(goal.start)],
        "goals": [
            {"name": known.name, "start": known.start, "solved": next(iter(known.states), None)}
            for known in puzzle.goals
        ],
        "notation": answer_of_attributes(puzzle.notation, NotationAnswer),
        "table": _table(stored.table, goal) if stored.table else None,
        "layers": _layers(stored.layers, goal) if stored.layers else None,
        "patterns": [
            {
                "puzzle": name,
                "bytes": table.header.size if table else None,
                "digest": table.header.digest if table else None,
            }
            for name, table in stored.patterns.items()
        ],
    }


class _Stored(NamedTuple):
    """The sound files of the data folder for a puzzle and a goal."""

    table: Table | None
    layers: LayersFile | None
    patterns: dict[str, Table | None]  # of every pattern for the goal, built or not


def _stored(folder: Folder, puzzle: Puzzle, goal: Goal) -> _Stored:
    table = layers = None
    with suppress(TableError, NoSpace):
        table = folder.tables.find(puzzle, goal)
    with suppress(TableError, NoSpace):
        layers = folder.layers.find(puzzle, goal)
    patterns: dict[str, Table | None] = {}
    for name in puzzle.pattern_names(goal):
        patterns[name], pattern = None, find(name)
        with suppress(TableError):
            patterns[name] = folder.tables.find(pattern, pattern.goal())
    return _Stored(table, layers, patterns)


def _summary(puzzle: Puzzle, goal: Goal, stored: _Stored) -> PuzzleSummary:
    info = stored.table.info if stored.table else None
    known = known_numbers().get(puzzle.name, {}) if goal == puzzle.goals[0] else {}
    return {
        "name": puzzle.name,
        "title": puzzle.title,
        "family": puzzle.about.family,
        "states": info.states if info else known.get("states"),
        "gods_number": gods_number_of_whole_table(info) if info else known.get("gods_number"),
        "coverage": _coverage(puzzle, stored),
    }


def _coverage(puzzle: Puzzle, stored: _Stored) -> str:
    if stored.table:
        return "table"
    if stored.patterns and all(stored.patterns.values()):
        return "patterns"
    without_files = (
        engine.kind
        for engine in puzzle.engines
        if not isinstance(engine, WholeTable | PatternDatabases)
    )
    kind = next(without_files, "search")
    if kind != "search":
        return kind
    return "layers" if stored.layers else "none"


def _table(table: Table, goal: Goal) -> TableAnswer:
    file = table.file
    steps = file.build_steps()
    built = steps[-1].built if steps else None
    return {
        "goal": goal.name,
        "encoding": file.info.stored,
        "bytes": file.size,
        "digest": file.digest,
        "built": built.isoformat(timespec="seconds") if built else None,
        "certificates": [
            {"graph": each.graph, "nodes": each.vertices, "links": each.edges}
            for each in file.certificates()
        ],
    }


def _layers(stored: LayersFile, goal: Goal) -> LayersAnswer:
    info = stored.info
    return {
        "goal": goal.name,
        "encoding": info.stored,
        "depth": info.depth,
        "bytes": stored.size,
        "digest": stored.digest,
    }
