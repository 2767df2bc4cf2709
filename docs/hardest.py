"""Write the hardest states into docs/results.md, and their pictures into docs/pictures/hardest: `make hardest`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from puzzlebase.db.sql.limits import StatementLimits
from puzzlebase.plugins.hardest.answer import KINDS, HardestAnswer, KindOfStates, hardest
from puzzlebase.puzzles import find
from puzzlebase.service.answers.pictures import drawn
from puzzlebase.service.sources.folder import Folder
from puzzlebase.service.sources.sources import Sources

PAGE = Path(__file__).with_name("results.md")
PICTURES = Path(__file__).parent / "pictures" / "hardest"
LIMITS = StatementLimits(3600, 8_000)
PUZZLES = ("novice", "challenger", "avenger", "sliding-3x3", "hanoi-nnn-8", "quantum-2x3-2", "panex-5")

_TITLES = dict(
    zip(
        KINDS, ("farthest", "one shortest solution", "one good move", "a local maximum, nearest to solved"), strict=True
    )
)
_SECTION = re.compile(r"(?<=<!-- make hardest -->\n\n).*?(?=<!-- end -->)", re.DOTALL)


def written(page: str, answers: Iterable[HardestAnswer]) -> str:
    """The page with its section on the hardest states made anew."""
    section = "\n".join(part(answer) for answer in answers)
    return _SECTION.sub(lambda _: f"{section}\n", page)


def part(answer: HardestAnswer) -> str:
    """The part of the page about one puzzle: a column for each kind."""
    shown = [kind for kind in answer["kinds"] if kind["named"]]
    rows: tuple[Callable[[KindOfStates], str], ...] = (
        lambda kind: _TITLES[kind["kind"]],
        lambda _: "---",
        lambda kind: f"![{kind['named'][0].replace('|', ' ')}](pictures/hardest/{_picture(answer, kind)})",
        lambda kind: f"**{kind['distance']:,} moves**",
        lambda kind: f"{kind['count']:,} there",
        lambda kind: f"{kind['states']:,} of this kind in all",
        lambda kind: "`" + kind["named"][0].replace("|", "\\|") + "`",
    )
    table = "".join("| " + " | ".join(map(row, shown)) + " |\n" for row in rows)
    missing = [_TITLES[kind["kind"]] for kind in answer["kinds"] if not kind["named"]]
    none = f"\nNo state has {' or '.join(missing)}.\n" if missing else ""
    return f"### `{answer['puzzle']}`\n\n{table}{none}"


def _picture(answer: HardestAnswer, kind: KindOfStates) -> str:
    return f"{answer['puzzle']}-{kind['kind']}.svg"


def draw(answer: HardestAnswer) -> None:
    """Draw the first state of each kind."""
    puzzle = find(answer["puzzle"])
    PICTURES.mkdir(exist_ok=True)
    for kind in answer["kinds"]:
        for state in kind["named"][:1]:
            picture = drawn(puzzle, puzzle.goal(answer["goal"]), state)
            (PICTURES / _picture(answer, kind)).write_text(picture, "utf-8")


def main(data: Path) -> None:
    """Write the section and the pictures from the tables in a folder, of which every state is examined."""
    sources = Sources(Folder(data, memory=0))
    answers = [hardest(sources.table(name), sys.maxsize, LIMITS) for name in PUZZLES]
    for answer in answers:
        draw(answer)
    PAGE.write_text(written(PAGE.read_text("utf-8"), answers), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
