"""Builds on a Ray cluster, which nothing else imports: parts find their rows of each layer (docs/cluster.md)."""

from puzzlebase.plugins import Tool

TOOL = Tool(options={"build": "puzzlebase.tools.cluster.options:ADDED"})
