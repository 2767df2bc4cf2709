"""SQL on the command line: statements, stored queries and a prompt, over every table."""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(verbs={"sql": "puzzlebase.plugins.sql.verb:verb"})
