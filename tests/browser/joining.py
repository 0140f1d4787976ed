"""What the tests with several phones on one match share: how a person shares, joins, enters and sees."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect

FOLLOWS = "html[data-follow=on]"


def share(owner: Page, role: str = "watcher") -> str:
    """The code of the link for a role, as the share page shows it."""
    if "/share" not in owner.url:
        owner.tap(".sharing")
        owner.wait_for_url("**/share")
    owner.locator(".seg a").nth(0 if role == "watcher" else 1).tap()
    owner.wait_for_url(f"**/share?for={role}")
    return owner.locator(".joincode").inner_text()


def join(page: Page, code: str, name: str = "") -> Page:
    """Joins as a person does: by typing the code."""
    page.goto("/")
    page.locator(".chips a", has_text="Join").tap()
    page.fill("#code", code.upper())
    page.tap(".bar .go")
    page.wait_for_url("**/j/*")
    page.fill("#name", name)
    page.tap(".bar .go")
    page.wait_for_url("**/m/*")
    return page


def answer(page: Page, winner: int, *pips: int) -> None:
    """From the table screen to a round that only wants saving."""
    page.tap("a.go")
    fill(page, winner, *pips)


def fill(page: Page, winner: int, *pips: int) -> None:
    page.tap(f"[data-seat='{winner}']")
    for number in pips:
        page.tap(f"#grid [data-n='{number}']")
    expect(page.locator("#preview [data-ok]")).to_be_visible()


def save(page: Page) -> None:
    page.tap("#save")
    page.wait_for_url("**/m/*")


def shows(page: Page, *totals: int) -> None:
    """Waits until the page, without being reloaded, shows these totals."""
    totals_of = page.locator(".bigtotal > b" if page.url.endswith("/screen") else ".totals:not(.compact) .total > b")
    expect(totals_of).to_have_text([str(total) for total in totals])


def stays(page: Page) -> None:
    """Marks a page, so that a reload of it would be found out."""
    expect(page.locator(FOLLOWS)).to_have_count(1)
    page.evaluate("document.stays = true")


def stayed(page: Page) -> bool:
    return bool(page.evaluate("document.stays === true"))


# Not by Playwright's routes: with one of them, Chromium holds back the redirects of requests that outlive their page.
SILENT = "globalThis.EventSource = class extends EventTarget { close() {} };"
REFUSED = "globalThis.EventSource = class extends EventTarget { constructor() { super(); setTimeout(() => this.dispatchEvent(new Event('error'))); } close() {} };"


def deaf(context: BrowserContext, how: str = SILENT) -> BrowserContext:
    """With a phone that hears nothing of what others do: for some seconds it takes its stream for a slow one, or it is
    `REFUSED` one and asks for its page again and again."""
    context.add_init_script(how)
    return context
