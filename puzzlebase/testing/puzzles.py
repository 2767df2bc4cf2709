"""Laws of a puzzle and a goal: of its texts and looks, and of its space if it has one."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from puzzlebase.puzzles import Goal, IllegalMove, Indices, Puzzle, UnknownGoal
from puzzlebase.service.answers.boards import board
from puzzlebase.service.answers.pictures import state_picture

Law = Callable[[Puzzle, Goal], None]

_WALKED = 12
"""States on a random walk whose texts and looks are examined."""
_SAMPLED = 300
"""Random states of a space."""


def walk(puzzle: Puzzle, goal: Goal, count: int = _WALKED, moves_between: int = 1) -> list[str]:
    """States on a random walk from a goal's start, always the same ones."""
    draw = random.Random(puzzle.name)  # noqa: S311 -- nothing is kept secret
    state = goal.start
    states = [state]
    while len(states) < count:
        for _ in range(moves_between):
            after = [*puzzle.played(state).values()]
            state = draw.choice(after) if after else goal.start
        states.append(state)
    return states


def sample(puzzle: Puzzle, goal: Goal, count: int = _SAMPLED) -> Indices:
    """Random indices of the space, always the same ones."""
    return np.random.default_rng(7).integers(0, puzzle.space(goal).size, count)


def names_are_unique(puzzle: Puzzle, goal: Goal) -> None:
    """Goals and moves are told apart by their names, and an unknown goal is refused."""
    assert puzzle.goal(goal.name) is goal
    assert len({each.name for each in puzzle.goals}) == len(puzzle.goals)
    for state in walk(puzzle, goal, 3):
        names = [move.name for move in puzzle.moves_of(state)]
        assert len({*names}) == len(names), state
    try:
        puzzle.goal("no such goal")
    except UnknownGoal:
        return
    raise AssertionError("an unknown goal is a goal")


def examples_are_states(puzzle: Puzzle, goal: Goal) -> None:
    """The examples of the notation, and the start, are written as they are read."""
    for text in (*puzzle.notation.examples, goal.start):
        assert puzzle.format(puzzle.parse(text)) == text


def illegal_moves_are_refused(puzzle: Puzzle, goal: Goal) -> None:
    """A move that a state does not name raises IllegalMove."""
    for state in walk(puzzle, goal):
        try:
            puzzle.play(state, "no such move")
        except IllegalMove:
            continue
        raise AssertionError(f"an unknown move of {state!r} is legal")


def looks_follow_play(puzzle: Puzzle, goal: Goal) -> None:
    """A board names the states after all legal moves;
    its moves take pieces that it has, and keep their ids.
    """
    for state in walk(puzzle, goal, 4):
        laid_out = board(puzzle, goal, state)
        legal = puzzle.played(state)
        assert {move["move"]: move["after"] for move in laid_out["moves"]} == legal
        places = {place["name"] for place in laid_out["places"]}
        pieces = {piece["id"] for piece in laid_out["pieces"]}
        assert len(places) == len(laid_out["places"])
        assert len(pieces) == len(laid_out["pieces"])
        assert {piece["place"] for piece in laid_out["pieces"]} <= places
        for move in laid_out["moves"]:
            moved = [motion["piece"] for motion in move["motions"] or ()]
            assert len({*moved}) == len(moved), move["move"]
            assert {*moved, *move["handle"]} <= pieces, move["move"]
            after = board(puzzle, goal, move["after"])
            assert {piece["id"] for piece in after["pieces"]} == pieces, move["move"]
        assert state_picture(puzzle, goal, state).startswith("<svg")


def text_and_index_are_inverse(puzzle: Puzzle, goal: Goal) -> None:
    """The board of an index ranks as this index, and so does its text."""
    space, indices = puzzle.space(goal), sample(puzzle, goal)
    boards = space.unrank(indices)
    assert np.array_equal(space.rank(boards), indices)
    for index, each in zip(indices.tolist(), boards, strict=True):
        text = puzzle.format(each)
        assert puzzle.text(index, goal) == text
        assert puzzle.index(text, goal) == index


def no_state_has_no_index(puzzle: Puzzle, goal: Goal) -> None:
    """What is no board ranks as -1, and nothing leads from -1."""
    space = puzzle.space(goal)
    noise = np.full_like(space.unrank(np.array([0])), 255)
    assert space.rank(noise).tolist() == [-1]
    assert (space.expand(np.array([-1])) == -1).all()


