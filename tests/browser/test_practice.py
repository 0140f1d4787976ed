"""A phone against bots, by touch: whole matches of every variant, left and come back to, one tap at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from scorekeeper.core.engine import record, session
from scorekeeper.core.engine.session import Session
from scorekeeper.core.tally import tally
from scorekeeper.core.variants import VARIANTS
from tests.browser import practice_states as states
from tests.browser.chromium import PHONE
from tests.browser.mistakes import mistakes
from tests.browser.practice_states import put, settled, state

SHORT = {"block": ("target", "30"), "gaple": ("rounds", "2"), "pontas": ("target", "50"), "domeng": ("camats", "1")}
KEPT = """async () => {
  const script = document.querySelector("[src*='js/practice.js']").src;
  const { load } = await import(script.replace("practice.js", "kept.js"));
  return (await load("practice"))?.state ?? null;
}"""
CHANGE = """async (changes) => {
  const { load, save } = await import(document.querySelector("[src*='js/practice.js']").src.replace("practice.js", "kept.js"));
  await save("practice", { ...(await load("practice")), ...changes });
}"""
MOST_STEPS = 600


def kept(page: Page) -> Session:
    """The match as the browser keeps it."""
    found: Session = session.read(page.evaluate(KEPT))
    return found


def turn(page: Page) -> str:
    """Whose turn it is, the bots' skipped."""
    settled(page)
    while page.locator("#practice").get_attribute("data-turn") == "bot":
        page.locator("#skip").dispatch_event("click")  # it may be gone before a finger is there
        settled(page)
        page.wait_for_timeout(20)
    return page.locator("#practice").get_attribute("data-turn") or ""


def start(page: Page, variant: str) -> None:
    """Chooses a match from home on, against easy bots, with a house rule that makes it short."""
    page.goto("/")
    page.locator("a[href='/practice']").tap()
    page.locator(f"a[href='/practice?variant={variant}']").tap()
    page.wait_for_url(f"**/practice?variant={variant}")
    page.locator("label:has([name=level][value=easy])").tap()
    page.locator("details.fold summary").tap()
    name, value = SHORT[variant]
    page.fill(f"#rule-{name}", value)
    page.tap(".bar .go")
    page.wait_for_url("**/practice/table")
    settled(page)


def move(page: Page) -> None:
    """The first thing that can be tapped: a tile, one of the ends it asks for, or Pass."""
    before = len(kept(page).rounds[-1])
    if page.locator(".bar [value=pass]").count():
        page.tap(".bar [value=pass]")
    else:
        tile = page.locator(".hand button:enabled").first
        asks = tile.get_attribute("name") == "pick"
        tile.tap()
        if asks:
            page.locator(".spot button:visible").first.tap()
    settled(page)
    assert len(kept(page).rounds[-1]) > before


