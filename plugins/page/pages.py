"""The pages: / shows every puzzle, /play/{name} plays one.
Their files in page/static ask the service for the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

from flask import Blueprint, abort, current_app, redirect, render_template, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from puzzlebase.plugins.page import files
from puzzlebase.plugins.page.footer import page_footer
from puzzlebase.plugins.page.home import Card, beginnings, level_path, puzzle_groups
from puzzlebase.puzzles import PuzzleError, UnknownPuzzle, all_families, find
from puzzlebase.puzzles.discovery import discovered_names_like
from puzzlebase.service.answers import boards, catalog
from puzzlebase.service.error_status import NO_ADDRESS, TooMuchWork, make_problem, problem_of
from puzzlebase.service.http import headers
from puzzlebase.service.http.app import App
from puzzlebase.service.http.error_responses import framework_error
from puzzlebase.service.sources.sources import Sources

PAGES = Blueprint("pages", __name__, template_folder="templates")

# The headers of a page: it runs the service's own files alone, and no other page frames it.
PAGE = [
    (
        "Content-Security-Policy",
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "; ".join(
            f"{kind}-src 'self'" for kind in ("script", "style", "img", "connect", "manifest")
        ),
    ),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
]
_LONGEST = 200  # characters of an address from which a page leads to the first one
# Those of a file whose address names its content.
_FOREVER = [("Cache-Control", "public, max-age=31536000, immutable")]


@PAGES.get("/")
def _front_page() -> Response:
    """The first page. The puzzle of the day, one with a table, is chosen in the browser."""
    cards = [*_cards(_sources_served())]
    built = (card for card in cards if card.summary["coverage"] == "table")
    return page("front.html", "", groups=puzzle_groups(cards), today=next(built, None))


@PAGES.get("/play/<name>")
def _play(name: str) -> Response:
    """The page of a puzzle; it shows the error of a wrong state at the board."""
    state, goal_name, daily, moves = map(request.args.get, ("state", "goal", "daily", "moves"))
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
        meant = discovered_names_like(name) if isinstance(error, UnknownPuzzle) else []
        return page(
            "problem.html",
            "../",
            problem["status"],
            problem=problem,
            meant=[find(each) for each in meant],
        )
    about = catalog.about(_sources_served().folder, puzzle, goal)
    found = puzzle.found is not None
    begin, of_day = beginnings(
        about["difficulties"], at_start=found and goal.start not in goal.states
    )
    # as browsers write addresses, so that each is asked for once
    ahead = partial(_address, safe="*")
    asked = ahead(f"../v1/puzzles/{name}/board", state=state, goal=goal_name)
    drawn = begin if daily is None else urlencode({"daily": daily}) + of_day
    if drawn and state is None and moves is None:
        asked = f"../v1/puzzles/{name}/random?{drawn}" + (
            f"&{urlencode({'goal': goal_name})}" if goal_name else ""
        )
    kin = (family.listed for family in all_families() if family.name == puzzle.about.family)
    picture = partial(_address, f"../v1/puzzles/{name}/picture")
    example = about["example"]
    return page(
        "play.html",
        "../",
        name=name,
        puzzle=about,
        board=board,
        goal=goal_name,
        found=found,
        begin=begin,
        daily=of_day,
        path=level_path(name, next(kin)) if found else [],
        pictures={
            "goal": picture(state=board["solved"], goal=goal_name),
            "example": example and picture(state=example["state"], highlight=example["move"]),
        },
        ahead=[ahead(f"../v1/puzzles/{name}", goal=goal_name), asked],
        modules=files.imported_files("play.js"),
    )


@PAGES.get("/page/<digest>/<path:path>")
def _present_file(digest: str, path: str) -> Response:
    """A file, at an address with the digest of all files, so that browsers may cache it."""
    if digest != files.digest() or path not in files.files():
        abort(404)
    return _file(path, _FOREVER)


@PAGES.get("/icon.svg", defaults={"path": "icon.svg"})
@PAGES.get("/puzzlebase.d.ts", defaults={"path": "puzzlebase.d.ts"})
def _permanent_file(path: str) -> Response:
    """A file at a permanent address:
    browsers look for the icon there, and programs for the types.
    """
    return _file(path, headers.ASK_AGAIN)


@PAGES.get("/puzzlebase.js")
def _embedding_module() -> Response:
    """The module for pages elsewhere, at a permanent address; it leads to the present files."""
    body = f'export * from "./{_page_folder()}puzzlebase.js";\n'
    return Response(body, content_type=files.KINDS[".js"], headers=headers.ASK_AGAIN)


@PAGES.get("/app.webmanifest")
def _install_manifest() -> Response:
    """The manifest by which browsers install the pages as an application."""
    text = render_template("app.webmanifest", home="./", files=_page_folder())
    return Response(text, content_type="application/manifest+json", headers=headers.ASK_AGAIN)


@PAGES.get("/service-worker.js")
def _service_worker() -> Response:
    """The program with which pages load offline. It differs if the files differ."""
    cached = [
        path
        for path in files.files()
        if not path.startswith("docs/") and not path.endswith((".ts", "-worker.js"))
    ]
    present = json.dumps({"digest": files.digest(), "files": cached})
    body = f"self.puzzlebase = {present};\n".encode() + files.files()[files.WORKER]
    return Response(body, content_type=files.KINDS[".js"], headers=[*PAGE, *headers.ASK_AGAIN])


@PAGES.app_errorhandler(404)
def _not_found_page(error: HTTPException) -> Any:
    """Say to people on a page that nothing is at an address; programs get the problem as JSON."""
    if request.accept_mimetypes.best_match(("application/json", "text/html")) != "text/html":
        return framework_error(error)
    said = make_problem(NO_ADDRESS, f"there is nothing at {request.path[:200]}", "")
    base = "../" * (request.path[:_LONGEST].count("/") - 1)
    return page("problem.html", base, 404, problem=said, meant=[])


PAGES.add_url_rule("/favicon.ico", "favicon", lambda: redirect(f"{request.script_root}/icon.svg"))


def _sources_served() -> Sources:
    """The sources of the service that is asked."""
    return cast("App", current_app).sources


def _address(path: str, safe: str = "", **fields: object) -> str:
    """A path with the fields that have a value as its query,
    encoded as in pages, except the letters in `safe`.
    """
    given = {name: value for name, value in fields.items() if value is not None}
    return f"{path}?{urlencode(given, safe=safe)}" if given else path


def _page_folder() -> str:
    """The folder of the present files, relative to the first page's address."""
    return f"page/{files.digest()}/"


