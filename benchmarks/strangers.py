"""What a stranger's file costs before it answers: its symmetries, its numbering, and lists of many levels.

Each run is a process of its own, started in an empty folder, or a request to a service that has just begun. Switches
are six lamps with a move each, whose 720 symmetries were once sought among all pairs; stars are the swaps of seven
pieces with the first one. In the third definition fourteen moves of fourteen swaps look alike in pairs, and a last one
meets each of them in other places, so that no partial choice of a symmetry fails early.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from benchmarks.figures import Figure, Measured, timed
from benchmarks.process import run
from tests.serving import serving

_RUNS = 5
_PATIENCE = 60  # seconds
_LEVELS = 10_000
_LEVEL = "####\n#@$.#\n#####\n"
_ALIKE, _SWAPS = 14, 14


def measure(_data: Path) -> Measured:
    """Measure all of it."""
    with TemporaryDirectory() as folder:
        definitions, levels = Path(folder, "definitions"), Path(folder, "levels")
        for name, text in {"switches": _switches(6), "stars": _stars(7), "alike": _alike()}.items():
            definitions.mkdir(exist_ok=True)
            (definitions / f"{name}.tws").write_text(f"Name {name}\n{text}", "utf-8")
        levels.mkdir()
        text = "\n".join(f"{_LEVEL}Title: Level {number}\n" for number in range(_LEVELS))
        (levels / "many.xsb").write_text(text, "utf-8")
        asked: list[str | Path] = ["--data", folder, "--puzzles", definitions]
        return {
            "Definitions": [
                Figure("puzzlebase check switches.tws", "s", _command([*asked, "check", definitions / "switches.tws"])),
                Figure("puzzlebase check stars.tws", "s", _command([*asked, "check", definitions / "stars.tws"])),
                Figure("puzzlebase lookup stars STATE", "s", _command([*asked, "lookup", "stars", "BCDEFGA"]), "≤ 1.5"),
                Figure("puzzlebase list, with all three", "s", _command([*asked, "list"]), "≤ 2"),
            ],
            f"{_LEVELS:,} levels in a file": [
                Figure("puzzlebase list", "s", _command(["--data", folder, "--puzzles", levels, "list"]), "≤ 2"),
                *(
                    Figure(address, "s", _asked(Path(folder), levels, address), "≤ 2")
                    for address in ("/", "/v1/puzzles")
                ),
            ],
        }


def _command(words: list[str | Path]) -> list[float]:
    _, *seconds = [timed(partial(run, words))[1] for _ in range(1 + _RUNS)]
    return seconds


def _asked(folder: Path, levels: Path, address: str) -> list[float]:
    """Seconds of the first requests to services that have just begun."""
    seconds = []
    for _ in range(_RUNS):
        with serving(folder, "--workers", "1", "--puzzles", str(levels)) as service:
            seconds.append(timed(partial(_read, service.address + address))[1])
    return seconds


def _read(address: str) -> bytes:
    with urlopen(address, timeout=_PATIENCE) as answer:  # noqa: S310 (our own service)
        content: bytes = answer.read()
    return content


def _switches(count: int) -> str:
    places = range(1, count + 1)
    moves = (_move("D", [*places], [int(place == number) for place in places], number) for number in places)
    return f"Set D {count} 2\nSolved\nEnd\n{''.join(moves)}"


def _stars(count: int) -> str:
    moves = (_swaps(count, [(1, place)], place) for place in range(2, count + 1))
    return f"Set P {count} 1\nSolved\nEnd\n{''.join(moves)}"


def _alike() -> str:
    first = 2 * _SWAPS * _ALIKE
    moves = [
        [(at, at + 1) for at in range(2 * _SWAPS * number + 1, 2 * _SWAPS * (number + 1), 2)]
        for number in range(_ALIKE)
    ]
    met = [moves[number][which][0] for number in range(_ALIKE) for which in range(number)]
    count = first + len(met)
    last = [*zip(met, range(first + 1, count + 1), strict=True)]
    turns = (_swaps(count, swaps, number) for number, swaps in enumerate([*moves, last]))
    return f"Set P {count} 1\nSolved\n{_lines('P', [*range(1, count + 1)])}End\n{''.join(turns)}"


def _swaps(count: int, swaps: list[tuple[int, int]], number: int) -> str:
    pieces = [*range(1, count + 1)]
    for one, other in swaps:
        pieces[one - 1], pieces[other - 1] = other, one
    return _move("P", pieces, [], number)


def _move(name: str, pieces: list[int], turns: list[int], number: int) -> str:
    return f"Move m{number}\n{_lines(name, pieces, turns)}End\n"


def _lines(name: str, *rows: list[int]) -> str:
    return "\n".join([name, *(" ".join(map(str, row)) for row in rows if row), ""])
