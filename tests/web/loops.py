"""An event loop for a test, in a thread of its own: where a browser was driven before, this one has a loop already."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
