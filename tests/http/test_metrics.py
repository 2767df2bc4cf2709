"""service/http/metrics.py: the counts of one process; test_rsgi.py tests those of several."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from puzzlebase.service.http import metrics
from puzzlebase.service.http.app import create_app
from puzzlebase.version import VERSION
from tests.waiting import PATIENCE


def counted(name: str, **labels: str) -> float:
    """The value of a sample, 0 where there is none."""
    families = text_string_to_metric_families(metrics.scrape().decode())
    samples = [sample for family in families for sample in family.samples]
    return sum(
        sample.value
        for sample in samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def test_requests_are_counted_by_route_and_not_by_path(data: Path) -> None:
    client = create_app(data).test_client()
    for method, address, route, status in (
        ("GET", "/v1/puzzles/novice/histogram", "/v1/puzzles/{name}/histogram", "200"),
        ("GET", "/v1/puzzles/none/histogram", "/v1/puzzles/{name}/histogram", "404"),
        ("GET", "/made/up/1", "other", "404"),
        ("BREW", "/made/up/2", "other", "404"),
    ):
        labels = {
            "method": method if method == "GET" else "other",
            "route": route,
            "status": status,
        }
        before = (
            counted("puzzlebase_requests_total", **labels),
            counted("puzzlebase_request_seconds_count", route=route),
        )
        client.open(address, method=method)
        after = (
            counted("puzzlebase_requests_total", **labels),
            counted("puzzlebase_request_seconds_count", route=route),
        )
        assert [now - then for now, then in zip(after, before, strict=True)] == [1, 1]
    assert "/made/up" not in metrics.scrape().decode()


DIES = """
import os
from puzzlebase.service.http import metrics
metrics.requests("GET", "/readyz", "200").inc()
metrics.seconds("/readyz").observe(0.01)
metrics.SEARCHES.inc()
print(metrics.scrape().decode(), flush=True)
os._exit(9)
"""


def test_processes_that_die_leave_their_counts(tmp_path: Path) -> None:
    """What they held is held no more."""
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    starts: list[float] = []
    for died in range(1, 5):
        command = [sys.executable, "-c", DIES]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        lines = done.stdout.splitlines()
        assert (
            f'puzzlebase_requests_total{{method="GET",route="/readyz",status="200"}} {died}.0'
            in lines
        ), done.stderr
        assert f'puzzlebase_request_seconds_bucket{{le="0.016",route="/readyz"}} {died}.0' in lines
        assert f'puzzlebase_request_seconds_count{{route="/readyz"}} {died}.0' in lines
        assert "puzzlebase_searches 1.0" in lines
        assert len([*tmp_path.glob("gauge_live*")]) == 2
        starts += [
            float(line.split()[1]) for line in lines if f'seconds{{version="{VERSION}"}}' in line
        ]
    assert len(starts) == 4
    assert len({*starts}) == 1, "of the first process"
