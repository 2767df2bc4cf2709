"""puzzles/panex/__init__.py: the rules, the index without gaps, the goals, and what its tables answer."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from builder import TableJob, VerificationError
from builder.verify import agree_with_published
from db import MissingTable
from puzzles import (
    UNREACHED,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    NoSpace,
    Published,
    UnknownGoal,
    UnknownPuzzle,
    find,
    panex,
)
from service.answers import grades, hints, lookups, solutions, whole_tables
from service.answers.batches import lookup_batch
from service.http.app import create_app
from service.sources.folder import Tables
from tests import naive
from tests.conftest import quiet
from tests.naive import panex as naive_panex

ROWS = (6, 54, 609, 6132, 58956, 558363, 5263044)
OUT_OF_REACH = "a|Ab|cCB"
ANY_STATE = "ab|cA|BC"
TWENTY_SIX = "abcdefghijklmnopqrstuvwxyz||ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@cache
def graph_of_text(n: int) -> dict[str, list[tuple[str, str]]]:
    """Every state the twin reaches from the start, with its moves."""
    start = find(f"panex-{n}").goal().start
    known = {start: list(naive_panex.neighbours(start))}
    ahead = [start]
    while ahead:
        for _, after in known[ahead.pop()]:
            if after not in known:
                known[after] = list(naive_panex.neighbours(after))
                ahead.append(after)
    return known


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of every goal to n = 5, each built once, and of one other state."""
    folder = tmp_path_factory.mktemp("panex")
    for n in range(1, 6):
        puzzle = find(f"panex-{n}")
        for goal in {goal.key: goal for goal in puzzle.goals}.values():
            TableJob(puzzle, goal, folder, "test", 2, quiet()).build()
    puzzle = find("panex-3")
    TableJob(puzzle, puzzle.goal(ANY_STATE), folder, "test", 2, quiet()).build()
    return folder


@pytest.fixture(scope="module")
def tables(data: Path) -> Tables:
    return Tables(data)


@pytest.fixture(scope="module")
def client(data: Path) -> FlaskClient:
    return create_app(data).test_client()


# The rules.


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_all_of_it_agrees_with_the_twin(n: int, tables: Tables, golden: dict[str, Any]) -> None:
    """Every state, every move, and every distance to each goal."""
    puzzle, twin = find(f"panex-{n}"), graph_of_text(n)
    space = puzzle.space(puzzle.goal())
    assert space.size == len(twin) == golden["panex"]["reachable_positions_n1_to_4"][n - 1]
    every = np.arange(space.size)
    texts = [board.tobytes().decode("ascii") for board in space.unrank(every)]
    assert set(texts) == set(twin)
    index = {text: number for number, text in enumerate(texts)}
    names = [move.name for move in puzzle.moves]
    for text, successors in zip(texts, space.expand(every).tolist(), strict=True):
        moved = {name: to for name, to in zip(names, successors, strict=True) if to >= 0}
        assert moved == {name: index[after] for name, after in twin[text]}
    for goal in puzzle.goals:
        expected = naive.distances(goal.states[0], twin.__getitem__)
        opened = tables.get(puzzle.name, goal.name)
        assert opened.distances(every).tolist() == [expected[text] for text in texts]
        layers = np.bincount(list(expected.values()))
        assert whole_tables.histogram(opened)["layers"] == layers.tolist()


@pytest.mark.parametrize("n", [2, 5, 9, 26])
def test_play_agrees_with_the_twin_on_any_board(n: int) -> None:
    puzzle = find(f"panex-{n}")
    names = [move.name for move in puzzle.moves]
    walk = random.Random(n)
    state = puzzle.goal().start
    for _ in range(300):
        assert puzzle.format(puzzle.parse(state)) == state
        assert naive_panex.legal(state)
        legal = dict(naive_panex.neighbours(state))
        for name in names:
            if name in legal:
                assert puzzle.play(state, name) == legal[name]
            else:
                with pytest.raises(IllegalMove) as caught:
                    puzzle.play(state, name)
                assert name in str(caught.value)
                assert caught.value.hint
        state = legal[walk.choice(sorted(legal))]


def test_groups_are_the_tracks_that_tiles_leave() -> None:
    groups = {move.name: move.group for move in find("panex-5").moves}
    assert list(groups) == ["LC", "LR", "CL", "CR", "RL", "RC"]
    assert list(dict.fromkeys(groups.values())) == ["left track", "centre track", "right track"]
    assert all(group[0].upper() == name[0] for name, group in groups.items())


