"""The API's description: valid, complete, and true of what the server does."""

import json
import re

import jsonschema
import pytest
import schemathesis

from scorekeeper.core import events, schema
from scorekeeper.core.variants import VARIANTS
from scorekeeper.core.variants.block import Block
from scorekeeper.web import openapi
from tests.web.asking import API, DOMINO


@pytest.fixture
def document(api):
    return api.get("/openapi.json").json


def operations(document):
    """Method, address and description of each operation."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method != "parameters":
                yield method, path, operation


def validate(document):
    """By OpenAPI's own schema; and every reference leads somewhere. Raises for what is wrong."""
    schemathesis.openapi.from_dict(document).validate()
    for name in set(re.findall(r'"\$ref": "([^"]*)"', json.dumps(document))):
        place = document
        for step in name.removeprefix("#/").split("/"):
            place = place[step]


def examples(operation):
    return operation["requestBody"]["content"]["application/json"]["examples"]


def test_it_is_an_openapi_document(document):
    assert document["openapi"].startswith("3.1")
    validate(document)


def test_it_describes_every_route_and_no_other(app, document):
    routes = {
        (method.lower(), rule.rule.removeprefix(API).replace("<", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("api.")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert {(method, path) for method, path, _ in operations(document)} == routes


def test_every_post_says_how_it_can_fail(document):
    for method, path, operation in operations(document):
        statuses = set(operation["responses"])
        if method == "post":
            assert {"400", "413", "415", "422", "429"} <= statuses
        if "{match_id}" in path:
            assert {"401", "404"} <= statuses
        assert operation["operationId"] and operation["summary"]


def test_every_example_is_right_by_its_schema_and_taken_by_the_server(api, document):
    for method, path, operation in operations(document):
        if method != "post":
            continue
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        check = jsonschema.Draft202012Validator({**body, "components": document["components"]})
        assert examples(operation)
        for name, example in examples(operation).items():
            check.validate(example["value"])
            match_id = api.create(DOMINO)
            answer = api.post(path.replace("{match_id}", match_id), example["value"])
            assert answer.status_code in (200, 201), (path, name, answer.text)


def test_each_variant_has_an_example(document):
    for path in ("/tally", "/matches"):
        assert set(VARIANTS) <= set(examples(document["paths"][path]["post"]))


def test_every_kind_of_event_has_its_schema(document):
    parts = document["components"]["schemas"]
    for kind, keys in events.KINDS.items():
        assert set(parts[f"event_{kind}"]["properties"]) == {
            "type", "version", "at", "by", *(key.rstrip("?") for key in keys)
        }  # fmt: skip
    assert "new_created" not in parts  # a match is created once, with the match


def test_a_fifth_variant_appears_by_itself(api, monkeypatch):
    class Fifth(Block):
        key = "fifth"

    monkeypatch.setitem(VARIANTS, "fifth", Fifth())
    document = api.get("/openapi.json").json
    validate(document)
    assert document["components"]["schemas"]["match_fifth"]["properties"]["variant"] == {"const": "fifth"}
    assert {"$ref": "#/components/schemas/match_fifth"} in document["components"]["schemas"]["MatchDocument"]["oneOf"]
    for path in ("/tally", "/matches"):
        example = examples(document["paths"][path]["post"])["fifth"]["value"]
        assert api.post(path, example).status_code in (200, 201)


@pytest.mark.parametrize(("name", "made"), [("match", schema.match_document), ("tally", schema.tally)])
def test_the_schemas_of_documents_are_served(api, name, made):
    answer = api.get(f"/schema/{name}.json")
    assert answer.json == json.loads(json.dumps(made()))
    jsonschema.Draft202012Validator.check_schema(answer.json)


def test_nothing_in_it_needs_a_token_to_be_read(client):
    for path in ("/openapi.json", "/schema/match.json", "/schema/tally.json"):
        assert client.get(API + path).status_code == 200


def test_the_limits_it_names_are_the_ones_that_hold(api):
    matches = openapi.document()["paths"]["/matches"]["get"]["parameters"]
    bounds = {parameter["name"]: parameter["schema"] for parameter in matches}
    for name in ("from", "limit"):
        for edge, by in (("minimum", -1), ("maximum", 1)):
            assert api.get(f"/matches?{name}={bounds[name][edge]}").status_code == 200
            assert api.get(f"/matches?{name}={bounds[name][edge] + by}").status_code == 422
