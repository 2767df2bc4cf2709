"""puzzlebase play: the keys, the board, and the terminal afterwards."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from puzzlebase.puzzles import Puzzle, all_families, find
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.folder import Tables
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.source import Source
from puzzlebase.tools.play.drawing import draw
from puzzlebase.tools.play.game import KEYS, TerminalGame
from tests.commands import command
from tests.matrix import one_in
from tests.one_way import SMALL, jumps_from, reference, triangle
from tests.puzzles.reading import layout_of
from tests.terminals import COLUMNS, ROWS, on_a_terminal

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"
SOLVED = "BBBBBBBBBBBBRRRRRRRRR"
NAMES = sorted({name for family in all_families() for name in (family.members[0], family.listed[-1])})


def searching(puzzle: Puzzle) -> Callable[[], Source]:
    searchable = Searchable.of(puzzle, puzzle.goal(), None)
    return lambda: OpenSearch(searchable, Budget())


def game(name: str, state: str) -> TerminalGame:
    puzzle = find(name)
    return TerminalGame(puzzle, puzzle.goal(), state, searching(puzzle))


def press(playing: TerminalGame, *keys: str) -> TerminalGame:
    for key in keys:
        playing.press(key)
    return playing


def made(playing: TerminalGame) -> list[str]:
    return [step.move for step in playing.steps]


def test_moves_are_typed() -> None:
    playing = press(game("novice", NOVICE), *"L2'")
    assert made(playing) == ["L2'"]
    press(playing, "r", "enter", *"r2", " ")
    assert made(playing) == ["L2'", "R", "R2"]
    press(playing, "R", "2", "backspace", "3")
    assert made(playing) == ["L2'", "R", "R2", "R3"], "complete, and no longer move begins so"
    press(playing, "backspace", "ctrl-z")
    assert made(playing) == ["L2'", "R"]
    assert playing.says == ["R2 is taken back"]
    press(playing, "x")
    assert playing.says == ["no move begins with 'x'; Tab shows the moves"]
    press(playing, "tab")
    assert playing.says == ["moves: L L2 L3 L2' L' R R2 R3 R2' R'"]
    press(playing, "ctrl-r")
    assert (playing.state, made(playing)) == (NOVICE, [])


def test_tab_completes_and_arrows_are_moves() -> None:
    sliding = find("sliding-2x2")
    assert {move.name for move in sliding.moves} == {"U", "D", "L", "R"}
    arrows = {"up": "U", "down": "D", "left": "L", "right": "R"}
    for key, move in arrows.items():
        playing = press(game("sliding-2x2", "0123"), key)
        typed = press(game("sliding-2x2", "0123"), move)
        assert (made(playing), playing.says) == (made(typed), typed.says)
    panex = press(game("panex-2", "ab||AB"), "l", "tab")
    assert panex.typed == "L"
    assert panex.says == ["moves: LC LR"]
    press(panex, "c")
    assert made(panex) == ["LC"]
    press(panex, *"lc")
    assert made(panex) == ["LC", "LC"]
    press(panex, *"lc")
    assert "is not legal" in panex.says[0]


def test_hints_grow_and_the_distance_is_shown_on_demand() -> None:
    playing = game("novice", NOVICE)
    assert "distance" not in playing.status()
    press(playing, "?")
    assert playing.says == ["distance 5 (search)"]
    press(playing, "?")
    assert playing.says[1] == "a best move moves the right wheel"
    press(playing, "?")
    assert playing.says[1] == "a best move is R"
    press(playing, "?")
    assert playing.says[1].startswith("a shortest solution is R ")
    press(playing, "=")
    assert playing.status().endswith("0 moves   distance 5 (search)")
    press(playing, "r", "enter", "?")
    assert playing.says == ["distance 4 (search)"]
    assert playing.status().endswith("1 move   distance 4 (search)")


def test_a_solved_game_earns_stars() -> None:
    playing = press(game("novice", NOVICE), *"R", "enter", *"L", "enter", *"R'", *"L2'", *"R", "enter")
    assert playing.state == SOLVED
    assert playing.solved
    assert playing.says == ["solved, 5 moves, 0 wasted, ★★★"]
    press(playing, "L", "enter", "?")
    assert playing.state == SOLVED, "the game is over"
    press(playing, "backspace", "?", "R", "R", "R")
    assert not playing.solved
    wasteful = press(
        game("novice", NOVICE), "L", "enter", *"L'", *"R", "enter", *"L", "enter", *"R'", *"L2'", *"R", "enter"
    )
    assert wasteful.says[0] == "solved, 7 moves, 2 wasted, ★★"
    assert wasteful.says[1].startswith("first mistake: step 1, L; better: R")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("columns", "rows"), [(80, 15), (40, 8), (200, 60)])
def test_every_puzzle_has_a_board_that_fits(name: str, columns: int, rows: int) -> None:
    """No line is too wide or missing, and a board that is large enough has every label of the picture."""
    puzzle = find(name)
    layout = layout_of(puzzle, puzzle.notation.examples[-1])
    lines = draw(layout, columns, rows)
    assert 0 < len(lines) <= rows
    assert max(len(line) for line in lines) <= columns
    if columns == 200:
        shown = "".join(line.plain for line in lines)
        for label in {piece.label for piece in layout.pieces if len(piece.label) == 1}:
            assert shown.count(label) >= sum(piece.label.count(label) for piece in layout.pieces), (name, label)


def test_keys_fit_into_80_columns() -> None:
    assert max(map(len, KEYS)) <= COLUMNS


def test_a_game_on_a_terminal(tmp_path: Path) -> None:
    with on_a_terminal("--data", str(tmp_path), "play", "novice", NOVICE) as terminal:
        before = terminal.modes
        terminal.until("move>")
        assert terminal.screen.full
        assert terminal.screen.cursor_hidden
        assert len(terminal.screen.lines) <= ROWS
        assert max(map(len, terminal.screen.lines)) <= COLUMNS
        assert sum(line.count("B") for line in terminal.screen.lines[1:-7]) == 12
        assert "\x1b[38;2;" in terminal.written or "\x1b[38;5;" in terminal.written
        assert terminal.modes != before
        terminal.type("r\r=")
        terminal.until("1 move   distance 4 (search)")
        terminal.type("Q")
        terminal.until("no move begins with 'Q'")
        terminal.type("\x03")
        assert terminal.end() == 0
        assert terminal.modes == before
        assert not terminal.screen.full
        assert not terminal.screen.cursor_hidden
        assert terminal.screen.lines[-3:] == [
            f"{NOVICE}  R",
            "go on with: puzzlebase play novice 'RBBBBBBBBBBRRRRRRRRBB'",
            "",
        ]


@pytest.mark.slow
@pytest.mark.parametrize("number", one_in(3, [signal.SIGINT, signal.SIGHUP, signal.SIGTERM]))
def test_signals_leave_the_terminal_as_it_was(tmp_path: Path, number: signal.Signals) -> None:
    with on_a_terminal("--data", str(tmp_path), "play", "panguru-4", "--seed", "1") as terminal:
        before = terminal.modes
        terminal.until("move>")
        terminal.process.send_signal(number)
        assert terminal.end() == (0 if number == signal.SIGINT else 128 + number)
        assert terminal.modes == before
        assert not terminal.screen.full
        assert not terminal.screen.cursor_hidden


def test_without_a_terminal_it_says_so(tmp_path: Path) -> None:
    refused = command(tmp_path, "play", "novice")
    assert refused.status == 2
    assert "there is no terminal here to play in" in refused.stderr
    assert "puzzlebase grade novice STATE MOVES" in refused.stderr


def test_a_table_answers_too(tables: Tables) -> None:
    table = tables.get("novice")
    playing = press(TerminalGame(table.puzzle, table.goal, NOVICE, lambda: table), "?")
    assert playing.says == ["distance 5 (table)"]


def test_a_lost_game_says_how_far_to_go_back_where_one_asks() -> None:
    """The start leads to 128 triangles; those with one peg are solved, which only the rules tell."""
    puzzle = triangle("small-triangle", SMALL)
    playing = TerminalGame(puzzle, puzzle.goal(), SMALL, searching(puzzle))
    known = reference(SMALL, jumps_from)
    while lost := [move for move, after in jumps_from(playing.state) if known[after] < 0] or [
        move for move, _ in jumps_from(playing.state)
    ]:
        press(playing, *lost[0], "enter")
    taken = sum(known[step.state] < 0 for step in playing.steps)
    assert playing.says == []
    press(playing, "?")
    moves = f"{taken} moves" if taken > 1 else "move"
    assert playing.says == [
        "lost: no goal can be reached any more (search)",
        f"take back the last {moves}, and the goal can be reached again",
    ]
    while not playing.solved:
        if known[playing.state] < 0:
            press(playing, "backspace")
        else:
            after = {to: move for move, to in jumps_from(playing.state)}
            press(playing, *after[next(to for to in after if known[to] == known[playing.state] - 1)], "enter")
    assert playing.state.count("1") == 1