@pytest.mark.parametrize(
    ("state", "move", "why"),
    [
        ("abc||ABC", "CL", "centre track is empty"),
        ("bc|Aa|BC", "RC", "centre track is full"),
        ("bc|Aa|BC", "LR", "layer 0 of the centre track is in the way"),
        ("abc||ABC", "LL", "no move"),
        ("abc||ABC", "X" * 1000, "no move"),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason(state: str, move: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why) as caught:
        find("panex-3").play(state, move)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["panex-0", "panex-07", "panex-27", "panex-100000", "panex-", "panex-5\n", "panex-٣"])
def test_other_sizes_are_unknown(name: str) -> None:
    with pytest.raises(UnknownPuzzle):
        find(name)


@pytest.mark.parametrize(
    "state", ["", "abcABC", "abc|ABC", "abc|||ABC", "abd||ABC", "abc||ABc ", "abc||ABÇ", "|" * 9000]
)
def test_text_that_cannot_be_read(state: str) -> None:
    puzzle = find("panex-3")
    for ask in (puzzle.parse, puzzle.picture):
        with pytest.raises(InvalidState) as caught:
            ask(state)
        assert "abc||ABC" in caught.value.hint
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ("abc||ABB", "'C' 0 times|'B' 2 times"),
        ("ab||ABC", "'c' 0 times"),
        ("abcc||ABC", "'c' 2 times"),
        ("bca||ABC", "'a' too deep: 2 tiles lie above it in the left track, and it goes no deeper than layer 1"),
        ("|bcBA|Ca", "'A' too deep: 3 tiles lie above it in the centre track"),
        ("||cCBAba", "'A' too deep: 3 tiles lie above it in the right track"),
    ],
)
def test_a_state_that_cannot_be_is_refused_with_the_reason(state: str, why: str) -> None:
    puzzle = find("panex-3")
    with pytest.raises(ImpossibleState, match=why) as caught:
        puzzle.parse(state)
    assert repr(state) in str(caught.value)
    assert "abc||ABC" in caught.value.hint


def test_too_deep_means_off_the_board() -> None:
    """Random stacks: refused exactly where the twin has a tile that does not fit on the board."""
    puzzle, shuffled = find("panex-4"), random.Random(1)
    seen = {True: 0, False: 0}
    for _ in range(3000):
        text = list("abcdABCD||")
        shuffled.shuffle(text)
        state = "".join(text)
        fits = naive_panex.legal(state)
        seen[fits] += 1
        if fits:
            assert puzzle.format(puzzle.parse(state)) == state
        else:
            with pytest.raises(ImpossibleState, match="too deep"):
                puzzle.parse(state)
    assert min(seen.values()) > 50


# The index.


@pytest.mark.parametrize("n", range(1, 8))
def test_the_index_has_no_gap(n: int) -> None:
    puzzle = find(f"panex-{n}")
    space = puzzle.space(puzzle.goal())
    assert space.size == ROWS[n - 1] << n
    every = np.arange(space.size if n <= 5 else 0)
    indices = np.append(every, np.random.default_rng(n).integers(0, space.size, 100_000))
    boards = space.unrank(indices)
    assert np.array_equal(space.rank(boards), indices)
    assert np.array_equal(np.sort(boards, axis=1), np.broadcast_to(np.sort(boards[0]), boards.shape))


@pytest.mark.parametrize("n", range(1, 7))
def test_the_rows_are_all_there_are(n: int) -> None:
    """Counted with room for more, in breadth-first order: no row is found after one that its moves lead to."""
    index = panex._index(n)
    keys = np.zeros(2 * len(index.keys), np.int64)
    keys[0] = index.keys[0]
    slots = np.full(4 * len(index.slots), -1, np.int32)
    assert panex._find_rows(n, keys, slots) == len(index.keys) == ROWS[n - 1] == panex._ROWS[n - 1]
    assert np.array_equal(keys[: len(index.keys)], index.keys)
    product = index.product()
    found_by = np.full(product.rows, product.rows)
    for targets in product.row_move:
        np.minimum.at(found_by, targets[targets >= 0], np.flatnonzero(targets >= 0))
    assert (found_by[1:] < np.arange(1, product.rows)).all()
    assert (np.diff(found_by[1:]) >= 0).all()


