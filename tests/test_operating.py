"""docs/operating.md: its commands, in their order, on a folder of one table."""

from __future__ import annotations

import os
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from puzzlebase.command_line.verbs.serve import serve
from puzzlebase.service.http import metrics
from tests.documents import BIN, ROOT, assert_shown, examples
from tests.serving import Served, serving
from tests.waiting import PATIENCE

PAGE = ROOT / "docs" / "operating.md"


@pytest.fixture
def folder(tmp_path: Path, data: Path) -> Path:
    """A folder to work in, with data/."""
    (tmp_path / "data").mkdir()
    shutil.copy(data / "novice.duckdb", tmp_path / "data")
    return tmp_path


@pytest.fixture
def served(folder: Path) -> Iterator[Served]:
    with serving(folder / "data", "--workers", "1") as service:
        yield service


@pytest.mark.slow
@pytest.mark.matrix
def test_its_commands_work(served: Served, folder: Path) -> None:
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    for example in examples(PAGE):
        command = example.command.strip()
        if " serve " in command:
            known = {option for parameter in serve.params for option in parameter.opts}
            assert {
                word for word in command.partition(" serve ")[2].split() if word.startswith("--")
            } <= known
        elif command.startswith("curl"):
            address = command.split()[1].replace("http://127.0.0.1:8080", served.address)
            with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
                assert_shown(
                    example, answer.read().decode().replace('":', '": ').replace(',"', ', "')
                )
        else:
            subprocess.run(
                command,
                shell=True,
                cwd=folder,
                env=environment,
                check=True,
                capture_output=True,
                timeout=PATIENCE,
            )


def test_what_it_names_there_is() -> None:
    page = PAGE.read_text("utf-8")
    for option in [option for parameter in serve.params for option in parameter.opts]:
        assert option in page or option in ("--host", "--port"), option
    for line in metrics.scrape().decode().splitlines():
        name = line.split()[2] if line.startswith("# TYPE puzzlebase_") else ""
        assert name.removesuffix("_created") in page, name
