"""What holds for every page, now and later: the pages are found in the app's own map of addresses."""

import json
import re
from html.parser import HTMLParser

import pytest

from scorekeeper.web.errors import JSON
from tests.web.asking import API, BLOCK, DOMINO

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "style-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def mine(client):
    """The id of a match of this browser, with one round, its version 2."""
    document = {**BLOCK, "rounds": [DOMINO]}
    return client.post(f"{API}/matches", json={"document": document}, headers=OURS).json["id"]


def addresses(app, method, match_id):
    """Every address of the app for people (not for programs) that takes `method`, filled in."""
    fill = {"match_id": match_id, "id_": "2", "key": "block", "number_": "1", "code": "nothing-here"}
    found = []
    for rule in app.url_map.iter_rules():
        if method in rule.methods and not rule.rule.startswith(JSON):
            unknown = rule.arguments - fill.keys()
            assert not unknown, f"{rule.rule}: say here what {unknown} may be"
            found.append(re.sub(r"<(?:\w+:)?(\w+)>", lambda part: fill[part[1]], rule.rule))
    return sorted(found)


def token_of(client):
    """A CSRF token of this browser, from a form on a page."""
    found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', client.get("/new/block").text)
    assert found
    return found[1]


class Reader(HTMLParser):
    """Notes whatever in a page would run or style it from within, and where it leads."""

    def __init__(self):
        super().__init__()
        self.inline, self.in_script = [], False

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.in_script = tag == "script"
        data = given.get("type") in ("application/json", "importmap") and tag == "script"
        if tag == "style" or (tag == "script" and not given.get("src") and not data):
            self.inline.append(f"<{tag}>")
        for name, value in attributes:
            runs = (value or "").strip().lower().startswith(("javascript:", "vbscript:"))
            if name == "style" or name.startswith("on") or runs:
                self.inline.append(f"{tag} {name}={value}")


# Forms --------------------------------------------------------------------------------------------------


def test_every_form_needs_its_token(app, client, mine):
    posts = addresses(app, "POST", mine)
    assert len(posts) > 8
    before = client.get(f"{API}/matches/{mine}", headers=OURS).json
    for address in posts:
        for sent in ({}, {"csrf_token": ""}, {"csrf_token": "made-up"}):
            answer = client.post(address, data={"version": "2", **sent})
            assert answer.status_code == 400, (address, answer.status_code)
            assert "<html" in answer.text
    assert client.get(f"{API}/matches/{mine}", headers=OURS).json == before


def test_the_refusal_brings_a_token_that_will_do(client, mine):
    """For a page that is older than its token, or was made on the phone without one."""
    refused = client.post(f"/m/{mine}/undo", data={"version": "2", "csrf_token": ""})
    token = refused.headers["X-CSRF-Token"]
    assert "Access-Control-Allow-Origin" not in refused.headers
    done = client.post(f"/m/{mine}/undo", data={"version": "2", "csrf_token": token})
    assert (refused.status_code, done.status_code) == (400, 303)


def test_another_browsers_token_does_not_do(app, client, mine):
    theirs = token_of(app.test_client())
    answer = client.post(f"/m/{mine}/undo", data={"version": "2", "csrf_token": theirs})
    assert answer.status_code == 400
    ours = client.post(f"/m/{mine}/undo", data={"version": "2", "csrf_token": token_of(client)})
    assert ours.status_code == 303


# Matches ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_match_does_not_exist_for_strangers(app, client, mine, method):
    stranger = app.test_client()
    data = {"csrf_token": token_of(stranger), "version": "2", "key": "k"} if method == "POST" else None
    found = [address for address in addresses(app, method, mine) if address.startswith(f"/m/{mine}")]
    assert len(found) > 5
    for address in found:
        theirs = stranger.open(address, method=method, data=data)
        assert theirs.status_code == 404, address
        missing = stranger.open(address.replace(mine, "2" * 15), method=method, data=data)
        assert theirs.data == missing.data
        assert not any(name in theirs.text for name in BLOCK["players"])
    assert client.get(f"{API}/matches/{mine}", headers=OURS).json["version"] == 2


# Headers ------------------------------------------------------------------------------------------------


def test_every_answer_has_its_headers_and_no_page_has_anything_inline(app, client, mine):
    pages = addresses(app, "GET", mine)
    assert len(pages) > 10
    for address in [*pages, "/nothing-here", f"{API}/openapi.json", f"{API}/nothing-here"]:
        answer = client.get(address)
        assert answer.status_code < 500 and (answer.status_code != 404 or "nothing" in address), address
        assert answer.headers["Content-Security-Policy"] == POLICY
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        if answer.mimetype in ("text/html", "image/svg+xml"):
            reader = Reader()
            reader.feed(answer.text)
            assert reader.inline == [], address