def shown(page: Page) -> list[int]:
    """The totals on the screen, side by side: at the seats while a round is played, in the row above when it is over,
    in the standing at the end of the match."""
    if page.locator(".standing").count():
        rows = {row.locator(".mark").first.get_attribute("class"): row.locator("> b").inner_text()
                for row in page.locator(".standing > li").all()}
        return [int(rows[f"mark seat{seat}"]) for seat in range(len(rows))]
    if page.locator(".totals").count():
        return [int(text) for text in page.locator(".totals .total > b").all_inner_texts()]
    found = {int(each.get_attribute("data-total") or -1): int(each.inner_text())
             for each in page.locator("[data-total]").all()}
    return [found[side] for side in sorted(found)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_match_by_touch(variant: str, page: Page) -> None:
    errors = mistakes(page)
    start(page, variant)
    for _ in range(MOST_STEPS):
        now = turn(page)
        if now == "human":
            assert page.evaluate("document.scrollingElement.scrollHeight") <= PHONE["viewport"]["height"]
            move(page)
            continue
        played = kept(page)
        assert shown(page) == tally(played.match)["totals"]
        if now == "finished":
            break
        page.tap(".bar [value=next]")
        settled(page)
    assert errors == []
    assert now == "finished"
    assert record.replay(record.read(played.record())).match == played.match
    page.tap("[value=again]")
    settled(page)
    assert kept(page).table.seed != played.table.seed and kept(page).table.rules == played.table.rules


def test_it_is_where_you_left_it(page: Page) -> None:
    start(page, "gaple")
    for _ in range(2):
        turn(page)
        move(page)
    assert turn(page) == "human"
    before, tiles = kept(page), page.locator(".hand [data-tile]").count()
    page.reload()
    settled(page)
    assert kept(page) == before and page.locator(".hand [data-tile]").count() == tiles
    page.goto("/practice")
    page.locator("#goon a").tap()
    page.wait_for_url("**/practice/table")
    assert turn(page) == "human" and kept(page) == before
    move(page)


def test_bots_move_one_after_another_and_a_tap_on_the_table_skips_them(page: Page) -> None:
    put(state("domeng", states.first), page)
    page.locator(".hand button:enabled").first.tap()
    seen = {len(kept(page).rounds[0])}
    while len(kept(page).rounds[0]) < 4:
        expect(page.locator("#practice[data-turn=bot]")).to_be_visible()
        seen.add(len(kept(page).rounds[0]))
    assert seen >= {1, 2, 3}
    page.locator(".felt").tap()
    expect(page.locator("#practice[data-turn=human]")).to_be_visible()
    assert len(kept(page).rounds[0]) >= 5


def test_a_double_tap_plays_once(page: Page) -> None:
    put(state("block", states.long), page)
    before = len(kept(page).rounds[0])
    button = page.locator(".hand [name=move]:enabled").first
    button.evaluate("(el) => { el.click(); el.click(); }")
    settled(page)
    mine = [seat for seat, _ in list(kept(page).turns())[before:] if seat == 0]
    assert mine == [0]


def test_the_chosen_end_is_where_the_tile_goes(page: Page) -> None:
    put(state("block", states.asks), page)
    before = kept(page)
    tile = page.locator(".hand [name=pick]").first
    tile.tap()
    expect(tile).to_have_attribute("aria-pressed", "true")
    ends = page.locator(".spot button:visible")
    assert ends.count() == 2
    tile.tap()  # thought better of it
    expect(ends).to_have_count(0)
    tile.tap()
    chosen = ends.last.get_attribute("value")
    ends.last.tap()
    settled(page)
    assert kept(page).rounds[0][len(before.rounds[0])] == chosen


def test_keys_alone_play_a_tile_on_an_end(page: Page) -> None:
    put(state("block", states.asks), page)
    before = len(kept(page).rounds[0])
    for _ in range(20):
        if page.evaluate("document.activeElement.name === 'pick'"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".spot button:focus")).to_be_visible()
    page.keyboard.press("Enter")
    settled(page)
    assert len(kept(page).rounds[0]) > before
    expect(page.locator("#practice :focus, #practice:focus")).to_have_count(1)


@pytest.mark.parametrize("help_", ["undo", "hint"])
def test_undo_and_hint_say_that_the_match_no_longer_counts(help_: str, page: Page) -> None:
    put(state("gaple", states.long), page)
    expect(page.locator(".helped")).to_have_count(0)
    before = kept(page).rounds
    if help_ == "undo":
        move(page)
        turn(page)
    page.tap(f"[value={help_}]")
    settled(page)
    assert kept(page).rounds == before and kept(page).helped
    expect(page.locator(".helped")).to_be_visible()
    expect(page.locator(".hand .worth")).to_have_count(0 if help_ == "undo" else page.locator(".hand button:enabled").count())


def test_what_happens_is_said(page: Page) -> None:
    put(state("block", states.passes), page)
    expect(page.locator("#said")).to_contain_text("Nothing fits: pass")
    page.tap("[value=pass]")
    expect(page.locator("#said")).to_contain_text("South passes.")


