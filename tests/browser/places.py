"""Every page of the app in the states it can be in, for tests that hold for all of them.

    for place in places_of(family, house): place.open(page)

A family is "start" (the pages outside a match), "practice" or a variant's key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from playwright.sync_api import APIRequestContext, Browser, BrowserContext, Page, StorageState, expect

from scorekeeper.core.variants import VARIANTS
from scorekeeper.pages.kits import KITS
from tests.browser import practice_states
from tests.browser.chromium import PHONE
from tests.browser.tables import FOUR, start
from tests.web.accounts import OURS, won

FAMILIES = ("start", "practice", *VARIANTS)
NAMES = (*FOUR, "Eka")
STAKES = "500"


@dataclass(frozen=True)
class House:
    """Matches in each state, and the cookie of the browser whose they are. `ids` by variant, then by state.

    `shared`: one of these, with other phones at its table. `invites`: the addresses, by role, where another browser's
    match is joined.
    """

    cookie: StorageState
    ids: dict[str, dict[str, str]]
    shared: str
    invites: dict[str, str]


@dataclass(frozen=True)
class Place:
    """A page in a state: where it is, and what to do there first."""

    name: str
    path: str
    act: Callable[[Page], None] | None = None
    status: int = 200

    def open(self, page: Page) -> None:
        """Goes there. Raises AssertionError on another status than the expected one."""
        answer = page.goto(self.path)
        if page.evaluate("sessionStorage.length"):  # a round half entered here before would come back
            page.evaluate("sessionStorage.clear()")
            answer = page.goto(self.path)
        assert answer is not None and answer.status == self.status, f"{self.name}: {answer and answer.status}"
        if self.act:
            self.act(page)
            expect(page.locator(".shield")).to_have_count(0)  # what the last tap left for a moment (static/js/rest.js)


def rounds(variant: str) -> list[dict[str, Any]]:
    """A few rounds, each ended in a way of its own; a pip count here, tiles there."""
    if variant == "block":
        return [
            {"ended": "domino", "by": 0, "hands": [[], 9, 14, ["5-5", "0-3"]]},
            {"ended": "blocked", "hands": [9, 14, 9, 20]},
            {"ended": "domino", "by": 2, "hands": [5, 5, [], 7]},
        ]
    if variant == "gaple":
        return [
            {"ended": "domino", "by": 0, "hands": [[], 4, 6, ["5-5"]], "discards": [9, [], ["1-2"], []]},
            {"ended": "blocked", "hands": [["0-4"], ["2-2"], 10, 12], "discards": [[], [], [], ["0-1"]]},
        ]
    if variant == "pontas":
        return [
            {"ended": "domino", "by": 0, "plays": [[0, 10], [1, 15], [2, 5]]},
            {"ended": "blocked", "plays": [[1, 20], [3, 5]]},
        ]
    if variant == "domeng":
        return [
            {"passes": [{"seat": 2, "bunge": True}, {"seat": 3}], "ended": "ceki", "by": 1},
            {"passes": [{"seat": 0}], "ended": "manguno", "by": 4, "hands": [12, 20, 13, 9, 10]},
        ]
    return []


# What makes a match wait for an answer, and what a round looks like that is still being played.
WAITING: dict[str, dict[str, Any]] = {
    "gaple": {"ended": "blocked", "hands": [4, 10, 4, 12], "discards": [[], [], [], []]},
    "domeng": {"passes": [{"seat": seat, "bunge": True} for _ in range(3) for seat in range(5)]},
}
OPEN: dict[str, dict[str, Any]] = {
    "pontas": {"plays": [[0, 15], [1, 5]]},
    "domeng": {"passes": [{"seat": 1, "bunge": True}, {"seat": 4}]},
}
ENDED: dict[str, tuple[dict[str, Any], int]] = {  # house rules, and how often the rounds are played
    "block": ({"target": 50}, 2),
    "gaple": ({"rounds": 2}, 1),
    "pontas": ({"target": 50}, 3),
    "domeng": ({"camats": 1}, 1),
}
LIVE: dict[str, dict[str, tuple[str, ...]]] = {  # by kit: what is tapped, nothing of it sent
    "plays": {
        "open ends": ("#ends > summary",),
        "the end": ("#over > summary",),
    },
    "stones": {
        "went out": ("[data-ended=cappu]",),
        "blocked": ("[data-ended=manguno]", "#who [data-seat='1']"),
        "blocked, by tiles": ("[data-ended=manguno]", "#who [data-seat='1']", "#mode"),
        "the last tile": ("[data-ended=tile]", "#who [data-seat='1']"),
        "its two ends": ("[data-ended=tile]", "#who [data-seat='1']", "#pad [data-tile='2-5']"),
    },
}
CAMAT = {
    "passes": [{"seat": seat, "bunge": True, "after": 0} for _ in range(4) for seat in (1, 2, 3, 4)],
    "ended": "cappu",
    "by": 0,
}


# Every visit to a conflict enters a round: the match it is about must not come to its end.
ENDLESS = {"block": {"target": 1000}, "gaple": {"rounds": 100}}


def documents(variant: str) -> dict[str, dict[str, Any]]:
    """Match documents by the state they are in."""
    base = {
        "format": "scorekeeper/1",
        "variant": variant,
        "players": list(NAMES[: 5 if 4 not in VARIANTS[variant].seats else 4]),
    }
    played = rounds(variant)
    found: dict[str, dict[str, Any]] = {"empty": {**base, "rounds": []}, "playing": {**base, "rounds": played}}
    found["contested"] = {**base, "rules": ENDLESS.get(variant, {}), "rounds": played}
    if variant in WAITING:
        found["waiting"] = {**base, "rounds": [*played, WAITING[variant]]}
    if variant in OPEN:
        found["open"] = {**base, "rounds": [*played, OPEN[variant]]}
    if variant in ENDED:
        rules, times = ENDED[variant]
        last = [CAMAT] if variant == "domeng" else []
        found["finished"] = {**base, "rules": rules, "rounds": [*played * times, *last]}
    if 5 in VARIANTS[variant].seats and 4 in VARIANTS[variant].seats:
        found["five"] = {**base, "players": list(NAMES), "rounds": []}
    return found


def token(request: APIRequestContext) -> str:
    """A token for posting a form."""
    found = re.search(r'name="csrf_token" value="([^"]+)"', request.get("/import").text())
    assert found
    return found[1]


def furnish(context: BrowserContext) -> House:
    """Imports a match in each state, as one browser's."""
    page = context.new_page()
    ids: dict[str, dict[str, str]] = {}
    for variant in VARIANTS:
        ids[variant] = {}
        for state, document in documents(variant).items():
            form: dict[str, str | float | bool] = {
                "csrf_token": token(context.request),
                "document": json.dumps(document),
            }
            answer = context.request.post("/import", form=form)
            assert "/m/" in answer.url, f"{variant}, {state}: {answer.text()}"
            ids[variant][state] = answer.url.rpartition("/")[2]
        page.goto(f"/m/{ids[variant]['finished']}/more")
        page.fill("#stakes-amount", STAKES)
        page.tap("button[form=settings]")
        page.wait_for_url(re.compile(r"/m/\w+$"))
        expect(page.locator(".over h3, .over p.soft").first).to_be_visible()
    rank(page)
    shared = ids["block"]["empty"]
    for name, role, address in (("Eka", "scorer", invites(page, shared)), ("", "watcher", invites(page, shared))):
        phone = browser_of(context).new_context(**PHONE, base_url=page.url.partition("/m/")[0]).new_page()
        phone.goto(address[role])
        phone.fill("#name", name)
        phone.tap(".bar .go")
        phone.wait_for_url(re.compile(r"/m/\w+$"))
        phone.context.close()
    other = browser_of(context).new_context(**PHONE, base_url=page.url.partition("/m/")[0]).new_page()
    theirs = invites(other, start(other, "block").rpartition("/")[2])
    other.context.close()
    return House(context.storage_state(), ids, shared, theirs)


