"""The definitions of cubing.js, in JSON."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(
    needs=("definitions",), readers={".json": "puzzlebase.plugins.cubing.kpuzzle:read_kpuzzle"}
)
