"""README.md: its commands, in their order, give its output in a fresh clone.

The clone is a copy of the tree. Its environment is this one, so that nothing is downloaded, and
`make test` there collects every test in place of running all of them inside of one.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.commands import printed
from tests.documents import ROOT, Example, assert_shown, examples
from tests.serving import free_port
from tests.waiting import PATIENCE

README = ROOT / "README.md"
SERVED = "127.0.0.1:8080"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of the tree, without tables, in which `make` finds its environment."""
    folder = tmp_path / "clone"
    shutil.copytree(
        ROOT,
        folder,
        symlinks=True,
        ignore=shutil.ignore_patterns(".*", "data", "__pycache__", "*.egg-info", "node_modules"),
    )
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, words in {"python": "", "puzzlebase": "-m puzzlebase"}.items():
        (programs / name).write_text(
            f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n', "utf-8"
        )
        (programs / name).chmod(0o755)
    for made in ("run", "dev", "npm"):
        (folder / ".venv" / made).touch()
    return folder


@pytest.mark.slow
@pytest.mark.usefixtures("heeds_ctrl_c")
@pytest.mark.matrix
def test_its_commands_give_its_output_in_their_order(clone: Path) -> None:
    port = free_port()
    environment = {
        **os.environ,
        "MAKELEVEL": "0",  # not a part of the make that runs this test
        "MAKEFLAGS": "",
        "PYTHONPATH": str(clone),
        "PORT": str(port),
        "PYTEST_ADDOPTS": "--collect-only",
    }
    ran = []
    with ExitStack() as services:
        for command, shown in examples(README):
            here = Example(
                *(text.replace(SERVED, f"127.0.0.1:{port}") for text in (command, shown))
            )
            if command == "make serve":
                assert_shown(
                    here, services.enter_context(service(here.command, clone, environment))
                )
            elif command.startswith("curl "):
                assert_shown(
                    here._replace(shown=re.sub(r",\n", ",", here.shown)), fetched(here.command)
                )
            else:
                output = printed(here.command, clone, environment)
                assert_shown(here, "" if command == "make test" else output)
            ran.append(command.split()[0])
    assert {"make", "curl", ".venv/bin/puzzlebase"} == set(ran)
    assert [*(clone / "data").glob("*.*")] == [clone / "data" / "avenger.duckdb"]


@contextmanager
def service(command: str, folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """The output of a service until it is ready; it runs until the end of the block."""
    process = subprocess.Popen(
        shlex.split(command),
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    with process:
        assert process.stdout
        lines = ""
        while "answers at" not in lines:
            line = process.stdout.readline()
            assert line, f"{command} ended: {lines}"
            lines += line
        try:
            yield lines
        finally:
            os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
            process.wait(PATIENCE)


def fetched(command: str) -> str:
    """The output of curl."""
    _, address = shlex.split(command)
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        text: str = answer.read().decode()
    return text
