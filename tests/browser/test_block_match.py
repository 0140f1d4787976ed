"""A whole match of Block to 100 by touch: six taps a round, ties, a correction three rounds back, the end."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.tables import agrees, start, totals, true_tally


class Taps:
    """Taps, and counts them."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, selector: str) -> None:
        self.page.tap(selector)
        self.count += 1


def enter(page: Page, winner: int | None, *pips: int) -> int:
    """Enters a round from the table screen; `winner` None is a block. Returns the taps it took, saved and shown."""
    tap, before = Taps(page), page.locator(".rounds > li").count()
    tap("a.go")
    tap("[data-ending=blocked]" if winner is None else f"[data-seat='{winner}']")
    for number in pips:
        tap(f"#grid [data-n='{number}']")
    tap("#save")
    page.wait_for_url("**/m/*")
    expect(page.locator(".rounds > li")).to_have_count(before + 1)
    return tap.count


def test_a_round_by_numbers_takes_at_most_six_taps(page: Page) -> None:
    address = start(page, "block")
    assert enter(page, 0, 9, 14, 20) <= 6
    assert totals(page) == [43, 0, 0, 0]
    agrees(page, address)


def test_a_whole_match_with_ties_a_correction_three_back_and_the_end(page: Page) -> None:
    address = start(page, "block")
    enter(page, 0, 9, 14, 20)
    enter(page, None, 9, 14, 9, 20)
    expect(page.locator(".rounds summary").first).to_contain_text("Push")
    enter(page, 2, 12, 5, 7)
    enter(page, 3, 3, 3, 3)
    tally = agrees(page, address)
    assert tally["totals"] == [43, 0, 24, 9]
    expect(page.locator(".opens")).to_contain_text("Dewi")

    page.locator(".round").nth(3).locator("summary").tap()
    page.locator(".round").nth(3).locator("a", has_text="Correct").tap()
    page.tap("[data-seat='3']")
    page.tap("#grid [data-n='30']")
    expect(page.locator("#preview")).to_contain_text("9 + 14 + 30")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    assert agrees(page, address)["totals"] == [53, 0, 24, 9]

    enter(page, 0, 20, 20, 20)
    tally = agrees(page, address)
    assert tally["status"] == "finished" and tally["winners"] == [0]
    expect(page.locator(".over h2")).to_contain_text("Ani wins the match")

    page.tap("form[action$='/undo'] button")
    expect(page.locator(".over")).to_have_count(0)
    assert agrees(page, address)["totals"] == [53, 0, 24, 9]


def test_the_round_that_ended_the_match_can_be_corrected_and_the_match_goes_on(page: Page) -> None:
    address = start(page, "block")
    enter(page, 1, 40, 40, 40)
    assert agrees(page, address)["status"] == "finished"
    page.locator(".round summary").first.tap()
    page.locator(".round a", has_text="Correct").first.tap()
    page.tap("[data-seat='3']")
    page.tap("#grid [data-n='4']")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    tally = agrees(page, address)
    assert tally["status"] == "playing" and tally["totals"] == [0, 84, 0, 0]


def test_by_tiles_used_ones_are_greyed_and_the_verdict_comes_before_saving(page: Page) -> None:
    address = start(page, "block")
    page.tap("a.go")
    page.tap("[data-seat='3']")
    page.tap("#mode")
    page.tap("#pad [data-tile='6-6']")
    page.tap("#next")
    expect(page.locator("#pad [data-tile='6-6']")).to_be_disabled()
    page.tap("#pad [data-tile='0-0']")
    page.tap("#next")
    page.tap("#pad [data-tile='1-2']")
    page.tap("#pad [data-tile='5-5']")
    page.tap("#next")
    expect(page.locator("#preview [data-ok]")).to_contain_text("12 + 0 + 13")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    assert agrees(page, address)["totals"] == [0, 0, 0, 25]


def test_blank_is_never_zero(page: Page) -> None:
    address = start(page, "block")
    page.tap("a.go")
    page.tap("[data-seat='0']")
    page.tap("#grid [data-n='9']")
    page.locator("#save").tap(force=True)
    page.wait_for_timeout(300)
    assert page.url.endswith("/round")
    expect(page.locator("#ask")).to_contain_text("Citra")
    assert true_tally(page, address)["rounds"] == []


def test_a_double_tap_on_save_enters_one_round(page: Page) -> None:
    address = start(page, "block")
    page.tap("a.go")
    for selector in ("[data-seat='0']", "#grid [data-n='1']", "#grid [data-n='2']", "#grid [data-n='3']"):
        page.tap(selector)
    page.locator("#save").dblclick()
    page.wait_for_url("**/m/*")
    assert len(true_tally(page, address)["rounds"]) == 1


def test_without_a_script_the_plain_fields_do(new_context, base_url: str) -> None:
    page = new_context(java_script_enabled=False).new_page()
    address = start(page, "block")
    page.tap("a.go")
    page.locator("label", has_text="Went out: Budi").tap()
    page.fill("#hands-0", "12")
    page.fill("#hands-2", "1-1 2-5")
    page.tap("#save")
    expect(page.locator("#preview")).to_contain_text("Dewi")
    assert page.input_value("#hands-2") == "1-1 2-5"
    page.fill("#hands-3", "4")
    page.tap("#save")
    page.wait_for_url("**/m/*")
    assert agrees(page, address)["totals"] == [0, 25, 0, 0]
