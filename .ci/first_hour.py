"""The first hour with an installed program,
in the present folder, which is empty and holds no source.

Run by the Python that puzzlebase is installed for: build a table, verify it, ask it in every way,
add a puzzle of one's own, publish, and serve where the program serves. `tests/test_installed.py`
runs it on Linux, and the workflow on all systems.
"""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
import zlib
from pathlib import Path

PROGRAM = [sys.executable, "-m", "puzzlebase"]
PATIENCE = 600
PORT = sys.argv[1] if len(sys.argv) > 1 else "8080"
STATE = "RBBBBBBBBBBBBRRRRRRRR"  # of the Novice, at distance 5
OWN = """\
Name Ring
Set PIECES 3 1
Solved
PIECES
1 2 3
End
Move R
PIECES
2 3 1
End
"""


def run(*words: str, status: int = 0) -> str:
    """All that the program prints; it has to end with this status."""
    done = subprocess.run(
        [*PROGRAM, *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=PATIENCE,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def get(address: str) -> str:
    """The answer of an address."""
    with urllib.request.urlopen(address, timeout=PATIENCE) as response:
        return str(response.read().decode())


def ask() -> None:
    """Build, verify and ask, on the command line and in Python."""
    assert "97,020 states, God's number 13" in run("--data", "data", "build", "novice")
    assert "is sound" in run("verify", "novice")
    assert "distance 5 (table)" in run("lookup", "novice", STATE)
    assert len(json.loads(run("solve", "novice", STATE, "--json"))["solution"]) == 5
    assert "97020" in run("sql", "SELECT count(*) FROM states('novice')")

    import puzzlebase  # noqa: PLC0415 -- what is installed, and not a folder of that name

    assert Path(puzzlebase.__file__).with_name("py.typed").is_file()
    assert puzzlebase.__version__ in run("--version")
    assert puzzlebase.open("novice").distance(STATE) == 5
    assert puzzlebase.sql("SELECT max(distance) FROM states('novice')").fetchall() == [(13,)]


def add() -> None:
    """Add a puzzle of one's own: here, and beside the tables."""
    for folder in (Path("data", "puzzles.d"), Path("puzzles.d")):
        folder.mkdir()
        (folder / f"ring-{folder.parts[0][0]}.tws").write_text(OWN, encoding="utf-8")
        name = f"ring-{folder.parts[0][0]}"
        assert "3 states" in run("build", name)
        assert name in run("list")
    assert "there is no puzzle 'ring-d'" in run("info", "ring-d", status=2), (
        "the present folder comes first"
    )


def publish() -> None:
    """Write a folder for a host of files, whose checksums any other end of a line would break."""
    run("publish", "novice", "site")
    checksum, content, _ = Path("site", "novice", "header.json").read_bytes().split(b"\n")
    assert int(checksum.split()[0], 16) == zlib.crc32(content)


def serve() -> None:
    """Serve a page and answers."""
    with subprocess.Popen(
        [*PROGRAM, "serve", "--port", PORT, "--no-log"], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout
            base = server.stdout.readline().split()[3]
            assert json.loads(get(f"{base}v1/puzzles/novice/lookup?state={STATE}"))["distance"] == 5
            for page in ("", "play/novice", "docs", "puzzlebase.js"):
                assert get(base + page)
        finally:
            server.terminate()
    assert server.returncode == 0, "it was asked to stop"


if __name__ == "__main__":
    ask()
    add()
    publish()
    serve()
    print("all of it worked")  # noqa: T201
