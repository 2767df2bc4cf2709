"""Whatever is given, to every parser, every address and every verb:
an answer or an error that is documented.

`make fuzz` runs the same with many more examples.
"""

from __future__ import annotations

import json
import string
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import copy
from typing import Any

import click
import numpy as np
import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from puzzlebase.command_line.main import program
from puzzlebase.puzzles import Puzzle, PuzzleError, UnknownPuzzle, all_families, discovery, find
from puzzlebase.service.answers.pictures import write_svg
from puzzlebase.service.http.app import create_app
from puzzlebase.service.http.limits import MAX_BODY
from puzzlebase.service.sources.budget import SearchLimits
from tests.commands import command
from tests.fixtures import TABLES

MANY = settings(
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.function_scoped_fixture,
        HealthCheck.data_too_large,
    ],
)
MEGABYTE = 1 << 20

ORACLES = ("panex-5", "panex-26")
MEMBERS = sorted({*ORACLES, *(name for family in all_families() for name in family.members)})
FIRST = {*ORACLES, *TABLES, *(name for family in all_families() for name in family.members[:1])}
ONE_AND_MORE = [
    name if name in FIRST else pytest.param(name, marks=pytest.mark.matrix) for name in MEMBERS
]
"""The same, of which `make test` takes one of each family and a few more."""

texts = st.text(max_size=40) | st.text(string.printable, max_size=40)
huge = st.integers(-(10**40), 10**40) | st.sampled_from(
    [0, 1, -1, 2**31, 2**53, 2**53 + 1, 2**63, 2**64, 10**400]
)


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    """A text with some characters changed, added, left out, doubled or moved."""
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        other = draw(st.characters() | st.sampled_from(text or "x"))
        text = draw(
            st.sampled_from(
                [
                    text[:at] + other + text[at + 1 :],
                    text[:at] + other + text[at:],
                    text[:at] + text[at + 1 :],
                    text[at:] + text[:at],
                    text[:at] + text[:at][::-1] + text[at:],
                ]
            )
        )
    return text


def valid_states(puzzle: Puzzle) -> list[str]:
    """States of a puzzle that its file shows, and some that moves lead to."""
    states = [*puzzle.notation.examples, *(goal.start for goal in puzzle.goals)]
    for move in puzzle.moves[:3]:
        try:
            states.append(puzzle.play(states[-1], move.name))
        except PuzzleError:
            continue
    return states


@st.composite
def states_of(draw: st.DrawFn, puzzle: Puzzle) -> str:
    """Valid states, nearly valid ones and others."""
    valid = draw(st.sampled_from(valid_states(puzzle)))
    return draw(st.just(valid) | mutated(valid) | texts)


def names() -> st.SearchStrategy[str]:
    """Names of puzzles: those listed, those that families answer to,
    those with absurd numbers, and others.
    """
    by_pattern = [st.from_regex(family.pattern, fullmatch=True) for family in all_families()]
    numbers = st.integers(-5, 10**30).map(str) | st.sampled_from(
        ["9" * 5000, "٣", "1e9", "0x10", "²"]
    )
    words = st.sampled_from(sorted({word for member in MEMBERS for word in member.split("-")}))
    joined = st.lists(words | numbers, min_size=1, max_size=5).map("-".join)
    crossed = st.tuples(words, numbers, numbers).map(
        lambda parts: f"{parts[0]}-{parts[1]}x{parts[2]}"
    )
    return st.one_of(st.sampled_from(MEMBERS), *by_pattern, joined, crossed, texts)


# Parsers.


def tried(call: Callable[..., Any], *arguments: object) -> tuple[Any, PuzzleError | None]:
    """The result of a call, or the error for people that it is allowed to raise."""
    try:
        return call(*arguments), None
    except PuzzleError as error:
        return None, error


def assert_for_people(error: PuzzleError) -> None:
    assert error.hint
    assert len(str(error)) < 1000


@pytest.mark.needs("panex")
@pytest.mark.slow
@pytest.mark.parametrize("name", ONE_AND_MORE)
@given(data=st.data())
def test_the_board_side_reads_or_refuses(name: str, data: st.DataObject) -> None:
    puzzle = find(name)
    text = data.draw(states_of(puzzle))
    board, refused = tried(puzzle.parse, text)
    if refused:
        assert_for_people(refused)
        with pytest.raises(type(refused)):
            puzzle.board.drawing.layout(text, puzzle.goal())
        return
    assert np.array_equal(puzzle.parse(puzzle.format(board)), board)
    assert write_svg(puzzle.board.drawing.layout(text, puzzle.goal()), text).startswith("<svg")
    move = data.draw(
        st.sampled_from([move.name for move in puzzle.moves])
        | mutated(puzzle.moves[0].name)
        | texts
    )
    after, refused = tried(puzzle.play, text, move)
    if refused:
        assert_for_people(refused)
    else:
        puzzle.parse(after)


def bytes_taken(call: Callable[..., Any], *arguments: object) -> int:
    """The most that a call holds at a time;
    what other threads take meanwhile counts too, so one of several counts.
    """
    tracemalloc.start()
    tried(call, *arguments)
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return taken


