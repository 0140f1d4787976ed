"""Every route of the API and every answer it can give."""

import io
import json

import pytest

from app import ends_by_itself
from scorekeeper.core.tally import tally_document
from tests.shared_cases import load_cases
from tests.web.asking import API, BLOCK, BLOCKED, DOMINO, TOKEN, Api

RENAME = {"type": "player_renamed", "seat": 0, "name": "Agus"}
PLAYED = {**BLOCK, "rounds": [DOMINO, BLOCKED]}
APPEND = {"events": [RENAME], "expected": 2, "key": "k"}


def error_of(answer):
    """Status, code and place of an error; the form is the same for all."""
    assert answer.mimetype == "application/json"
    error = answer.json["error"]
    assert set(error) == {"code", "message", "at"} and error["message"]
    return answer.status_code, error["code"], error["at"]


# A match from its beginning to its end ------------------------------------------------------------------


def test_a_match_is_created_read_and_played_on(api):
    made = api.post("/matches", {"document": {**BLOCK, "rounds": [DOMINO]}, "stakes": {"amount": 5, "unit": "Rp"}})
    assert made.status_code == 201
    assert "token" not in made.json  # we sent our own
    assert made.json["version"] == 2 and made.json["replayed"] is False
    assert made.json["tally"] == tally_document({**BLOCK, "rounds": [DOMINO]})
    address = f"/matches/{made.json['id']}"
    assert made.headers["Location"] == API + address

    written = api.append(made.json["id"], {"type": "round_entered", "round": BLOCKED}, expected=2, key="second")
    assert written.status_code == 201
    assert written.json == {"version": 3, "replayed": False, "tally": tally_document(PLAYED)}
    assert api.get(address).json == {
        "id": made.json["id"], "version": 3, "status": "playing", "rounds": [2, 3],
        "stakes": {"amount": 5, "unit": "Rp"}, "document": {**PLAYED, "rules": {}},
    }  # fmt: skip
    assert api.get(f"{address}/tally").json == {"version": 3, "tally": tally_document(PLAYED)}

    api.append(made.json["id"], {"type": "finished"}, expected=3, key="end")
    assert api.get(address).json["status"] == "finished"


@pytest.mark.parametrize("variant", ["block", "gaple", "pontas", "domeng"])
def test_a_document_of_each_variant_comes_back_with_the_same_tally(api, variant):
    for case in load_cases(variant):
        made = api.post("/matches", {"document": case["document"]})
        assert made.status_code == 201, (case["name"], made.text)
        assert made.json["tally"] == tally_document(case["document"])
        back = api.get(f"/matches/{made.json['id']}").json["document"]
        assert tally_document(back) == made.json["tally"]
        assert api.post("/tally", case["document"]).json == made.json["tally"]


def test_the_history_says_what_changed_from_what_to_what(api, match_id):
    corrected = {**DOMINO, "hands": [[], 4, 10, 11]}
    api.append(match_id, {"type": "round_corrected", "id": 2, "round": corrected}, expected=2, key="1")
    api.append(match_id, {"type": "undone"}, expected=3, key="2")
    history = api.get(f"/matches/{match_id}/history").json
    assert history["version"] == 4
    kinds = [(line["event"]["type"], line["event"]["version"], line["undone"]) for line in history["changes"]]
    assert kinds == [("created", 1, False), ("round_entered", 2, False), ("round_corrected", 3, True),
                     ("undone", 4, False)]  # fmt: skip
    assert history["changes"][1]["before"] is None and history["changes"][1]["after"] == DOMINO
    assert history["changes"][3]["target"] == 3
    assert api.get(f"/matches/{match_id}/history?since=2").json["changes"] == history["changes"][2:]
    assert api.get(f"/matches/{match_id}/history?since=4").json["changes"] == []
    assert api.get(f"/matches/{match_id}/history?since=999999999").json["changes"] == []


