"""Charts of rows of numbers, as SVG or PNG."""

from puzzlebase.plugins import Tool

TOOL = Tool(
    writers=dict.fromkeys((".svg", ".png"), "puzzlebase.tools.charts.chart:writer"),
    options={"sql": "puzzlebase.tools.charts.sql:ADDED"},
)
