"""The page: / shows every puzzle, /play/{name} plays one. Its files in page/static ask the service for all else."""

from __future__ import annotations

import re
from functools import cache
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import NamedTuple, cast
from urllib.parse import urlencode

from flask import Blueprint, abort, current_app, redirect, render_template, request
from werkzeug.wrappers import Response

from puzzlebase.puzzles import About, PuzzleError, all_families, find
from puzzlebase.service.answers import boards, catalog
from puzzlebase.service.error_status import TooMuchWork, problem_of
from puzzlebase.service.http import headers
from puzzlebase.service.http.app import App
from puzzlebase.service.sources.folder import Tables

PAGES = Blueprint("pages", __name__, template_folder="templates")

FOLDER = Path(__file__).parents[2] / "page"  # the folder of files, as it is installed
_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ts": "text/plain; charset=utf-8",
}
_IMPORTED = re.compile(rb'^import .* from "\./(.+)";$', re.MULTILINE)
_AT_ONCE = 4  # puzzles of a family that the front page shows unfolded


@PAGES.get("/")
def front() -> Response:
    """The first page."""
    return _page("front.html", "", groups=_groups(tables_served()))


@PAGES.get("/play/<name>")
def play(name: str) -> Response:
    """The page of a puzzle; it shows the error of a wrong state under the field of the state."""
    state, goal_name = request.args.get("state"), request.args.get("goal")
    try:
        puzzle = find(name)
        goal = puzzle.goal(goal_name)
        try:
            board = boards.board(puzzle, goal, state)
        except PuzzleError:
            board = boards.board(puzzle, goal)
    except (PuzzleError, TooMuchWork) as error:
        problem = problem_of(error)
        assert problem is not None
        return _page("problem.html", "../", problem["status"], problem=problem)
    ahead = [
        address("../v1/puzzles/" + name, goal=goal_name),
        address(f"../v1/puzzles/{name}/board", goal=goal_name, state=state),
    ]
    about = catalog.about(tables_served(), puzzle, goal)
    return _page("play.html", "../", puzzle=about, board=board, goal=goal_name, ahead=ahead, modules=_modules())


@PAGES.get("/page/<digest>/<path:path>")
def file(digest: str, path: str) -> Response:
    """A file, below an address that names the content of all, so that browsers may cache it."""
    if digest != _digest() or path not in _files():
        abort(404)
    return _file(path, headers.FOREVER)


@PAGES.get("/icon.svg", defaults={"path": "icon.svg"})
@PAGES.get("/puzzlebase.d.ts", defaults={"path": "puzzlebase.d.ts"})
def staying(path: str) -> Response:
    """A file at an address that stays: browsers look for the icon there, and programs for the types."""
    return _file(path, headers.ASK_AGAIN)


@PAGES.get("/puzzlebase.js")
def embedded() -> Response:
    """The module for pages elsewhere, at an address that stays; it leads to the present files."""
    body = f'export * from "./{folder()}puzzlebase.js";\n'
    return Response(body, content_type=_KINDS[".js"], headers=headers.ASK_AGAIN)


PAGES.add_url_rule("/favicon.ico", "favicon", lambda: redirect("/icon.svg"))


def tables_served() -> Tables:
    """The tables of the service that is asked."""
    return cast("App", current_app).tables


def address(path: str, safe: str = "", **fields: object) -> str:
    """A path with the fields that have a value as its query, encoded as pages ask, but for the letters in `safe`."""
    given = {name: value for name, value in fields.items() if value is not None}
    return f"{path}?{urlencode(given, safe=safe)}" if given else path


def folder() -> str:
    """The folder of the present files, relative to the first page's address."""
    return f"page/{_digest()}/"


class Card(NamedTuple):
    """A puzzle on the front page: its entry in the list, its own description, and the address of a picture."""

    summary: catalog.PuzzleSummary
    about: About
    picture: str

    @property
    def at_once(self) -> bool:
        """True if it is answered without a search."""
        return self.summary["coverage"] in ("table", "oracle", "construction")


class Group(NamedTuple):
    """A family on the front page: the puzzles that are shown at once, and the rest."""

    title: str
    first: list[Card]
    rest: list[Card]


def _groups(tables: Tables) -> list[Group]:
    """Every puzzle by family: first those that need no search, and patterns, which nobody plays, last.

    Families follow the largest puzzle that needs no search; those that have none come as in other lists.
    """
    members: dict[str, list[Card]] = {family.name: [] for family in all_families()}
    summaries = {summary["name"]: summary for summary in catalog.puzzle_list(tables)["puzzles"]}

    def card(name: str) -> Card:
        puzzle = find(name)
        shown = next(iter(puzzle.goal().states), puzzle.goal().start)
        picture = address(f"v1/puzzles/{name}/picture", state=shown)
        return Card(summaries[name], puzzle.about, picture)

    for each in catalog.of_each(summaries, card):
        members[each.summary["family"]].append(each)
    groups = []
    for family in all_families():
        ordered = sorted(members[family.name], key=lambda each: (each.about.instructions is None, not each.at_once))
        if ordered:
            groups.append(Group(family.title, ordered[:_AT_ONCE], ordered[_AT_ONCE:]))
    return sorted(groups, key=_states, reverse=True)


def _states(group: Group) -> int:
    return max((each.summary["states"] or 0 for each in group.first if each.at_once), default=0)


def _page(template: str, base: str, status: int = 200, **content: object) -> Response:
    """A page; `base` leads from its address to that of the first one."""
    text = render_template(template, base=base, files=base + folder(), **content)
    return Response(text, status, [*headers.PAGE, *headers.ASK_AGAIN], content_type="text/html; charset=utf-8")


def _file(path: str, caching: list[tuple[str, str]]) -> Response:
    return Response(_files()[path], content_type=_KINDS[Path(path).suffix], headers=caching)


@cache
def _modules() -> list[str]:
    """The modules of a puzzle's page: its first one, and all that this and others of them import."""
    found = ["play.js"]
    for module in found:
        imported = [str(PurePosixPath(module).parent / path.decode()) for path in _IMPORTED.findall(_files()[module])]
        found += [path for path in dict.fromkeys(imported) if path not in found]
    return found


@cache
def _files() -> dict[str, bytes]:
    return {
        path.relative_to(FOLDER).as_posix(): path.read_bytes()
        for path in sorted(FOLDER.rglob("*"))
        if path.suffix in _KINDS
    }


@cache
def _digest() -> str:
    """The name of one set of these files, so that a browser never mixes two."""
    return blake2b(b"".join(_files().values()), digest_size=6).hexdigest()
