"""Practice matches as the worker is asked for them: each request, and what this Python answers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from scorekeeper import device
from scorekeeper.core.engine import record
from scorekeeper.core.engine import session as sessions
from tests.core.tables import TABLES

BOTS = ("normal", "expert", "easy")
Step = tuple[dict[str, Any], dict[str, Any]]


def ask(home: dict[str, Any], **request: Any) -> Step:
    """A request, and the answer as it comes out of JSON again."""
    request = {"language": "en", **request, "home": home}
    answer = device.answer(request)
    assert "error" not in answer, answer
    return request, answer


def match(table: str, seed: int, home: dict[str, Any], most: int = 10_000, **more: Any) -> Iterator[Step]:
    """The steps of a whole match, or the first `most` of them: a human who plays at random, takes one move back, and
    looks at the table again after each round."""
    variant, players, rules = TABLES[table]
    rng = Random(seed)
    seats = ["human", *(BOTS[seat % len(BOTS)] for seat in range(players - 1))]
    request, answer = ask(home, do="start", variant=variant, rules=rules, seed=seed, seats=seats, **more)
    yield request, answer
    undone = False
    for _ in range(most - 1):
        state, turn = answer["state"], answer["turn"]
        if turn == "finished":
            return
        asked: dict[str, Any] = {"do": {"bot": "bot", "over": "next", "human": "play"}[turn]}
        if turn == "bot" and rng.random() < 0.5:
            asked["do"] = "bots"
        if turn == "human":
            asked["move"] = str(rng.choice(sessions.read(state).position.legal()))
            if len(state["rounds"][-1]) > 6 and not undone:
                asked, undone = {"do": "undo"}, True
        request, answer = ask(home, state=state, **asked, **more)
        yield request, answer


def finished(steps: list[Step]) -> dict[str, Any]:
    """The practice record of a match that was played to its end."""
    _, answer = steps[-1]
    assert answer["turn"] == "finished"
    made = sessions.read(answer["state"]).record()
    record.read(made)
    return made
