"""`make dist`: the wheel and the source archive, each installed and used from another folder; and the locks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import puzzlebase
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent


def run(*words: str | Path, folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `make dist` fills, from a copy of the files in git: a build leaves nothing in the tree."""
    copy = tmp_path_factory.mktemp("copy")
    listed = run("git", "ls-files", "-co", "--exclude-standard", "-z", folder=ROOT).split("\0")
    for name in filter(None, listed):
        source = ROOT / name
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            (copy / name).symlink_to(source.readlink())
        elif source.exists():
            (copy / name).write_bytes(source.read_bytes())
    uv = Path(sys.executable).with_name("uv")
    run(uv, "build", "--no-build-isolation", "--python", sys.executable, "--out-dir", copy / "dist", folder=copy)
    return copy / "dist"


@pytest.mark.slow
@pytest.mark.matrix
@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_an_installed_program_builds_and_answers_from_any_folder(archives: Path, tmp_path: Path, kind: str) -> None:
    """The libraries are those of this environment, without the project itself."""
    (archive,) = archives.glob(kind)
    uv, python = Path(sys.executable).with_name("uv"), tmp_path / "environment" / "bin" / "python"
    run(uv, "venv", "--quiet", "--python", sys.executable, tmp_path / "environment", folder=tmp_path)
    packages = Path(
        run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=tmp_path).strip()
    )
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    install: list[str | Path] = [
        uv,
        "pip",
        "install",
        "--quiet",
        "--python",
        python,
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    run(*install, archive, folder=tmp_path)
    (tmp_path / "db").mkdir()  # a folder of a user's, which must not be taken for ours
    (tmp_path / "db" / "__init__.py").write_text("raise SystemExit('a folder beside the user was imported')")
    program = python.with_name("puzzlebase")
    assert "97,020" in run(program, "--data", tmp_path / "tables", "build", "novice", folder=tmp_path)
    for words in ([program], [python, Path("-m"), Path("puzzlebase")]):
        state = "RBBBBBBBBBBBBRRRRRRRR"
        printed = run(*words, "--data", tmp_path / "tables", "lookup", "novice", state, folder=tmp_path)
        assert "distance 5 (table)" in printed
    where = run(python, "-c", "import puzzlebase; print(puzzlebase.__file__)", folder=tmp_path)
    assert where.startswith(str(packages))


def test_how_to_install_it_is_documented() -> None:
    """The lines do what the test above does, but from an index, so that nothing is downloaded here."""
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    assert {"`pipx install .`", "`uv tool install .`"} <= {
        line.split(" | ")[0].strip("| ") for line in page.splitlines()
    }
    assert "(docs/command-line.md#installing-it)" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.matrix
def test_everything_installed_has_one_name(archives: Path) -> None:
    (wheel,) = archives.glob("*.whl")
    with zipfile.ZipFile(wheel) as content:
        tops = {name.split("/")[0] for name in content.namelist()}
        assert {"puzzle.html", "card.md", "greedy.sql"} <= {name.rpartition("/")[2] for name in content.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"puzzlebase"}


def test_the_npm_package_has_the_same_version_and_licence() -> None:
    package, lock = (json.loads((ROOT / "page" / f"package{name}.json").read_text("utf-8")) for name in ("", "-lock"))
    assert {each["version"] for each in (package, lock, lock["packages"][""])} == {puzzlebase.__version__}
    assert f"dist/puzzlebase-{puzzlebase.__version__}.tgz" in (ROOT / "docs" / "page.md").read_text("utf-8")
    assert {each["name"] for each in (package, lock, lock["packages"][""])} == {"puzzlebase"}
    assert {name for name in package if name.endswith("ependencies")} == {"devDependencies"}
    assert (ROOT / "page" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_locks_hold_pins_and_hashes_and_no_address() -> None:
    locks = [*ROOT.glob("requirements*.lock"), ROOT / "page" / "package-lock.json"]
    assert len(locks) == 5
    for lock in locks:
        text = lock.read_text("utf-8")
        assert "://" not in text, lock
        assert "sha256:" in text or "sha512-" in text
