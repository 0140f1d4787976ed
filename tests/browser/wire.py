"""What a page costs: bytes over the wire on a cold visit, and a slow phone on a slow network."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page

SLOW_PHONE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.44e6 / 8,
    "uploadThroughput": 1.44e6 / 8,
}  # ms, B/s
FIRST_PAINT = """() => new Promise((done) => new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.name === "first-contentful-paint") done(entry.startTime);
}).observe({ type: "paint", buffered: true }))"""
SLOWER_BY = 4  # the processor


def listen(page: Page) -> tuple[CDPSession, dict[str, int]]:
    """From now on the bytes of each answer as they came, headers included, by address."""
    session = page.context.new_cdp_session(page)
    addresses: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def answered(event: dict[str, Any]) -> None:
        addresses[event["requestId"]] = event["response"]["url"]

    def finished(event: dict[str, Any]) -> None:
        sizes[addresses[event["requestId"]]] = int(event["encodedDataLength"])

    session.on("Network.responseReceived", answered)
    session.on("Network.loadingFinished", finished)
    session.send("Network.enable")
    return session, sizes


def unasked(page: Page) -> dict[str, int]:
    """What a browser with a window fetches besides, by address: the icon and the manifest, compressed."""
    found = {}
    for address in page.eval_on_selector_all(
        "link[rel=icon], link[rel=manifest]", "(all) => all.map((link) => link.href)"
    ):
        answer = page.request.get(address, headers={"Accept-Encoding": "br"})
        headers = sum(len(name) + len(value) + 4 for name, value in answer.headers.items())
        found[address] = headers + int(answer.headers.get("content-length") or len(answer.body()))
    return found


def cold_visit(context: BrowserContext, path: str) -> dict[str, int]:
    """Bytes by address for a first visit, in a context that has fetched nothing yet."""
    page = context.new_page()
    _, sizes = listen(page)
    page.goto(path, wait_until="networkidle")
    return {**sizes, **unasked(page)}


def first_paint(context: BrowserContext, path: str) -> float:
    """Seconds from the start of a first visit to the first contentful paint, on a slow phone and network."""
    page = context.new_page()
    session, _ = listen(page)
    session.send("Network.emulateNetworkConditions", SLOW_PHONE)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_BY})
    page.goto(path, wait_until="load")
    milliseconds: float = page.evaluate(FIRST_PAINT)
    return milliseconds / 1000
