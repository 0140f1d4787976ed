"""A browser that signs up, and matches it may win."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask

from scorekeeper.core import ranking
from scorekeeper.core.arena import bot_move
from scorekeeper.core.engine import record, session
from scorekeeper.core.engine.game import begin, deal, finish, new_match
from scorekeeper.core.errors import Invalid
from scorekeeper.core.tally import tally
from scorekeeper.core.variants import VARIANTS
from tests.web import twins

OURS = {"Sec-Fetch-Site": "same-origin"}
PASSWORD = "correct horse"
FOUR = ("human", "easy", "easy", "easy")


class Browser:
    """A browser with its cookie."""

    def __init__(self, app: Flask) -> None:
        self.app, self.client = app, app.test_client()

    def token(self, page: str = "/import") -> str:
        """A CSRF token from a form."""
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.client.get(page).text)
        assert found
        return found[1]

    def post(self, path: str, **form: str) -> Any:
        """Sends a form."""
        return self.client.post(path, data={"csrf_token": self.token(), **form})

    def sign_up(self, name: str = "Ani", password: str = PASSWORD) -> Any:
        return self.post("/account/new", name=name, password=password)

    def sign_in(self, name: str = "Ani", password: str = PASSWORD) -> Any:
        return self.post("/account/in", name=name, password=password)

    def name(self) -> str | None:
        """Who is signed in, as the account page says."""
        found = re.search(r'id="best"><bdi>([^<]*)</bdi>', self.client.get("/account").text)
        return found[1] if found else None

    def seeds(self) -> list[int]:
        """A batch of seeds."""
        answer: Any = self.client.get("/practice/seeds", headers=OURS)
        assert answer.status_code == 200, answer.text
        return [each["seed"] for each in answer.json["seeds"]]

    def send(self, record: Any, helped: Any = False, **more: Any) -> Any:
        """Sends a record."""
        return self.client.post("/practice/results", json={"record": record, "helped": helped, **more}, headers=OURS)

    def verdict(self, record: Any) -> Any:
        """What becomes of a record that is taken in."""
        kept = self.send(record)
        assert kept.status_code in (200, 202), kept.text
        for app in twins.of(self.app):
            app.extensions["replays"].settle()
        return self.client.get(f"/practice/results/{kept.json['id']}", headers=OURS).json

    def board(self, variant: str = "block") -> list[tuple[str, str, str]]:
        """Place, name and points of each line of the leaderboard."""
        html = re.sub(r"\s+", " ", self.client.get(f"/ranking/{variant}").text)
        lines = re.findall(r'<span class="n">(\d+).*?<bdi>(.*?)</bdi>.*?<b>(\d+)</b>', html)
        return [(place, name, points) for place, name, points in lines]


def played(seed: int, variant: str = "block", seats: tuple[str, ...] = FOUR, turn: int = 0,
           **rules: Any) -> dict[str, Any]:
    """A whole match of a human who plays as a bot would, an Expert or a random one: way number `turn` of many. As long
    as practice proposes it, if `rules` do not say otherwise."""
    rules = {**VARIANTS[variant].played_rules, **rules}
    match, made = new_match(variant, rules, record.players_of(seats)), []
    while (result := tally(match))["status"] != "finished":
        position = begin(match, deal(match, seed))
        while not position.ended:
            human = seats[position.seat] == record.HUMAN
            level, chance = (("expert", "easy")[turn % 2], turn) if human else (seats[position.seat], seed)
            move = bot_move(position, level, chance, result["totals"])
            made += [str(move)] if human else []
            position = position.play(move)
        match = finish(position)
    return {"format": record.FORMAT, "engine": record.ENGINE, "variant": variant, "rules": rules, "seed": seed,
            "seats": list(seats), "moves": made}


def worth(raw: dict[str, Any]) -> int:
    """What a record is worth; 0 if it was not won."""
    read = record.read(raw)
    try:
        return ranking.judge(read, record.told(record.replay(read))["document"])
    except Invalid:
        return 0


def won(seed: int, variant: str = "block", seats: tuple[str, ...] = FOUR, **rules: Any) -> dict[str, Any]:
    """A match on this seed that the human wins, and that may count."""
    return next(raw for turn in range(200) if worth(raw := played(seed, variant, seats, turn, **rules)))


def state_of(raw: dict[str, Any]) -> dict[str, Any]:
    """A practice match under way in the state to which a record's moves lead."""
    under_way = session.new(raw["variant"], raw["rules"], raw["seed"], raw["seats"]).bot_turns()
    for move in raw["moves"]:
        while under_way.position.ended:
            under_way = under_way.next_round().bot_turns()
        under_way = under_way.play(move).bot_turns()
    return session.write(under_way)


def lost(seed: int) -> dict[str, Any]:
    """A match on this seed that the human loses."""
    return next(raw for turn in range(200) if not worth(raw := played(seed, turn=turn)))
