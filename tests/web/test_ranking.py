"""A true record always reaches the leaderboard, a forged one never: each is played again by the server."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from html.parser import HTMLParser
from itertools import count

import pytest
from argon2 import PasswordHasher

from scorekeeper.core.engine import record as record_module
from scorekeeper.core.variants import VARIANTS
from scorekeeper.pages import ranking as pages
from scorekeeper.store import results as store
from scorekeeper.web import passwords, replays
from tests import recording
from tests.web import twins
from tests.web.accounts import OURS, Browser, lost, played, state_of, won

pytestmark = pytest.mark.each_database

FIVE = ("human", "easy", "easy", "easy", "easy")
PARTS = {"id", "status", "text"}


@pytest.fixture(autouse=True)
def known(monkeypatch):
    """Seeds that can be won, the same each time; and hashes that take no time, since nobody guesses here."""
    seeds = count(26)
    monkeypatch.setattr("scorekeeper.store.results.secrets.randbits", lambda _: next(seeds))
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@pytest.fixture
def ani(app):
    browser = Browser(app)
    browser.sign_up("Ani")
    return browser


@pytest.fixture
def budi(app):
    browser = Browser(app)
    browser.sign_up("Budi")
    return browser


# True records -------------------------------------------------------------------------------------------

TRUE = {
    "easy": ("block", ("human", "easy", "easy", "easy"), {}, 10),
    "normal, the human across": ("block", ("normal", "normal", "human", "normal"), {}, 30),
    "mixed": ("block", ("human", "expert", "normal", "expert"), {}, 30),
    "gaple": ("gaple", ("human", "easy", "easy", "easy"), {}, 10),
    "gaple, five and a boneyard": ("gaple", ("human", "normal", "normal", "normal", "normal"), {}, 30),
    "pontas, with a partner": ("pontas", ("human", "expert", "expert", "expert"), {}, 100),
    "domeng": ("domeng", FIVE, {}, 10),
    "house rules of the play": ("pontas", ("human", "easy", "easy", "easy"),
                                {"spinner_order": "any", "score_35": True}, 10),
}


@pytest.mark.parametrize(("variant", "seats", "rules", "points"), TRUE.values(), ids=TRUE)
def test_a_true_record_counts(ani, variant, seats, rules, points):
    record = won(ani.seeds()[0], variant, seats, **rules)
    told = ani.verdict(record)
    assert told.keys() == PARTS | {"points"}
    assert (told["status"], told["points"]) == ("counted", points)
    assert f"won, {points} points" in told["text"]
    assert ani.board(variant) == [("1", "Ani", str(points))]
    assert [other for other in VARIANTS if ani.board(other)] == [variant]


def test_a_match_won_against_masters_counts(app, ani, monkeypatch):
    """A recorded win, played again by the server with its Masters: of Quatro Pontas, found by `python -m
    tests.recording master`, which plays the matches from seed 0 on until one is won. Masters who choose otherwise make
    another match of it: then this fails, and that command records a new one."""
    raw, document = recording.read(recording.MASTER)
    assert raw["seats"].count("master") == 3 and raw["rules"] == {}
    seeds, replayed = count(raw["seed"]), []
    monkeypatch.setattr("scorekeeper.store.results.secrets.randbits", lambda _: next(seeds))

    def watch(replays):
        real = replays._replay

        def replay(sent):
            replayed.append(real(sent))
            return replayed[-1]

        monkeypatch.setattr(replays, "_replay", replay)

    for each in twins.of(app):  # whichever of them comes to it
        watch(each.extensions["replays"])
    assert ani.seeds()[0] == raw["seed"]
    told = ani.verdict(raw)
    stale = f"Masters play otherwise than when this was recorded: python -m tests.recording master ({told})"
    assert (told["status"], told.get("points")) == ("counted", 300), stale
    assert json.dumps(replayed[0]["document"]) == json.dumps(document), stale
    assert "won, 300 points" in told["text"] and ani.board("pontas") == [("1", "Ani", "300")]
    assert "beat Master" in ani.client.get("/ranking/pontas").text


def test_the_last_step_of_a_match_gives_the_record_that_counts(ani):
    record = won(ani.seeds()[0])
    state = state_of(record)
    told = ani.client.post("/practice/step", json={"do": "show", "state": state}, headers=OURS).json
    assert told["turn"] == "finished" and told["record"] == record
    earlier = {**state, "rounds": [state["rounds"][0][:1]]}
    assert "record" not in ani.client.post("/practice/step", json={"do": "show", "state": earlier}, headers=OURS).json
    assert ani.verdict(told["record"])["status"] == "counted"


def test_every_variant_is_tried():
    assert {variant for variant, *_ in TRUE.values()} == set(VARIANTS)


def test_the_best_result_stays(ani):
    seeds = ani.seeds()
    for seed, level in zip(seeds, ("normal", "easy", "normal"), strict=False):
        assert ani.verdict(won(seed, seats=("human", level, level, level)))["status"] == "counted"
    assert ani.board() == [("1", "Ani", "30")]


def test_a_seed_is_for_any_variant_and_an_older_batch_stays_good(ani):
    first, second = ani.seeds(), ani.seeds()
    assert ani.verdict(won(second[3], "pontas"))["status"] == "counted"
    assert ani.verdict(won(first[3]))["status"] == "counted"


def test_a_seed_is_a_surprise_that_javascript_can_hold(ani, monkeypatch):
    monkeypatch.undo()
    seeds = [*ani.seeds(), *ani.seeds()]
    assert len(set(seeds)) == 20 and 2**40 < max(seeds) < 2**53


# Forged records -----------------------------------------------------------------------------------------


def other_move(record):
    """A move changed into one that is legal nowhere in its round."""
    moves = [*record["moves"]]
    moves[-1] = moves[0] if moves[-1] != moves[0] else moves[1]
    return {**record, "moves": moves}


FORGED = {
    "a seed that nobody was issued": (lambda record: {**record, "seed": record["seed"] + 10**6}, "seed_unknown",
                                      "record.seed"),
    "another match's moves": (lambda record: {**record, "moves": played(4)["moves"]}, None, None),
    "an impossible move": (other_move, None, None),
    "a move that is none": (lambda record: {**record, "moves": ["7-9@left"]}, "not_a_tile", "record.moves[0]"),
    "a move too many": (lambda record: {**record, "moves": [*record["moves"], "pass"]}, "match_over", None),
    "a match cut short": (lambda record: {**record, "moves": record["moves"][:-1]}, "not_finished", "record.moves"),
    "other bots": (lambda record: {**record, "seats": ["human", *["expert"] * 3]}, None, None),
    "nobody against": (lambda record: {**record, "seats": ["human"] * 4}, "not_alone", "record.seats"),
    "a score of one's own": (lambda record: {**record, "totals": [300, 0, 0, 0]}, "unknown_field", "record"),
    "another engine": (lambda record: {**record, "engine": 99}, "other_engine", "record.engine"),
    "a longer match": (lambda record: {**record, "rules": {"target": 150}}, "other_length", "record.rules.target"),
    "a match of one lucky round": (lambda record: played(record["seed"], target=1), "other_length",
                                   "record.rules.target"),
    "one round where ten are played": (lambda record: played(record["seed"], "gaple", rounds=1), "other_length",
                                       "record.rules.rounds"),
    "two at a table for four": (lambda record: {**record, "seats": ["human", "easy"]}, "seat_count", "record.seats"),
    "a house rule that is none": (lambda record: {**record, "rules": {"target": 0}}, "bad_option",
                                  "record.rules.target"),
    "a match lost": (lambda record: lost(record["seed"]), "not_won", "record"),
    "no record": (lambda record: [record], "wrong_type", "record"),
    "nothing": (lambda record: None, "wrong_type", "record"),
    "a seed that is text": (lambda record: {**record, "seed": str(record["seed"])}, "wrong_type", "record.seed"),
    "a huge seed": (lambda record: {**record, "seed": 2**63}, "wrong_type", "record.seed"),
    "half a sign": (lambda record: {**record, "moves": ["\ud800"]}, "not_a_tile", "record.moves[0]"),
}


@pytest.mark.parametrize(("forge", "code", "at"), FORGED.values(), ids=FORGED)
def test_a_forged_record_never_counts_and_a_true_one_still_does(ani, forge, code, at):
    record = won(ani.seeds()[0])
    answer = ani.send(forge(record))
    assert answer.status_code in (202, 422), answer.text
    told = answer.json
    if answer.status_code == 202:
        told = ani.verdict(forge(record))
        assert told.keys() == PARTS | {"error"} and told["status"] == "refused" and told["text"]
    error = told["error"]
    assert error.keys() == {"code", "message", "at"} and error["message"] and error["at"].startswith("record")
    assert code in (None, error["code"]) and at in (None, error["at"])
    assert ani.board() == []
    if error["code"] == "not_won":  # all hands were seen
        assert ani.send(record).json["error"]["code"] == "seed_used"
        record = won(ani.seeds()[0])
    assert ani.verdict(record)["status"] == "counted"
    assert ani.board() == [("1", "Ani", "10")]


def test_what_is_not_taken_in_is_told_in_words(ani):
    seed = ani.seeds()[0]
    answers = [ani.send(played(seed, target=1)), ani.send(won(seed), helped=True), ani.send([])]
    said = [answer.json["text"] for answer in answers]
    assert "does not end as usual" in said[0] and "hint or an undo" in said[1] and "(wrong_type)" in said[2]


def test_what_an_earlier_version_let_in_does_not_count_either(app, ani, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr("scorekeeper.core.ranking.check_whole", lambda read: None)
        earlier.setattr(replays.Replays, "wake", lambda self: None)
        kept = ani.send(played(ani.seeds()[0], target=1))
    app.extensions["replays"].wake()
    app.extensions["replays"].settle()
    told = ani.client.get(kept.headers["Location"], headers=OURS).json
    assert (kept.status_code, told["status"], told["error"]["code"]) == (202, "refused", "other_length")
    assert "of another length" in told["text"]
    assert ani.board() == []


@pytest.mark.parametrize(("helped", "code"), [(True, "helped"), (None, "wrong_type"), (0, "wrong_type")])
def test_help_is_told_and_does_not_count(ani, helped, code):
    answer = ani.send(won(ani.seeds()[0]), helped)
    assert (answer.status_code, answer.json["error"]["code"], answer.json["error"]["at"]) == (422, code, "helped")
    assert ani.board() == []


def test_somebody_elses_seed_does_not_count(ani, budi):
    record = won(ani.seeds()[0])
    answer = budi.send(record)
    assert (answer.status_code, answer.json["error"]["code"]) == (422, "seed_unknown")
    assert ani.verdict(record)["status"] == "counted"
    assert budi.send(record).json["error"]["code"] == "seed_unknown"
    assert ani.board() == [("1", "Ani", "10")]


def test_a_seed_counts_once_and_the_same_record_again_is_the_same_result(ani):
    seed = ani.seeds()[0]
    first, better = won(seed), won(seed, seats=("human", "expert", "expert", "expert"))
    told = ani.verdict(first)
    again = ani.send(first)
    assert (again.status_code, again.json) == (200, told)
    used = ani.send(better)
    assert (used.status_code, used.json["error"]["code"], used.json["error"]["at"]) == (422, "seed_used", "record.seed")
    assert ani.board() == [("1", "Ani", "10")]


def test_a_seed_is_good_for_ninety_days(app, ani, monkeypatch):
    seeds, now = ani.seeds(), app.extensions["results"]._now()

    def later(seconds):
        for each in twins.of(app):
            monkeypatch.setattr(each.extensions["results"], "_now", lambda: now + store.VALID + seconds)

    later(-timedelta(minutes=1))
    assert ani.verdict(won(seeds[0]))["status"] == "counted"
    later(timedelta(minutes=1))
    assert ani.send(won(seeds[1])).json["error"]["code"] == "seed_expired"


def test_results_are_their_owners(ani, budi, client):
    id_ = ani.send(won(ani.seeds()[0])).json["id"]
    assert ani.client.get(f"/practice/results/{id_}", headers=OURS).status_code == 200
    assert budi.client.get(f"/practice/results/{id_}", headers=OURS).status_code == 404
    assert client.get(f"/practice/results/{id_}", headers=OURS).status_code == 401


# Played again beside the server -------------------------------------------------------------------------


def test_what_was_acknowledged_survives_a_stop(build, app, ani, monkeypatch):
    monkeypatch.setattr(replays.Replays, "wake", lambda self: None)  # as if it were stopped at once
    kept = ani.send(won(ani.seeds()[0]))
    assert (kept.status_code, kept.json["status"]) == (202, "pending")
    assert "being played again" in kept.json["text"]
    assert ani.board() == []
    monkeypatch.undo()
    again = replays.Replays(app.extensions["results"], app.config["ROOT"])
    again.wake()
    again.settle()
    assert ani.client.get(kept.headers["Location"], headers=OURS).json["status"] == "counted"
    assert ani.board() == [("1", "Ani", "10")]


def test_a_start_takes_up_what_waits(tmp_path, static):
    from app import create_app

    config = {"DATA": str(tmp_path), "WRITES": "1000 per minute"}
    program = f"""
