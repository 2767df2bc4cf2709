"""puzzlebase play: the words of a game, the board,
the starts of games, and a game from its beginning to its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from puzzlebase.db.errors import MissingTable
from puzzlebase.plugins.play.drawing import draw
from puzzlebase.plugins.play.game import TerminalGame, start_of_game
from puzzlebase.puzzles import IllegalMove, Puzzle, all_families, find
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.sources import Sources
from tests.commands import Terminal, command
from tests.one_way import SMALL, jumps_from, reference, triangle
from tests.puzzles.reading import layout_of
from tests.terminals import on_a_terminal

pytestmark = pytest.mark.needs("panex")

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"
NAMES = sorted(
    {name for family in all_families() for name in (*family.members[:1], family.listed[-1])}
)


def searching(puzzle: Puzzle) -> Callable[[], Source]:
    searchable = Searchable.of(puzzle, puzzle.goal(), None)
    return lambda: OpenSearch(searchable, Budget())


def game(puzzle: Puzzle, state: str) -> TerminalGame:
    return TerminalGame(puzzle, puzzle.goal(), state, searching(puzzle))


def test_words_make_moves_and_take_them_back() -> None:
    playing = game(find("panex-2"), "ab||AB")
    assert [line for word in ("moves", "lc", "LC", "undo") for line in playing.say(word)] == [
        "LC  LR  RL  RC",
        "LC is taken back",
    ]
    assert (playing.moves, playing.states) == (["LC"], ["ab||AB", "b|a|AB"])
    with pytest.raises(IllegalMove):
        [*playing.say("X")]


def test_hints_grow_with_each_question() -> None:
    playing = game(find("novice"), NOVICE)
    told = [[*playing.say("hint")][-1] for _ in range(4)]
    assert told[:3] == [
        "distance 5 (search)",
        "a best move moves the right wheel",
        "a best move is R",
    ]
    assert told[3].startswith("a shortest solution is R ")
    assert playing.best == "R"
    assert [*playing.say("r"), *playing.say("?")] == ["distance 4 (search)"]
    assert playing.best is None


@pytest.mark.parametrize(
    ("name", "state", "move", "arrow"),
    [("novice", NOVICE, "R", "↘"), ("novice", NOVICE, "R'", "↙"), ("panex-2", "ab||AB", "RL", "←")],
)
def test_the_move_of_a_hint_is_an_arrow_on_the_board(
    name: str, state: str, move: str, arrow: str
) -> None:
    """Over the middle of a wheel, or where the piece goes."""
    puzzle = find(name)
    drawn = draw(layout_of(puzzle, state), 60, 16, puzzle.board.drawing.effect(state, move))
    assert [letter for letter in drawn.plain if letter in "→↗↑↖←↙↓↘"] == [arrow]


def test_without_a_puzzle_play_lists_them_by_the_kind_of_their_moves(tmp_path: Path) -> None:
    lines = command(tmp_path, "play").stdout.splitlines()
    kinds = [line for line in lines if not line.startswith(" ")]
    assert {"Sliding", "Turning"} <= {*kinds}
    [novice] = [line for line in lines[lines.index("Turning") :] if line.startswith("  novice  ")]
    assert novice.endswith("Solved: the left wheel is blue.")
    assert not any("orientations" in line for line in lines), "nobody plays a pattern"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("columns", "rows"), [(40, 8), (200, 60)])
def test_every_puzzle_has_a_board_that_fits(name: str, columns: int, rows: int) -> None:
    """No line is too wide or missing,
    and a board that is large enough has every label of the picture.
    """
    puzzle = find(name)
    layout = layout_of(puzzle, puzzle.notation.examples[-1])
    lines = draw(layout, columns, rows).plain.split("\n")
    assert 0 < len(lines) <= rows
    assert max(len(line) for line in lines) <= columns
    if columns == 200:
        shown = "".join(lines)
        for label in {piece.label for piece in layout.pieces if len(piece.label) == 1}:
            assert shown.count(label) >= sum(piece.label.count(label) for piece in layout.pieces), (
                name,
                label,
            )


def test_games_begin_as_hard_as_asked(tables: Sources, known: dict[str, int]) -> None:
    novice = tables.table("novice")
    for name, (least, most) in {"first": (1, 3), "hardest": (13, 13), "2": (2, 2)}.items():
        state = start_of_game(novice, name, None, "1")
        assert least <= known[state] <= most
        assert state == start_of_game(novice, name, None, "1")
    assert known[start_of_game(novice, None, 5, "1")] == 5
    with pytest.raises(InvalidRequest, match="no difficulty is 'tough'"):
        start_of_game(novice, "tough")


def test_without_a_table_games_begin_after_random_turns_or_where_the_puzzle_begins(
    known: dict[str, int],
) -> None:
    novice = searching(find("novice"))()
    assert 1 <= known[start_of_game(novice, None, None, "1")] <= 3
    with pytest.raises(MissingTable):
        start_of_game(novice, "easy")
    panex = find("panex-2")
    assert start_of_game(searching(panex)(), "start") == panex.goal().start
    assert start_of_game(searching(triangle("small-triangle", SMALL))()) == SMALL


def test_a_game_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    given = "X\nL L' hint hint hint\nR l R'\nL2' R\n"
    played = command(tmp_path, "play", "novice", NOVICE, given=given, stream=Terminal)
    assert played.status == 0
    assert played.stdout.startswith("Loading novice ...\n")
    assert "It is solved when the left wheel is blue." in played.stdout
    assert "there is no move 'X'" in played.stdout
    *_, moves, worth, mistake = played.stdout.splitlines()
    assert moves == f"move> {NOVICE}  L L' R L R' L2' R"
    assert worth == "solved, 7 moves, 2 wasted, ★★"
    assert mistake.startswith("first mistake: step 1, L; better: R")
    ended = command(tmp_path, "play", "novice", NOVICE, given="R\nquit\n", stream=Terminal)
    assert re.search(r"go on with: puzzlebase play novice '[RB]{21}'$", ended.stdout.rstrip())
    refused = command(tmp_path, "play", "novice", stream=BytesIO)
    assert refused.status == 2
    assert "there is no terminal here to play in" in refused.stderr


@pytest.mark.slow(4)
@pytest.mark.parametrize("colours", [True, False])
def test_a_terminal_has_the_board_in_colours_if_it_can(tmp_path: Path, colours: bool) -> None:
    variables = "" if colours else "1"
    with on_a_terminal(
        "--data", str(tmp_path), "play", "novice", NOVICE, NO_COLOR=variables
    ) as terminal:
        terminal.until("move>")
        terminal.until("go on with", keys="\x03")
        assert terminal.end() == 0
        assert ("▀" in terminal.text) == colours


def test_a_lost_game_says_how_far_to_go_back() -> None:
    """The start leads to 128 triangles;
    those with one peg are solved, which only the rules tell.
    """
    playing = game(triangle("small-triangle", SMALL), SMALL)
    known = reference(SMALL)
    while jumps := [*jumps_from(playing.states[-1])]:
        move = next((move for move, after in jumps if known[after] < 0), jumps[0][0])
        assert [*playing.say(move)] == []
    taken = sum(known[state] < 0 for state in playing.states)
    moves = f"{taken} moves" if taken > 1 else "move"
    assert [*playing.say("hint")] == [
        "lost: no goal can be reached any more (search)",
        f"take back the last {moves}, and the goal can be reached again",
    ]
    for _ in range(taken):
        [*playing.say("undo")]
    while not playing.solved():
        state = playing.states[-1]
        [
            *playing.say(
                next(move for move, after in jumps_from(state) if known[after] == known[state] - 1)
            )
        ]
    assert playing.states[-1].count("1") == 1
