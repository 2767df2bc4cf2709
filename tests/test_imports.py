"""Which part may import which: data flows puzzles -> builder -> db -> service, and nothing flows back."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent
PARTS = ("puzzles", "db", "builder", "service")
MAY_IMPORT = {
    "puzzles": {"kernels", "puzzles"},
    "db": {"kernels", "db"},
    "builder": {"kernels", "builder", "puzzles", "db"},
    "service": {"kernels", "service", "puzzles", "db"},
}
ONLY_IN = {
    "duckdb": {"db/store.py", "db/session.py"},  # one table's file; a session over many
    "pyarrow": {"db/scan.py", "db/session.py", "service/sql.py", "service/rows.py"},  # columns on their way to DuckDB
    "zstandard": {"db/blocks.py"},
}
WEB = {"flask", "apiflask", "werkzeug", "granian", "prometheus_client"}
HTTP = {
    "app",
    "delivery",
    "errors",
    "fields",
    "logs",
    "metrics",
    "openapi",
    "requests",
    "responses",
    "rsgi",
    "server",
    "shortcut",
}


def imported(path: Path) -> set[str]:
    """The modules a file imports, anywhere in it, and the names it takes from them, which may be modules too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def files(part: str) -> list[Path]:
    found = sorted((ROOT / part).rglob("*.py"))
    assert found
    return found


def test_parts_import_only_what_they_may() -> None:
    for part in PARTS:
        for path in files(part):
            ours = {module.split(".")[0] for module in imported(path)} & {*PARTS, "kernels", "puzzlebase", "tests", "benchmarks"}
            assert ours <= MAY_IMPORT[part], path


def test_libraries_stay_in_their_place() -> None:
    everything = [path for part in PARTS for path in files(part)] + [ROOT / "puzzlebase.py"]
    for path in everything:
        place = path.relative_to(ROOT).as_posix()
        modules = {module.split(".")[0] for module in imported(path)}
        for library, places in ONLY_IN.items():
            assert library not in modules or place in places, f"{place} imports {library}"
        assert not modules & WEB or place.startswith("service/"), f"{place} imports the web"


def test_answers_know_nothing_of_http() -> None:
    """Only what takes in requests and sends answers imports the web or one another, and all of it is there."""
    found = {path.stem: imported(path) for path in files("service")}
    assert found.keys() >= HTTP
    for name, modules in found.items():
        web = {module.split(".")[0] for module in modules} & WEB
        http = {module.removeprefix("service.") for module in modules if module.startswith("service.")} & HTTP
        assert name in HTTP or not web | http, f"{name} imports {web | http}"


def test_twins_import_nothing_of_ours() -> None:
    twins = sorted((ROOT / "tests").glob("naive*.py"))
    assert twins
    for twin in [*twins, ROOT / "puzzles" / "_panex_checker.py"]:
        modules = {module.split(".")[0] for module in imported(twin) if not module.startswith("tests.naive")}
        assert not modules & {*PARTS, "puzzlebase", "tests", "numpy", "numba"}, twin


def test_nothing_of_ours_is_hidden_from_discovery() -> None:
    assert {path.parent.name for part in PARTS for path in (ROOT / part).glob("*.py")} == set(PARTS)
