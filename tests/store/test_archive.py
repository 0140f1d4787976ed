"""Old matches leave the lists, and nothing else happens to them."""

from datetime import timedelta

import pytest

from scorekeeper.store import archive
from scorekeeper.store.sharing import Sharing

pytestmark = pytest.mark.each_database
CREATED = {"type": "created"}


def test_what_nobody_touched_for_18_months_leaves_the_lists(log, monkeypatch):
    monkeypatch.setattr(archive, "TOGETHER", 2)
    sharing = Sharing(log.database, "key")
    old = [log.create("ani", [CREATED], f"{number}").match_id for number in range(3)]
    played = log.create("ani", [CREATED], "played").match_id
    log._now.moment += archive.OLD - timedelta(hours=1)
    assert log.archive() == 0
    log.append(played, [{"type": "x"}], expected=1, key="a")
    new = log.create("ani", [CREATED], "new").match_id
    log._now.moment += timedelta(hours=1)
    assert log.archive() == 3
    assert log.archive() == 0
    assert log.matches_of("ani", 9) == sharing.matches_of("ani", 9) == [new, played]
    assert sharing.matches_of("ani", 9, archived=True) == old[::-1]
    for match_id in old:
        assert [each.type for each in log.read(match_id)] == ["created"]
        assert log.owner_of(match_id) == "ani"


def test_an_event_takes_it_back(log):
    match_id = log.create("ani", [CREATED], "k").match_id
    log._now.moment += archive.OLD
    assert log.archive() == 1
    with pytest.raises(Exception, match="this may not happen"):
        log.append(match_id, [{"type": "wrong"}], expected=1, key="a")
    assert log.create("ani", [CREATED], "k").replayed
    assert log.matches_of("ani", 9) == []
    log.append(match_id, [{"type": "x"}], expected=1, key="a")
    assert log.matches_of("ani", 9) == [match_id]
    assert log.archive() == 0
