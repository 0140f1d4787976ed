"""A cold visit to the table or the entry page: at most 60 kB over the wire, everything counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from scorekeeper.core.variants import VARIANTS
from tests.browser.places import House
from tests.browser.wire import cold_visit

MOST = 60_000  # bytes


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("path", ["", "/round"])
def test_a_cold_visit_is_light(
    path: str, variant: str, house: House, visitor: Callable[..., Page], record_property: Callable[..., None]
) -> None:
    state = "open" if "open" in house.ids[variant] else "playing"
    sizes = cold_visit(visitor().context, f"/m/{house.ids[variant][state]}{path}")
    record_property("bytes", sum(sizes.values()))
    assert any(address.endswith("app.css") for address in sizes), "nothing was counted"
    assert sum(sizes.values()) <= MOST, sizes
