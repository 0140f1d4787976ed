"""Two phones at one match: a form is held against what its page showed, however often it is sent."""

import re

import pytest

from tests.web.asking import BLOCK

pytestmark = pytest.mark.each_database
FOUR = {f"name-{seat}": name for seat, name in enumerate(BLOCK["players"])}
ROUND = {"ending": "domino:0", "hands-1": "1", "hands-2": "2", "hands-3": "3"}


@pytest.fixture
def browser(build):
    return build(WTF_CSRF_ENABLED=False).test_client()


def begin(browser, variant="block"):
    return browser.post(f"/new/{variant}", data={"start": "1", "key": "k", **FOUR}).location


def version_on(answer):
    return re.findall(r'name="version" value="(\d+)"', answer.text)[0]


def test_a_tap_sent_again_is_done_once(browser):
    address = begin(browser, "pontas")
    tap = {"op": "play:0:10", "version": "1", "key": "t"}
    assert [browser.post(f"{address}/round", data=tap).status_code for _ in range(2)] == [303, 303]
    end = {"op": "end", "ending": "blocked", "version": "2", "key": "e"}
    assert {browser.post(f"{address}/round", data=end).location for _ in range(2)} == {address}


@pytest.mark.parametrize("where", ["round", "round/2"])
def test_a_form_that_was_refused_does_not_lose_sight_of_the_other_phone(browser, where):
    address = begin(browser)
    browser.post(f"{address}/round", data={**ROUND, "version": "1", "key": "first"})
    browser.post(f"{address}/{where}", data={**ROUND, "hands-1": "9", "version": "2", "key": "theirs"})
    refused = browser.post(f"{address}/{where}", data={"ending": "domino:0", "version": "2", "key": "mine"})
    assert (refused.status_code, version_on(refused)) == (422, "2")
    mended = {**ROUND, "hands-1": "7", "version": version_on(refused), "key": "mine"}
    answer = browser.post(f"{address}/{where}", data=mended)
    assert answer.status_code == 409 and 'value="7"' in answer.text


def test_settings_keep_what_the_other_phone_changed(browser):
    address = begin(browser)
    form = {**FOUR, "rule-target": "100", "version": "1"}
    browser.post(f"{address}/more", data={**form, "name-0": "Agus", "key": "theirs"})
    answer = browser.post(f"{address}/more", data={**form, "rule-target": "150", "key": "mine"})
    assert 'value="Agus"' in answer.text and 'value="150"' in answer.text and version_on(answer) == "2"


def test_a_round_taken_out_meanwhile_keeps_what_was_typed(browser):
    address = begin(browser)
    browser.post(f"{address}/round", data={**ROUND, "version": "1", "key": "first"})
    browser.post(f"{address}/round/2/void", data={"version": "2", "key": "theirs"})
    answer = browser.post(f"{address}/round/2", data={**ROUND, "hands-1": "7", "version": "2", "key": "mine"})
    assert answer.status_code == 409 and 'value="7"' in answer.text
