"""tools/parts: a table in parts reads as the whole one does, from folders and servers, dead, slow and hostile ones."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from math import inf
from pathlib import Path

import numpy as np
import pytest

from puzzlebase import plugins
from puzzlebase.builder import BuildError
from puzzlebase.builder.publishing import held
from puzzlebase.db.blocks import BLOCK_SIZE
from puzzlebase.db.crash_trial import wrote
from puzzlebase.db.errors import DamagedTable, UnavailablePart
from puzzlebase.db.paths import PARTS as VARIABLE
from puzzlebase.db.paths import table_path
from puzzlebase.db.table import Table
from puzzlebase.db.table_file import TableFile
from puzzlebase.tools.parts import parts
from puzzlebase.tools.parts.parts import part_name
from puzzlebase.tools.parts.splitting import split_table
from tests.commands import command
from tests.conftest import quiet
from tests.db.test_table import some_distances, write
from tests.part_server import PartHandler, PartServer, part_server
from tests.waiting import PATIENCE, wait_until

BLOCKS = 6
ALL = 1 << 30


@pytest.fixture(scope="module")
def values() -> list[int]:
    """Six blocks, the last one of three states."""
    return some_distances(27)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, values: list[int]) -> Path:
    return write(tmp_path_factory.mktemp("whole") / "p.duckdb", values)


@pytest.fixture(scope="module")
def in_two(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return split_table(whole, tmp_path_factory.mktemp("in two"), 2, quiet())[-1]


@pytest.fixture
def front(in_two: Path, tmp_path: Path) -> Path:
    """The table of two parts, which lie beside it; a copy, and known to be sound."""
    front = shutil.copytree(in_two.parent, tmp_path / "front") / in_two.name
    wrote(front)
    return front


@pytest.fixture
def servers(front: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[PartServer]]:
    """Servers of part 0 and of part 1, each of which has no other."""
    moved(front, tmp_path)
    with part_server(tmp_path / "0") as first, part_server(tmp_path / "1") as second:
        monkeypatch.setenv(VARIABLE, f"{first.address}/, {second.address}/some/folder")
        yield [first, second]


def moved(front: Path, to: Path) -> None:
    for part, path in enumerate(sorted(front.parent.glob("*.blocks"))):
        (to / str(part)).mkdir()
        path.rename(to / str(part) / path.name)


def part_of(folder: Path) -> Path:
    (path,) = folder.glob("*.blocks")
    return path


def at(block: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([block * BLOCK_SIZE + 1])


def assert_all_right(front: Path, values: list[int], memory: int = ALL) -> None:
    with Table(front, memory) as table:
        assert not table.resident
        shuffled = np.random.default_rng(4).permutation(len(values))[:5000]
        assert table.probe(np.append(shuffled, -1)).tolist() == [*(values[i] for i in shuffled.tolist()), -1]
        assert table.range(BLOCK_SIZE - 5, 3 * BLOCK_SIZE + 2).tolist() == values[BLOCK_SIZE - 5 : 3 * BLOCK_SIZE + 2]
        assert table.probe(np.arange(len(values))).tolist() == values


@pytest.mark.parametrize("count", [1, 2, 5, BLOCKS])
@pytest.mark.parametrize("memory", [ALL, 0])
def test_a_table_in_parts_reads_as_the_whole_one(
    whole: Path, tmp_path: Path, values: list[int], count: int, memory: int
) -> None:
    *files, front = split_table(whole, tmp_path / "front", count, quiet())
    assert_all_right(front, values, memory)
    with TableFile(whole) as before, TableFile(front) as after:
        assert isinstance(after.outside, parts.BlocksInParts)
        assert (after.outside.count, before.outside) == (count, None)
        assert (after.digest, after.info, after.histograms()) == (before.digest, before.info, before.histograms())
        assert (after.antipodes(), after.certificates()) == (before.antipodes(), before.certificates())
        data = [block.data for block in before.blocks()]
        assert [block.data for block in after.blocks()] == data
    assert b"".join(path.read_bytes() for path in files) == b"".join(data)
    assert all(after.digest[:16] in path.name for path in files)
    assert sorted(path.name for path in front.parent.iterdir()) == sorted(path.name for path in [*files, front])


def test_without_the_tool_a_table_in_parts_says_what_is_missing(front: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "find", lambda *_: None)
    with Table(front) as table:
        assert table.info.puzzle == "p"
        with pytest.raises(UnavailablePart, match="the blocks of the table 'p' are not in its file") as raised:
            table.probe(at(0))
    assert "install the tool that reads blocks of the kind 'part'" in raised.value.hint


def test_a_table_in_parts_is_split_anew(front: Path, tmp_path: Path, values: list[int]) -> None:
    assert_all_right(split_table(front, tmp_path / "again", 3, quiet())[-1], values)


def test_parts_on_servers(servers: list[PartServer], front: Path, values: list[int]) -> None:
    assert_all_right(front, values)
    assert_all_right(front, values, memory=0)
    assert all(server.asked for server in servers)


def test_fewer_places_than_parts(
    whole: Path, tmp_path: Path, values: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    *files, front = split_table(whole, tmp_path / "front", 5, quiet())
    for part, path in enumerate(files):
        (tmp_path / str(part % 2)).mkdir(exist_ok=True)
        path.rename(tmp_path / str(part % 2) / path.name)
    with part_server(tmp_path / "1") as second:
        monkeypatch.setenv(VARIABLE, f"{tmp_path / '0'},{second.address}")
        assert_all_right(front, values)


@pytest.mark.parametrize(
    ("folder", "asked"),
    [("my tables", "/my%20tables/"), ("my%20tables", "/my%20tables/"), ("caf\u00e9/50%25", "/caf%C3%A9/50%25/")],
)
def test_an_address_is_encoded_once(
    front: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, asked: str
) -> None:
    paths = []

    class Remembering(PartHandler):
        def respond(self) -> None:
            paths.append(self.path)
            super().respond()

    moved(front, tmp_path)
    with part_server(tmp_path / "0", handler=Remembering) as server, Table(front, 0) as table:
        monkeypatch.setenv(VARIABLE, f"{server.address}/{folder}")
        table.probe(at(0))
        assert paths == [f"{asked}{part_name('p', table.file.digest, 0)}"]


def test_connections_are_used_again_and_neighbours_come_together(
    servers: list[PartServer], front: Path, values: list[int]
) -> None:
    with Table(front) as table:
        assert table.probe(np.arange(len(values))).tolist() == values
        assert [len(server.asked) for server in servers] == [1, 1]
        for server in servers:
            server.asked.clear()
    with Table(front, 0) as table:
        for block in [0, 2, 1, 0, 2] * 4:
            assert table.probe(at(block)).tolist() == [values[int(at(block)[0])]]
    assert len(servers[0].asked) == 20
    assert servers[0].connections <= 1 + parts._AT_ONCE  # one of the first table


@pytest.mark.slow
def test_a_server_that_closes_its_connections(front: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Closing(PartHandler):
        timeout = 0.1

    moved(front, tmp_path)
    with part_server(tmp_path / "0", handler=Closing) as server, Table(front, 0) as table:
        monkeypatch.setenv(VARIABLE, server.address)
        for _ in range(3):
            table.probe(at(0))
            table.probe(at(1))
            time.sleep(0.3)
        assert server.connections >= 3


def test_many_threads(servers: list[PartServer], front: Path, values: list[int]) -> None:
    expected = np.array(values)

    def read(seed: int) -> bool:
        indices = np.random.default_rng(seed).integers(len(values), size=50)
        return bool((table.probe(indices) == expected[indices]).all())

    with Table(front, 3 * BLOCK_SIZE * 2) as table, ThreadPoolExecutor(8) as pool:  # three of six blocks
        assert all(pool.map(read, range(200)))
    assert servers[1].asked


def test_damage_concerns_its_block_and_is_over_when_it_is_mended(
    servers: list[PartServer], front: Path, values: list[int]
) -> None:
    path = part_of(servers[1].folder)
    sound = path.read_bytes()
    with TableFile(front) as file:
        sizes = [len(block.data) for block in file.blocks()]
    spoiled = bytearray(sound)
    spoiled[sizes[3] + sizes[4] // 2] ^= 1
    path.write_bytes(spoiled)
    with Table(front) as table:
        with pytest.raises(DamagedTable, match=r"the block at 262144 .*some/folder/p-.*1.blocks") as raised:
            table.probe(at(4))
        assert "copy that part there anew" in raised.value.hint
        assert table.noticed == (str(raised.value), raised.value.hint)
        assert [int(table.probe(at(block))[0]) for block in (0, 1, 2, 3)] == [
            values[block * BLOCK_SIZE + 1] for block in (0, 1, 2, 3)
        ]
        path.write_bytes(sound)
        assert table.probe(at(4)).tolist() == [values[4 * BLOCK_SIZE + 1]]


def test_a_part_of_another_table(servers: list[PartServer], front: Path, tmp_path: Path, values: list[int]) -> None:
    other = write(tmp_path / "p.duckdb", values[::-1])
    with TableFile(other) as file, TableFile(front) as mine:
        assert file.digest != mine.digest
    _, part, _ = split_table(other, tmp_path / "other", 2, quiet())
    shutil.copy(part, part_of(servers[1].folder))
    with Table(front) as table:
        for block in (3, 4, 5):
            with pytest.raises((DamagedTable, UnavailablePart)):
                table.probe(at(block))
        assert table.probe(at(0)).tolist() == [values[1]]


def test_tables_of_one_name_side_by_side(
    servers: list[PartServer], front: Path, tmp_path: Path, values: list[int]
) -> None:
    """Two lie so while one is replaced: whoever has the former one open goes on with its parts."""
    others = [value + 1 if value >= 0 else value for value in values]
    *files, other = split_table(write(tmp_path / "p.duckdb", others), tmp_path / "other", 2, quiet())
    for server, path in zip(servers, files, strict=True):
        shutil.copy(path, server.folder)
    with Table(front) as former:
        former.probe(at(0))
        other.replace(front)
        assert_all_right(front, others)
        assert former.probe(np.arange(len(values))).tolist() == values


def test_a_part_that_is_gone_and_its_return(servers: list[PartServer], front: Path, values: list[int]) -> None:
    folder = servers[1].folder
    with Table(front, 0) as table:
        assert table.probe(at(4)).tolist() == [values[4 * BLOCK_SIZE + 1]]
        part_of(folder).rename(folder / "gone")
        with pytest.raises(UnavailablePart, match=r"part 1 of the table 'p' .*: status 404, there is no such file"):
            table.probe(at(3))
        (folder / "gone").rename(folder / part_name("p", table.file.digest, 1))
        assert table.probe(at(3)).tolist() == [values[3 * BLOCK_SIZE + 1]]
        assert table.noticed is None


def test_nobody_answers(front: Path, tmp_path: Path, values: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    moved(front, tmp_path)
    with part_server(tmp_path / "1") as server:
        address = server.address
    monkeypatch.setenv(VARIABLE, f"{tmp_path / '0'},{address}")
    with Table(front, 0) as table:
        with pytest.raises(UnavailablePart, match=rf"part 1 .* '{address}/p-.*: Connection refused") as raised:
            table.probe(np.append(at(0), at(4)))
        assert "have that file served there" in raised.value.hint
        assert table.file.outside
        with pytest.raises(UnavailablePart):
            table.file.outside.check(inf)
        assert table.probe(at(0)).tolist() == [values[1]]
        with part_server(tmp_path / "1", int(address.rpartition(":")[2])):
            assert table.probe(at(4)).tolist() == [values[4 * BLOCK_SIZE + 1]]
            table.file.outside.check(inf)


def of_range(handler: PartHandler) -> tuple[int, int]:
    first, last = map(int, handler.headers["Range"].removeprefix("bytes=").split("-"))
    return first, last + 1 - first


def answer_range(handler: PartHandler, content: bytes, **headers: str) -> None:
    first, size = of_range(handler)
    handler.answer(206, content, **{"Content-Range": f"bytes {first}-{first + size - 1}/999999"} | headers)


def raw(handler: PartHandler, content: bytes) -> None:
    handler.close_connection = True
    handler.wfile.write(content)


def short(handler: PartHandler) -> bytes:
    first, size = of_range(handler)
    stated = f"Content-Range: bytes {first}-{first + size - 1}/999999\r\nContent-Length: {size}"
    return f"HTTP/1.1 206 x\r\n{stated}\r\n\r\nxyz".encode()


HOSTILE: dict[str, tuple[Callable[[PartHandler], None], str]] = {
    "whole files": (lambda h: h.answer(200, bytes(1 << 20)), "sends whole files, not ranges"),
    "elsewhere": (lambda h: h.answer(302, b"", Location="http://127.0.0.1:9/"), "status 302, where 206 was expected"),
    "an error": (lambda h: h.answer(500, b"no"), "status 500"),
    "an end": (lambda h: h.answer(416, b""), "status 416, the file there is cut short"),
    "another range": (lambda h: answer_range(h, bytes(of_range(h)[1]), **{"Content-Range": "bytes 9-9/9"}), "other"),
    "no range": (lambda h: h.answer(206, bytes(of_range(h)[1])), "other bytes"),
    "too much": (lambda h: answer_range(h, bytes(of_range(h)[1] + 1)), "other bytes"),
    "no length": (lambda h: raw(h, b"HTTP/1.1 206 x\r\n\r\n" + bytes(99)), "other bytes"),
    "too little": (lambda h: raw(h, short(h)), "the connection broke off"),
    "no HTTP": (lambda h: raw(h, b"SSH-2.0-x\r\n"), "SSH-2.0-x"),
    "a terminal": (lambda h: raw(h, b"\x1b[2J\r\n"), r"\?\[2J"),
    "a long header": (lambda h: raw(h, b"HTTP/1.1 206 x\r\n" + b"x: y\r\n" * 500), "got more than 100 headers"),
    "a long line": (lambda h: raw(h, b"HTTP/1.1 206 x\r\nx: " + bytes(1 << 20)), "header line"),
    "nothing": (lambda h: raw(h, b""), "closed connection without response"),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_answers(
    front: Path, tmp_path: Path, values: list[int], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    answer, reason = HOSTILE[what]

    class Hostile(PartHandler):
        def respond(self) -> None:
            answer(self)

    moved(front, tmp_path)
    with part_server(tmp_path / "1", handler=Hostile) as server, Table(front, 0) as table:
        monkeypatch.setenv(VARIABLE, f"{tmp_path / '0'},{server.address}")
        with pytest.raises(UnavailablePart, match=rf"part 1 .*: .*{reason}"):
            table.probe(at(4))
        assert table.probe(at(0)).tolist() == [values[1]]


def test_bytes_that_are_none_of_the_table(front: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(PartHandler):
        def respond(self) -> None:
            answer_range(self, bytes(of_range(self)[1]))

    moved(front, tmp_path)
    with part_server(tmp_path / "0", handler=Wrong) as server, Table(front, 0) as table:
        monkeypatch.setenv(VARIABLE, server.address)
        with pytest.raises(DamagedTable, match="is not the part that belongs to the table"):
            table.probe(at(0))


@pytest.mark.parametrize("dripping", [False, True])
def test_a_slow_part_is_given_up_and_delays_no_other(
    front: Path, tmp_path: Path, values: list[int], monkeypatch: pytest.MonkeyPatch, dripping: bool
) -> None:
    monkeypatch.setattr(parts, "_PATIENCE", 3.0)
    ended: list[float] = []

    class Slow(PartHandler):
        def respond(self) -> None:
            with suppress(OSError):
                while time.monotonic() < until:
                    if dripping:
                        self.connection.sendall(b"H")
                    elif not self.connection.recv(1):
                        break
                    time.sleep(0.05)
            ended.append(time.monotonic())
            self.close_connection = True

    moved(front, tmp_path)
    until = time.monotonic() + PATIENCE
    with part_server(tmp_path / "1", handler=Slow) as server, Table(front, 0) as table:
        monkeypatch.setenv(VARIABLE, f"{tmp_path / '0'},{server.address}")
        table.probe(at(0))
        with ThreadPoolExecutor(1) as pool:
            waits = pool.submit(table.probe, np.append(at(0), at(4)))
            for _ in range(5):
                assert table.probe(at(1)).tolist() == [values[BLOCK_SIZE + 1]]
            assert not waits.done()
            with pytest.raises(UnavailablePart, match=r"part 1 .*: it gave no answer within 3 s"):
                waits.result(PATIENCE)
        with pytest.raises(UnavailablePart, match="just now"):
            table.probe(at(4))
        assert wait_until(lambda: ended, "the server is left")[0] < until


def test_what_cannot_be_split(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="has 6 blocks\nsplit it into no more parts"):
        split_table(whole, tmp_path / "front", BLOCKS + 1, quiet())
    with pytest.raises(BuildError, match="folder of the table itself"):
        split_table(whole, whole.parent, 2, quiet())
    (tmp_path / "busy").mkdir()
    with held(tmp_path / "busy" / "p.duckdb"), pytest.raises(BuildError, match="another build of 'p' is running"):
        split_table(whole, tmp_path / "busy", 2, quiet())
    spoiled = tmp_path / "p.duckdb"
    with TableFile(whole) as file:
        data = [*file.blocks()][2].data
    content = bytearray(whole.read_bytes())
    content[content.index(data[:100]) + 50] ^= 1
    spoiled.write_bytes(content)
    with pytest.raises(DamagedTable):
        split_table(spoiled, tmp_path / "parts", 2, quiet())
    assert not [*(tmp_path / "parts").glob("*.duckdb"), *(tmp_path / "parts").glob("*.building")]


@pytest.mark.slow
def test_the_verb(data: Path, tmp_path: Path) -> None:
    to = tmp_path / "parts"
    done = command(data, "split", "challenger", str(to), "--into", "3")
    assert done.status == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == sorted(
        (path.name for path in to.iterdir()), key=lambda name: (name.endswith("duckdb"), name)
    )
    with TableFile(table_path(to, "challenger")) as file:
        state = "lookup", "challenger", file.antipodes(0, 1)[0][1]
    split = command(to, *state)
    assert (split.stdout, split.status) == (command(data, *state).stdout, 0), split.stderr
    assert command(to, "verify", "challenger").status == 0
    assert "from 3 parts" in command(to, "info", "challenger").stdout
    refused = command(to, "release", str(tmp_path / "release"))
    assert (refused.status, "is a table in parts" in refused.stderr) == (1, True)
    dead = command(to, "--parts", "http://127.0.0.1:9", *state)
    assert (dead.status, "cannot be read from 'http://127.0.0.1:9/challenger-" in dead.stderr) == (1, True)
    assert command(data, "split", "panex-3", str(to), "--into", "2").status == 2


@pytest.mark.parametrize(
    "place", ["ftp://x/y", "http://", "http://a:b@c/d", "http://a/b?c=d", "https://a/#b", "http://a:x", "http://[::1"]
)
def test_places_that_are_none(data: Path, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = command(data, "--parts", f"/srv,{place}", "histogram", "novice")
    assert (refused.status, "the place of part 1 is no plain address" in refused.stderr) == (2, True)
    monkeypatch.setenv(VARIABLE, place)
    refused = command(data, "histogram", "novice")
    assert (refused.status, "the place of part 0 is no plain address" in refused.stderr) == (2, True)
    assert place not in refused.stderr