def test_my_matches_come_in_pages_the_latest_first(api, stranger):
    ids = [api.create() for _ in range(5)]
    stranger.create()
    api.append(ids[0], RENAME, expected=1, key="k")
    found, page, pages = [], "/matches?limit=2", 0
    while page:
        answer = api.get(page.removeprefix(API))
        found += answer.json["matches"]
        page, pages = answer.json["next"], pages + 1
    assert [match["id"] for match in found] == [ids[0], *reversed(ids[1:])]
    assert pages == 3
    first = found[0]
    assert first["players"] == ["Agus", "Budi", "Citra", "Dewi"] and first["version"] == 2
    assert (first["variant"], first["status"], first["totals"]) == ("block", "playing", [0, 0, 0, 0])


def test_a_get_is_not_sent_again_to_who_has_it(api, match_id):
    for path in ("", "/tally", "/history"):
        first = api.get(f"/matches/{match_id}{path}")
        again = api.get(f"/matches/{match_id}{path}", **{"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
        compressed = api.get(
            f"/matches/{match_id}{path}", **{"If-None-Match": first.headers["ETag"], "Accept-Encoding": "br"}
        )
        assert compressed.status_code == 304
    seen = api.get(f"/matches/{match_id}/tally").headers["ETag"]
    api.append(match_id, {"type": "round_voided", "id": 2}, expected=2, key="k")
    assert api.get(f"/matches/{match_id}/tally", **{"If-None-Match": seen}).status_code == 200


# Keys and versions --------------------------------------------------------------------------------------


def test_the_same_key_gives_the_first_answer_again(api, match_id):
    first = api.append(match_id, RENAME, expected=2, key="k")
    api.append(match_id, {"type": "round_entered", "round": BLOCKED}, expected=3, key="later")
    again = api.append(match_id, RENAME, expected=2, key="k")
    assert again.status_code == 201
    assert again.json == {**first.json, "replayed": True}
    assert api.get(f"/matches/{match_id}").json["version"] == 4


def test_a_key_for_something_else_is_refused(api, match_id):
    api.append(match_id, RENAME, expected=2, key="k")
    other = api.append(match_id, {**RENAME, "name": "Ani"}, expected=3, key="k")
    assert error_of(other) == (422, "key_reused", "key")


def test_a_match_is_created_once_for_a_key(api, stranger):
    asked = {"document": PLAYED, "key": "evening"}
    first = api.post("/matches", asked)
    api.append(first.json["id"], {"type": "round_voided", "id": 2}, expected=3, key="k")
    again = api.post("/matches", asked)
    assert again.status_code == 201
    assert again.json == {**first.json, "replayed": True}
    assert error_of(api.post("/matches", {"document": BLOCK, "key": "evening"})) == (422, "key_reused", "key")
    assert stranger.post("/matches", asked).json["id"] != first.json["id"]  # keys are one's own
    assert len(api.get("/matches").json["matches"]) == 1


def test_who_is_late_is_told_what_happened_and_where_the_match_is(api, match_id):
    api.append(match_id, RENAME, expected=2, key="fast")
    late = api.append(match_id, {**RENAME, "name": "Ali"}, expected=2, key="slow")
    assert error_of(late) == (409, "conflict", "expected")
    assert late.json["version"] == 3
    assert [(event["version"], event["name"]) for event in late.json["since"]] == [(3, "Agus")]
    ahead = api.append(match_id, RENAME, expected=10**30, key="ahead")
    assert error_of(ahead)[:2] == (409, "conflict") and ahead.json["since"] == []


# Who asks -----------------------------------------------------------------------------------------------


def test_without_a_token_one_is_made_and_opens_that_match(client, match_id):
    made = Api(client, None).post("/matches", {"document": BLOCK})
    owner = Api(client, made.json["token"])
    assert owner.get(f"/matches/{made.json['id']}").status_code == 200
    assert owner.get(f"/matches/{match_id}").status_code == 404
    assert "Set-Cookie" not in made.headers


OWNED = ["/matches/{id}", "/matches/{id}/tally", "/matches/{id}/history", "/matches/{id}/events"]


@pytest.mark.parametrize("path", OWNED)
def test_a_strangers_match_is_answered_like_one_that_does_not_exist(api, stranger, match_id, path):
    def ask(id_):
        address = path.format(id=id_)
        return stranger.post(address, APPEND) if "events" in path else stranger.get(address)

    theirs, missing = ask(match_id), ask("2" * 15)
    assert error_of(theirs) == (404, "not_found", "")
    assert theirs.data == missing.data
    assert [error_of(ask(odd)) for odd in ("é", "%00", "a" * 5000, "..")] == [(404, "not_found", "")] * 4
    assert len(api.get(f"/matches/{match_id}/history").json["changes"]) == 2


@pytest.mark.parametrize("path", [*OWNED, "/matches"])
@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer short", f"Basic {TOKEN}", f"Bearer {'é' * 30}",
                                    f"Bearer {TOKEN} {TOKEN}", f"Bearer {'a' * 201}"])  # fmt: skip