@pytest.mark.slow
@given(name=names(), goal=texts)
@settings(MANY)
@example(name="9" * 100_000, goal="")
@example(name="hanoi-nnn-" + "9" * 5000, goal="")
@example(name="sliding-99999x99999", goal="")
def test_a_name_is_a_puzzle_or_costs_nothing(name: str, goal: str) -> None:
    all_families()
    made = partial(discovery._find.__wrapped__, _since=0)
    cheap = any(bytes_taken(made, name) < MEGABYTE for _ in range(3))
    puzzle, refused = tried(made, name)
    if refused:
        event("refused")
        assert isinstance(refused, UnknownPuzzle)
        assert_for_people(refused)
        assert cheap
        return
    assert puzzle.name == name
    assert puzzle.goal() is puzzle.goals[0]
    _, refused = tried(puzzle.goal, goal)
    if refused:
        assert_for_people(refused)


# Addresses.


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables."""
    folder = tmp_path_factory.mktemp("fuzz")
    for path in data.glob("*.duckdb"):
        copy(path, folder)
    return folder


@pytest.fixture(scope="module")
def client(folder: Path) -> FlaskClient:
    """Of a service whose searches end soon:
    how an answer is written does not depend on how long it took.
    """
    return create_app(folder, limits=SearchLimits(seconds=0.2)).test_client()


scalars = st.none() | st.booleans() | huge | st.floats() | texts
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4)
)


@st.composite
def bodies(draw: st.DrawFn, value: dict[str, Any]) -> bytes:
    """JSON of the fields, mostly; or of something else, or broken."""
    body = json.dumps(value, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
    if draw(st.booleans()):
        return body
    at = draw(st.integers(0, len(body)))
    depth = draw(st.sampled_from([100, 1000, 100_000]))
    encoding = draw(st.sampled_from(["utf-16", "utf-32", "utf-8-sig", "utf-7"]))
    return draw(
        anything.map(lambda other: json.dumps(other).encode())
        | st.binary(max_size=4).map(lambda other: body[:at] + other + body[at + 1 :])
        | st.just(body[:-1] + (b"," if value else b"") + body[1:])
        | st.sampled_from([b'{"state":[', b'{"state":{"a":', b"["]).map(
            lambda opening: opening * depth
        )
        | st.binary(max_size=60)
        | st.just(body.decode("utf-8", "replace").encode(encoding))
        | st.sampled_from([MAX_BODY - len(body), MAX_BODY, 3 * MAX_BODY]).map(
            lambda spaces: body + b" " * spaces
        )
    )


BODY: dict[str, Any] = {"state": "RBBBBBBBBBBBBRRRRRRRR", "moves": ["R", "L"], "goal": None}


@pytest.mark.slow
@given(
    verb=st.sampled_from(["lookup", "grade", "hint", "solve"]),
    body=bodies(BODY) | bodies(BODY | {"states": ["x"]}),
)
@settings(MANY)
def test_every_body_has_a_documented_answer(client: FlaskClient, verb: str, body: bytes) -> None:
    """Right requests, and wrong ones of right form,
    are schemathesis's: tests/http/test_openapi.py.
    """
    answer = client.post(f"/v1/puzzles/novice/{verb}", data=body, content_type="application/json")
    event(f"{answer.status_code}")
    assert answer.status_code in (200, 400, 413, 422)
    if answer.status_code > 200:
        problem = json.loads(answer.data)
        assert answer.content_type == "application/problem+json"
        assert set(problem) == {"type", "title", "status", "detail", "hint"}
        assert problem["status"] == answer.status_code
        assert all(problem.values())
        assert len(answer.data) < 4000


# Verbs.

_LARGE = {"serve", "build", "verify", "publish"}
VERBS = sorted({*program.list_commands(click.Context(program))} - _LARGE)
"""The verbs that begin nothing large; `publish` builds a table that is missing."""


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """A verb with arguments, most of them its own."""
    puzzle = find(draw(st.sampled_from([*TABLES, *ORACLES, *MEMBERS])))
    verb = draw(st.sampled_from([*VERBS] * 4 + [draw(texts), "--help", "--version"]))
    command = program.get_command(click.Context(program), verb)
    options = [
        option
        for known in (command.params if command else [])
        for option in known.opts
        if option[0] == "-"
    ]
    values = (
        states_of(puzzle)
        | huge.map(str)
        | texts
        | st.sampled_from(["2026-11-21", "any,0", "L R2'", "-"])
    )
    words = [puzzle.name] if draw(st.integers(0, 9)) else [draw(names())]
    words += draw(st.lists(states_of(puzzle), min_size=1, max_size=2))
    for option in draw(st.lists(st.sampled_from([*options, "--json", "--nothing"]), max_size=3)):
        words += [option, draw(values)] if draw(st.booleans()) else [option]
    return [verb, *words]


@pytest.mark.needs("panex")
@pytest.mark.slow
@given(words=command_lines())
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
def test_every_command_line_ends_with_a_documented_status(
    folder: Path, tmp_path: Path, words: list[str]
) -> None:
    # The system's arguments have no NUL, and no file is to be written elsewhere.
    words = [word.replace("\0", "").replace("/", "") for word in words]
    status = command(folder, *words, given="x\n", folder=tmp_path).status
    event(f"{status}")
    assert status in (0, 1, 2)
