"""Practice matches in the states they can be in, put into a browser as if they had been played there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from scorekeeper.core.engine import session as sessions
from scorekeeper.core.engine.session import Session
from scorekeeper.pages.practice_table import table_context

PUT = """async (state) => {
  const script = document.querySelector("[src*='js/practice.js']").src;
  const { save } = await import(script.replace("practice.js", "kept.js"));
  await save("practice", { state, turn: "", at: Date.now() });
}"""
SEATS = {"block": 4, "gaple": 4, "pontas": 4, "domeng": 5}
ENDS = {"block": {"target": 1}, "gaple": {"rounds": 1}, "pontas": {"target": 5}, "domeng": {}}


def settled(page: Page) -> None:
    """Waits until the table shows what was asked for last."""
    expect(page.locator("#stage[aria-busy=false] #practice")).to_be_visible(timeout=30_000)


def put(state: dict[str, Any], page: Page) -> None:
    """Goes to the table with this match on it."""
    page.goto("/practice/table")
    page.evaluate(PUT, state)
    page.goto("/practice/table")
    settled(page)


def positions(variant: str, seed: int, rules: dict[str, Any]) -> Iterator[Session]:
    """The states of a round in which it is the human's turn, played at random, and the state after it."""
    rng = Random(seed)
    played = sessions.new(variant, rules, seed, ["human", *["easy"] * (SEATS[variant] - 1)]).bot_turns()
    while not played.position.ended:
        yield played
        played = played.play(rng.choice(played.position.legal())).bot_turns()
    yield played


def rounds(variant: str, seed: int, rules: dict[str, Any]) -> Iterator[Session]:
    """The same of a whole match."""
    rng, played = Random(seed), sessions.new(variant, rules, seed, ["human", *["easy"] * (SEATS[variant] - 1)])
    while not (played := played.bot_turns()).finished:
        yield played
        played = played.next_round() if played.position.ended else played.play(rng.choice(played.position.legal()))


@cache
def found(variant: str, rules: tuple[tuple[str, Any], ...], wanted: Callable[[Session], bool]) -> dict[str, Any]:
    """The first state of all seeds that is as wanted."""
    for seed in range(2000):
        for played in positions(variant, seed, dict(rules)):
            if wanted(played):
                return sessions.write(played)
    raise AssertionError(f"no such state of {variant}")


def state(variant: str, wanted: Callable[[Session], bool], **rules: Any) -> dict[str, Any]:
    """The same, with house rules by name."""
    return found(variant, tuple(rules.items()), wanted)


@cache
def later(variant: str, wanted: Callable[[Session], bool]) -> dict[str, Any]:
    """The first state of a whole match, of all seeds, that is as wanted."""
    matches = (played for seed in range(200) for played in rounds(variant, seed, {}))
    return sessions.write(next(played for played in matches if wanted(played)))


def open_(played: Session) -> bool:
    return not played.position.ended


def long(played: Session) -> bool:
    """Many tiles lie, and most of the human's could be set."""
    return open_(played) and played.position.layout.tiles >= 16 and len(played.position.legal()) > 1


def passes(played: Session) -> bool:
    return open_(played) and played.position.legal()[0].tile is None


def gives(played: Session) -> bool:
    return open_(played) and played.position.legal()[0].discard


def asks(played: Session) -> bool:
    """A tile fits several ends, on a layout that has begun."""
    if not open_(played) or played.position.layout.tiles < 6:
        return False
    return any(held["asks"] for held in table_context(played, "human", str, 0, None)["hand"])


def four_arms(played: Session) -> bool:
    """All four sides of the spinner are covered."""
    return open_(played) and len(played.position.layout.ends) == 4 and played.position.layout.tiles > 9


def hundred(played: Session) -> bool:
    """A total has three digits while the round is played to its end (P8), the human's turn."""
    return open_(played) and max(seat["total"] for seat in table_context(played, "human", str, 0, None)["seats"]) >= 100


def over(played: Session) -> bool:
    return bool(played.position.ended) and not played.finished


def finished(played: Session) -> bool:
    return played.finished


def first(played: Session) -> bool:
    return not played.position.moves


def places() -> Iterator[tuple[str, Callable[[Page], None]]]:
    """Names of states, and what brings a page there."""
    yield "dealt, block", partial(put, state("block", first))
    yield "long, block", partial(put, state("block", long))
    yield "nothing fits, block", partial(put, state("block", passes))
    yield "a tile to give up, gaple", partial(put, state("gaple", gives))
    yield "four arms, pontas", partial(put, state("pontas", four_arms))
    yield "a hundred, pontas", partial(put, later("pontas", hundred))
    yield "five seats, domeng", partial(put, state("domeng", long))
    yield "which end, pontas", partial(_pick, state("pontas", asks))
    yield "a hint, block", partial(_hint, state("block", asks))
    for variant in SEATS:
        yield f"round over, {variant}", partial(put, state(variant, over))
        yield f"round over, why, {variant}", partial(_why, state(variant, over))
    for variant, rules in ENDS.items():
        if rules:
            yield f"match over, {variant}", partial(put, state(variant, finished, **rules))
    yield "review", partial(_review, state("gaple", over))


def _pick(state_: dict[str, Any], page: Page) -> None:
    put(state_, page)
    page.locator(".hand [name=pick]").first.tap()
    expect(page.locator(".spot button:visible").first).to_be_visible()


def _hint(state_: dict[str, Any], page: Page) -> None:
    put(state_, page)
    page.tap("[value=hint]")
    expect(page.locator(".hand .worth").first).to_be_visible(timeout=30_000)
    settled(page)


def _why(state_: dict[str, Any], page: Page) -> None:
    put(state_, page)
    page.tap("#why summary")


def _review(state_: dict[str, Any], page: Page) -> None:
    put(state_, page)
    page.tap("[value=review]")
    expect(page.locator(".review .sum")).to_be_visible(timeout=60_000)
    settled(page)
