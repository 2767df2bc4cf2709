"""Errors of definition files and drawings."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest

from puzzlebase.plugins.definitions.definition_file import DefinitionFile
from puzzlebase.puzzles.files import InvalidDefinition
from tests.matrix import one_in
from tests.slowness import slowness

from .small_definitions import CUBE, written

WRONG = {
    "nothing": ("", "line 0|ends too early", "Solved"),
    "a word": ("Sett C 3 2", "line 1", "one of Name, Set"),
    "a million pieces": ("Set C 1000000 1", "line 1.*1,000,000 places", "4,096"),
    "many orientations": ("Set C 3 1000000000", "line 1.*'1000000000'", "9 digits"),
    "orientations": ("Set C 3 128", "line 1.*128", "1 to 127"),
    "no permutation": (CUBE.replace("2 3 1", "2 2 1"), "line 9.*2 is there twice", "once"),
    "too few": (CUBE.replace("2 3 1", "2 3"), "line 9.*2 numbers for C", "3 of them"),
    "orientation": (CUBE.replace("0 0 1", "0 0 2"), "line 10.*'2'", "0 to 1"),
    "no end": (CUBE[:-4], "inside a block", "End"),
    "no such set": (CUBE.replace("Move R\nC", "Move R\nD"), "line 8.*'D'", "sets C"),
    "names": (f"Name A\nName B\n{CUBE}", "line 2: a second Name", "one Name"),
    "twice": (CUBE + CUBE[CUBE.index("Move") :], "line 12.*'R' is there twice", "name of its own"),
    "illegal": (CUBE + "Illegal C 1 2", "line 12.*Illegal", "legal in every state"),
    **{
        word: (f"{CUBE}{word}", f"line 12.*{word} ", "without it|equal numbers|in every state")
        for word in ("Block", "Ignore", "ForbiddenPairs", "ForbiddenGroups", "MoveLimits")
    },
    **{
        f"a set named {name}": (f"Set {name} 3 2", "line 1.*no name of a set", "digit, ? or #")
        for name in ("7", "End", "#C", "?")
    },
    "a pattern of nothing": (CUBE + "Pattern C 4", "line 12.*'C' in places '4'", "as 1-6"),
    "a circle": (
        CUBE + "MoveSequence A B\nMoveSequence B A",
        "line 12.*needs the move 'B'",
        "moves of R",
    ),
    "unknown move": (CUBE + "MoveSequence A R Q", "line 12.*'Q'", "moves of R"),
    "no moves": (CUBE.partition("Move")[0], "no moves", "one at least"),
    "no move that does anything": (
        CUBE.replace("2 3 1", "1 2 3").replace("0 0 1", "0 0 0"),
        "no moves",
        "changes",
    ),
    "a long amount": (
        CUBE + "MoveSequence A R9999999999",
        "line 12.*power 'R9999999999'",
        "9 digits",
    ),
    "a long sequence": (
        CUBE + "MoveSequence A" + " R" * 1001,
        "line 12.*1,001 moves",
        "at most 1,000",
    ),
    "many different pieces": (
        f"Set C 3845 1\nSolved\nEnd\nMove R\nC\n2 1 {' '.join(map(str, range(3, 3846)))}\nEnd",
        "line 3.*3,845 different pieces",
        "at most 3,844",
    ),
    "one name": (CUBE + "Move R2\nC\n1 2 3\n1 0 0\nEnd", "both have a move 'R2'", "names"),
    "wild and not": ("Set C 2 2\nSolved\nC\n1 1\n0 ?\nEnd", "line 4.*can be seen", "all pieces"),
    "null": ("\0" * 100, "line 1", "one of"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_with_its_line_and_what_was_expected(
    tmp_path: Path, name: str
) -> None:
    text, what, expected = WRONG[name]
    with pytest.raises(InvalidDefinition, match=what) as caught:
        written(tmp_path, "wrong", text).definition  # noqa: B018
    assert any(words in caught.value.hint for words in expected.split("|"))
    assert str(tmp_path) in str(caught.value)
    assert len(str(caught.value)) < 300 + len(str(tmp_path))


AS_OTHERS_WRITE: dict[str, str | bytes] = {
    "a title": f"Name 3x3x3 <M,U>\n{CUBE}",
    "a comment in Latin-1": f"# K\xe5re\n{CUBE}".encode("latin-1"),
    "breaks in a comment": f"# a page\fa next\x85line\u2028and one more\n{CUBE}",
    "lines of a Mac": CUBE.replace("\n", "\r"),
    "a byte order mark": f"\ufeff{CUBE}",
}


@pytest.mark.parametrize("name", AS_OTHERS_WRITE)
@pytest.mark.parametrize("ending", [".TWS", ".ksolve"])
def test_files_are_read_as_others_write_them(tmp_path: Path, name: str, ending: str) -> None:
    text = AS_OTHERS_WRITE[name]
    path = tmp_path / f"mine{ending}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    definition = DefinitionFile(path).definition
    assert definition.digest == written(tmp_path, "plain", CUBE).definition.digest
    assert definition.title == ("3x3x3 <M,U>" if name == "a title" else "")


def test_a_piece_with_one_orientation_may_have_any(tmp_path: Path) -> None:
    """The centres of ksolve's Bicube are turned by 1."""
    one = CUBE.replace("Solved", "Set D 2 1\nSolved")
    turned = one.replace("0 0 1\nEnd", "0 0 1\nD\n1 2\n1 1\nEnd")
    files = [written(tmp_path, name, text) for name, text in (("one", one), ("two", turned))]
    assert len({file.definition.digest for file in files}) == 1


