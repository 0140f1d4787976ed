"""Archived matches: out of the lists, a tap away, and back in them with the next event."""

import re

import pytest

from scorekeeper.store import archive
from scorekeeper.web import home
from tests.web.asking import Api


@pytest.fixture
def mine(app, client, monkeypatch):
    """Makes matches of this browser, and their addresses on its home page."""
    monkeypatch.setattr(home, "PAGE", 2)
    api = Api(client, None)
    api.headers = {"Sec-Fetch-Site": "same-origin"}
    return api


def shown(client, path="/"):
    """The matches on a page of the list, and the address of the next."""
    html = client.get(path).text
    more = re.search(r'class="btn" href="([^"]+)">Older matches', html)
    return re.findall(r'matchcard[^"]*" href="/m/(\w+)"', html), more and more[1].replace("&amp;", "&")


def age(app, monkeypatch):
    """As if nobody had touched anything so far for long enough."""
    log = app.extensions["log"]
    now = log._now
    monkeypatch.setattr(log, "_now", lambda: now() + archive.OLD)
    log.archive()


def test_they_come_after_all_others(app, client, mine, monkeypatch):
    old = [mine.create() for _ in range(3)]
    age(app, monkeypatch)
    assert shown(client) == ([], "/?archived=1")
    new = [mine.create() for _ in range(3)]
    assert shown(client) == (new[:0:-1], "/?from=2")
    assert shown(client, "/?from=2") == (new[:1], "/?archived=1")
    assert shown(client, "/?archived=1") == (old[:0:-1], "/?from=2&archived=1")
    assert shown(client, "/?from=2&archived=1") == (old[:1], None)
    assert client.get(f"/m/{old[0]}").status_code == 200


def test_an_event_takes_one_back_and_strangers_see_none(app, client, mine, monkeypatch):
    old = mine.create()
    age(app, monkeypatch)
    assert shown(app.test_client()) == shown(app.test_client(), "/?archived=1") == ([], None)
    assert mine.append(old, {"type": "finished"}, expected=1, key="k").status_code == 201
    assert shown(client) == ([old], None)
