"""Tables for others: written with a manifest and a citation, and fetched by that manifest. docs/releases.md."""

from puzzlebase.builder.release.fetching import fetch_table
from puzzlebase.builder.release.writing import write_release

__all__ = ["fetch_table", "write_release"]
