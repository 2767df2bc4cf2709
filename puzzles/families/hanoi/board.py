"""The board side: states as text, and legal moves.
A board is uint8[n]: the choice of each disk, the largest first.
"""

from __future__ import annotations

import re
from itertools import chain

import numpy as np

from puzzlebase.puzzles import (
    Board,
    IllegalMove,
    ImpossibleState,
    InvalidState,
    check_move,
    shorten,
)
from puzzlebase.puzzles.families.hanoi.rules import COLOURS, MOVES, OTHER, POSTS, WORDS, HanoiRules

_POST = re.compile(r"([RB][1-9][0-9]*(\.[1-9][0-9]*)*)?")


def parse(rules: HanoiRules, text: str) -> Board:
    """Read the choice of each disk, uint8[n]; raises InvalidState or ImpossibleState."""
    example = (
        f"a state of {rules.name} looks like {rules.start!r}: the posts S|I|D, each the "
        "colour its disks show, R or B, and its disks from top to bottom, 1 the largest, "
        f"{rules.n} the smallest"
    )
    short = repr(shorten(text))
    posts = text.split("|")
    if len(posts) != len(POSTS) or not all(map(_POST.fullmatch, posts)):
        raise InvalidState(
            f"{short} is not three posts, each empty or a colour and the disks that show it",
            example,
        )
    piles = [post[1:].split(".") if post else [] for post in posts]
    if sorted(chain(*piles)) != sorted(rules.disks):
        raise ImpossibleState(
            f"{short} does not have each of the disks 1 to {rules.n} once", example
        )
    choices = np.empty(rules.n, np.uint8)
    for post, (shown, words) in enumerate(zip(posts, piles, strict=True)):
        if not words:
            continue
        colour, disks = shown[0], [rules.disks[word] for word in words]
        if disks != sorted(disks, reverse=True):
            raise ImpossibleState(
                f"{short} has a larger disk on a smaller one on post {POSTS[post]}", example
            )
        if not rules.takes(post, colour):
            own = WORDS[rules.posts[post]]
            raise ImpossibleState(
                f"{short} shows {WORDS[colour]} on post {POSTS[post]}, which is {own}", example
            )
        choices[np.array(disks) - 1] = 2 * post + COLOURS.index(colour)
    return choices


def format_board(board: Board) -> str:
    """Write a board as `parse` reads it."""
    posts = ["", "", ""]
    for disk in range(len(board), 0, -1):
        post, colour = divmod(int(board[disk - 1]), 2)
        posts[post] += f".{disk}" if posts[post] else f"{COLOURS[colour]}{disk}"
    return "|".join(posts)


def play(rules: HanoiRules, text: str, move: str) -> str:
    """Make a move in a text that parses; raises IllegalMove."""
    check_move(move, MOVES)
    source, target = MOVES[move]
    posts = text.split("|")
    left, right = posts[source], posts[target]
    why = "a move takes the top disk of one post to another and turns it over"
    illegal = f"{move} is not legal in {shorten(text)!r}"
    if not left:
        raise IllegalMove(f"{illegal}: post {move[0]} is empty", why)
    disk, _, rest = left[1:].partition(".")
    colour = OTHER[left[0]]
    if not rules.takes(target, colour):
        own = WORDS[rules.posts[target]]
        raise IllegalMove(f"{illegal}: disk {disk} would show {WORDS[colour]} on a {own} post", why)
    if right:
        below = right[1:].partition(".")[0]
        if int(below) > int(disk):
            raise IllegalMove(f"{illegal}: disk {disk} is larger than disk {below}", why)
        if right[0] != colour:
            raise IllegalMove(
                f"{illegal}: equal sides of disks {disk} and {below} would touch", why
            )
    posts[source] = left[0] + rest if rest else ""
    posts[target] = colour + disk + ("." + right[1:] if right else "")
    return "|".join(posts)
