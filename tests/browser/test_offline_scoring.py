"""Scorekeeping without network and server: what is entered is safe on the phone, and on the server once it is back."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Playwright, expect

from scorekeeper.core import events
from scorekeeper.store.log import Log
from scorekeeper.store.sharing import OWNER, Sharing
from tests.browser import test_block_match as block
from tests.browser import test_domeng_match as domeng
from tests.browser import test_gaple_match as gaple
from tests.browser import test_pontas_match as pontas
from tests.browser.handset import BOOT, Phone, goes_on_alone, needs_engine, until
from tests.browser.mistakes import mistakes
from tests.browser.tables import start, totals, true_tally, written
from tests.serving import Server, serving, stop
from tests.serving import start as serve

ENV = {"SCOREKEEPER_WRITES": "9999 per second"}
# How many events of the match of the page the phone keeps, and how many of those no server has.
KEEPS = """async (id) => {
  const asked = indexedDB.open("scoring", 1);
  const database = await new Promise((done, failed) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
    asked.onupgradeneeded = () => asked.transaction.abort(); // it is the app's to make
  }).catch(() => null);
  if (!database) return null;
  const got = database.transaction("matches").objectStore("matches").get(id);
  const record = await new Promise((done) => (got.onsuccess = () => done(got.result)));
  database.close();
  return record && [record.events?.length, record.line?.length];
}"""


@pytest.fixture(scope="module", autouse=True)
def built() -> Iterator[None]:
    needs_engine()
    expect.set_options(timeout=BOOT)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "service_workers": "allow"}


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "data", env=ENV) as running:
        yield running


@pytest.fixture
def phone(playwright: Playwright, tmp_path: Path, own_server: Server) -> Iterator[Phone]:
    made = Phone(playwright, tmp_path / "profile", own_server.url)
    yield made
    made.close()


@pytest.fixture
def again(own_server: Server) -> Iterator[Any]:
    """Starts the server again where it was."""
    started: list[Server] = []

    def back() -> None:
        started.append(serve(own_server.data, int(own_server.url.rsplit(":", 1)[1]), env=ENV))

    yield back
    for one in started:
        stop(one)


def id_of(page: Page) -> str:
    return page.url.split("/m/")[1].split("/")[0]


def kept(page: Page, match_id: str, events: int) -> None:
    """Waits until the phone has all that it needs to go on alone."""
    goes_on_alone(page)
    until(page, f"async () => (await ({KEEPS})({match_id!r}))?.[0] === {events}")


def on_server(page: Page) -> None:
    """Waits until the server has all of it, and the page follows what others do."""
    expect(page.locator("html[data-follow=on]")).to_have_count(1)
    until(page, f"async () => (await ({KEEPS})({id_of(page)!r}))?.[1] === 0")
    expect(page.locator("#kept")).to_have_count(0)
    assert "/m/here-" not in page.url


def test_a_match_goes_on_when_the_server_stops(phone: Phone, own_server: Server, again: Any) -> None:
    page = phone.open()
    page.set_default_timeout(BOOT)
    address = start(page, "block")
    kept(page, id_of(page), 1)
    own_server.kill()

    block.enter(page, 0, 9, 14, 20)
    assert totals(page) == [43, 0, 0, 0]
    expect(page.locator("#kept")).to_contain_text("1 round on this phone only")
    block.enter(page, None, 9, 14, 9, 20)
    expect(page.locator("#kept")).to_contain_text("2 rounds on this phone only")
    page.reload()
    expect(page.locator(".rounds > li")).to_have_count(2)

    again()
    on_server(page)
    expect(page.locator("#kept")).to_have_count(0)
    expect(page.locator(".rounds > li")).to_have_count(2)
    tally = true_tally(page, address)
    assert tally["totals"] == totals(page) and len(tally["rounds"]) == 2


# An evening without a server ------------------------------------------------------------------------------------


def play_block(page: Page) -> None:
    start(page, "block", target="40")
    block.enter(page, 0, 9, 14, 20)


def play_gaple(page: Page) -> None:
    start(page, "gaple", rounds="1")
    gaple.enter(page, 0, [9, 4, 12], [None, None, 3, None])


def play_pontas(page: Page) -> None:
    start(page, "pontas", target="20")
    pontas.play(page, "domino:1", (0, 10), (1, 5), (0, 10))


def play_domeng(page: Page) -> None:
    start(page, "domeng", domeng.FIVE, camats="1")
    domeng.enter(page)
    domeng.taps(page, "pass:1", "bunge:2", "pass:3")
    page.tap(".newest [aria-label=Undo]")
    domeng.answered(page)
    domeng.taps(page, "pass:4")
    domeng.out(page, "ceki", 3, 1)
    domeng.enter(page)
    domeng.taps(page, "bunge:0", "pass:1")
    domeng.manguno(page, 3, [9, 12, 4, 8, 11], 2)
    domeng.enter(page)
    domeng.taps(page, "bunge:0", "bunge:1", "bunge:2", "after:2:4", "pass:3", "after:3:4")
    domeng.out(page, "cappu", 3, 3)
    domeng.enter(page)
    domeng.out(page, "cappu", 4, 4)


def correct(page: Page, place: int, change: Callable[[Page], Any]) -> None:
    """Corrects a round, the newest being 0, from the table screen and back to it."""
    round_ = page.locator(".round").nth(place)
    round_.locator("summary").tap()
    round_.locator("a", has_text="Correct").tap()
    page.wait_for_url("**/round/*")
    change(page)
    expect(page.locator("#preview [data-ok], #preview strong").first).to_be_visible()
    page.tap("#save")
    page.wait_for_url(re.compile(r"/m/[\w-]+$"))
    expect(page.locator(".rounds > li").first).to_be_visible()


def other_pips(seat: int, pips: int) -> Callable[[Page], None]:
    def change(page: Page) -> None:
        page.tap(f"[data-seat='{seat}']")
        page.tap(f"#grid [data-n='{pips}']")

    return change


def document(page: Page) -> Any:
    """The match of the page as the phone exports it."""
    return page.evaluate("async () => (await fetch(`${location.pathname}/match.json`)).json()")


# How each match is played, and what is corrected in which round.
EVENING: tuple[tuple[Callable[[Page], None], int, Callable[[Page], Any]], ...] = (
    (play_block, 0, other_pips(3, 30)),
    (play_gaple, 0, other_pips(1, 2)),
    (play_pontas, 0, lambda page: page.select_option("[name=points-1]", "15")),
    (play_domeng, 3, lambda page: page.select_option("[name=kind-0]", "0")),
)


def test_an_evening_without_a_server(phone: Phone, own_server: Server, again: Any) -> None:
    """After one visit: a match of each variant, begun, played to its end and corrected; the browser is killed and opened
    again; then the server is back, and has everything, once."""
    page = phone.open()
    page.set_default_timeout(BOOT)
    page.goto("/")
    goes_on_alone(page)
    own_server.kill()

    shown = []
    for play, place, change in EVENING:
        play(page)
        expect(page.locator(".over")).to_be_visible()
        before = document(page)
        correct(page, place, change)
        expect(page.locator("#kept")).to_contain_text("on this phone only")
        expect(page.locator(".sharing")).to_have_count(0)
        assert id_of(page).startswith("here-")
        shown.append((document(page), totals(page)))
        assert shown[-1][0] != before
    phone.kill()

    page = phone.open()
    page.set_default_timeout(BOOT)
    page.goto("/")
    expect(page.locator(".matchcard")).to_have_count(len(EVENING))
    expect(page.locator("#kept")).to_contain_text("4 matches have something that is on this phone only")
    again()
    expect(page.locator("html[data-shell]")).to_have_count(0)
    expect(page.locator(".matchcard")).to_have_count(len(EVENING))
    addresses = [card.get_attribute("href") or "" for card in page.locator(".matchcard").all()]
    for address, (document_, totals_) in zip(reversed(addresses), shown, strict=True):
        assert page.request.get(f"{address}/match.json").json() == document_
        assert true_tally(page, address)["totals"] == totals_
    page.goto(addresses[-1])  # with other people it can be shared now
    page.tap(".sharing")
    expect(page.locator(".joincode")).to_be_visible()


def alone(phone: Phone, server: Server, variant: str) -> tuple[Page, str, str]:
    """A new match on a phone, its address and its id; the server stops."""
    page = phone.open()
    page.set_default_timeout(BOOT)
    address = start(page, variant)
    kept(page, id_of(page), 1)
    server.kill()
    return page, address, id_of(page)


def alone_after_a_round(phone: Phone, server: Server) -> tuple[Page, str, str]:
    """The same with one round."""
    page = phone.open()
    address = opened(page)
    server.kill()
    return page, address, id_of(page)


# Back among others ----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def behind_it(server: Server) -> Iterator[tuple[Log, Sharing]]:
    """What is kept by a server that does not run, to be written to as another phone would have."""
    log = Log(f"sqlite:///{server.data / 'scorekeeper.db'}", events.check)
    yield log, Sharing(log.database, (server.data / "secret_key").read_text())
    log.close()


THEIRS = {"type": "round_entered", "round": {"ended": "domino", "by": 1, "hands": [1, [], 2, 3]}}


@pytest.mark.parametrize(
    ("choice", "rounds"),
    [
        ("Same round: drop mine", [[0, 6, 0, 0], [20, 0, 0, 0]]),
        ("Same round: mine is right", [[43, 0, 0, 0], [20, 0, 0, 0]]),
        ("It is the next round", [[0, 6, 0, 0], [43, 0, 0, 0], [20, 0, 0, 0]]),
    ],
)
def test_who_comes_back_after_another_phone_wrote_is_asked(
    choice: str, rounds: list[list[int]], phone: Phone, own_server: Server, again: Any
) -> None:
    """Of the round that may be the same one; what was entered after it follows."""
    page, address, match_id = alone(phone, own_server, "block")
    block.enter(page, 0, 9, 14, 20)
    block.enter(page, 0, 5, 5, 10)
    with behind_it(own_server) as (log, _):
        log.append(match_id, [THEIRS], expected=1, key="theirs")
    again()

    expect(page.locator("#meanwhile")).to_be_visible()
    page.locator("#main").get_by_text(choice, exact=True).tap()
    on_server(page)
    expect(page.locator(".rounds > li")).to_have_count(len(rounds))
    assert [each["points"] for each in true_tally(page, address)["rounds"]] == rounds
    assert totals(page) == [sum(points) for points in zip(*rounds, strict=True)]


def test_each_round_that_another_phone_entered_too_is_asked_about(phone: Phone, own_server: Server, again: Any) -> None:
    page, address, match_id = alone(phone, own_server, "block")
    block.enter(page, 0, 9, 14, 20)
    block.enter(page, 0, 5, 5, 10)
    same = [{"ended": "domino", "by": 0, "hands": hands} for hands in ([[], 9, 14, 20], [[], 5, 5, 10])]
    with behind_it(own_server) as (log, _):
        for version, round_ in enumerate(same, 1):
            log.append(match_id, [{"type": "round_entered", "round": round_}], expected=version, key=f"theirs{version}")
    again()

    for pips in ("20", "10"):
        expect(page.locator("#meanwhile")).to_be_visible()
        expect(page.locator("[data-seat='3'] b")).to_have_text(pips)
        page.locator("#main").get_by_text("Same round: drop mine", exact=True).tap()
    on_server(page)
    expect(page.locator(".rounds > li")).to_have_count(2)
    assert totals(page) == [63, 0, 0, 0] == true_tally(page, address)["totals"]


def dewi_had_ten(page: Page) -> None:
    page.tap("[data-seat='3']")
    page.tap("#grid [data-n='10']")


@pytest.mark.parametrize("first", ["entered", "corrected"])
def test_what_comes_after_an_answer_is_asked_about_where_another_phone_has_it_too(
    first: str, phone: Phone, own_server: Server, again: Any
) -> None:
    """The first of two rounds is another one, or an old one is corrected; the second is the same on both phones."""
    page, address, match_id = alone_after_a_round(phone, own_server)
    theirs = [{"ended": "domino", "by": 0, "hands": [[], 5, 5, 10]}]
    if first == "entered":
        block.enter(page, 1, 1, 2, 3)
        theirs.insert(0, {"ended": "domino", "by": 1, "hands": [3, [], 2, 3]})
    else:
        correct(page, 0, dewi_had_ten)
    block.enter(page, 0, 5, 5, 10)
    with behind_it(own_server) as (log, _):
        for version, round_ in enumerate(theirs, 2):
            log.append(match_id, [{"type": "round_entered", "round": round_}], expected=version, key=f"t{version}")
    again()

    expect(page.locator("#meanwhile")).to_be_visible()
    answer = page.locator("#main").get_by_text("Same round: mine is right", exact=True)
    (answer if first == "entered" else page.locator("#save")).tap()
    expect(page.locator("[data-seat='3'] b")).to_have_text("10")
    expect(page.locator("#meanwhile")).to_be_visible()
    page.locator("#main").get_by_text("Same round: drop mine", exact=True).tap()
    on_server(page)
    expected = [63, 6, 0, 0] if first == "entered" else [53, 0, 0, 0]
    assert totals(page) == expected == true_tally(page, address)["totals"]


@pytest.mark.parametrize("act", ["Remove", "Undo"])
def test_a_removal_that_another_phone_overtook_is_said_at_once(
    act: str, phone: Phone, own_server: Server, again: Any
) -> None:
    """What it was about is not the same any more: it is left out, and nobody has to reload the page to hear of it."""
    page, address, match_id = alone_after_a_round(phone, own_server)
    take_back(page, act)
    expect(page.locator(".rounds > li")).to_have_count(0)
    changed = {"type": "round_corrected", "id": 2, "round": {"ended": "domino", "by": 0, "hands": [[], 9, 14, 30]}}
    with behind_it(own_server) as (log, _):
        log.append(match_id, [changed], expected=2, key="theirs")
    again()

    expect(page.locator(".rounds > li")).to_have_count(1)
    expect(page.locator(".toast")).to_contain_text("Another phone changed this match just now")
    on_server(page)
    assert totals(page) == [53, 0, 0, 0] == true_tally(page, address)["totals"]


@pytest.mark.parametrize("act", ["Remove", "Undo"])
def test_what_another_phone_took_back_and_entered_anew_too_is_asked_about(
    act: str, phone: Phone, own_server: Server, again: Any
) -> None:
    """What took it back here is left out; the round that stands in its place is held against theirs by itself."""
    page, address, match_id = alone_after_a_round(phone, own_server)
    take_back(page, act)
    expect(page.locator(".rounds > li")).to_have_count(0)
    block.enter(page, 0, 9, 14, 30)
    gone = {"type": "round_voided", "id": 2} if act == "Remove" else {"type": "undone"}
    round_ = {"type": "round_entered", "round": {"ended": "domino", "by": 0, "hands": [[], 9, 14, 30]}}
    with behind_it(own_server) as (log, _):
        log.append(match_id, [gone], expected=2, key="theirs")
        log.append(match_id, [round_], expected=3, key="theirs too")
    again()

    expect(page.locator("#meanwhile")).to_be_visible()
    page.locator("#main").get_by_text("Same round: drop mine", exact=True).tap()
    on_server(page)
    expect(page.locator(".rounds > li")).to_have_count(1)
    assert totals(page) == [53, 0, 0, 0] == true_tally(page, address)["totals"]


def test_a_round_after_a_correction_that_was_dropped_is_asked_about(
    phone: Phone, own_server: Server, again: Any
) -> None:
    page, address, match_id = alone_after_a_round(phone, own_server)
    correct(page, 0, dewi_had_ten)
    block.enter(page, 0, 5, 5, 10)
    theirs = {"type": "round_entered", "round": {"ended": "domino", "by": 0, "hands": [[], 5, 5, 10]}}
    with behind_it(own_server) as (log, _):
        log.append(match_id, [theirs], expected=2, key="theirs")
    again()

    for choice in ("Drop mine", "Same round: drop mine"):
        expect(page.locator("#meanwhile")).to_be_visible()
        page.locator("#main").get_by_text(choice, exact=True).tap()
    on_server(page)
    expect(page.locator(".rounds > li")).to_have_count(2)
    assert totals(page) == [63, 0, 0, 0] == true_tally(page, address)["totals"]


@pytest.mark.parametrize(("choice", "expected"), [("Count it too", [15, 25]), ("The same: drop mine", [15, 0])])
def test_a_tap_in_a_round_that_another_phone_plays_too_is_asked_about_alone(
    choice: str, expected: list[int], phone: Phone, own_server: Server, again: Any
) -> None:
    page, address, match_id = alone(phone, own_server, "pontas")
    pontas.open_round(page)
    pontas.tap(page, 1, 25)
    pontas.tap(page, 0, 5)
    pontas.settled(page, 2)
    theirs = {"type": "round_entered", "round": {"plays": [[0, 10]]}}
    with behind_it(own_server) as (log, _):
        log.append(match_id, [theirs], expected=1, key="theirs")
    again()

    expect(page.locator("#meanwhile")).to_be_visible()
    page.locator(".meanwhile").get_by_text(choice, exact=True).tap()
    expect(page.locator("#meanwhile")).to_have_count(0)
    on_server(page)
    assert pontas.live_totals(page) == expected == true_tally(page, address)["totals"]


@pytest.mark.parametrize("answers", [True, False], ids=["answered", "not answered"])
def test_what_an_older_tab_of_the_same_phone_enters_is_not_lost(answers: bool, phone: Phone, own_server: Server, again: Any) -> None:
    page, address, match_id = alone(phone, own_server, "pontas")
    pontas.open_round(page)
    pontas.tap(page, 0, 10)
    pontas.settled(page, 1)
    tab = page.context.new_page()
    tab.set_default_timeout(BOOT)
    tab.goto(f"{address}/round")
    pontas.settled(tab, 1)
    pontas.tap(page, 1, 25)
    pontas.settled(page, 2)
    pontas.tap(tab, 0, 5)
    expect(tab.locator("#meanwhile")).to_be_visible()
    if answers:
        tab.locator(".meanwhile").get_by_text("Count it too", exact=True).tap()
        pontas.settled(tab, 3)
    again()
    if answers:
        on_server(tab)
    else:
        until(page, f"async () => (await ({KEEPS})({match_id!r}))[1] === 0")
        tab.reload()
        expect(tab.locator("#kept")).to_contain_text(DOES_NOT_FIT)
    assert pontas.live_totals(tab) == true_tally(page, address)["totals"] == [15 if answers else 10, 25]


def test_what_a_page_listens_to_ends_with_it_also_where_its_scripts_came_late(phone: Phone, own_server: Server) -> None:
    page, address, _ = alone(phone, own_server, "block")
    page.goto(f"{address}/round")
    expect(page.locator("#grid")).to_be_attached()
    left = page.evaluate("""async () => {
      const module = (name) => import(document.querySelector("script[src*='/js/']").src.replace(/[^/]+$/, name));
      const { show } = await module("swap.js");
      const { html } = await (await module("desk.js")).page(location.pathname);
      const pause = (wait) => new Promise((done) => setTimeout(done, wait));
      document.body.append = (part) => setTimeout(() => HTMLElement.prototype.append.call(document.body, part), 50); // scripts take a while
      const add = globalThis.addEventListener;
      let listening = 0;
      globalThis.addEventListener = (type, ...more) => { listening += type === "keydown"; add(type, ...more); };
      EventTarget.prototype.addEventListener.call(globalThis, "pagehide", () => (listening = 0)); // the page goes
      const pages = [];
      for (let n = 0; n < 10; n++) {
        pages.push(show({ html }));
        await pause(40);
      }
      await Promise.all(pages);
      await pause(500);
      return listening;
    }""")
    assert left == 1


def test_a_phone_that_may_no_longer_write_is_told_so(phone: Phone, own_server: Server, again: Any) -> None:
    """Its queue is refused by the server, and stays on the phone until its owner drops it."""
    page, address, match_id = alone(phone, own_server, "block")
    block.enter(page, 0, 9, 14, 20)
    with behind_it(own_server) as (log, sharing):
        me = log.owner_of(match_id)
        sharing.start(match_id, me)
        sharing.join(sharing.codes(match_id)["scorer"], "other", "Other", None)
        (other,) = [one.number for one in sharing.phones(match_id) if one.name == "Other"]
        sharing.give(match_id, me, other, OWNER)
        sharing.lock(match_id, "other", True)
    again()

    expect(page.locator("#kept")).to_contain_text("The server does not take it")
    assert true_tally(page, address)["rounds"] == []
    expect(page.locator(".rounds > li")).to_have_count(1)
    page.goto("/")
    page.locator("#unsent a").tap()  # it is to be found from the first page on
    expect(page.locator("#kept")).to_contain_text("The server does not take it")
    page.locator("#kept [data-drop]").tap()
    expect(page.locator("#kept")).to_have_count(0)
    expect(page.locator(".rounds > li")).to_have_count(0)


def opened(page: Page) -> str:
    """A match with one round, kept on the phone."""
    page.set_default_timeout(BOOT)
    address = start(page, "block")
    kept(page, id_of(page), 1)
    block.enter(page, 0, 9, 14, 20)
    kept(page, id_of(page), 2)
    return address


def take_back(page: Page, act: str) -> None:
    """Takes the only round back, and waits until that is done."""
    if act == "Remove":
        page.locator(".round summary").first.tap()
        page.locator(".round button", has_text="Remove").tap()
    else:
        page.tap("form[action$='/undo'] button")
    expect(page.locator(".toast", has_text="The round is out" if act == "Remove" else "Taken back")).to_be_visible()


def test_a_question_is_dropped_once_however_often_it_is_tapped(phone: Phone, own_server: Server, again: Any) -> None:
    page, address, match_id = alone(phone, own_server, "block")
    block.enter(page, 0, 9, 14, 20)
    block.enter(page, 0, 5, 5, 10)
    theirs = {"type": "round_entered", "round": {"ended": "domino", "by": 0, "hands": [[], 9, 14, 20]}}
    with behind_it(own_server) as (log, _):
        log.append(match_id, [theirs], expected=1, key="theirs")
    again()
    expect(page.locator("#meanwhile")).to_be_visible()
    page.locator("#main").get_by_text("Same round: drop mine", exact=True).evaluate("link => (link.click(), link.click())")
    expect(page.locator(".rounds > li")).to_have_count(2)
    on_server(page)
    assert totals(page) == [63, 0, 0, 0] == true_tally(page, address)["totals"]


def test_what_was_overtaken_is_said_at_its_match(phone: Phone, own_server: Server, again: Any) -> None:
    """Whoever is at the first page when the server comes back is told there to look."""
    page, address, match_id = alone_after_a_round(phone, own_server)
    take_back(page, "Remove")
    page.goto("/")
    expect(page.locator(".matchcard")).to_have_count(1)
    changed = {"type": "round_corrected", "id": 2, "round": {"ended": "domino", "by": 0, "hands": [[], 9, 14, 30]}}
    with behind_it(own_server) as (log, _):
        log.append(match_id, [changed], expected=2, key="theirs")
    again()
    page.locator("#unsent a").tap()
    expect(page.locator(".toast")).to_contain_text("Another phone changed this match just now")
    on_server(page)
    assert totals(page) == [53, 0, 0, 0] == true_tally(page, address)["totals"]


DOES_NOT_FIT = "does not fit the match any more"


def test_an_entry_that_no_longer_applies_holds_nothing_up(phone: Phone, own_server: Server, again: Any) -> None:
    """A new round goes up though the correction after it cannot; that is said after a reload too, and dropped alone."""
    page, address, match_id = alone_after_a_round(phone, own_server)
    page.reload()
    expect(page.locator(".rounds > li")).to_have_count(1)
    block.enter(page, 0, 5, 5, 10)
    correct(page, 1, other_pips(3, 30))
    with behind_it(own_server) as (log, _):
        log.append(match_id, [{"type": "round_voided", "id": 2}], expected=2, key="theirs")
    again()

    expect(page.locator("#meanwhile")).to_be_visible()
    page.tap("#save")
    expect(page.locator("#kept")).to_contain_text(DOES_NOT_FIT)
    until(page, f"async () => (await ({KEEPS})({match_id!r})).join() === '4,0'")
    assert [each["points"] for each in true_tally(page, address)["rounds"]] == [[20, 0, 0, 0]]
    for _ in range(2):
        page.goto(address)
        expect(page.locator("#kept")).to_contain_text(DOES_NOT_FIT)
    expect(page.locator(".rounds > li")).to_have_count(1)
    with page.expect_download() as downloaded:
        page.locator("#kept [download]").tap()
    assert f"/m/{match_id}/round/2" in downloaded.value.path().read_text()
    block.enter(page, 1, 6, 6, 7)  # what is entered meanwhile goes on
    until(page, f"async () => (await ({KEEPS})({match_id!r})).join() === '5,0'")
    page.locator("#kept [data-drop]").tap()
    on_server(page)
    expect(page.locator(".rounds > li")).to_have_count(2)
    assert len(true_tally(page, address)["rounds"]) == 2


# Changes what the phone keeps, as a fault, another version or another visit would have. `how` is one of these.
ALTERS = """async ([id, how, given]) => {
  const ways = {
    put: () => given,
    line: (record) => ({ ...record, line: [{ ...given, at: new Date().toISOString() }] }),
    longer: (record) => ({ ...record, events: [...record.events, { ...record.events[1], version: record.events.length + 1 }] }),
  };
  const asked = indexedDB.open("scoring", 1);
  const database = await new Promise((done) => (asked.onsuccess = () => done(asked.result)));
  const change = database.transaction("matches", "readwrite");
  const store = change.objectStore("matches");
  store.get(id).onsuccess = ({ target }) => store.put(ways[how](target.result));
  await new Promise((done) => (change.oncomplete = done));
  database.close();
}"""


def test_what_the_server_answers_with_an_error_is_said_and_not_sent_again(phone: Phone, own_server: Server) -> None:
    """A key that was used for something else."""
    page = phone.open()
    address = opened(page)
    match_id = id_of(page)
    assert written(page, address, {"type": "opener_set", "seat": 1}, 2, "used") == 201
    page.goto(address)
    kept(page, match_id, 3)
    page.goto("/rules")
    item = {"key": "used", "path": f"/m/{match_id}/undo", "form": {"version": "3"}, "events": [{"type": "undone"}]}
    page.evaluate(ALTERS, [match_id, "line", item])
    sent: list[int] = []
    page.on("response", lambda answer: sent.append(answer.status) if answer.request.method == "POST" else None)
    page.goto(address)
    expect(page.locator("#kept")).to_contain_text(DOES_NOT_FIT)
    assert 422 in sent
    sent.clear()
    page.goto(address)
    expect(page.locator("#kept")).to_contain_text(DOES_NOT_FIT)
    page.wait_for_load_state("networkidle")
    assert 422 not in sent
    page.locator("#kept [data-drop]").tap()
    expect(page.locator("#kept")).to_have_count(0)
    expect(page.locator(".rounds > li")).to_have_count(1)


def test_a_damaged_record_harms_no_other_match(phone: Phone, own_server: Server, again: Any) -> None:
    page = phone.open()
    address = opened(page)
    for damaged in ({"id": "zzz"}, {"id": "zzy", "events": [None], "here": {}, "line": []}):
        page.evaluate(ALTERS, [damaged["id"], "put", damaged])
    own_server.kill()
    block.enter(page, 0, 5, 5, 10)
    expect(page.locator("#kept")).to_contain_text("1 round on this phone only")
    page.goto("/")
    expect(page.locator(".matchcard")).to_have_count(1)
    page.goto(address)
    expect(page.locator(".rounds > li")).to_have_count(2)
    again()
    on_server(page)
    assert len(true_tally(page, address)["rounds"]) == 2


def test_a_phone_that_knows_more_than_the_server_learns_anew(phone: Phone, own_server: Server, again: Any) -> None:
    """After a restore from an older copy: what was entered since goes up; what only the phone knows is asked about."""
    page, address, match_id = alone_after_a_round(phone, own_server)
    page.evaluate(ALTERS, [match_id, "longer"])
    page.reload()
    expect(page.locator(".rounds > li")).to_have_count(2)
    block.enter(page, 0, 5, 5, 10)
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    again()
    until(page, f"async () => (await ({KEEPS})({match_id!r})).join() === '3,0'")
    expect(page.locator("#kept")).to_contain_text(DOES_NOT_FIT)
    assert len([url for url in sent if url.endswith("/events")]) == 2
    expect(page.locator(".rounds > li")).to_have_count(2)
    assert totals(page) == true_tally(page, address)["totals"] == [63, 0, 0, 0]


def test_an_undo_of_what_the_server_lost_takes_nothing_else_back(phone: Phone, own_server: Server, again: Any) -> None:
    page, address, match_id = alone_after_a_round(phone, own_server)
    page.evaluate(ALTERS, [match_id, "longer"])
    page.reload()
    expect(page.locator(".rounds > li")).to_have_count(2)
    page.tap("form[action$='/undo'] button")
    expect(page.locator(".rounds > li")).to_have_count(1)
    block.enter(page, 0, 5, 5, 10)
    again()
    expect(page.locator("#kept")).to_contain_text(DOES_NOT_FIT)
    until(page, f"async () => (await ({KEEPS})({match_id!r}))[1] === 0")
    expect(page.locator(".rounds > li")).to_have_count(2)
    assert totals(page) == true_tally(page, address)["totals"] == [63, 0, 0, 0]


def test_a_match_that_is_known_by_its_new_name_already_keeps_its_line(phone: Phone, own_server: Server) -> None:
    """The phone's own module: two records of one match become one."""
    page = phone.open()
    opened(page)
    told = page.evaluate(
        """async () => {
          const own = document.querySelector("script[src*='js/save']").src;
          const queue = await import(own.replace(/save.js.*/, "queue.js"));
          const item = (key) => ({ key, path: "/m/x/round", form: {}, at: "" });
          const [one, two] = [{ type: "created", at: "" }, { type: "finished", at: "" }];
          await queue.change("x", () => ({ id: "x", here: {}, events: [one, two], line: [item("a"), item("b")] }));
          await queue.change("here-x", () => ({ id: "here-x", here: {}, events: [], line: [item("b"), item("c")] }));
          await queue.rename("here-x", "x", (old) => ({ ...old, events: [one] }));
          const { id, events, line } = await queue.get("here-x");
          return [id, events.length, line.map(({ key }) => key).join("")];
        }"""
    )
    assert told == ["x", 2, "abc"]


