"""The notation of cubing.js for sequences of moves, as its parser has it.

    R  R2'  2R  2-3r'       a move, with a prefix of its name and an amount
    (R U)2'                 a group
    [R: U]2  [R, U]'        a conjugate, R U R', and a commutator, R U R' U'
    UR5+  ALL2-  R++  D--   of the clock, UR_PLUS_ five times; of the megaminx, R_PLUSPLUS_
    (1, -2)  /              of the Square-1, U_SQ_ and D_SQ_, and _SLASH_
    .                       a pause; also spaces, ends of lines, and // with a comment to the end of the line

`^(R U)`, moves on the inverse of a scramble, is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlebase.puzzles.contract.errors import shorten
from puzzlebase.puzzles.definitions.definition import FormatError
from puzzlebase.puzzles.definitions.sequences import LONGEST, MOST_DIGITS, Kind, SequenceStep

DEEPEST = 30  # brackets within brackets
_MOST_TOKENS = 4 * LONGEST

# At each place one alternative fits, and nothing it has taken is given back: the time is proportional to the text.
_TOKEN = re.compile(
    r"(?P<gap>//[^\n]*|[\s.]+)"
    r"|\((?P<top>-?[0-9]{1,9}), ?(?P<bottom>-?[0-9]{1,9})(?P<pair>\))"
    r"|(?P<open>[(\[])"
    r"|(?P<between>[,:])"
    r"|(?P<end>[)\]])(?P<digits>[0-9]*)(?P<close>'?)"
    r"|(?P<slash>/)"
    r"|(?P<move>[^\s.()\[\],:/]+)"
)
_SUFFIXES = {"++": ("_PLUSPLUS_", ""), "--": ("_PLUSPLUS_", "'"), "+": ("_PLUS_", ""), "-": ("_PLUS_", "'")}
_ENDS: dict[tuple[str, str], Kind] = {("(", ")"): "group", (":", "]"): "conjugate", (",", "]"): "commutator"}
_EXPECTED = "moves as cubing.js writes them: R2' (R U)2 [R: U] [R, U] with spaces between"


def read_alg(text: str) -> list[SequenceStep]:
    """The steps of a sequence; raises FormatError."""
    steps: list[SequenceStep] = []
    opened: list[str] = []
    before = ""
    for count, token in enumerate(_TOKEN.finditer(text)):
        kind = str(token.lastgroup)  # of each alternative the last group has its name
        if kind in ("move", "open", "pair") and before in ("move", "close", "pair"):
            raise FormatError(f"no space before {shorten(token[0])!r}", _EXPECTED)
        if count > _MOST_TOKENS or len(opened) > DEEPEST:
            raise FormatError(f"more than {LONGEST:,} moves, or {DEEPEST} brackets in brackets", "a shorter sequence")
        begun = opened.pop() if opened and kind in ("between", "close") else ""
        if kind == "between" and begun != "[":
            raise FormatError(f"{token[0]!r} outside of [ and ]", _EXPECTED)
        if kind in ("open", "between"):
            opened.append(token[0])
            steps.append(SequenceStep("open"))
        elif kind == "close":
            steps.append(_closed(begun, token))
        else:
            steps += _moves(kind, token)
        before = kind
    if opened:
        raise FormatError(f"{opened[-1]!r} without its end", _EXPECTED)
    return steps


def _closed(begun: str, token: re.Match[str]) -> SequenceStep:
    """The end of the bracket that begins here."""
    kind = _ENDS.get((begun, token["end"]))
    if kind is None:
        what = "[ ] without , or :" if begun == "[" else f"{token['end']!r} without its beginning"
        raise FormatError(what, _EXPECTED)
    if len(token["digits"]) > MOST_DIGITS:
        raise FormatError(f"the amount {shorten(token['digits'])}", f"at most {MOST_DIGITS} digits")
    return SequenceStep(kind, "", int(token["digits"] or 1) * (-1 if token["close"] else 1))


def _moves(kind: str, token: re.Match[str]) -> Iterator[SequenceStep]:
    if kind == "move":
        yield SequenceStep("move", _named(token[0]))
    elif kind == "slash":
        yield SequenceStep("move", "_SLASH_")
    elif kind == "pair":
        yield SequenceStep("move", "U_SQ_", int(token["top"]))
        yield SequenceStep("move", "D_SQ_", int(token["bottom"]))


def _named(word: str) -> str:
    """A move by its name and amount. The signs behind moves of the clock and the megaminx are parts of names."""
    for suffix, (name, back) in _SUFFIXES.items():
        if word.endswith(suffix) and len(word) > len(suffix):
            move = word.removesuffix(suffix)
            family = move.rstrip("0123456789")
            return f"{family}{name}{move[len(family) :]}{back}"
    return word