def test_nobody_gets_in_without_a_token(client, match_id, path, header):
    headers = {} if header is None else {"Authorization": header.encode("utf-8").decode("latin-1")}
    address = API + path.format(id=match_id)
    answer = client.post(address, json=APPEND, headers=headers) if "events" in path else client.get(
        address, headers=headers)  # fmt: skip
    assert error_of(answer) == (401, "unauthorized", "")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_bad_token_creates_nothing(client):
    answer = client.post(f"{API}/matches", json={"document": BLOCK}, headers={"Authorization": "Bearer x"})
    assert error_of(answer) == (401, "unauthorized", "")


SAME = {"Sec-Fetch-Site": "same-origin"}
BY_ORIGIN = {"Origin": "http://localhost"}


@pytest.mark.parametrize("ours", [SAME, BY_ORIGIN])
def test_a_script_of_our_own_pages_may_use_the_cookie(client, ours):
    made = client.post(f"{API}/matches", json={"document": BLOCK}, headers=ours)
    assert made.status_code == 201 and "token" not in made.json
    assert "HttpOnly" in made.headers["Set-Cookie"]
    address = f"{API}/matches/{made.json['id']}"
    assert client.get(address, headers=ours).status_code == 200
    assert client.get(f"/m/{made.json['id']}").status_code == 200  # the page is the same browser's
    renamed = {"events": [RENAME], "expected": 1, "key": "k"}
    assert client.post(f"{address}/events", json=renamed, headers=ours).status_code == 201


@pytest.mark.parametrize(
    "theirs",
    [{}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"},
     {"Origin": "http://elsewhere.example"}, {"Origin": "null"}, {**BY_ORIGIN, "Sec-Fetch-Site": "cross-site"}],
)  # fmt: skip
def test_a_cookie_that_another_site_sends_along_counts_nothing(client, theirs):
    made = client.post(f"{API}/matches", json={"document": BLOCK}, headers=SAME)
    address = f"{API}/matches/{made.json['id']}"
    assert client.get(address, headers=theirs).status_code == 401
    renamed = {"events": [RENAME], "expected": 1, "key": "k"}
    assert client.post(f"{address}/events", json=renamed, headers=theirs).status_code == 401


# What is refused ----------------------------------------------------------------------------------------


def asked(**changes):
    return {**APPEND, **changes}


