"""Imports between folders: puzzles and db import nothing of ours,
builder and service these two and never each other.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions, requires
from pathlib import Path

from tests.size import CORE_FAMILIES

ROOT = Path(__file__).parent.parent
OURS = ROOT / "puzzlebase"
"""Everything that is installed: the folders at the top are linked into this one."""

RULES = {"puzzles", "puzzles/contract", "puzzles/machinery"}
"""The rules of puzzles: `puzzles` exports all that a puzzle's own file needs."""

MAY_IMPORT = {
    "": set[str](),
    "puzzles": {"puzzles"},
    "puzzles/contract": set[str](),
    "puzzles/machinery": {"puzzles/contract"},
    "plugins/definitions": RULES,
    "puzzles/families": {*RULES, "puzzles/families", "plugins"},
    "db": {"db"},
    "builder": {*RULES, "builder", "db"},
    "service": {"puzzles", "db"},
    "service/sources": {*RULES, "db", "service/"},
    "service/answers": {*RULES, "db", "service/", "service/sources"},
    "service/http": {*RULES, "db", "service/", "service/sources", "service/answers"},
    "service/sql": {"puzzles", "db", "service/", "service/sources"},
}
"""The folders that the files of a folder may import beside their own,
each with those in it; one with a / alone.

A folder that is not here has the row of the one around it. All may import the files that lie in no
folder. Plugins, the command line, and the files that stand for it in Python import what they need.
"""
FREE = {
    "command_line",
    "plugins",
    "testing",
    "__init__",
    "__main__",
    "answer_methods",
    "opened",
    "in_bulk",
}


def may_import(folder: str, imports: str) -> bool:
    """True if the files of a folder may import from another."""
    around = folder
    while around not in MAY_IMPORT:
        around = around.rpartition("/")[0]
    allowed = {folder, *MAY_IMPORT[around]}
    return any(imports == each.rstrip("/") or imports.startswith(f"{each}/") for each in allowed)


WEB = {"flask", "werkzeug", "granian", "prometheus_client"}
ONLY_IN = {
    **dict.fromkeys(WEB, ("service/http/", "plugins/page/", "plugins/proxies/")),
    "duckdb": (
        "db/stored_file.py",
        "db/catalog.py",
        "db/sql/",
        "service/sql/tables.py",
        "__init__.py",
    ),  # the last two name a type
    "pyarrow": (
        "db/sql/",
        "service/sql/",
        "plugins/sql/parquet.py",
        "plugins/dataset/",
    ),  # columns on their way to DuckDB and from it
    "vl_convert": ("plugins/chart.py",),
    "ray": ("plugins/cluster/",),  # which only a build on a cluster loads
    "zstandard": ("db/blocks.py",),
}


@cache
def imported(path: Path) -> set[str]:
    """The modules a file imports, anywhere in it,
    and the names it takes from them, which may be modules too.
    """
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def files() -> list[Path]:
    # links, which `rglob` would not follow
    folders = [folder for folder in OURS.iterdir() if folder.is_dir()]
    paths = [*OURS.glob("*.py"), *(path for folder in folders for path in folder.rglob("*.py"))]
    found = sorted(path for path in paths if "tests" not in path.parts)
    assert len(found) > 100
    return found


def folder_of(module: str) -> str | None:
    """The folder of one of our modules, or of a name in it; None for a module of a library.

    A file that lies in no folder stands for itself.
    """
    top, _, inside = module.partition(".")
    if top != "puzzlebase" or not inside:
        return None
    path = OURS.joinpath(*inside.split("."))
    if path.is_dir():
        return path.relative_to(OURS).as_posix()
    if path.with_suffix(".py").exists():
        return path.parent.relative_to(OURS).as_posix() if path.parent != OURS else inside
    parent, _, name = module.rpartition(".")
    # of a plugin that was left out
    return f"plugins/{name}" if parent == "puzzlebase.plugins" else folder_of(parent)


