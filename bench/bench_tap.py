"""From the scorer's tap to the new verdict on that phone, and until the server has it; on a slow phone and network.

Needs Chromium and `make runtime`. The page's processor is slowed down by Chromium; the worker's it cannot slow down, so
what the engine takes for a round is stated beside it. The network is a line of its own before the server, for the page,
the worker and the service worker alike.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from playwright.sync_api import Page, Playwright, expect, sync_playwright

from bench import Row
from tests.browser import processes
from tests.browser.handset import BOOT, ENGINE, SENT, Phone, goes_on_alone, until
from tests.browser.tables import start
from tests.browser.wire import SLOWER_BY
from tests.serving import serving

LATENCY = 0.150  # s, there and back
ROUNDS = 12  # of 25 points, each seat three: none wins
LIMIT = 100  # ms
# When the tap was, by the clock that the next page has too; and when a verdict more than before was painted.
WATCH = """(() => {
  const now = () => performance.timeOrigin + performance.now();
  const rounds = () => document.querySelectorAll(".rounds > li").length;
  window.addEventListener("click", (event) => {
    if (event.target.closest("#save")) sessionStorage.setItem("tapped", performance.timeOrigin + event.timeStamp);
  }, true);
  const seen = () => {
    const tapped = Number(sessionStorage.getItem("tapped"));
    if (!tapped || rounds() <= Number(sessionStorage.getItem("rounds") ?? 0)) return;
    sessionStorage.removeItem("tapped");
    sessionStorage.setItem("rounds", rounds());
    requestAnimationFrame(() => setTimeout(() => sessionStorage.setItem("took", now() - tapped)));
  };
  new MutationObserver(seen).observe(document, { childList: true, subtree: true });
})()"""
TOOK = "() => sessionStorage.getItem('took')"


def bench() -> list[Row]:
    """A first visit, where the server answers, beside a phone that has the engine."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "data") as server, \
            slow_line(server.url) as address, sync_playwright() as playwright:
        first = taps(playwright, Path(folder) / "first", address, engine=False)
        home = taps(playwright, Path(folder) / "home", address, engine=True)
    rows = [Row("load", os.getloadavg()[0], f"of {os.cpu_count()}")]
    for name, (shown, confirmed, worker) in (("from the server, first visit", first), ("from the device home", home)):
        worst = sorted(shown)[-1]
        rows.append(Row(f"tap to the new verdict, {name}: median of {len(shown)}", median(shown), "ms", "limit 100 ms",
                        median(shown) / LIMIT))
        rows.append(Row(f"tap to the new verdict, {name}: slowest", worst, "ms", "limit 100 ms", worst / LIMIT))
        if worker:
            rows.append(Row(f"{name}: until the server has it, median", median(confirmed), "ms"))
            rows.append(Row(f"{name}: the engine's processor for a round", 1000 * worker, "CPU-ms"))
    return rows


def taps(playwright: Playwright, profile: Path, address: str, engine: bool) -> tuple[list[float], list[float], float]:
    """Milliseconds until each verdict was painted, and until the server had it; the engine's seconds for a round."""
    phone = Phone(playwright, profile, address)
    page = phone.open()
    page.set_default_timeout(BOOT)
    expect.set_options(timeout=BOOT)
    if not engine:  # what it would fetch behind the page takes no part
        page.route("**/js/keep.js", lambda route: route.abort())
    start(page, "block")
    if engine:
        goes_on_alone(page)
        page.reload()
    page.add_init_script(WATCH)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_BY})
    shown, confirmed = [], []
    used = 0.0
    for number in range(ROUNDS):
        page.goto(page.url) if number == 0 else None
        fill(page, number)
        if engine:
            until(page, ENGINE)
            page.wait_for_timeout(500)
        if number == 1:
            used = processes.worker_seconds(profile)
        page.evaluate("sessionStorage.removeItem('took')")
        page.tap("#save")
        page.wait_for_function(TOOK, timeout=BOOT)
        shown.append(float(page.evaluate(TOOK)))
        if engine:
            before = page.evaluate("performance.now()")
            until(page, SENT)
            confirmed.append(shown[-1] + page.evaluate("performance.now()") - before)
        page.wait_for_timeout(500)
    used = (processes.worker_seconds(profile) - used) / (ROUNDS - 1)
    phone.close()
    return shown, confirmed, used if engine else 0


def fill(page: Page, number: int) -> None:
    """A round, all but the tap that saves it."""
    page.tap("a.go")
    page.locator("#save[aria-disabled]").wait_for()  # the page's script has come
    page.tap(f"[data-seat='{number % 4}']")
    for pips in (4, 9, 12):
        page.tap(f"#grid [data-n='{pips}']")
    expect(page.locator("#preview [data-ok]")).to_be_visible()


@contextmanager
def slow_line(url: str) -> Iterator[str]:
    """An address at which the server answers LATENCY later."""
    port = urlsplit(url).port
    loop = asyncio.new_event_loop()
    listening = loop.run_until_complete(
        asyncio.start_server(lambda reader, writer: join(reader, writer, port or 80), "127.0.0.1", 0)
    )
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.set_exception_handler(lambda *_: None)  # lines that were open are cut
    for task in asyncio.all_tasks(loop):
        task.cancel()
        loop.run_until_complete(asyncio.wait([task]))
    loop.close()


async def join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
    """One connection: its making costs a turn there and back as well."""
    await asyncio.sleep(LATENCY)
    there, answers = await asyncio.open_connection("127.0.0.1", port)
    await asyncio.gather(carry(reader, answers), carry(there, writer), return_exceptions=True)


async def carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """All that comes, in order, each piece half the latency later."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        if not sink.is_closing():
            sink.close()

    while piece := await source.read(1 << 16):
        loop.call_later(LATENCY / 2, sink.write, piece)
    loop.call_later(LATENCY / 2, end)
