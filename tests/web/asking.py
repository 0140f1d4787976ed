"""A client of the API, and matches to ask about."""

from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.store.tables import metadata

TOKEN = "a-token-made-by-a-test"
API = "/api/v1"
BLOCK = {"format": "scorekeeper/1", "variant": "block", "players": ["Ani", "Budi", "Citra", "Dewi"]}
DOMINO = {"ended": "domino", "by": 0, "hands": [[], ["2-2"], 10, ["4-5"]]}
BLOCKED = {"ended": "blocked", "hands": [["3-3"], ["2-2"], ["5-5"], ["4-4"]]}


class Api:
    """The API as one client with a token uses it."""

    def __init__(self, client: FlaskClient, token: str | None = TOKEN) -> None:
        self.client = client
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(API + path, headers={**self.headers, **headers})

    def post(self, path: str, json: Any, **headers: str) -> Any:
        return self.client.post(API + path, json=json, headers={**self.headers, **headers})

    def send(self, path: str, data: bytes, content_type: str = "application/json") -> Any:
        return self.client.post(API + path, data=data, content_type=content_type, headers=self.headers)

    def create(self, *rounds: Any, key: str | None = None, **document: Any) -> str:
        """The id of a new match."""
        asked: dict[str, Any] = {"document": {**BLOCK, **document, "rounds": list(rounds)}}
        answer = self.post("/matches", asked | ({"key": key} if key else {}))
        assert answer.status_code == 201, answer.text
        return str(answer.json["id"])

    def append(self, match_id: str, *events: Any, expected: Any, key: str) -> Any:
        asked = {"events": list(events), "expected": expected, "key": key}
        return self.post(f"/matches/{match_id}/events", asked)


def everything(app: Flask) -> bytes:
    """All that an app has in its database; an embedded one's files as they are, too."""
    files = b"".join(path.read_bytes() for path in Path(app.config["DATA"]).glob("scorekeeper.db*"))
    with app.extensions["log"].database.read() as db:
        rows = [db.execute(each.select()).all() for each in metadata.sorted_tables]
    return files + repr(rows).encode()
