"""Five phones on one match, one of them without a network for a while: all come to the same totals."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.handset import BOOT, needs_engine
from tests.browser.joining import answer, join, save, share, shows, stayed, stays
from tests.browser.tables import start, true_tally
from tests.browser.test_offline_scoring import id_of, kept


def enter_alone(page: Page, waiting: str, winner: int, *pips: int) -> None:
    """Enters a round on a phone without a network."""
    page.tap("a.go")
    page.tap(f"[data-seat='{winner}']")
    for number in pips:
        page.tap(f"#grid [data-n='{number}']")
    page.tap("#save")
    expect(page.locator("#kept")).to_contain_text(waiting, timeout=BOOT)


def test_five_phones_come_to_the_same_totals(phone: Callable[..., Page]) -> None:
    needs_engine()
    owner = phone()
    address = start(owner, "block")
    score, watch = share(owner, "scorer"), share(owner, "watcher")
    owner.goto(address)
    scorer, watcher = join(phone(), score, "Budi"), join(phone(color_scheme="dark"), watch)
    leaver = join(phone(service_workers="allow"), score, "Citra")
    leaver.set_default_timeout(BOOT)
    for page in (owner, watcher, leaver):
        stays(page)

    # One scores.
    answer(scorer, 0, 9, 14, 20)
    save(scorer)
    for page in (owner, watcher, leaver):
        shows(page, 43, 0, 0, 0)
        assert stayed(page)

    # One has no network and scores two rounds of its own.
    kept(leaver, id_of(leaver), 2)
    leaver.context.set_offline(True)
    expect(leaver.locator(".toast.away")).to_be_visible()
    enter_alone(leaver, "1 round on this phone only", 2, 2, 3, 4)
    enter_alone(leaver, "2 rounds on this phone only", 3, 1, 1, 1)
    shows(leaver, 43, 0, 9, 3)

    # Meanwhile another corrects at the same moment as the first one enters the next round.
    owner.locator(".round summary").last.tap()
    owner.locator(".round a", has_text="Correct").last.tap()
    owner.tap("[data-seat='3']")
    owner.tap("#grid [data-n='30']")
    answer(scorer, 1, 1, 2, 3)
    save(owner)
    shows(owner, 53, 0, 0, 0)
    scorer.tap("#save")
    expect(scorer.locator("#meanwhile")).to_be_visible()
    save(scorer)
    for page in (owner, watcher, scorer):
        shows(page, 53, 6, 0, 0)
    assert stayed(watcher)

    # It comes back, says that its first round is not the one that was entered meanwhile, and somebody comes late.
    leaver.context.set_offline(False)
    expect(leaver.locator("#meanwhile")).to_be_visible(timeout=BOOT)
    late = join(phone(), watch, "Dewi")
    leaver.get_by_text("It is the next round", exact=True).tap()
    for page in (leaver, late, owner, scorer, watcher):
        shows(page, 53, 6, 9, 3)
    expect(leaver.locator("#kept")).to_have_count(0, timeout=BOOT)
    assert stayed(watcher)

    answer(owner, 2, 4, 5, 6)
    save(owner)
    told = true_tally(owner, address)["totals"]
    for page in (owner, scorer, watcher, leaver, late):
        shows(page, *told)
    assert told == [53, 6, 24, 3]
    owner.goto(f"{address}/history")
    by = ["· Phone 1", "· Citra", "· Citra", "· Budi", "· Phone 1", "· Budi"]
    expect(owner.locator(".history .by")).to_have_text(by)