def test_without_a_server_nothing_is_lost(page: Page) -> None:
    put(state("block", states.long), page)
    before = kept(page)

    def fail(route: Route) -> None:
        route.abort()

    page.route("**/practice/step", fail)
    page.route("**/runtime.json", fail)
    page.reload()
    page.unroute("**/practice/step")
    page.reload()
    settled(page)
    assert kept(page) == before
    move(page)


def test_a_review_on_the_server_waits_for_its_turn_and_says_when_it_gets_none(page: Page) -> None:
    page.add_init_script("Object.defineProperty(globalThis, 'isSecureContext', { value: false })")
    put(state("block", states.over), page)
    waits = ["1", "1"]

    def refuse(route: Route) -> None:
        if waits:
            route.fulfill(status=429, headers={"Retry-After": waits.pop()}, json={"error": {}, "text": "Too many reviews"})
        else:
            route.fallback()

    page.route("**/practice/step", refuse)
    page.tap("[value=review]")
    expect(page.locator(".review .sum")).to_be_visible(timeout=60_000)
    assert waits == []
    page.tap("[value=show]")
    expect(page.locator("[value=review]")).to_be_visible()
    waits.append("50")
    page.tap("[value=review]")
    expect(page.locator("#lost")).to_have_text("Too many reviews")
    expect(page.locator("[value=review]")).to_be_visible()


def test_a_match_that_cannot_be_read_is_put_aside(page: Page) -> None:
    broken: dict[str, Any] = {**state("block", states.first), "rounds": [["0-0"]]}
    page.goto("/practice/table")
    page.evaluate(states.PUT, broken)
    page.goto("/practice/table")
    expect(page.locator("#nothing")).to_be_visible()
    expect(page.locator("#practice")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640)])
def test_no_name_at_the_table_is_cut(width: int, height: int, language: str, visitor: Callable[..., Page]) -> None:
    page = visitor(viewport={"width": width, "height": height}, locale=language)
    for found in (states.later("pontas", states.hundred), state("block", states.long), state("domeng", states.long),
                  state("pontas", states.over)):
        put(found, page)
        assert page.locator("html").get_attribute("lang") == language
        names = page.evaluate("""() => [...document.querySelectorAll(".practice .who > span:last-child")]
          .map((el) => [el.innerText, el.scrollWidth, el.clientWidth])""")
        assert names and [name for name, wanted, has in names if wanted > has] == []
        rows = page.evaluate("""() => [...document.querySelectorAll(".others .rest")].map((el) => el.getBoundingClientRect().top)""")
        assert len(set(rows)) <= 1  # the seats' lines are level


def test_every_state_of_play_fits_the_screen(visitor: Callable[..., Page]) -> None:
    page = visitor(reduced_motion="reduce")
    wrong = []
    for name, act in states.places():
        if any(word in name for word in ("over", "review")):
            continue
        act(page)
        height = page.evaluate("document.scrollingElement.scrollHeight")
        if height > PHONE["viewport"]["height"]:
            wrong.append(f"{name}: {height}")
        outside = page.evaluate("""() => { const felt = document.querySelector(".felt").getBoundingClientRect();
          return [...document.querySelectorAll(".felt .layout use")].filter((each) => { const box = each.getBoundingClientRect();
            return box.width && (box.left < felt.left || box.right > felt.right || box.top < felt.top || box.bottom > felt.bottom); }).length; }""")
        if outside:
            wrong.append(f"{name}: {outside} pieces outside the felt")
    assert wrong == []


@pytest.fixture
def engineless(browser: Browser, base_url: str) -> Iterator[Page]:
    """A phone whose engine is not there yet."""
    context = browser.new_context(**PHONE, base_url=base_url, service_workers="block")
    page = context.new_page()
    page.route("**/runtime.json", lambda route: route.abort())
    yield page
    context.close()


def cut(page: Page) -> None:
    """No network for steps."""
    page.route("**/practice/step", lambda route: route.abort())


