"""A match is practised on a seed of the ranking and sent by itself, also after a time without a network, once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Playwright, Route, expect

from scorekeeper.core.engine import session
from tests.browser.handset import Phone
from tests.serving import Server
from tests.web.accounts import FOUR, played, state_of, won

# The module that the page itself has loaded.
MODULE = "import(performance.getEntriesByType('resource').find((one) => one.name.endsWith('/js/ranking.js')).name)"
KEPT = MODULE.replace("ranking", "kept")
# What is held for who is signed in.
HELD = f"async () => {{ const held = await (await {KEPT}).load('ranking'); return held?.of[held.account]; }}"
STARTED = """() => new Promise((done) => { const asked = indexedDB.open("table", 1);
  asked.onsuccess = () => asked.result.transaction("kept").objectStore("kept").get("practice").onsuccess = (event) => done(event.target.result?.state) })"""


def sign_up(page: Page, name: str) -> None:
    page.goto("/account/new")
    page.fill("#name", name)
    page.fill("#password", "correct horse")
    page.tap(".bar .go")
    page.wait_for_url("**/account")


def sign_in_again(page: Page, name: str) -> None:
    page.goto("/account")
    page.fill("#name", name)
    page.fill("#password", "correct horse")
    page.tap(".bar .go")
    page.wait_for_selector("#best")


def until(page: Page, holds: str) -> None:
    """Waits until this is so of what is held. (Playwright's own way needs eval, which our pages do not allow.)"""
    for _ in range(150):
        if page.evaluate(f"async () => {{ const held = await ({HELD})(); return Boolean({holds}) }}"):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not in time: {holds}")


def stocked(page: Page) -> list[int]:
    """The seeds in stock."""
    until(page, "held?.seeds.length > 4")
    return [each["seed"] for each in page.evaluate(HELD)["seeds"]]


def given(page: Page) -> dict[str, Any]:
    """A match won on a seed that the page gives."""
    return won(page.evaluate(f"async () => (await {MODULE}).seeded({{}}, true)")["seed"], seats=FOUR)


def finish(page: Page, record: dict[str, Any], helped: bool = False) -> Any:
    return page.evaluate(f"async ([record, helped]) => (await {MODULE}).finished(record, helped)", [record, helped])


def best(page: Page, name: str) -> list[str]:
    """What the leaderboard says of somebody."""
    page.goto("/ranking/block")
    return page.locator(".board-list li", has_text=name).locator("b").all_inner_texts()


def test_a_match_starts_on_a_seed_of_the_account_and_each_is_given_once(page: Page) -> None:
    sign_up(page, "Started")
    seeds = stocked(page)
    for seed in seeds[:2]:
        page.goto("/practice")
        page.tap(".bar .go")
        page.wait_for_url("**/practice/table")
        expect(page.locator("#practice")).to_be_visible()
        assert page.evaluate(STARTED)["seed"] == seed
    held = page.evaluate(HELD)
    assert [each["seed"] for each in held["given"]] == seeds[:2]
    assert not {each["seed"] for each in held["seeds"]} & set(seeds[:2])


def test_a_match_that_ends_otherwise_takes_no_seed_and_says_so(page: Page) -> None:
    sign_up(page, "Shortened")
    seeds = stocked(page)
    page.goto("/practice?variant=block")
    said = page.locator("#unranked")
    expect(said).to_be_hidden()
    page.tap("details.fold summary")
    page.fill("#rule-target", "20")
    expect(said).to_have_text(re.compile("does not count for the ranking"))
    page.fill("#rule-target", "")  # as if nothing were said
    expect(said).to_be_hidden()
    page.locator("label:has([name=rule-blocked_points][value=net])").tap()
    expect(said).to_be_hidden()
    page.fill("#rule-target", "1")
    page.tap(".bar .go")
    page.wait_for_url("**/practice/table")
    expect(page.locator(".head .helped")).to_have_text("unranked")
    first = page.evaluate(STARTED)
    assert (first["rules"]["target"], first["seed"] in seeds) == (1, False)

    over = {"state": state_of(played(first["seed"], turn=1, target=1)), "turn": "finished", "at": int(2e12)}
    page.evaluate(f"async (kept) => (await {KEPT}).save('practice', kept)", over)
    page.goto("/practice/table")
    expect(page.locator(".over")).to_contain_text("does not count for the ranking")
    page.tap("[value=again]")
    expect(page.locator("#practice:not(.isover)")).to_be_visible()
    assert page.evaluate(STARTED)["seed"] not in {first["seed"], *seeds}
    held = page.evaluate(HELD)
    assert [each["seed"] for each in held["seeds"]] == seeds and held["given"] == []


def test_a_tie_played_on_is_another_end_and_so_is_a_match_without_one(page: Page) -> None:
    page.goto("/practice?variant=gaple")
    page.tap("details.fold summary")
    said = page.locator("#unranked")
    page.locator("label:has([name=rule-tied_match][value=extra_round])").tap()
    expect(said).to_be_visible()
    page.locator("label:has([name=rule-tied_match][value=joint])").tap()
    expect(said).to_be_hidden()
    page.goto("/practice?variant=domeng")
    page.tap("details.fold summary")
    expect(said).to_be_hidden()
    page.fill("#rule-camats", "")
    expect(said).to_be_visible()


def test_without_an_account_nothing_is_asked_for(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/practice")
    page.tap(".bar .go")
    page.wait_for_url("**/practice/table")
    expect(page.locator("#practice")).to_be_visible()
    assert page.evaluate(STARTED)["seed"] >= 0
    assert finish(page, won(3)) is None
    expect(page.locator("#ranking")).to_be_hidden()
    assert not [url for url in asked if re.search("/practice/(seeds|results)", url)]


def test_who_signs_in_and_goes_on_at_once_is_known(page: Page) -> None:
    """The page that says who it is goes before it could be kept."""
    page.add_init_script("if (location.pathname === '/account') navigator.locks.request = () => new Promise(() => {})")
    sign_up(page, "Hurried")
    page.goto("/practice/table")
    assert len(stocked(page)) > 4
    assert page.evaluate("localStorage.getItem('signed-in')") is None


@pytest.mark.parametrize("kind", ["lost", "busy"])
def test_seeds_that_did_not_come_are_asked_for_again(kind: str, page: Page) -> None:
    page.route("**/practice/seeds", lambda route: route.abort() if kind == "lost" else route.fulfill(status=503))
    event = "requestfailed" if kind == "lost" else "requestfinished"
    for go in (lambda: sign_up(page, f"Refilled{kind}"), lambda: page.goto("/practice/table")):
        with page.expect_event(event, lambda asked: asked.url.endswith("/seeds")):
            go()
    page.unroute("**/practice/seeds")
    assert len(stocked(page)) > 4


def test_a_match_won_is_sent_and_said(page: Page) -> None:
    sign_up(page, "Winner")
    stocked(page)
    page.goto("/practice/table")
    record = given(page)
    told = finish(page, record)
    assert (told["status"], told["points"]) == ("counted", 10)
    expect(page.locator("#ranking")).to_have_text(re.compile("won, 10 points"))
    assert finish(page, record) is None  # a reload tells it again
    assert best(page, "Winner") == ["10"]


def test_the_table_sends_a_match_that_is_over(page: Page) -> None:
    sign_up(page, "Tabled")
    stocked(page)
    page.goto("/practice/table")
    record = given(page)
    kept = {"state": state_of(record), "turn": "finished", "at": 1}
    page.evaluate(f"async (kept) => (await {KEPT}).save('practice', kept)", kept)
    page.goto("/practice/table")
    expect(page.locator(".over")).to_be_visible()
    expect(page.locator("#ranking")).to_have_text(re.compile("won, 10 points"))
    page.reload()
    expect(page.locator(".over")).to_be_visible()
    assert best(page, "Tabled") == ["10"]


def test_a_match_left_before_it_was_queued_is_queued_when_one_comes_back(page: Page) -> None:
    page.add_init_script("""if (!sessionStorage.getItem("back")) {
      const ask = navigator.locks.request.bind(navigator.locks);
      navigator.locks.request = (name, ...more) => (name === "ranking" && globalThis.left ? new Promise(() => {}) : ask(name, ...more));
    }""")
    sign_up(page, "Left")
    stocked(page)
    page.goto("/practice/table")
    state = state_of(given(page))
    last = state["rounds"][-1].pop().split("@")[0]  # the ends may be alike
    mine = session.read(state).human
    kept = {"state": state, "turn": "human" if mine else "bot", "at": 1}
    page.evaluate(f"async (kept) => (await {KEPT}).save('practice', kept)", kept)
    page.goto("/practice/table")
    page.evaluate("globalThis.left = true")
    page.wait_for_selector("#stage[aria-busy=false] #practice")
    if mine:
        page.locator(f"[name=move][value^='{last}']").first.evaluate("(button) => button.form.requestSubmit(button)")
    expect(page.locator(".over")).to_be_visible(timeout=30_000)
    assert page.evaluate(HELD)["queue"] == []

    page.evaluate("sessionStorage.setItem('back', 'yes')")
    page.goto("/practice/table")
    expect(page.locator("#ranking")).to_have_text(re.compile("won, 10 points"), timeout=30_000)
    page.reload()
    expect(page.locator(".over")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.goto("/account")
    expect(page.locator(".history li")).to_have_count(1)


def test_what_cannot_be_sent_is_sent_later_and_once(page: Page) -> None:
    sign_up(page, "Later")
    stocked(page)
    page.goto("/practice/table")
    page.context.set_offline(True)
    record = given(page)
    for _ in range(2):
        assert finish(page, record)["status"] == "waiting"
    expect(page.locator("#ranking")).to_have_text(re.compile("No connection"))
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method) if request.url.endswith("/results") else None)
    page.context.set_offline(False)
    until(page, "held?.queue.length === 0")
    expect(page.locator("#ranking")).to_have_text(re.compile("won, 10 points"))
    page.reload()
    page.wait_for_load_state("networkidle")
    assert sent == ["POST"]
    page.goto("/account")
    expect(page.locator(".history li")).to_have_count(1)
    expect(page.locator(".history")).to_have_text(re.compile("won, 10 points|being played again"))


def test_a_match_with_help_is_said_not_to_count(page: Page) -> None:
    sign_up(page, "Helped")
    stocked(page)
    page.goto("/practice/table")
    assert finish(page, given(page), True)["status"] == "helped"
    expect(page.locator("#ranking")).to_have_text(re.compile("does not count"))
    assert best(page, "Helped") == []


def test_signed_out_nothing_counts_any_more_and_back_again_what_waited_is_sent(page: Page) -> None:
    sign_up(page, "Returning")
    stocked(page)
    page.goto("/practice/table")
    page.context.set_offline(True)
    assert finish(page, given(page))["status"] == "waiting"
    page.context.clear_cookies(name="table")
    page.context.set_offline(False)
    page.goto("/account")
    page.goto("/practice/table")
    assert page.evaluate(f"async () => (await {MODULE}).seeded({{}}, true)") == {}
    sign_in_again(page, "returning")
    until(page, "held?.queue.length === 0")
    page.goto("/account")
    expect(page.locator(".history li")).to_have_count(1)


def test_a_match_finished_while_signed_out_is_sent_once_its_player_is_back(page: Page) -> None:
    sign_up(page, "Leaving")
    stocked(page)
    page.goto("/practice/table")
    record = given(page)
    page.context.clear_cookies(name="table")
    page.goto("/account")
    page.goto("/practice/table")
    assert finish(page, record)["status"] == "away"
    expect(page.locator("#ranking")).to_have_text(re.compile("You are signed out"))
    sign_up(page, "Another")  # on the same phone
    page.goto("/practice/table")
    stocked(page)
    assert finish(page, record)["status"] == "away"
    page.context.clear_cookies(name="table")
    sign_in_again(page, "leaving")
    until(page, "held?.given.length === 0 && held.queue.length === 0")
    page.goto("/account")
    expect(page.locator(".history li")).to_have_count(1)


@pytest.mark.parametrize("answer", [
    {"status": 403, "body": "<h1>Forbidden</h1>"},
    {"status": 404, "json": {"message": "no such service"}},
    {"status": 413, "json": {"error": {"code": "too_large"}}},
    {"status": 422, "body": "<h1>Unprocessable</h1>"},
    {"status": 200, "body": "<h1>Sign in to this network</h1>"},
    {"status": 200, "json": {}},
], ids=["403", "404", "413", "422", "portal", "empty"])
def test_an_answer_that_is_not_the_servers_own_loses_no_match(answer: dict[str, Any], page: Page) -> None:
    sign_up(page, f"Proxied{answer['status']}{len(str(answer))}")
    stocked(page)
    page.goto("/practice/table")
    record = given(page)

    def between(route: Route) -> None:
        route.fulfill(**answer)

    page.route("**/practice/results", between)
    assert finish(page, record)["status"] == "waiting"
    page.unroute("**/practice/results")
    page.reload()
    until(page, "held?.queue.length === 0")
    page.goto("/account")
    expect(page.locator(".history li")).to_have_count(1)


def test_one_seed_is_given_once_in_two_tabs_without_locks(page: Page) -> None:
    page.context.add_init_script("Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined })")
    sign_up(page, "Twofold")
    stocked(page)
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto("/practice/table")
    take = f"async () => {{ globalThis.taken = Promise.all([1, 2].map(async () => (await {MODULE}).seeded({{}}, true))) }}"
    for tab in (page, other):
        tab.evaluate(f"() => void ({take})()")
    taken = [each["seed"] for tab in (page, other) for each in tab.evaluate("() => globalThis.taken")]
    assert len(set(taken)) == 4
    assert sorted(each["seed"] for each in page.evaluate(HELD)["given"]) == sorted(taken)


def test_what_localstorage_held_is_taken_over(page: Page) -> None:
    """There it was kept at first."""
    sign_up(page, "Elder")
    seeds = stocked(page)
    page.evaluate("""async () => {
      const open = () => new Promise((done) => { const asked = indexedDB.open("table", 1); asked.onsuccess = () => done(asked.result) });
      const store = (await open()).transaction("kept", "readwrite").objectStore("kept");
      await new Promise((done) => (store.get("ranking").onsuccess = ({ target }) => {
        const { account, of } = target.result;
        localStorage.setItem("ranking", JSON.stringify({ account, of }));
        store.delete("ranking").onsuccess = done;
      }));
    }""")
    page.goto("/practice/table")
    assert given(page)["seed"] == seeds[0]
    assert [each["seed"] for each in page.evaluate(HELD)["given"]] == seeds[:1]
    assert page.evaluate("localStorage.getItem('ranking')") is None


def test_a_killed_browser_gives_no_seed_twice_and_knows_whose_match_it_was(
    playwright: Playwright, tmp_path: Path, server: Server
) -> None:
    phone = Phone(playwright, tmp_path / "profile", server.url)
    try:
        page = phone.open()
        sign_up(page, "Killed")
        seeds = stocked(page)
        page.goto("/practice")
        page.tap(".bar .go")
        page.wait_for_url("**/practice/table")
        expect(page.locator("#practice")).to_be_visible()
        cookies: Any = page.context.cookies()  # the browser itself writes them half a minute later
        phone.kill()

        page = phone.open()
        page.context.add_cookies(cookies)
        page.goto("/practice/table")
        expect(page.locator("#practice")).to_be_visible()
        assert page.evaluate(STARTED)["seed"] == seeds[0]
        held = page.evaluate(HELD)
        assert [each["seed"] for each in held["given"]] == seeds[:1]
        assert seeds[0] not in [each["seed"] for each in held["seeds"]]
        assert finish(page, won(seeds[0], seats=FOUR))["status"] == "counted"
    finally:
        phone.close()


def test_a_double_tap_on_the_same_again_takes_one_seed(page: Page) -> None:
    sign_up(page, "Doubled")
    seeds = stocked(page)
    page.goto("/practice/table")
    over = {"state": state_of(won(3, seats=FOUR)), "turn": "finished", "at": 1}
    page.evaluate(f"async (kept) => (await {KEPT}).save('practice', kept)", over)
    page.goto("/practice/table")
    again = page.locator("[value=again]")
    expect(again).to_be_visible()
    page.wait_for_selector("#stage[aria-busy=false]")
    again.evaluate("(el) => { el.click(); el.click(); }")
    expect(page.locator("#practice:not(.isover)")).to_be_visible()
    assert page.evaluate(STARTED)["seed"] == seeds[0]
    assert [each["seed"] for each in page.evaluate(HELD)["given"]] == seeds[:1]
