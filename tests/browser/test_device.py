"""Practice on the phone itself: Chromium's worker answers as this Python does; and it goes on without network, server
and, once the browser was killed, without what that had in memory."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from scorekeeper.core.engine import record
from scorekeeper.core.variants import VARIANTS
from tests import device_steps, recording
from tests.browser.chromium import PHONE
from tests.browser.handset import BOOT, KEPT, Phone, needs_engine, until
from tests.browser.practice_states import long, put, state
from tests.serving import ROOT, Server, serving, start

# One table of each variant, at which a match ends soon.
SHORT = {"block": "block", "gaple": "gaple-six", "pontas": "pontas-four", "domeng": "domeng"}
# Steps answered by the page's own engine, as its script asks for them.
ASK = """async (requests) => {
  const where = await (await fetch("/runtime.json")).json();
  const device = await import(where.home.static + "js/device.js");
  const answers = [];
  for (const request of requests) answers.push(JSON.stringify(await device.handle(request)));
  return answers;
}"""
HOME = """async () => (await (await fetch("/runtime.json")).json()).home"""
# Leaves in `kept` how many moves the page's script has kept.
LOAD = """
  const script = document.querySelector("[src*='js/practice.js']").src;
  const { load } = await import(script.replace("practice.js", "kept.js"));
  const match = await load("practice");
  const kept = match.state.rounds.flat().length;
"""


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    needs_engine()


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "service_workers": "allow"}


@pytest.fixture
def ready(page: Page) -> Page:
    """Practice's first page, its engine running."""
    page.goto("/practice")
    expect(page.locator("[data-engine=ready]")).to_be_attached(timeout=BOOT)
    return page


