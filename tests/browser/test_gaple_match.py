"""A whole match of Gaple by touch: discards, a tie only tiles can settle, a correction three back, the end."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.tables import agrees, start


def ending(page: Page, out: int | None) -> None:
    """Opens the entry page and says how the round ended."""
    page.tap("a.go")
    page.tap("[data-ending=blocked]" if out is None else f"[data-seat='{out}']")


def number(page: Page, pips: int | None) -> None:
    """Answers the question being asked; None: nothing was discarded."""
    page.tap("#none" if pips is None else f"#grid [data-n='{pips}']")


def enter(page: Page, out: int | None, *answers: int | None) -> None:
    """Enters a round: hand and discards of each seat in turn; who went out is asked for discards only."""
    before = page.locator(".rounds > li").count()
    ending(page, out)
    for answer in answers:
        number(page, answer)
    page.tap("#save")
    page.wait_for_url("**/m/*")
    expect(page.locator(".rounds > li")).to_have_count(before + 1)


def test_a_whole_match_with_a_tie_a_correction_three_back_and_the_end(page: Page) -> None:
    address = start(page, "gaple", rounds="5")
    enter(page, 0, None, 9, None, 4, 3, 12, None)
    expect(page.locator(".head .note")).to_contain_text("round 2 of 5")

    ending(page, None)
    for answer in (4, None, 10, None, 2, 2, 12, None):
        number(page, answer)
    expect(page.locator("#preview")).to_contain_text("Ani and Citra")
    expect(page.locator("#ask")).to_contain_text("Ani: lowest tile")
    page.tap("#pad [data-tile='2-2']")
    expect(page.locator("#ask")).to_contain_text("Citra: lowest tile")
    page.tap("#pad [data-tile='0-2']")
    expect(page.locator("#preview [data-ok]")).to_contain_text("Citra wins the tie")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    expect(page.locator(".rounds summary").first).to_contain_text("Citra wins the tie by the lowest tile")

    enter(page, 1, 8, None, 3, 6, None, 11, None)
    enter(page, 2, 5, None, 6, None, None, 4, None)
    assert agrees(page, address)["status"] == "playing"

    page.locator(".round").nth(3).locator("summary").tap()
    page.locator(".round").nth(3).locator("a", has_text="Correct").tap()
    page.tap("[data-seat='1']")
    page.tap("#grid [data-n='2']")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    tally = agrees(page, address)
    assert tally["rounds"][0]["points"] == [0, 2, 7, 12]

    enter(page, 3, 1, None, 12, None, 10, None, None)
    tally = agrees(page, address)
    assert tally["status"] == "finished"
    expect(page.locator(".over h2")).to_contain_text("wins the match")


def test_a_tie_that_was_saved_open_waits_and_says_so(page: Page) -> None:
    address = start(page, "gaple")
    ending(page, None)
    for answer in (4, None, 10, None, 4, None, 12, None):
        number(page, answer)
    expect(page.locator("#ask")).to_contain_text("lowest tile")
    page.evaluate("document.getElementById('entry').submit()")
    page.wait_for_url("**/m/*")
    assert agrees(page, address)["rounds"][0]["needs"] == {"lowest": [0, 2]}
    page.locator(".warn a").tap()
    expect(page.locator("#ask")).to_contain_text("Ani: lowest tile")
    page.tap("#pad [data-tile='0-4']")
    page.tap("#pad [data-tile='1-3']")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    verdict = agrees(page, address)["rounds"][0]
    assert verdict["winner"] == 0 and verdict["decided_by"] == "lowest_end"


def test_an_impossible_discard_form_is_warned_about_and_never_refused(page: Page) -> None:
    address = start(page, "gaple")
    ending(page, 0)
    for answer in (None, 13, None, 4, None, 12, None):
        number(page, answer)
    expect(page.locator("#preview .warn")).to_contain_text("Budi")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    assert agrees(page, address)["rounds"][0]["warnings"][0]["seats"] == [1]


def test_partners_and_the_double_blank(page: Page) -> None:
    address = start(page, "gaple", double_blank_25="on")
    page.goto("/new/gaple")
    page.locator("label:has([name=sides][value='1'])").tap()
    for seat, name in enumerate(("Ani", "Budi", "Citra", "Dewi")):
        page.fill(f"#name-{seat}", name)
    page.tap("details.fold summary")
    page.locator("label:has([name='rule-double_blank_25'][value=on])").tap()
    page.tap("button[name=start]")
    page.wait_for_url("**/m/*")
    address = page.url
    ending(page, 0)
    page.tap("#mode")
    page.tap("#none")
    for tile in ("0-0", "1-2", "6-6"):
        page.tap(f"#pad [data-tile='{tile}']")
        page.tap("#next")
        page.tap("#none")
    expect(page.locator("#preview [data-ok]")).to_contain_text("counts 25")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    assert agrees(page, address)["totals"] == [3, 37]
