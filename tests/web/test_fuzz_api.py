"""The API under fire from its own description: whatever is sent, the answer is one that the description names."""

import re
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
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


@schema.parametrize()
@FEW
def test_every_answer_is_described(case, app, match_id):
    aim(case, app, match_id)
    case.call_and_validate(headers=HEADERS)


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
