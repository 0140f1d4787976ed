"""Accounts and results in the store: one of each name, one count for each seed, nothing acknowledged lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from scorekeeper.store import results as module
from scorekeeper.store import tables
from scorekeeper.store.accounts import Accounts, plain_name
from scorekeeper.store.errors import BadSeed, NameTaken, TooManyWaiting
from scorekeeper.store.results import Best, Results, Verdict

WON = Verdict("block", 30)
REFUSED = Verdict("block", None, "illegal", "record.moves[3]", "this tile does not fit")
NOT_WON = Verdict("block", None, "not_won", "record", "the match was not won outright")


@pytest.fixture
def accounts(log):
    return Accounts(log.database)


@pytest.fixture
def clock():
    """A clock that a test moves by hand."""
    return [datetime(2026, 11, 30, 19, 0, tzinfo=UTC)]


@pytest.fixture
def results(log, clock):
    return Results(log.database, lambda: clock[0])


@pytest.fixture
def ani(accounts):
    return accounts.create("Ani", "hash").id


def seeds(results, account_id, count=1):
    return [seed for seed, _ in results.issue(account_id, count)]


def counted(results, account_id, verdict=WON):
    """A result with this verdict, on a seed of its own."""
    kept = results.submit(account_id, {"seed": seeds(results, account_id)[0]})
    results.decide(kept.id, verdict)
    return kept


# Accounts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ani", "ANI"), ("Straße", "STRASSE"), ("é", "e\u0301"), ("ﬁ", "FI"), ("Ａ", "a"), ("a\u200db", "ab"),
     ("a  b", "a b"), ("Σ", "ς"), ("İ", "i̇")],
)
def test_names_that_are_read_the_same_are_one(accounts, one, other):
    assert plain_name(one) == plain_name(other)
    accounts.create(one, "hash")
    with pytest.raises(NameTaken):
        accounts.create(other, "hash")
    assert accounts.named(other).name == one


def test_other_names_are_others():
    assert len({plain_name(name) for name in ("Ani", "Anı", "Anni", "דנה", "安妮", "ani 2", "ani2")}) == 7


def test_an_account_is_found_and_changed(accounts, ani):
    assert accounts.get(ani).name == "Ani" and accounts.get("nobody") is None and accounts.named("nobody") is None
    accounts.rename(ani, "ANI")
    assert accounts.named("ani").name == "ANI"
    other = accounts.create("Budi", "hash")
    with pytest.raises(NameTaken):
        accounts.rename(other.id, "ani")
    assert accounts.get(other.id) == other
    accounts.set_password(ani, "another")
    stamp = accounts.get(ani).stamp
    accounts.sign_out(ani)
    assert accounts.get(ani).password == "another" and accounts.get(ani).stamp != stamp


def test_of_many_at_once_one_gets_the_name(accounts):
    def create(number):
        try:
            return accounts.create("Ani" if number % 2 else "ANI", "hash")
        except NameTaken:
            return None

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(create, range(16)))
    assert len([one for one in made if one]) == 1


def test_a_name_taken_meanwhile_by_another_process_is_taken(accounts, ani, monkeypatch):
    monkeypatch.setattr("scorekeeper.store.accounts._check_free", lambda *_: None)
    with pytest.raises(NameTaken):
        accounts.create("ani", "hash")
    other = accounts.create("Budi", "hash")
    with pytest.raises(NameTaken):
        accounts.rename(other.id, "ANI")


def test_deleting_takes_everything_of_one_and_nothing_of_another(accounts, results, ani):
    other = accounts.create("Budi", "hash").id
    counted(results, ani)
    results.submit(ani, {"seed": seeds(results, ani)[0]})
    counted(results, other)
    accounts.delete(ani)
    assert accounts.get(ani) is None and results.of(ani) == [] and results.seeds_of(ani) == []
    assert results.waiting() is None
    assert results.board("block", 9) == [Best(other, "Budi", 30)]
    assert len(results.of(other)) == len(results.seeds_of(other)) == 1


def test_a_verdict_on_what_was_deleted_meanwhile_is_nothing(accounts, results, ani):
    kept = results.submit(ani, {"seed": seeds(results, ani)[0]})
    accounts.delete(ani)
    results.decide(kept.id, WON)
    assert results.board("block", 9) == []


# Results ------------------------------------------------------------------------------------------------


def test_a_result_waits_is_decided_once_and_read_back(results, ani, clock):
    (seed,) = seeds(results, ani)
    record = {"seed": seed, "moves": ["6-6", "\ud800"]}
    kept = results.submit(ani, record)
    assert results.waiting() == results.get(ani, kept.id) == kept
    assert results.waiting({kept.id}) is None
    results.decide(kept.id, WON)
    results.decide(kept.id, REFUSED)
    assert results.get(ani, kept.id).verdict == WON and results.get(ani, kept.id).record == record
    assert results.waiting() is None
    assert results.get("somebody", kept.id) is None


def test_the_same_record_again_is_the_same_result_and_another_is_refused(results, ani):
    (seed,) = seeds(results, ani)
    kept = results.submit(ani, {"seed": seed, "moves": ["6-6"]})
    assert results.submit(ani, {"moves": ["6-6"], "seed": seed}) == kept
    with pytest.raises(TooManyWaiting):
        results.submit(ani, {"seed": seed, "moves": []})
    results.decide(kept.id, WON)
    with pytest.raises(BadSeed) as refused:
        results.submit(ani, {"seed": seed, "moves": []})
    assert refused.value.code == "seed_used"
    assert results.submit(ani, {"seed": seed, "moves": ["6-6"]}).verdict == WON
    assert len(results.of(ani)) == 1


def test_a_refused_record_leaves_the_seed(results, ani):
    (seed,) = seeds(results, ani)
    results.decide(results.submit(ani, {"seed": seed, "moves": []}).id, REFUSED)
    true = results.submit(ani, {"seed": seed, "moves": ["6-6"]})
    results.decide(true.id, WON)
    assert [one.verdict for one in results.of(ani)] in ([WON, REFUSED], [REFUSED, WON])
    assert results.best_of(ani) == {"block": 30}


def test_a_match_that_was_lost_uses_the_seed_up(results, ani):
    (seed,) = seeds(results, ani)
    results.decide(results.submit(ani, {"seed": seed, "moves": []}).id, NOT_WON)
    with pytest.raises(BadSeed) as refused:
        results.submit(ani, {"seed": seed, "moves": ["6-6"]})
    assert refused.value.code == "seed_used" and len(results.of(ani)) == 1


def test_of_many_at_once_one_takes_the_seed(results, ani):
    (seed,) = seeds(results, ani)

    def submit(number):
        try:
            return results.submit(ani, {"seed": seed, "moves": [str(number)]})
        except TooManyWaiting:
            return None

    with ThreadPoolExecutor(8) as pool:
        kept = list(pool.map(submit, range(16)))
    assert len([one for one in kept if one]) == 1 and len(results.of(ani)) == 1


@pytest.mark.parametrize(("later", "code"), [(timedelta(0), None), (timedelta(seconds=1), "seed_expired")])
def test_a_seed_is_good_until_it_says(results, ani, clock, later, code):
    ((seed, until),) = results.issue(ani, 1)
    assert until - clock[0] == module.VALID == timedelta(days=90)
    clock[0] = until + later
    try:
        results.submit(ani, {"seed": seed})
        assert code is None
    except BadSeed as refused:
        assert refused.code == code


def test_what_was_sent_in_time_is_answered_again_later(results, ani, clock):
    (seed,) = seeds(results, ani)
    kept = results.submit(ani, {"seed": seed})
    clock[0] += 2 * module.VALID
    assert results.submit(ani, {"seed": seed}) == kept


def test_a_seed_is_one_accounts(accounts, results, ani):
    other = accounts.create("Budi", "hash").id
    (seed,) = seeds(results, ani)
    for account_id, asked in ((other, seed), (ani, seed + 1), ("nobody", seed)):
        with pytest.raises(BadSeed) as refused:
            results.submit(account_id, {"seed": asked})
        assert refused.value.code == "seed_unknown"


def test_the_database_itself_keeps_results_to_seeds_and_accounts(log, results, ani):
    with pytest.raises(IntegrityError), log.database.write() as db:
        db.execute(insert(tables.result).values(
            id="x", account_id=ani, seed=1, fingerprint="", record={}, at=datetime.now(UTC)))


def test_the_one_that_waits_longest_comes_first(results, ani, clock):
    kept = []
    for seed in seeds(results, ani, 3):
        clock[0] += timedelta(minutes=1)
        kept.append(results.submit(ani, {"seed": seed}))
    for one in kept:
        assert results.waiting() == one
        results.decide(one.id, REFUSED)


def test_results_survive_closing(open_log):
    log = open_log()
    ani = Accounts(log.database).create("Ani", "hash").id
    first = Results(log.database)
    kept = first.submit(ani, {"seed": seeds(first, ani)[0]})
    log.close()
    again = Results(open_log().database)
    assert again.waiting() == kept


# The leaderboard ----------------------------------------------------------------------------------------


def test_the_board_is_each_ones_best_equal_ones_by_name(accounts, results):
    for name, points in (("dewi", [10, 30]), ("Budi", [30]), ("Citra", [300, 10]), ("Eka", []), ("Ani", [10])):
        account_id = accounts.create(name, "hash").id
        for worth in points:
            counted(results, account_id, Verdict("block", worth))
        counted(results, account_id, REFUSED)
        counted(results, account_id, Verdict("gaple", 100))
    found = [(best.name, best.points) for best in results.board("block", 9)]
    assert found == [("Citra", 300), ("Budi", 30), ("dewi", 30), ("Ani", 10)]
    assert [best.name for best in results.board("block", 2)] == ["Citra", "Budi"]
    assert results.board("domeng", 9) == []
    places = {points: results.place("block", points) for points in (300, 30, 10, 100)}
    assert places == {300: (1, 1), 30: (2, 2), 10: (4, 1), 100: (2, 0)}
    assert results.best_of(accounts.named("dewi").id) == {"block": 30, "gaple": 100}
