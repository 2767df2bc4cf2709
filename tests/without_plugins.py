"""The tree without a plugin: `python -m tests.without_plugins [NAME ...]`,
what `make test-plugins` runs.

Each plugin in turn is left out of a copy of the tree. The tests that are not slow pass there,
without those that need the plugin. Its verbs, addresses and puzzles are gone, and no other plugin
is left out because it raises.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tests.size import CORE_FAMILIES
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent
PLUGINS = {
    path.parent.name: path.parent.relative_to(ROOT)
    for folder in ("plugins", "puzzles/families")
    for path in sorted((ROOT / folder).glob("*/__init__.py"))
    if path.parent.name not in CORE_FAMILIES
}
MOST_SECONDS = 7200


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", type=click.Choice([*PLUGINS]))
def main(names: tuple[str, ...]) -> None:
    """Test the tree without these plugins, by default without each of them."""
    failed = [name for name in names or PLUGINS if not _passes(name)]
    if failed:
        raise click.ClickException(f"the tests do not pass without {', '.join(failed)}")


def _passes(name: str) -> bool:
    with TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        _copy(copy)
        shutil.rmtree(copy / PLUGINS[name])
        environment = os.environ | {"PYTHONPATH": str(copy), "NUMBA_CACHE_DIR": _machine_code()}
        words = [sys.executable, "-m", "pytest", "-m", "not slow and not matrix"]
        tested = subprocess.run(
            words,
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            timeout=MOST_SECONDS,
            check=False,
        )
        passed = tested.returncode == 0
        click.echo(f"{name}: {tested.stdout.splitlines()[-1] if passed else tested.stdout}")
        return passed


def _copy(copy: Path) -> None:
    """Copy what git holds, and the modules of the page's tests."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_symlink() or (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name, follow_symlinks=False)
    (copy / "page" / "node_modules").symlink_to(ROOT / "page" / "node_modules")


def _machine_code() -> str:
    return os.environ.get("NUMBA_CACHE_DIR", str(ROOT / "puzzlebase" / "__pycache__"))


if __name__ == "__main__":
    main()
