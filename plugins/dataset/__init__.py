"""Datasets for learning: states with their distances and optimal moves, as Parquet: README.md."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(verbs={"dataset": f"{__name__}.verb:verb"})