def test_our_folders_have_one_name_in_front() -> None:
    """Modules are imported as what they are installed as,
    and each folder at the top is linked into the package.
    """
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {
        "puzzlebase",
        "tests",
        "benchmarks",
        "docs",
        "research",
    }
    assert {*folders, "page"} == {path.name for path in OURS.iterdir() if path.is_symlink()}
    for path in [*files(), *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]:
        # ruff has one to a line
        first = re.findall(r"(?m)^\s*(?:from|import)\s+(\w+)", path.read_text("utf-8"))
        assert not {*first} & folders, path


def test_folders_import_only_what_they_may() -> None:
    for path in files():
        folder = path.parent.relative_to(OURS).as_posix().strip(".")
        if (folder.partition("/")[0] or path.stem) in FREE:
            continue
        found = {
            each
            for module in imported(path)
            if (each := folder_of(module)) and (OURS / each).is_dir()
        }
        wrong = {each for each in found if not may_import(folder, each)}
        assert not wrong, f"{path.relative_to(OURS)} imports {wrong}"


def test_what_a_plugin_builds_and_what_it_answers_meet_in_the_file() -> None:
    for path in (OURS / "plugins").glob("*/*.py"):
        halves = {(folder_of(module) or "").partition("/")[0] for module in imported(path)} & {
            "builder",
            "service",
        }
        # a verb, or what it runs
        assert path.stem in {"verb", "publishing", "report"} or len(halves) < 2, path


def is_plugin(module: str) -> bool:
    """True if a module belongs to a plugin, which can be taken away."""
    found = re.match(r"puzzlebase\.(plugins|puzzles\.families)\.(\w+)", module)
    return found is not None and found[2] not in CORE_FAMILIES


def test_no_file_of_the_core_names_a_plugin() -> None:
    """Neither where it imports nor in a text; plugins are found by folder and by entry point."""
    for path in files():
        module = ".".join(("puzzlebase", *path.relative_to(OURS).with_suffix("").parts))
        if not is_plugin(module):
            nodes = ast.walk(ast.parse(path.read_text("utf-8")))
            texts = {
                node.value
                for node in nodes
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
            named = {name for name in imported(path) | texts if is_plugin(name)}
            assert not named, f"{path.relative_to(OURS)} names {named}"


def test_libraries_stay_in_their_place() -> None:
    for path in files():
        place = path.relative_to(OURS).as_posix()
        modules = {module.split(".")[0] for module in imported(path)}
        for library, places in ONLY_IN.items():
            assert library not in modules or place.startswith(places), f"{place} imports {library}"


def test_references_import_nothing_of_ours() -> None:
    references = sorted((ROOT / "tests" / "naive").glob("*.py"))
    assert references
    theorem = ROOT / "research" / "panex_theorem"
    for reference in [*references, theorem / "graph.py", theorem / "checker.py"]:
        modules = {
            module.split(".")[0]
            for module in imported(reference)
            if not module.startswith("tests.naive")
        }
        assert not modules & {"puzzlebase", "tests", "numpy", "numba"}, reference


def test_every_library_is_declared() -> None:
    """As what the program needs, as an extra, or as what one of these brings."""

    def normal(requirement: str) -> str:
        return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement)[0]).lower()

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [
        each for extra in ("charts", "cluster") for each in project["optional-dependencies"][extra]
    ]
    named = {normal(each) for each in [*project["dependencies"], *extras]}
    brought = {
        normal(each)
        for name in named - {"ray"}  # which is not installed here
        for each in requires(name) or ()
        if "extra ==" not in each
    }
    declared = {*named, *brought, "pytest"}
    of_module = packages_distributions()
    needed: dict[str, Path] = {}
    for path in files():
        for module in (
            {module.split(".")[0] for module in imported(path)}
            - sys.stdlib_module_names
            - {"puzzlebase"}
        ):
            needed |= {normal(name): path for name in of_module.get(module, [module])}
    assert len(needed) > 15
    assert not needed.keys() - declared, {name: needed[name] for name in needed.keys() - declared}
