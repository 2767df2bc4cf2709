"""Derives the graph of a certificate from the rules:
its words, types, places, edges and lengths of level 2.

Nothing here imports anything of the project. The document README.md has the rules, the words and
the proofs with their numbered lemmas.

Piles have no bottom here: a tile is named by its track and its depth in the pile when the piece
began. Words that come back to an arrangement with no tile in hand are left out (lemma 3). Only two
blocks of letters are erased (`Words.then`). Both searches end by themselves. The step takes the
types of level N and finds the same types for level N + 1, so the graph is the same for every level
(lemma 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple, TypedDict

LEFT, CENTRE, RIGHT = TRACKS = (0, 1, 2)
LIFT, DROP = "^", "v"

HIGHEST = (0, 1, 0)
"""The highest layer of each track in which a tile may stop."""

DEEPEST = {"a": 1, "A": 1, "b": 2, "B": 2}
"""The deepest layer of a small tile of level 2: its size. That of a big tile in hand is layer 2."""

SHAPES = (("ab", "", "AB"), ("", "ab", "AB"), ("", "b", "aAB"), ("ab", "AB", ""), ("aAb", "B", ""))
"""The five shapes of level 2."""

TOWERS = ((LEFT, RIGHT), (CENTRE, RIGHT), (CENTRE, RIGHT), (LEFT, CENTRE), (LEFT, CENTRE))
"""The tracks in which the tiles of size N + 1 lie in the five shapes of level N + 1, N >= 2."""

NAMES = {
    (LEFT, 0): "0",
    (CENTRE, 0): "1",
    (CENTRE, 1): "2",
    (RIGHT, 0): "3",
    "Z": "4",
    "z": "5",
    None: "-",
}
"""The names of tiles in a certificate."""

Tile = Any
"""(track, depth) for a tile of a pile, a letter for a small one."""

Letter = tuple[str, Tile, int]
Word = tuple[Letter, ...]
Pile = tuple[tuple[Tile, ...], int]
"""The tiles that were put on a pile, from the top,
and the number of its own tiles that are gone.
"""

Layer = tuple[Tile, Tile, Tile]
"""The tile in layer N + 1 of each track at an N-useful position, None for none."""

Place = tuple[int, Layer, Word]
"""A partial state: shape of level N, layer N + 1, and the word of level N + 1 so far."""

Type = tuple[int, int, Word]


def require(condition: object, why: str) -> None:
    """Raise AssertionError unless the condition holds."""
    if not condition:
        raise AssertionError(why)


class After(NamedTuple):
    """The three piles and the tiles in hand after a word,
    and every arrangement so far with no tile in hand.
    """

    piles: tuple[Pile, ...]
    hand: frozenset[Tile]
    seen: frozenset[tuple[Pile, ...]]


UNTOUCHED: tuple[Pile, ...] = (((), 0), ((), 0), ((), 0))


class Words:
    """Every word so far, with the piles and tiles in hand after it."""

    def __init__(self) -> None:
        self.after: dict[Word, After] = {(): After(UNTOUCHED, frozenset(), frozenset({UNTOUCHED}))}
        self.then = cache(self._then)

    def tile(self, word: Word, track: int, depth: int = 0) -> Tile:
        """The tile at a depth of a pile after a word. There always is one."""
        put, gone = self.after[word].piles[track]
        return put[depth] if depth < len(put) else (track, gone + depth - len(put))

    def _then(self, word: Word, letter: Letter) -> Word | None:
        """The word with a letter more, None if it is on no shortest path."""
        longer = (*word, letter)
        before, after = self.after[word], self._changed(word, letter)
        if not after.hand and after.piles in before.seen:
            return None
        for block in 2, 4:
            if len(longer) >= block and asks_nothing(longer[-block:]):
                erased = longer[:-block]
                there = self.after[erased]
                require(
                    (there.piles, there.hand) == (after.piles, after.hand),
                    "letters that ask for something go",
                )
                return erased
        self.after[longer] = after
        return longer

    def _changed(self, word: Word, letter: Letter) -> After:
        (sign, tile, track), before = letter, self.after[word]
        put, gone = before.piles[track]
        if sign == LIFT:
            require(tile == self.tile(word, track), "a tile is lifted that is not on top")
            hand = before.hand | {tile}
            pile = (put[1:], gone) if put else ((), gone + 1)
        else:
            require(tile in before.hand, "a tile is dropped that is not in hand")
            hand = before.hand - {tile}
            pile = (tile, *put), gone
            while pile[0] and pile[0][-1] == (track, pile[1] - 1):
                pile = pile[0][:-1], pile[1] - 1
        piles = (*before.piles[:track], pile, *before.piles[track + 1 :])
        return After(piles, hand, before.seen if hand else before.seen | {piles})


def asks_nothing(block: Word) -> bool:
    """Tell if letters are to be erased: y^c yvc, or, all in the centre, y^ xv x^ yv."""
    signs, tiles, tracks = zip(*block, strict=True)
    if len(block) == 2:
        return signs == (LIFT, DROP) and tiles[0] == tiles[1] and tracks[0] == tracks[1]
    return (
        signs == (LIFT, DROP, LIFT, DROP)
        and set(tracks) == {CENTRE}
        and tiles == (*tiles[:2], *tiles[1::-1])
    )


# Level 2: breadth-first search on the moves themselves.

Window = tuple[tuple[Tile, ...], ...]
"""The tiles in layers 0 to 2 of each track, from the top."""

Moment = tuple[Window, Word]


def pieces_of_level_2(words: Words) -> dict[Type, dict[int, int]]:
    """The fewest moves of a piece of level 2 of each type, by its flips."""
    following: dict[Moment, list[Moment]] = {}
    lengths: dict[Type, dict[int, int]] = {}
    for start, shape in enumerate(SHAPES):
        first: Moment = (tuple(map(tuple, shape)), ())
        moves = {first: 0}
        queue = [first]
        for moment in queue:
            if moment not in following:
                following[moment] = list(moments_after(moment, words))
            for after in following[moment]:
                if after in moves:
                    continue
                moves[after] = moves[moment] + 1
                end = shape_of(after[0])
                if end is None:
                    queue.append(after)
                else:
                    flips = order_of(after[0]) ^ order_of(first[0])
                    lengths.setdefault((start, end, after[1]), {}).setdefault(flips, moves[after])
    return lengths


def moments_after(moment: Moment, words: Words) -> Iterator[Moment]:
    """Every moment that one move leads to (lemma 4)."""
    window, word = moment
    for source in TRACKS:
        tile = window[source][0] if window[source] else words.tile(word, source)
        lifted = word if window[source] else words.then(word, (LIFT, tile, source))
        for target in TRACKS:
            if lifted is None or target == source:
                continue
            tracks = list(window)
            tracks[source] = window[source][1:]
            if fits((tile, *window[target]), target):
                tracks[target] = (tile, *window[target])
                yield tuple(tracks), lifted
            if not window[target] and tile not in DEEPEST:
                dropped = words.then(lifted, (DROP, tile, target))
                if dropped is not None:
                    tracks[target] = ()
                    yield tuple(tracks), dropped


def fits(tiles: tuple[Tile, ...], track: int) -> bool:
    """Tell if tiles fit into a track, if each goes as deep as it can, but not below layer 2."""
    layer = 3
    for tile in reversed(tiles):
        layer = min(DEEPEST.get(tile, 2), layer - 1)
    return layer >= HIGHEST[track]


def shape_of(window: Window) -> int | None:
    """The shape, None for none or where a big tile is in hand."""
    if any(tile not in DEEPEST for tiles in window for tile in tiles):
        return None
    sizes = tuple("".join(tiles).lower() for tiles in window)
    return next(
        (at for at, shape in enumerate(SHAPES) if tuple(each.lower() for each in shape) == sizes),
        None,
    )


def order_of(window: Window) -> int:
    """Bit 0 for size 1 and bit 1 for size 2, set where the capital comes first."""
    line = [tile for tiles in window for tile in tiles]
    return (line.index("A") < line.index("a")) | (line.index("B") < line.index("b")) << 1


# From level N to level N + 1.


class StepMap(NamedTuple):
    """The starts and the partial states that are reached;
    the edges (from a start, source, type, target); the types.
    """

    places: set[Place]
    edges: set[tuple[bool, Place, Type, Place]]
    types: set[Type]


def step(types: Iterable[Type], words: Words) -> StepMap:
    """Map the types of a level to places, edges and the types of the next level, for any N."""
    found = StepMap(set(), set(), set())
    outcomes: dict[tuple[Word, Layer, Word], set[tuple[Layer, Word]]] = {}
    for start in range(len(SHAPES)):
        first: Place = (start, under(start, "Z", "z"), ())
        reached: set[Place] = set()
        queue = [(True, first)]
        for from_start, place in queue:
            shape, layer, word = place
            for by in types:
                asked = by[2], layer, word
                if by[0] != shape:
                    continue
                if asked not in outcomes:
                    outcomes[asked] = carried_out(*asked, words)
                for outcome in outcomes[asked]:
                    after: Place = (by[1], *outcome)
                    found.edges.add((from_start, place, by, after))
                    if after in reached:
                        continue
                    reached.add(after)
                    if is_useful(after):
                        found.types.add((start, after[0], after[2]))
                    else:
                        queue.append((False, after))
        found.places.update(reached, {first})
    return found


def under(shape: int, first: str, second: str) -> Layer:
    """Layer N + 1 of an (N + 1)-useful position, `first` being the left one of its two tiles."""
    left, right = TOWERS[shape]
    return put(put((None, None, None), left, first), right, second)


def is_useful(place: Place) -> bool:
    """Tell if a partial state is (N + 1)-useful."""
    return place[1] in {under(place[0], "Z", "z"), under(place[0], "z", "Z")}


def carried_out(asked: Word, layer: Layer, word: Word, words: Words) -> set[tuple[Layer, Word]]:
    """Layer N + 1 and the longer word after a word of level N on the tiles there or below:
    all choices (lemma 5).
    """
    there = {(layer, word)}
    for sign, (pile, depth), track in asked:
        resting = layer[pile] is not None
        tile = layer[pile] if resting and depth == 0 else words.tile(word, pile, depth - resting)
        there = {
            after
            for before in there
            for after in (
                lifted(*before, tile, track, words)
                if sign == LIFT
                else dropped(*before, tile, track, words)
            )
        }
    return there


def lifted(
    layer: Layer, word: Word, tile: Tile, track: int, words: Words
) -> Iterator[tuple[Layer, Word]]:
    """Lift a tile from layer N + 1 or, with a letter, from below it."""
    if layer[track] is not None:
        require(layer[track] == tile, "a tile is lifted from under another")
        yield put(layer, track, None), word
    elif (longer := words.then(word, (LIFT, tile, track))) is not None:
        yield layer, longer


def dropped(
    layer: Layer, word: Word, tile: Tile, track: int, words: Words
) -> Iterator[tuple[Layer, Word]]:
    """Drop a tile into layer N + 1 or, with a letter,
    below it; tiles of size N + 1 do not go below.
    """
    if layer[track] is None:
        yield put(layer, track, tile), word
        if tile not in {"Z", "z"} and (longer := words.then(word, (DROP, tile, track))) is not None:
            yield layer, longer


def put(layer: Layer, track: int, tile: Tile) -> Layer:
    """Layer N + 1 with a tile in a track."""
    changed = [*layer]
    changed[track] = tile
    return changed[0], changed[1], changed[2]


# The graph, numbered.


class Graph(TypedDict):
    """The graph as a certificate has it, of plain lists.

    `types` are start shape, end shape and number of the word; `lengths` the fewest moves of their
    pieces of level 2, by the flips of the two sizes, None for none. `places` are shape, layer N + 1
    and word, first the five starts. `edges` are source, type and target, sorted; 0 to 4 are the
    starts, and 5 + p is place p as it is reached. `ends` are where the pieces of a type end: with
    the tiles of size N + 1 in their order, and exchanged.
    """

    words: list[str]
    types: list[list[int]]
    lengths: list[list[int | None]]
    places: list[list[Any]]
    ends: list[list[int]]
    edges: list[list[int]]


@cache
def derive() -> Graph:
    """Derive the graph from the rules;
    raise AssertionError if the step does not give back the types of level 2.
    """
    known = Words()
    lengths = pieces_of_level_2(known)
    reached = step(sorted(lengths, key=str), known)
    require(
        reached.types == set(lengths), "the step does not map the types of a level onto themselves"
    )
    words = sorted({word for _, _, word in lengths}, key=lambda word: (len(word), text_of(word)))
    types = sorted(lengths, key=lambda each: (*each[:2], words.index(each[2])))
    starts: list[Place] = [(shape, under(shape, "Z", "z"), ()) for shape in range(len(SHAPES))]
    places = [*starts, *sorted(reached.places.difference(starts), key=place_text)]
    number = {place: at for at, place in enumerate(places, start=len(SHAPES))}
    return {
        "words": [text_of(word) for word in words],
        "types": [[start, end, words.index(word)] for start, end, word in types],
        "lengths": [[lengths[each].get(flips) for flips in range(4)] for each in types],
        "places": [[*place_text(place)] for place in places],
        "ends": [
            [number[end, under(end, *pair), word] for pair in ("Zz", "zZ")]
            for _, end, word in types
        ],
        "edges": sorted(
            [source[0] if from_start else number[source], types.index(by), number[target]]
            for from_start, source, by, target in reached.edges
        ),
    }


def text_of(word: Word) -> str:
    """A word as a certificate has it:
    1^1 lifts tile 1 from the centre, 1v0 drops it on the left.
    """
    return " ".join(f"{NAMES[tile]}{sign}{track}" for sign, tile, track in word)


def place_text(place: Place) -> tuple[int, str, str]:
    """A place as a certificate has it."""
    return place[0], "".join(NAMES[tile] for tile in place[1]), text_of(place[2])
