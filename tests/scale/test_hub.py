"""Hubs of several processes: they hear of each other through Redis, and by looking where there is none."""

import pytest

from scorekeeper.web import hub_redis
from scorekeeper.web.hub import ACCESS, PRESENCE
from scorekeeper.web.hub_redis import SharedHub
from tests.scale.test_site import until


class Stream:
    """What a hub tells of one match; stands in for an open stream, without an event loop."""

    def __init__(self, hub, match_id="m", who="ani"):
        self.match_id, self.who, self.told, self.ended = match_id, who, [], False
        # Nothing is called on a loop here: what would be spread is read off.
        hub._enter(self)
        self.spread = hub._spread

    def tell(self, told):
        self.told += told

    def end(self):
        self.ended = True

    def hears(self, version):
        def heard():
            self.spread()
            return version in self.told

        until(heard)


@pytest.fixture
def versions():
    """What the database would say."""
    return {}


@pytest.fixture
def open_hub(versions):
    """Opens hubs, and closes them."""
    made = []

    def open_it(redis):
        made.append(SharedHub(lambda ids: {each: versions[each] for each in ids if each in versions}, redis))
        return made[-1]

    yield open_it
    for hub in made:
        hub.close()


@pytest.fixture
def pair(redis, open_hub):
    """Two hubs that hear of each other."""
    hubs = open_hub(redis.url), open_hub(redis.url)
    until(lambda: all(hub.linked for hub in hubs))
    return hubs


def test_a_version_reaches_the_other_hub(pair):
    here, there = pair
    stream, other = Stream(there), Stream(there, "another match")
    here.publish("m", 7)
    stream.hears(7)
    assert 7 not in other.told


def test_who_is_where_is_known_everywhere_and_forgotten_with_the_process(pair, monkeypatch):
    here, there = pair
    ani, budi = Stream(here, who="ani"), Stream(there, who="budi")
    here.publish("m", PRESENCE)
    until(lambda: there.present("m") == here.present("m") == {"ani": 1, "budi": 1})
    monkeypatch.setattr(hub_redis, "FORGET", 0)
    assert here.present("m") == {"ani": 1}
    assert (ani.told, budi.ended) == ([], False)


def test_without_redis_it_looks(open_hub, versions, monkeypatch):
    monkeypatch.setattr(hub_redis, "LOOK", 0.05)
    monkeypatch.setattr(hub_redis, "LOOK_AT_ACCESS", 0.1)
    hub = open_hub("")
    stream = Stream(hub)
    versions["m"] = 3
    stream.hears(3)
    stream.hears(ACCESS)
    versions["m"] = 4
    stream.hears(4)
    assert stream.told.count(3) == stream.told.count(4) == 1
    assert not hub.linked


def test_what_redis_lost_is_found_when_it_is_back(redis, pair, versions):
    here, there = pair
    stream = Stream(there)
    redis.kill()
    try:
        until(lambda: not here.linked and not there.linked)
        versions["m"] = 9
        here.publish("m", 9)  # to nobody
    finally:
        redis.start()
    stream.hears(9)
    stream.hears(ACCESS)
    until(lambda: here.linked and there.linked)
    here.publish("m", 10)
    stream.hears(10)


def test_more_than_redis_takes_is_dropped_and_the_last_is_heard(redis, pair, versions, monkeypatch):
    here, there = pair
    stream = Stream(there)
    last = 3 * hub_redis.MOST_WAITING
    for version in range(1, last + 1):
        here.publish("m", version)
    versions["m"] = last
    monkeypatch.setattr(hub_redis, "LOOK_ANYWAY", 0)
    stream.hears(last)


def test_a_process_that_stops_says_so(pair):
    here, there = pair
    Stream(here, who="ani"), Stream(there, who="budi")
    here.publish("m", PRESENCE)
    until(lambda: here.present("m") == {"ani": 1, "budi": 1})
    there.close()
    until(lambda: here.present("m") == {"ani": 1})
