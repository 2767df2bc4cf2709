"""KubeRay's manifest, without Kubernetes: its command, its volume and its versions."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import yaml

from puzzlebase.command_line.verbs import of_files
from puzzlebase.puzzles import find

ROOT = Path(__file__).parents[3]
MANIFEST: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "kuberay.yaml").read_text("utf-8"))


def groups() -> list[dict[str, Any]]:
    cluster = MANIFEST["spec"]["rayClusterSpec"]
    return [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]


def test_the_driver_has_the_volume_of_the_tables() -> None:
    command = shlex.split(MANIFEST["spec"]["entrypoint"])
    data = command[command.index("--data") + 1]
    pod = groups()[0]["template"]["spec"]
    (container,), (volume,) = pod["containers"], pod["volumes"]
    assert container["volumeMounts"] == [{"name": volume["name"], "mountPath": data}]


def test_the_command_is_one_of_ours() -> None:
    program, *words = shlex.split(MANIFEST["spec"]["entrypoint"])
    _, _, verb, *arguments = words
    assert (program, verb) == ("puzzlebase", "build")
    context = of_files.build.make_context(
        "build", [*arguments, "--threads", "1"], resilient_parsing=True
    )
    assert context.params["puzzle"] in ("turnstile", find("turnstile"))
    options = {option for parameter in of_files.build.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options | {"--data"}


def test_the_version_of_ray_is_the_locked_one() -> None:
    (version,) = re.findall(
        r"^ray==(\S+)", (ROOT / "requirements-cluster.lock").read_text("utf-8"), re.MULTILINE
    )
    assert MANIFEST["spec"]["rayClusterSpec"]["rayVersion"] == version
    assert {
        group["template"]["spec"]["containers"][0]["image"].rpartition(":")[2] for group in groups()
    } == {version}