def engine_answers(page: Page, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the worker says to each request, all on its own."""
    return [json.loads(text) for text in page.evaluate(ASK, requests)]


@pytest.mark.parametrize("variant", SHORT)
def test_the_worker_answers_as_this_python_does(variant: str, ready: Page) -> None:
    """Every step of a recorded match, drawn, to the same bytes; and its record plays again to the same match."""
    steps = list(device_steps.match(SHORT[variant], 11, ready.evaluate(HOME)))
    made = device_steps.finished(steps)
    assert engine_answers(ready, [request for request, _ in steps]) == [answer for _, answer in steps]
    told = record.told(record.replay(record.read(made)))
    assert engine_answers(ready, [{"do": "replay", "record": made}]) == [told]
    assert told["status"] == "finished"


def test_recorded_matches_play_again_to_the_same_bytes(ready: Page) -> None:
    """The very files that this Python replays in tests/core/test_recorded.py."""
    records = {variant: recording.read(variant) for variant in VARIANTS}
    told = engine_answers(ready, [{"do": "replay", "record": raw} for raw, _ in records.values()])
    for said, (_, document) in zip(told, records.values(), strict=True):
        assert json.dumps(said["document"]) == json.dumps(document)


def test_a_refused_step_leaves_the_engine_whole(ready: Page) -> None:
    home = ready.evaluate(HOME)
    request, answer = next(device_steps.match("block", 1, home))
    refused, good = engine_answers(ready, [{"do": "play", "state": answer["state"], "move": "9-9"}, request])
    assert refused["error"]["at"] == "move" and good == answer


def test_a_broken_worker_is_followed_by_another(ready: Page) -> None:
    """The worker keeps nothing, so a new one answers what the old one would have."""
    request, answer = next(device_steps.match("block", 1, ready.evaluate(HOME)))
    ready.evaluate("""async () => {
      const where = await (await fetch("/runtime.json")).json();
      const device = await import(where.home.static + "js/device.js");
      device.again(new Error("tried"));
      if (device.ready()) throw new Error("still the old one");
    }""")
    assert engine_answers(ready, [request]) == [answer]


@pytest.mark.parametrize("path", ["/", "/new", "/rules"])
def test_other_pages_fetch_nothing_of_it(path: str, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path, wait_until="networkidle")
    assert asked and not [url for url in asked if "/runtime" in url or "device.js" in url or "sw.js" in url]
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0


# Where the engine is not to be had ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ("delete globalThis.WebAssembly", "old"),
        ("Object.defineProperty(globalThis, 'isSecureContext', { value: false })", "insecure"),
    ],
)
def test_a_browser_that_cannot_says_so_and_plays_on_the_server(change: str, word: str, page: Page) -> None:
    page.add_init_script(change)
    page.goto("/practice")
    expect(page.locator(f"[data-engine={word}]")).to_be_attached()
    expect(page.locator(f"[data-engine={word}] .on-{word}")).to_be_visible()
    page.locator("#choose ~ *, .bar").get_by_role("button").last.click()
    page.wait_for_url("**/practice/table")
    expect(page.locator("#practice[data-turn=human]")).to_be_attached(timeout=30_000)


@pytest.mark.parametrize("again", ["online", "step"])
@pytest.mark.parametrize("missing", ["**/runtime.json", "**/runtime/*/pyodide.asm.wasm", "**/runtime/app-*"])
def test_what_the_engine_is_made_of_is_asked_for_again(missing: str, again: str, browser: Browser, base_url: str) -> None:
    """A proxy says that the server is away; when the network is back, or at the next step, the engine starts."""
    context = browser.new_context(**PHONE, base_url=base_url, service_workers="block")
    page = context.new_page()
    put(state("block", long), page)
    context.route(missing, lambda route: route.fulfill(status=502))
    with page.expect_response(missing):
        page.reload()
    box = page.locator("[data-engine]")
    expect(box).to_have_attribute("data-engine", "", timeout=BOOT)
    context.unroute(missing)
    if again == "online":
        page.evaluate("dispatchEvent(new Event('online'))")
    else:
        page.tap("[value=hint]")
    expect(box).to_have_attribute("data-engine", "runs", timeout=BOOT)
    context.close()


# Without a network ----------------------------------------------------------------------------------------------


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    return tmp_path / "profile"


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "data") as running:
        yield running


@pytest.fixture
def phone(playwright: Playwright, profile: Path, own_server: Server) -> Iterator[Phone]:
    made = Phone(playwright, profile, own_server.url)
    yield made
    made.close()


def choose(page: Page, variant: str) -> None:
    """Starts a match of this variant, against the easiest."""
    page.goto(f"/practice?variant={variant}")
    page.locator("[name=level][value=easy]").check(force=True)
    page.get_by_role("button", name="Start", exact=True).tap()
    page.wait_for_url("**/practice/table")


def moves(page: Page) -> int:
    """How many moves of the match are kept in the browser."""
    kept: int = page.evaluate(f"async () => {{ {LOAD} return kept; }}")
    return kept


def play(page: Page, turns: int) -> None:
    """That many moves of the human's, each with the bots' answers; the next round is dealt where one ends."""
    practice = page.locator("#practice:not([data-turn=bot])")
    for _ in range(turns):
        expect(practice).to_be_attached(timeout=BOOT)
        if practice.get_attribute("data-turn") != "human":
            page.locator("#moves .go").tap()
            expect(page.locator("#practice:not([data-turn=over], [data-turn=finished], [data-turn=bot])")).to_be_attached(timeout=BOOT)
        expect(page.locator("#stage:not([aria-busy=true])")).to_be_attached(timeout=BOOT)
        before = moves(page)
        plain = page.locator(".hand [name=move]:enabled, .bar [name=move]")
        if plain.count():
            plain.first.tap()
        else:
            page.locator(".hand [name=pick]:enabled").first.tap()
            page.locator(".spots [data-tile]:not([hidden]) button").first.tap()
        until(
            page,
            f"""async (before) => {{
              {LOAD}
              return kept > before && match.turn !== "bot" && document.getElementById("practice").dataset.turn === match.turn;
            }}""",
            before,
        )


def test_practice_goes_on_without_network_server_and_memory(phone: Phone, own_server: Server) -> None:
    page = phone.open()
    choose(page, "block")
    play(page, 1)
    expect(page.locator("[data-engine=ready]")).to_be_attached(timeout=BOOT)
    until(page, KEPT)

    assert phone.context
    phone.context.set_offline(True)
    own_server.kill()
    play(page, 1)
    before = moves(page)
    page.reload()
    expect(page.locator("#practice")).to_be_visible(timeout=BOOT)
    play(page, 1)
    assert moves(page) > before

    page.goto("/practice/table")  # a deep link
    play(page, 1)
    before = moves(page)
    phone.kill()

    page = phone.open(offline=True)
    page.goto("/practice/table")
    expect(page.locator("#practice")).to_be_visible(timeout=BOOT)
    assert moves(page) >= before
    play(page, 2)

    choose(page, "gaple")  # and another match begins
    play(page, 2)
    page.goto("/")  # the way in
    page.locator(".topractice a").tap()
    expect(page.locator("#choose")).to_be_visible()


class Away(BaseHTTPRequestHandler):
    """A proxy whose server is away."""

    def do_GET(self) -> None:
        self.send_error(502)

    do_POST = do_GET

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


def test_practice_goes_on_behind_a_proxy_whose_server_is_away(phone: Phone, own_server: Server) -> None:
    page = phone.open()
    choose(page, "block")
    play(page, 1)
    expect(page.locator("[data-engine=ready]")).to_be_attached(timeout=BOOT)
    until(page, KEPT)
    before = moves(page)

    own_server.kill()
    with ThreadingHTTPServer(("127.0.0.1", int(own_server.url.rsplit(":", 1)[1])), Away) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        assert page.request.get("/practice").status == 502
        page.goto("/practice/table")
        play(page, 1)
        assert moves(page) > before
        expect(page.locator("[data-engine=ready]")).to_be_attached(timeout=BOOT)
        page.goto("/")
        expect(page.locator("a[href='/practice']").first).to_be_visible()
        proxy.shutdown()


def newer(tmp_path: Path) -> Path:
    """A copy of the app whose static files lie at other addresses."""
    copy = tmp_path / "newer"
    for name in ("scorekeeper", "templates", "translations", "static", "scripts"):
        shutil.copytree(ROOT / name, copy / name)
    shutil.copyfile(ROOT / "app.py", copy / "app.py")
    with (copy / "static" / "css" / "app.css").open("a") as sheet:
        sheet.write("/* newer */\n")
    return copy


def test_a_new_version_does_not_disturb_a_match(
    phone: Phone, own_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old page plays on beside the new server, even with a new worker; the next visit has the new version, and
    the match; and so it is without a network."""
    page = phone.open()
    choose(page, "pontas")
    expect(page.locator("[data-engine=ready]")).to_be_attached(timeout=BOOT)
    old = page.evaluate(HOME)["static"]
    own_server.kill()
    monkeypatch.setattr("tests.serving.ROOT", newer(tmp_path))
    again = start(own_server.data, int(own_server.url.rsplit(":", 1)[1]))
    try:
        assert page.request.get(old + "js/worker.js").status == 404  # only the phone has it
        page.evaluate("(address) => import(address).then((device) => device.again(new Error('tried')))", old + "js/device.js")
        expect(page.locator("[data-engine=ready]")).to_be_attached(timeout=BOOT)
        play(page, 2)
        before = moves(page)
        page.reload()
        new = page.evaluate(HOME)["static"]
        assert new != old and new in (page.locator("link[rel=stylesheet]").first.get_attribute("href") or "")
        assert moves(page) >= before
        play(page, 1)
        until(page, """async (path) => Boolean(await (await caches.open("pages")).match("/practice/table")
          .then((kept) => kept.text()).then((text) => text.includes(path)))""", new)
    finally:
        again.kill()
    page.reload()
    play(page, 1)
    assert moves(page) > before
    assert new in (page.locator("link[rel=stylesheet]").first.get_attribute("href") or "")


def test_two_tabs_play_one_match(ready: Page) -> None:
    """What one tab plays shows in the other, and no move is written over another."""
    choose(ready, "block")
    expect(ready.locator("#practice[data-turn=human], #practice[data-turn=over]")).to_be_attached(timeout=BOOT)
    other = ready.context.new_page()
    other.goto("/practice/table")
    expect(other.locator("#practice[data-turn=human], #practice[data-turn=over]")).to_be_attached(timeout=BOOT)
    before = moves(ready)
    play(ready, 1)
    expect(ready.locator("#practice:not([data-turn=bot])")).to_be_attached(timeout=BOOT)
    html = ready.locator("#practice .felt").inner_html()
    until(other, "(html) => document.querySelector('#practice .felt').innerHTML === html", html)
    assert moves(other) == moves(ready) > before
    play(other, 1)
    assert moves(ready) == moves(other)