def play_agrees_with_expand(puzzle: Puzzle, goal: Goal) -> None:
    """The index of the text after a move is what `expand` gives,
    and -1 where the move is illegal.
    """
    indices = sample(puzzle, goal, 100)
    for index, successors in zip(
        indices.tolist(), puzzle.space(goal).expand(indices).tolist(), strict=True
    ):
        text = puzzle.text(index, goal)
        after = puzzle.played(text, [move.name for move in puzzle.moves])
        for move, successor in zip(puzzle.moves, successors, strict=True):
            assert (move.name in after) == (successor >= 0), (text, move.name)
            if successor >= 0:
                assert puzzle.index(after[move.name], goal) == successor, (text, move.name)


def symmetries_turn_moves_into_moves(puzzle: Puzzle, goal: Goal) -> None:
    """Moves lead symmetric states to symmetric states, and symmetries lead the goal to itself."""
    space, indices = puzzle.space(goal), sample(puzzle, goal, 20)

    def classes_after_moves(states: Indices) -> Indices:
        successors = space.expand(states)
        least = space.symmetric(np.maximum(successors, 0).reshape(-1)).min(axis=1)
        return np.sort(np.where(successors < 0, -1, least.reshape(successors.shape)))

    images = space.symmetric(indices)
    assert np.array_equal(images[:, 0], indices)
    for image in images.T:
        assert np.array_equal(classes_after_moves(image), classes_after_moves(indices))
    assert np.array_equal(np.unique(space.symmetric(space.goal_states)), np.sort(space.goal_states))


def moves_can_be_taken_back(puzzle: Puzzle, goal: Goal) -> None:
    """Each legal move has one that leads back."""
    space, indices = puzzle.space(goal), sample(puzzle, goal)
    for index, successors in zip(indices.tolist(), space.expand(indices), strict=True):
        legal = successors[successors >= 0]
        assert (space.expand(legal) == index).any(axis=1).all(), puzzle.text(index, goal)


def successors_are_those_of_expand(puzzle: Puzzle, goal: Goal) -> None:
    """`successors` gives what `expand` gives, without gaps."""
    space, indices = puzzle.space(goal), sample(puzzle, goal)
    to, counts = space.successors(indices)
    expected = [sorted(to for to in row if to >= 0) for row in space.expand(indices).tolist()]
    assert [sorted(part.tolist()) for part in np.split(to, np.cumsum(counts))[:-1]] == expected


def goal_states_are_those_of_the_goal(puzzle: Puzzle, goal: Goal) -> None:
    """The zeros of a table are the states of the goal."""
    assert puzzle.space(goal).goal_states.tolist() == sorted(
        {puzzle.index(state, goal) for state in goal.states}
    )


def letters_are_those_of_play(puzzle: Puzzle, goal: Goal) -> None:
    """If a puzzle plays many boards at once, their letters are the texts that `play` gives."""
    letters = puzzle.board.letters
    if not letters:
        return
    space, indices = puzzle.space(goal), sample(puzzle, goal, 50)
    boards = space.unrank(indices)
    after = letters.play(boards)
    assert after.shape == (len(boards), len(puzzle.moves), letters.length)
    for each, of_moves, successors in zip(
        boards, after, space.expand(indices).tolist(), strict=True
    ):
        text = each.tobytes().decode("ascii")
        assert np.array_equal(puzzle.parse(text), each)
        for move, of_move, successor in zip(puzzle.moves, of_moves, successors, strict=True):
            if successor >= 0:
                assert of_move.tobytes().decode("ascii") == puzzle.play(text, move.name)


OF_TEXTS: tuple[Law, ...] = (
    names_are_unique,
    examples_are_states,
    illegal_moves_are_refused,
    looks_follow_play,
)
OF_SPACES: tuple[Law, ...] = (
    text_and_index_are_inverse,
    no_state_has_no_index,
    play_agrees_with_expand,
    symmetries_turn_moves_into_moves,
    moves_can_be_taken_back,
    successors_are_those_of_expand,
    goal_states_are_those_of_the_goal,
    letters_are_those_of_play,
)


def laws_of(puzzle: Puzzle) -> tuple[Law, ...]:
    """The laws that a puzzle has to obey.
    A game given by rules has no space before a build finds its states.
    """
    numbered = puzzle.enumerable and puzzle.found is None
    return OF_TEXTS + OF_SPACES if numbered else OF_TEXTS
