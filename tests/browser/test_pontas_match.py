"""A whole match of Quatro Pontas by touch: taps while the round is played, undo, a correction three back, the end."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.joining import deaf
from tests.browser.mistakes import mistakes
from tests.browser.tables import agrees, start, true_tally


def open_round(page: Page) -> None:
    page.tap("a.go")
    expect(page.locator(".fives").first).to_be_visible()
    page.wait_for_load_state("load")  # before that taps are plain forms


def tap(page: Page, side: int, points: int) -> None:
    """One scoring play; its answer is not waited for."""
    page.tap(f"[value='play:{side}:{points}']")


def settled(page: Page, plays: int) -> None:
    """Waits until every tap was answered and the page shows so many plays of the round."""
    expect(page.locator("#main")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator(".strip li:not(.sending, .soft)")).to_have_count(plays)
    expect(page.locator(".strip .sending")).to_have_count(0)


def end(page: Page, ending: str) -> None:
    """Ends the round and waits for the table screen."""
    page.tap("#over summary")
    page.tap(f"#over [value='{ending}']")
    expect(page.locator(".rounds > li").first).to_be_visible()


def play(page: Page, ending: str, *plays: tuple[int, int]) -> None:
    """A whole round from the table screen and back to it."""
    open_round(page)
    for side, points in plays:
        tap(page, side, points)
    settled(page, min(7, len(plays)))
    end(page, ending)


def live_totals(page: Page) -> list[int]:
    """The running totals on the page of the round that is played."""
    return [int(text) for text in page.locator("[data-total]").all_inner_texts()]


def test_a_whole_match_with_undo_a_correction_three_back_and_the_end(page: Page) -> None:
    address = start(page, "pontas")
    open_round(page)
    expect(page.locator(".scored")).to_contain_text("6-6 leads")
    page.tap("#credit-0-2 + .who")
    for side, points in ((0, 10), (1, 25), (0, 5)):
        tap(page, side, points)
    settled(page, 3)
    assert live_totals(page) == [15, 25]
    expect(page.locator(".strip li").first).to_contain_text("Citra +5")

    page.tap("[aria-label=Undo]")
    settled(page, 2)
    assert live_totals(page) == [10, 25] == true_tally(page, address)["totals"]
    end(page, "domino:2")
    assert agrees(page, address)["totals"] == [10, 25]

    play(page, "blocked", (0, 15), (1, 10))
    play(page, "domino:1", (1, 5), (1, 20), (0, 30))
    play(page, "domino:0", (0, 20))
    tally = agrees(page, address)
    assert tally["totals"] == [75, 60]
    assert [verdict["winner_seat"] for verdict in tally["rounds"]] == [2, None, 1, 0]

    page.locator(".round").nth(3).locator("summary").tap()
    page.locator(".round").nth(3).locator("a", has_text="Correct").tap()
    page.select_option("[name=points-1]", "15")
    expect(page.locator("#preview [data-ok]")).to_contain_text("50")
    page.tap("#save")
    expect(page.locator(".rounds > li").first).to_be_visible()
    tally = agrees(page, address)
    assert tally["totals"] == [75, 50] and tally["rounds"][0]["points"] == [10, 15]

    open_round(page)
    tap(page, 0, 25)
    expect(page.locator(".reached")).to_contain_text("100 reached: played to the end of the round")
    tap(page, 1, 30)
    tap(page, 1, 25)
    settled(page, 3)
    assert live_totals(page) == [100, 105]
    assert true_tally(page, address)["status"] == "playing"
    end(page, "domino:3")
    tally = agrees(page, address)
    assert tally["status"] == "finished" and tally["winners"] == [1]
    expect(page.locator(".over h2")).to_contain_text("Budi and Dewi")

    page.tap("form[action$='/undo'] button")
    expect(page.locator(".over")).to_have_count(0)
    open_round(page)
    assert live_totals(page) == [100, 105]


def test_fast_taps_on_different_buttons_are_all_counted_in_their_order(page: Page) -> None:
    address = start(page, "pontas")
    open_round(page)
    wanted = [(0, 5), (1, 10), (0, 15), (0, 15), (1, 30), (0, 5)]
    page.evaluate(
        "all => all.forEach((value) => document.querySelector(`[value='play:${value}']`).click())",
        [f"{side}:{points}" for side, points in wanted],
    )
    assert live_totals(page) == [40, 40]  # shown at once, before they are answered
    settled(page, 6)
    assert live_totals(page) == [40, 40] == true_tally(page, address)["totals"]
    plays = page.request.get(f"{address}/match.json").json()["rounds"][0]["plays"]
    assert [(seat % 2, points) for seat, points in plays] == wanted


def test_a_double_tap_on_the_ending_ends_one_round(page: Page) -> None:
    address = start(page, "pontas")
    open_round(page)
    tap(page, 0, 5)
    settled(page, 1)
    page.tap("#over summary")
    page.locator("#over [value='blocked']").dblclick()
    expect(page.locator(".rounds > li")).to_have_count(1)
    page.wait_for_timeout(300)
    assert len(true_tally(page, address)["rounds"]) == 1


def test_what_cannot_be_sent_stays_and_is_sent_later(page: Page) -> None:
    address = start(page, "pontas")
    open_round(page)
    page.context.set_offline(True)
    tap(page, 0, 5)
    tap(page, 1, 10)
    expect(page.locator("#unsent")).to_contain_text("Not sent yet: 2")
    assert live_totals(page) == [5, 10]
    page.context.set_offline(False)
    settled(page, 2)
    expect(page.locator("#unsent")).to_be_hidden()
    assert true_tally(page, address)["totals"] == [5, 10]


def test_what_cannot_be_sent_can_be_dropped(page: Page) -> None:
    address = start(page, "pontas")
    open_round(page)

    def broken(route: Route) -> None:
        route.fulfill(status=502, body="") if route.request.method == "POST" else route.continue_()

    page.route("**/round", broken)
    tap(page, 0, 5)
    page.tap("#unsent [data-again]")
    expect(page.locator("#unsent")).to_be_visible()
    page.tap("#unsent [data-drop]")
    expect(page.locator("#unsent")).to_be_hidden()
    assert live_totals(page) == [0, 0] == true_tally(page, address)["totals"]


def test_the_open_ends_are_summed_and_scored_with_one_tap(page: Page) -> None:
    address = start(page, "pontas")
    open_round(page)
    page.tap("#ends summary")
    page.tap("[data-end='66']")
    expect(page.locator(".endsum")).to_contain_text("12")
    expect(page.locator("[value='ends:1']")).to_be_disabled()
    page.tap("[data-end='3']")
    expect(page.locator(".endsum")).to_contain_text("15")
    page.tap("[value='ends:1']")
    settled(page, 1)
    assert live_totals(page) == [0, 15]

    # The ends stay on the table: only the one that was played on is tapped anew.
    page.tap("[data-slot='1']")
    page.tap("[data-end='44']")
    expect(page.locator(".endsum")).to_contain_text("20")
    page.tap("[value='ends:0']")
    settled(page, 2)
    assert live_totals(page) == [20, 15] == true_tally(page, address)["totals"]
    page.keyboard.press("Escape")
    expect(page.locator("[data-end='44']")).to_be_hidden()


def test_house_rules_change_what_can_be_tapped_and_what_is_asked(page: Page) -> None:
    address = start(page, "pontas", out_bonus="on", pass_bonus="20", score_35="on")
    open_round(page)
    tap(page, 0, 35)
    page.tap("[value='bonus:1']")
    settled(page, 2)
    assert live_totals(page) == [35, 20]
    page.tap("#over summary")
    page.tap("#over [value='domino:0']")
    expect(page.locator("#over .ask")).to_contain_text("Budi: pips left")
    page.tap("#over [name='hands-1'][value='14']")
    expect(page.locator("#over .ask")).to_contain_text("Dewi: pips left")
    assert true_tally(page, address)["rounds"][0]["decided_by"] is None
    page.tap("#over [name='hands-3'][value='9']")
    expect(page.locator(".rounds > li").first).to_be_visible()
    tally = agrees(page, address)
    assert tally["totals"] == [55, 20]


def test_a_round_in_play_fits_the_screen(page: Page) -> None:
    start(page, "pontas", out_bonus="on", pass_bonus="20", score_35="on", target="50")
    open_round(page)
    for side in (0, 1, 0, 1, 0, 1, 0, 1):
        tap(page, side, 30)
    expect(page.locator(".reached")).to_be_visible()
    settled(page, 7)
    for panel in ("", "#ends summary", "#over summary"):
        if panel:
            page.tap(panel)
        size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        boxes = [button.bounding_box() for button in page.locator(".fives button").all()]
        assert size == [390, 844]
        assert len(boxes) == 16 and all(box and box["height"] >= 60 for box in boxes)


def test_two_phones_score_at_once(new_context: Callable[..., BrowserContext]) -> None:
    first = new_context().new_page()
    address = start(first, "pontas")
    second = deaf(new_context(storage_state=first.context.storage_state())).new_page()
    wrong = mistakes(second)
    second.goto(f"{address}/round")
    open_round(first)
    tap(first, 0, 10)
    settled(first, 1)

    tap(second, 1, 25)
    expect(second.locator("#meanwhile")).to_be_visible()
    expect(second.locator(".meanwhile li")).to_contain_text("Ani +10")
    expect(second.locator(".meanwhile")).to_contain_text("Not counted yet: Budi +25")
    assert true_tally(first, address)["totals"] == [10, 0]
    second.locator(".meanwhile button", has_text="Count it too").tap()
    settled(second, 2)
    assert live_totals(second) == [10, 25] == true_tally(first, address)["totals"]
    assert wrong == []


def test_without_a_script_every_tap_is_a_form(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(java_script_enabled=False).new_page()
    address = start(page, "pontas")
    page.tap("a.go")
    page.locator("label:has(#credit-1-3)").tap()
    page.tap("[value='play:1:10']")
    expect(page.locator(".strip li")).to_have_count(1)
    page.tap("#ends summary")
    page.select_option("#end-0", "55")
    page.select_option("#end-1", "2")
    page.tap("[value='ends:0']")
    expect(page.locator("p.warn.bad")).to_contain_text("12 scores nothing")
    page.tap("#ends summary")
    page.select_option("#end-1", "0")
    page.tap("[value='ends:0']")
    expect(page.locator(".strip li")).to_have_count(2)
    page.tap("[aria-label=Undo]")
    expect(page.locator(".strip li")).to_have_count(1)
    page.tap("#over summary")
    page.tap("#over [value='domino:3']")
    page.wait_for_url("**/m/*")
    tally = agrees(page, address)
    assert tally["totals"] == [0, 10] and tally["rounds"][0]["winner_seat"] == 3
