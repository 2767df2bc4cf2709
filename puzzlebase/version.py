"""The version of the installed program, and a hash of its sources."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

VERSION = version("puzzlebase")  # of the program and of the service's API


@cache
def source_hash() -> str:
    """A version of the sources, which change between releases: a hash, 12 hexadecimal digits."""
    hashed = hashlib.blake2b(digest_size=6)
    folders = sorted(folder for folder in Path(__file__).parent.iterdir() if folder.is_dir())
    for path in (path for folder in folders for path in sorted(folder.rglob("*.py"))):
        hashed.update(path.read_bytes())
    return hashed.hexdigest()
