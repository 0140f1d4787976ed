"""What the browser tests share: starting a match, reading the numbers on screen, and the tally to compare them with."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from scorekeeper.core.tally import tally_document

FOUR = ("Ani", "Budi", "Citra", "Dewi")


def start(page: Page, variant: str, names: tuple[str, ...] = FOUR, **rules: str) -> str:
    """Starts a match by the form and returns its address; `rules` are house rules by name, as the form has them."""
    page.goto(f"/new/{variant}")
    for seat, name in enumerate(names):
        page.fill(f"#name-{seat}", name)
    if rules:
        page.tap("details.fold summary")
    for rule, value in rules.items():
        box = page.locator(f"#rule-{rule}")
        if box.count():
            box.fill(value)
        else:
            page.locator(f"label:has([name='rule-{rule}'][value='{value}'])").tap()
    page.tap("button[name=start]")
    page.wait_for_url("**/m/*")
    return page.url


def totals(page: Page) -> list[int]:
    """The totals shown on the table screen."""
    return [int(text) for text in page.locator(".totals:not(.compact) .total > b").all_inner_texts()]


def true_tally(page: Page, address: str) -> dict[str, Any]:
    """The tally of the match document that the app exports for the match at `address`."""
    answer = page.request.get(f"{address}/match.json")
    assert answer.ok
    return tally_document(answer.json())


def agrees(page: Page, address: str) -> dict[str, Any]:
    """Checks the table screen against the tally of the exported document; returns that tally."""
    page.goto(address)
    expected = true_tally(page, address)
    assert totals(page) == expected["totals"]
    over = page.locator(".over")
    assert over.count() == (expected["status"] == "finished")
    return expected


def written(page: Page, address: str, event: dict[str, Any], expected: int, key: str) -> int:
    """Writes an event by the API, past all that the phone keeps, as its own person; the answer's status."""
    api = f"/api/v1/matches/{address.split('/m/')[1]}/events"
    data = {"events": [event], "expected": expected, "key": key}
    return page.request.post(api, data=data, headers={"Sec-Fetch-Site": "same-origin"}).status