@pytest.mark.parametrize("saves", [True, False])
def test_a_first_visit_fetches_the_engine_late_and_not_where_data_is_saved(saves: bool, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.install()
    page.add_init_script(f"Object.defineProperty(navigator.connection, 'saveData', {{ value: {str(saves).lower()} }})")
    page.goto("/", wait_until="load")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "keep.js" in url or "/runtime" in url]
    with contextlib.nullcontext() if saves else page.expect_request("**/js/keep.js"):
        page.clock.run_for(60_000)
    assert any("keep.js" in url for url in asked) is not saves


def test_a_page_that_loses_the_network_early_makes_no_error(page: Page) -> None:
    """Before it has fetched what makes the app go on without one."""
    wrong = mistakes(page)
    page.clock.install()
    page.goto("/", wait_until="load")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    with page.expect_event("requestfailed", lambda request: "keep.js" in request.url):
        page.clock.run_for(60_000)
    page.evaluate("() => new Promise((done) => done())")
    assert wrong == []


@pytest.mark.parametrize("granted", [True, False])
def test_the_phone_is_asked_to_keep_what_is_only_here_and_a_file_is_offered(
    granted: bool, phone: Phone, own_server: Server
) -> None:
    """Not before something is only here; where it does not promise, the match can be exported."""
    page = phone.open()
    page.set_default_timeout(BOOT)
    answer = str(granted).lower()
    page.add_init_script(
        f"navigator.storage.persist = async () => (sessionStorage.setItem('asked', 'yes'), {answer})"
    )
    start(page, "block")
    kept(page, id_of(page), 1)
    asked = "() => sessionStorage.getItem('asked')"
    own_server.kill()
    page.reload()
    expect(page.locator("#kept")).to_contain_text("No network. What you enter is kept on this phone")
    assert page.evaluate(asked) is None
    block.enter(page, 0, 9, 14, 20)
    expect(page.locator("#kept")).to_contain_text("1 round on this phone only")
    page.wait_for_function(asked)
    expect(page.locator("#kept a")).to_have_count(0 if granted else 1)
    if not granted:
        with page.expect_download() as downloaded:
            page.locator("#kept a").tap()
        assert '"rounds"' in downloaded.value.path().read_text()
