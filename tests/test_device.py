"""The worker's door answers as the server does, byte for byte, and never with anything but JSON."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from app import create_app
from scorekeeper import device
from scorekeeper.core.engine import record
from scorekeeper.pages import words
from scorekeeper.web import device as web
from scorekeeper.web import respond, runtime
from tests import device_steps
from tests.core.tables import TABLES

ROOT = Path(__file__).parents[1]
OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    made = create_app({"DATA": str(tmp_path_factory.mktemp("data")), "WRITES": "100000 per minute", "PSEUDO": True})
    yield made
    made.extensions["log"].close()


@pytest.fixture(scope="module")
def home(app: Flask) -> dict[str, Any]:
    with app.test_request_context():
        found: dict[str, Any] = json.loads(json.dumps(web.home()))
    return found


@pytest.mark.parametrize(
    ("table", "language"), [*((table, "en") for table in TABLES), ("gaple-five", "id"), ("pontas", words.PSEUDO)]
)
def test_the_device_and_the_server_answer_the_same(
    table: str, language: str, app: Flask, home: dict[str, Any]
) -> None:
    client = app.test_client()
    seen = set()
    for request, answer in device_steps.match(table, 7, home, most=40, language=language):
        asked = {name: value for name, value in request.items() if name != "home"}
        said = client.post("/practice/step", json=asked, headers={**OURS, "Accept-Language": language})
        assert said.json == json.loads(device.handle(json.dumps(request))) == answer
        seen.add(request["do"])
    assert {"start", "play", "bot", "bots"} <= seen


def test_every_address_is_the_servers(app: Flask, home: dict[str, Any]) -> None:
    checked = set()
    with app.test_request_context():
        here = device.around(home)["url_for"]
        for rule in app.url_map.iter_rules():
            values: dict[str, Any] = {name: 3 if f"<int:{name}>" in rule.rule else "abc-Ü d" for name in rule.arguments}
            for more in ({}, {"query": "x y&z/ü"}):
                assert here(rule.endpoint, **values, **more) == respond.address(rule.endpoint, **values, **more), rule
            checked.add(rule.endpoint)
        assert here("static", filename="css/app.css") == respond.address("static", filename="css/app.css")
    assert "practice.choose" in checked


def test_what_is_wrong_is_an_answer() -> None:
    for text in ("[]", "1", "null", "{}", '{"do": "play"}', '{"do": "start", "variant": "none"}', '{"do": "replay"}'):
        error = json.loads(device.handle(text))["error"]
        assert set(error) == {"code", "message", "at"}


def test_an_unknown_language_is_the_source_language(home: dict[str, Any]) -> None:
    english = next(device_steps.match("block", 1, home))[1]
    assert next(device_steps.match("block", 1, home, language="../x"))[1] == english


def test_a_match_replays_from_its_record(home: dict[str, Any]) -> None:
    steps = list(device_steps.match("pontas-four", 2, home))
    made = device_steps.finished(steps)
    said = json.loads(device.handle(json.dumps({"do": "replay", "record": made})))
    assert said == record.told(record.replay(record.read(made)))
    assert said["status"] == "finished"


# What `make runtime` built ------------------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A little tree with a built runtime in it."""
    for name in runtime.BUILDERS:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    (tmp_path / "one.py").write_text("1")
    runtime.folder(tmp_path).mkdir(parents=True)
    manifest = {"inputs": ["one.py"], "sources": runtime.fingerprint(tmp_path, ["one.py"])}
    (runtime.folder(tmp_path) / runtime.MANIFEST).write_text(json.dumps(manifest))
    return tmp_path


def test_a_runtime_of_these_very_sources_is_used(tree: Path) -> None:
    assert runtime.built(tree)
    (tree / "one.py").write_text("2")
    assert runtime.built(tree) is None


@pytest.mark.parametrize("spoil", ["one.py", runtime.BUILDERS[0], f"static/runtime/{runtime.MANIFEST}"])
def test_a_runtime_whose_sources_are_gone_is_not_used(tree: Path, spoil: str) -> None:
    (tree / spoil).unlink()
    assert runtime.built(tree) is None


@pytest.mark.parametrize("text", ["", "[", "{}", '{"sources": ""}'])
def test_a_broken_manifest_is_no_runtime(tree: Path, text: str) -> None:
    (runtime.folder(tree) / runtime.MANIFEST).write_text(text)
    assert runtime.built(tree) is None


# Its addresses ------------------------------------------------------------------------------------------------


def test_the_service_worker_looks_after_the_whole_site(app: Flask) -> None:
    said = app.test_client().get("/sw.js")
    assert said.status_code == 200 and said.mimetype == "text/javascript"
    assert said.headers["Cache-Control"] == "no-cache" and said.headers["Service-Worker-Allowed"] == "/"


def test_without_a_runtime_the_server_says_so(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.extensions, "runtime", None)
    said = app.test_client().get("/runtime.json")
    assert said.status_code == 200 and json.loads(said.data) == {"engine": None}


def test_with_a_runtime_the_server_says_where(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    files = ["engine-1/python.zip", "app-2.zip"]
    made = {"engine": "engine-1", "app": "app-2.zip", "lock": {}, "files": files, "unpacked": 3}
    monkeypatch.setitem(app.extensions, "runtime", made)
    client = app.test_client()
    said = client.get("/runtime.json")
    assert said.headers["Cache-Control"] == "no-cache"
    where = json.loads(said.data)
    assert {where["app"], where["library"], where["home"]["static"] + "js/worker.js"} <= set(where["files"])
    for address in where["pages"]:
        assert client.get(address).status_code == 200
    for address in where["files"]:
        if address.startswith("/static/"):
            assert client.get(address).status_code == 200, address


def test_the_policy_lets_the_engine_run(app: Flask) -> None:
    policy = app.test_client().get("/practice").headers["Content-Security-Policy"]
    for needed in ("script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'", "connect-src 'self'"):
        assert needed in policy