def browser_of(context: BrowserContext) -> Browser:
    assert context.browser
    return context.browser


def invites(page: Page, match_id: str) -> dict[str, str]:
    """Shares a match and returns the addresses, by role, where it is joined."""
    page.goto(f"/m/{match_id}")
    page.tap(".sharing")
    page.wait_for_url(f"**/m/{match_id}/share")
    found = {}
    for role in ("watcher", "scorer"):
        page.goto(f"/m/{match_id}/share?for={role}")
        found[role] = "/j/" + str(page.locator("[data-invite]").get_attribute("data-invite")).rpartition("/")[2]
    return found


def rank(page: Page) -> None:
    """An account with a match that counts and one that does not."""
    page.goto("/account/new")
    page.fill("#name", "Annisa Rahmawati")
    page.fill("#password", "correct horse")
    page.tap(".bar .go")
    page.wait_for_url("**/account")
    request = page.context.request
    found = request.get("/practice/seeds", headers=OURS).json()["seeds"]
    first, second = [each["seed"] for each in found[:2]]
    for record in ({**won(first), "moves": ["pass"]}, won(second)):
        sent = request.post("/practice/results", data={"record": record, "helped": False}, headers=OURS)
        assert sent.ok, sent.text()
        for _ in range(100):
            if request.get(sent.headers["location"], headers=OURS).json()["status"] != "pending":
                break
            page.wait_for_timeout(200)


