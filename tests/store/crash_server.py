"""A server to be killed: the log behind a socket, a thread per client, one JSON document per line.

`{"owner", "events", "key"}` creates, `{"match_id", "events", "expected", "key"}` appends; both are answered
by `{"match_id", "version", "replayed"}`, a stale append by `{"conflict": version}`.

For each line on standard input a new process opens the log and prints its number and port; the next one
begins when that one is dead. Forked from here, it need not import everything again.
"""

import json
import os
import socketserver
import sys
import traceback
from typing import Any

from scorekeeper.store.errors import Conflict
from scorekeeper.store.log import Log


def answer(log: Log, ask: dict[str, Any]) -> dict[str, Any]:
    """Does what the line asks."""
    try:
        done = log.append(**ask) if "match_id" in ask else log.create(**ask)
    except Conflict as conflict:
        return {"conflict": conflict.version}
    return {"match_id": done.match_id, "version": done.version, "replayed": done.replayed}


def serve(url: str) -> None:
    """Serves until killed."""
    log = Log(url, lambda existing, new: None)

    class Client(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            for line in self.rfile:
                self.wfile.write(json.dumps(answer(log, json.loads(line))).encode() + b"\n")

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        request_queue_size = 16

    with Server(("127.0.0.1", 0), Client) as server:
        print(os.getpid(), server.server_address[1], flush=True)
        server.serve_forever()


if __name__ == "__main__":
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            try:
                serve(sys.argv[1])
            except BaseException:
                traceback.print_exc()
                print("failed", flush=True)
            os._exit(1)
        os.waitpid(child, 0)
