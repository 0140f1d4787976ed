"""Figures for whoever may see them, and whether the process can serve."""

import re

import pytest
from prometheus_client.parser import text_string_to_metric_families

TOKEN = "a long random text"


def figures(answer):
    """The figures by name and labels."""
    families = text_string_to_metric_families(answer.text)
    return {(s.name, *sorted(s.labels.items())): s.value for family in families for s in family.samples}


def test_answers_are_counted_by_route_and_hold_no_ids(client, api, match_id):
    for _ in range(3):
        assert client.get(f"/m/{match_id}").status_code == 404
    client.open("/nothing-here", method="MADEUP")
    answer = client.get("/metrics")
    assert answer.status_code == 200 and answer.content_type.startswith("text/plain")
    found = figures(answer)
    route = ("method", "GET"), ("route", "/m/<match_id>")
    assert found["scorekeeper_answers_total", *route, ("status", "404")] == 3
    assert found["scorekeeper_request_seconds_count", *route] == 3
    assert found["scorekeeper_answers_total", ("method", "-"), ("route", "-"), ("status", "404")] == 1
    assert found["scorekeeper_streams",] == 0
    assert found["process_resident_memory_bytes",] > 0
    assert match_id not in answer.text and "MADEUP" not in answer.text and not re.search("nothing-here", answer.text)


@pytest.mark.parametrize(
    ("sent", "from_", "status"),
    [
        ({}, "127.0.0.1", 200),
        ({}, "127.8.9.1", 200),
        ({}, "::1", 200),
        ({}, "192.168.1.4", 404),
        ({}, "", 404),
        ({"X-Forwarded-For": "127.0.0.1"}, "127.0.0.1", 404),
        ({"X-Real-Ip": "127.0.0.1"}, "127.0.0.1", 404),
        ({"Forwarded": "for=127.0.0.1"}, "127.0.0.1", 404),
        ({"Authorization": f"Bearer {TOKEN}"}, "192.168.1.4", 404),
    ],
)
def test_by_default_only_this_machine_sees_them(client, sent, from_, status):
    assert client.get("/metrics", headers=sent, environ_base={"REMOTE_ADDR": from_}).status_code == status


@pytest.mark.parametrize(("token", "status"), [(TOKEN, 200), (TOKEN[:-1], 404), ("", 404), ("ä", 404)])
def test_with_a_token_whoever_has_it(build, token, status):
    client = build(METRICS=TOKEN).test_client()
    sent = {"Authorization": f"Bearer {token}"}
    assert client.get("/metrics", headers=sent, environ_base={"REMOTE_ADDR": "192.168.1.4"}).status_code == status
    assert client.get("/metrics").status_code == 404


def test_in_public_everybody(build):
    client = build(METRICS="public").test_client()
    assert client.get("/metrics", environ_base={"REMOTE_ADDR": "192.168.1.4"}).status_code == 200


def test_a_token_that_can_be_guessed_is_refused(build):
    with pytest.raises(ValueError, match="at least 16"):
        build(METRICS="secret")


def test_ready_with_its_database_and_not_without(app, client, monkeypatch):
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json) == (200, {"database": True, "linked": None})

    def broken():
        raise OSError("away")

    monkeypatch.setattr(app.extensions["log"].database, "read", broken)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json) == (503, {"database": False, "linked": None})