def places_of(family: str, house: House) -> Iterator[Place]:
    """The places of a family."""
    if family == "start":
        yield from _start(house)
        return
    if family == "practice":
        yield from _practice()
        return
    yield Place("new", f"/new/{family}")
    yield Place("new, refused", f"/new/{family}", _nameless)
    yield Place("new, house rules", f"/new/{family}", lambda page: page.locator("details.fold summary").tap())
    yield Place("rules", f"/rules/{family}")
    ids = house.ids[family]
    for state, id_ in ids.items():
        if state != "contested":
            yield Place(f"table, {state}", f"/m/{id_}")
    yield Place("table, rounds open", f"/m/{ids['playing']}", _open_rounds)
    yield Place("table, a message", f"/m/{ids['contested']}", _undo)
    yield Place("more", f"/m/{ids['playing']}/more", lambda page: page.locator("details.fold summary").tap())
    yield Place("more, finished", f"/m/{ids['finished']}/more")
    yield Place("history", f"/m/{ids['playing']}/history")
    yield Place("big screen", f"/m/{ids['playing']}/screen")
    yield Place("big screen, finished", f"/m/{ids['finished']}/screen")
    if VARIANTS[family].kit in KITS:
        yield from entries_of(family, house)


def _start(house: House) -> Iterator[Place]:
    yield Place("home", "/")
    yield Place("variants", "/new")
    yield Place("import", "/import")
    yield Place("import, refused", "/import", lambda page: _send(page, "button[form=import]", "#error"))
    yield Place("rules", "/rules")
    yield Place("join", "/join")
    yield Place("join, wrong code", "/j/222", status=404)
    yield Place("join to watch", house.invites["watcher"])
    yield Place("join to keep score, refused", house.invites["scorer"], lambda page: _send(page, ".bar .go", "#error"))
    yield Place("share", f"/m/{house.shared}/share", _open_phones)
    yield Place("share, to keep score", f"/m/{house.shared}/share?for=scorer", lambda page: _turn(page, "Turn it on"))
    yield Place("share, turned off", f"/m/{house.shared}/share?for=scorer", lambda page: _turn(page, "Turn off"))
    yield Place("not found", "/nowhere", status=404)
    yield Place("ranking", "/ranking")
    yield Place("ranking, how points are won", "/ranking/block", lambda page: page.tap("details.fold summary"))
    yield Place("ranking, empty", "/ranking/gaple")
    yield Place("account", "/account")
    yield Place("account, refused", "/account", _renamed_to_nothing)
    yield Place("account, to be deleted", "/account", lambda page: page.locator("details.fold summary").last.tap())
    yield Place("sign up", "/account/new")
    yield Place("sign in", "/account", _forgotten)


def _practice() -> Iterator[Place]:
    yield Place("practice", "/practice")
    yield Place("practice, mixed", "/practice", lambda page: page.locator("label:has([value=mixed])").tap())
    yield Place("practice, five seats", "/practice", _five_seats)
    yield Place("practice, no match", "/practice/table")
    for name, act in practice_states.places():
        yield Place(f"practice, {name}", "/practice/table", act)


def _five_seats(page: Page) -> None:
    page.goto("/practice?variant=gaple&seats=5")
    page.locator("label:has([value=mixed])").tap()
    page.locator("details.fold summary").tap()


def _send(page: Page, button: str, then: str) -> None:
    """Taps a button that sends a form, and waits for the next page."""
    with page.expect_navigation():
        page.tap(button)
    _settle(page, then)


def _renamed_to_nothing(page: Page) -> None:
    page.tap("summary:has(+ #rename)")
    page.fill("#name", "")
    _send(page, "#rename button", "#name-error")


def _forgotten(page: Page) -> None:
    """Nobody is signed in any more, and the matches are somebody else's: nothing can be looked at after this."""
    page.context.clear_cookies(name="table")
    page.reload()
    _settle(page, "#password")


def _nameless(page: Page) -> None:
    page.fill("#name-0", "")
    _send(page, "button[name=start]", "#error")


def _open_rounds(page: Page) -> None:
    for summary in page.locator(".round > summary").all():
        summary.tap()


def _open_phones(page: Page) -> None:
    for summary in page.locator(".phones summary").all():
        summary.tap()


