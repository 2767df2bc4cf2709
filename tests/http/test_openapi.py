"""service/http/openapi.py: the service answers as its specification says, and a client generated from that works."""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from flask.testing import FlaskClient

from puzzlebase.puzzles import find
from puzzlebase.service.http.app import App, create_app
from puzzlebase.service.sources.budget import SearchLimits
from tests.conftest import TABLES
from tests.http.asking import SOLVED, get

# To the specification any text is a state, to a puzzle few are, so requests that it allows may be refused all the same.
CHECKS = {
    "positive_data_acceptance": {"expected-statuses": ["2xx", 400, 404, 409, 422]},
    "negative_data_rejection": {"expected-statuses": [400, 404, 405, 409, 413, 414]},
}
GENERATION = {"max-examples": 10, "deterministic": True, "database": "none"}


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
    config = Config.from_sources(given, MetaType.NONE, document, "utf-8", overwrite=False, output_path=folder / "made")
    assert generate(config=config) == []
    sys.path.insert(0, str(folder))
    return importlib.import_module("made")


@pytest.mark.slow(2)
def test_a_generated_client_works(app: App, client_module: ModuleType) -> None:
    models: Any = importlib.import_module("made.models")
    client = client_module.Client(base_url="http://service")
    client.set_httpx_client(httpx.Client(base_url="http://service", transport=httpx.WSGITransport(app=app)))

    def ask(operation: str, *given: Any, **fields: Any) -> Any:
        asked = importlib.import_module(f"made.api.default.{operation}")
        return asked.sync(*given, client=client, **fields)

    start = ask("random", "avenger", distance=4, seed="a")
    found = ask("lookup", "avenger", state=start.state)
    assert (found.distance, found.moves[0].optimal, found.source) == (4, True, "table")
    solution = ask("solve", "avenger", state=start.state).solution
    graded = ask("grade", "avenger", body=models.GradeFields(state=start.state, moves=solution))
    assert (graded.solved, graded.stars, graded.steps[-1].state) == (True, 3, graded.steps[-1].state)
    batch = ask("lookup_batch", "avenger", body=models.BatchFields(states=[start.state, "x"])).results
    assert batch[0].distance == 4
    assert batch[1].problem.status == 400
    refused = ask("lookup", "avenger", state="x")
    assert isinstance(refused, models.Problem)
    assert (refused.status, refused.title) == (400, "Unreadable state")
    assert isinstance(ask("histogram", "nothing"), models.Problem)
    assert ask("service").limits.batch == 10_000
    assert set(ask("readyz").tables) == set(TABLES)
    assert ask("picture", "avenger", state=SOLVED).startswith("<svg")
    assert "puzzlebase_requests_total" in ask("scrape")


@pytest.mark.slow(13)
def test_every_answer_is_as_specified(app: App) -> None:
    """All checks of schemathesis, on requests that the specification allows and on others."""
    import schemathesis  # noqa: PLC0415
    from schemathesis.config import SchemathesisConfig  # noqa: PLC0415
    from schemathesis.engine import events, from_schema  # noqa: PLC0415

    def without_gzip(environ: dict[str, Any], start_response: Any) -> Any:
        return app({**environ, "HTTP_ACCEPT_ENCODING": ""}, start_response)  # its client cannot read that

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
                    wrong.append((check.name, event.recorder.label, check.failure_info.failure.message))
    assert wrong == []
    assert set(checked) >= {
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
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
    assert {(path, method) for path, methods in spec["paths"].items() for method in methods} == served
    for methods in spec["paths"].values():
        for operation in methods.values():
            assert operation["description"]
            assert operation["responses"]["default"]["content"].keys() == {"application/problem+json"}
            assert operation["responses"]["200"]["content"]
            assert all(answer["description"] for answer in operation["responses"].values())
    used = set(re.findall(r'"#/components/schemas/([^"]+)"', client.get("/openapi.json").text))
    assert used <= set(spec["components"]["schemas"])


OTHERS = {
    "goal": ("nonsense", ".AAA.BBB.CCC.DDD.DDD.", "", "x" * 5000),
    "state": ("nonsense", ".AAA.BBB.CCC.DDD.DDD.", "", "x" * 5000),
    "family": ("hanoi-xyz", "wheels", "panex"),
    "name": ("avenger", "nothing", "challenger", "panex-10", "quantum-3x3-1000", "damaged"),
}
"""Questions that fail: about unreadable or impossible states, and without a table, a space or a sound file."""


@pytest.mark.slow
def test_every_status_of_an_answer_is_in_the_specification(data: Path, tmp_path: Path) -> None:
    """Of each address, over each field that a request may get wrong."""
    for path in data.glob("*.duckdb"):
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "panex-3.duckdb").write_bytes(b"damaged")
    client = create_app(tmp_path, limits=SearchLimits(states=10_000, seconds=0.05)).test_client()
    spec = get(client, "/openapi.json")
    missing = set()
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            for parts, fields in _questions(spec, operation):
                address = path.format(**parts)
                given = {"json": fields} if method == "post" else {"query_string": fields}
                status = client.open(address, method=method.upper(), **given).status_code  # type: ignore[arg-type]
                if str(status) not in operation["responses"] and address.count("/") == path.count("/"):
                    missing.add((method, path, status))
    assert missing == set()


def _questions(spec: Any, operation: Any) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """The names in the address and the fields of questions: each puzzle, and there each goal and each state."""
    named = [each["name"] for each in operation.get("parameters", []) if each["in"] == "path"]
    fields = {each["name"] for each in operation.get("parameters", []) if each["in"] == "query"}
    for body in operation.get("requestBody", {}).get("content", {}).values():
        fields |= {*spec["components"]["schemas"][body["schema"]["$ref"].rpartition("/")[2]]["properties"]}
    for name in OTHERS["name"]:
        puzzle = "panex-3" if name == "damaged" else name
        start = find(puzzle).goal().start if name != "nothing" else SOLVED
        right: dict[str, Any] = {"state": start, "states": [start], "moves": ["L"]}
        given = {field: right[field] for field in right if field in fields}
        if given.keys() >= {"states", "moves"}:
            del given["states" if "state" in given else "moves"]  # of a game one is enough; a batch has no such moves
        changes = [{field: value} for field in ("goal", "state") if field in fields for value in OTHERS[field]]
        for change in [{}, *changes]:
            for family in OTHERS["family"]:
                yield {each: puzzle if each == "name" else family for each in named}, given | change
                if "family" not in named:
                    break
