"""SQL on the command line: statements, stored queries and a prompt, over every table."""

from puzzlebase.plugins import Tool

TOOL = Tool(verbs={"sql": "puzzlebase.tools.sql.verb:verb"})
