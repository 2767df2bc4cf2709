"""Klotski: bring the large block to the middle of the last two rows. Equal letters are a piece."""

from collections.abc import Iterator

from puzzlebase.puzzles import Family, Published, rules_puzzle

START, EMPTY = "ABBC/ABBC/DEEF/DGHF/I..J", "..../..../..../..../...."
SHAPES = [(0,)] * 4 + [(0, 1), (0, 1, 5, 6)] + [(0, 5)] * 4
# the places of each piece in the text; pieces of one shape are alike
State = frozenset[tuple[int, ...]]


def read(text: str) -> State:
    places = [
        tuple(at for at, each in enumerate(text) if each == letter) for letter in {*text} - {*EMPTY}
    ]
    shapes = sorted(tuple(at - piece[0] for at in piece) for piece in places)
    if shapes != SHAPES or [*map(len, text.split("/"))] != [4] * 5:
        raise ValueError(
            "it has five rows of four, with / between, and in them ten pieces and two dots"
        )
    return frozenset(places)


def write(state: State) -> str:
    letters = {
        at: letter
        for letter, piece in zip("ABCDEFGHIJ", sorted(state), strict=True)
        for at in piece
    }
    return "".join(letters.get(at, each) for at, each in enumerate(EMPTY))


def moves(state: State) -> Iterator[tuple[str, State]]:
    free = {at for at, each in enumerate(EMPTY) if each == "."}.difference(*state)
    for letter, piece in zip("ABCDEFGHIJ", sorted(state), strict=True):
        paths, mine = [(piece, letter)], free.union(piece)
        for here, name in paths:  # which grow meanwhile
            for step, by in ("up", -5), ("down", 5), ("left", -1), ("right", 1):
                there = tuple([at + by for at in here])
                if mine.issuperset(there) and there not in dict(paths):
                    paths.append((there, f"{name}-{step}"))
                    yield f"{name}-{step}", state - {piece} | {there}


known = Published("M. Gardner, Scientific American, 1964", 25_955, start_distance=81)
solved = frozenset({(16, 17, 21, 22)}).issubset
game = rules_puzzle(
    "klotski",
    start=read(START),
    solved=solved,
    moves=moves,
    read=read,
    write=write,
    published=known,
)
FAMILY = Family.of(game)
