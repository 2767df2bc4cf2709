"""The private parts of libraries that the program uses: after an upgrade, a failure here says which one has changed.

Nothing of the program's own is called, but for the names that it uses of them.
"""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from collections import OrderedDict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
import pytest
from granian.server import Server
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent

LISTED = {
    "puzzlebase/machine_code.py": {"made._cache", "made._compiler", "CompileResult._rebuild", "data._reduce"},
    "tools/page/docs.py": {"current_app._get_current_object"},
}
"""Every private name of a library in the package, by file; each has a test below."""


def changed(library: str, what: str) -> str:
    """The words of a failure."""
    return f"{library} {version(library)} has changed {what}, which the program uses"


def test_every_private_name_is_listed() -> None:
    for folder in ("puzzlebase", "builder", "db", "puzzles", "service", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            lines = [line for line in path.read_text("utf-8").splitlines() if "noqa: SLF001" in line]
            found = {name for line in lines for name in re.findall(r"\b([A-Za-z]\w*\._[a-z]\w*)", line)}
            assert found <= LISTED.get(path.relative_to(ROOT).as_posix(), set()), path


class Recorder(NullCache):
    """A cache of one's own, as machine_code.py has."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Note the question."""
        target_context.refresh()
        self.asked.append((sig, target_context.codegen().magic_tuple()))


@pytest.mark.slow
def test_numba_asks_a_cache_of_our_own_and_can_store_what_it_compiled() -> None:
    made: Any = numba.njit(nogil=True, no_cfunc_wrapper=True)(lambda x: x + 1)  # type: ignore[call-overload]
    if made.__class__.__name__ == "function":
        pytest.skip("numba's compiler is off")
    for name in ("_cache", "_compiler", "targetctx"):
        assert hasattr(made, name), changed("numba", f"Dispatcher.{name}")
    made._cache = cache = Recorder()
    compiled: list[Any] = []
    former = made._compiler.compile

    def compile_anew(*given: Any) -> Any:
        compiled.append(former(*given))
        return compiled[-1]

    made._compiler.compile = compile_anew
    assert made(1) == 2
    assert len(cache.asked) == 1, changed("numba", "NullCache.load_overload")
    assert len(compiled) == 1, changed("numba", "the compiler of a Dispatcher")
    result: Any = compiled[0]
    assert isinstance(compiled[0], CompileResult), changed("numba", "the result of a compiler")
    assert dumps(result._reduce()), changed("numba", "CompileResult._reduce")  # type: ignore[no-untyped-call]
    again: Any = CompileResult._rebuild(made.targetctx, *result._reduce())  # type: ignore[no-untyped-call]
    assert again.signature == result.signature, changed("numba", "CompileResult._rebuild")
    assert repr(cache.asked[0][0]) == repr(result.signature.args), changed(
        "numba", "the types that a cache is asked for"
    )


def test_llvmlite_is_the_one_that_numba_asks_for() -> None:
    from llvmlite import binding, ir  # noqa: PLC0415 -- tried here alone

    assert binding.get_host_cpu_name(), changed("llvmlite", "binding.get_host_cpu_name")
    assert binding.get_host_cpu_features() is not None, changed("llvmlite", "binding.get_host_cpu_features")
    assert ir.IntType(64).width == 64, changed("llvmlite", "ir.IntType")


COUNTED = """
import os, sys
from pathlib import Path
from prometheus_client import CollectorRegistry, Counter, generate_latest
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

folder = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
Counter("tried", "A counter.", ["by"]).labels("me").inc(3)
(file,) = folder.iterdir()
assert file.name == f"counter_{os.getpid()}.db", "the names of files"
(entry,) = [each for each in MmapedDict.read_all_values_from_file(file) if each[1]]
key, value, _, _ = entry
assert value == 3, "MmapedDict.read_all_values_from_file"
written = MmapedDict(folder / "counter_ended.db")
written.write_value(key, 4.0, 0.0)
written.close()
registry = CollectorRegistry()
MultiProcessCollector(registry)
assert 'tried_total{by="me"} 7.0' in generate_latest(registry).decode(), "the files that a scrape adds up"
"""


@pytest.mark.slow
def test_prometheus_client_counts_in_files_that_can_be_merged(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COUNTED],
        env={**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, changed("prometheus-client", done.stderr)


def test_prometheus_client_maps_files_that_were_reserved(tmp_path: Path) -> None:
    """A file of zeros is one that nothing was counted in."""
    from prometheus_client.mmap_dict import MmapedDict  # noqa: PLC0415 -- tried here alone

    file = tmp_path / "counter_1.db"
    file.write_bytes(bytes(1 << 20))
    counted = MmapedDict(str(file))  # type: ignore[no-untyped-call]
    counted.write_value("x", 5.0, 0.0)  # type: ignore[no-untyped-call]
    counted.close()  # type: ignore[no-untyped-call]
    assert file.stat().st_size == 1 << 20, changed("prometheus-client", "the size of a file")
    values = [each[:2] for each in MmapedDict.read_all_values_from_file(str(file))]  # type: ignore[no-untyped-call]
    assert values == [("x", 5.0)], changed("prometheus-client", "MmapedDict")


def test_granian_forgets_the_workers_that_it_replaced_when_told_to() -> None:
    """workers.py clears the record, which would otherwise end the service."""
    server = Server("nowhere:app", factory=True)
    assert isinstance(server.respawned_wrks, dict | OrderedDict), changed("granian", "Server.respawned_wrks")
    sources = [inspect.getsource(kind) for kind in type(server).__mro__ if kind.__module__.startswith("granian")]
    assert any("respawned_wrks" in source for source in sources), changed("granian", "the end of a worker")


def test_granian_hands_over_what_the_service_calls() -> None:
    """The names of its transport and scope, which only a running service sees: from its types."""
    import granian._granian as native  # noqa: PLC0415 -- tried here alone

    for kind, names in {
        "RSGIHTTPProtocol": ("__aiter__", "client_disconnect", "response_bytes", "response_file"),
        "RSGIHTTPScope": ("method", "path", "query_string", "client", "scheme", "headers"),
    }.items():
        assert {*names} <= {*dir(getattr(native, kind))}, changed("granian", kind)


def test_flask_tells_its_app() -> None:
    from flask import Flask, current_app  # noqa: PLC0415 -- tried here alone

    app = Flask("tried")
    with app.app_context():
        assert current_app._get_current_object() is app, changed("flask", "current_app")  # type: ignore[attr-defined]
