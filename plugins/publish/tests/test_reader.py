"""Published tables read by address: the answers of the table itself,
from good hosts, poor ones and damaged folders.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

import puzzlebase
from puzzlebase.db.errors import DamagedTable, UnreadableTable
from puzzlebase.opened import OpenPuzzle
from puzzlebase.plugins.publish.block_files import deflate
from puzzlebase.puzzles import UnknownPuzzle, discovery
from tests.browser.hosts import FileServer, hosting
from tests.commands import command
from tests.documents import ROOT, fenced

from .test_alike import LEVELS

pytestmark = pytest.mark.needs("panex", "hanoi", "levels")

NAMES = ("novice", "panex-2", "hanoi-nnn-3", "water")
"""Orbits of wheels, letters in columns, stored moves, and a level whose states a build finds."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of tables, with the level's file beside them."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "water.tubes").write_text(LEVELS["water.tubes"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PUZZLEBASE_PUZZLES", str(folder))
        discovery.forget()
        yield folder
    discovery.forget()


@pytest.fixture(params=[True, False])
def host(published: Path, request: pytest.FixtureRequest) -> Iterator[FileServer]:
    """A host with ranges, and one without."""
    with hosting(published) as server:
        server.ranges = request.param
        yield server


@pytest.mark.slow(20)
@pytest.mark.parametrize("name", NAMES)
def test_answers_are_those_of_the_table(name: str, data: Path, host: FileServer) -> None:
    near, far = puzzlebase.open(name, data=data), puzzlebase.open(f"{host.address}/{name}/")
    space = near._source().space
    assert space
    texts = [near.record.format(board) for board in space.unrank(np.arange(space.size))]
    assert (far.distances(texts) == near.distances(texts)).all()
    state = near.antipodes()["states"][0]
    moves = near.solve(state)["solution"]
    asks: list[Callable[[OpenPuzzle], object]] = [
        lambda puzzle: puzzle.lookup(state),
        lambda puzzle: puzzle.solve(state, all=3, states=True),
        lambda puzzle: puzzle.hint(state, level=4),
        lambda puzzle: puzzle.grade(state, moves),
        lambda puzzle: puzzle.histogram(),
        lambda puzzle: puzzle.antipodes(limit=5),
    ]
    for ask in asks:
        assert ask(far) == ask(near)


def test_the_document_s_examples_answer(
    published: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document, state = ROOT / "plugins" / "publish" / "README.md", "RBBBBBBBBBBBBRRRRRRRR"
    program, line = fenced(document, "python")[0], fenced(document, "sh")[0]
    with hosting(published, "/published") as host:
        program, line = (
            text.replace("https://example.org", host.address) for text in (program, line)
        )
        exec(program)
        done = command(None, *line.split()[1:])
    assert capsys.readouterr().out == f"{puzzlebase.open('novice', data=data).distance(state)}\n"
    assert done == command(data, "lookup", "novice", state)


@pytest.mark.slow(5)
def test_the_command_line_reads_a_folder_or_one_table(data: Path, published: Path) -> None:
    with hosting(published) as host:
        for words in (
            ["lookup", "panex-2", "BA||ba"],
            ["hint", "panex-2", "BA||ba"],
            ["histogram", "panex-2"],
        ):
            wanted = command(data, *words, "--json")
            for address in (host.address, f"{host.address}/panex-2/"):
                assert command(None, "--data", address, *words, "--json") == wanted
        of_another = command(
            None, "--data", f"{host.address}/panex-2", "lookup", "novice", "RBBBBBBBBBBBBRRRRRRRR"
        )
        assert (of_another.status, "is not of novice, goal solved" in of_another.stderr) == (
            1,
            True,
        )
        nowhere = command(
            None, "--data", f"{host.address}/no", "lookup", "novice", "RBBBBBBBBBBBBRRRRRRRR"
        )
        assert (nowhere.status, "there is no header.json at" in nowhere.stderr) == (1, True)
        built = command(None, "--data", host.address, "build", "novice")
        assert (built.status, "this needs a folder of tables" in built.stderr) == (2, True)
    assert command(None, "--data", "ftp://example.org", "histogram", "novice").status == 2


def with_header(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    """Change the header, which then has its checksum."""

    def changed(folder: Path) -> None:
        first, text = (folder / "header.json").read_text().split("\n")[:2]
        header = json.loads(text)
        change(header)
        text = json.dumps(header)
        (folder / "header.json").write_text(
            f"{zlib.crc32(text.encode()):08x} {first.split()[1]}\n{text}\n"
        )

    return changed


def flip(name: str, at: int) -> Callable[[Path], None]:
    def changed(folder: Path) -> None:
        content = bytearray((folder / name).read_bytes())
        content[at] ^= 1
        (folder / name).write_bytes(content)

    return changed


def cut(folder: Path) -> None:
    (folder / "distances.0").write_bytes((folder / "distances.0").read_bytes()[:-9])


def of_another_release(folder: Path) -> None:
    (folder / "distances.0").write_bytes(
        (folder.parent / "hanoi-nnn-3" / "distances.0").read_bytes()
    )


def with_a_bomb(header: dict[str, Any]) -> None:
    """Moves that unpack to a byte more than they may."""
    header["ranking"]["next"] = b64encode(deflate(bytes((1 << 26) + 1))).decode()


DAMAGE = {
    "a block": (flip("distances.0", -1), "block 0: "),
    "an index": (flip("distances.0", 0), "the index of distances.0 does not have its checksum"),
    "a header": (flip("header.json", 200), "it does not have its checksum"),
    "a cut file": (cut, "distances.0 is cut short"),
    "another format": (
        with_header(lambda header: header.update(format=0)),
        "has the format 0, this version reads 2",
    ),
    "huge blocks": (
        with_header(lambda header: header["blocks"].update(block=1 << 40)),
        "blocks that are too large",
    ),
    "a bomb": (with_header(with_a_bomb), "unpacks to too much"),
    "long texts": (
        with_header(lambda header: header["states"].update(length=1 << 40)),
        "texts that are too long",
    ),
    "other moves": (
        with_header(lambda header: header["about"]["moves"].pop()),
        "or of another version or definition",
    ),
    "no size": (
        with_header(lambda header: header["blocks"].pop("size")),
        "holds impossible values: 'size'",
    ),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_an_error_that_names_the_remedy(
    what: str, published: Path, tmp_path: Path
) -> None:
    copytree(published, tmp_path, dirs_exist_ok=True)
    damage, words = DAMAGE[what]
    damage(tmp_path / "panex-2")
    with hosting(tmp_path) as host, pytest.raises(DamagedTable, match=words) as error:
        puzzlebase.open(f"{host.address}/panex-2/").distance("BA||ba")
    assert "publish" in error.value.hint


def test_a_release_that_comes_meanwhile_is_noticed(published: Path, tmp_path: Path) -> None:
    copytree(published, tmp_path, dirs_exist_ok=True)
    with hosting(tmp_path) as host:
        far = puzzlebase.open(f"{host.address}/panex-2/")
        assert far.histogram()["layers"]
        of_another_release(tmp_path / "panex-2")
        with pytest.raises(DamagedTable, match="or of another release"):
            far.distance("BA||ba")


def test_hosts_and_puzzles_that_are_not_there(published: Path, tmp_path: Path) -> None:
    copytree(published / "panex-2", tmp_path / "panex-2")
    with_header(lambda header: header["about"].update(name="no-such"))(tmp_path / "panex-2")
    with hosting(tmp_path) as host, pytest.raises(UnknownPuzzle, match="no-such"):
        puzzlebase.open(f"{host.address}/panex-2/")
    with pytest.raises(UnreadableTable, match="cannot be read"):
        puzzlebase.open("novice", data=host.address).distance("RBBBBBBBBBBBBRRRRRRRR")
