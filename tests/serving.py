"""Starts the real server (`python app.py`) for tests that talk to it over HTTP."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
START_SECONDS = 60
STOP_SECONDS = 5  # of an app that is told to stop, whatever it has open


@dataclass(frozen=True)
class Server:
    """A running server. `url` has no slash at its end; `data` is its data folder; `log` its output."""

    url: str
    data: Path
    log: Path
    process: subprocess.Popen[bytes]

    def __str__(self) -> str:
        return self.url

    def kill(self) -> None:
        """`kill -9`: no goodbye, nothing flushed."""
        self.process.kill()
        self.process.wait()


def free_port() -> int:
    """A TCP port of 127.0.0.1 that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start(data: Path, port: int | None = None, env: Mapping[str, str] | None = None) -> Server:
    """Starts a server on `data` (made if missing) and returns once GET /healthz answers 200.

    `env` is laid over the environment. Raises RuntimeError, with the server's own words, when it
    ends or does not answer.
    """
    data.mkdir(parents=True, exist_ok=True)
    port = port or free_port()
    log = data / "server.log"
    settings = {"SCOREKEEPER_DATA": str(data), "HOST": "127.0.0.1", "PORT": str(port)}
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "app.py"],
            cwd=ROOT,
            env={**os.environ, **settings, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    server = Server(f"http://127.0.0.1:{port}", data, log, process)
    try:
        wait_until_healthy(server)
    except BaseException:
        server.kill()
        raise
    return server


def wait_until_healthy(server: Server) -> None:
    """Raises RuntimeError when the server has ended, or START_SECONDS have passed."""
    end = time.monotonic() + START_SECONDS
    # No proxy of the caller's environment stands between a test and its own server.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while time.monotonic() < end and server.process.poll() is None:
        try:
            with opener.open(f"{server.url}/healthz", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    said = server.log.read_text("utf-8", errors="replace")[-4000:]
    raise RuntimeError(f"the server did not start (exit status {server.process.poll()}); it said:\n{said}")


def stop(server: Server) -> None:
    """Asks the server to end, and kills it when it does not."""
    if server.process.poll() is None:
        server.process.send_signal(signal.SIGTERM)
        try:
            server.process.wait(2 * STOP_SECONDS)  # how soon it ends is not what everybody tests
        except subprocess.TimeoutExpired:
            server.kill()


@contextmanager
def serving(data: Path, port: int | None = None, env: Mapping[str, str] | None = None) -> Iterator[Server]:
    """`start`, and `stop` at the end of the block."""
    server = start(data, port, env)
    try:
        yield server
    finally:
        stop(server)