@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_the_product_form_says_what_expand_says(n: int) -> None:
    puzzle = find(f"panex-{n}")
    space = puzzle.space(puzzle.goal())
    assert space.product is not None
    indices = np.random.default_rng(n).integers(0, space.size, 20_000)
    assert np.array_equal(space.product().expand(indices), space.expand(indices))


def test_goals_of_one_size_share_their_rows() -> None:
    puzzle = find("panex-4")
    products = {puzzle.space(goal).product for goal in (*puzzle.goals, puzzle.goal("abc|d|ABCD"))}
    assert len(products) == 1


@pytest.mark.parametrize(
    "state", [b"abc||AB|", b"abc|||BC", b"aac||ABC", b"abc||ABD", b"abcaABC|", b"\xff" * 8, b"\0" * 8]
)
def test_garbage_has_no_index(state: bytes) -> None:
    space = find("panex-3").space(find("panex-3").goal())
    boards = np.frombuffer(state, np.uint8)[None, :]
    assert space.rank(boards).tolist() == [-1]
    letters = find("panex-3").letters
    assert letters is not None
    assert letters.play(boards).shape == (1, 6, 8)


# Goals.


@pytest.mark.parametrize("n", range(1, 6))
def test_distances_from_the_starts_are_the_published_ones(n: int, tables: Tables, golden: dict[str, Any]) -> None:
    known = golden["panex"]
    expected = {"exchange": known["X"][n - 1], "centre": known["T"][n - 1], "centre-corner": known["T_bar"][n - 1]}
    if n > 1:
        expected |= {"sink": known["S_n2_to_10"][n - 2], "sink-corner": known["S_bar_n2_to_10"][n - 2]}
    puzzle = find(f"panex-{n}")
    assert [goal.name for goal in puzzle.goals] == list(expected)
    for name, distance in expected.items():
        opened = tables.get(puzzle.name, name)
        answer = lookups.lookup(opened, puzzle.goal(name).start)
        assert answer["distance"] == distance
        assert answer["goal"] == name
        assert whole_tables.histogram(opened)["states"] == ROWS[n - 1] << n


def test_the_goals_carry_what_is_published(golden: dict[str, Any]) -> None:
    known = golden["panex"]
    for n in range(1, 27):
        goals = find(f"panex-{n}").goals
        carried = [goal.published and goal.published.start_distance for goal in goals]
        lists = (known["X"], known["T"], known["T_bar"], [None, *known["S_n2_to_10"]], [None, *known["S_bar_n2_to_10"]])
        assert carried == [values[n - 1] if n <= len(values) else None for values in lists][: len(goals)]


def test_the_goals_are_the_five() -> None:
    shown = {goal.name: (goal.start, goal.states) for goal in find("panex-3").goals}
    assert shown == {
        "exchange": ("abc||ABC", ("ABC||abc",)),
        "centre": ("abc||ABC", ("|abc|ABC",)),
        "centre-corner": ("abc||ABC", ("|bc|aABC",)),
        "sink": ("c|ab|ABC", ("ab|c|ABC",)),
        "sink-corner": ("c|b|aABC", ("ab|c|ABC",)),
    }
    assert [goal.name for goal in find("panex-1").goals] == ["exchange", "centre", "centre-corner"]


def test_a_build_that_disagrees_with_a_published_start_is_refused() -> None:
    agree_with_published(Published("nobody", start_distance=3), (1, 2), 3)
    with pytest.raises(VerificationError, match="distance from the start published in nobody: expected 4, found 3"):
        agree_with_published(Published("nobody", start_distance=4), (1, 2), 3)


def test_any_state_can_be_the_goal(tables: Tables, data: Path) -> None:
    puzzle = find("panex-3")
    goal = puzzle.goal(ANY_STATE)
    assert goal.name == ANY_STATE
    assert goal.states == (ANY_STATE,)
    assert re.fullmatch("[a-z0-9-]+", goal.key)
    assert (data / f"panex-3@{goal.key}.duckdb").exists()
    by_key = puzzle.goal(goal.key)
    assert by_key == goal
    assert puzzle.space(by_key) is puzzle.space(goal)
    expected = naive.distances(ANY_STATE, graph_of_text(3).__getitem__)
    opened = tables.get("panex-3", ANY_STATE)
    for text, distance in expected.items():
        assert opened.distances(np.array([opened.index(text)])).tolist() == [distance]
    assert (puzzle, goal) in tables.built()


