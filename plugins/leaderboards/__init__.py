"""A service that tells no answers, for leaderboards: `serve --without answers`."""

from puzzlebase.hooks import Plugin

_MODULE = f"{__name__}.without"
PLUGIN = Plugin(
    options={"serve": f"{_MODULE}:ADDED"},
    before={"without": f"{_MODULE}:from_environment"},
    addresses={
        "/v1/puzzles/{name}/grade": f"{_MODULE}:GRADE",
        "/v1/puzzles/{name}/random": f"{_MODULE}:RANDOM",
    },
)
