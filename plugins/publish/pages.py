"""The pages of a published folder: the service's pages on static files,
and the files that let them work offline.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from puzzlebase.atomic_files import put_in_place
from puzzlebase.plugins.page import files
from puzzlebase.plugins.page.footer import page_footer
from puzzlebase.plugins.page.home import Card, Group, beginnings, level_path, puzzle_groups
from puzzlebase.plugins.publish.folder import HEADER, read_folder_json
from puzzlebase.puzzles import all_families

if TYPE_CHECKING:
    from jinja2 import Environment

_SMALL = 8 << 20  # bytes of a table that browsers cache as a whole when it is played
_WHOLE = 1 << 20  # bytes of a table to fetch before the header is read
_FEW = 12  # puzzles that need no groups
_OF_THE_SERVICE = ("docs/", files.WORKER, files.PUBLISHED_WORKER)
_POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'"


def write_pages(to: Path, unfinished: Path) -> None:
    """Write the pages of a folder of tables, and the files that they need.

    The folder `unfinished` has new tables. All is written there first, and then moved to its place.
    """
    there, new = (
        {path.parent.name: path.parent for path in at.glob(f"[!.]*/{HEADER}")}
        for at in (to, unfinished)
    )
    folders = dict(sorted((there | new).items()))
    headers = {
        name: read_folder_json((folder / HEADER).read_bytes()) for name, folder in folders.items()
    }
    pages = {
        path: content
        for path, content in files.files().items()
        if not path.startswith(_OF_THE_SERVICE)
    }
    pages |= {"index.html": _home(headers), "app.webmanifest": _rendered("app.webmanifest", "")}
    written = pages | {
        f"{name}/index.html": _play(folders[name], header, headers)
        for name, header in headers.items()
    }
    contents = {
        f"{name}/{path.name}": path.read_bytes
        for name, folder in folders.items()
        for path in folder.iterdir()
    }
    contents |= {path: partial(bytes, content) for path, content in written.items()}
    digests = {path: hashlib.sha256(read()).hexdigest() for path, read in sorted(contents.items())}
    release = hashlib.sha256(json.dumps(digests).encode()).hexdigest()
    present = {"release": release, "files": digests, "pages": sorted(pages)}
    worker = (
        f"self.puzzlebase = {json.dumps(present)};\n".encode()
        + files.files()[files.PUBLISHED_WORKER]
    )
    written[files.WORKER] = worker
    for path, content in written.items():
        (unfinished / path).parent.mkdir(exist_ok=True)
        (unfinished / path).write_bytes(content)
    for name, folder in new.items():
        _put_folder(folder, to / name)
    for path in written:
        if path.partition("/")[0] not in new:
            (to / path).parent.mkdir(exist_ok=True)
            put_in_place(unfinished / path, to / path)


def _put_folder(unfinished: Path, folder: Path) -> None:
    """Put a complete folder in place of `folder`,
    which comes back if that fails or is interrupted.
    """
    former = folder.with_name(f".{folder.name}.former")
    try:
        if folder.exists():
            shutil.rmtree(former, ignore_errors=True)  # of a process that was killed
            folder.rename(former)
        unfinished.rename(folder)
    except BaseException:
        if former.exists() and not folder.exists():
            former.rename(folder)
        raise
    shutil.rmtree(former, ignore_errors=True)


def _home(headers: dict[str, dict[str, Any]]) -> bytes:
    """The first page. The puzzle of the day is chosen in the browser."""
    titles = {family.name: family.title for family in all_families()}
    cards = [_card(name, header, titles) for name, header in headers.items()]
    shown = puzzle_groups(cards) if len(cards) > _FEW else [Group("Puzzles", cards, [])]
    return _rendered("front.html", "", groups=shown, today=next(iter(cards), None))


def _card(name: str, header: dict[str, Any], titles: dict[str, str]) -> Card:
    about = header["about"]
    other_goal = {} if name == about["name"] else {"title": f"{about['title']}, {header['goal']}"}
    return Card(
        name=name,
        summary=about | other_goal,
        kin=titles.get(about["family"], about["family"]),
        text=about["about"] or about["instructions"] or "",
        instructions=about["instructions"] or "",
        inventor=about["inventor"],
        page=f"{name}/index.html",
        picture=f"{name}/goal.svg",
    )


def _play(folder: Path, header: dict[str, Any], headers: dict[str, dict[str, Any]]) -> bytes:
    about, drawing, solved = header["about"], header["drawing"], header["solved"]
    begin, daily = beginnings(
        about["difficulties"], at_start=header["found"] and header["start"] not in solved
    )
    kin = [name for name, each in headers.items() if each["about"]["family"] == about["family"]]
    sizes = {path.name: path.stat().st_size for path in folder.iterdir() if path.suffix != ".html"}
    return _rendered(
        "play.html",
        "../",
        name=folder.name,
        puzzle=about,
        keep=" ".join(sorted(sizes)) if sum(sizes.values()) <= _SMALL else "",
        board={
            "width": drawing["width"],
            "height": drawing["height"],
            "solved": next(iter(solved), None),
        },
        goal=header["goal"],
        found=header["found"],
        path=level_path(folder.name, kin) if header["found"] else [],
        begin=begin,
        daily=daily,
        pictures={"goal": "goal.svg", "example": about["example"] and "example.svg"},
        ahead=[HEADER, *_small(header["blocks"])],
        modules=files.imported_files(
            "play.js",
            "rules/board.js",
            "source/folder.js",
            f"source/{'stored' if 'stored' in drawing else 'drawing'}.js",
        ),
    )


def _small(blocks: dict[str, Any]) -> list[str]:
    """The files of blocks that the page fetches at once,
    along with the header, if they are small.
    """
    files = -(-blocks["size"] // (blocks["block"] * blocks["in_file"]))
    return (
        [f"{blocks['name']}.{file}" for file in range(files)] if blocks["bytes"] <= _WHOLE else []
    )


@cache
def _templates() -> Environment:
    """The templates of the service's pages, compiled once for all pages of a folder."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("puzzlebase.plugins.page"), autoescape=True, undefined=StrictUndefined
    )


def _rendered(template: str, base: str, **content: object) -> bytes:
    """A template of the service's pages; `base` leads from its address to the folder."""
    home = {"home": f"{base}index.html", "docs": None, "policy": _POLICY, "published": True}
    text = (
        _templates()
        .get_template(template)
        .render(base=base, files=base, **home, **page_footer(), **content)
    )
    return text.encode()
