"""Remarks: comments of a definition file for people,
as `# about: A cube with one corner held still`.

    about, inventor, link, instructions      for those who play
    label MOVE: words                        the part that a move turns, as hints name it
    group NAME: moves                        moves that a hint names together, each with its powers
    rows SET: numbers                        how many places lie in each row; one number is for all
                                             rows

Lines with one key are joined. Other programs ignore comments, and no table depends on them.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO

from puzzlebase.errors import shorten
from puzzlebase.puzzles.contract.puzzle import About

_ABOUT = ("about", "inventor", "link", "instructions")
REMARKS = (*_ABOUT, "label", "group", "rows")
_LONGEST = 4000  # characters of a text
_MOST_UNUSED = 20

Line = tuple[str, str, str, str]  # a key, a name or nothing, words, and where it is or nothing


@dataclass(frozen=True)
class Remarks:
    """The remarks of a file; labels and groups are by move, rows by set."""

    about: About = field(default_factory=About)
    labels: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, Sequence[int]] = field(default_factory=dict)
    unused: tuple[str, ...] = ()  # sentences on comments that were not understood


def comments(text: str) -> list[Line]:
    """The comments of a ksolve file that look like remarks."""
    found = []
    for number, line in enumerate(StringIO(text, newline=None), 1):
        first, _, words = line.lstrip().partition(":")
        if first.startswith("#") and (key := first.lstrip("# \t").split()) and words.strip():
            found.append((key[0].lower(), " ".join(key[1:]), words.strip(), f"line {number}: "))
    return found


def remarks_of(lines: Sequence[Line], sets: Mapping[str, int], moves: Container[str]) -> Remarks:
    """Understand remarks, comments on sets, by name with their places, and on moves."""
    told: dict[str, dict[str, str]] = {key: {} for key in REMARKS}
    unused: list[str] = []
    for key, name, words, where in lines:
        if key not in told:
            continue
        before = told[key].get(name, "")
        whole = f"{before} {words}" if before else words
        if wrong := _wrong(key, name, whole, sets, moves):
            remark = shorten(f"{key} {name}".strip())
            unused.append(f"{where}the remark {remark!r} is left out: {wrong}")
        else:
            told[key][name] = whole
    sentence, inventor, link, instructions = (told[key].get("") for key in _ABOUT)
    return Remarks(
        About(sentence=sentence, inventor=inventor, link=link, instructions=instructions),
        told["label"],
        {move: name for name, words in told["group"].items() for move in words.split()},
        {name: _rows(words, sets[name]) for name, words in told["rows"].items()},
        tuple(unused[:_MOST_UNUSED]),
    )


def _wrong(key: str, name: str, words: str, sets: Mapping[str, int], moves: Container[str]) -> str:
    """The fault of a remark, empty if there is none."""
    short = len(words) <= _LONGEST and len(name) <= _LONGEST // 100
    if not (short and f"{name}{words}".isprintable()):
        return f"it has more than {_LONGEST:,} characters, or some that cannot be printed"
    if (key in _ABOUT) == bool(name):
        return (
            f"a name does not belong after {key}"
            if name
            else f"{key} and a name belong before the colon"
        )
    if key == "link" and not words.startswith(("https://", "http://")):
        return "a link begins with https://"
    if key == "rows":
        numbers = all(map(str.isdecimal, words.split()))
        fits = numbers and name in sets and sum(_rows(words, sets[name])) == sets[name]
        return (
            "" if fits else f"{shorten(name)} is no set that has so many places: {shorten(words)}"
        )
    named = [name] if key == "label" else words.split() if key == "group" else []
    unknown = [
        move
        for move in named
        if move not in moves and move.removesuffix("'").rstrip("0123456789") not in moves
    ]
    return f"the file has no move {shorten(unknown[0])!r}" if unknown else ""


def _rows(words: str, places: int) -> list[int]:
    """The places in each row."""
    numbers = [int(word) for word in words.split() if word.isdecimal() and len(word) < 5]
    if len(numbers) == 1 and numbers[0]:
        numbers = [min(numbers[0], places - start) for start in range(0, places, numbers[0])]
    return numbers
