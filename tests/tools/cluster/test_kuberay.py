"""KubeRay's manifest, without Kubernetes: its fields, which agree with KubeRay's own schema, and its command."""

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


AMOUNTS = {"cpu": str, "memory": str}
POD = {
    "spec": {
        "containers": [
            {
                "name": str,
                "image": str,
                "resources": {"requests": AMOUNTS, "limits": AMOUNTS},
                "volumeMounts": [{"name": str, "mountPath": str}],
            }
        ],
        "volumes": [{"name": str, "persistentVolumeClaim": {"claimName": str}}],
    }
}
FIELDS: dict[str, Any] = {
    "apiVersion": str,
    "kind": str,
    "metadata": {"name": str},
    "spec": {
        "entrypoint": str,
        "shutdownAfterJobFinishes": bool,
        "ttlSecondsAfterFinished": int,
        "rayClusterSpec": {
            "rayVersion": str,
            "headGroupSpec": {"rayStartParams": {"num-cpus": str}, "template": POD},
            "workerGroupSpecs": [
                {
                    "groupName": str,
                    **dict.fromkeys(("replicas", "minReplicas", "maxReplicas"), int),
                    "rayStartParams": {},
                    "template": POD,
                }
            ],
        },
    },
}


def unknown(value: Any, fields: Any, where: str = "") -> list[str]:
    """The places of values that are no fields, or of another type."""
    if isinstance(fields, dict) and isinstance(value, dict):
        strange = [f"{where}.{name}" for name in value.keys() - fields.keys()]
        known = value.keys() & fields.keys()
        return strange + [each for name in known for each in unknown(value[name], fields[name], f"{where}.{name}")]
    if isinstance(fields, list) and isinstance(value, list):
        return [each for at, item in enumerate(value) for each in unknown(item, fields[0], f"{where}[{at}]")]
    return [] if type(value) is fields else [where]


def groups() -> list[dict[str, Any]]:
    cluster = MANIFEST["spec"]["rayClusterSpec"]
    return [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]


def test_every_field_is_one_of_a_ray_job() -> None:
    assert (MANIFEST["apiVersion"], MANIFEST["kind"]) == ("ray.io/v1", "RayJob")
    assert not unknown(MANIFEST, FIELDS)


def test_every_machine_has_the_volume_of_the_tables() -> None:
    command = shlex.split(MANIFEST["spec"]["entrypoint"])
    data = command[command.index("--data") + 1]
    for group in groups():
        pod = group["template"]["spec"]
        (container,), (volume,) = pod["containers"], pod["volumes"]
        assert container["volumeMounts"] == [{"name": volume["name"], "mountPath": data}]


def test_the_command_is_one_of_ours() -> None:
    program, *words = shlex.split(MANIFEST["spec"]["entrypoint"])
    _, _, verb, *arguments = words
    assert (program, verb) == ("puzzlebase", "build")
    context = of_files.build.make_context("build", [*arguments, "--threads", "1"], resilient_parsing=True)
    assert context.params["puzzle"] in ("turnstile", find("turnstile"))
    options = {option for parameter in of_files.build.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options | {"--data"}


def test_the_version_of_ray_is_the_locked_one() -> None:
    (version,) = re.findall(r"^ray==(\S+)", (ROOT / "requirements-cluster.lock").read_text("utf-8"), re.MULTILINE)
    assert MANIFEST["spec"]["rayClusterSpec"]["rayVersion"] == version
    assert {group["template"]["spec"]["containers"][0]["image"].rpartition(":")[2] for group in groups()} == {version}
