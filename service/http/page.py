"""The page: / shows every puzzle, /play/{name} plays one. It asks the service for all else, as any client does."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from apiflask import APIFlask
from flask import render_template, request
from werkzeug.wrappers import Response

from puzzlebase.puzzles import About, Goal, Puzzle, PuzzleError, all_families, find
from puzzlebase.service.answers import boards, catalog
from puzzlebase.service.error_status import TooMuchWork, problem_of
from puzzlebase.service.http import caching, page_files, safety
from puzzlebase.service.sources.folder import Tables

_AT_ONCE = 4
"""Puzzles of a family that the front page shows unfolded."""


def add_page(app: APIFlask, tables: Tables) -> None:
    """Serve the page."""

    @app.get("/")
    @app.doc(hide=True)
    def front() -> Response:
        return _page("front.html", "", groups=_groups(tables))

    @app.get("/play/<name>")
    @app.doc(hide=True)
    def play(name: str) -> Response:
        state, goal_name = request.args.get("state"), request.args.get("goal")
        try:
            puzzle = find(name)
            goal = puzzle.goal(goal_name)
        except PuzzleError as error:
            return _problem_page(error)
        try:
            board = _board(puzzle, goal, state)
        except TooMuchWork as error:
            return _problem_page(error)
        fields = {"goal": goal_name} if goal_name is not None else {}
        ahead = [
            _address("../v1/puzzles/" + name, fields),
            _address(f"../v1/puzzles/{name}/board", fields | ({"state": state} if state is not None else {})),
        ]
        about = catalog.about(tables, puzzle, goal)
        modules = page_files.modules("play.js")
        return _page("play.html", "../", puzzle=about, board=board, goal=goal_name, ahead=ahead, modules=modules)


class Shown(NamedTuple):
    """A puzzle on the front page: its entry in the list, what it says of itself, and the address of a picture."""

    summary: catalog.PuzzleSummary
    about: About
    picture: str


class Group(NamedTuple):
    """A family on the front page: the puzzles that are shown at once, and the rest."""

    title: str
    first: list[Shown]
    rest: list[Shown]


def _groups(tables: Tables) -> list[Group]:
    """Every puzzle by family: first those that are answered without a search, and patterns, which nobody plays, last.

    Families follow the largest puzzle that is answered so; those that have none come as in other lists.
    """
    members: dict[str, list[Shown]] = {family.name: [] for family in all_families()}
    summaries = {summary["name"]: summary for summary in catalog.puzzle_list(tables)["puzzles"]}

    def shown(name: str) -> Shown:
        puzzle = find(name)
        picture = _address(f"v1/puzzles/{name}/picture", {"state": puzzle.notation.examples[-1]})
        return Shown(summaries[name], puzzle.about, picture)

    for each in catalog.of_each(summaries, shown):
        members[each.summary["family"]].append(each)
    groups = []
    for family in all_families():
        ordered = sorted(members[family.name], key=lambda each: (each.about.instructions is None, not _at_once(each)))
        if ordered:
            groups.append(Group(family.title, ordered[:_AT_ONCE], ordered[_AT_ONCE:]))
    return sorted(groups, key=_states, reverse=True)


def _states(group: Group) -> int:
    return max((each.summary["states"] or 0 for each in group.first if _at_once(each)), default=0)


def _at_once(shown: Shown) -> bool:
    return shown.summary["coverage"] in ("table", "oracle", "construction")


def _page(template: str, base: str, status: int = 200, **shown: object) -> Response:
    """A page; `base` leads from its address to that of the first one."""
    text = render_template(template, base=base, files=base + page_files.folder(), **shown)
    headers = [*safety.PAGE, *caching.ASK_AGAIN]
    return Response(text, status, content_type="text/html; charset=utf-8", headers=headers)


def _board(puzzle: Puzzle, goal: Goal, state: str | None) -> boards.BoardAnswer:
    """The board of a state, or of the goal's start: the page shows what is wrong with a state under its field."""
    try:
        return boards.board(puzzle, goal, state)
    except PuzzleError:
        return boards.board(puzzle, goal)


def _problem_page(error: PuzzleError | TooMuchWork) -> Response:
    problem = problem_of(error)
    assert problem is not None
    return _page("problem.html", "../", problem["status"], problem=problem)


def _address(path: str, fields: dict[str, str]) -> str:
    return f"{path}?{urlencode(fields)}" if fields else path