def _turn(page: Page, button: str) -> None:
    """Turns the link on or off, if it is not."""
    found = page.locator(".invite button", has_text=button)
    if found.count():
        with page.expect_navigation():
            found.tap()


def _undo(page: Page) -> None:
    """Takes something back; what was taken back is done again, so that the next visit finds it."""
    _send(page, "form[action$=undo] button", ".toast")
    path = page.url.removesuffix("/")
    version = page.locator("form[action$=undo] [name=version]").input_value()
    answer = page.request.post(
        f"{path}/redo", form={"csrf_token": token(page.request), "version": version}, max_redirects=0
    )
    assert answer.status == 303


def _tap(buttons: tuple[str, ...], page: Page) -> None:
    for button in buttons:
        page.tap(button)


def entries_of(family: str, house: House) -> Iterator[Place]:
    """The entry page in its states."""
    ids = house.ids[family]
    fresh = f"/m/{ids['playing']}/round"
    for state in ("playing", "empty", "open", "waiting", "five"):
        if state in ids:
            yield Place(f"entry, {state}", f"/m/{ids[state]}/round")
    first = re.compile(r"/round/(\d+)")
    yield Place("correction", f"/m/{ids['playing']}", lambda page: _follow(page, first))
    for name, buttons in LIVE.get(VARIANTS[family].kit, {}).items():
        yield Place(f"entry, {name}", fresh, partial(_tap, buttons))
    if VARIANTS[family].kit != "hands":
        return
    yield Place("entry, half by number", fresh, lambda page: by_number(page, 2))
    yield Place("entry, big numbers", fresh, _big_numbers)
    yield Place("entry, half by tiles", fresh, by_tiles)
    yield Place("entry, verdict", fresh, by_number)
    yield Place("entry, impossible", fresh, impossible)
    yield Place("entry, refused", fresh, _refused)
    yield Place("entry, conflict", f"/m/{ids['contested']}/round", conflict)
    if "five" in ids:
        yield Place("entry, five verdict", f"/m/{ids['five']}/round", by_number)
    if family in WAITING:
        yield Place("entry, tie", fresh, tie)


def _follow(page: Page, address: re.Pattern[str]) -> None:
    link = page.locator(".round a.btn").last.get_attribute("href")
    assert link and address.search(link)
    page.goto(link)


def _settle(page: Page, selector: str) -> None:
    expect(page.locator(selector)).to_be_visible()


def by_number(page: Page, questions: int | None = None) -> None:
    """Budi went out; the questions are answered 5, 6, 7 … until none is left, or so many are answered."""
    page.tap("[data-seat='1']")
    asked = 0
    while page.locator("#grid").is_visible() and asked != questions:
        page.tap(f"#grid [data-n='{5 + asked}']")
        asked += 1
    _settle(page, "#preview .verdict[data-ok]" if questions is None else "#preview .verdict")


def _big_numbers(page: Page) -> None:
    by_number(page, 1)
    page.tap("#bigger")


def by_tiles(page: Page) -> None:
    """Blocked; two tiles each for Ani and Budi, on the drawn tiles."""
    page.tap("[data-ending=blocked]")
    page.tap("#mode")
    for seat, tiles in enumerate((("6-6", "0-1"), ("3-3", "4-5"))):
        for tile in tiles:
            page.tap(f"#pad [data-tile='{tile}']")
        if seat == 0:
            page.tap("#next")
    _settle(page, "#preview .verdict")


def impossible(page: Page) -> None:
    """Blocked with more pips than the set has."""
    page.tap("[data-ending=blocked]")
    for _ in range(12):
        if page.locator("#grid").is_visible():
            page.tap("#grid [data-n='46']")
    _settle(page, "#preview .verdict.error")


def _refused(page: Page) -> None:
    impossible(page)
    with page.expect_navigation():
        page.press("#save", "Enter")  # it says that it is off, and works
    _settle(page, "#preview .error")


def tie(page: Page) -> None:
    """Everybody has the same: the lowest tiles are asked for."""
    page.tap("[data-ending=blocked]")
    for _ in range(12):
        if page.locator("#grid").is_visible():
            page.tap("#grid [data-n='8']")
    _settle(page, "#pad")


def conflict(page: Page) -> None:
    """Another phone enters the same round first."""
    by_number(page)
    form = page.evaluate("Object.fromEntries(new FormData(document.getElementById('entry')))")
    answer = page.request.post(page.url, form={**form, "key": f"other-{form['key']}"}, max_redirects=0)
    assert answer.status == 303, answer.text()
    _send(page, "#save", "#meanwhile")
