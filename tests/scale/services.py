"""PostgreSQL, Redis and nginx for tests: on loopback, on free ports, with data folders that are thrown away.

Debian's packages (`make services`), never the system's own clusters, settings or services.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg

from tests.serving import free_port

ROOT = Path(__file__).parents[2]
PATIENCE = 30  # seconds for a service to answer
# Neither PostgreSQL nor nginx' workers may be root.
NOBODY = "postgres"


def program(name: str) -> str:
    """Where a program is. Debian keeps PostgreSQL's out of PATH, one folder a version. Raises RuntimeError."""
    homes = [str(folder) for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"))[::-1]]
    found = shutil.which(name, path=os.pathsep.join([*homes, os.environ["PATH"], "/usr/sbin"]))
    if not found:
        raise RuntimeError(f"{name} is missing: make services")
    return found


def user() -> str | None:
    """Who runs a service that must not be root; None for ourselves."""
    return NOBODY if os.geteuid() == 0 else None


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for a service's data, outside pytest's, which only root may enter."""
    path = Path(tempfile.mkdtemp(prefix="scorekeeper-"))
    try:
        if name := user():
            shutil.chown(path, name)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def answers(port: int) -> bool:
    """Whether something listens there."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@dataclass
class Service:
    """A process on a port of 127.0.0.1, started, stopped and killed. `log`: what it said."""

    command: Sequence[str]
    port: int
    log: Path
    as_user: str | None = None
    sign: signal.Signals = signal.SIGTERM  # which it ends at in good order
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns once it answers. Raises RuntimeError, with its own words, when it does not."""
        # Where tests are killed, it is told to end by the kernel.
        setpriv, name = shutil.which("setpriv"), self.sign.name.removeprefix("SIG")
        bound = [setpriv, "--pdeathsig", name, "--"] if setpriv else []
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [*bound, *self.command], cwd=self.log.parent, user=self.as_user, group=self.as_user,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            if answers(self.port):
                return
            time.sleep(0.02)
        self.kill()
        raise RuntimeError(f"{self.command[0]} does not answer; it said:\n{self.log.read_text()[-3000:]}")

    def stop(self) -> None:
        """Ends it in good order."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(self.sign)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """`kill -9`, its children too."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Postgres(Service):
    """A cluster of its own. `fresh()` gives an empty database in it, `back()` takes it to be given again: making and
    deleting one is 300 files each time."""

    def __init__(self, home: Path) -> None:
        self.home, self.password, self.numbers = home, secrets.token_hex(8), count(1)
        self.free: list[str] = []
        data, port, word = home / "data", free_port(), home / "password"
        word.write_text(self.password)
        word.chmod(0o644)  # in a folder of its user's alone
        subprocess.run(
            [program("initdb"), "-D", str(data), "-U", "tester", "--locale=C", "--encoding=UTF8", "--no-sync",
             "--auth=scram-sha-256", f"--pwfile={word}"],
            user=user(), group=user(), cwd=home, check=True, capture_output=True)
        # fsync guards against the machine's end. Here processes are killed; what they have written, the kernel keeps.
        settings = {"listen_addresses": "127.0.0.1", "port": str(port), "unix_socket_directories": "", "fsync": "off",
                    "shared_buffers": "32MB", "max_connections": "200"}
        command = [program("postgres"), "-D", str(data)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        # "Fast": whoever is connected is put out.
        super().__init__(command, port, home / "postgres.log", user(), signal.SIGINT)

    def start(self) -> None:
        """Returns once it takes orders: after a kill it listens long before that."""
        super().start()
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.do("SELECT 1")
                return
            except psycopg.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def do(self, command: str, database: str = "postgres") -> None:
        """One statement, outside a transaction."""
        with psycopg.connect(host="127.0.0.1", port=self.port, user="tester", password=self.password,
                             dbname=database, autocommit=True) as connection:
            connection.execute(command.encode())

    def fresh(self) -> str:
        """The address of an empty database, nobody else's."""
        if self.free:
            return self.free.pop()
        name = f"test_{next(self.numbers)}"
        self.do(f"CREATE DATABASE {name}")
        return f"postgresql+psycopg://tester:{self.password}@127.0.0.1:{self.port}/{name}"

    def back(self, address: str) -> None:
        """Empties a database that nobody uses any more: whoever still has it open is put out."""
        name = address.rpartition("/")[2]
        self.do(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        self.do("DROP SCHEMA public CASCADE; CREATE SCHEMA public", name)
        self.free.append(address)


class Redis(Service):
    """Keeps nothing on disk. `fresh()` gives an empty part of it."""

    def __init__(self, home: Path) -> None:
        port, self.numbers = free_port(), count(1)
        command = [program("redis-server"), "--bind", "127.0.0.1", "--port", str(port), "--dir", str(home),
                   "--save", "", "--appendonly", "no", "--databases", "10000"]
        super().__init__(command, port, home / "redis.log", user())

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}/0"

    def fresh(self) -> str:
        """The address of a database in it that nobody else has."""
        return f"{self.url.rpartition('/')[0]}/{next(self.numbers)}"


class Nginx(Service):
    """deploy/nginx/scorekeeper.conf, as it is deployed, in front of app processes."""

    def __init__(self, home: Path, ports: Sequence[int]) -> None:
        port = free_port()
        kept = [f"{name}_temp_path {home}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")]
        servers = [f"server 127.0.0.1:{each};" for each in ports]
        text = (ROOT / "deploy" / "nginx" / "scorekeeper.conf").read_text("utf-8")
        text = text.replace("listen 80;", f"listen 127.0.0.1:{port};")
        text = text.replace("server app-1:8000;\n    server app-2:8000;", "\n    ".join(servers))
        text = text.replace("/var/cache/nginx", str(home))
        (home / "mime.types").write_text("types { text/html html; }\n")
        whole = (ROOT / "deploy" / "nginx" / "nginx.conf").read_text("utf-8")
        whole = whole.replace("/run/nginx.pid", f"{home}/pid")
        whole = whole.replace("include /etc/nginx/conf.d/*.conf;", "\n".join([*kept, text]))
        whole = whole.replace("worker_processes auto", "worker_processes 1").replace("32768", "4096")
        whole = whole.replace("worker_rlimit_nofile 65536;", f"user {NOBODY};" if user() else "")
        (home / "nginx.conf").write_text(f"daemon off;\n{whole.replace('/dev/stderr', f'{home}/nginx.log')}")
        super().__init__([program("nginx"), "-p", str(home), "-c", str(home / "nginx.conf")], port, home / "nginx.log")

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"
