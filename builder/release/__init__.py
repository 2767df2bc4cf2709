"""Tables for others: written with a manifest and a citation, fetched by it, and split. docs/releases.md."""

from puzzlebase.builder.release.fetching import fetch_table
from puzzlebase.builder.release.splitting import split_table
from puzzlebase.builder.release.writing import write_release

__all__ = ["fetch_table", "split_table", "write_release"]
