"""puzzlebase play: the keys, the board, the starts of games, and the terminal while it plays and afterwards."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce
from pathlib import Path

import pytest

from puzzlebase.db.errors import MissingTable
from puzzlebase.puzzles import Puzzle, all_families, find
from puzzlebase.service.error_status import InvalidRequest
from puzzlebase.service.sources.budget import Budget
from puzzlebase.service.sources.search import OpenSearch, Searchable
from puzzlebase.service.sources.source import Source
from puzzlebase.service.sources.sources import Sources
from puzzlebase.tools.play.drawing import draw
from puzzlebase.tools.play.game import TerminalGame
from puzzlebase.tools.play.playing import Playing
from puzzlebase.tools.play.screen import Line
from puzzlebase.tools.play.starts import Starts
from tests import naive
from tests.commands import command
from tests.matrix import one_in
from tests.one_way import SMALL, jumps_from, reference, triangle
from tests.puzzles.reading import layout_of
from tests.puzzles.small_definitions import definitions_from
from tests.terminals import COLUMNS, ROWS, Terminal, on_a_terminal

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"
SOLVED = "BBBBBBBBBBBBRRRRRRRRR"
NAMES = sorted({name for family in all_families() for name in (*family.members[:1], family.listed[-1])})


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
    press(playing, "backspace", "backspace")
    assert made(playing) == ["L2'", "R"]
    assert playing.says == ["R2 is taken back"]
    press(playing, "x")
    assert playing.says == ["no move begins with 'x'; Tab shows the moves"]
    press(playing, "tab")
    assert playing.offers == "L L2 L3 L2' L' R R2 R3 R2' R'".split()
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
    assert panex.offers == ["LC", "LR"]
    press(panex, "c")
    assert made(panex) == ["LC"]
    press(panex, *"lc")
    assert made(panex) == ["LC", "LC"]
    press(panex, *"lc")
    assert "is not legal" in panex.says[0]


def test_hints_grow_and_the_distance_is_shown_on_demand() -> None:
    playing = game("novice", NOVICE)
    assert [*playing.status()] == ["0 moves"]
    press(playing, "?")
    assert playing.says == ["distance 5 (search)"]
    press(playing, "?")
    assert playing.says[1] == "a best move moves the right wheel"
    press(playing, "?")
    assert playing.says[1] == "a best move is R"
    press(playing, "?")
    assert playing.says[1].startswith("a shortest solution is R ")
    press(playing, "=")
    assert [*playing.status()] == ["0 moves", "distance 5 (search)"]
    press(playing, "r", "enter", "?")
    assert playing.says == ["distance 4 (search)"]
    assert [*playing.status()] == ["1 move", "distance 4 (search)"]


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
    lines = [plain(line) for line in draw(layout, columns, rows)]
    assert 0 < len(lines) <= rows
    assert max(len(line) for line in lines) <= columns
    if columns == 200:
        shown = "".join(lines)
        for label in {piece.label for piece in layout.pieces if len(piece.label) == 1}:
            assert shown.count(label) >= sum(piece.label.count(label) for piece in layout.pieces), (name, label)


def plain(line: Line) -> str:
    """The text of a line."""
    return "".join(text for _, text in line)


def starts(tables: Sources, name: str) -> Starts:
    """The starts of a puzzle with a table."""
    table = tables.table(name)
    return Starts(table.puzzle, table.goal, lambda: table)


def test_starts_are_the_words_and_levels_of_random(tables: Sources, known: dict[str, int]) -> None:
    """By the layers of the reference: a medium state has less than a tenth of all nearer; the farthest is at 13."""
    assert max(far for far in range(7, 13) if 10 * sum(each < far for each in known.values()) < len(known)) == 7
    novice = starts(tables, "novice")
    ranges = {"first": (1, 3), "easy": (4, 6), "medium": (7, 7), "hard": (8, 12), "hardest": (13, 13), "2": (2, 2)}
    for name, (least, most) in ranges.items():
        start = novice.start(name, None)
        away = f"{least} to {most}" if least < most else f"{least}"
        assert start.words == f"{'level ' * name.isdecimal()}{name}: {away} moves away"
        assert least <= known[start.state("seed 1")] <= most
        assert start.state("seed 1") == start.state("seed 1")
    assert novice.start(None, None).words == novice.start("first", None).words
    assert known[novice.start(None, 5).state("seed 1")] == 5
    with pytest.raises(InvalidRequest, match="no difficulty is 'tough'"):
        novice.start("tough", None)


def test_without_a_table_games_begin_after_random_turns_or_where_the_puzzle_begins() -> None:
    puzzle = find("novice")
    turned = Starts(puzzle, puzzle.goal(), searching(puzzle))
    assert turned.start(None, None).words == "3 random turns"
    with pytest.raises(MissingTable):
        turned.start("easy", None).state(None)
    panex = find("panex-2")
    assert Starts(panex, panex.goal(), searching(panex)).start("start", None).state(None) == panex.goal().start
    pegs = triangle("small-triangle", SMALL)
    assert Starts(pegs, pegs.goal(), searching(pegs)).start(None, None).state(None) == SMALL


def test_without_colours_the_state_is_text(tables: Sources) -> None:
    novice = starts(tables, "novice")
    plainly, drawn = (
        shown(Playing(novice, novice.start(None, None), NOVICE, coloured=coloured)) for coloured in (False, True)
    )
    assert (plainly.count(NOVICE), drawn.count(NOVICE)) == (2, 1)
    assert "▀" in drawn
    assert "▀" not in plainly


def shown(playing: Playing, columns: int = 100, rows: int = 30) -> str:
    """The screen as a player sees it, which fits."""
    lines = [plain(line) for line in playing.lines(columns, rows)]
    assert len(lines) <= rows
    assert max(map(len, lines)) <= columns
    return "\n".join(lines)


def test_games_go_on_with_the_next_one(tables: Sources, known: dict[str, int]) -> None:
    novice = starts(tables, "novice")
    playing = Playing(novice, novice.start(None, None), NOVICE, coloured=False)
    first = shown(playing)
    assert "first: 1 to 3 moves away  0 moves" in first
    assert "Goal: solved" in first
    assert "It is solved when the left wheel" in first
    assert all(map(playing.press, [*"R", "enter", *"L", "enter", *"R'L2'R", "enter"]))
    assert "solved, 5 moves, 0 wasted, ★★★" in shown(playing)
    assert "n next  r again" in shown(playing)
    playing.press("n")
    [state] = [line.split()[1] for line in shown(playing).splitlines() if line.startswith("state")]
    assert 1 <= known[state] <= 3
    for move in naive.shortest(state, known, naive.wheel_neighbours(naive.FULL_TURNS, interchangeable=False))[0]:
        assert all(map(playing.press, [*move, "enter"]))
    assert [*playing.summary()][:2] == [f"{NOVICE}  R L R' L2' R", "solved, 5 moves, 0 wasted, ★★★"]


def test_q_asks_and_a_hint_that_shows_a_move_costs_the_third_star(tables: Sources) -> None:
    novice = starts(tables, "novice")
    playing = Playing(novice, novice.start(None, None), NOVICE, coloured=False)
    shown(playing)
    assert playing.press("q")
    assert "End the game?  y yes  n no" in shown(playing)
    assert playing.press("n")
    assert "move>" in shown(playing)
    assert all(map(playing.press, ["?", "?", "?", *"R", "enter", *"L", "enter", *"R'L2'R", "enter"]))
    assert "solved, 5 moves, 0 wasted, ★★, 3 hints" in shown(playing)
    assert all(map(playing.press, ["r", "escape"]))
    assert not playing.press("y")


def test_a_letter_that_begins_a_move_spells_it(tmp_path: Path) -> None:
    moves = "".join(f"Move {name}\nC\n{order}\nEnd\n" for name, order in (("Q", "2 1 3 4"), ("h", "2 3 4 1")))
    (tmp_path / "letters.tws").write_text(f"Name letters\nSet C 4 1\nSolved\nEnd\n{moves}")
    with definitions_from(tmp_path):
        puzzle = find("letters")
        known = Starts(puzzle, puzzle.goal(), searching(puzzle))
        playing = Playing(
            known, known.start(None, None), puzzle.play(puzzle.play(puzzle.goal().start, "h"), "h"), coloured=False
        )
        shown(playing)
        assert "F1 rules  Esc end" in shown(playing)
        assert all(map(playing.press, ["q", "h", "enter"]))
        assert "2 moves" in shown(playing)
        playing.press("f1")
        assert "page 1 of" in shown(playing)
        assert all(map(playing.press, ["enter"] * 3))
        playing.press("escape")
        assert "End the game?" in shown(playing)
        assert not playing.press("enter")


def test_a_small_window_begins_with_the_rules(tables: Sources) -> None:
    novice = starts(tables, "novice")
    playing = Playing(novice, novice.start(None, None), NOVICE, coloured=False)
    pages = [shown(playing, 40, 20)]
    while "any key goes on" in pages[-1]:
        assert playing.press("x")
        pages.append(shown(playing, 40, 20))
    rules = " ".join(" ".join(pages[:-1]).split())
    assert "It is solved when the left wheel is blue." in rules
    assert "Goal: solved" in rules
    assert "Backspace takes a move back" in rules
    assert f"state {NOVICE}\ngoal  {SOLVED}\nmove>" in pages[-1]
    assert pages[-1].count("B") > 12 + 12
    assert all(shown(playing, columns, rows) for columns in (40, 60, 80, 120) for rows in (20, 24, 40))


@contextmanager
def playing_on_a_terminal(data: Path, *words: str, **more: str) -> Iterator[Terminal]:
    """A game on a terminal, which is as it was when the game has ended by the block."""
    size = {"columns": 40, "rows": 20} if more.pop("small", "") else {}
    with on_a_terminal("--data", str(data), "play", *words, **size, **more) as terminal:  # type: ignore[arg-type]
        before = terminal.modes
        yield terminal
        assert terminal.modes == before
        assert not terminal.screen.full
        assert not terminal.screen.cursor_hidden


@pytest.mark.slow(4)
def test_a_game_on_a_terminal(tmp_path: Path) -> None:
    with playing_on_a_terminal(tmp_path, "novice", NOVICE) as terminal:
        terminal.until("move>")
        assert terminal.screen.full
        assert terminal.screen.cursor_hidden
        assert len(terminal.screen.lines) <= ROWS
        assert max(map(len, terminal.screen.lines)) <= COLUMNS
        assert sum(line[:44].count("B") for line in terminal.screen.lines[2:-7]) == 12
        assert re.search(r"\x1b\[[\d;]*38;5;", terminal.written)
        terminal.type("r\r=")
        terminal.until("1 move  distance 4 (search)")
        terminal.type("X")
        terminal.until("no move begins with 'X'")
        terminal.type("l\t")
        terminal.until("moves:  L  L2  L3  L2'  L'")
        terminal.type("\r")
        terminal.until("2 moves")
        terminal.type("q")
        terminal.until("End the game?")
        terminal.type("y")
        assert terminal.end() == 0
    assert terminal.screen.lines[-3] == f"{NOVICE}  R L"
    assert terminal.screen.lines[-2].startswith("go on with: puzzlebase play novice '")


@pytest.mark.slow(4)
def test_a_small_terminal_without_colours_and_a_larger_one(tmp_path: Path) -> None:
    with playing_on_a_terminal(tmp_path, "novice", NOVICE, small="yes", NO_COLOR="1") as terminal:
        terminal.until("page 1 of 2, any key goes on")
        assert max(map(len, terminal.screen.lines)) <= 40
        terminal.type("  ")
        terminal.until("move>")
        assert max(map(len, terminal.screen.lines)) <= 40
        assert len(terminal.screen.lines) <= 20
        assert not re.search(r"\x1b\[[\d;]*(3[0-7]|4[0-7]|38|48)[;m]", terminal.written)
        terminal.resize(100, 30)
        terminal.until("Goal: solved")
        terminal.type("\x03")
        assert terminal.end() == 0


@pytest.mark.slow(5)
def test_a_menu_leads_to_a_game(tmp_path: Path) -> None:
    with playing_on_a_terminal(tmp_path, "--seed", "1") as terminal:
        terminal.until("Which puzzle?")
        terminal.until("Challenger")
        terminal.type("novice")
        terminal.until("Which puzzle? novice")
        terminal.type("\r")
        terminal.until("move>")
        terminal.until("3 random turns  0 moves")
        terminal.type("\x1b")
        terminal.until("End the game?")
        terminal.type("y")
        assert terminal.end() == 0


@pytest.mark.slow(4)
def test_todays_puzzle_as_hard_as_you_say(data: Path, known: dict[str, int]) -> None:
    with playing_on_a_terminal(data, "novice", "--difficulty", "hardest", "--daily") as terminal:
        terminal.until("hardest: 13 moves away")
        terminal.until("state ")
        terminal.type("\x03")
        assert terminal.end() == 0
    [daily] = [line.strip() for line in terminal.screen.lines if line.strip() in known]
    drawn = command(data, "random", "novice", "--difficulty", "hardest", "--daily", "today")
    assert drawn.stdout.split()[0] == daily
    assert known[daily] == 13


@pytest.mark.slow(5)
def test_a_search_can_be_ended(tmp_path: Path) -> None:
    """It may take 10 seconds, so the test would take longer if Ctrl-C waited for it."""
    far = reduce(find("puzzler").play, [*"LRLRLR", "L2", "R3", "L'", "R2"] * 3, find("puzzler").goal().start)
    with playing_on_a_terminal(tmp_path, "puzzler", far) as terminal:
        terminal.until("page 1 of")
        terminal.type(" " * 4)
        terminal.until("move>")
        terminal.type("?")
        terminal.until("looking for the answer; Ctrl-C ends")
        terminal.type("\x03")
        assert terminal.end() == 0


BOMB = """
from puzzlebase.puzzles import Family, rules_puzzle