from app import create_app
from scorekeeper.pages import ranking as pages
from scorekeeper.store import results as store
from scorekeeper.web import passwords, replays
from tests.web import twins
from tests.web.accounts import Browser, won
replays.Replays.wake = lambda self: None
app = create_app({config!r})
ani = Browser(app)
ani.sign_up("Ani")
assert ani.send(won(ani.seeds()[0])).status_code == 202
"""
    root = replays.__file__.rsplit("/scorekeeper/", 1)[0]
    subprocess.run([sys.executable, "-c", program], cwd=root, check=True, capture_output=True)
    app = create_app(config)
    app.extensions["replays"].settle()
    assert Browser(app).board() == [("1", "Ani", "10")]
    app.extensions["log"].close()


def test_a_replay_that_dies_is_tried_at_the_next_start(app, ani, monkeypatch):
    monkeypatch.setattr(replays.sys, "executable", "/bin/false")
    record = won(ani.seeds()[0])
    assert ani.verdict(record)["status"] == "pending"
    monkeypatch.undo()
    assert ani.verdict(record)["status"] == "pending"  # not tried again and again
    for each in twins.of(app):
        each.extensions["replays"]._given_up.clear()
    assert ani.verdict(record)["status"] == "counted"


def test_a_replay_without_end_is_ended(app, ani):
    for each in twins.of(app):
        each.extensions["replays"]._longest = 0
    told = ani.verdict(won(ani.seeds()[0]))
    assert (told["status"], told["error"]["code"]) == ("refused", "too_long")


def test_a_record_that_no_longer_reads_keeps_nobody_waiting(app, ani, budi, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr(replays.Replays, "wake", lambda self: None)
        earlier.setattr(record_module, "ENGINE", 0)
        kept = ani.send({**won(ani.seeds()[0]), "engine": 0})
    assert kept.status_code == 202
    assert budi.verdict(won(budi.seeds()[0]))["status"] == "counted"
    told = ani.client.get(kept.headers["Location"], headers=OURS).json
    assert (told["status"], told["error"]["code"], told["error"]["at"]) == ("refused", "other_engine", "record.engine")


def test_a_fault_in_one_replay_keeps_nobody_waiting(app, ani, budi, monkeypatch):
    real = replays.Replays._replay

    def faulty(self, raw):
        if raw["seats"][1] != "easy":
            raise LookupError
        return real(self, raw)

    monkeypatch.setattr(replays.Replays, "_replay", faulty)
    assert ani.verdict(won(ani.seeds()[0], seats=("human", "normal", "normal", "normal")))["status"] == "pending"
    assert budi.verdict(won(budi.seeds()[0]))["status"] == "counted"


def test_after_a_stop_no_other_replay_begins(app, ani, monkeypatch):
    judge, at = app.extensions["replays"], []

    def stopped(*arguments, **options):
        at.append(arguments)
        judge.stop()
        return subprocess.Popen(["/bin/sleep", "60"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    with monkeypatch.context() as busy:
        busy.setattr(replays.Replays, "wake", lambda self: None)
        kept = [ani.send(won(seed)) for seed in ani.seeds()[:2]]
    monkeypatch.setattr(replays, "spawn", stopped)
    judge.wake()
    judge.settle()
    assert len(at) == 1 and judge._child is None
    assert [ani.client.get(one.headers["Location"], headers=OURS).json["status"] for one in kept] == ["pending"] * 2


def test_only_so_many_wait(app, ani, monkeypatch):
    monkeypatch.setattr(replays.Replays, "wake", lambda self: None)
    seeds = ani.seeds()
    first = won(seeds[0])
    assert ani.send(first).status_code == 202
    other = won(seeds[0], seats=("human", "normal", "normal", "normal"))
    busy = ani.send(other)  # what becomes of this seed is not known yet
    assert (busy.status_code, busy.json["error"]["code"]) == (429, "too_many_waiting")
    assert int(busy.headers["Retry-After"]) > 0
    codes = [ani.send(won(seed)).status_code for seed in seeds[1 : store.MOST_WAITING + 1]]
    assert codes == [202] * (store.MOST_WAITING - 1) + [429]
    assert ani.send(first).status_code == 202


# What is asked for --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "type_", "status", "code"),
    [
        (b"{}", "application/json", 422, "field_missing"),
        (b'{"record": {}, "helped": false, "points": 300}', "application/json", 422, "unknown_field"),
        (b'{"record": {}, "helped": false}', "application/json", 422, "unknown_format"),
        (b"[]", "application/json", 422, "wrong_type"),
        (b"null", "application/json", 422, "wrong_type"),
        (b"{", "application/json", 400, "not_json"),
        (b'{"helped": NaN}', "application/json", 400, "not_json"),
        (b"\xff", "application/json", 400, "not_utf8"),
        (b"[" * 5000 + b"]" * 5000, "application/json", 400, "too_deep"),
        (b"record=1", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
        (b"x" * 600_000, "application/json", 413, "request_entity_too_large"),
    ],
)
def test_a_bad_body_is_refused_in_json(ani, data, type_, status, code):
    answer = ani.client.post("/practice/results", data=data, content_type=type_, headers=OURS)
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)
    assert answer.json["error"].keys() == {"code", "message", "at"}


def test_another_site_is_nobody(ani):
    record = won(ani.seeds()[0])
    for site in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://elsewhere.example"}, {}):
        for answer in (ani.client.get("/practice/seeds", headers=site),
                       ani.client.post("/practice/results", json={"record": record, "helped": False}, headers=site)):
            assert (answer.status_code, answer.json["error"]["code"]) == (401, "unauthorized")
    assert ani.board() == []


def test_seeds_are_issued_now_and_then(ani, budi):
    answers = [ani.client.get("/practice/seeds", headers=OURS) for _ in range(31)]
    assert [answer.status_code for answer in answers] == [200] * 30 + [429]
    assert answers[-1].json["error"]["code"] == "too_many_requests"
    assert budi.seeds()


# The leaderboard ----------------------------------------------------------------------------------------


def place(app, name, points, variant="block"):
    """An account whose best result is so many points."""
    account = app.extensions["accounts"].create(name, "no hash")
    results = app.extensions["results"]
    (seed, _), = results.issue(account.id, 1)
    kept = results.submit(account.id, {"seed": seed})
    results.decide(kept.id, store.Verdict(variant, points))


class Lines(HTMLParser):
    """The words of each line of a list that is a leaderboard."""

    def __init__(self):
        super().__init__()
        self.lines, self.inside = [], False

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.inside = "board-list" in (given.get("class") or "") or (self.inside and tag != "details")
        if tag == "li" and self.inside:
            self.lines.append([given.get("class") or ""])

    def handle_data(self, data):
        if self.inside and self.lines and data.strip():
            self.lines[-1].append(data.strip())


def lines(browser, variant="block"):
    reader = Lines()
    reader.feed(browser.client.get(f"/ranking/{variant}").text)
    return reader.lines


def test_equal_points_share_a_place(app, ani):
    for name, points in (("Dewi", 30), ("citra", 300), ("Budi", 30), ("Eka", 10)):
        place(app, name, points)
    assert ani.board() == [("1", "citra", "300"), ("2", "Budi", "30"), ("2", "Dewi", "30"), ("4", "Eka", "10")]
    assert ["tied" in line for line in lines(ani)] == [False, True, True, False]


def test_ones_own_line_is_marked_and_there_however_far_down(app, ani, monkeypatch):
    monkeypatch.setattr(pages, "MOST_ROWS", 2)
    for name in ("Budi", "Citra", "Dewi"):
        place(app, name, 100)
    assert [line[0] for line in lines(ani)] == [" won", " won"]
    assert ani.verdict(won(ani.seeds()[0]))["status"] == "counted"
    shown = lines(ani)
    assert len(shown) == 4 and "mine" in shown[-1][0] and "you" in shown[-1]
    assert ani.board()[-1] == ("4", "Ani", "10")
    assert "tied" not in shown[-1]
    place(app, "Zul", 10)
    assert "tied" in lines(ani)[-1]
    assert not any("mine" in line[0] for line in lines(Browser(app)))


def test_an_empty_board_says_so(client):
    for variant in VARIANTS:
        assert "The first place is free" in client.get(f"/ranking/{variant}").text
    assert client.get("/ranking/chess").status_code == 404


def test_names_are_shown_as_they_are(app, client):
    place(app, '<b onclick="x()">', 30)
    assert "<b onclick" not in client.get("/ranking").text


def test_the_account_page_tells_what_became_of_each(ani):
    seeds = ani.seeds()
    ani.verdict(won(seeds[0]))
    ani.verdict(lost(seeds[1]))
    ani.verdict({**won(seeds[2]), "moves": ["pass"]})
    html = ani.client.get("/account").text
    for said in ("won, 10 points", "not won, no points", "does not count, it could not be played again"):
        assert said in html
    assert json.loads(ani.client.get("/account/export.json").text)["results"][0]["verdict"]["code"]
