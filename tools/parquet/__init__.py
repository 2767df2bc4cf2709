"""Parquet files: the rows of a result of SQL, and whole tables."""

from puzzlebase.plugins import Tool

TOOL = Tool(
    verbs={"export": "puzzlebase.tools.parquet.verb:verb"}, options={"sql": "puzzlebase.tools.parquet.verb:ADDED"}
)
