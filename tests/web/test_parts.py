"""What the streams bring along: the page as this phone would fetch it, drawn once for all to which it is the same."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import zlib
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from scorekeeper.pages.page import Page
from scorekeeper.store.errors import NoMatch
from scorekeeper.store.sharing import NOBODY, SCORER, WATCHER
from scorekeeper.web import parts
from scorekeeper.web.live import Streams
from scorekeeper.web.parts import PAGES, Look, Parts
from tests.web import loops
from tests.web.asking import BLOCK
from tests.web.phones import Table, cookie_of, shared_table

pytestmark = pytest.mark.each_database

ADDRESSES = {"table": "", "screen": "/screen"}
# The token of a form, how many are connected, and what comes before the name of a button in its key.
ONE_PHONES = re.compile(r'(?<=name="csrf_token" value=")[^"]*|(?<=data-connected>)\d*|(?<=name="key" value=")\w*')


@pytest.fixture
def table(build: Any) -> Table:
    return shared_table(build(WTF_CSRF_ENABLED=False))


class Phone:
    """A phone with a page open: what its stream tells it, in order."""

    def __init__(self, table: Table, client: Any, query: str) -> None:
        self.told: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self.streams = Streams(table.app)
        self.gone = asyncio.Event()
        headers = [(b"cookie", cookie_of(client))]
        self.scope = {"type": "http", "method": "GET", "path": f"/live/{table.match_id}",
                      "query_string": query.encode(), "headers": headers}

    async def run(self) -> None:
        await self.streams(self.scope, self._receive, self._send)

    async def _receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        for event in message.get("body", b"").decode().split("\n\n"):
            if event:
                name, data = event.split("\n")
                self.told.put_nowait((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))

    async def next(self, name: str) -> Any:
        """The next event of this name."""
        while True:
            told, data = await asyncio.wait_for(self.told.get(), 20)
            if told == name:
                return data


def phones(table: Table, asked: list[tuple[Any, str]], act: Callable[..., Awaitable[None]]) -> None:
    """Opens a stream for each (browser, query), acts with them, and closes them."""

    async def all_of_them() -> None:
        made = [Phone(table, client, query) for client, query in asked]
        running = [asyncio.ensure_future(phone.run()) for phone in made]
        try:
            await act(*made)
        finally:
            for phone in made:
                phone.gone.set()
            await asyncio.wait_for(asyncio.gather(*running), 20)

    loops.run(all_of_them())


def unpacked(told: dict[str, Any]) -> str:
    return zlib.decompress(base64.b64decode(told["part"]), wbits=-zlib.MAX_WBITS).decode()


def cut(html: str, tag: str) -> str:
    """An element of a page, without what is only one phone's."""
    found = re.search(rf"<{tag}\b.*</{tag}>", html, re.DOTALL)
    return ONE_PHONES.sub("", found[0]) if found else ""


@pytest.mark.parametrize("shown", PAGES)
@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("role", ["owner", SCORER, WATCHER, "locked"])
def test_it_is_the_page_that_this_phone_would_fetch(table: Table, role: str, language: str, shown: str) -> None:
    client = table.owner if role == "owner" else table.join(SCORER if role == "locked" else role, "Eka")
    if role == "locked":
        table.owner.post(table.path("/share/lock"), data={"locked": "yes"})

    async def act(phone: Phone) -> None:
        assert "part" not in await phone.next("version")
        await asyncio.to_thread(table.enter, table.owner)
        told = await phone.next("version")
        fetched = client.get(table.path(ADDRESSES[shown]), headers={"Accept-Language": language}).text
        assert f'data-look="{told["look"]}"' in fetched
        part = unpacked(told)
        for tag in ("title", "main", "footer", "header"):
            assert cut(part, tag) == cut(fetched, tag)
        assert "Ani" in cut(part, "main")
        if role in (WATCHER, "locked"):
            assert "<form" not in part and "/round" not in part

    phones(table, [(client, f"page={shown}&lang={language}&since=2")], act)


def test_whoever_was_away_is_brought_what_was_missed_and_no_more(table: Table) -> None:
    async def act(behind: Phone, even: Phone) -> None:
        assert 'data-version="2"' in unpacked(await behind.next("version"))
        assert "part" not in await even.next("version")

    phones(table, [(table.owner, "page=table&lang=en&since=1"), (table.owner, "page=table&lang=en&since=2")], act)


