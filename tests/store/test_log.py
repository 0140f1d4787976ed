"""The log's contract: written once, in order, only if right, and told exactly what happened otherwise."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from scorekeeper.core.errors import Invalid
from scorekeeper.store import log as log_module
from scorekeeper.store.errors import Conflict, KeyReused, NoMatch
from scorekeeper.store.log import ALPHABET, Appended, Log, Stored

pytestmark = pytest.mark.each_database
CREATED = {"type": "created", "players": ["Ani", "Budi"]}


def entered(number):
    return {"type": "round_entered", "round": {"number": number}}


def new_match(log, owner="ani", key="create"):
    return log.create(owner, [CREATED], key).match_id


def versions(log, match_id):
    return [each.version for each in log.read(match_id)]


def test_what_is_written_is_read_back(log):
    match_id = new_match(log)
    log.append(match_id, [entered(1)], expected=1, key="a", by="Ani")
    created, first = log.read(match_id)
    assert created == Stored(
        1, datetime(2026, 11, 30, 19, 1, tzinfo=UTC), "created", {"players": ["Ani", "Budi"]}, None
    )
    assert first.as_event() == {
        "type": "round_entered",
        "version": 2,
        "at": "2026-11-30T19:02:00+00:00",
        "by": "Ani",
        "round": {"number": 1},
    }
    assert log.owner_of(match_id) == "ani"
    assert log.read(match_id, since=1) == [first]
    assert log.read(match_id, since=2) == []


def test_text_of_any_script_and_half_a_surrogate_come_back(log):
    names = ["דנה", "Ágnes", "🁣", "\ud83c", "a\x00b"]
    match_id = log.create("ani", [{"type": "created", "players": names}], "k", by="דנה").match_id
    (created,) = log.read(match_id)
    assert created.body == {"players": names}
    assert created.by == "דנה"


def test_signs_that_a_database_has_not_are_no_error(log):
    for call in (log.read, log.owner_of):
        with pytest.raises(NoMatch):
            call("a\x00b")
    with pytest.raises(NoMatch):
        log.append("a\x00b", [CREATED], expected=1, key="k")
    with pytest.raises(NoMatch):
        log.read("\ud83c")
    match_id = log.create("ani", [CREATED], "k\x00\ud83c").match_id
    assert log.create("ani", [CREATED], "k\x00\ud83c").match_id == match_id
    assert log.append(match_id, [entered(1)], expected=1, key="\x00", by="a\x00\ud83cb").version == 2
    assert log.append(match_id, [entered(1)], expected=2, key="\x00").replayed


def test_ids_are_long_and_without_look_alikes(log):
    ids = {log_module.new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert len(ALPHABET) ** len(min(ids, key=len)) >= 2**72
    assert not set("01ilou") & set(ALPHABET)
    assert ALPHABET.lower() == ALPHABET


def test_unknown_match(log):
    for call in (
        lambda: log.read("nothing"),
        lambda: log.read("nothing", since=3),
        lambda: log.owner_of("nothing"),
        lambda: log.append("nothing", [entered(1)], expected=0, key="a"),
    ):
        with pytest.raises(NoMatch) as refused:
            call()
        assert refused.value.match_id == "nothing"


def test_create_again_with_the_same_key_is_the_same_match(log):
    first = log.create("ani", [CREATED, entered(1)], "k")
    assert first == Appended(first.match_id, 2, replayed=False)
    log.append(first.match_id, [entered(2)], expected=2, key="a")
    assert log.create("ani", [CREATED, entered(1)], "k") == Appended(first.match_id, 2, replayed=True)
    assert log.matches_of("ani", 10) == [first.match_id]


def test_create_keys_belong_to_the_owner(log):
    assert new_match(log, "ani") != new_match(log, "budi")
    with pytest.raises(KeyReused):
        log.create("ani", [entered(1)], "create")
    assert len(log.matches_of("ani", 10)) == 1


def test_create_survives_an_id_that_is_taken(log, monkeypatch):
    taken = new_match(log)
    ids = iter([taken, "free"])
    monkeypatch.setattr(log_module, "new_id", lambda: next(ids))
    assert log.create("ani", [CREATED], "other") == Appended("free", 1, replayed=False)
    assert versions(log, taken) == [1]


def test_append_again_gives_the_first_answer_whatever_came_since(log):
    match_id = new_match(log)
    first = log.append(match_id, [entered(1)], expected=1, key="a", by="Ani")
    log.append(match_id, [entered(2)], expected=2, key="b")
    for expected in (1, 3, 99):
        again = log.append(match_id, [entered(1)], expected=expected, key="a")
        assert again == Appended(match_id, first.version, replayed=True)
    assert versions(log, match_id) == [1, 2, 3]


def test_batch_again_gives_the_batchs_last_version(log):
    match_id = new_match(log)
    batch = [entered(number) for number in (1, 2, 3)]
    assert log.append(match_id, batch, expected=1, key="a").version == 4
    assert log.append(match_id, batch, expected=1, key="a") == Appended(match_id, 4, replayed=True)
    log.append(match_id, [entered(4), entered(5)], expected=4, key="b")
    log.append(match_id, [entered(6)], expected=6, key="c")
    assert log.append(match_id, batch, expected=1, key="a") == Appended(match_id, 4, replayed=True)
    assert log.append(match_id, [entered(4), entered(5)], expected=4, key="b").version == 6
    assert versions(log, match_id) == [1, 2, 3, 4, 5, 6, 7]
    stored = log.read(match_id)
    assert len({each.at for each in stored[1:4]}) == 1


def test_key_reused_for_something_else(log):
    match_id = new_match(log)
    log.append(match_id, [entered(1)], expected=1, key="a")
    for other in ([entered(2)], [entered(1), entered(1)], [CREATED]):
        with pytest.raises(KeyReused) as refused:
            log.append(match_id, other, expected=2, key="a")
        assert refused.value.key == "a"
    with pytest.raises(KeyReused):
        log.append(match_id, [entered(1)], expected=2, key="create")
    assert versions(log, match_id) == [1, 2]
    other_match = new_match(log, key="other")
    assert log.append(other_match, [entered(2)], expected=1, key="a").version == 2


def test_order_of_names_in_an_event_is_no_difference(log):
    match_id = new_match(log)
    log.append(match_id, [{"type": "x", "a": 1, "b": 2}], expected=1, key="a")
    assert log.append(match_id, [{"b": 2, "a": 1, "type": "x"}], expected=1, key="a").replayed


def test_conflict_tells_what_came_since(log):
    match_id = new_match(log)
    log.append(match_id, [entered(1)], expected=1, key="a")
    log.append(match_id, [entered(2), entered(3)], expected=2, key="b", by="Budi")
    with pytest.raises(Conflict) as refused:
        log.append(match_id, [entered(9)], expected=2, key="c")
    assert refused.value.version == 4
    assert refused.value.since == log.read(match_id, since=2)
    assert [each.by for each in refused.value.since] == ["Budi", "Budi"]
    assert versions(log, match_id) == [1, 2, 3, 4]
    assert log.append(match_id, [entered(9)], expected=4, key="c").version == 5


def test_conflict_with_a_version_that_is_yet_to_come(log):
    match_id = new_match(log)
    with pytest.raises(Conflict) as refused:
        log.append(match_id, [entered(1)], expected=2, key="a")
    assert (refused.value.version, refused.value.since) == (1, [])


def test_invalid_writes_nothing_and_spends_no_key(log):
    match_id = new_match(log)
    with pytest.raises(Invalid) as refused:
        log.append(match_id, [entered(1), {"type": "wrong"}], expected=1, key="a")
    assert refused.value.at == "events[0]"
    with pytest.raises(Invalid):
        log.create("ani", [{"type": "wrong"}], "k")
    assert versions(log, match_id) == [1]
    assert log.matches_of("ani", 10) == [match_id]
    assert log.append(match_id, [entered(1)], expected=1, key="a").version == 2
    assert log.create("ani", [CREATED], "k").version == 1


def test_check_sees_what_came_before_and_what_is_new(url):
    seen = []
    log = Log(url, lambda existing, new: seen.append((existing, new)))
    match_id = new_match(log)
    log.append(match_id, [entered(1)], expected=1, key="a")
    before = log.read(match_id)[0].as_event()
    log.close()
    assert seen == [([], [CREATED]), ([before], [entered(1)])]


@pytest.mark.parametrize("name", ["version", "at", "by"])
def test_an_event_may_not_say_what_the_log_says(log, name):
    match_id = new_match(log)
    with pytest.raises(ValueError, match=name):
        log.append(match_id, [entered(1), {"type": "x", name: 7}], expected=1, key="a")
    assert versions(log, match_id) == [1]


@pytest.mark.parametrize(("events", "key"), [([], "a"), ([entered(1)], "")])
def test_a_write_needs_an_event_and_a_key(log, events, key):
    match_id = new_match(log)
    with pytest.raises(ValueError, match="at least one"):
        log.append(match_id, events, expected=1, key=key)
    with pytest.raises(ValueError, match="at least one"):
        log.create("ani", events, key)


def test_a_number_that_json_cannot_say_writes_nothing(log):
    match_id = new_match(log)
    with pytest.raises(Exception, match="JSON compliant"):
        log.append(match_id, [{"type": "x", "n": float("nan")}], expected=1, key="a")
    assert versions(log, match_id) == [1]


def test_matches_of_the_last_changed_first(log):
    first, second, third = (new_match(log, key=key) for key in "abc")
    new_match(log, "budi")
    assert log.matches_of("ani", 10) == [third, second, first]
    log.append(first, [entered(1)], expected=1, key="x")
    assert log.matches_of("ani", 10) == [first, third, second]
    assert log.matches_of("ani", 2) == [first, third]
    assert log.matches_of("ani", 2, offset=2) == [second]
    assert log.matches_of("nobody", 10) == []


def test_versions_of_many(log, monkeypatch):
    monkeypatch.setattr(log_module, "MOST_ASKED", 2)
    first, second, third = (new_match(log, key=key) for key in "abc")
    log.append(first, [entered(1), entered(2)], expected=1, key="x")
    assert log.versions([first, second, "nothing", third]) == {first: 3, second: 1, third: 1}
    assert log.versions([]) == {}


def test_eight_threads_leave_no_gap_and_double_nothing(log):
    match_id, each_writes, start = new_match(log), 15, threading.Barrier(8)

    def write(name):
        version = 1
        start.wait()
        for number in range(each_writes):
            written = False
            while not written:
                try:
                    answer = log.append(
                        match_id, [entered(number)], expected=version, key=f"{name}-{number}", by=name
                    )
                    version, written = answer.version, True
                except Conflict as conflict:
                    assert [one.version for one in conflict.since] == list(
                        range(version + 1, conflict.version + 1)
                    )
                    version = conflict.version

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, "abcdefgh"))
    stored = log.read(match_id)
    assert [each.version for each in stored] == list(range(1, 8 * each_writes + 2))
    for name in "abcdefgh":
        assert [one.body["round"]["number"] for one in stored if one.by == name] == list(range(each_writes))


def test_eight_threads_with_one_key_create_one_match_and_one_round(log):
    start = threading.Barrier(8)

    def double_tap(_):
        start.wait()
        created = log.create("ani", [CREATED], "k")
        return log.append(created.match_id, [entered(1)], expected=1, key="a")

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(double_tap, range(8)))
    assert len({(answer.match_id, answer.version) for answer in answers}) == 1
    assert sorted(answer.replayed for answer in answers) == [False] + [True] * 7
    assert versions(log, answers[0].match_id) == [1, 2]
