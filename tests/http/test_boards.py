"""GET /board and /picture: the same pieces as data and drawn,
of every puzzle and small for the largest.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from puzzlebase.plugins.definitions.tests.small_definitions import (
    definitions_from,
    turning,
    written,
)
from puzzlebase.puzzles import find
from puzzlebase.service.answers.boards import board
from puzzlebase.service.error_status import TooMuchWork
from tests import naive
from tests.commands import command
from tests.fixtures import with_board
from tests.http.asking import SOLVED, assert_problem, get
from tests.matrix import present

LARGEST = present(
    "turnstile",
    "panguru",
    "panex-26",
    "hanoi-nnn-13",
    "sliding-3x4",
    "quantum-2x2-8-bulk",
    "quantum-2x3-3-bulk",
)
MAX_BYTES = 200_000


def shapes(svg: str) -> dict[str, ET.Element]:
    """The groups of a drawing that have an id."""
    return {
        group.attrib["id"]: group for group in ET.fromstring(svg).iter() if "id" in group.attrib
    }


@pytest.mark.parametrize("name", [*LARGEST, *present("panguru-4"), "novice-sixths"])
def test_a_picture_has_the_pieces_of_the_board(client: FlaskClient, name: str) -> None:
    laid_out = get(client, f"/v1/puzzles/{name}/board")
    picture = client.get(
        f"/v1/puzzles/{name}/picture", query_string={"state": laid_out["state"]}
    ).text
    drawn = shapes(picture)
    assert (
        ET.fromstring(picture).attrib["viewBox"]
        == f"0 0 {laid_out['width']:g} {laid_out['height']:g}"
    )
    assert [*drawn] == [shape["id"] for shape in laid_out["marks"] + laid_out["pieces"]]
    for shape in laid_out["marks"] + laid_out["pieces"]:
        elements = {element.tag.rpartition("}")[2]: element for element in drawn[shape["id"]]}
        path = elements.get("path")  # a label alone has none
        assert (path.attrib["d"] if path is not None else "") == shape["outline"]
        assert path is None or path.attrib["fill"] == shape["colour"]
        text = elements.get("text")
        assert (text.text if text is not None else "") == shape["label"]
        if text is not None:  # the middle of its letters is at y
            assert float(text.attrib["x"]) == shape["x"]
            middle = float(text.attrib["y"]) - 0.35 * shape["size"]
            assert middle == pytest.approx(shape["y"], abs=0.011)
            assert text.attrib["fill"] == shape["ink"]


@pytest.mark.parametrize("name", LARGEST)
def test_boards_of_the_largest_puzzles_are_small(client: FlaskClient, name: str) -> None:
    """Also of the states with the most moves: in quantum all positions hold as much space."""
    states = {
        "quantum-2x2-8-bulk": "2,2,2,2/2,2,2,2/2,2,2,2/2,2,2,2",
        "quantum-2x3-3-bulk": (
            "1,1,0,0,0,1/0,1,1,0,0,1/0,0,1,1,0,1/0,0,0,1,2,0/1,0,1,0,1,0/1,1,0,1,0,0"
        ),
    }
    state = states.get(name, find(name).goal().start)
    response = client.get(f"/v1/puzzles/{name}/board", query_string={"state": state})
    assert response.status_code == 200
    assert len(response.data) < MAX_BYTES


@pytest.mark.needs("page")
@pytest.mark.slow
def test_boards_that_are_too_large_are_refused(client: FlaskClient, tmp_path: Path) -> None:
    """One of 1,000 pieces and 999 moves before any is made,
    one of 400 when its moves change too many together.
    """
    for places in (100, 400, 1000):
        written(tmp_path, f"turning-{places}", turning(places))
    with definitions_from(tmp_path):
        laid_out = get(client, "/v1/puzzles/turning-100/board")
        assert sum(len(move["motions"]) for move in laid_out["moves"]) == 99 * 100
        for places in (400, 1000):
            refused = client.get(f"/v1/puzzles/turning-{places}/board")
            assert_problem(refused, 400, "too-much-work")
            assert f"{places:,} pieces and {places - 1} moves" in refused.text
        huge = find("turning-1000")
        untried = replace(huge.board.drawing, effect=lambda *_: pytest.fail("a move was tried"))
        with pytest.raises(TooMuchWork):
            board(with_board(huge, drawing=untried), huge.goal())
        page = client.get("/play/turning-1000")
        assert (page.status_code, page.content_type) == (400, "text/html; charset=utf-8")
        picture = client.get(
            f"/v1/puzzles/turning-400/picture?state={find('turning-400').goal().start}"
        )
        assert picture.status_code == 200
        shell = command(tmp_path, "board", "turning-1000")
        assert shell.status == 2
        assert "too many to say what each move does" in shell.stderr


def test_solved_is_in_the_letters_of_the_state(client: FlaskClient) -> None:
    renamed = SOLVED.translate(str.maketrans("ABCDE", "PbQAZ"))
    solved = get(client, "/v1/puzzles/avenger/board", state=naive.play(renamed, "R"))["solved"]
    assert {*solved} == {*renamed}
    assert get(client, "/v1/puzzles/avenger/lookup", state=solved)["distance"] == 0
    assert (
        get(client, "/v1/puzzles/turnstile/board", state=naive.play(SOLVED, "R"))["solved"]
        == SOLVED
    )


@pytest.mark.needs("panguru")
@pytest.mark.parametrize("goal", ["WCBRBOGYGPCORPY", "AABBCCDDEEFFGGW"])
def test_the_plates_of_panguru_are_the_goal(client: FlaskClient, goal: str) -> None:
    start = "-PCBRYOGYGBCORP" if "R" in goal else "ABCDEFG-GFEDCBA"
    laid_out = get(client, "/v1/puzzles/panguru/board", goal=goal, state=start)
    plates = {mark["id"]: mark for mark in laid_out["marks"] if mark["id"] != "board"}
    assert {name: plate["label"] for name, plate in plates.items()} == {
        f"plate-{at}": of for at, of in enumerate(goal)
    }
    painted = {shape["label"]: shape["colour"] for shape in plates.values()}
    assert all(piece["colour"] == painted[piece["label"]] for piece in laid_out["pieces"])
    solved = get(client, "/v1/puzzles/panguru/board", goal=goal, state=laid_out["solved"])
    for piece in solved["pieces"]:
        assert piece["colour"] == plates[f"plate-{piece['place']}"]["colour"]
    drawn = client.get(
        "/v1/puzzles/panguru/picture", query_string={"goal": goal, "state": start}
    ).text
    assert {*plates} <= {*shapes(drawn)}


@pytest.mark.needs("panex", "hanoi", "panguru")
def test_a_highlighted_move(client: FlaskClient) -> None:
    def picture(name: str, **fields: str) -> str:
        return client.get(f"/v1/puzzles/{name}/picture", query_string=fields).text

    for name, move, pieces in (
        ("novice", "L2", 12),
        ("panex-5", "LC", 1),
        ("hanoi-nnn-4", "SD", 2),
        ("panguru", "4", 1),
    ):
        start = find(name).goal().start
        plain, marked = picture(name, state=start), picture(name, state=start, highlight=move)
        assert {*shapes(plain)} == {*shapes(marked)}
        heavy = [
            of
            for of, group in shapes(marked).items()
            if any("stroke-width:3" in path.get("style", "") for path in group)
        ]
        laid_out: Any = get(client, f"/v1/puzzles/{name}/board")
        assert {*heavy} == {
            *next(known["handle"] for known in laid_out["moves"] if known["move"] == move)
        }
        assert len(heavy) == pieces
        assert (plain.count('class="arrow"'), marked.count('class="arrow"')) == (0, 1)
    refused = client.get("/v1/puzzles/panex-5/picture?state=abcde||ABCDE&highlight=CL")
    assert_problem(refused, 400, "illegal-move")
    assert_problem(
        client.get(f"/v1/puzzles/avenger/picture?state={SOLVED}&highlight=X"), 400, "illegal-move"
    )
