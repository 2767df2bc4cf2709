"""plugins/publish/pages.py: the pages of a published folder as files, without a browser."""

from __future__ import annotations

import errno
import hashlib
import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.commands import command, ran
from tests.fixtures import build_table

pytestmark = pytest.mark.needs("panex")

NAMES = ("novice", "panex-2")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for name in NAMES:
        build_table(folder, name)
    return folder


def pages(published: Path) -> list[Path]:
    return [published / "index.html", *(published / name / "index.html" for name in NAMES)]


@pytest.mark.slow
def test_what_a_page_names_lies_in_the_folder_under_that_very_name(published: Path) -> None:
    """Relative, so that the folder may lie anywhere;
    each link names a file, so that no host must know more.
    """
    for page in pages(published):
        named = re.findall(r'(?:href|src|data-base|data-src)="([^"]*)"', page.read_text("utf-8"))
        ours = [
            address
            for address in map(unescape, named)
            if address and not address.startswith(("#", "http"))
        ]
        assert len(ours) > 8
        for address in ours:
            assert not address.startswith("/"), address
            path = urlsplit(address).path
            assert (page.parent / path).is_file() or path in ("./", "../"), (page, address)


@pytest.mark.slow
def test_no_script_or_style_stands_in_a_page(published: Path) -> None:
    for page in pages(published):
        text = page.read_text("utf-8")
        assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=", text)
        assert "unsafe" not in text
        assert "v1/" not in text, "no address of a service"
    play = (published / "novice" / "index.html").read_text("utf-8")
    assert "goal-form" not in play, "what cannot be is not shown"
    assert "puzzlebase build" not in play


def digests(published: Path) -> dict[str, str]:
    paths = [path for path in published.rglob("*") if path.is_file()]
    return {
        path.relative_to(published).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()], ids=repr
)
@pytest.mark.parametrize(("what", "where"), [("rename", "panex-2"), ("write_bytes", "index.html")])
def test_a_publish_that_fails_loses_nothing(
    data: Path,
    published: Path,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    where: str,
    error: BaseException,
) -> None:
    """It fails while a new table takes the place of the former one, and while pages are written."""
    before, done = digests(published), getattr(Path, what)

    def fail(path: Path, *given: object) -> object:
        if path.name == where and path.parent.parent == published:  # in the unfinished folder
            raise error
        return done(path, *given)

    with monkeypatch.context() as patch:
        patch.setattr(Path, what, fail)
        stopped = command(data, "publish", "panex-2", str(published))
    assert stopped.status == (1 if isinstance(error, OSError) else 130)
    assert ("make room on the disk" in stopped.stderr) == isinstance(error, OSError)
    assert "run the same command again: it starts anew" in stopped.stderr
    assert digests(published) == before


@pytest.mark.slow
def test_a_second_time_is_the_same(data: Path, published: Path) -> None:
    (published / "own.html").write_text("a page of somebody's own", "utf-8")
    first = digests(published)
    ran(data, "publish", NAMES[0], str(published))
    assert digests(published) == first, "files of others are not ours"


@pytest.mark.slow
def test_the_worker_is_of_the_release(published: Path) -> None:
    line, _, program = (published / "service-worker.js").read_text("utf-8").partition("\n")
    told = json.loads(line.removeprefix("self.puzzlebase = ").rstrip(";"))
    assert "addEventListener" in program
    assert {**digests(published), **told["files"]} == digests(published)
    assert {*digests(published)} - {*told["files"]} <= {"service-worker.js", "own.html"}
    assert not [path for path in told["files"] if path.startswith("panex-2/after")], (
        "its moves rewrite letters"
    )
    assert {"index.html", "play.js", "modules/game.js", "source/folder.js", "app.webmanifest"} <= {
        *told["pages"]
    }
    assert not [path for path in told["pages"] if path.startswith(NAMES)], (
        "a table comes when it is played"
    )
