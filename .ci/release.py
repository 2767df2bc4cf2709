"""`make release VERSION=1.2.3`: say a version where it is said, and the addresses; commit and tag.

The address of the repository is that of git's remote `origin`, or the second argument. What is
pushed then, is published by .github/workflows/release.yml.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path


def git(*words: str) -> str:
    """The output of git."""
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout


def replace(name: str, *changes: tuple[str, str]) -> None:
    """Replace the one match of each pattern in a file; exits if there is no or another one."""
    text = Path(name).read_text("utf-8")
    for pattern, by in changes:
        text, count = re.subn(pattern, by, text, flags=re.MULTILINE)
        if count != 1:
            sys.exit(f"{name} has {count} places like {pattern}")
    Path(name).write_text(text, "utf-8")


def write_version(version: str, repository: str, day: str) -> None:
    """Write all that a release says of itself."""
    urls = (
        f'[project.urls]\nSource = "{repository}"\n'
        f'Changelog = "{repository}/blob/v{version}/CHANGELOG.md"\n'
        f'Issues = "{repository}/issues"\n\n[project.scripts]'
    )
    replace(
        "pyproject.toml",
        (r'^version = ".*"$', f'version = "{version}"'),
        (r"(\[project\.urls\]\n(.+\n)+\n)?^\[project\.scripts\]", urls),
    )
    replace(
        "CITATION.cff",
        (r"^version: .*$", f"version: {version}"),
        (r"^date-released: .*$", f"date-released: {day}"),
        (r"^(# )?repository-code: .*$", f"repository-code: {repository}"),
    )
    replace("deploy/recipe.yaml", (r'^  version: ".*"$', f'  version: "{version}"'))
    replace("CHANGELOG.md", (r"^## \[Unreleased\]$", f"## [Unreleased]\n\n## [{version}] - {day}"))
    replace(
        "page/package.json",
        (
            r'^  "version": .*\n(  "repository": .*\n)?',
            f'  "version": "{version}",\n  "repository": "git+{repository}.git",\n',
        ),
    )
    replace(
        "page/package-lock.json",
        (r'^(  "name": "puzzlebase",\n  "version": ).*$', rf'\g<1>"{version}",'),
        (r'^(      "name": "puzzlebase",\n      "version": ).*$', rf'\g<1>"{version}",'),
    )


def main(version: str, repository: str = "") -> None:
    """Make the commit and the tag of a version."""
    if git("status", "--porcelain"):
        sys.exit("commit what has changed, or put it away: git stash")
    repository = (repository or git("remote", "get-url", "origin").strip()).removesuffix(".git")
    write_version(version, repository, f"{datetime.now(UTC):%Y-%m-%d}")
    git("commit", "--all", "--message", f"release: {version}")
    git("tag", "--annotate", f"v{version}", "--message", f"Puzzlebase {version}")
    sys.stdout.write(f"v{version} is tagged; to publish it: git push --follow-tags\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
