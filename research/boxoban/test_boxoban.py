"""research/boxoban: the figures of small levels beside plain Python."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from research.boxoban.__main__ import METRICS, main
from tests.naive import levels as naive

HERE = Path(__file__).parent
LEVELS = (
    "#######\n#. @ .#\n# $$  #\n#     #\n#######\n",
    "######\n#.$@ #\n#   ##\n# $ .#\n######\n",
    "#####\n#@* #\n#####\n",
)


def plain_figures(board: str, counts: str) -> list[int]:
    """Par, states, lost states and best first moves by plain Python."""
    game = naive.sokoban(board, pushes=counts == "pushes")
    after, distances = naive.distances(game)
    par = distances[game.start]
    best = [state for state in game.after(game.start) if distances.get(state) == par - 1]
    return [par, len(after), len(after) - len(distances), len(best)]


def test_figures_are_those_of_a_plain_search(tmp_path: Path) -> None:
    """Also if the program was ended: it goes on after the last whole line."""
    levels = [f"; {number}\n{board}\n" for number, board in enumerate(LEVELS)]
    (tmp_path / "000.txt").write_text("".join(levels), "utf-8")
    results = tmp_path / "results.csv"
    main(tmp_path, results)
    whole = results.read_text("utf-8")
    figures = [
        [int(row[name]) for name in ("par", "states", "lost", "best_first_moves")]
        for row in csv.DictReader(whole.splitlines())
    ]
    assert figures == [plain_figures(board, counts) for counts in METRICS for board in LEVELS]
    changed = whole.replace(",5,96,", ",4,96,")
    results.write_text(changed[:-9], "utf-8")
    main(tmp_path, results)
    assert results.read_text("utf-8") == changed != whole


def test_the_page_shows_the_distribution(capsys: pytest.CaptureFixture[str]) -> None:
    main(HERE, HERE / "hard.csv")  # no levels lie here
    assert capsys.readouterr().out in (HERE / "README.md").read_text("utf-8")
