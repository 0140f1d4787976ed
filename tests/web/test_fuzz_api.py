"""The API under fire from its own description: whatever is sent, the answer is one that the description names."""

import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from schemathesis.checks import negative_data_rejection
from schemathesis.config import SchemathesisConfig

from scorekeeper.core.variants import VARIANTS
from scorekeeper.web import openapi, openapi_schemas, session
from tests.shared_cases import load_cases
from tests.web.asking import TOKEN

CHECKS = {
    # What is right by its schema may still be against the rules (422) or too late (409), but it is JSON that we take.
    "positive_data_acceptance": {"expected-statuses": ["2xx", "304", "401", "404", "409", "422"]},
    # Any token is somebody, if somebody new; that nobody is let in without one is tested by hand.
    "ignored_auth": {"enabled": False},
}
CONFIG = SchemathesisConfig.from_dict({"checks": CHECKS})
# The answers come to the test as they were sent, and nothing unpacks them.
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Accept-Encoding": "identity"}
OWNER = session.owner_of_token(TOKEN)
FEW = settings(max_examples=20, suppress_health_check=list(HealthCheck))
AN_ID = re.compile(openapi_schemas.MATCH_ID["pattern"])


def description() -> dict[str, Any]:
    """The API's own, with the rulebook's cases among its examples."""
    document = openapi.document()
    for key in VARIANTS:
        for number, case in enumerate(load_cases(key)[:4]):
            examples = {path: examples_of(document["paths"][path]) for path in ("/tally", "/matches")}
            examples["/tally"][f"{key} {number}"] = {"value": case["document"]}
            examples["/matches"][f"{key} {number}"] = {"value": {"document": case["document"]}}
    return document


def examples_of(path: dict[str, Any]) -> Any:
    return path["post"]["requestBody"]["content"]["application/json"]["examples"]


schema = schemathesis.openapi.from_dict(description(), config=CONFIG)


def aim(case, app, match_id):
    """Leads what could be right to a match that exists, mostly at its version, so that the core has to judge."""
    case.operation.schema.app = case.operation.app = app
    if AN_ID.fullmatch(str((case.path_parameters or {}).get("match_id"))):
        case.path_parameters["match_id"] = match_id
    body, log = case.body, app.extensions["log"]
    expected = body.get("expected") if isinstance(body, dict) else None
    if type(expected) is int and expected > 0 and expected % 4:
        body["expected"] = len(log.read(match_id))


def sent_right(answer: Any) -> bool:
    """Whether what was meant to be wrong got lost on the way: a header that we send, a parameter that is empty.

    A question of numbers alone is right, and there is nothing to refuse.
    """
    query = parse_qsl(urlsplit(answer.request.url).query, keep_blank_values=True)
    numbers = all(name in ("from", "limit") and value.isdecimal() for name, value in query)
    return bool(answer.request.method == "GET" and numbers and answer.status_code == 200)


def fuzz(path: str, method: str) -> Any:
    """A test of one operation. Each has a name of its own: of tests with the same one, workers run only the first."""

    @schema.include(path=path, method=method.upper()).parametrize()
    @FEW
    def answers_as_described(case, app, match_id):
        aim(case, app, match_id)
        answer = case.call(headers=HEADERS)
        case.validate_response(answer, headers=HEADERS, excluded_checks=[negative_data_rejection] * sent_right(answer))

    return answers_as_described


OPERATIONS = [(path, method) for path, item in openapi.document()["paths"].items() for method in item
              if method in ("get", "post", "put", "patch", "delete")]
for _path, _method in OPERATIONS:
    globals()[f"test_{_method}_{re.sub(r'[^a-z]+', '_', _path).strip('_')}"] = fuzz(_path, _method)


def test_every_operation_is_fuzzed():
    assert len(OPERATIONS) == sum(1 for _ in schema.get_all_operations()) > 5
    assert len([name for name in globals() if re.match("test_(get|post|put|patch|delete)_", name)]) == len(OPERATIONS)


def test_every_walk_along_the_links_is_described(app, match_id):
    """Matches are created, then read and changed by the links in the answers."""
    machine: Any = schema.as_state_machine()

    class Walk(machine):
        def get_call_kwargs(self, case):
            return {"headers": HEADERS}

        def before_call(self, case):
            linked = (case.path_parameters or {}).get("match_id")
            aim(case, app, linked if linked in app.extensions["log"].matches_of(OWNER, 1000) else match_id)

    run_state_machine_as_test(Walk, settings=settings(FEW, stateful_step_count=10))
