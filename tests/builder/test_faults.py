"""Real faults of machines during builds: kills, full disks, memory that runs out, signals."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from puzzlebase.builder import BuildError, TableJob
from puzzlebase.builder.errors import CONTINUES
from puzzlebase.db.errors import UnwritableTable
from puzzlebase.db.table_file import TableFile, TableWriter
from puzzlebase.paths import table_path
from puzzlebase.puzzles import find
from puzzlebase.version import VERSION
from tests.fixtures import quiet_job
from tests.matrix import one_in, only
from tests.proofs.faults import CALLS, PHASES, recover, strike
from tests.small_disk import needs_mounts, on_small_disk
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]


def digest_of(data: Path, name: str) -> str:
    with TableFile(table_path(data, name)) as file:
        return file.digest


LAYER = "  layer   5"
"""A line of a build that has found and written this layer."""


@pytest.mark.slow
@pytest.mark.parametrize("moment", only({LAYER, PHASES[2]}.__contains__, [*PHASES, LAYER, *CALLS]))
def test_a_killed_build_leaves_the_former_table_and_goes_on(
    data: Path, tmp_path: Path, moment: str
) -> None:
    digest = digest_of(data, "challenger")
    path = table_path(tmp_path, "challenger")
    former = table_path(data, "challenger").read_bytes() if moment in PHASES[::2] else None
    if former is not None:
        path.write_bytes(former)
    strike("challenger", tmp_path, moment)
    if moment == CALLS[1]:
        assert digest_of(tmp_path, "challenger") == digest
    else:
        assert (path.read_bytes() if path.exists() else None) == former
    printed = recover("challenger", tmp_path, digest)
    if moment == LAYER:
        assert "continuing after layer 5 of an earlier run" in printed
    elif moment not in PHASES[:2]:
        assert "all layers are there from an earlier run" in printed


STOPPED = """
import signal, sys
from puzzlebase.builder import Reporter
from puzzlebase.command_line.main import main

number, line = signal.Signals(int(sys.argv.pop(1))), sys.argv.pop(1)
print_line = Reporter.say

def say(reporter, text):
    print_line(reporter, text)
    if text.startswith(line):
        signal.raise_signal(number)

Reporter.say = say
main()
"""
"""The command line, which is sent a signal when a build says a line."""


@pytest.mark.slow
@pytest.mark.usefixtures("heeds_ctrl_c")
@pytest.mark.parametrize("number", one_in(2, [signal.SIGTERM, signal.SIGINT]))
def test_a_signal_stops_a_build_with_a_word_on_how_to_go_on(
    data: Path, tmp_path: Path, number: signal.Signals
) -> None:
    stopped = [sys.executable, "-c", STOPPED, str(int(number)), LAYER]
    command = [*stopped, "--data", str(tmp_path), "build", "challenger"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=PATIENCE
    )
    assert done.returncode == 128 + number, done.stderr
    assert (
        "the build of challenger was stopped; run the same command again: it continues"
        in done.stderr
    )
    assert "Traceback" not in done.stderr
    assert {file.name for file in tmp_path.iterdir()} == {"cache", "challenger.journal"}
    printed = recover("challenger", tmp_path, digest_of(data, "challenger"), VERSION)
    assert "continuing after layer 5 of an earlier run" in printed


FULL = """
import os, resource, sys
from pathlib import Path
from puzzlebase.builder import BuildError, TableJob
from puzzlebase.db.errors import TableError
from puzzlebase.paths import table_path
from puzzlebase.puzzles import find
from tests.proofs.faults import Printed

challenger, folder = find("challenger"), Path(sys.argv[1])
spare, quota = int(sys.argv[2]), sys.argv[3] == "quota"
path = TableJob(challenger, challenger.goal(), folder, "test", 2, Printed()).build()
former = path.read_bytes()
filler = folder / "filler"
if quota:
    resource.setrlimit(resource.RLIMIT_FSIZE, (spare, resource.RLIM_INFINITY))
else:
    disk = os.statvfs(folder)
    filler.write_bytes(bytes(disk.f_bavail * disk.f_frsize - spare))
for force in (True,) if quota else (False, True):
    try:
        TableJob(challenger, challenger.goal(), folder, "test", 2, Printed(), force=force).build()
    except (BuildError, TableError) as error:
        print(error, error.hint, sep="\\n")
    assert path.read_bytes() == former
filler.unlink(missing_ok=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
TableJob(challenger, challenger.goal(), folder, "test", 2, Printed()).build()
assert [file.name for file in folder.iterdir()] == [path.name]
"""


@pytest.mark.slow
@pytest.mark.parametrize("spare", one_in(2, [20_000, 300_000]))
@pytest.mark.parametrize(
    "kind", [pytest.param("small disk", marks=[needs_mounts, pytest.mark.matrix]), "quota"]
)
def test_a_disk_that_fills_leaves_the_former_table(tmp_path: Path, spare: int, kind: str) -> None:
    """Only `spare` bytes are left: of a file system of 3 MB, or by a quota on each file."""
    script: list[str | Path] = [sys.executable, "-c", FULL, str(tmp_path), str(spare), kind]
    if kind == "small disk":
        script = [*on_small_disk(tmp_path, 3), *script]
    done = subprocess.run(
        script, capture_output=True, text=True, check=False, cwd=ROOT, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    printed = done.stdout.splitlines()
    if kind == "small disk":
        assert re.fullmatch(
            r"challenger needs about 1\.\d+ MB of disk, [\d.]+ kB are free", printed[0]
        )
        assert printed[1].startswith("free some disk, or ")
    assert re.search("cannot be written: .*(No space left on device|File too large)", printed[-2])
    assert "make room on the disk" in printed[-1]


@pytest.mark.parametrize(
    ("below", "says"), [("file", "File exists"), ("file/data", "Not a directory")]
)
def test_a_folder_that_is_none_is_an_error_of_the_folder(
    tmp_path: Path, below: str, says: str
) -> None:
    (tmp_path / "file").write_text("no folder")
    novice = find("novice")
    with pytest.raises(
        BuildError, match=rf"'{tmp_path / below}' cannot be written: {says}"
    ) as caught:
        quiet_job(TableJob, novice, tmp_path / below).build()
    assert caught.value.hint == f"name a folder that is there or can be made, then {CONTINUES}"


def test_a_table_that_cannot_be_written_names_the_folder(tmp_path: Path) -> None:
    with pytest.raises(UnwritableTable, match="No such file or directory") as caught:
        TableWriter(tmp_path / "nowhere" / "table.duckdb")
    assert (
        caught.value.hint
        == "name a folder that is there or can be made, then run the same command again"
    )
