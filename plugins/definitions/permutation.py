"""A permutation puzzle, given by its solved state and its generators as cycles of places."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from puzzlebase.plugins.definitions.definition import Transformation, stack
from puzzlebase.plugins.definitions.letter_puzzles import letter_puzzle
from puzzlebase.plugins.definitions.listed_space import bytes_of_a_state, listed_space
from puzzlebase.plugins.definitions.sequences import powers_of
from puzzlebase.plugins.definitions.stabilizer_chain import Chain
from puzzlebase.puzzles.contract.errors import TooManyStates
from puzzlebase.puzzles.contract.goal import Published
from puzzlebase.puzzles.contract.puzzle import Puzzle
from puzzlebase.puzzles.contract.space import Boards, Space

MOST_STATES = 1 << 30  # where the letters tell all permutations apart: a space takes less than a byte a state
LISTED_BYTES = 1 << 29  # for the list of states where they do not

Cycles = Sequence[Sequence[int]]


def permutation_puzzle(
    name: str,
    *,
    solved: str,
    moves: Mapping[str, Cycles],
    powers: bool = False,
    title: str = "",
    state: str = "",
    published: Published | None = None,
) -> Puzzle:
    """Make a puzzle whose moves permute letters, all of them legal in every state.

    Args:
        name: one of its family's names.
        solved: the goal, an ASCII character in each place, counted from 0; they may repeat. Spaces and line breaks only
            lay out the picture.
        moves: the generators by name, as cycles. In (a, b, c) the letter in place a goes to b, that in b to c, and
            that in c to a. The inverse of a generator R is the move R', unless R is its own inverse.
        powers: True for moves R2, R3, ... and R2', R3', ... of each generator R.
        title: the name for people, by default `name`.
        state: the meaning of the letters, for people.
        published: published numbers of the goal.

    Raises ValueError for an invalid argument. The space raises NoSpace above MOST_STATES states, or above LISTED_BYTES
    of memory where letters repeat so that permutations look alike.
    """
    solved_letters = "".join(solved.split())
    places = len(solved_letters)
    turns: dict[str, Transformation] = {}
    groups: dict[str, str] = {}
    for generator, cycles in moves.items():
        once = _transformation(generator, cycles, places)
        named = dict(powers_of(generator, once, np.ones(places, np.int64), powers=powers))
        if clash := turns.keys() & named.keys():
            raise ValueError(f"{name} has two moves {min(clash)!r}; rename a generator")
        turns |= named
        groups |= dict.fromkeys(named, generator)
    if not turns:
        raise ValueError(f"{name} has no moves")
    sources = {move: turn.source.tolist() for move, turn in turns.items()}
    order = stack([*turns.values()]).source

    def play_boards(boards: Boards) -> Boards:
        return boards.take(order, axis=1)

    return letter_puzzle(
        name,
        solved=solved,
        moves=groups,
        play=lambda text, move: "".join([text[place] for place in sources[move]]),
        space=partial(_space, solved_letters, [*turns.values()], play_boards),
        play_boards=play_boards,
        permutations=sources,
        title=title,
        state=state,
        published=published,
    )


def _transformation(name: str, cycles: Cycles, places: int) -> Transformation:
    """The generator of some cycles."""
    turn = Transformation.none(places)
    moved = [place for cycle in cycles for place in cycle]
    if len({*moved}) < len(moved) or not {*moved} <= {*range(places)}:
        raise ValueError(f"the cycles of {name!r} name a place twice, or one that is not in 0 .. {places - 1}")
    for cycle in cycles:
        turn.source[[*cycle]] = [*cycle[-1:], *cycle[:-1]]
    if turn.does_nothing:
        raise ValueError(f"{name!r} moves nothing")
    return turn


def _space(solved: str, turns: Sequence[Transformation], play_boards: Callable[[Boards], Boards]) -> Space:
    board = np.frombuffer(solved.encode("ascii"), np.uint8)
    elements = [np.argsort(turn.source).astype(np.int16) for turn in turns]
    try:
        chain = Chain.of(elements, MOST_STATES)
    except TooManyStates:
        chain = None
    if chain and chain.tells_apart(board):
        product = chain.product_form(elements)  # the states are the elements of the group, one each
        return Space.of_tables(
            product, np.zeros(1, np.int64), rank=partial(chain.find, board), unrank=partial(chain.boards, board)
        )
    moved = [letter for place, letter in enumerate(solved) if any(turn.changed[place] for turn in turns)]
    if len({*moved}) == len(moved):  # each permutation is a state of its own
        raise TooManyStates(MOST_STATES)
    return listed_space(board, play_boards, LISTED_BYTES // bytes_of_a_state(len(solved), len(turns)))
