"""service/http/openapi.py: the service answers as its specification says,
and a client generated from that works.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from flask.testing import FlaskClient

from puzzlebase.service.http.app import App, create_app
from puzzlebase.service.sources.budget import SearchLimits
from tests.http.asking import SOLVED, get

# To the specification any text is a state, to a puzzle few are, so requests that it allows may be
# refused all the same. A puzzle's first search may not be ready within `max_seconds`.
CHECKS = {
    "not_a_server_error": {"expected-statuses": ["2xx", "3xx", "4xx", 503]},
    "positive_data_acceptance": {"expected-statuses": ["2xx", 400, 404, 409, 422, 503]},
    "negative_data_rejection": {"expected-statuses": [400, 404, 405, 409, 413, 414]},
}
GENERATION = {"max-examples": 1, "deterministic": True, "database": "none"}


@pytest.fixture(scope="module")
def app(data: Path) -> App:
    return create_app(data, limits=SearchLimits(states=10_000, seconds=0.05))


@pytest.fixture(scope="module")
def client_module(app: App, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The client that a well-known generator writes, without a network and without a warning."""
    from openapi_python_client import generate  # noqa: PLC0415 -- which takes a while
    from openapi_python_client.config import Config, ConfigFile, MetaType  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("generated")
    document = folder / "openapi.json"
    document.write_text(app.test_client().get("/openapi.json").text, "utf-8")
    given = ConfigFile(post_hooks=[], content_type_overrides={"image/svg+xml": "text/plain"})
    config = Config.from_sources(
        given, MetaType.NONE, document, "utf-8", overwrite=False, output_path=folder / "made"
    )
    assert generate(config=config) == []
    sys.path.insert(0, str(folder))
    return importlib.import_module("made")


@pytest.mark.slow(2)
def test_a_generated_client_works(app: App, client_module: ModuleType) -> None:
    models: Any = importlib.import_module("made.models")
    client = client_module.Client(base_url="http://service")
    client.set_httpx_client(
        httpx.Client(base_url="http://service", transport=httpx.WSGITransport(app=app))
    )

    def ask(operation: str, *given: Any, **fields: Any) -> Any:
        asked = importlib.import_module(f"made.api.default.{operation}")
        return asked.sync(*given, client=client, **fields)

    start = ask("random", "avenger", distance=4, seed="a")
    found = ask("lookup", "avenger", state=start.state)
    assert (found.distance, found.moves[0].optimal, found.source) == (4, True, "table")
    solution = ask("solve", "avenger", state=start.state).solution
    graded = ask("grade", "avenger", body=models.GradeFields(state=start.state, moves=solution))
    assert (graded.solved, graded.stars, graded.steps[-1].state) == (
        True,
        3,
        graded.steps[-1].state,
    )
    batch = ask(
        "lookup_batch", "avenger", body=models.BatchFields(states=[start.state, "x"])
    ).results
    assert batch[0].distance == 4
    assert batch[1].problem.status == 400
    refused = ask("lookup", "avenger", state="x")
    assert isinstance(refused, models.Problem)
    assert (refused.status, refused.title) == (400, "Unreadable state")
    assert ask("picture", "avenger", state=SOLVED).startswith("<svg")


@pytest.mark.slow(6)
def test_every_answer_is_as_specified(app: App) -> None:
    """All checks of schemathesis, on requests that the specification allows and on others."""
    import schemathesis  # noqa: PLC0415
    from schemathesis.config import SchemathesisConfig  # noqa: PLC0415
    from schemathesis.engine import events, from_schema  # noqa: PLC0415

    def without_gzip(environ: dict[str, Any], start_response: Any) -> Any:
        # its client cannot read that
        return app({**environ, "HTTP_ACCEPT_ENCODING": ""}, start_response)

    config = SchemathesisConfig.from_dict({"checks": CHECKS, "generation": GENERATION})
    schema = schemathesis.openapi.from_wsgi("/openapi.json", without_gzip, config=config)
    checked: Counter[str] = Counter()
    wrong = []
    for event in from_schema(schema).execute():
        assert not isinstance(event, events.NonFatalError | events.FatalError), event
        if isinstance(event, events.ScenarioFinished):
            for check in [check for checks in event.recorder.checks.values() for check in checks]:
                checked[check.name] += 1
                if check.failure_info is not None:
                    wrong.append(
                        (check.name, event.recorder.label, check.failure_info.failure.message)
                    )
    assert wrong == []
    assert set(checked) >= {
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
        "negative_data_rejection",
        "positive_data_acceptance",
        "unsupported_method",
    }


def test_the_specification_covers_every_address(client: FlaskClient) -> None:
    spec = get(client, "/openapi.json")
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in client.application.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if "." not in rule.endpoint  # as /openapi.json and the pages have, each in a blueprint
    }
    assert {
        (path, method) for path, methods in spec["paths"].items() for method in methods
    } == served
    for methods in spec["paths"].values():
        for operation in methods.values():
            assert operation["description"]
            fields = {field["name"] for field in operation.get("parameters", [])}
            assert "goal" not in fields or {"404", "422"} <= operation["responses"].keys()
            assert operation["responses"]["default"]["content"].keys() == {
                "application/problem+json"
            }
            assert operation["responses"]["200"]["content"]
            assert all(answer["description"] for answer in operation["responses"].values())
    level = spec["components"]["schemas"]["HintBodyFields"]["properties"]["level"]
    assert "default" not in level, "openapi-typescript would take the field for required"
    assert level["anyOf"][0]["default"] == 1
    used = set(re.findall(r'"#/components/schemas/([^"]+)"', client.get("/openapi.json").text))
    assert used <= set(spec["components"]["schemas"])
