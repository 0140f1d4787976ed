"""Accounts: only for who wants to be ranked, safe for who is, and gone when they say so."""

from __future__ import annotations

import json
import re
from itertools import count

import pytest
from argon2 import PasswordHasher

from scorekeeper.web import passwords
from tests.web.accounts import OURS, PASSWORD, Browser, won
from tests.web.asking import everything

pytestmark = pytest.mark.each_database


@pytest.fixture
def ani(app):
    browser = Browser(app)
    assert browser.sign_up("Ani").status_code == 303
    return browser


@pytest.fixture(autouse=True)
def known(monkeypatch):
    """Seeds that can be won, the same each time."""
    seeds = count(26)
    monkeypatch.setattr("scorekeeper.store.results.secrets.randbits", lambda _: next(seeds))


# Up, in and out -----------------------------------------------------------------------------------------


def test_up_out_and_in_again(ani):
    assert ani.name() == "Ani"
    ani.post("/account/out")
    assert ani.name() is None
    assert ani.sign_in("ani").headers["Location"] == "/account"
    assert ani.name() == "Ani"


def test_nobody_needs_an_account(client):
    for address in ("/", "/new", "/ranking", "/ranking/block", "/rules"):
        assert client.get(address).status_code == 200
    assert "you need no account" in client.get("/ranking").text
    assert "you need no account" in client.get("/account").text


@pytest.mark.parametrize("same", ["Ani", "ANI", " ani ", "Ａｎｉ", "A\u200bni"])
def test_a_name_is_taken_once_however_it_is_written(app, ani, same):
    answer = Browser(app).sign_up(same)
    assert answer.status_code == 422
    assert "Somebody has this name already" in answer.text


def test_ss_and_sharp_s_are_one(app):
    assert Browser(app).sign_up("Strauss").status_code == 303
    assert Browser(app).sign_up("STRAUẞ").status_code == 422


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "A name is missing."),
        ("\u200b", "A name is missing."),
        ("x" * 41, "at most 40 letters"),
        ("a\x00b", "cannot be shown"),
        ("a\u202eb", "cannot be shown"),
        ("a\u200fb", "cannot be shown"),
    ],
)
def test_a_name_is_read_as_a_players_is(app, name, said):
    browser = Browser(app)
    answer = browser.sign_up(name)
    assert answer.status_code == 422
    assert said in answer.text and 'id="name-error"' in answer.text
    assert browser.name() is None


@pytest.mark.parametrize(("password", "said"), [("seven77", "at least 8"), ("x" * 201, "at most 200"),
                                                ("Budiman Budiman", "Everybody can read your name")])
def test_a_password_has_to_be_one(app, password, said):
    answer = Browser(app).sign_up("Budiman Budiman", password)
    assert answer.status_code == 422
    assert said in answer.text and 'id="password-error"' in answer.text
    assert 'value="Budiman Budiman"' in answer.text
    assert password == "Budiman Budiman" or password not in answer.text


def test_a_password_is_the_same_on_every_keyboard(app):
    browser = Browser(app)
    browser.sign_up("Budi", "caf\u00e9 caf\u00e9")
    browser.post("/account/out")
    assert browser.sign_in("Budi", "cafe\u0301 cafe\u0301").status_code == 303


def test_an_unknown_name_is_answered_like_a_wrong_password(app, ani, monkeypatch):
    asked = []
    kept = passwords._hasher.verify

    def verify(hash_, password):
        asked.append(hash_)
        return kept(hash_, password)

    monkeypatch.setattr(passwords, "_hasher", type("Spy", (), {"verify": staticmethod(verify)}))
    stranger = Browser(app)
    answers = [stranger.sign_in(name, "a wrong password") for name in ("Ani", "Nobody")]
    assert [answer.status_code for answer in answers] == [422, 422]
    said = [re.sub(r'name="csrf_token" value="[^"]+"|Ani|Nobody', "*", answer.text) for answer in answers]
    one, other = said
    assert one == other
    assert "do not go together" in one and "a wrong password" not in one
    # The same work, whether there is an account or not.
    assert len(asked) == 2 and asked[1] == passwords.NOBODYS
    assert asked[0].split("$")[1:4] == asked[1].split("$")[1:4]


def test_nobodys_hash_is_made_as_all_are():
    assert not passwords.outdated(passwords.NOBODYS)
    assert not passwords.fits(None, "")
    assert passwords.outdated("$argon2id$v=19$m=65536,t=2,p=4$c2FsdHNhbHRzYWx0$c2FsdHNhbHRzYWx0c2FsdA")


def test_a_hash_of_other_settings_is_made_anew(app, ani):
    kept = app.extensions["accounts"]
    kept.set_password(kept.named("Ani").id, PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD))
    assert Browser(app).sign_in().status_code == 303
    assert not passwords.outdated(kept.named("Ani").password)
    assert Browser(app).sign_in().status_code == 303


def test_the_password_is_nowhere_but_as_a_hash(app, ani):
    held = everything(app)
    assert b"$argon2id$" in held and PASSWORD.encode() not in held
    assert app.extensions["accounts"].named("Ani").password not in repr(app.extensions["accounts"].named("Ani"))