def test_goals_without_a_table_leave_nothing_behind(tables: Tables) -> None:
    before = dict(tables._sources)
    for goal in list(graph_of_text(2))[:50]:
        if goal not in {named.states[0] for named in find("panex-2").goals}:
            with pytest.raises(MissingTable):
                tables.get("panex-2", goal)
    assert dict(tables._sources) == before


def test_the_state_of_a_named_goal_is_that_goal() -> None:
    puzzle = find("panex-3")
    for goal in puzzle.goals:
        assert puzzle.table_name(puzzle.goal(goal.states[0])) == puzzle.table_name(goal)
    start = puzzle.goal("abc||ABC")
    assert start.start == "ABC||abc"
    assert puzzle.goal("Aabc||BC").start == "abc||ABC"


def test_keys_differ_where_letters_are_alike() -> None:
    """On a disk that holds A and a alike, too."""
    puzzle = find("panex-2")
    goals = [puzzle.goal(text) for text in graph_of_text(2)]
    assert len({goal.key.lower() for goal in goals}) == len({goal.states for goal in goals}) == 216


@pytest.mark.parametrize(
    ("goal", "error"),
    [
        ("no such goal", UnknownGoal),
        ("sink-cornr", UnknownGoal),
        ("A2-B-C", UnknownGoal),
        ("abc|ABC", InvalidState),
        ("abc||ABx", InvalidState),
        ("abc||ABB", ImpossibleState),
        ("cba||ABC", ImpossibleState),
        (OUT_OF_REACH, ImpossibleState),
    ],
)
def test_what_is_no_goal(goal: str, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        find("panex-3").goal(goal)
    assert "abc||ABC" in str(caught.value) + caught.value.hint  # type: ignore[attr-defined]


# Answers.


def test_a_state_out_of_reach_is_not_solvable_and_has_its_moves(tables: Tables) -> None:
    puzzle = find("panex-3")
    legal = dict(naive_panex.neighbours(OUT_OF_REACH))
    assert puzzle.format(puzzle.parse(OUT_OF_REACH)) == OUT_OF_REACH
    assert len(legal) == 4
    for goal in puzzle.goals:
        opened = tables.get("panex-3", goal.name)
        assert opened.index(OUT_OF_REACH) == -1
        assert opened.distances(np.array([-1])).tolist() == [UNREACHED]
        answer = lookups.lookup(opened, OUT_OF_REACH)
        assert answer["solvable"] is False
        assert answer["distance"] is None
        assert {move["move"]: move["state"] for move in answer["moves"]} == legal
        assert all(move["distance"] is None and move["delta"] is None for move in answer["moves"])
        assert not any(move["optimal"] for move in answer["moves"])
        states = ["abc||ABC", OUT_OF_REACH, "cba||ABC", "bc|a|ABC"]
        results = json.loads(lookup_batch(opened, states, moves=True))["results"]
        assert [results[at] for at in (0, 1, 3)] == [lookups.lookup(opened, states[at]) for at in (0, 1, 3)]
        assert results[2]["problem"]["status"] == 422


def test_no_help_from_a_state_out_of_reach(tables: Tables) -> None:
    opened = tables.get("panex-3")
    assert solutions.solve(opened, OUT_OF_REACH, every=3)["solution"] == []
    assert hints.hint(opened, OUT_OF_REACH, 4)["move"] is None
    moves = [move for move, _ in naive_panex.neighbours(OUT_OF_REACH)]
    graded = grades.grade(opened, OUT_OF_REACH, moves=moves[:1])
    assert graded["legal"]
    assert not graded["solved"]
    assert graded["stars"] == 0


def test_a_solution_is_as_long_as_the_distance_and_ends_at_the_goal(tables: Tables) -> None:
    opened = tables.get("panex-5")
    answer = solutions.solve(opened, opened.goal.start, states=True)
    assert len(answer["solution"]) == answer["distance"] == 343
    state = opened.goal.start
    for move, passed in zip(answer["solution"], answer["states"][1:], strict=True):
        after = dict(naive_panex.neighbours(state))[move]
        assert after == passed
        state = after
    assert state == "ABCDE||abcde"


@pytest.mark.parametrize("name", ["panex-8", "panex-26"])
def test_beyond_tables_there_is_a_board(name: str, client: FlaskClient) -> None:
    puzzle = find(name)
    start = puzzle.goal().start
    for ask in (puzzle.space, puzzle.table_name):
        with pytest.raises(NoSpace, match="too many states"):
            ask(puzzle.goal())
    lookup = client.get(f"/v1/puzzles/{name}/lookup", query_string={"state": start})
    assert lookup.status_code == 409
    assert lookup.json["hint"] == f"build it: make build-db PUZZLE={name}"  # type: ignore[index]
    about = client.get(f"/v1/puzzles/{name}").json
    assert about is not None
    assert about["coverage"] == "none"
    assert about["table"] is None
    picture = client.get(f"/v1/puzzles/{name}/picture", query_string={"state": start})
    assert picture.status_code == 200


def test_goals_over_http(client: FlaskClient) -> None:
    def ask(goal: str) -> Any:
        return client.get("/v1/puzzles/panex-3/lookup", query_string={"state": "abc||ABC", "goal": goal})

    assert ask("ABC||abc").json["goal"] == "exchange"
    assert ask(ANY_STATE).json["goal"] == ANY_STATE
    assert ask("sink-corner").json["distance"] == ask("ab|c|ABC").json["distance"]
    assert [ask(goal).status_code for goal in ("nothing", "a|b", "cba||ABC", OUT_OF_REACH)] == [404, 400, 422, 422]
    assert ask("bc|a|ABC").json["source"] == "search"
    missing = client.get("/v1/puzzles/panex-3/histogram", query_string={"goal": "bc|a|ABC"})
    assert missing.status_code == 409
    assert "GOAL=bc-a-a2b2c2" in missing.json["hint"]  # type: ignore[index]


# Pictures.


@pytest.mark.parametrize(("n", "state"), [(1, "|a|A"), (3, "bc|Aa|BC"), (26, TWENTY_SIX)])
def test_two_pictures_of_a_state(n: int, state: str) -> None:
    puzzle = find(f"panex-{n}")
    assert list(puzzle.styles) == ["silver", "gold"]
    silver, gold = (draw(state) for draw in puzzle.styles.values())
    assert puzzle.picture(state) == silver
    lying = naive_panex.places(state)
    tracks = ("left track", "centre track", "right track")
    for picture, sized in ((silver, True), (gold, False)):
        board, *tiles = picture.cells
        assert board.label == ""
        assert {tile.place: tile.label for tile in tiles} == {
            f"{tracks[track]}, layer {layer}": str(naive_panex.SIZES[tile]) if sized else ""
            for (track, layer), tile in lying.items()
        }
        towers: dict[bool, set[str]] = {True: set(), False: set()}
        for cell in tiles:
            track, layer = cell.place.split(", layer ")
            towers[lying[tracks.index(track), int(layer)].isupper()].add(cell.colour)
            assert 0 < cell.x < picture.width
            assert 0 < cell.y < picture.height
        assert all(len(colours) == 1 for colours in towers.values())
        assert towers[True] != towers[False]
        assert board.colour not in towers[True] | towers[False]
    assert [(cell.place, cell.outline) for cell in silver.cells] == [(cell.place, cell.outline) for cell in gold.cells]
    assert {cell.colour for cell in silver.cells[1:]} != {cell.colour for cell in gold.cells[1:]}


def test_deeper_is_lower_and_tracks_stand_side_by_side() -> None:
    cells = {cell.place: cell for cell in find("panex-3").picture("abc|A|BC").cells}
    below = [cells[f"left track, layer {layer}"].y for layer in (1, 2, 3)]
    assert below == sorted(set(below))
    across = [cells[f"{track} track, layer {layer}"].x for track, layer in (("left", 1), ("centre", 1), ("right", 2))]
    assert across == sorted(set(across))


def test_the_style_of_a_picture_over_http(client: FlaskClient) -> None:
    def ask(name: str, **query: str) -> Any:
        return client.get(f"/v1/puzzles/{name}/picture", query_string=query)

    plain, silver, gold = (
        ask("panex-3", state="abc||ABC", **style) for style in ({}, {"style": "silver"}, {"style": "gold"})
    )
    assert plain.text == silver.text != gold.text
    assert plain.content_type.startswith("image/svg+xml")
    for name, state in (("panex-3", "abc||ABC"), ("novice", "BBBBBBBBBBBBRRRRRRRRR")):
        refused = ask(name, state=state, style="bronze")
        assert refused.status_code == 400
        assert "bronze" in refused.json["detail"]
