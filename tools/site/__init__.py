"""The results site: static pages with pictures of every table in a folder, each with the command that makes it."""

from puzzlebase.plugins import Tool

TOOL = Tool()
