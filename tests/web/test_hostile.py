"""Whatever is typed into whatever form: an answer that says so, never a breakdown, and nothing half written."""

from itertools import cycle
from urllib.parse import quote

import pytest

from tests.web.asking import API
from tests.web.forms import forms_of

OURS = {"Sec-Fetch-Site": "same-origin"}
ALWAYS = ["", "²", "٣", "-1", "99999", "9" * 5000, "::²"]  # what is a digit here is none there
BY_TURNS = [
    " ",
    "0",
    "-",
    "1.5",
    "1e9",
    "NaN",
    "１",
    "\u202egnp.exe",
    "👩\u200d👩\u200d👧",
    "<img src=x onerror=alert(1)>\"'&",
    "=1+1",
    "%(code)s {0} {{ 7 * 7 }}",
    "a\x00b",
    "x" * 10_000,
    "2-5 " * 300,
    "domino:99",
    "domino:²",
    "play:²:5",
    "play:0:٣",
    "after:²:0",
]
MOST_BYTES = 500_000  # of a page that answers it
BROKEN = b"%ED%A0%80%ff"  # half a surrogate pair and a byte that no text has

FIVE = ["Ani", "Budi", "Citra", "Dewi", "Eka"]
FOUR = FIVE[:4]
PLAYED = {
    "block": [{"ended": "domino", "by": 0, "hands": [[], ["2-2"], 10, ["4-5"]]}],
    "gaple": [{"ended": "blocked", "hands": [4, 9, 4, 20], "discards": [[], [], [], []]}],
    "pontas": [{"ended": "domino", "by": 1, "plays": [[0, 15], [1, 5]]}, {"plays": [[2, 10]]}],
    "domeng": [{"ended": "cappu", "by": 1, "passes": [{"seat": 2}]}, {"passes": [{"seat": 3, "bunge": True}]}],
}


def document(variant):
    players = FIVE if variant == "domeng" else FOUR
    return {"format": "scorekeeper/1", "variant": variant, "players": players, "rounds": PLAYED[variant]}


def match_of(client, variant):
    """The address of a match with rounds, the browser's own."""
    answer = client.post(f"{API}/matches", json={"document": document(variant)}, headers=OURS)
    assert answer.status_code == 201, answer.text
    return f"/m/{answer.json['id']}"


def pages_of(match):
    return [match, f"{match}/round", f"{match}/round/2", f"{match}/more", f"{match}/history"]


def encoded(fields):
    """A body with one field sent as bytes that are no text, if its value is BROKEN."""
    parts = (f"{quote(name)}=".encode() + (BROKEN if text is BROKEN else quote(text).encode()) for name, text in fields)
    return b"&".join(parts)


@pytest.mark.parametrize("variant", PLAYED)
def test_every_field_of_every_form_takes_anything(client, variant):
    match = match_of(client, variant)
    tried, turns = 0, cycle(BY_TURNS)
    for page in [f"/new/{variant}", "/import", "/", *pages_of(match)]:
        for form in forms_of(client.get(page).text, page):
            for name in dict.fromkeys([*form.fields, *(name for name, _ in form.buttons)]):
                if name == "csrf_token":
                    continue
                for text in [*ALWAYS, next(turns), BROKEN]:
                    fields = {**dict(form.buttons[:1]), **form.fields, name: text}
                    answer = client.post(
                        form.action, data=encoded(fields.items()), content_type="application/x-www-form-urlencoded"
                    )
                    tried += 1
                    assert answer.status_code < 500, (form.action, name, text[:20], answer.status_code)
                    assert len(answer.data) < MOST_BYTES, (form.action, name, text[:20], len(answer.data))
                assert client.get(match).status_code == 200, (form.action, name)
    assert tried > 300


def settings(match, client, **changes):
    """Sends the settings form as it stands on the page, changed."""
    form = next(form for form in forms_of(client.get(f"{match}/more").text, f"{match}/more") if form.id == "settings")
    return form, {**form.fields, **changes}


def test_a_form_gone_back_to_changed_and_sent_again_is_something_new(client):
    """The back button leads to the form with its old key."""
    form = forms_of(client.get("/new/block").text, "/new/block")[0]
    typed = {**form.fields, "start": "1", **{f"name-{seat}": name for seat, name in enumerate(FOUR)}}
    first = client.post(form.action, data=typed)
    assert client.post(form.action, data=typed).location == first.location
    other = client.post(form.action, data={**typed, "name-0": "Ana"})
    assert other.status_code == 303 and other.location != first.location
    assert "Ana" in client.get(other.location).text

    text = client.get(f"{first.location}/match.json").text
    form = forms_of(client.get("/import").text, "/import")[0]
    made = client.post(form.action, data={**form.fields, "document": text})
    again = client.post(form.action, data={**form.fields, "document": text.replace("Budi", "Bud")})
    assert again.status_code == 303 and again.location != made.location

    match = first.location
    rematch = next(form for form in forms_of(client.get(f"{match}/more").text, match) if "rematch" in form.action)
    one = client.post(rematch.action, data=rematch.fields)
    assert client.post(rematch.action, data=rematch.fields).location == one.location
    form, typed = settings(match, client, **{"name-0": "Ani B"})
    assert client.post(form.action, data=typed).status_code == 303
    assert client.post(rematch.action, data=rematch.fields).location != one.location

    answer = client.post(form.action, data={**typed, "name-0": "Ani C"})
    assert answer.status_code < 500 and 'value="Ani C"' in answer.text, "what was typed stays, what changed is said"
