"""A whole match of Gaple by touch: discards, a tie only tiles can settle, a correction three back, the end."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.tables import agrees, start


def ending(page: Page, out: int | None) -> None:
    """Opens the entry page and says how the round ended."""
    page.tap("a.go")
    page.tap("[data-ending=blocked]" if out is None else f"[data-seat='{out}']")


def answer(page: Page, hands: list[int], discards: list[int | None]) -> None:
    """Answers what is asked: the hands of those who did not go out, then the discards (None: nothing)."""
    for pips in hands + discards:
        page.tap("#none" if pips is None else f"#grid [data-n='{pips}']")


def enter(page: Page, out: int | None, hands: list[int], discards: list[int | None]) -> None:
    """Enters a round from the table screen."""
    before = page.locator(".rounds > li").count()
    ending(page, out)
    answer(page, hands, discards)
    page.tap("#save")
    page.wait_for_url("**/m/*")
    expect(page.locator(".rounds > li")).to_have_count(before + 1)


def test_a_whole_match_with_a_tie_a_correction_three_back_and_the_end(page: Page) -> None:
    address = start(page, "gaple", rounds="5")
    enter(page, 0, [9, 4, 12], [None, None, 3, None])
    expect(page.locator(".head .note")).to_contain_text("round 2 of 5")

    ending(page, None)
    answer(page, [4, 10, 2, 12], [None, None, 2, None])
    expect(page.locator("#preview")).to_contain_text("Ani and Citra")
    expect(page.locator("#ask")).to_contain_text("Ani: lowest tile")
    page.tap("#pad [data-tile='2-2']")
    expect(page.locator("#ask")).to_contain_text("Citra: lowest tile")
    page.tap("#pad [data-tile='0-2']")
    expect(page.locator("#preview [data-ok]")).to_contain_text("Citra wins the tie")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    expect(page.locator(".rounds summary").first).to_contain_text("Citra wins the tie by the lowest tile")

    enter(page, 1, [8, 6, 11], [None, 3, None, None])
    enter(page, 2, [5, 6, 4], [None] * 4)
    assert agrees(page, address)["status"] == "playing"

    page.locator(".round").nth(3).locator("summary").tap()
    page.locator(".round").nth(3).locator("a", has_text="Correct").tap()
    page.tap("[data-seat='1']")
    page.tap("#grid [data-n='2']")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    tally = agrees(page, address)
    assert tally["rounds"][0]["points"] == [0, 2, 7, 12]

    enter(page, 3, [1, 12, 10], [None] * 4)
    tally = agrees(page, address)
    assert tally["status"] == "finished"
    expect(page.locator(".over h2")).to_contain_text("wins the match")


def test_a_tie_that_was_saved_open_waits_and_says_so(page: Page) -> None:
    address = start(page, "gaple")
    ending(page, None)
    answer(page, [4, 10, 4, 12], [None] * 4)
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


def test_a_wrong_lowest_tile_is_named_and_asked_for_again(page: Page) -> None:
    address = start(page, "gaple")
    ending(page, None)
    answer(page, [4, 4, 4, 12], [])
    page.tap("#nobody")
    page.tap("#pad [data-tile='0-4']")
    page.tap("#pad [data-tile='6-6']")
    page.tap("#pad [data-tile='1-3']")
    expect(page.locator("#preview .error")).to_contain_text("6-6 cannot be the lowest tile of Budi")
    expect(page.locator("#ask")).to_contain_text("Budi: lowest tile")
    expect(page.locator("#save")).to_have_attribute("aria-disabled", "true")
    page.tap("#pad [data-tile='2-2']")
    expect(page.locator("#preview [data-ok]")).to_contain_text("0-4 beats")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    assert agrees(page, address)["rounds"][0]["winner"] == 0


def test_an_impossible_discard_form_is_warned_about_and_never_refused(page: Page) -> None:
    address = start(page, "gaple")
    ending(page, 0)
    answer(page, [13, 4, 12], [None] * 4)
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
    for tile in ("0-0", "1-2", "6-6"):
        page.tap(f"#pad [data-tile='{tile}']")
        page.tap("#next")
    page.tap("#nobody")
    expect(page.locator("#preview [data-ok]")).to_contain_text("counts 25")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    assert agrees(page, address)["totals"] == [3, 37]
