"""Builds on a Ray cluster, which nothing else imports:
parts find their rows of each layer (README.md).
"""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(options={"build": "puzzlebase.plugins.cluster.options:ADDED"})
