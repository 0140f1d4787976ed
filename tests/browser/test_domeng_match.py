"""Domeng by touch: stones move with each pass, the table runs dry, corrections, camat, the end; and turn by turn."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from scorekeeper.core.tally import tally_document
from tests.browser.tables import agrees, start, true_tally

FIVE = ("Ani", "Budi", "Citra", "Dewi", "Eko")
PLACES = ".stonetable [data-held]"


def answered(page: Page) -> None:
    """Waits until every tap so far has its answer on the screen."""
    expect(page.locator("#main")).to_have_attribute("aria-busy", "false")


def taps(page: Page, *operations: str) -> None:
    for operation in operations:
        page.tap(f"button[value='{operation}']")
        answered(page)


def stones(page: Page) -> list[int]:
    """The stones drawn before each player and, last, on the table. What is written there is the same."""
    drawn = page.locator(f"{PLACES} .held").evaluate_all("piles => piles.map((pile) => pile.children.length)")
    written = [int(text) for text in page.locator(f"{PLACES} .num").all_inner_texts()]
    assert drawn == written
    return written


def stones_agree(page: Page, address: str) -> dict[str, Any]:
    tally = true_tally(page, address)
    assert stones(page) == [*tally["totals"], tally["table"]]
    return tally


def enter(page: Page) -> None:
    page.tap("a.go")
    page.wait_for_url("**/round")  # and loaded, its script too


def saved(page: Page, rounds: int) -> None:
    """Saves the round and waits for the table screen that shows so many."""
    expect(page.locator("#preview [data-ok]")).to_be_visible()
    page.tap("#save")
    expect(page.locator(".rounds > li")).to_have_count(rounds)


def out(page: Page, ended: str, seat: int, rounds: int) -> None:
    page.tap(f"[data-ended={ended}]")
    page.tap(f"#who [data-seat='{seat}']")
    saved(page, rounds)


def manguno(page: Page, seat: int, pips: list[int], rounds: int) -> None:
    page.tap("[data-ended=manguno]")
    page.tap(f"#who [data-seat='{seat}']")
    for _ in pips:
        page.tap(f"#grid [data-n='{pips[asked(page)]}']")
    saved(page, rounds)


def asked(page: Page) -> int:
    """The seat whose pips are asked."""
    return int(page.locator("#who .now").get_attribute("data-seat") or "")


def test_a_whole_match_with_an_empty_table_a_correction_three_back_and_the_end(page: Page) -> None:
    address = start(page, "domeng", FIVE, camats="1")
    enter(page)
    assert stones(page) == [0, 0, 0, 0, 0, 25]
    taps(page, "pass:1", "bunge:2", "pass:3")
    stones_agree(page, address)
    page.tap(".newest [aria-label=Undo]")
    answered(page)
    assert stones_agree(page, address)["totals"] == [0, 1, 2, 0, 0]
    taps(page, "pass:4")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    out(page, "ceki", 3, 1)
    tally = agrees(page, address)
    assert tally["totals"] == [0, 1, 5, 0, 1] and tally["table"] == 18
    expect(page.locator(".opens")).to_contain_text("Dewi")

    enter(page)
    taps(page, "bunge:0", "pass:1")
    manguno(page, 3, [9, 12, 4, 8, 11], 2)  # Citra alone is lower
    tally = agrees(page, address)
    assert tally["rounds"][1]["decided_by"] == "mattikkeng"
    assert tally["totals"] == [3, 3, 6, 6, 2] and tally["table"] == 5

    enter(page)
    taps(page, "bunge:0", "bunge:1", "bunge:2")  # the table has one left for the third
    expect(page.locator("#unsaid .now")).to_contain_text("Eko")  # everyone between had just passed
    assert stones(page) == [5, 5, 7, 6, 2, 0]
    expect(page.locator("#ways")).to_have_count(0)
    taps(page, "after:2:4")
    assert stones_agree(page, address)["totals"] == [5, 5, 8, 6, 1]
    taps(page, "pass:3", "after:3:4")
    assert stones(page) == [5, 5, 8, 7, 0, 0]
    out(page, "cappu", 3, 3)
    tally = agrees(page, address)
    assert tally["totals"] == [5, 5, 9, 6, 0] and tally["camat"] is None

    enter(page)
    out(page, "cappu", 4, 4)
    tally = agrees(page, address)
    assert tally["status"] == "finished" and tally["winners"] == [4] and tally["table"] == 25
    expect(page.locator(".over h2")).to_contain_text("Eko wins the match")
    expect(page.locator(".over")).to_contain_text("camat")

    page.locator(".round").nth(3).locator("summary").tap()
    page.locator(".round").nth(3).locator("a", has_text="Correct").tap()
    page.select_option("[name=ended]", "cappu")  # it was no ceki: two stones less for Citra
    expect(page.locator("#preview strong")).to_contain_text("Dewi is first cappu")
    page.select_option("[name=kind-0]", "0")  # and Budi had not passed
    expect(page.locator("#preview .then")).to_contain_text("→ 4")
    page.tap("#save")
    page.wait_for_url(address)
    expect(page.locator(".over")).to_have_count(0)
    tally = agrees(page, address)
    assert tally["status"] == "playing" and tally["camat"] is None
    assert page.request.get(f"{address}/match.json").json()["rounds"][0] == {
        "ended": "cappu",
        "by": 3,
        "passes": [{"seat": 2, "bunge": True}, {"seat": 4}],
    }

    page.tap("form[action$='/undo'] button")
    expect(page.locator(".over h2")).to_contain_text("Eko wins the match")
    assert agrees(page, address)["camats"] == [0, 0, 0, 0, 1]


def test_turn_by_turn_tells_everything_and_the_last_tile_tells_the_ending(page: Page) -> None:
    address = start(page, "domeng", FIVE)
    enter(page)
    taps(page, "track")
    expect(page.locator(".newest")).to_contain_text("Who opens?")
    taps(page, "opener:3", "play", "skip", "play")
    expect(page.locator(".place.now")).to_contain_text("Budi")
    expect(page.locator("#turn [value=skip]")).to_contain_text("passebunge")
    expect(page.locator(".place[data-seat='0'] .hand .tile")).to_have_count(4)
    stones_agree(page, address)
    taps(page, "skip")
    page.tap(".newest [aria-label=Undo]")
    answered(page)
    expect(page.locator(".place.now")).to_contain_text("Budi")
    taps(page, "play", "play", "play", "skip")  # Eko's second pass: no tile yet
    assert stones_agree(page, address)["totals"] == [0, 0, 0, 0, 4]
    taps(page, "play", "skip")
    expect(page.locator(".newest")).to_contain_text("Budi passes: 1")
    taps(page, "play", "play", "skip", "play", "skip", "play", "play", "skip", "play", "skip", "play", "play")
    expect(page.locator("#ways")).to_contain_text("Dewi is out. How?")
    page.tap("[data-ended=tile]")
    page.tap("#pad [data-tile='2-5']")
    page.tap("[data-side='0'][data-end='5']")
    page.tap("[data-side='1'][data-end='2']")
    expect(page.locator("#preview strong")).to_contain_text("Ceki by Dewi")
    saved(page, 1)
    tally = agrees(page, address)
    assert tally["rounds"][0]["decided_by"] == "ceki"

    enter(page)  # turns again, and the opener is known
    expect(page.locator(".newest")).to_contain_text("Dewi opens")
    taps(page, "play", "skip", "skip", "play", "skip", "skip", "skip", "skip", "skip")
    expect(page.locator("#doing")).to_contain_text("Manguno: Budi")
    for number in (14, 9, 8, 7, 6):
        page.tap(f"#grid [data-n='{number}']")
    saved(page, 2)
    tally = agrees(page, address)
    assert tally["rounds"][1]["decided_by"] == "mattikkeng"
    document = page.request.get(f"{address}/match.json").json()
    assert [one["after"] for one in document["rounds"][1]["passes"]] == [3, 3, 1, 1, 1, 1, 1]


def test_closing_passes_are_offered_and_tiles_may_be_tapped(page: Page) -> None:
    address = start(page, "domeng", FIVE)
    enter(page)
    taps(page, "pass:2")
    page.tap("[data-ended=manguno]")
    page.tap("#who [data-seat='1']")
    closes = page.locator(".closes:not(.gone)")
    assert closes.evaluate_all("all => all.map((one) => one.dataset.seat)") == ["0", "1", "3", "4"]
    page.tap(".closes[data-seat='4']")  # a passebunge
    page.tap(".closes[data-seat='0']")
    page.tap(".closes[data-seat='0']")  # none after all
    page.tap("#mode")
    page.locator("#who [data-seat='0']").tap()
    for tile in ("1-1", "2-2", "3-3"):
        page.tap(f"#pad [data-tile='{tile}']")
    page.tap("#next")
    expect(page.locator("#pad [data-tile='2-2']")).to_be_disabled()
    page.tap("#mode")
    for number in (5, 20, 21, 22):
        page.tap(f"#grid [data-n='{number}']")
    expect(page.locator("#preview")).to_contain_text("No mattikkeng")
    saved(page, 1)
    assert agrees(page, address)["totals"] == [1, 1, 1, 1, 2]
    assert page.request.get(f"{address}/match.json").json()["rounds"][0]["hands"][0] == ["1-1", "2-2", "3-3"]


def test_a_blank_is_asked_for_and_going_back_forgets_nothing_tapped(page: Page) -> None:
    address = start(page, "domeng", FIVE)
    enter(page)
    taps(page, "pass:1")
    page.tap("[data-ended=manguno]")
    page.tap("#who [data-seat='4']")
    page.tap("#grid [data-n='9']")
    page.locator("#save").tap(force=True)
    expect(page.locator("#ask")).to_contain_text("pips left")
    page.tap("#nevermind")
    expect(page.locator("#taps")).to_be_visible()
    assert stones_agree(page, address)["totals"] == [0, 1, 0, 0, 0]
    assert "ended" not in page.request.get(f"{address}/match.json").json()["rounds"][0]


def test_fast_taps_lose_nothing_and_move_stones_at_once(page: Page) -> None:
    address = start(page, "domeng", FIVE)
    enter(page)
    flying, *drawn = page.evaluate(
        """() => {
          for (const tap of ["pass:0", "bunge:1", "pass:2", "bunge:3", "pass:4"])
            document.querySelector(`button[value="${tap}"]`).click();
          const piles = document.querySelectorAll(".stonetable [data-held] .held");
          const stones = document.getAnimations().filter((one) => one.effect.target.matches(".stone"));
          return [stones.length, ...[...piles].map((pile) => pile.children.length)];
        }"""
    )
    assert drawn == [1, 2, 1, 2, 1, 18]  # before any answer
    assert flying == 7
    answered(page)
    assert stones_agree(page, address)["totals"] == [1, 2, 1, 2, 1]


def test_nothing_flies_where_motion_is_not_welcome(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    start(page, "domeng", FIVE)
    enter(page)
    flying = page.evaluate(
        "() => { document.querySelector('button[value=\"bunge:1\"]').click(); return document.getAnimations().length }"
    )
    assert flying == 0
    answered(page)
    assert stones(page) == [0, 2, 0, 0, 0, 23]


def test_a_long_press_is_a_passebunge(page: Page) -> None:
    address = start(page, "domeng", FIVE)
    enter(page)
    page.hover("button[value='pass:3']")
    page.mouse.down()
    expect(page.locator(".newest")).to_contain_text("Passebunge, Dewi")
    page.mouse.up()
    answered(page)
    assert stones_agree(page, address)["totals"] == [0, 0, 0, 2, 0]


def test_taps_without_a_network_wait_and_are_sent(page: Page) -> None:
    address = start(page, "domeng", FIVE)
    enter(page)
    page.context.set_offline(True)
    page.tap("button[value='pass:1']")
    page.tap("button[value='bunge:0']")
    expect(page.locator("#unsent b")).to_have_text("2")
    assert stones(page) == [2, 1, 0, 0, 0, 22]
    page.context.set_offline(False)
    expect(page.locator("#unsent")).to_be_hidden()
    answered(page)
    assert stones_agree(page, address)["totals"] == [2, 1, 0, 0, 0]


def test_without_a_script_plain_buttons_and_fields_do(new_context: Any, base_url: str) -> None:
    page = new_context(java_script_enabled=False).new_page()
    address = start(page, "domeng", FIVE)
    enter(page)
    for tap in ("pass:1", "bunge:4"):
        page.tap(f"button[value='{tap}']")
        expect(page.locator(".newest")).to_contain_text({"pass:1": "Budi passes", "bunge:4": "Passebunge, Eko"}[tap])
    page.tap(".newest [aria-label=Undo]")
    expect(page.locator(".newest")).to_contain_text("Budi passes")
    page.tap("button[value='pass:0']")
    expect(page.locator(".newest")).to_contain_text("Ani passes")
    page.locator("summary", has_text="The round is over").tap()
    page.select_option("#ended", "manguno")
    page.select_option("#by", "3")
    for seat, pips in enumerate(("9", "10", "", "11", "1-2")):
        page.fill(f"#hands-{seat}", pips)
    page.locator("details .go").tap()
    expect(page.locator("#preview")).to_contain_text("Citra: how many pips are left?")
    page.fill("#hands-2", "12")
    page.locator("details .go").tap()
    page.wait_for_url("**/m/*")
    tally = agrees(page, address)
    assert tally == tally_document(page.request.get(f"{address}/match.json").json())
    assert tally["rounds"][0]["decided_by"] == "mattikkeng"
