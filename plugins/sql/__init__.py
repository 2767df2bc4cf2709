"""SQL on the command line, over every table: statements,
stored queries and a prompt; and tables as Parquet.
"""

from puzzlebase.hooks import Plugin

PLUGIN = Plugin(
    verbs={
        "sql": "puzzlebase.plugins.sql.verb:verb",
        "export": "puzzlebase.plugins.sql.verb:export_verb",
    }
)