def moves(state):
    if len(state) == 40:
        raise RuntimeError("the rules of this puzzle are broken")
    return [("x", state + "a")]

FAMILY = Family.of(rules_puzzle("bomb", start="a", solved=lambda state: state == "c", moves=moves, read=str))
"""


@pytest.mark.slow(4)
def test_a_program_that_fails_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "bomb.py").write_text(BOMB)
    with playing_on_a_terminal(tmp_path, "bomb", "--rules", str(tmp_path / "bomb.py")) as terminal:
        terminal.until("move>")
        terminal.type("x" * 40)
        assert terminal.end() == 2
        assert "the rules of this puzzle are broken" in terminal.text


@pytest.mark.slow
@pytest.mark.parametrize("number", one_in(3, [signal.SIGINT, signal.SIGHUP, signal.SIGTERM]))
def test_signals_leave_the_terminal_as_it_was(tmp_path: Path, number: signal.Signals) -> None:
    with playing_on_a_terminal(tmp_path, "panguru-4", "--seed", "1") as terminal:
        terminal.until("move>")
        terminal.process.send_signal(number)
        assert terminal.end() == (0 if number == signal.SIGINT else 128 + number)


def test_without_a_terminal_it_says_so(tmp_path: Path) -> None:
    refused = command(tmp_path, "play", "novice")
    assert refused.status == 2
    assert "there is no terminal here to play in" in refused.stderr
    assert "puzzlebase grade novice STATE MOVES" in refused.stderr
    assert "puzzlebase grade PUZZLE STATE MOVES" in command(tmp_path, "play").stderr


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
