"""plugins/release: tables are copied with a manifest,
and fetched by it from folders and servers, sound or not.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.error import URLError
from urllib.request import Request

import duckdb
import pytest

from puzzlebase.db.table_file import TableFile
from puzzlebase.paths import table_path
from puzzlebase.plugins import web
from tests.browser.hosts import FileHandler, FileServer, answering
from tests.commands import Done, command, ran
from tests.documents import ROOT, assert_shown, examples
from tests.fixtures import build_table
from tests.waiting import PATIENCE

pytestmark = pytest.mark.needs("panex", "hanoi", "levels", "definitions")

NAME = "novice-sixths"
MINE = (
    "Name three\nSet P 3 1\nSolved\nP\n1 2 3\nEnd\nMove A\nP\n2 1 3\nEnd\nMove B\nP\n1 3 2\nEnd\n"
)


@pytest.fixture
def changed(release: Path, tmp_path: Path) -> Path:
    """A copy of it to spoil."""
    return shutil.copytree(release, tmp_path / "changed")


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """A data folder that is not there yet."""
    return tmp_path / "new"


def get(new: Path, where: Path | str, name: str = NAME, *words: str) -> Done:
    return command(new, "get", name, "--from", str(where), *words)


def nothing_came(done: Done, new: Path, status: int, *printed: str) -> None:
    """The command failed with a remedy, and no table is in place."""
    assert done.status == status, done.stdout + done.stderr
    for each in printed:
        assert each in done.stderr
    assert done.stderr.rstrip().splitlines()[-1].startswith("  "), done.stderr
    assert not [*new.glob("*.duckdb")]


def in_place(done: Done, new: Path, data: Path, name: str = NAME) -> None:
    assert done.status == 0, done.stderr
    assert f"{name}.duckdb is in place" in done.stdout
    assert [path.name for path in new.iterdir() if path.is_file()] == [f"{name}.duckdb"]
    assert table_path(new, name).read_bytes() == table_path(data, name).read_bytes()


def test_the_manifest_says_what_the_files_are(release: Path, data: Path) -> None:
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    names = sorted(path.stem for path in data.glob("*.duckdb"))
    assert NAME in names
    assert [table["name"] for table in manifest["tables"]] == names
    for table in manifest["tables"]:
        content = (release / f"{table['name']}.duckdb").read_bytes()
        assert (table["bytes"], table["sha256"]) == (len(content), sha256(content).hexdigest())
        with duckdb.connect(data / f"{table['name']}.duckdb", read_only=True) as file:
            ((digest, states, gods_number),) = file.execute(
                "SELECT digest, reachable, gods_number FROM table_info"
            ).fetchall()
            versions = file.execute("SELECT DISTINCT version FROM build_log").fetchall()
        assert (table["digest"], table["states"], table["gods_number"]) == (
            digest,
            states,
            gods_number,
        )
        assert versions == [(table["version"],)]


def test_a_release_of_nothing_and_one_into_itself(data: Path, new: Path, tmp_path: Path) -> None:
    nothing_came(command(new, "get", NAME), new, 2, "name its folder or its address with --from")
    (tmp_path / "empty").mkdir()
    assert command(tmp_path / "empty", "release", str(tmp_path / "to")).status == 2
    done = command(data, "release", str(data))
    assert (done.status, "is the folder of the tables itself" in done.stderr) == (1, True)
    assert not (data / "manifest.json").exists()


def test_a_release_that_does_not_fit_begins_nothing(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=10))
    done = command(data, "release", str(tmp_path / "to"))
    assert (done.status, " bytes, 10 are free in " in done.stderr) == (1, True)
    assert not [*(tmp_path / "to").iterdir()]


def test_a_damaged_table_is_not_released(data: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    content = bytearray((data / f"{NAME}.duckdb").read_bytes())
    with TableFile(data / f"{NAME}.duckdb") as file:
        block = next(file.blocks())
    content[content.index(block.data[:100]) + 50] ^= 1
    (tmp_path / "data" / f"{NAME}.duckdb").write_bytes(content)
    assert command(tmp_path / "data", "release", str(tmp_path / "to")).status == 1
    assert not [*(tmp_path / "to").iterdir()]


def test_from_a_folder(release: Path, new: Path, data: Path) -> None:
    in_place(get(new, release), new, data)
    again = get(new, release, NAME, "--json")
    assert again.status == 0
    with TableFile(table_path(data, NAME)) as file:
        assert json.loads(again.stdout)["table"]["digest"] == file.digest
    assert "is there already" in get(new, release).stdout


def test_another_table_is_kept(release: Path, new: Path) -> None:
    """Its name is the same, and another program made it."""
    path = build_table(new, NAME)
    with TableFile(path) as file:
        digest = file.digest
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    other = new.parent / "other"
    shutil.copytree(release, other)
    for table in manifest["tables"]:
        table["digest"] = "ab" * 32
    (other / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    before = path.read_bytes()
    done = get(new, other)
    assert (done.status, path.read_bytes()) == (1, before)
    assert f"digest begins with {digest[:12]}, the manifest's with abababababab" in done.stderr
    assert "another folder with --data" in done.stderr


def test_a_damaged_table_is_replaced(release: Path, new: Path, data: Path) -> None:
    new.mkdir()
    table_path(new, NAME).write_bytes(b"no table")
    in_place(get(new, release), new, data)


def test_places_and_tables_that_are_not_there(release: Path, new: Path, tmp_path: Path) -> None:
    nothing_came(
        get(new, tmp_path / "nowhere"),
        new,
        2,
        "there is no 'manifest.json' at",
        "`puzzlebase release`",
    )
    nothing_came(
        get(new, "ftp://example.org/x"), new, 2, "'ftp://example.org/x' cannot be fetched from"
    )
    nothing_came(get(new, "file:///etc"), new, 2, "'file:///etc' cannot be fetched from")
    nothing_came(
        get(new, release, "panex-3"), new, 2, "no table of 'panex-3'", "avenger, challenger, novice"
    )
    nothing_came(get(new, release, "hanoi-nnn-64"), new, 2, "too many states for a table")
    nothing_came(get(new, "http://127.0.0.1:9/x"), new, 1, "cannot be read: Connection refused")
    assert not new.exists()


def test_damaged_on_the_way(changed: Path, new: Path) -> None:
    path = changed / f"{NAME}.duckdb"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    nothing_came(
        get(new, changed),
        new,
        1,
        "the SHA-256 that the manifest states: expected",
        "build it yourself",
    )


def rewritten(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the table's entry in the manifest."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    change(next(table for table in manifest["tables"] if table["name"] == NAME))
    path.write_text(json.dumps(manifest), "utf-8")


def test_a_manifest_that_describes_another_table(changed: Path, new: Path) -> None:
    rewritten(changed, lambda table: table.update(digest="ab" * 32))
    nothing_came(get(new, changed), new, 1, "the digest that the manifest states: expected")
    assert not [*new.iterdir()]


def test_a_sound_manifest_of_false_distances(changed: Path, new: Path) -> None:
    """The author of a manifest can write any checksum; the file names another puzzle."""
    path = changed / f"{NAME}.duckdb"
    shutil.copy(changed / "novice.duckdb", path)  # of as many states
    manifest = json.loads((changed / "manifest.json").read_text("utf-8"))
    novice = next(table for table in manifest["tables"] if table["name"] == "novice")
    rewritten(changed, lambda table: table.update(novice, name=NAME))
    nothing_came(get(new, changed), new, 1, "is not sound", "found ('novice', 'solved'")
    assert not [*new.iterdir()]


HOSTILE: dict[str, Callable[[dict[str, Any]], None]] = {
    "up": lambda table: table.update(name="../../evil"),
    "zero bytes": lambda table: table.update(bytes=0),
    "missing": lambda table: table.pop("digest"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_manifest(changed: Path, new: Path, what: str) -> None:
    rewritten(changed, HOSTILE[what])
    nothing_came(get(new, changed), new, 1, "the manifest at")
    assert not new.exists()


def test_a_table_larger_than_the_disk(changed: Path, new: Path) -> None:
    rewritten(changed, lambda table: table.update(bytes=1 << 60))
    nothing_came(get(new, changed), new, 1, " bytes, ", "make room there")


class Handler(FileHandler):
    """A handler that sends at most `most` bytes of each table."""

    server: Server

    def do_GET(self) -> None:  # noqa: N802
        """Answer with a file, or lead elsewhere."""
        if self.server.leads_to:
            self.answer(302, b"", Location=self.server.leads_to)
        else:
            super().do_GET()

    def answer(self, status: int, content: bytes, **headers: str) -> None:
        """Send an answer of the stated length, or break off."""
        super().answer(status, b"", **{"Content-Length": str(len(content))} | headers)
        self.wfile.write(content[: self.server.most if self.path.endswith(".duckdb") else None])
        self.close_connection = True


class Server(FileServer):
    """A host of a release."""

    handler = Handler
    most: int | None = None
    leads_to = ""


@pytest.fixture
def server(release: Path) -> Iterator[Server]:
    with answering(Server(release, "/release")) as running:
        yield running


def address(server: Server) -> str:
    return f"{server.address}/release/"


def test_from_a_server_that_breaks_off(server: Server, new: Path, data: Path) -> None:
    server.most = 60_000
    done = get(new, address(server))
    nothing_came(done, new, 1, "the bytes that the manifest states: expected", "found 60000")
    assert not [*new.iterdir()]
    server.most = None
    in_place(get(new, address(server)), new, data)


@pytest.mark.parametrize("leads_to", ["file:///etc/passwd", "ftp://127.0.0.1/x"])
def test_a_server_that_leads_elsewhere(server: Server, new: Path, leads_to: str) -> None:
    server.leads_to = leads_to
    nothing_came(get(new, address(server)), new, 1, "cannot be read")


def test_never_from_https_to_http() -> None:
    asked = Request("https://example.org/release/manifest.json")
    follow: Any = web.Redirects().redirect_request
    assert (
        follow(asked, None, 302, "Found", {}, "https://example.org/new").full_url
        == "https://example.org/new"
    )
    with pytest.raises(URLError, match="less safe"):
        follow(asked, None, 302, "Found", {}, "http://example.org/new")


def test_the_document_shows_what_happens(tmp_path: Path) -> None:
    for example in examples(ROOT / "plugins" / "release" / "README.md"):
        program, *words = shlex.split(example.command)
        if program == "make":
            subprocess.run(
                ["make", "--dry-run", *words],
                cwd=ROOT,
                capture_output=True,
                check=True,
                timeout=PATIENCE,
            )
        else:
            done = ran(None, *words, folder=tmp_path)
            assert_shown(example, done.stdout)


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A data folder with the table of a definition, and the folder `mine` of that beside it."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "three.tws").write_text(MINE, "utf-8")
    ran(tmp_path / "data", "--puzzles", str(mine), "build", "three")
    return tmp_path / "data"


@pytest.mark.slow(2)
def test_no_table_goes_without_its_definition(built: Path, tmp_path: Path) -> None:
    to, mine = tmp_path / "to", tmp_path / "mine"
    done = command(built, "release", str(to))
    assert done.status == 1
    assert "three.duckdb' cannot be released without the definition" in done.stderr
    assert "--puzzles" in done.stderr
    (mine / "three.tws").write_text(MINE.replace("1 3 2", "3 2 1"), "utf-8")
    done = command(built, "--puzzles", str(mine), "release", str(to))
    assert (done.status, "of another definition" in done.stderr) == (1, True), done.stderr
    assert not to.exists()


@pytest.mark.slow(2)
def test_of_a_folder_that_holds_all_only_the_definition_is_copied(
    built: Path, tmp_path: Path
) -> None:
    to = tmp_path / "to"
    (built / "three.tws").write_text(MINE, "utf-8")
    (built / "three.journal").write_bytes(b"of a build")
    ran(built, "--puzzles", str(built), "release", str(to))
    assert {path.name for path in to.iterdir()} == {"manifest.json", "three.duckdb", "three.tws"}
    asked = command(to, "--puzzles", str(to), "histogram", "three", "--json")
    assert json.loads(asked.stdout)["layers"] == [1, 2, 2, 1]