def test_signing_in_leaves_nothing_of_who_was_here_before(app, ani):
    guest = Browser(app)
    guest.post("/choices", language="id")
    with guest.client.session_transaction() as cookie:
        cookie["left"] = "behind"
    before = guest.token()
    assert guest.sign_in().status_code == 303
    with guest.client.session_transaction() as cookie:
        assert "left" not in cookie and cookie["language"] == "id"
    refused = guest.client.post("/account/out", data={"csrf_token": before})
    assert refused.status_code == 400  # the token of before is none any more
    assert guest.name() == "Ani"


def test_signing_out_everywhere_reaches_the_other_phone(app, ani):
    other = Browser(app)
    other.sign_in()
    ani.post("/account/out")
    assert (ani.name(), other.name()) == (None, "Ani")
    ani.sign_in()
    ani.post("/account/out", everywhere="1")
    assert (ani.name(), other.name()) == (None, None)


def test_what_a_script_asks_for_meanwhile_signs_nobody_in_again(ani):
    ani.token()
    for path in ("/practice/seeds", "/practice/results/2"):
        assert "Set-Cookie" not in ani.client.get(path, headers=OURS).headers
    step = {"do": "start", "variant": "block", "rules": {}, "seed": 1, "seats": ["human", "easy", "easy", "easy"]}
    answer = ani.client.post("/practice/step", json=step, headers=OURS)
    assert answer.status_code == 200 and "Set-Cookie" not in answer.headers
    fetched = {"Sec-Fetch-Mode": "cors"}
    assert "Set-Cookie" not in ani.client.get("/account", headers=fetched).headers
    assert "Set-Cookie" in ani.client.get("/account").headers


def test_guessing_is_limited_by_address_and_success_is_not(build, monkeypatch):
    monkeypatch.setattr(passwords, "fits", lambda kept, password: password == PASSWORD)
    app = build()
    browser = Browser(app)
    browser.sign_up("Ani")
    assert {browser.sign_in().status_code for _ in range(25)} == {303}
    answers = [browser.sign_in(password=f"guess number {number}").status_code for number in range(22)]
    assert answers == [422] * 20 + [429] * 2
    assert browser.client.get("/account").status_code == 200


# The account --------------------------------------------------------------------------------------------


def test_a_new_name_is_the_one_on_the_board(app, ani):
    assert ani.verdict(won(ani.seeds()[0]))["status"] == "counted"
    Browser(app).sign_up("Budi")
    taken = ani.post("/account/name", name="budi")
    assert taken.status_code == 422 and 'value="budi"' in taken.text and 'id="name-error"' in taken.text
    assert ani.board() == [("1", "Ani", "10")]
    assert ani.post("/account/name", name="ANI").status_code == 303
    assert ani.post("/account/name", name="Annisa").status_code == 303
    assert ani.board() == [("1", "Annisa", "10")]
    assert Browser(app).sign_up("Ani").status_code == 303  # free again


def test_the_export_is_everything_but_the_hash(app, ani):
    record = won(ani.seeds()[0])
    ani.verdict(record)
    answer = ani.client.get("/account/export.json")
    assert "attachment" in answer.headers["Content-Disposition"]
    held = json.loads(answer.text)
    assert held["name"] == "Ani" and len(held["seeds"]) == 10
    assert [(one["record"], one["verdict"]["points"]) for one in held["results"]] == [(record, 10)]
    assert "argon2" not in answer.text


def test_a_deleted_account_leaves_nothing(app, ani, tmp_path):
    ani.sign_in()
    other = Browser(app)
    other.sign_in()
    seeds = ani.seeds()
    ani.verdict(won(seeds[0]))
    wrong = ani.post("/account/delete", password="not this one")
    assert wrong.status_code == 422 and "This is not the password" in wrong.text and "not this one" not in wrong.text
    assert ani.board() == [("1", "Ani", "10")]
    assert ani.post("/account/delete", password=PASSWORD).status_code == 303
    assert (ani.name(), other.name(), ani.board()) == (None, None, [])
    with app.extensions["log"].database.read() as db:
        for table in ("account", "seed", "result", "verdict"):
            assert db.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0
    assert ani.sign_in().status_code == 422
    newcomer = Browser(app)
    assert newcomer.sign_up("Ani").status_code == 303
    assert newcomer.send(won(seeds[1])).json["error"]["code"] == "seed_unknown"


def test_who_is_not_signed_in_is_led_to_the_way_in(app):
    browser = Browser(app)
    for path in ("/account/name", "/account/delete"):
        assert browser.post(path, name="x", password="y").headers["Location"] == "/account"
    assert browser.client.get("/account/export.json").headers["Location"] == "/account"
    assert browser.client.get("/practice/seeds", headers=OURS).status_code == 401


def test_logs_never_tell_who_it_is(build, capsys):
    browser = Browser(build())
    browser.sign_up("Zahrani", "zubaidah-zubaidah")
    browser.sign_in("Zahrani", "zakaria-zakaria")
    browser.post("/account/name", name="Zulkifli")
    said = "".join(capsys.readouterr()).lower()
    assert "/account/in" in said
    assert not any(secret in said for secret in ("zahrani", "zubaidah", "zakaria", "zulkifli"))
