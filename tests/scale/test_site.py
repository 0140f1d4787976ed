"""Phones at one table, served by two app processes behind nginx: what one does, the others see."""

import json
import queue
import re
import signal
import threading
import time

import httpx
import pytest

from tests import serving
from tests.web.asking import API, BLOCK, DOMINO
from tests.web.phones import OURS

PATIENCE = 30  # seconds for what is to happen at once; nothing is judged by how much of it is used


class Phone:
    """A browser: its cookies, and its open stream if it has one."""

    def __init__(self, *, like=None):
        self.http = httpx.Client(headers=OURS, timeout=PATIENCE, trust_env=False)
        if like:
            self.http.cookies.update(like.http.cookies)
        self.told: queue.Queue[tuple[str, dict[str, object]] | None] = queue.Queue()

    def new_match(self, url):
        answer = self.http.post(f"{url}{API}/matches", json={"document": {**BLOCK, "rounds": [DOMINO]}})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def append(self, url, match_id, expected, key):
        events = [{"type": "player_renamed", "seat": 0, "name": key}]
        asked = {"events": events, "expected": expected, "key": key}
        return self.http.post(f"{url}{API}/matches/{match_id}/events", json=asked)

    def open(self, url, match_id):
        """Opens the stream; what it tells is put into a queue, and None at its end."""
        begun = threading.Event()

        def read():
            try:
                with self.http.stream("GET", f"{url}/live/{match_id}", timeout=None) as stream:
                    assert stream.status_code == 200
                    begun.set()
                    name = ""
                    for line in stream.iter_lines():
                        kind, _, text = line.partition(": ")
                        if kind == "event":
                            name = text
                        elif kind == "data":
                            self.told.put((name, json.loads(text)))
            except httpx.TransportError:
                pass
            self.told.put(None)

        threading.Thread(target=read, daemon=True).start()
        assert begun.wait(PATIENCE)
        return self

    def hears(self, name=None, **wanted):
        """Waits until the stream tells this, perhaps among more; without a name, until it ends."""
        end = time.monotonic() + PATIENCE
        while (told := self.told.get(timeout=max(0, end - time.monotonic()))) is not None:
            if told[0] == name and wanted.items() <= told[1].items():
                return
        assert name is None, f"the stream ended before {name} {wanted}"


@pytest.fixture
def phone():
    return Phone()


def linked(process):
    return httpx.get(f"{process}/readyz", trust_env=False).json()["linked"]


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_what_one_process_wrote_the_other_tells(site, phone):
    first, second = map(str, site.processes)
    match_id = phone.new_match(first)
    until(lambda: linked(first) and linked(second))
    there, behind = Phone(like=phone).open(second, match_id), Phone(like=phone).open(site.url, match_id)
    for each in (there, behind):
        each.hears("version", version=2)
    assert phone.append(first, match_id, 2, "Eka").status_code == 201
    for each in (there, behind):
        each.hears("version", version=3)
    assert phone.append(second, match_id, 2, "Feri").status_code == 409
    assert phone.append(second, match_id, 2, "Eka").json()["replayed"]
    assert phone.append(site.url, match_id, 3, "Feri").json()["version"] == 4


def test_who_is_connected_is_told_across_processes(site, phone):
    first, second = map(str, site.processes)
    match_id = phone.new_match(first)
    until(lambda: linked(first) and linked(second))
    owner = phone.open(first, match_id)
    owner.hears("presence", connected=1)
    guest = joined(first, phone, match_id, "watcher")
    guest.open(second, match_id)
    owner.hears("presence", connected=2)
    guest.hears("presence", connected=2)


def test_a_role_that_is_withdrawn_ends_the_stream_on_the_other_process(site, phone):
    first, second = map(str, site.processes)
    match_id = phone.new_match(first)
    guest = joined(first, phone, match_id, "scorer").open(second, match_id)
    guest.hears("version", version=2)
    assert guest.append(second, match_id, 2, "Eka").status_code == 201
    assert post(phone, first, f"/m/{match_id}/share/phone/2", {"do": "remove"}).status_code == 303
    guest.hears("bye")
    guest.hears()
    assert guest.append(second, match_id, 3, "Feri").status_code == 404


def test_without_redis_everything_works_and_phones_catch_up(site, phone):
    first, second = map(str, site.processes)
    match_id = phone.new_match(first)
    there = Phone(like=phone).open(second, match_id)
    there.hears("version", version=2)
    site.redis.kill()
    try:
        until(lambda: not linked(first) and not linked(second))
        assert phone.append(first, match_id, 2, "Eka").status_code == 201
        there.hears("version", version=3)
    finally:
        site.redis.start()
    until(lambda: linked(first) and linked(second))
    assert phone.append(first, match_id, 3, "Feri").status_code == 201
    there.hears("version", version=4)


def test_a_process_that_is_killed_is_another_ones_work(site, phone):
    match_id = phone.new_match(site.url)
    there = Phone(like=phone).open(str(site.processes[0]), match_id)
    site.processes[0].kill()
    there.hears()
    try:
        for number in range(6):  # more than once around
            assert phone.http.get(f"{site.url}/m/{match_id}").status_code == 200
            phone.append(site.url, match_id, 2 + number, f"{number}")
        assert phone.http.get(f"{site.url}{API}/matches/{match_id}").json()["version"] == 8
        there.open(site.url, match_id).hears("version", version=8)
    finally:
        site.start(0)


def test_told_to_stop_a_process_ends_its_streams_and_itself(site, phone):
    match_id = phone.new_match(site.url)
    streams = [Phone(like=phone).open(str(site.processes[1]), match_id) for _ in range(5)]
    for stream in streams:
        stream.hears("version", version=2)
    try:
        site.processes[1].process.send_signal(signal.SIGTERM)
        for stream in streams:
            stream.hears()
        assert site.processes[1].process.wait(serving.STOP_SECONDS) in (0, -signal.SIGTERM)
    finally:
        site.start(1)


def test_nginx_keeps_static_files_and_hides_figures(site, phone):
    home = phone.http.get(site.url)
    style = home.text.split('<link rel="stylesheet" href="')[1].split('"')[0]
    for _ in range(2):
        answer = phone.http.get(site.url + style)
        assert answer.status_code == 200 and "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["Content-Encoding"] in ("br", "gzip")
    plain = httpx.get(site.url + style, headers={"Accept-Encoding": "identity"}, trust_env=False)
    assert "Content-Encoding" not in plain.headers and plain.text == answer.text
    assert phone.http.get(f"{site.url}/metrics").status_code == 404
    asked = {"X-Forwarded-For": "127.0.0.1"}
    assert phone.http.get(f"{site.processes[0]}/metrics", headers=asked).status_code == 404
    assert "scorekeeper_streams" in phone.http.get(f"{site.processes[0]}/metrics").text


def joined(url, owner, match_id, role):
    """A phone that has joined by a link."""
    assert post(owner, url, f"/m/{match_id}/share", {}).status_code == 303
    page = owner.http.get(f"{url}/m/{match_id}/share?for={role}").text
    code = "".join(re.findall(r"<span>(\w{5})</span>", page))
    guest = Phone()
    assert post(guest, url, f"/j/{code}", {"name": role}).status_code == 303
    return guest


def post(phone, url, path, form):
    """Sends a form with its token."""
    page = phone.http.get(f"{url}/new/block").text
    token = page.split('name="csrf_token"')[1].split('value="')[1].split('"')[0]
    return phone.http.post(url + path, data={**form, "csrf_token": token})