def test_start_without_a_network_says_so_and_keeps_what_was_chosen(engineless: Page) -> None:
    page = engineless
    page.goto("/practice?variant=block")
    page.locator("label:has([name=level][value=easy])").tap()
    page.tap("details.fold summary")
    page.fill("#rule-target", "40")
    cut(page)
    page.tap(".bar .go")
    expect(page.locator("#unstarted")).to_contain_text("No connection yet")
    assert page.input_value("#rule-target") == "40"
    assert page.locator("[name=level][value=easy]").is_checked()
    page.unroute("**/practice/step")
    page.tap(".bar .go")
    page.wait_for_url("**/practice/table")
    settled(page)
    assert kept(page).table.rules["target"] == 40


def test_a_house_rule_that_cannot_be_is_said_in_the_form(page: Page) -> None:
    page.goto("/practice?variant=block")
    posted: list[str] = []
    page.on("request", lambda asked: posted.append(asked.url) if asked.is_navigation_request() else None)
    page.tap("details.fold summary")
    page.fill("#rule-target", "0")
    page.tap("details.fold summary")
    page.tap(".bar .go")
    expect(page.locator("#unstarted")).to_contain_text("This house rule cannot be set so. (1–")
    expect(page.locator("#rule-target")).to_be_focused()
    expect(page.locator(".field.bad #rule-target")).to_have_value("0")
    assert posted == []
    page.fill("#rule-target", "30")
    page.tap(".bar .go")
    page.wait_for_url("**/practice/table")


@pytest.mark.parametrize("broken", [{"state": None}, {"state": {}}, {"rounds": [["0-0", "0-0"]]}], ids=["null", "empty", "moves"])
def test_a_kept_match_that_the_engine_refuses_leads_to_another(broken: dict[str, Any], page: Page) -> None:
    errors = mistakes(page)
    good = state("block", states.first)
    put(good, page)
    move(page)  # the table is kept as it was drawn
    turn(page)
    page.evaluate(CHANGE, broken if "state" in broken else {"state": {**good, **broken}})
    page.reload()
    settled(page)
    page.locator("[value=hint]").tap()
    expect(page.locator("#nothing a")).to_be_visible()
    expect(page.locator("#practice")).to_have_count(0)
    page.reload()
    page.locator("#nothing a").tap()
    page.wait_for_url("**/practice")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#goon")).to_be_hidden()
    page.tap(".bar .go")
    page.wait_for_url("**/practice/table")
    settled(page)
    expect(page.locator("#nothing")).to_be_hidden()
    assert errors == []


@pytest.mark.parametrize("html", [None, "", 7, "<p>half a pa"])
def test_a_kept_match_whose_drawing_is_broken_is_drawn_again(html: Any, page: Page) -> None:
    errors = mistakes(page)
    put(state("block", states.long), page)
    move(page)
    assert turn(page) == "human"
    before = kept(page)
    page.evaluate(CHANGE, {"html": html, "turn": ""})
    page.reload()
    settled(page)
    assert turn(page) == "human" and kept(page) == before
    expect(page.locator("#nothing")).to_be_hidden()
    move(page)
    assert errors == []


@pytest.mark.parametrize("way", ["tap", "online"])
def test_bots_that_the_network_stopped_go_on(way: str, engineless: Page) -> None:
    page = engineless
    put(state("domeng", states.first), page)
    page.locator(".hand button:enabled").first.tap()
    expect(page.locator("#practice[data-turn=bot]")).to_be_visible()
    cut(page)
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#practice[data-turn=bot]")).to_be_visible()
    page.unroute("**/practice/step")
    if way == "online":
        page.evaluate("() => void dispatchEvent(new Event('online'))")
    else:
        page.locator(".felt").tap()
    expect(page.locator("#practice[data-turn=human]")).to_be_visible(timeout=30_000)
    expect(page.locator("#lost")).to_have_count(0)
