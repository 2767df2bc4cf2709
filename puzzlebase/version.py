"""The version of the installed program."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

VERSION = version("puzzlebase")  # of the program and of the service's API


@cache
def program() -> str:
    """The version and a digest of the sources, 12 hexadecimal digits: between releases the version stays the same."""
    hashed = hashlib.blake2b(digest_size=6)
    folders = sorted(folder for folder in Path(__file__).parent.iterdir() if folder.is_dir())
    for path in (path for folder in folders for path in sorted(folder.rglob("*.py"))):
        hashed.update(path.read_bytes())
    return f"{VERSION}-{hashed.hexdigest()}"
