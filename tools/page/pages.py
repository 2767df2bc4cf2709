"""The page: / shows every puzzle, /play/{name} plays one. Its files in page/static ask the service for all else."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from functools import cache
from hashlib import blake2b
from importlib.metadata import metadata
from pathlib import Path, PurePosixPath
from typing import NamedTuple, cast
from urllib.parse import urlencode

from flask import Blueprint, abort, current_app, redirect, render_template, request
from werkzeug.wrappers import Response

from puzzlebase.puzzles import About, PuzzleError, UnknownPuzzle, all_families, find
from puzzlebase.puzzles.discovery import names_like
from puzzlebase.service.answers import boards, catalog
from puzzlebase.service.error_status import TooMuchWork, problem_of
from puzzlebase.service.http import headers
from puzzlebase.service.http.app import App
from puzzlebase.service.http.connection.exchange import Headers
from puzzlebase.service.sources.folder import Tables
from puzzlebase.version import VERSION

PAGES = Blueprint("pages", __name__, template_folder="templates")

FOLDER = Path(__file__).parents[2] / "page"  # the folder of files, as it is installed
_KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ts": "text/plain; charset=utf-8",
}
_IMPORTED = re.compile(rb'^import .* from "\./(.+)";$', re.MULTILINE)
_WORKER = "service-worker.js"
_AT_ONCE = 4  # puzzles of a family that the front page shows unfolded
_TURNS = 3  # random turns at the beginning of a game, where no distances are known
_OF_THE_DAY = "medium"  # the difficulty of daily games
_FEW = 2  # puzzles of a family that has no part of its own there
# The headers of a page: it runs the service's own files alone, and no other page frames it.
PAGE: Headers = [
    (
        "Content-Security-Policy",
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "; ".join(f"{kind}-src 'self'" for kind in ("script", "style", "img", "connect")),
    ),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
]
# Those of a file whose address names its content.
_FOREVER: Headers = [("Cache-Control", "public, max-age=31536000, immutable")]


@PAGES.get("/")
def front() -> Response:
    """The first page, with the puzzle of the day: one of those with a table."""
    groups, day = _groups(tables_served()), datetime.now(UTC).date()
    return _page("front.html", "", groups=groups, today=_of_the_day(groups, day), day=day.isoformat())


@PAGES.get("/play/<name>")
def play(name: str) -> Response:
    """The page of a puzzle; it shows the error of a wrong state at the board."""
    state, goal_name, daily = (request.args.get(field) for field in ("state", "goal", "daily"))
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
        meant = names_like(name) if isinstance(error, UnknownPuzzle) else []
        return _page("problem.html", "../", problem["status"], problem=problem, meant=[find(each) for each in meant])
    about = catalog.about(tables_served(), puzzle, goal)
    found = puzzle.index_side is not None and puzzle.index_side.found is not None
    begin, asked = "", address(f"../v1/puzzles/{name}/board", goal=goal_name, state=state)
    if state is None and daily is not None:
        begin = urlencode({"daily": daily} | ({"difficulty": _OF_THE_DAY} if about["difficulties"] else {}))
    elif state is None and not (found and goal.start not in goal.states):
        begin = "difficulty=first" if about["difficulties"] else f"turns={_TURNS}"
    if begin:
        asked = f"../v1/puzzles/{name}/random?{begin}" + (f"&{urlencode({'goal': goal_name})}" if goal_name else "")
    return _page(
        "play.html",
        "../",
        puzzle=about,
        board=board,
        goal=goal_name,
        found=found,
        begin=begin,
        ahead=[address("../v1/puzzles/" + name, goal=goal_name), asked],
        modules=_modules(),
    )


@PAGES.get("/page/<digest>/<path:path>")
def file(digest: str, path: str) -> Response:
    """A file, below an address that names the content of all, so that browsers may cache it."""
    if digest != _digest() or path not in _files():
        abort(404)
    return _file(path, _FOREVER)


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


@PAGES.get("/service-worker.js")
def service_worker() -> Response:
    """The program by which pages load without a connection. It is another one where the files are others."""
    cached = [path for path in _files() if not path.startswith("docs/") and not path.endswith((".ts", _WORKER))]
    present = json.dumps({"digest": _digest(), "files": cached})
    body = f"self.puzzlebase = {present};\n".encode() + _files()[_WORKER]
    return Response(body, content_type=_KINDS[".js"], headers=[*PAGE, *headers.ASK_AGAIN])


PAGES.add_url_rule("/favicon.ico", "favicon", lambda: redirect("/icon.svg"))


@cache
def footer() -> dict[str, str | None]:
    """The foot of each page: the version, the licence and, where the package names it, the source."""
    told = metadata("puzzlebase")
    urls = [url.partition(", ")[2] for url in told.get_all("Project-URL", [])]
    return {"version": VERSION, "licence": told["License-Expression"], "source": next(iter(urls), None)}


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
    kin: str  # the title of its family

    @property
    def at_once(self) -> bool:
        """True if it is answered without a search."""
        return self.summary["coverage"] in ("table", "oracle", "construction")


class Group(NamedTuple):
    """A family on the front page, or all small ones: the puzzles that are shown at once, and the rest."""

    title: str
    flag: About | None  # of one of them, for the inventor
    first: list[Card]
    rest: list[Card]


def _groups(tables: Tables) -> list[Group]:
    """Every puzzle by family: first those that need no search, and patterns, which nobody plays, last.

    Families follow the largest puzzle that needs no search; those that have none come as in other lists. Families of
    few puzzles stand together at the end.
    """
    titles = {family.name: family.title for family in all_families()}
    members: dict[str, list[Card]] = {name: [] for name in titles}
    summaries = {summary["name"]: summary for summary in catalog.puzzle_list(tables)["puzzles"]}

    def card(name: str) -> Card:
        puzzle = find(name)
        shown = next(iter(puzzle.goal().states), puzzle.goal().start)
        picture = address(f"v1/puzzles/{name}/picture", state=shown)
        return Card(summaries[name], puzzle.about, picture, titles[summaries[name]["family"]])

    for each in catalog.of_each(summaries, card):
        members[each.summary["family"]].append(each)
    groups: list[Group] = []
    few: list[Card] = []
    rest: list[Card] = []
    for name, cards in members.items():
        ordered = sorted(cards, key=lambda each: (each.about.instructions is None, not each.at_once))
        if len(ordered) > _FEW:
            first = ordered[:_AT_ONCE]
            groups.append(Group(titles[name], first[0].about, first, ordered[_AT_ONCE:]))
        else:
            few += ordered[:1]
            rest += ordered[1:]
    groups.sort(key=_states, reverse=True)
    return [*groups, Group("More puzzles", None, few, rest)] if few else groups


def _states(group: Group) -> int:
    return max((each.summary["states"] or 0 for each in group.first if each.at_once), default=0)


def _of_the_day(groups: list[Group], day: date) -> Card | None:
    """The puzzle of a day, if any has a table."""
    cards = [each for group in groups for each in (*group.first, *group.rest) if each.summary["coverage"] == "table"]
    cards.sort(key=lambda each: each.summary["name"])  # so that a table that is built changes few days
    return cards[day.toordinal() % len(cards)] if cards else None


def _page(template: str, base: str, status: int = 200, **content: object) -> Response:
    """A page; `base` leads from its address to that of the first one."""
    text = render_template(template, base=base, files=base + folder(), **footer(), **content)
    return Response(text, status, [*PAGE, *headers.ASK_AGAIN], content_type="text/html; charset=utf-8")


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