@pytest.mark.parametrize(
    "query",
    ["", "page=share&lang=en", "page=table", "page=table&lang=xx", "page=%00&lang=en", "page=table&lang=en-XA", "lang"],
)
def test_another_page_is_told_the_number_alone(table: Table, query: str) -> None:
    async def act(phone: Phone) -> None:
        assert await phone.next("version") == {"version": 2, "look": "owner-shared"}
        await asyncio.to_thread(table.enter, table.owner)
        assert await phone.next("version") == {"version": 3, "look": "owner-shared"}

    phones(table, [(table.owner, query)], act)


@pytest.mark.parametrize("since", ["-1", "x", "%C2%B2", "1" * 400, ""])
def test_a_made_up_version_is_none(table: Table, since: str) -> None:
    async def act(phone: Phone) -> None:
        assert "part" in await phone.next("version")

    phones(table, [(table.owner, f"page=table&lang=en&since={since}")], act)


def test_it_is_drawn_once_for_all_to_which_it_is_the_same(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    plain = parts.render

    def render(page: Page, *rest: Any) -> str:
        drawn.append(page.template)
        return plain(page, *rest)

    monkeypatch.setattr(parts, "render", render)
    watchers = [table.join(WATCHER, f"{number}") for number in range(6)]
    query = "page=table&lang=en&since=2"
    shared = Parts(table.app)

    async def act(*made: Phone) -> None:
        for phone in made:
            phone.streams._parts = shared
            await phone.next("version")
        await asyncio.to_thread(table.enter, table.owner)
        told = [await phone.next("version") for phone in made]
        assert len({each["part"] for each in told}) == 2

    phones(table, [(table.owner, query), *((watcher, query) for watcher in watchers)], act)
    assert drawn == ["table/table.html"] * 2


def a_look(table: Table, page: str = "table") -> Look:
    return Look.of(page, "en", next(iter(table.sharing.everyone(table.match_id).values())))


def test_what_is_kept_has_an_end(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST", 3)

    async def many() -> None:
        made = Parts(table.app)
        for version in range(1, 9):
            await made.of(table.match_id, version, a_look(table))
        assert [key[1] for key in made._kept] == [7, 8]  # the last one may still be on its way to somebody
        seen = a_look(table).access
        looks = [Look.of(page, language, seen) for page in ("table", "screen") for language in ("en", "id")]
        for look in looks:
            await made.of(table.match_id, 8, look)
        assert [key[2] for key in made._kept] == looks[-3:]

    loops.run(many())


def test_what_failed_is_tried_again(table: Table) -> None:
    async def twice() -> None:
        made = Parts(table.app)
        for _ in range(2):
            with pytest.raises(NoMatch):
                await made.of("2" * 15, 1, a_look(table))
            with pytest.raises(KeyError):
                await made.of(table.match_id, 2, a_look(table, "nothing"))
        assert not made._kept

    loops.run(twice())


def test_who_stops_waiting_takes_nothing_from_the_others(table: Table) -> None:
    async def two() -> None:
        made, look = Parts(table.app), a_look(table)
        first, second = (asyncio.ensure_future(made.of(table.match_id, 2, look)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        assert b'"version": 2' in (await second).event

    loops.run(two())


@pytest.mark.parametrize("to", [NOBODY, WATCHER])
def test_the_role_is_looked_at_again_with_each_version(table: Table, to: str) -> None:
    """Also where the hint of its change was lost on the way, as hints between processes may be."""
    client = table.join(SCORER, "Eka")
    (me,) = [phone.who for phone in table.sharing.phones(table.match_id) if phone.number == 1]

    async def act(phone: Phone) -> None:
        assert "<form" in unpacked(await phone.next("version"))
        table.sharing.give(table.match_id, me, 2, to)
        await asyncio.to_thread(table.enter, table.owner)
        if to == NOBODY:
            assert await phone.next("bye") == {}
        else:
            told = await phone.next("version")
            assert told["look"] == "watcher-shared" and "<form" not in unpacked(told)

    phones(table, [(client, "page=table&lang=en&since=0")], act)


def test_everyone_is_what_each_is(table: Table) -> None:
    for role in (SCORER, WATCHER):
        table.join(role, role)
    known = [phone.who for phone in table.sharing.phones(table.match_id)]
    table.sharing.give(table.match_id, known[0], 3, NOBODY)
    for locked in (True, False):
        table.sharing.lock(table.match_id, known[0], locked)
        found = table.sharing.everyone(table.match_id)
        assert set(found) == set(known[:2])
        assert [found.get(who) for who in known] == [table.sharing.access(table.match_id, who) for who in known]
    log = table.app.extensions["log"]
    alone = log.create("somebody", [{"type": "created", "document": BLOCK}], "k").match_id
    assert table.sharing.everyone(alone) == {"somebody": table.sharing.access(alone, "somebody")}
    assert table.sharing.everyone("2" * 15) == {}
