"""Makefile: uv installs what is pinned, and pip does where there is no uv or it fails."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent
LOCK = "--require-hashes -r requirements-dev.lock"
OUTSIDE = (
    f"outside -m pip --python .venv/bin/python install --quiet --disable-pip-version-check {LOCK}"
)
INSIDE = [
    "python -m ensurepip",
    f"python -m pip install --quiet --disable-pip-version-check {LOCK}",
]
UV = f"uv pip install --quiet --python .venv/bin/python {LOCK}"


def program(path: Path, status: int) -> None:
    """A program that notes how it was called, and ends with a status."""
    path.write_text(f'#!/bin/sh\necho "{path.name} $*" >>calls\nexit {status}\n', "utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("uv", "outside", "calls"),
    [
        (0, 0, [UV]),
        (1, 0, [UV, OUTSIDE]),
        (None, 0, [OUTSIDE]),
        (None, 1, [OUTSIDE, *INSIDE]),
        (1, 1, [UV, OUTSIDE, *INSIDE]),
    ],
)
def test_pip_installs_what_uv_does_not(
    tmp_path: Path, uv: int | None, outside: int, calls: list[str]
) -> None:
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".venv" / "run").touch()
    program(programs / "python", 0)
    program(tmp_path / "outside", outside)
    if uv is not None:
        program(programs / "uv", uv)
    # not as a part of the make that runs this test
    make = ["env", "--unset=MAKELEVEL", "--unset=MAKEFLAGS", "make"]
    command = [*make, "PYTHON=./outside", ".venv/dev"]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=PATIENCE)
    assert not done.stdout  # no recipe
    assert (tmp_path / "calls").read_text("utf-8").splitlines() == calls
