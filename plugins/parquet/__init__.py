"""Parquet files: the rows of a result of SQL, and whole tables."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(
    verbs={"export": "puzzlebase.plugins.parquet.verb:verb"}, options={"sql": "puzzlebase.plugins.parquet.verb:ADDED"}
)
