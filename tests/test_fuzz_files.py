"""Files and texts of any content, long ones too:
each parser reads or refuses them in time proportional to length.

A short piece of each notation is repeated within a valid text, since a parser whose time grows as
the square of the length shows it there. `make fuzz` runs the same with many more examples.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from puzzlebase.db.errors import DamagedTable
from puzzlebase.plugins.definitions.definition_file import DefinitionFile
from puzzlebase.plugins.definitions.tests.small_definitions import CUBE, EXAMPLES, SMALL
from puzzlebase.plugins.release.manifest import Manifest, ReleasedTable, read_manifest
from puzzlebase.plugins.stickers.svg import read_svg
from puzzlebase.puzzles import PuzzleError, all_families, discovery, find
from puzzlebase.puzzles.files import FormatError, InvalidDefinition
from tests.test_fuzz import assert_for_people, mutated, texts

LENGTH = 1 << 16
SECONDS = 1.0
"""Of the processor, for a text of this length.
A parser that looks at each pair of characters takes more.
"""

FEW = settings(
    max_examples=max(settings().max_examples // 4, 10),
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.function_scoped_fixture,
        HealthCheck.data_too_large,
    ],
)
LISTED = sorted({family.listed[0] for family in all_families()})

ORBITS = [
    {"orbitName": "A", "numPieces": 3, "numOrientations": 2},
    {"orbitName": "B", "numPieces": 4},
]
TURN = {"A": {"permutation": [1, 2, 0], "orientationDelta": [0, 1, -1]}}
KPUZZLE = json.dumps(
    {
        "name": "own",
        "orbits": [ORBITS[0], ORBITS[1] | {"numOrientations": 1}],
        "defaultPattern": {"A": {"pieces": [0, 1, 2], "orientation": [0, 0, 0]}},
        "moves": {
            "R": TURN,
            "U": TURN | {"B": {"permutation": [3, 0, 1, 2], "orientationDelta": [0, 0, 0, 0]}},
        },
        "derivedMoves": {"S": "R U2 R'", "T": "S2"},
    }
)
KSOLVE = [case.text for case in SMALL.values()] + [
    CUBE + "MoveSequence S R2' R\nMoveAlias T S\nMoveSequence U T3 R"
]
DRAWING = (EXAMPLES / "pyraminx.svg").read_text("utf-8")
MANIFEST = (
    Manifest("0.1", (ReleasedTable("novice", "a" * 64, 4, 2, 9, "b" * 64, "0.1"),))
    .to_json()
    .decode("utf-8")
)


@st.composite
def long(draw: st.DrawFn, valid: list[str], pieces: list[str]) -> str:
    """A valid text, or nearly;
    at some place in it some pieces may be repeated until the whole is long.
    """
    text = draw(st.sampled_from(valid).flatmap(mutated) | st.sampled_from(valid))
    if not draw(st.integers(0, 3)):
        return text
    unit = "".join(
        draw(
            st.lists(st.sampled_from(pieces) | st.characters(codec="utf-8"), min_size=1, max_size=4)
        )
    )
    at = draw(st.integers(0, len(text)))
    end = draw(st.sampled_from(["", "x", "\n", "'", '"']))
    return text[:at] + unit * ((LENGTH - len(text)) // len(unit)) + end + text[at:]


def refusal(
    kind: type[Exception], call: Callable[..., object], *arguments: object
) -> Exception | None:
    """The error of this kind that a call raises,
    if it does; it may take so long for texts of LENGTH.
    """
    began = time.thread_time()
    refused = None
    try:
        call(*arguments)
    except kind as error:
        event("refused")
        refused = error
    assert time.thread_time() - began < SECONDS
    return refused


def assert_said(refused: Exception, hint: str, folder: str = "") -> None:
    assert hint
    assert len(str(refused)) + len(hint) < 1500 + len(folder)


def read(folder: Path, ending: str, text: str) -> None:
    """Read a definition, and play some moves of it."""
    path = folder / f"own{ending}"
    path.write_text(text, "utf-8", "surrogatepass", newline="")
    file = DefinitionFile(path)
    if refused := refusal(InvalidDefinition, lambda: file.definition):
        assert_said(refused, getattr(refused, "hint", ""), str(folder))
        return
    assert refusal(InvalidDefinition, file.puzzle, "own") is None
    puzzle = file.puzzle("own")
    for move in puzzle.moves[:9]:
        puzzle.parse(puzzle.play(puzzle.goals[0].start, move.name))


@given(
    text=long(
        KSOLVE,
        [*"1'?\n", "R", "R2'", "999", "1 ", "S ", "Set C 3 2\n", "MoveSequence S R\n", "End\n"],
    )
)
@FEW
def test_definitions_of_ksolve(tmp_path: Path, text: str) -> None:
    read(tmp_path, ".tws", text)


@given(
    text=long([KPUZZLE], [*'[]{9,"', '{"a":', "[R,", "(R)", "R ", "-1,", '":"R","a', "\\n", "1e9"])
)
@FEW
def test_definitions_of_cubing_js(tmp_path: Path, text: str) -> None:
    read(tmp_path, ".json", text)


@given(
    text=long(
        [DRAWING],
        [*"1-; ", "<g>", "</g>", '<circle r="1"/>', "1.", ".5", "fill:", "-o1", "M0 0L", "&amp;"],
    )
)
@FEW
def test_drawings(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    refused = refusal(
        FormatError, read_svg, text, DefinitionFile(EXAMPLES / "pyraminx.tws").definition
    )
    if isinstance(refused, FormatError):
        assert_said(refused, refused.expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", LISTED)
@given(data=st.data())
@FEW
def test_texts_of_puzzles(name: str, data: st.DataObject) -> None:
    """States, moves, goals and the name itself."""
    puzzle = find(name)
    pieces = sorted({*puzzle.notation.examples[0]} | {*"0123456789-,|/'@ "})
    state = data.draw(long([*puzzle.notation.examples], pieces))
    move = data.draw(long([each.name for each in puzzle.moves[:4]] or ["?"], pieces))
    calls: list[tuple[Callable[..., object], tuple[str, ...]]] = [
        (puzzle.parse, (state,)),
        (puzzle.play, (puzzle.goals[0].start, move)),
        (puzzle.goal, (state,)),
        (
            partial(discovery._find.__wrapped__, _since=0),
            (data.draw(long([name], [*pieces, "-", "9", "x", name])),),
        ),
    ]
    for call, arguments in calls:
        refused = refusal(PuzzleError, call, *arguments)
        if isinstance(refused, PuzzleError):
            assert_for_people(refused)


@given(text=long([MANIFEST], [*'[{9", ', '{"a":', "1,", '"\\u00e9', "{},", "null,"]) | texts)
@FEW
def test_manifests(text: str) -> None:
    refused = refusal(DamagedTable, read_manifest, text.encode("utf-8", "surrogatepass"), "here")
    if isinstance(refused, DamagedTable):
        assert_said(refused, refused.hint)
