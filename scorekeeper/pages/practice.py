"""Practice: one step of a match against bots, the same on the server and on a device, and the choice of a match.

A step is asked for with a JSON object: `{"do": …, "state": …}`, its state `session.write`'s.

    start           "variant", "rules", "seats", "seed"; or "form" (the fields of the choice) and "seed"
    play            "move": the human's
    bot, bots       one bot's move · all of them until it is the human's turn or the round is over
    undo, next      back before the human's last move of the round · the next round
    hint            what each move is worth; the match is out of the ranking then
    review          what each move of the round that is over has cost (practice_review.py)
    show            the state as it is

"language" says in which words. `answer` gives what is sent back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.core.bots import LEVELS
from scorekeeper.core.engine import session as sessions
from scorekeeper.core.engine.record import HUMAN
from scorekeeper.core.engine.session import Session
from scorekeeper.core.errors import Invalid, wrong_type
from scorekeeper.core.options import N_, Option
from scorekeeper.core.review import Effort
from scorekeeper.core.variants import VARIANTS
from scorekeeper.core.variants.base import Variant

from . import words
from .home import read_rules, text_of
from .page import Page
from .practice_help import hints
from .practice_review import review_step
from .practice_table import SEATS, table_context
from .typed import number

ME = 0
MIXED = "mixed"
USUAL = "normal"
LEVEL_NAMES = {"easy": N_("Easy"), "normal": N_("Normal"), "expert": N_("Expert"), "master": N_("Master")}
LEVEL_HINTS = {
    "easy": N_("Plays any tile that fits."),
    "normal": N_("Plays the heaviest tile that fits."),
    "expert": N_("Counts every tile and keeps what you need scarce."),
    "master": N_("Plays out what may be in your hand, thousands of times."),
    MIXED: N_("A level for each seat."),
}


@dataclass(frozen=True)
class Step:
    """What a step leads to: the match after it, the table screen, and whose turn it is (`human`, `bot`, `over`: the
    round is, `finished`: the match is). `told`: what the answer says besides."""

    session: Session
    page: Page
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def turn(self) -> str:
        """Whose turn it is."""
        return turn_of(self.session)


def answer(request: Any, render: Callable[[Page], str], effort: Effort | None = None) -> dict[str, Any]:
    """What a step answers in JSON: `{"state", "html", "turn"}`, of a finished match also its `"record"`; or
    `{"error": {"code", "message", "at"}}`."""
    try:
        made = step(request, effort)
    except Invalid as error:
        return error.as_dict()
    told = {"state": sessions.write(made.session), "html": render(made.page), "turn": made.turn} | made.told
    return told | ({"record": made.session.record()} if made.turn == "finished" else {})


def step(request: Any, effort: Effort | None = None) -> Step:
    """Takes one step. `effort`: of a review. Raises `Invalid` with a code and a place."""
    if type(request) is not dict:
        raise wrong_type("a step, a JSON object")
    do, language = request.get("do"), str(request.get("language", words.SOURCE))
    if do == "start":
        before = after = _started(request)
    elif type(do) is str and do in STEPS:
        before = read(request.get("state"))
        after = STEPS[do](before, request)
    else:
        raise Invalid("unknown_step", f"a step is one of start, {', '.join(STEPS)}", "do")
    if do == "review":
        return Step(after, *review_step(after, request, language, turn_of(after), effort))
    pick = request.get("pick")
    page = table_page(after, language, len(before.rounds[-1]), pick if type(pick) is str else None)
    if do == "hint":
        page.context["hints"] = hints(after)
    return Step(after, page)


def _play(session: Session, request: Mapping[str, Any]) -> Session:
    if type(request.get("move")) is not str:
        raise wrong_type("a move in text form", "move")
    try:
        return session.play(request["move"])
    except Invalid as error:
        raise error.within("move") from None


STEPS: dict[str, Callable[[Session, Mapping[str, Any]], Session]] = {
    "play": _play,
    "bot": lambda session, _: session.bot_turn(),
    "bots": lambda session, _: session.bot_turns(),
    "undo": lambda session, _: session.undo(),
    "next": lambda session, _: session.next_round(),
    "hint": lambda session, _: session.with_help(),
    "review": lambda session, _: session,
    "show": lambda session, _: session,
}


def read(raw: Any) -> Session:
    """A match from its JSON form, every move checked, with the human on the first seat. Raises `Invalid`."""
    try:
        session = sessions.read(raw)
    except Invalid as error:
        raise error.within("state") from None
    return _alone(session, "state.seats")


def _alone(session: Session, at: str) -> Session:
    seats = session.table.seats
    if [seat for seat, level in enumerate(seats) if level == HUMAN] != [ME]:
        raise Invalid("not_alone", "the first seat is the human's, the others are bots'", at)
    return session


def _started(request: Mapping[str, Any]) -> Session:
    asked: Mapping[str, Any] = request
    if "form" in request:
        if type(request["form"]) is not dict:
            raise wrong_type("an object of fields", "form")
        typed = {str(name): text for name, text in request["form"].items() if type(text) is str}
        asked = Choice(typed).asked() | {"seed": request.get("seed")}
    made = sessions.new(asked.get("variant"), asked.get("rules", {}), asked.get("seed"), asked.get("seats"))  # type: ignore[arg-type]
    _ = made.position
    return _alone(made, "seats")


def turn_of(session: Session) -> str:
    """`human`, `bot`, `over` or `finished`."""
    if session.position.ended:
        return "finished" if session.finished else "over"
    return "human" if session.human else "bot"


def table_page(session: Session, language: str, since: int = 0, pick: str | None = None) -> Page:
    """The table screen as a part of a page. `since`: how many moves of the round were told before; `pick`: the tile
    that asks for an end."""
    context = table_context(session, turn_of(session), words.catalogue(language).gettext, since, pick)
    return Page("practice/_table.html", {"state_text": "", "hints": {}} | context)


def full_page(part: Page | None, state_text: str = "", at: int = 0) -> Page:
    """The table screen `part`, or the review, as a whole page, for a browser that may have no script: with the match
    in its form as `state_text`, kept since `at` (ms). Without a match it says so; a script may know of one."""
    around = {"at": at, "state_text": state_text, "part": part.template if part else ""}
    return Page("practice/table.html", (part.context if part else {}) | around)


# -- the choice of a match -----------------------------------------------------------------------------------


@dataclass
class Choice:
    """What the form of the choice holds, as typed: `variant`, `seats` (how many), `level` (one for all bots, or
    `mixed`: then `level-1`, …) and `rule-<option>`."""

    typed: Mapping[str, str] = field(default_factory=dict)

    @property
    def variant(self) -> Variant:
        """The variant chosen, the first one where it is none."""
        return VARIANTS.get(self.typed.get("variant", "")) or next(iter(VARIANTS.values()))

    @property
    def tables(self) -> tuple[int, ...]:
        """How many may play it."""
        return self.variant.played_by or self.variant.seats

    @property
    def seats(self) -> int:
        """How many play."""
        typed = number(self.typed.get("seats", ""))
        return typed if typed in self.tables else self.tables[0]

    @property
    def level(self) -> str:
        """The level of all bots, or `mixed`."""
        typed = self.typed.get("level", USUAL)
        return typed if typed in (*LEVELS, MIXED) else USUAL

    def level_of(self, seat: int) -> str:
        """A seat's level where they are mixed."""
        typed = self.typed.get(f"level-{seat}", USUAL)
        return typed if typed in LEVELS else USUAL

    def rule(self, option: Option) -> str:
        """A house rule's value in the form, as text."""
        return self.typed.get(f"rule-{option.name}", text_of(self.variant.proposed(option)))

    @property
    def rules(self) -> dict[str, Any]:
        """The house rules, unchecked."""
        return {**self.variant.played_rules, **read_rules(self.variant, self.typed)}

    @property
    def other_length(self) -> bool:
        """Whether the match ends otherwise than the ranking asks."""
        return bool(self.variant.other_length(self.rules))

    def asked(self) -> dict[str, Any]:
        """The match asked for: `variant`, `rules` and `seats`, unchecked."""
        bots = [self.level if self.level != MIXED else self.level_of(seat) for seat in range(1, self.seats)]
        return {"variant": self.variant.key, "rules": self.rules, "seats": [HUMAN, *bots]}


def choose_page(choice: Choice, language: str, running: Session | None = None, error: Invalid | None = None) -> Page:
    """The choice of a match. `running`: the one that waits to be gone on with."""
    _ = words.catalogue(language).gettext
    context = {
        "choice": choice,
        "variant": choice.variant,
        "variants": list(VARIANTS.values()),
        "levels": {level: LEVEL_NAMES.get(level, level) for level in LEVELS},
        "hints": LEVEL_HINTS,
        "mixed": MIXED,
        "places": [_(name) for name in SEATS[choice.seats]],
        "running": running,
        "error": error,
        "text_of": text_of,
    }
    return Page("practice/choose.html", context, 422 if error else 200)
