"""The board side: states as text, and legal moves. A board is uint8[n]: the choice of each disk, the largest first."""

from __future__ import annotations

import numpy as np

from puzzlebase.puzzles import Board, IllegalMove, ImpossibleState, InvalidState, check_move, shorten
from puzzlebase.puzzles.families.hanoi.colouring import COLOURS, MOVES, OTHER, POSTS, WORDS, HanoiRules


def parse(rules: HanoiRules, text: str) -> Board:
    """Read the choice of each disk, uint8[n]; raises InvalidState or ImpossibleState."""
    example = (
        f"a state of {rules.name} looks like {rules.start!r}: the posts S|I|D, each the "
        f"colour its disks show, R or B, and its disks from top to bottom, 1 the largest, {rules.n} the smallest"
    )
    short = repr(shorten(text))
    parts = text.split("|")
    if len(parts) != 3:
        raise InvalidState(f"{short} has {len(parts)} posts, not 3", example)
    choices = [-1] * rules.n
    for post, part in enumerate(parts):
        if not part:
            continue
        colour = part[0]
        if colour not in COLOURS:
            raise InvalidState(f"post {POSTS[post]} of {short} does not begin with R or B", example)
        above = rules.n + 1
        for word in part[1:].split("."):
            disk = _disk(rules, word, colour, short, example)
            if choices[disk - 1] >= 0:
                raise ImpossibleState(f"{short} has disk {disk} twice", example)
            if disk > above:
                raise ImpossibleState(f"{short} has the larger disk {above} on the smaller disk {disk}", example)
            choices[disk - 1] = 2 * post + COLOURS.index(colour)
            above = disk
        if not rules.takes(post, colour):
            own = WORDS[rules.posts[post]]
            raise ImpossibleState(f"{short} shows {WORDS[colour]} on post {POSTS[post]}, which is {own}", example)
    if -1 in choices:
        raise ImpossibleState(f"{short} lacks disk {choices.index(-1) + 1}", example)
    return np.array(choices, np.uint8)


def _disk(rules: HanoiRules, word: str, colour: str, short: str, example: str) -> int:
    """Read the number of a disk. Digits are compared as text: there may be too many for an integer."""
    disk = rules.disks.get(word)
    if disk is not None:
        return disk
    if word[:1] and word[0] == OTHER[colour] and word[1:] in rules.disks:
        raise ImpossibleState(
            f"{short} has disks of both colours on one post, so that sides of one colour touch", example
        )
    if word.isascii() and word.isdigit() and word[0] != "0":
        raise ImpossibleState(f"{short} has a disk {shorten(word, 20)}, and there are {rules.n}", example)
    raise InvalidState(f"{short} has {shorten(word, 20)!r} where the number of a disk belongs", example)


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
            raise IllegalMove(f"{illegal}: equal sides of disks {disk} and {below} would touch", why)
    posts[source] = left[0] + rest if rest else ""
    posts[target] = colour + disk + ("." + right[1:] if right else "")
    return "|".join(posts)
