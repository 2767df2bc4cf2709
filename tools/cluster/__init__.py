"""Builds on a Ray cluster. Nothing of it is imported unless a build asks for a cluster.

A graph is divided among *parts*, each an actor of Ray's with a range of rows. The search is ours and goes layer by
layer: every part finds the layer in its own rows, writes it, and tells the others what they need for the next one.
docs/cluster.md has the drawing, and what it costs.
"""

from puzzlebase.plugins import Tool

TOOL = Tool(options={"build": "puzzlebase.tools.cluster.options:ADDED"})