def _cards(sources: Sources) -> Iterator[Card]:
    """A card for every puzzle, by family."""
    families = all_families()
    titles = {family.name: family.title for family in families}
    examples = {family.example for family in families}
    summaries = {summary["name"]: summary for summary in catalog.puzzle_list(sources)["puzzles"]}
    for family in families:
        for at, name in enumerate(family.titles):  # the first stands for all that have no table
            if at == 0:
                summaries[name]["title"] = family.template
            elif summaries[name]["coverage"] == "none":
                del summaries[name]

    def card(name: str) -> Card:
        puzzle = find(name)
        about = puzzle.about
        shown = next(iter(puzzle.goal().states), puzzle.goal().start)
        return Card(
            name=name,
            summary=summaries[name],
            kin=titles[summaries[name]["family"]],
            text=about.sentence or about.instructions or "",
            instructions=about.instructions or "",
            inventor=about.inventor,
            page=f"play/{name}",
            picture=_address(f"v1/puzzles/{name}/picture", state=shown),
            played=about.instructions is not None,
            example=name in examples,
        )

    yield from catalog.catalog_of(summaries, card)


def page(template: str, base: str, status: int = 200, **content: object) -> Response:
    """A page; `base` leads from its address to that of the first page."""
    places = {"home": base or "./", "docs": f"{base}docs", "files": base + _page_folder()}
    text = render_template(template, base=base, **places, **page_footer(), **content)
    return Response(
        text, status, [*PAGE, *headers.ASK_AGAIN], content_type="text/html; charset=utf-8"
    )


def _file(path: str, caching: list[tuple[str, str]]) -> Response:
    return Response(
        files.files()[path], content_type=files.KINDS[Path(path).suffix], headers=caching
    )
