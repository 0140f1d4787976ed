"""Two phones enter at once: the second sees what the first one wrote, loses nothing, and chooses; in every kit."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from scorekeeper.core.tally import tally_document
from tests.web.asking import API
from tests.web.forms import Form, forms_of
from tests.web.phones import OURS, Table

FOUR, FIVE = ["Ani", "Budi", "Citra", "Dewi"], ["Ani", "Budi", "Citra", "Dewi", "Eka"]


@pytest.fixture
def begin(build: Any) -> Any:
    """Makes a shared match with these rounds."""
    app = build(WTF_CSRF_ENABLED=False)

    def make(variant: str, *rounds: Any) -> Table:
        players = FIVE if variant == "domeng" else FOUR
        document = {"format": "scorekeeper/1", "variant": variant, "players": players, "rounds": list(rounds)}
        owner = app.test_client()
        made = owner.post(f"{API}/matches", json={"document": document}, headers=OURS)
        table = Table(app, owner, made.json["id"])
        owner.post(table.path("/share"))
        return table

    return make


def rounds_of(table: Table) -> list[Any]:
    document = json.loads(table.owner.get(table.path("/match.json")).text)
    tally_document(document)
    return list(document["rounds"])


def send(table: Table, client: Any, version: int, key: str, **fields: str) -> Any:
    typed = {name.replace("_", "-"): text for name, text in fields.items()}
    return client.post(table.path("/round"), data={"version": str(version), "key": key, **typed})


def asks(form: Form, html: str) -> bool:
    """Whether it is the form of the choice, where the page has others."""
    key = form.fields.get("key", "")
    sends = "version" in form.fields and form.fields.get("op", "x") != ""
    return sends and ("meanwhile" not in html or key.endswith("-c") or form.id == "entry")


def choice(answer: Any, table: Table, words: str) -> tuple[str, Form, tuple[str, str]]:
    """The way that a button of the conflict page leads: its address, its form, its own name and value."""
    assert answer.status_code == 409
    html = answer.text
    found = re.search(rf"<button([^>]*)>{re.escape(words)}</button>", html)
    assert found, re.findall(r"<button[^>]*>([^<]+)</button>", html)
    of = re.search(r'formaction="([^"]+)"', found[1])
    own = re.search(r'name="([^"]+)" value="([^"]*)"', found[1])
    form = next(each for each in forms_of(html, table.path("/round")) if asks(each, html))
    return (of[1] if of else form.action), form, (own[1], own[2]) if own else ("", "")


def choose(answer: Any, table: Table, client: Any, words: str) -> Any:
    address, form, (name, value) = choice(answer, table, words)
    return client.post(address, data=form.fields | ({name: value} if name else {}))


HANDS = {"ending": "domino:1", "hands_0": "1", "hands_2": "2", "hands_3": "3"}
OTHER = {"ending": "domino:1", "hands_0": "4", "hands_2": "5", "hands_3": "6"}


@pytest.mark.parametrize(
    ("words", "sums"), [("Same round: mine is right", [15]), ("It is the next round", [6, 15]), ("", [6])]
)
def test_a_round_at_its_end(begin: Any, words: str, sums: list[int]) -> None:
    table = begin("block")
    eka = table.join("scorer", "Eka")
    assert send(table, table.owner, 1, "a", **HANDS).status_code == 303
    answer = send(table, eka, 1, "b", **OTHER)
    assert "Phone 1</span>: Entered round 1" in answer.text and 'value="6"' in answer.text
    assert "Same round: drop mine" in answer.text
    if words:
        assert choose(answer, table, eka, words).status_code == 303
    points = [sum(hand if isinstance(hand, int) else 0 for hand in round_["hands"]) for round_ in rounds_of(table)]
    assert points == sums


def test_the_same_round_typed_twice_is_told(begin: Any) -> None:
    table = begin("block")
    eka = table.join("scorer", "Eka")
    send(table, table.owner, 1, "a", **HANDS)
    assert "You typed the same." in send(table, eka, 1, "b", **HANDS).text
    assert "You typed the same." not in send(table, eka, 1, "c", **OTHER).text


PLAYS = [
    ("The same: mine is right", [[1, 25]]),
    ("Count it too", [[0, 10], [1, 25]]),
    ("", [[0, 10]]),
]


@pytest.mark.parametrize(("words", "plays"), PLAYS)
def test_a_scoring_play(begin: Any, words: str, plays: list[Any]) -> None:
    table = begin("pontas")
    eka = table.join("scorer", "Eka")
    assert send(table, table.owner, 1, "a", op="play:0:10").status_code == 303
    answer = send(table, eka, 1, "b", op="play:1:25")
    assert "Phone 1</span>: Entered round 1" in answer.text and "Not counted yet:" in answer.text
    if words:
        assert choose(answer, table, eka, words).status_code == 303
    assert rounds_of(table) == [{"plays": plays}]


@pytest.mark.parametrize(("words", "plays"), PLAYS)
def test_a_scoring_play_within_a_round(begin: Any, words: str, plays: list[Any]) -> None:
    table = begin("pontas")
    eka = table.join("scorer", "Eka")
    send(table, table.owner, 1, "x", op="play:0:5")
    send(table, table.owner, 2, "a", op="play:0:10")
    answer = send(table, eka, 2, "b", op="play:1:25")
    if words:
        assert choose(answer, table, eka, words).status_code == 303
    assert rounds_of(table) == [{"plays": [[0, 5], *plays]}]


@pytest.mark.parametrize(
    ("words", "endings"),
    [("The same: mine is right", ["domino"]), ("It is the next round", ["blocked", "domino"]), ("", ["blocked"])],
)
def test_the_end_of_a_round_of_plays(begin: Any, words: str, endings: list[str]) -> None:
    table = begin("pontas")
    eka = table.join("scorer", "Eka")
    send(table, table.owner, 1, "x", op="play:0:5")
    assert send(table, table.owner, 2, "a", op="end", ending="blocked").status_code == 303
    answer = send(table, eka, 2, "b", op="end", ending="domino:1")
    if words:
        assert choose(answer, table, eka, words).status_code == 303
    rounds = rounds_of(table)
    assert [round_["ended"] for round_ in rounds] == endings
    assert rounds[0]["plays"] == [[0, 5]]


PASSES = [
    ("The same: mine is right", [{"seat": 2, "bunge": True}]),
    ("Count it too", [{"seat": 1}, {"seat": 2, "bunge": True}]),
    ("", [{"seat": 1}]),
]


@pytest.mark.parametrize(("words", "passes"), PASSES)
@pytest.mark.parametrize("before", [[], [{"seat": 4}]])
def test_a_pass(begin: Any, words: str, passes: list[Any], before: list[Any]) -> None:
    table = begin("domeng", *([{"passes": before}] if before else []))
    eka = table.join("scorer", "Eka")
    start = table.version()
    assert send(table, table.owner, start, "a", op="pass:1").status_code == 303
    answer = send(table, eka, start, "b", op="bunge:2")
    assert "Not counted yet:" in answer.text and "passebunge" in answer.text
    if words:
        assert choose(answer, table, eka, words).status_code == 303
    assert rounds_of(table) == [{"passes": [*before, *passes]}]


@pytest.mark.parametrize(
    ("words", "endings"),
    [("The same: mine is right", ["ceki"]), ("It is the next round", ["cappu", "ceki"]), ("", ["cappu"])],
)
def test_the_end_of_a_round_of_stones(begin: Any, words: str, endings: list[str]) -> None:
    table = begin("domeng", {"passes": [{"seat": 4}]})
    eka = table.join("scorer", "Eka")
    assert send(table, table.owner, 2, "a", op="end", ended="cappu", by="1").status_code == 303
    answer = send(table, eka, 2, "b", op="end", ended="ceki", by="1")
    if words:
        assert choose(answer, table, eka, words).status_code == 303
    rounds = rounds_of(table)
    assert [round_["ended"] for round_ in rounds] == endings
    assert rounds[0]["passes"] == [{"seat": 4}]


def test_overtaken_twice_it_is_still_the_first_round_that_is_meant(begin: Any) -> None:
    table = begin("pontas")
    eka = table.join("scorer", "Eka")
    send(table, table.owner, 1, "a", op="play:0:10")
    answer = send(table, eka, 1, "b", op="play:1:25")
    address, form, (name, value) = choice(answer, table, "The same: mine is right")
    send(table, table.owner, 2, "c", op="play:0:15")
    again = eka.post(address, data=form.fields | {name: value})
    assert again.status_code == 409
    assert choose(again, table, eka, "The same: mine is right").status_code == 303
    assert rounds_of(table) == [{"plays": [[1, 25]]}]


def test_what_can_be_undone_stays_undoable(begin: Any) -> None:
    table = begin("pontas")
    eka = table.join("scorer", "Eka")
    send(table, table.owner, 1, "a", op="play:0:10")
    choose(send(table, eka, 1, "b", op="play:1:25"), table, eka, "The same: mine is right")
    assert table.owner.post(table.path("/undo"), data={"version": "3", "key": "u"}).status_code == 303
    assert rounds_of(table) == [{"plays": [[0, 10]]}]


@pytest.mark.parametrize("instead", ["-1", "0", "999", "x", "1" * 400])
def test_a_made_up_version_changes_nothing_odd(begin: Any, instead: str) -> None:
    table = begin("pontas")
    send(table, table.owner, 1, "a", op="play:0:10")
    answer = send(table, table.owner, 2, "b", op="play:1:25", instead=instead)
    assert answer.status_code in (303, 404, 422)
    assert rounds_of(table) == [{"plays": [[0, 10], [1, 25]]}]


@pytest.mark.parametrize(
    ("variant", "played", "tap"),
    [
        ("pontas", {"plays": [[0, 10]]}, "play:1:25"),
        ("domeng", {"passes": [{"seat": 2}]}, "pass:0"),
    ],
)
def test_a_round_whose_end_is_null_is_still_being_played(begin: Any, variant: str, played: Any, tap: str) -> None:
    """The format has it missing or null; the pages, the question and what is saved are the same."""
    shown = []
    for ended in ({}, {"ended": None}):
        table = begin(variant)
        event = {"type": "round_entered", "round": {**played, **ended}}
        body = {"events": [event], "expected": 1, "key": "k"}
        table.owner.post(f"{API}/matches/{table.match_id}/events", json=body, headers=OURS)
        late = send(table, table.owner, 1, "late", op=tap)
        pages = [late.text, *(table.owner.get(table.path(place)).text for place in ("", "/round", "/history"))]
        done = send(table, table.owner, 2, "tap", op=tap)
        saved = rounds_of(table)
        own = rf'{table.match_id}|[0-9a-f]{{16,}}|"\S{{60,}}"|<time.*</time>'
        bare = [re.sub(own, "", page) for page in pages]
        shown.append((late.status_code, bare, done.status_code, done.location.endswith("/round"), saved))
    assert shown[0][0] == 409 and "Another phone was faster" in shown[0][1][0]
    assert shown[0] == shown[1]
