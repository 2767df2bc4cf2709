"""The version of what is installed."""

from importlib.metadata import version

VERSION = version("puzzlebase")
"""Of the program and of the service's API."""