REFUSED = [
    # the request
    (asked(more=1), "unknown_field", "more"),
    ({"expected": 2, "key": "k"}, "field_missing", "events"),
    ({"events": [RENAME], "key": "k"}, "field_missing", "expected"),
    ({"events": [RENAME], "expected": 2}, "field_missing", "key"),
    ([], "wrong_type", ""),
    (None, "wrong_type", ""),
    ("text", "wrong_type", ""),
    (asked(events=[]), "wrong_type", "events"),
    (asked(events={"0": RENAME}), "wrong_type", "events"),
    (asked(expected=True), "wrong_type", "expected"),
    (asked(expected=2.0), "wrong_type", "expected"),
    (asked(expected="2"), "wrong_type", "expected"),
    (asked(expected=-1), "wrong_type", "expected"),
    (asked(expected=None), "wrong_type", "expected"),
    (asked(key=""), "bad_key", "key"),
    (asked(key="k" * 65), "bad_key", "key"),
    (asked(key="ké"), "bad_key", "key"),
    (asked(key="k\n"), "bad_key", "key"),
    (asked(key=7), "bad_key", "key"),
    # its events
    (asked(events=["undone"]), "wrong_type", "events[0]"),
    (asked(events=[RENAME, {"type": "won"}]), "unknown_event", "events[1].type"),
    (asked(events=[{**RENAME, "version": 3}]), "unknown_field", "events[0]"),
    (asked(events=[{"type": "player_renamed", "seat": 0}]), "field_missing", "events[0].name"),
    (asked(events=[{**RENAME, "seat": 4}]), "not_a_seat", "events[0].seat"),
    (asked(events=[{**RENAME, "seat": 10**4000}]), "not_a_seat", "events[0].seat"),
    (asked(events=[{**RENAME, "name": "\ud800"}]), "name_characters", "events[0].name"),
    (asked(events=[{**RENAME, "name": "\x00"}]), "name_characters", "events[0].name"),
    (asked(events=[{"type": "undone"}] * 3), "nothing_to_undo", "events[1]"),
    (asked(events=[{"type": "created", "document": BLOCK}]), "already_created", "events[0].type"),
    (asked(events=[{"type": "round_corrected", "id": 9, "round": DOMINO}]), "no_round", "events[0].id"),
    (
        asked(events=[{"type": "round_entered", "round": {**DOMINO, "hands": [[], ["2-2"], ["2-2"], 0]}}]),
        "tile_twice",
        "events[0].round.hands[2]",
    ),
    (asked(events=[{"type": "finished"}, {"type": "round_entered", "round": DOMINO}]), "match_over", "events[1]"),
]


@pytest.mark.parametrize(("body", "code", "at"), REFUSED)
def test_what_is_against_the_rules_is_refused_with_a_code_and_a_place(api, match_id, body, code, at):
    answer = api.send(f"/matches/{match_id}/events", json.dumps(body).encode())
    assert error_of(answer) == (422, code, at)
    assert api.get(f"/matches/{match_id}").json["version"] == 2


CREATE_REFUSED = [
    ({}, "field_missing", "document"),
    ({"document": None}, "wrong_type", "document"),
    ({"document": {}}, "unknown_format", "document.format"),
    ({"document": {**BLOCK, "variant": "chess"}}, "unknown_variant", "document.variant"),
    ({"document": {**BLOCK, "players": ["Ani"]}}, "player_count", "document.players"),
    ({"document": {**BLOCK, "rounds": [{**DOMINO, "by": 4}]}}, "not_a_seat", "document.rounds[0].by"),
    ({"document": BLOCK, "stakes": {"amount": 0}}, "bad_stakes", "stakes.amount"),
    ({"document": BLOCK, "stakes": {"amount": 1, "unit": "\ud800"}}, "bad_stakes", "stakes.unit"),
    ({"document": BLOCK, "owner": "me"}, "unknown_field", "owner"),
    ({"document": BLOCK, "\ud800": 1}, "unknown_field", "\ud800"),
    ({"document": BLOCK, "key": None}, "bad_key", "key"),
]


@pytest.mark.parametrize(("body", "code", "at"), CREATE_REFUSED)
def test_what_is_no_match_is_not_created(api, body, code, at):
    assert error_of(api.send("/matches", json.dumps(body).encode())) == (422, code, at)
    assert api.get("/matches").json["matches"] == []


POSTS = ["/tally", "/matches", "/matches/{id}/events"]
DEEP = 17
NOT_JSON = [
    (b"", "not_json", "line 1 column 1"),
    (b'{"events": [}', "not_json", "line 1 column 13"),
    (b'{"events":\n [1,]}', "not_json", "line 2 column 5"),
    (b"\xff", "not_utf8", "byte 1"),
    (b'\xef\xbb\xbf{"format": 1}', "not_json", "line 1 column 1"),
    (b'{"a": [0, NaN]}', "not_json", "a[1]"),
    (b'[{"a": -Infinity}]', "not_json", "[0].a"),
    (b'{"a": 1e999}', "not_json", "a"),
    (b'{"a": ' + b"9" * 5000 + b"}", "not_json", "a"),
    (b'{"a": {"b": 1, "c": 2, "b": 1}}', "key_twice", "a.b"),
    (b'{"a": 1, "\\u0061": 2}', "key_twice", "a"),
    (b"[" * DEEP + b"]" * DEEP, "too_deep", "[0]" * (DEEP - 1)),
    (b'{"a":' * DEEP + b"1" + b"}" * DEEP, "too_deep", ".".join("a" * (DEEP - 1))),
    (b"[" * 200_000, "too_deep", ""),
]


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(("data", "code", "at"), NOT_JSON)
def test_a_body_that_is_not_strict_json_is_refused_with_its_place(api, match_id, path, data, code, at):
    assert error_of(api.send(path.format(id=match_id), data)) == (400, code, at)


