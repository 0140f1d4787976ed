"""kill -9 in a hail of appends, twenty times: what was acknowledged is there, once; no version is missing."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from itertools import count
from pathlib import Path

import pytest

from scorekeeper.store.log import Log

ROOT = Path(__file__).parents[2]
LIVES, CLIENTS, MATCHES = 20, 8, 3


class Server:
    """The server through its lives. `port` changes with each; None while it is down."""

    def __init__(self, url):
        command = [sys.executable, "-m", "tests.store.crash_server", url]
        pipe = subprocess.PIPE
        self.mother = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
        self.process: int | None = None
        self.port: int | None = None

    def start(self):
        assert self.mother.stdin and self.mother.stdout
        self.mother.stdin.write("start\n")
        self.mother.stdin.flush()
        self.process, self.port = map(int, self.mother.stdout.readline().split())

    def kill(self):
        assert self.process
        os.kill(self.process, signal.SIGKILL)
        self.process = self.port = None

    def end(self):
        if self.process:
            self.kill()
        self.mother.communicate()


class Client(threading.Thread):
    """Writes one thing after the other, each until it is acknowledged, always under the same key."""

    def __init__(self, server, number, over):
        super().__init__(daemon=True)
        self.server, self.number, self.over = server, number, over
        self.dice = random.Random(number)
        self.acknowledged = []  # (match id, key, events, version of the last)
        self.replays = 0
        self.lines = None
        self.failure = None

    def run(self):
        try:
            shared = self.number % MATCHES
            self.write({"owner": "hail", "events": [{"type": "created"}], "key": f"match {shared}"})
            match_id, _, _, version = self.acknowledged[0]
            for turn in count():
                if self.over.is_set():
                    break
                key = f"{self.number}-{turn}"
                events = [{"type": "x", "key": key, "part": part} for part in range(self.dice.randint(1, 3))]
                version = self.write(
                    {"match_id": match_id, "events": events, "expected": version, "key": key}
                )
        except Exception as failure:
            self.failure = failure

    def write(self, ask):
        """Asks until acknowledged; the version then."""
        while True:
            answer = self.ask(ask)
            if answer is None:
                self.lines = None
                time.sleep(0.01)
            elif "conflict" in answer:
                ask["expected"] = answer["conflict"]
            else:
                self.replays += answer["replayed"]
                done = (answer["match_id"], ask["key"], ask["events"], answer["version"])
                self.acknowledged.append(done)
                return answer["version"]

    def ask(self, ask):
        """The server's answer; None if there came none, or only a part of one."""
        try:
            if self.lines is None:
                if self.server.port is None:
                    return None
                with socket.create_connection(("127.0.0.1", self.server.port)) as connection:
                    self.lines = connection.makefile("rwb")
            self.lines.write(json.dumps(ask).encode() + b"\n")
            self.lines.flush()
            line = self.lines.readline()
        except OSError:
            return None
        return json.loads(line) if line.endswith(b"\n") else None


def hail(server, clients):
    """Kills the server `LIVES` times, each time at a random moment after it has done some work."""
    for _ in range(LIVES):
        server.start()
        before = sum(len(client.acknowledged) for client in clients)
        while sum(len(client.acknowledged) for client in clients) == before:
            assert not any(client.failure for client in clients)
            time.sleep(0.005)
        time.sleep(random.uniform(0, 0.3))
        server.kill()


@pytest.mark.slow
@pytest.mark.each_database
def test_kill_9_loses_nothing_doubles_nothing_and_leaves_no_gap(url):
    server, over = Server(url), threading.Event()
    clients = [Client(server, number, over) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        hail(server, clients)
        over.set()
        server.start()
        for client in clients:
            client.join()
    finally:
        over.set()
        server.end()
    assert [client.failure for client in clients] == [None] * CLIENTS

    log = Log(url, lambda existing, new: None)
    ids = log.matches_of("hail", 100)
    stored = {match_id: log.read(match_id) for match_id in ids}
    log.close()
    assert len(ids) == MATCHES
    for events in stored.values():
        assert [each.version for each in events] == list(range(1, len(events) + 1))
    expected = {}
    for client in clients:
        for match_id, _, events, last in client.acknowledged:
            expected.update({(match_id, last - len(events) + 1 + n): each for n, each in enumerate(events)})
    found = {
        (match_id, each.version): {"type": each.type, **each.body}
        for match_id, events in stored.items()
        for each in events
    }
    # Everybody went on until acknowledged: so there is nothing else either, least of all a second copy.
    assert found == expected
    written = [json.dumps([match_id, each]) for (match_id, _), each in found.items()]
    assert len(written) == len(set(written)) > LIVES
    print(f"{len(written)} events, {sum(client.replays for client in clients)} answers given again")