def test_the_reader_finds_what_is_inline():
    reader = Reader()
    reader.feed(
        "<style>p{}</style><script>1</script><p style='a'><p onclick='b'><a href=' JavaScript:c'>"
        "<script src='/ours.js'></script><script type='application/json'>{}</script><a href='/on'>"
    )
    assert len(reader.inline) == 5


def test_what_belongs_to_one_browser_is_not_stored_on_the_way(app, client, mine):
    for address in ["/", f"/m/{mine}", f"{API}/matches/{mine}"]:
        assert client.get(address, headers=OURS).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("https", [False, True])
def test_the_cookie_is_kept_from_scripts_and_other_sites(build, https):
    client = build(HTTPS=https).test_client()
    answer = client.get("/new/block", base_url="https://localhost" if https else "http://localhost")
    cookies = answer.headers.getlist("Set-Cookie")
    assert cookies
    for cookie in cookies:
        flags = {part.strip().lower() for part in cookie.split(";")[1:]}
        assert {"httponly", "samesite=lax"} <= flags
        assert ("secure" in flags) == https
        assert not any(flag.startswith("domain=") for flag in flags)


def test_a_choice_leads_nowhere_else(client):
    token = token_of(client)
    for back in ("http://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "/\t/elsewhere.example",
                 "\\\\elsewhere.example", "javascript:alert(1)", "/%0d%0aSet-Cookie:x=1"):  # fmt: skip
        answer = client.post("/choices", data={"theme": "dark", "back": back, "csrf_token": token})
        assert answer.status_code == 303
        assert re.match(r"/(?![/\\\t])", answer.headers["Location"]), back
        assert "\n" not in answer.headers["Location"]


# Limits -------------------------------------------------------------------------------------------------


def test_a_form_has_a_size(client, mine):
    data = {"csrf_token": token_of(client), "version": "2", "names": "x" * 600_000}
    for address in ("/new/block", f"/m/{mine}/round", "/import"):
        assert client.post(address, data=data).status_code == 413


def test_writes_are_limited_and_reading_is_not(build):
    client = build(WRITES="2 per minute").test_client()
    token = token_of(client)
    answers = [client.post("/choices", data={"theme": "dark", "csrf_token": token}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [303, 303, 429]
    assert int(answers[2].headers["Retry-After"]) > 0
    assert "<html" in answers[2].text
    assert {client.get("/").status_code for _ in range(10)} == {200}


# Logs and health ----------------------------------------------------------------------------------------


def test_logs_tell_what_was_asked_but_never_who_plays(build, capsys, monkeypatch):
    app = build()
    client = app.test_client()
    document = {**BLOCK, "players": ["Zahrani", "Zubaidah", "Zakaria", "Zulkifli"], "rounds": [DOMINO]}
    made = client.post(f"{API}/matches", json={"document": document}).json
    headers = {"Authorization": f"Bearer {made['token']}"}
    address = f"{API}/matches/{made['id']}"
    event = {"type": "player_renamed", "seat": 0, "name": "Zainab"}
    for _ in range(2):
        for asked in ({"events": [event], "expected": 2, "key": "z-key"}, {"events": [event]}):
            client.post(f"{address}/events", json=asked, headers=headers)
    client.get(f"{address}?name=Zainab", headers=headers)
    client.get(f"/m/{made['id']}?name=Zainab")
    client.get("/Zainab")
    client.post("/new/block", data={"csrf_token": token_of(client), "seat0": "Zainab"})

    def broken(*_):
        try:
            raise KeyError("Zakaria")
        except KeyError as error:
            raise RuntimeError(f"no seat for Zahrani in {made['id']}") from error

    monkeypatch.setattr(app.extensions["log"], "read", broken)
    assert client.get(address, headers=headers).status_code == 500

    said = capsys.readouterr()
    lines = [json.loads(line) for line in (said.out + said.err).splitlines()]
    assert [line["event"] for line in lines].count("request") == 11
    assert {line["route"] for line in lines if "route" in line} >= {"/api/v1/matches/<match_id>/events", "-"}
    (trace,) = [line["trace"] for line in lines if line["event"] == "unforeseen"]
    assert [part["kind"] for part in trace] == ["KeyError", "RuntimeError"]
    assert any("broken" in place for place in trace[0]["at"])
    told = (said.out + said.err).lower()
    for secret in (*document["players"], "Zainab", made["id"], made["token"], "z-key"):
        assert secret.lower() not in told


def test_healthz_answers_while_the_database_does(app, client, monkeypatch):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.text) == (200, "ok\n")

    def broken(*_):
        raise OSError

    monkeypatch.setattr(app.extensions["log"], "matches_of", broken)
    assert client.get("/healthz").status_code == 500
