"""`make dist`: the wheel and the source archive,
each installed and used from another folder; and the locks.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import puzzlebase
from tests.commands import printed
from tests.serving import free_port

ROOT = Path(__file__).parent.parent


def run(*words: str | Path, folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return printed(words, folder, environment)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `make dist` fills, from a copy of the files in git:
    a build leaves nothing in the tree.
    """
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
    run(
        uv,
        "build",
        "--no-build-isolation",
        "--python",
        sys.executable,
        "--out-dir",
        copy / "dist",
        folder=copy,
    )
    return copy / "dist"


def environment_of(folder: Path, archive: Path) -> Path:
    """The Python of an environment of its own with an archive,
    and with the libraries of this one.
    """
    uv, python = Path(sys.executable).with_name("uv"), folder / "environment" / "bin" / "python"
    run(uv, "venv", "--quiet", "--python", sys.executable, folder / "environment", folder=folder)
    packages = run(
        python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=folder
    ).strip()
    Path(packages, "libraries.pth").write_text(sysconfig.get_path("purelib"))
    offline = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    run(uv, "pip", "install", *offline, "--python", python, archive, folder=folder)
    return python


FIRST_HOUR = ROOT / ".ci" / "first_hour.py"


@pytest.fixture(scope="module")
def installed(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The Python of an environment for each kind of archive, which has nothing of ours but that."""
    return {
        path.suffix: environment_of(tmp_path_factory.mktemp("own"), path)
        for path in archives.glob("p*")
    }


@pytest.mark.slow(30)
@pytest.mark.matrix
@pytest.mark.parametrize("kind", [".whl", ".gz"])
def test_the_first_hour_with_each_archive(
    installed: dict[str, Path], tmp_path: Path, kind: str
) -> None:
    """In a folder of no source, but with one of a user's that must not be taken for ours."""
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "__init__.py").write_text(
        "raise SystemExit('a folder beside the user was imported')"
    )
    assert puzzlebase.__version__ in run(
        installed[kind].with_name("puzzlebase"), "--version", folder=tmp_path
    )
    hour = run(installed[kind], FIRST_HOUR, str(free_port()), folder=tmp_path)
    assert hour.splitlines()[-1] == "all of it worked"


@pytest.mark.slow(90)
@pytest.mark.matrix
@pytest.mark.parametrize(
    ("how", "words"),
    [
        (
            "the lowest versions",
            ["uv", "pip", "install", "--resolution", "lowest-direct", "--python", "{python}"],
        ),
        ("pip", ["{python}", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]),
        ("uv tool", ["uv", "tool", "install", "--quiet", "--force"]),
    ],
)
def test_the_wheel_and_what_it_asks_for_come_from_an_index(
    archives: Path, tmp_path: Path, how: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With as many downloads as a user has;
    left out where no index answers. A tool is a program that answers.
    """
    (wheel,) = archives.glob("*.whl")
    uv, python = Path(sys.executable).with_name("uv"), tmp_path / "environment" / "bin" / "python"
    monkeypatch.setenv("UV_TOOL_BIN_DIR", str(tmp_path / "bin"))
    monkeypatch.setenv("UV_TOOL_DIR", str(tmp_path / "tools"))
    run(
        uv,
        "venv",
        "--quiet",
        "--seed",
        "--python",
        sys.executable,
        tmp_path / "environment",
        folder=tmp_path,
    )
    try:
        run(
            *(str(uv) if word == "uv" else word.format(python=python) for word in words),
            wheel,
            folder=tmp_path,
        )
    except AssertionError as error:
        if re.search(
            "error sending request|Temporary failure|No matching distribution|dns error", str(error)
        ):
            pytest.skip("no index of packages answers")
        raise
    (tmp_path / "hour").mkdir()
    if how == "uv tool":
        program = tmp_path / "bin" / "puzzlebase"
        assert "97,020 states" in run(
            program, "--data", "tables", "build", "novice", folder=tmp_path / "hour"
        )
    else:
        hour = run(python, FIRST_HOUR, str(free_port()), folder=tmp_path / "hour")
        assert hour.splitlines()[-1] == "all of it worked"


@pytest.mark.slow
@pytest.mark.matrix
def test_everything_installed_has_one_name(archives: Path) -> None:
    (wheel,) = archives.glob("*.whl")
    with zipfile.ZipFile(wheel) as content:
        tops = {name.split("/")[0] for name in content.namelist()}
        assert {"play.html", "http-api.md", "greedy.sql"} <= {
            name.rpartition("/")[2] for name in content.namelist()
        }
    assert {top for top in tops if not top.endswith(".dist-info")} == {"puzzlebase"}


@pytest.mark.needs("page")
def test_the_npm_package_has_the_same_version_and_licence() -> None:
    package, lock = (
        json.loads((ROOT / "page" / f"package{name}.json").read_text("utf-8"))
        for name in ("", "-lock")
    )
    assert {each["version"] for each in (package, lock, lock["packages"][""])} == {
        puzzlebase.__version__
    }
    assert {each["name"] for each in (package, lock, lock["packages"][""])} == {"puzzlebase"}
    assert {name for name in package if name.endswith("ependencies")} == {"devDependencies"}
    assert (ROOT / "page" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@pytest.mark.needs("page")
def test_a_release_is_said_in_every_place_and_tagged(tmp_path: Path) -> None:
    """Twice, since the second time the addresses are there."""
    files = [
        *("pyproject.toml", "CITATION.cff", "CHANGELOG.md", "deploy/recipe.yaml"),
        *("page/package.json", "page/package-lock.json"),
    ]
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    identity = '[user]\nname = a\nemail = a@example.org\n[remote "origin"]\nurl = https://forge.example/a/b.git\n'
    run("git", "init", "--quiet", folder=tmp_path)
    with (tmp_path / ".git" / "config").open("a") as config:
        config.write(identity)
    run("git", "add", ".", folder=tmp_path)
    run("git", "commit", "--quiet", "--message", "before", folder=tmp_path)
    for version in ("7.8.9", "7.9.0"):
        run(sys.executable, ROOT / ".ci" / "release.py", version, folder=tmp_path)
        told = run("git", "show", f"v{version}", "--format=%s", folder=tmp_path)
        assert f"release: {version}" in told
        changed = re.findall(r"^\+\+\+ b/(.*)", told, re.MULTILINE)
        assert sorted(changed) == sorted(files)
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["project"]
    assert (project["version"], project["urls"]["Source"]) == ("7.9.0", "https://forge.example/a/b")
    citation = yaml.safe_load((tmp_path / "CITATION.cff").read_text("utf-8"))
    assert (citation["version"], citation["repository-code"]) == (
        "7.9.0",
        project["urls"]["Source"],
    )


def test_locks_hold_pins_and_hashes_and_no_address() -> None:
    locks = [*ROOT.glob("requirements*.lock"), ROOT / "page" / "package-lock.json"]
    assert len(locks) == 4
    for lock in locks:
        text = lock.read_text("utf-8")
        assert "://" not in text, lock
        assert "sha256:" in text or "sha512-" in text
