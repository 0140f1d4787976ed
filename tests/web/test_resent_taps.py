"""A tap whose answer got lost is sent again with its key: it counts once, and the phone is led on as if nothing was."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    app.config["WTF_CSRF_ENABLED"] = False
    return app.test_client()


def rounds(phone: FlaskClient, address: str) -> list[Any]:
    found: list[Any] = (phone.get(f"{address}/match.json").json or {})["rounds"]
    return found


def begin(phone: FlaskClient, variant: str, seats: int) -> str:
    names = {f"name-{seat}": f"P{seat}" for seat in range(seats)}
    return phone.post(f"/new/{variant}", data={"start": "1", "key": "new", **names}).headers["Location"]


def test_a_scoring_play_sent_three_times_counts_once(phone: FlaskClient) -> None:
    address = begin(phone, "pontas", 4)
    for _ in range(3):
        answer = phone.post(f"{address}/round", data={"version": "1", "key": "tap", "op": "play:0:15"})
        assert (answer.status_code, answer.headers["Location"]) == (303, f"{address}/round")
    assert rounds(phone, address) == [{"plays": [[0, 15]]}]


def test_the_tap_that_ends_a_round_sent_again_opens_no_other(phone: FlaskClient) -> None:
    address = begin(phone, "pontas", 4)
    phone.post(f"{address}/round", data={"version": "1", "key": "one", "op": "play:0:15"})
    for _ in range(3):
        answer = phone.post(f"{address}/round", data={"version": "2", "key": "end", "op": "end", "ending": "blocked"})
        assert answer.status_code == 303
    assert rounds(phone, address) == [{"ended": "blocked", "plays": [[0, 15]]}]
