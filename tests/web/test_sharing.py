"""Sharing: codes, joining, the owner's controls, whose phone did what, and names that are only text."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import segno
from flask import Flask

from scorekeeper.store.errors import BadCode, TooManyPhones
from scorekeeper.store.log import ALPHABET, Log
from scorekeeper.store.sharing import CODE_LENGTH, LASTS, SCORER, WATCHER, Sharing
from scorekeeper.web import access
from tests.web import twins
from tests.web.asking import API, DOMINO, everything
from tests.web.phones import OURS, Table, shared_table

pytestmark = pytest.mark.each_database

EVIL = "<script>alert(1)</script>\"'&"
# What was typed stays, and is all that differs.
TYPED = re.compile(r'(?<=id="code" name="code" class="typed" value=")[^"]*')


@pytest.fixture
def table(build: Any) -> Table:
    return shared_table(build(WTF_CSRF_ENABLED=False))


def page(client: Any, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return str(answer.text)


# Codes --------------------------------------------------------------------------------------------------------


def test_a_code_is_long_and_of_letters_that_nobody_mixes_up(table: Table) -> None:
    assert set(table.codes) == {WATCHER, SCORER}
    for code in table.codes.values():
        assert len(code) == CODE_LENGTH and set(code) <= set(ALPHABET)


def test_a_code_is_nowhere_in_the_database_nor_in_the_log(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    joined = table.join(SCORER, "Eka")
    table.enter(joined)
    codes = table.codes.values()
    kept = everything(table.app)
    said = capsys.readouterr()
    token = joined.get_cookie("table")
    assert token and table.match_id.encode() in kept
    for code in codes:
        assert code.encode() not in kept and code not in said.out + said.err
    assert token.value not in said.out + said.err


def test_with_another_key_all_links_are_as_if_turned_off(table: Table) -> None:
    other = Sharing(table.app.extensions["log"].database, "another key")
    assert other.codes(table.match_id) == {}
    with pytest.raises(BadCode):
        other.find(table.codes[WATCHER])


@pytest.mark.parametrize("typed", ["{0} {1}", "{0}-{1}", " {0}{1} ", "{0}.{1}"])
def test_a_code_is_taken_however_it_is_typed(table: Table, typed: str) -> None:
    code = table.codes[WATCHER].upper()
    answer = table.app.test_client().get("/join", query_string={"code": typed.format(code[:5], code[5:])})
    assert answer.status_code == 302
    assert "Join" in page(table.app.test_client(), answer.headers["Location"])


def test_wrong_turned_off_renewed_and_expired_codes_have_the_same_answer(table: Table) -> None:
    client, answers = table.app.test_client(), []
    old = dict(table.codes)
    table.owner.post(table.path("/share/link"), data={"role": WATCHER, "do": "off"})
    table.owner.post(table.path("/share/link"), data={"role": SCORER, "do": "renew"})
    late = Sharing(
        table.app.extensions["log"].database, table.app.config["SECRET_KEY"], lambda: datetime.now(UTC) + LASTS
    )
    for code in ("2" * CODE_LENGTH, old[WATCHER], old[SCORER], "x", "%00", table.match_id, "é" * 40):
        answers += [client.get(f"/j/{code}"), client.post(f"/j/{code}", data={"name": "Eka"})]
    current = table.codes[SCORER]
    assert client.get(f"/j/{current}").status_code == 200
    for app in twins.of(table.app):
        app.extensions["sharing"] = late
    answers.append(client.get(f"/j/{current}"))
    assert {answer.status_code for answer in answers} == {404}
    assert len({TYPED.sub("", answer.text) for answer in answers}) == 1


@pytest.mark.parametrize("typed", ["a/b", ".", "..", "/", "../m"])
def test_what_would_be_another_path_is_a_wrong_code(build: Any, typed: str) -> None:
    client = shared_table(build(WTF_CSRF_ENABLED=False)).app.test_client()
    wrong = client.get("/j/x")
    answers = [client.get("/join", query_string={"code": typed}, follow_redirects=True) for _ in range(21)]
    assert [answer.status_code for answer in answers] == [404] * 19 + [429] * 2, "counted like any wrong code"
    assert {TYPED.sub("", answer.text) for answer in answers[:19]} == {TYPED.sub("", wrong.text)}


def test_a_wrong_code_stays_to_be_mended(build: Any) -> None:
    client = shared_table(build(WTF_CSRF_ENABLED=False)).app.test_client()
    answer = client.get("/join", query_string={"code": "ABCDE-fgh<\"j"}, follow_redirects=True)
    assert 'id="code"' in answer.text and 'value="ABCDE-fgh&lt;&#34;j"' in answer.text


def test_guessing_is_stopped_and_joining_is_not(build: Any) -> None:
    table = shared_table(build(WTF_CSRF_ENABLED=False))
    client = table.app.test_client()
    for _ in range(3):
        assert client.get(f"/j/{table.codes[WATCHER]}").status_code == 200
    statuses = [client.get(f"/j/{'2' * CODE_LENGTH}").status_code for _ in range(22)]
    assert statuses == [404] * 20 + [429] * 2
    assert client.post(f"/j/{'2' * CODE_LENGTH}").status_code == 429
    other = {"REMOTE_ADDR": "198.51.100.7"}
    assert client.get(f"/j/{table.codes[WATCHER]}", environ_base=other).status_code == 200


# Joining ------------------------------------------------------------------------------------------------------


def test_who_keeps_score_says_a_name_and_who_watches_need_not(table: Table) -> None:
    client = table.app.test_client()
    refused = client.post(f"/j/{table.codes[SCORER]}", data={"name": " "})
    assert refused.status_code == 422 and 'id="error"' in refused.text
    assert client.get(table.path()).status_code == 404
    assert client.post(f"/j/{table.codes[WATCHER]}", data={"name": ""}).status_code == 303
    assert client.get(table.path()).status_code == 200


def test_a_seat_must_be_one_of_the_table(table: Table) -> None:
    client = table.app.test_client()
    assert client.post(f"/j/{table.codes[SCORER]}", data={"name": "Eka", "seat": "4"}).status_code == 400
    assert client.post(f"/j/{table.codes[SCORER]}", data={"name": "Eka", "seat": "3"}).status_code == 303
    assert table.sharing.phones(table.match_id)[-1].seat == 3


def test_joining_again_makes_no_second_phone_and_no_lower_role(table: Table) -> None:
    client = table.join(SCORER, "Eka")
    table.join(WATCHER, "Eka B", client)
    (_, phone) = table.sharing.phones(table.match_id)
    assert (phone.name, phone.role) == ("Eka B", SCORER)
    table.join(WATCHER, "Owner", table.owner)
    assert [phone.role for phone in table.sharing.phones(table.match_id)] == ["owner", SCORER]


def test_a_watcher_with_the_link_to_score_scores(table: Table) -> None:
    client = table.join(WATCHER, "Eka")
    assert table.enter(client).status_code == 403
    table.join(SCORER, "Eka", client)
    assert table.enter(client).status_code == 303


def test_a_joined_match_is_among_mine_until_i_leave(table: Table) -> None:
    client = table.join(WATCHER)
    assert table.path() in page(client, "/")
    assert [m["id"] for m in client.get(f"{API}/matches", headers=OURS).json["matches"]] == [table.match_id]
    client.post(table.path("/share/leave"))
    assert table.path() not in page(client, "/")


def test_the_big_screen_is_joined_by_its_own_button(table: Table) -> None:
    answer = table.app.test_client().post(f"/j/{table.codes[WATCHER]}", data={"screen": "1"})
    assert answer.headers["Location"] == table.path("/screen")


def test_there_is_an_end_to_phones(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.store.sharing.MOST_PHONES", 2)
    table.join(WATCHER)
    with pytest.raises(TooManyPhones):
        table.sharing.join(table.codes[WATCHER], "somebody", "", None)
    assert table.app.test_client().post(f"/j/{table.codes[WATCHER]}", data={}).status_code == 429


# The owner's controls -----------------------------------------------------------------------------------------


def test_a_removed_phone_is_out_and_its_link_is_new(table: Table) -> None:
    client = table.join(SCORER, "Eka")
    before = table.codes
    table.owner.post(table.path(f"/share/phone/{table.number('Eka')}"), data={"do": "remove"})
    assert client.get(table.path()).status_code == 404
    assert client.get(f"/j/{before[SCORER]}").status_code == client.get(f"/j/{before[WATCHER]}").status_code == 404
    assert set(table.codes) == {WATCHER, SCORER} and not set(table.codes.values()) & set(before.values())
    table.join(WATCHER, "", client)  # by a link that it was given anew
    assert client.get(table.path()).status_code == 200


def test_removing_turns_no_link_on(table: Table) -> None:
    table.join(SCORER, "Eka")
    table.owner.post(table.path("/share/link"), data={"role": WATCHER, "do": "off"})
    table.owner.post(table.path(f"/share/phone/{table.number('Eka')}"), data={"do": "remove"})
    assert set(table.codes) == {SCORER}


def test_turning_a_link_off_leaves_who_has_joined(table: Table) -> None:
    client = table.join(SCORER, "Eka")
    table.owner.post(table.path("/share/link"), data={"role": SCORER, "do": "off"})
    assert table.enter(client).status_code == 303
    table.owner.post(table.path("/share"))  # sharing again does not turn it on
    assert set(table.codes) == {WATCHER}


def test_a_locked_table_is_written_by_its_owner_alone(table: Table) -> None:
    client = table.join(SCORER, "Eka")
    table.owner.post(table.path("/share/lock"), data={"locked": "yes"})
    assert table.enter(client, "a").status_code == 403
    assert "/undo" not in page(client, table.path())
    assert table.enter(table.owner, "b").status_code == 303
    table.owner.post(table.path("/share/lock"), data={"locked": "no"})
    assert table.enter(client, "c").status_code == 303


def test_a_match_is_handed_over_and_back(table: Table) -> None:
    client = table.join(WATCHER, "Eka")
    table.owner.post(table.path(f"/share/phone/{table.number('Eka')}"), data={"do": "own"})
    assert [phone.role for phone in table.sharing.phones(table.match_id)] == [SCORER, "owner"]
    assert table.owner.post(table.path("/share/lock"), data={"locked": "yes"}).status_code == 403
    assert table.enter(table.owner).status_code == 303  # as a scorer
    assert client.post(table.path("/share/phone/1"), data={"do": "own"}).status_code == 303
    assert [phone.role for phone in table.sharing.phones(table.match_id)] == ["owner", SCORER]


def test_there_is_always_one_owner(table: Table) -> None:
    for act in ("watch", "score", "remove", "own"):
        assert table.owner.post(table.path("/share/phone/1"), data={"do": act}).status_code == 404
    for number in ("2", "99", "0", "9" * 9, "9" * 10, "9" * 21):
        assert table.owner.post(table.path(f"/share/phone/{number}"), data={"do": "own"}).status_code == 404
    assert table.owner.post(table.path("/share/phone/1"), data={"do": "kick"}).status_code == 400
    assert table.owner.post(table.path("/share/link"), data={"role": "owner", "do": "renew"}).status_code == 400


def test_a_handed_over_match_is_in_both_lists(table: Table) -> None:
    client = table.join(WATCHER, "Eka")
    table.owner.post(table.path(f"/share/phone/{table.number('Eka')}"), data={"do": "own"})
    client.post(table.path("/share/phone/1"), data={"do": "remove"})
    assert table.path() in page(client, "/")
    assert table.path() not in page(table.owner, "/")
    assert table.owner.get(table.path()).status_code == 404


def test_what_was_done_with_the_sharing_is_kept(table: Table) -> None:
    from sqlalchemy import select

    from scorekeeper.store.tables import sharing_change

    table.join(SCORER, "Eka")
    table.owner.post(table.path("/share/phone/2"), data={"do": "watch"})
    table.owner.post(table.path("/share/lock"), data={"locked": "yes"})
    table.owner.post(table.path("/share/phone/2"), data={"do": "remove"})
    with table.app.extensions["log"].database.read() as db:
        rows = db.execute(select(sharing_change).order_by(sharing_change.c.number)).all()
    assert [(row.what, row.phone, row.role, row.by) for row in rows] == [
        ("began", 1, "owner", 1),
        ("link_made", None, WATCHER, 1),
        ("link_made", None, SCORER, 1),
        ("joined", 2, SCORER, 2),
        ("given", 2, WATCHER, 1),
        ("locked", None, None, 1),
        ("removed", 2, "", 1),
        ("link_ended", None, WATCHER, 1),
        ("link_made", None, WATCHER, 1),
        ("link_ended", None, SCORER, 1),
        ("link_made", None, SCORER, 1),
    ]
    assert all(row.at <= datetime.now(UTC) + timedelta(seconds=1) for row in rows)


# Whose phone --------------------------------------------------------------------------------------------------


def test_the_history_says_whose_phone_did_what(table: Table) -> None:
    client = table.join(SCORER, "Eka")
    table.enter(client, "a")
    assert client.get(f"{API}/matches/{table.match_id}/history", headers=OURS).json["changes"][-1]["event"]["by"] == "2"
    table.owner.post(table.path("/undo"), data={"version": "3", "key": "b"})
    told = page(table.owner, table.path("/history"))
    assert re.findall(r'class="by[^>]*>· ([^<]+)<', told) == ["Phone 1", "Eka"]
    client.post(table.path("/share/name"), data={"name": "Eka K"})
    assert "· Eka K<" in page(table.owner, table.path("/history"))


def test_the_same_tap_sent_by_two_phones_counts_once(table: Table) -> None:
    client = table.join(SCORER, "Eka")
    assert table.enter(client, "same").status_code == 303
    form = {"version": "2", "key": "same", "ending": "domino:1", "hands-0": "1", "hands-2": "2", "hands-3": "3"}
    assert table.owner.post(table.path("/round"), data=form).status_code == 303
    assert table.version() == 3


def test_another_matchs_events_do_not_get_in(table: Table) -> None:
    other = shared_table(table.app)
    client = table.join(SCORER, "Eka")
    asked = {"events": [{"type": "round_voided", "id": 2}], "expected": 2, "key": "k"}
    assert client.post(f"{API}/matches/{other.match_id}/events", json=asked, headers=OURS).status_code == 404
    assert client.post(other.path("/undo"), data={"version": "2", "key": "k"}).status_code == 404
    assert other.version() == 2
    for number in (1, 2):  # a phone is one of its own table
        assert other.owner.post(table.path(f"/share/phone/{number}"), data={"do": "own"}).status_code == 404


# Pages --------------------------------------------------------------------------------------------------------


def test_the_qr_code_says_the_link_and_nothing_inline(table: Table) -> None:
    html = page(table.owner, table.path("/share?for=scorer"))
    address = f"http://localhost/j/{table.codes[SCORER]}"
    assert f'data-invite="{address}"' in html
    drawn = re.search(r'<svg[^>]*class="qr"[^>]*>.*?</svg>', html)
    assert drawn and "style" not in drawn[0]
    assert drawn[0] == segno.make(address, error="m", micro=False).svg_inline(
        omitsize=True, border=3, svgclass="qr", lineclass=None
    )
    assert table.codes[WATCHER] not in html


def test_only_the_owner_is_shown_the_code_to_score(table: Table) -> None:
    for role in (SCORER, WATCHER):
        html = page(table.join(role, "Eka"), table.path("/share?for=scorer"))
        assert table.codes[SCORER] not in html
        assert table.codes[WATCHER][:5] in html
        assert "/share/lock" not in html and "/share/link" not in html


def test_a_watchers_pages_have_nothing_that_writes(table: Table) -> None:
    client = table.join(WATCHER)
    for rest in ("", "/more", "/history", "/screen"):
        posts = re.findall(r'<form[^>]*method="post"[^>]*>', page(client, table.path(rest)))
        assert posts == [], rest
    assert "/round" not in page(client, table.path())


def test_a_host_that_was_made_up_is_only_text(table: Table) -> None:
    answer = table.owner.get(table.path("/share"), headers={"Host": 'x"><script>alert(1)</script>'})
    assert "<script>alert" not in answer.text


def test_an_evil_name_is_only_text(table: Table) -> None:
    client = table.join(SCORER, EVIL)
    table.enter(client)
    document = json.loads(page(table.owner, table.path("/match.json")))
    document["players"][0] = EVIL
    asked = {"document": document}
    evil = table.owner.post(f"{API}/matches", json=asked, headers=OURS).json["id"]
    pages = [(table.owner, table.path("/share")), (table.owner, table.path("/history")), (client, table.path("/share"))]
    pages += [(table.owner, f"/m/{evil}{rest}") for rest in ("", "/screen", "/sheet.svg", "/round", "/more")]
    table.owner.post(f"/m/{evil}/share")
    code = table.sharing.codes(evil)[SCORER]
    pages += [(table.app.test_client(), f"/j/{code}"), (client, f"/j/{code}")]
    for who, path in pages:
        html = page(who, path)
        assert "<script>alert" not in html, path
        assert "&lt;script" in html, path  # the picture has no room for all of it


def test_a_name_has_an_end(table: Table) -> None:
    client = table.app.test_client()
    for name in ("x" * 41, "a\x00b", "\u202eabc"):
        assert client.post(f"/j/{table.codes[SCORER]}", data={"name": name}).status_code == 422
        assert table.owner.post(table.path("/share/name"), data={"name": name}).status_code == 422
    assert [phone.name for phone in table.sharing.phones(table.match_id)] == [""]


def test_sharing_needs_a_match(app: Flask) -> None:
    log: Log = app.extensions["log"]
    sharing = Sharing(log.database, "key")
    assert sharing.access("2" * 15, "somebody") is None
    assert sharing.access("2" * 15, None) is None
    assert sharing.access("\x00", "somebody") is None
    assert sharing.phones("2" * 15) == [] and sharing.codes("2" * 15) == {}


# Between looking and writing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["form", "api"])
@pytest.mark.parametrize("change", ["removed", "locked"])
def test_who_may_write_no_more_when_it_is_their_turn_does_not(
    table: Table, monkeypatch: pytest.MonkeyPatch, change: str, way: str
) -> None:
    joined, before, need = table.join(SCORER, "Eka"), table.version(), access.need

    def overtaken(*asked: Any) -> Any:
        found = need(*asked)
        owner = table.sharing.phones(table.match_id)[0].who
        if change == "removed":
            table.sharing.give(table.match_id, owner, table.number("Eka"), "")
        else:
            table.sharing.lock(table.match_id, owner, True)
        return found

    monkeypatch.setattr(access, "need", overtaken)
    if way == "form":
        answer = table.enter(joined)
    else:
        sent = {"events": [{"type": "round_entered", "round": DOMINO}], "expected": before, "key": "k"}
        answer = joined.post(f"{API}/matches/{table.match_id}/events", json=sent, headers=OURS)
    assert answer.status_code == (404 if change == "removed" else 403), answer.text
    assert table.version() == before


def test_a_link_that_ends_while_somebody_joins_lets_nobody_in(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    code, find = table.codes[SCORER], Sharing._find
    asked: list[str] = []

    def ended(self: Sharing, db: Any, typed: str) -> Any:
        found = find(self, db, typed)
        if not asked:
            self._end(db, table.match_id, SCORER, 1)
        asked.append(typed)
        return found

    monkeypatch.setattr(Sharing, "_find", ended)
    with pytest.raises(BadCode):
        table.sharing.join(code, "somebody", "Eka", None)
