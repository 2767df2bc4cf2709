"""The version of the installed program."""

from importlib.metadata import version

VERSION = version("puzzlebase")  # of the program and of the service's API
