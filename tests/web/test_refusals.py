"""What the core refuses is said in a player's words wherever it can come up, also where no match is at hand yet."""

import json

import pytest

from tests.web.asking import BLOCK

FOUR = {f"name-{seat}": name for seat, name in enumerate(BLOCK["players"])}


@pytest.fixture
def browser(app):
    app.config["WTF_CSRF_ENABLED"] = False
    return app.test_client()


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        ([[], None, 1, 2], "Seat 2: how many pips are left?"),
        ([[], [], 1, 2], "Seat 2 holds no tile here."),
        ([1, 1, 1, 2], "Seat 1 went out and can hold no tile."),
        ([[], ["2-2", "2-2"], 1, 2], "2-2 is entered twice."),
        ([[], ["\ud800"], 1, 2], "? is no tile."),
    ],
)
def test_an_import_is_refused_in_words(browser, hands, said):
    document = {**BLOCK, "rounds": [{"ended": "domino", "by": 0, "hands": hands}]}
    answer = browser.post("/import", data={"document": json.dumps(document)})
    assert answer.status_code == 422
    assert said in answer.text


@pytest.mark.parametrize("text", ["", "[]", '{"a": NaN}', '{"a": 1, "a": 2}', "[" * 5000, "{"])
def test_what_is_no_document_is_refused(browser, text):
    assert browser.post("/import", data={"document": text}).status_code == 422


@pytest.mark.parametrize(("text", "worth"), [("500", 500), ("10.000", 10_000), ("1,000,000", 10**6), ("1.50", None)])
def test_stakes_are_whole(app, browser, text, worth):
    answer = browser.post("/new/block", data={"start": "1", "key": "k", "stakes-amount": text, **FOUR})
    assert answer.status_code == (303 if worth else 422)
    if worth:
        (made,) = app.extensions["log"].read(answer.location.rpartition("/")[2])
        assert made.body["stakes"]["amount"] == worth


def test_no_page_of_older_matches_is_too_far(browser):
    browser.post("/new/block", data={"start": "1", "key": "k", **FOUR})
    assert browser.get("/?from=99999999999999999999").status_code == 200


def test_a_house_rule_that_the_rounds_played_do_not_bear_is_refused_in_words(browser):
    address = browser.post("/new/pontas", data={"start": "1", "key": "k", **FOUR}).location
    end = {"op": "end", "ending": "domino:0", "hands-2": "5", "version": "1", "key": "e"}
    assert browser.post(f"{address}/round", data=end).status_code == 303
    answer = browser.post(f"{address}/more", data={"rule-out_bonus": "on", "version": "2", "key": "r"})
    assert answer.status_code == 422
    assert "Budi: how many pips are left?" in answer.text
