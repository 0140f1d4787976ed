"""kill -9 of the real server in a hail of appends over HTTP, twenty times, from phones that go off and on.

What was acknowledged is there, once; nothing is there twice; no version is missing.
"""

import http.client
import json
import random
import threading
import time
from itertools import count

import pytest

from tests import serving
from tests.web.asking import API, BLOCK, TOKEN

LIVES, CLIENTS, MATCHES = 20, 8, 3
PATIENCE = 10  # seconds for one answer
OFF = 0.1  # how often a phone loses its network: after it has asked, before it was answered
NO_LIMIT = {"SCOREKEEPER_WRITES": "1000000 per minute"}


class Client(threading.Thread):
    """Renames a player again and again, each time until that is acknowledged, always under the same key."""

    def __init__(self, port, number, over):
        super().__init__(daemon=True)
        self.port, self.number, self.over = port, number, over
        self.dice = random.Random(number)
        self.acknowledged = []  # (match id, version of the last event, names given)
        self.replays = self.offs = 0
        self.connection = None
        self.failure = None

    def run(self):
        try:
            made = self.write("/matches", {"document": BLOCK, "key": f"match {self.number % MATCHES}"})
            match_id, version = made["id"], made["version"]
            for turn in count():
                if self.over.is_set():
                    break
                names = [f"{self.number} {turn} {part}" for part in range(self.dice.randint(1, 3))]
                events = [{"type": "player_renamed", "seat": 0, "name": name} for name in names]
                asked = {"events": events, "expected": version, "key": f"{self.number}-{turn}"}
                version = self.write(f"/matches/{match_id}/events", asked)["version"]
                self.acknowledged.append((match_id, version, names))
        except Exception as failure:
            self.failure = failure

    def write(self, path, asked):
        """Asks until acknowledged; the answer then."""
        while True:
            status, answer = self.ask("POST", path, asked)
            if status == 201:
                self.replays += answer["replayed"]
                return answer
            if status == 409:
                asked["expected"] = answer["version"]
            elif status:
                raise AssertionError((status, answer))
            else:
                time.sleep(0.02)

    def ask(self, method, path, asked=None):
        """Status and answer; (0, None) if there came none, or only a part of one, or nobody was there to hear it."""
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            self.connection.request(method, API + path, asked and json.dumps(asked), headers)
            if method == "POST" and self.dice.random() < OFF:
                self.offs += 1
                raise ConnectionAbortedError
            response = self.connection.getresponse()
            return response.status, json.loads(response.read())
        except (OSError, http.client.HTTPException, ValueError):
            if self.connection:
                self.connection.close()
            self.connection = None
            return 0, None


def hail(start, clients):
    """Kills the server `LIVES` times, each time at a random moment after it has done some work."""
    for _ in range(LIVES):
        server = start()
        before = sum(len(client.acknowledged) for client in clients)
        while sum(len(client.acknowledged) for client in clients) == before:
            assert not any(client.failure for client in clients), [client.failure for client in clients]
            time.sleep(0.005)
        time.sleep(random.uniform(0, 0.3))
        server.kill()


def write_through_kills(port, start):
    """Writes to `port` in a hail of kills. `start()` starts a server to be killed; checks what is there in the end.

    The number of events. Raises AssertionError where one was lost or doubled.
    """
    over = threading.Event()
    clients = [Client(port, number, over) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        hail(start, clients)
        over.set()
        last = start()
        for client in clients:
            client.join()
        stored = read_all(port)
        serving.stop(last)
    finally:
        over.set()
    assert [client.failure for client in clients] == [None] * CLIENTS
    assert len(stored) == MATCHES
    for events in stored.values():
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    expected = {}
    for client in clients:
        for match_id, last, names in client.acknowledged:
            first = last - len(names) + 1
            expected.update({(match_id, first + place): name for place, name in enumerate(names)})
    found = {(match_id, event["version"]): event["name"] for match_id, events in stored.items() for event in events[1:]}
    # Everybody went on until acknowledged: so there is nothing else either, least of all a second copy.
    assert found == expected
    assert len(set(found.values())) == len(found) > LIVES
    replays, offs = (sum(getattr(client, name) for client in clients) for name in ("replays", "offs"))
    assert offs
    print(f"{len(found)} events, {replays} answers given again; a network was lost {offs} times")
    return len(found)


@pytest.mark.slow
def test_kill_9_loses_nothing_doubles_nothing_and_leaves_no_gap(tmp_path):
    port = serving.free_port()
    write_through_kills(port, lambda: serving.start(tmp_path, port, NO_LIMIT))


def read_all(port):
    """The events of every match, by its id, as the server gives them after its last start."""
    reader = Client(port, 0, threading.Event())
    _, listed = reader.ask("GET", "/matches")
    ids = [match["id"] for match in listed["matches"]]
    histories = {match_id: reader.ask("GET", f"/matches/{match_id}/history")[1] for match_id in ids}
    return {match_id: [line["event"] for line in told["changes"]] for match_id, told in histories.items()}