LONG = " ".join(map(str, range(2, 3801))) + " 1"
LARGE = f"Set C 3800 1\nSolved\nEnd\nMove U\nC\n{LONG}\nEnd\n"
ONES = "1" * 1_000_000 + "x"

HOSTILE = {
    "100 MB of text": "# \n" * 33_000_000,
    "a million words": "Set " + "a " * 500_000,
    "a million sets": "\n".join(f"Set {number} 1 1" for number in range(60_000)),
    "many powers": LARGE,
    "bytes": "Name \udcff",
    "digits": f"{CUBE}MoveSequence S {ONES}",
    "powers in powers": LARGE
    + "\n".join(f"MoveSequence S{at} {'U999 ' * 1000}" for at in range(150)),
    "a long sequence": CUBE + "MoveSequence S" + " R" * 500_000,
    "long sequences": CUBE + "\n".join(f"MoveSequence S{at} {'R ' * 990}" for at in range(500)),
    "empty moves of many places": "Set A 3800 1\nSolved\nEnd\n"
    + "\n".join(f"Move S{at}\nEnd" for at in range(70_000)),
    "no permutation": LARGE.replace(LONG, "1 " * 3800),
}


AT_ONCE = 3
"""Seconds of processor time at normal speed. The worst of these takes 0.8 on an idle machine;
before their length or their work was refused, they took minutes and hours.
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", one_in(3, HOSTILE))
def test_hostile_files_are_refused_at_once(tmp_path: Path, name: str) -> None:
    assert_refused_at_once(tmp_path / "x.tws", HOSTILE[name])


def assert_refused_at_once(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    began = time.process_time()
    with pytest.raises(InvalidDefinition) as refused:
        DefinitionFile(path).definition  # noqa: B018
    assert time.process_time() - began < AT_ONCE * slowness()
    assert path.name in str(refused.value)
    assert len(str(refused.value)) + len(refused.value.hint) < 1000 + len(str(path.parent))
    tracemalloc.start()
    with pytest.raises(InvalidDefinition):
        DefinitionFile(path).definition  # noqa: B018
    assert tracemalloc.get_traced_memory()[1] < 100 << 20
    tracemalloc.stop()


def test_a_chain_of_sequences_and_large_powers_are_put_together(tmp_path: Path) -> None:
    """R has order 6 here, and 10^9 - 1 is 3 modulo 6."""
    chain = "\n".join(f"MoveSequence S{at} S{at + 1}" for at in reversed(range(3900)))
    file = written(
        tmp_path, "chain", f"{CUBE}MoveSequence S3900 R999999999'\n{chain}\nMoveSequence T R R"
    )
    turns = file.definition.generators
    assert (
        turns["S0"].key
        == turns["S3900"].key
        == turns["T"].then(turns["R"], file.definition.orientations).key
    )
    assert [move.name for move in file.puzzle("chain").moves] == ["R", "R2", "R3", "R2'", "R'"]


def test_moves_that_change_nothing_are_left_out_with_a_note(tmp_path: Path) -> None:
    """Accept them as twsearch does."""
    still = "Move N\nC\n1 2 3\nEnd\nMove M\nEnd\n"
    file = written(tmp_path, "still", f"{CUBE}{still}MoveSequence A R R'\nMoveSequence S N R")
    assert [move.name for move in file.puzzle("still").moves] == ["R", "R2", "R3", "R2'", "R'"]
    assert file.definition.unused == ("N, M, A: changes nothing, which is no move here",)