@pytest.mark.parametrize("path", POSTS)
def test_a_body_must_be_json_and_of_a_size(api, match_id, path):
    address = path.format(id=match_id)
    for content_type in ("text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"):
        answer = api.send(address, b"{}", content_type)
        assert error_of(answer) == (415, "unsupported_media_type", "")
    assert api.send(address, b"[]", "application/json; charset=utf-8").status_code == 422
    large = api.send(address, b'"' + b"x" * 600_000 + b'"')
    assert error_of(large) == (413, "request_entity_too_large", "")


def test_a_body_of_unannounced_length_is_read_up_to_the_limit(build):
    client = ends_by_itself_client(build())

    def post(data):
        unannounced = {"wsgi.input": io.BytesIO(data), "HTTP_TRANSFER_ENCODING": "chunked"}
        return client.post(f"{API}/tally", content_type="application/json", environ_overrides=unannounced)

    assert post(json.dumps(PLAYED).encode()).json == tally_document(PLAYED)
    assert error_of(post(b" " * 600_000)) == (413, "request_entity_too_large", "")


def ends_by_itself_client(app):
    """A browser of the app as `python app.py` serves it."""
    app.wsgi_app = ends_by_itself(app.wsgi_app)
    return app.test_client()


@pytest.mark.parametrize("text", ["-1", "x", "", "1.0", "+1", " 1", "٣", "9" * 10, "9" * 5000, "1&since=2"])
def test_a_number_in_the_address_is_a_number(api, match_id, text):
    assert error_of(api.get(f"/matches/{match_id}/history?since={text}")) == (422, "wrong_type", "since")


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "from=-1"])
def test_a_page_has_its_bounds(api, query):
    assert error_of(api.get(f"/matches?{query}")) == (422, "wrong_type", query.split("=")[0])


def test_nothing_unknown_is_asked_of_a_list(api):
    assert error_of(api.get("/matches?page=2")) == (422, "unknown_field", "page")


def test_unknown_addresses_and_methods_are_answered_in_json(api, client, match_id):
    assert error_of(api.get("/nothing")) == (404, "not_found", "")
    wrong = client.delete(f"{API}/matches/{match_id}")
    assert error_of(wrong) == (405, "method_not_allowed", "")
    assert {"GET", "HEAD", "OPTIONS"} == {each.strip() for each in wrong.headers["Allow"].split(",")}


def test_too_many_writes_are_answered_with_how_long_to_wait(build):
    api = Api(build(WRITES="2 per minute").test_client())
    assert [api.post("/tally", BLOCK).status_code for _ in range(3)] == [200, 200, 429]
    slow = api.post("/tally", BLOCK)
    assert error_of(slow) == (429, "too_many_requests", "")
    assert 1 <= int(slow.headers["Retry-After"]) <= 61
    assert all(api.get("/matches").status_code == 200 for _ in range(5))


def test_our_own_mistake_is_an_answer_too(app, api, match_id, monkeypatch):
    def broken(*_):
        raise RuntimeError("Ani's match")

    monkeypatch.setattr(app.extensions["log"], "read", broken)
    answer = api.get(f"/matches/{match_id}")
    assert error_of(answer) == (500, "internal", "")
    assert "Ani" not in answer.text


def test_a_tally_is_the_command_lines_word_for_word(api):
    assert api.post("/tally", PLAYED).json == tally_document(PLAYED)
    wrong = {**PLAYED, "rounds": [DOMINO, {**BLOCKED, "hands": [["3-3"], ["2-2"], ["2-2"], 3]}]}
    assert error_of(api.post("/tally", wrong)) == (422, "tile_twice", "rounds[1].hands[2]")
