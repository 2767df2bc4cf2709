"""deploy/: every file is read by the program that it is for,
where that can run here, and else by a parser.
"""

from __future__ import annotations

import configparser
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from puzzlebase.command_line.verbs.serve import serve
from puzzlebase.service.http import metrics
from tests.serving import serving
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", "")
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def instructions(name: str) -> list[str]:
    """The words behind an instruction of the Containerfile, in its order."""
    return re.findall(rf"^\s*{name}\s+(.*)$", CONTAINERFILE, re.MULTILINE)


def assert_serves(words: list[str]) -> None:
    assert words[0] == "serve"
    serve.make_context("serve", words[1:])


def test_the_container_runs_the_service_as_nobody_special() -> None:
    assert instructions("USER") == ["10001"]
    assert "--uid 10001" in " ".join(instructions("RUN"))
    assert json.loads(instructions("ENTRYPOINT")[0]) == ["puzzlebase"]
    assert_serves(json.loads(instructions("CMD")[0]))
    variables = dict(word.split("=") for word in shlex.split(instructions("ENV")[0]))
    assert {*variables} == {"PATH", "PUZZLEBASE_DATA", "PUZZLEBASE_CACHE", "NUMBA_CACHE_DIR"}
    folders = instructions("VOLUME")[0].split()
    assert all(
        path.startswith(tuple(folders)) for name, path in variables.items() if name != "PATH"
    )
    assert (ROOT / "requirements.lock").exists()
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert not {"requirements.lock", "puzzlebase", "puzzles", "page", "README.md", "LICENSE"} & set(
        ignored
    )


@pytest.mark.slow
def test_its_health_check_tells_a_service_that_answers(tmp_path: Path) -> None:
    python, flag, text = json.loads(instructions("HEALTHCHECK")[0].partition("CMD ")[2])
    assert (python, flag) == ("python", "-c")
    with serving(tmp_path, "--workers", "1") as served:
        here = text.replace("http://127.0.0.1:8080", served.address)
        subprocess.run([sys.executable, "-c", here], timeout=PATIENCE, check=True)
    done = subprocess.run(
        [sys.executable, "-c", here], timeout=PATIENCE, check=False, capture_output=True
    )
    assert done.returncode == 1


def test_what_compose_starts_fits_together() -> None:
    services, networks = COMPOSE["services"], COMPOSE["networks"]
    puzzlebase, caddy = services["puzzlebase"], services["caddy"]
    assert_serves(puzzlebase["command"])
    words = puzzlebase["command"]
    (network,) = caddy["networks"]
    assert (
        words[words.index("--forwarded-allow-ips") + 1]
        == caddy["networks"][network]["ipv4_address"]
    )
    assert network in networks
    assert network in puzzlebase["networks"]
    assert "ports" not in puzzlebase, "only Caddy can be reached"
    assert (DEPLOY / puzzlebase["build"]["context"] / puzzlebase["build"]["dockerfile"]).is_file()
    mounted = [
        volume.split(":")[0] for service in services.values() for volume in service["volumes"]
    ]
    for name in mounted:
        assert name in COMPOSE["volumes"] or (DEPLOY / name).is_file(), name
    targets = [volume.split(":")[1] for volume in puzzlebase["volumes"]]
    assert targets == instructions("VOLUME")[0].split()
    caddyfile = (DEPLOY / "Caddyfile").read_text("utf-8")
    assert set(caddy["environment"]) == set(re.findall(r"\{\$(\w+)", caddyfile))


def test_the_unit_starts_a_service(tmp_path: Path) -> None:
    parser = configparser.ConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    unit = (DEPLOY / "puzzlebase.service").read_text("utf-8")
    parser.read_string(unit)
    words = parser["Service"]["ExecStart"].split()
    assert (words[0].rpartition("/")[2], words[2]) == (
        "puzzlebase",
        parser["Service"]["ReadOnlyPaths"],
    )
    assert_serves(words[3:])
    if shutil.which("systemd-analyze"):
        there = unit.replace(words[0], sys.executable).replace("User=puzzlebase\n", "")
        (tmp_path / "puzzlebase.service").write_text(there, "utf-8")
        command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / "puzzlebase.service")]
        checked = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert "puzzlebase.service:" not in checked.stderr, checked.stderr


@pytest.fixture(scope="module")
def samples() -> set[str]:
    """The names of the samples of every metric."""
    histogram = "_bucket", "_sum", "_count"
    kinds = re.findall(r"^# TYPE (puzzlebase_\w+) (\w+)$", metrics.scrape().decode(), re.MULTILINE)
    return {
        name + ending
        for name, kind in kinds
        for ending in (histogram if kind == "histogram" else ("",))
    }


def named_in(expression: str) -> set[str]:
    """The metrics of this service that an expression of Prometheus names."""
    return {*re.findall(r"puzzlebase_\w+", expression)}


def test_alerts_ask_for_metrics_that_there_are(samples: set[str]) -> None:
    (group,) = yaml.safe_load((DEPLOY / "prometheus-alerts.yml").read_text("utf-8"))["groups"]
    for rule in group["rules"]:
        assert {*rule} == {"alert", "expr", "for", "labels", "annotations"}
        assert {*rule["annotations"]} == {"summary", "remedy"}
        assert rule["expr"].startswith("up{") or samples > named_in(rule["expr"]) > set(), rule[
            "expr"
        ]


def test_the_dashboard_shows_every_metric(samples: set[str]) -> None:
    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    shown = set[str]().union(*map(named_in, expressions))
    assert shown <= samples
    families = {
        re.sub(r"_(bucket|sum|count)$", "", name)
        for name in samples
        if not name.endswith("_created")
    }
    assert {re.sub(r"_bucket$", "", name) for name in shown} == families


def test_the_recipe_needs_what_the_program_needs() -> None:
    recipe = yaml.safe_load((DEPLOY / "recipe.yaml").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    other_names = {"duckdb": "python-duckdb", "prometheus-client": "prometheus_client"}
    needs = [each.partition(">=") for each in project["dependencies"]]
    run = {f"{other_names.get(name, name)} >={bounds}" for name, _, bounds in needs}
    assert {*recipe["requirements"]["run"]} == {*run, f"python {project['requires-python']}"}
    assert recipe["context"]["version"] == project["version"]


def test_every_file_is_in_the_document() -> None:
    page = (ROOT / "docs" / "operating.md").read_text("utf-8")
    for path in DEPLOY.iterdir():
        assert f"../deploy/{path.name}" in page, path.name
