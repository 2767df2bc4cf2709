"""The core without a plugin: `python -m tests.without_plugins [NAME ...]`, what `make test-plugins` runs.

Each plugin in turn, and at last all of them, is left out of a copy of the tree. Its verbs, addresses and puzzles are
gone there, those of all others are still there, and no plugin is left out because it raises.

Without all of them the core's fast tests pass: those of files that neither name a plugin nor read a document, since
documents speak of all plugins. So the core needs none. Without a single one, all these files can be imported, and those
pass that go through whatever plugins are there, since others see no difference to both having it and having none.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from puzzlebase.hooks import Plugin, attribute
from puzzlebase.puzzles import Family, all_families, find
from tests.size import CORE_FAMILIES
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent
FOLDERS = {"plugins": ROOT / "plugins", "families": ROOT / "puzzles" / "families"}
PLUGINS = {
    path.parent.name: path.parent
    for folder in FOLDERS.values()
    for path in sorted(folder.glob("*/__init__.py"))
    if path.parent.name not in CORE_FAMILIES
}
ALL = "all"
MOST_SECONDS = 7200
_COUNT_ALL = "every_module_can_be_imported", "layers_and_histograms"
"""Tests that expect so many modules and tables as there are with all plugins."""

_LIST_PLUGINS = (
    r"\bpuzzlebase(\.| import )hooks\b",
    r"\ball_families\b",
    r"\btests\.(commands|matrix)\b",
    r"\bcommand_line\.main\b",
    r"\burl_map\b",
)
"""Names by which files of tests go through all plugins, or run a verb, which the program looks up among all."""

SEEN = """
import json, sys
from pathlib import Path
from click import Context
from puzzlebase.command_line.main import program
from puzzlebase.puzzles import all_families
from puzzlebase.service.http.app import create_app
rules = create_app(Path(sys.argv[1])).url_map.iter_rules()
paths = [rule.rule.replace("<", "{").replace(">", "}") for rule in rules]
print("\\n".join([*program.list_commands(Context(program)), *paths, *(family.name for family in all_families())]))
"""


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", type=click.Choice([*PLUGINS, ALL]))
def main(names: tuple[str, ...]) -> None:
    """Test the core without these plugins, by default without each of them and without all."""
    failed = [name for name in names or [*PLUGINS, ALL] if not _passes(name)]
    if failed:
        raise click.ClickException(f"the core does not pass without {', '.join(failed)}")


def _passes(name: str) -> bool:
    hidden = [*PLUGINS] if name == ALL else [name]
    with TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        given = {name for plugin in hidden for name in _given(plugin)}
        left_out = _copy(copy, hidden, given)
        environment = os.environ | {"PYTHONPATH": str(copy), "NUMBA_CACHE_DIR": _machine_code()}
        (copy / "data").mkdir()
        run = partial(subprocess.run, cwd=copy, env=environment, capture_output=True, text=True, check=False)
        seen = run([sys.executable, "-c", SEEN, "data"], timeout=PATIENCE)
        names = {*seen.stdout.split("\n")}
        others = {each for plugin in PLUGINS if plugin not in hidden for each in _given(plugin)} - given
        if seen.returncode or seen.stderr or given & names or others - names:
            click.echo(f"{name}: still there {given & names}, gone too {others - names}\n{seen.stderr}")
            return False
        words = [sys.executable, "-m", "pytest", "-m", "not slow and not matrix and not plugin"]
        for options in [[]] if name == ALL else [["--collect-only", "-n0"], _tests_that_list_plugins(copy)]:
            tested = run([*words, *options], timeout=MOST_SECONDS)
            if tested.returncode:
                click.echo(f"{name}: {tested.stdout}{tested.stderr}")
                return False
        click.echo(f"{name}: passed, without {left_out} files of tests: {tested.stdout.splitlines()[-1]}")
        return True


def _tests_that_list_plugins(copy: Path) -> list[str]:
    names = re.compile("|".join(_LIST_PLUGINS))
    return [str(path) for path in (copy / "tests").rglob("test_*.py") if names.search(path.read_text("utf-8"))]


def _given(plugin: str) -> set[str]:
    """The verbs and addresses of a plugin, and the families that its engines are for; or the name of a family."""
    path = PLUGINS[plugin]
    if path.parent == FOLDERS["families"]:
        family: Family = attribute(f"puzzlebase.puzzles.families.{plugin}:FAMILY")
        return {family.name}
    record: Plugin = attribute(f"puzzlebase.plugins.{plugin}:PLUGIN")
    engines = ((family.name, find(family.example).engines) for family in all_families())
    families = {name for name, each in engines if record.sources.keys() & {engine.kind for engine in each}}
    return {*record.verbs, *record.addresses, *families}


def _copy(copy: Path, hidden: list[str], given: set[str]) -> int:
    """Copy what git holds without these plugins and the tests that name them; how many files of tests those are."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_symlink() or (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name, follow_symlinks=False)
    for plugin in hidden:
        shutil.rmtree(copy / PLUGINS[plugin].relative_to(ROOT))
    for tests in [*copy.glob("plugins/*/tests"), *copy.glob("puzzles/families/*/tests")]:
        shutil.rmtree(tests)
    shutil.rmtree(copy / "research")
    verbs = ['"' + re.sub("{.*?}", '[^/"]*', name) + '"' for name in given]  # and addresses
    taken = [family for family in all_families() if family.name in given]
    families = [rf"\b{re.escape(name)}" for family in taken for name in (f"{family.name}-", *family.listed)]
    modules = rf"\bfamilies(\.| import )({'|'.join(hidden)})\b"
    any_plugin = r"\bpuzzlebase\.plugins(\.| import )"
    named = [any_plugin, r'\.md"', *_COUNT_ALL, modules, *verbs, *families]
    return _remove_tests(copy, "|".join(named))


def _remove_tests(copy: Path, named: str) -> int:
    """Remove the files of tests where this expression is found, and those that import one of them."""
    tests = {path: path.read_text("utf-8") for path in (copy / "tests").rglob("test_*.py")}
    for path in tests:  # what the tests of a folder share is part of each
        if path.parent.name == "browser":
            tests[path] += "".join(each.read_text("utf-8") for each in path.parent.glob("[!t]*.py"))
    count = len(tests)
    while found := [path for path, text in tests.items() if re.search(named, text)]:
        for path in found:
            path.unlink()
            del tests[path]
        modules = (".".join(path.relative_to(copy).with_suffix("").parts) for path in found)
        named = "|".join(rf"\b{re.escape(module)}\b" for module in modules)
    return count - len(tests)


def _machine_code() -> str:
    return os.environ.get("NUMBA_CACHE_DIR", str(ROOT / "puzzlebase" / "__pycache__"))


if __name__ == "__main__":
    main()
