"""Charts of rows of numbers, as SVG or PNG."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(
    writers=dict.fromkeys((".svg", ".png"), "puzzlebase.plugins.charts.chart:writer"),
    options={"sql": "puzzlebase.plugins.charts.sql:ADDED"},
)
