"""Charts of rows of numbers, as SVG or PNG."""

from puzzlebase.plugins import Tool

TOOL = Tool(
    writers=dict.fromkeys((".svg", ".png"), "puzzlebase.research.charts.drawing:writer"),
    options={"sql": "puzzlebase.research.charts.sql:ADDED"},
)
