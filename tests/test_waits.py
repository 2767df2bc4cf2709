"""No test waits without a deadline: each call that blocks is given one, and loops leave sleeping to `wait_until`.

What no reading of the source finds, such as a kernel that never ends, is ended by the time-outs of pyproject.toml.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
OWN_LOOP = TESTS / "waiting.py"

SECONDS_AT = {
    "acquire": 1,
    "as_completed": 2,
    "communicate": 2,
    "create_connection": 2,
    "get": 1,
    "HTTPConnection": 3,
    "join": 1,
    "result": 1,
    "select": 4,
    "subprocess.call": None,
    "subprocess.check_call": None,
    "subprocess.check_output": None,
    "subprocess.run": None,
    "urlopen": 3,
    "wait": 1,
    "wait_procs": 2,
}
"""Calls that block, and how many arguments they have, if no name is given, that include the seconds; None: never.

`get` and `join` with an argument are those of dictionaries and texts.
"""

SLEEPS = ("sleep", "wait_for_timeout")
READS = ("read", "recv")
"""Calls that come to an end: of a file, or of a connection, which has a time-out."""
CLOCKS = ("monotonic", "perf_counter")


def calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """Every call in a tree, and the name of what is called, without what is before its last point."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node, ast.unparse(node.func).rpartition(".")[2]


def has_deadline(call: ast.Call, seconds_at: int | None) -> bool:
    """True if a call that blocks is given seconds; a dictionary of arguments may hold them."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    if "timeout" in named:
        return not (isinstance(named["timeout"], ast.Constant) and named["timeout"].value is None)
    return None in named or (seconds_at is not None and len(call.args) >= seconds_at)


def endless_waits(source: str) -> list[int]:
    """The lines of calls that block without a deadline, and of loops that only look again and read no clock."""
    lines = set()
    tree = ast.parse(source)
    for call, name in calls(tree):
        full = ast.unparse(call.func)
        known = next((each for each in (full, name) if each in SECONDS_AT), None)
        if known and not has_deadline(call, SECONDS_AT[known]):
            lines.add(call.lineno)
    for loop in ast.walk(tree):
        if isinstance(loop, ast.While):
            idle = all(isinstance(statement, ast.Pass | ast.Assert) for statement in loop.body)
            looks_again = idle or any(name in SLEEPS for _, name in calls(loop))
            reads = any(name.endswith(READS) for _, name in calls(loop.test))
            if looks_again and not reads and not any(name in CLOCKS for _, name in calls(loop)):
                lines.add(loop.lineno)
    return sorted(lines)


@pytest.mark.parametrize(
    ("endless", "bounded"),
    [
        ("process.wait()", "process.wait(20)"),
        ("process.communicate('y')", "process.communicate('y', timeout=20)"),
        ("thread.join()", "', '.join(words)"),
        ("queue.get()", "dictionary.get(key)"),
        ("future.result(timeout=None)", "future.result(timeout=20)"),
        ("subprocess.run(words, check=True)", "subprocess.run(words, **popen)"),
        ("subprocess.check_output(words)", "subprocess.check_output(words, timeout=20)"),
        ("urllib.request.urlopen(address)", "urlopen(address, None, 20)"),
        ("socket.create_connection(address)", "socket.create_connection(address, 20)"),
        ("while not ready():\n    time.sleep(1)", "while monotonic() < until:\n    time.sleep(1)"),
        ("while not ready():\n    pass", "while connection.recv(9):\n    pass"),
        ("while not ready():\n    assert runs()", "while not ready():\n    assert monotonic() < until"),
        ("while True:\n    if ready():\n        break\n    sleep(1)", "for _ in range(9):\n    sleep(1)"),
    ],
)
def test_what_is_endless(endless: str, bounded: str) -> None:
    assert endless_waits(endless) == [1]
    assert endless_waits(bounded) == []


@pytest.mark.slow
def test_no_test_waits_without_a_deadline() -> None:
    found = {
        f"{path.relative_to(TESTS)}:{line}"
        for path in TESTS.rglob("*.py")
        if path != OWN_LOOP
        for line in endless_waits(path.read_text("utf-8"))
    }
    assert not found, "pass a timeout, or use wait_until of tests/waiting.py"
