"""The version that the service states, and that the tags of its answers begin with."""

from __future__ import annotations

from importlib.metadata import version

VERSION = version("puzzlebase")
