"""Events and their fold: any sequence that is accepted ends in the tally of the rounds that survive it."""

import copy
import json
from random import Random
from typing import Any

import pytest

from scorekeeper.core import documents as core_documents
from scorekeeper.core.errors import Invalid
from scorekeeper.core.events import MOST_EVENTS, MOST_STATES, Ledger, check, created, fold
from scorekeeper.core.tally import tally_document
from tests.core import documents

Event = dict[str, Any]
BLOCK = {"format": "scorekeeper/1", "variant": "block", "players": ["Ani", "Budi", "Citra", "Dewi"]}


def stored(events: list[Event]) -> list[Event]:
    """Events as the log gives them back."""
    return [{**event, "version": version, "at": "2026-11-30T19:00:00+00:00", "by": "phone"}
            for version, event in enumerate(events, 1)]


def block_round(winner: int, pips: int) -> dict[str, Any]:
    """A round that brings `winner` three times so many points."""
    return {"ended": "domino", "by": winner, "hands": [[] if seat == winner else pips for seat in range(4)]}


def entered(winner: int, pips: int) -> Event:
    return {"type": "round_entered", "round": block_round(winner, pips)}


class Log:
    """Checks, then appends; as the store does."""

    def __init__(self, *events: Event) -> None:
        self.events: list[Event] = []
        if events:
            self.append(*events)

    def append(self, *events: Event) -> None:
        check(stored(self.events), list(events))
        self.events += events

    def refuse(self, *events: Event) -> tuple[str, str]:
        """The code and the place with which these are refused."""
        with pytest.raises(Invalid) as refused:
            self.append(*events)
        return refused.value.code, refused.value.at

    @property
    def ledger(self) -> Ledger:
        return fold(stored(self.events))

    @property
    def totals(self) -> list[int]:
        totals: list[int] = self.ledger.tally()["totals"]
        return totals


class Snapshots:
    """A model that knows nothing of events: it keeps a copy of all that is, before each change."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.now: dict[str, Any] = {"document": document, "rounds": {}, "stakes": None, "ended_early": False}
        self.past: list[dict[str, Any]] = []
        self.future: list[dict[str, Any]] = []

    def do(self, event: Event, version: int) -> None:
        kind = event["type"]
        if kind == "undone":
            self.future.append(self.now)
            self.now = self.past.pop()
        elif kind == "redone":
            self.past.append(self.now)
            self.now = self.future.pop()
        else:
            self.past.append(copy.deepcopy(self.now))
            self.future.clear()
            self.change(kind, event, version)

    def change(self, kind: str, event: Event, version: int) -> None:
        document, rounds = self.now["document"], self.now["rounds"]
        if kind == "round_entered":
            rounds[version] = event["round"]
        elif kind == "round_corrected":
            rounds[event["id"]] = event["round"]
        elif kind == "round_voided":
            del rounds[event["id"]]
        elif kind == "player_renamed":
            document["players"][event["seat"]] = event["name"]
        elif kind == "rules_changed":
            document["rules"] = event["rules"]
        elif kind == "opener_set":
            document["first_opener"] = event["seat"]
        elif kind == "stakes_set":
            self.now["stakes"] = event["stakes"]
        else:
            self.now["ended_early"] = kind == "finished"

    def tally(self) -> dict[str, Any]:
        return tally_document({**self.now["document"], "rounds": list(self.now["rounds"].values())})


class Player:
    """Someone who does things to a match at random; about half of them are refused."""

    def __init__(self, dice: Random, variant: str) -> None:
        self.dice = dice
        others = [documents.make(dice, variant) for _ in range(5)]
        self.document = max(others, key=lambda document: len(document.get("rounds", [])))
        self.rounds = [round_ for document in others for round_ in document.get("rounds", [])]
        self.rules = [document.get("rules", {}) for document in others]

    def act(self, ids: list[int]) -> Event:
        dice = self.dice
        kinds = (["round_entered"] * 5 + ["round_corrected"] * 3 + ["undone"] * 4 + ["redone"] * 3
                 + ["round_voided", "player_renamed", "rules_changed", "opener_set", "stakes_set", "finished",
                    "reopened"])
        kind, id_, round_ = dice.choice(kinds), dice.choice([*ids, 1]), dice.choice(self.rounds)
        rest: dict[str, Event] = {
            "round_entered": {"round": round_},
            "round_corrected": {"id": id_, "round": round_},
            "round_voided": {"id": id_},
            "player_renamed": {"seat": dice.randrange(5), "name": dice.choice(["Fitri", "Gita", ""])},
            "rules_changed": {"rules": dice.choice(self.rules)},
            "opener_set": {"seat": dice.choice([None, 0, 3, 4])},
            "stakes_set": {"stakes": dice.choice([None, {"amount": 500, "unit": "Rp"}, {"amount": 0}])},
        }
        return {"type": kind} | rest.get(kind, {})


@pytest.mark.parametrize("variant", documents.MAKERS)
@pytest.mark.parametrize("seed", range(8))
def test_any_sequence_ends_in_the_tally_of_the_surviving_rounds(variant: str, seed: int) -> None:
    player = Player(Random(f"{variant} {seed}"), variant)
    log = Log(*created(player.document))
    model = Snapshots(copy.deepcopy(log.events[0]["document"]))
    for version, event in enumerate(log.events[1:], 2):
        model.do(event, version)
    refused = 0
    for _ in range(60):
        event = player.act(list(model.now["rounds"]))
        before = json.dumps(log.events)
        try:
            log.append(event)
        except Invalid as error:
            assert error.code and error.at.startswith("events[0]"), (error.code, error.at)
            assert json.dumps(log.events) == before
            refused += 1
            continue
        model.do(event, len(log.events))
        ledger = log.ledger
        assert [(entry.id, entry.round) for entry in ledger.rounds] == list(model.now["rounds"].items())
        assert ledger.tally() == model.tally()
        assert (ledger.stakes, ledger.ended_early) == (model.now["stakes"], model.now["ended_early"])
        assert ledger.document["players"] == model.now["document"]["players"]
        assert bool(ledger.can_undo) == bool(model.past) and bool(ledger.can_redo) == bool(model.future)
        assert ledger.version == len(ledger.history) == len(log.events)
    assert 5 < refused < 55


@pytest.mark.parametrize("variant", documents.MAKERS)
@pytest.mark.parametrize("seed", range(25))
def test_a_batch_is_accepted_exactly_if_its_events_are_one_by_one(variant: str, seed: int) -> None:
    player = Player(Random(f"batch {variant} {seed}"), variant)
    log = Log(*created({**player.document, "rounds": []}))
    for _ in range(12):
        ids = [entry.id for entry in log.ledger.rounds]
        batch = [player.act([*ids, len(log.events) + 1]) for _ in range(player.dice.randint(2, 4))]
        single = Log()
        single.events = list(log.events)
        wrong = None
        for number, event in enumerate(batch):
            try:
                single.append(event)
            except Invalid:
                wrong = number
                break
        if wrong is None:
            log.append(*batch)
            assert log.events == single.events
        else:
            _, at = log.refuse(*batch)
            place = int(at.removeprefix("events[").partition("]")[0])
            # Rounds entered one after another are looked at together: any of them may be named.
            between = batch[min(wrong, place) : max(wrong, place) + 1]
            assert place == wrong or {event["type"] for event in between} == {"round_entered"}


def test_undo_and_redo_of_every_kind_of_event() -> None:
    log = Log(*created(BLOCK), entered(0, 10))
    states = []
    events: list[Event] = [
        entered(1, 8), {"type": "round_corrected", "id": 2, "round": block_round(2, 5)},
        {"type": "round_voided", "id": 3}, {"type": "player_renamed", "seat": 0, "name": "Eko"},
        {"type": "rules_changed", "rules": {"target": 50}}, {"type": "opener_set", "seat": 3},
        {"type": "stakes_set", "stakes": {"amount": 100}}, {"type": "finished"}, {"type": "reopened"},
    ]
    for event in events:
        states.append(log.ledger)
        log.append(event)
    states.append(log.ledger)
    for state in reversed(states[:-1]):
        log.append({"type": "undone"})
        assert same(log.ledger, state)
    can_undo, can_redo = log.ledger.can_undo, log.ledger.can_redo
    assert can_undo and can_undo["round"] == block_round(0, 10) and can_redo
    for state in states[1:]:
        log.append({"type": "redone"})
        assert same(log.ledger, state)
    assert log.refuse({"type": "redone"}) == ("nothing_to_redo", "events[0]")


def same(one: Any, other: Any) -> bool:
    return all(getattr(one, name) == getattr(other, name)
               for name in ("document", "rounds", "stakes", "ended_early"))


def test_the_match_itself_cannot_be_undone() -> None:
    log = Log(*created(BLOCK))
    assert log.ledger.can_undo is None
    assert log.refuse({"type": "undone"}) == ("nothing_to_undo", "events[0]")


def test_a_new_event_ends_what_could_be_redone() -> None:
    log = Log(*created(BLOCK), entered(0, 10))
    log.append({"type": "undone"})
    log.append(entered(1, 4))
    assert log.refuse({"type": "redone"}) == ("nothing_to_redo", "events[0]")
    assert log.totals == [0, 12, 0, 0]


def test_a_round_three_back_is_corrected() -> None:
    log = Log(*created(BLOCK), entered(0, 10), entered(1, 8), entered(2, 1), entered(3, 2))
    log.append({"type": "round_corrected", "id": 2, "round": block_round(1, 20)})
    assert log.totals == [0, 84, 3, 6]
    change = log.ledger.history[-1]
    assert (change.before, change.after) == (block_round(0, 10), block_round(1, 20))


def test_a_corrected_round_reopens_a_decided_match_and_lets_it_go_on() -> None:
    log = Log(*created(BLOCK), entered(0, 20), entered(0, 20))
    assert log.ledger.tally()["winners"] == [0]
    assert log.refuse(entered(1, 8)) == ("match_over", "events[0]")
    log.append({"type": "round_corrected", "id": 3, "round": block_round(1, 20)})
    assert log.ledger.tally()["status"] == "playing"
    log.append(entered(2, 8))
    assert log.totals == [60, 60, 24, 0]


def test_rounds_after_the_end_that_a_correction_brings_count_nothing() -> None:
    log = Log(*created(BLOCK), entered(0, 10), entered(1, 10), entered(2, 10))
    log.append({"type": "round_corrected", "id": 2, "round": block_round(0, 35)})
    result = log.ledger.tally()
    assert result["totals"] == [105, 0, 0, 0] and result["winners"] == [0]
    assert [verdict.get("after_end", False) for verdict in result["rounds"]] == [False, True, True]
    assert log.refuse(entered(1, 8)) == ("match_over", "events[0]")


def test_a_voided_round_is_gone_until_the_voiding_is_undone() -> None:
    log = Log(*created(BLOCK), entered(0, 10), entered(1, 8))
    log.append({"type": "round_voided", "id": 2})
    assert log.totals == [0, 24, 0, 0]
    correction = {"type": "round_corrected", "id": 2, "round": block_round(0, 1)}
    assert log.refuse(correction) == ("no_round", "events[0].id")
    log.append({"type": "undone"})
    assert log.totals == [30, 24, 0, 0]


def test_a_match_ended_early_takes_no_round_until_it_is_reopened() -> None:
    log = Log(*created(BLOCK), entered(0, 10))
    log.append(entered(1, 8), {"type": "finished"})
    assert log.refuse(entered(1, 8)) == ("match_over", "events[0]")
    log.append({"type": "reopened"}, entered(1, 8))
    assert log.totals == [30, 48, 0, 0]


def test_an_imported_match_may_have_rounds_after_its_end() -> None:
    log = Log(*created({**BLOCK, "rounds": [block_round(0, 40), block_round(1, 8)]}))
    assert log.ledger.tally()["winners"] == [0]


@pytest.mark.parametrize("variant", documents.MAKERS)
def test_a_match_created_from_a_document_is_that_document(variant: str) -> None:
    for seed in range(50):
        document = documents.make(Random(seed), variant)
        ledger = Log(*created(document, {"amount": 500})).ledger
        assert core_documents.write(ledger.match) == core_documents.write(core_documents.read(document))
        assert ledger.stakes == {"amount": 500, "unit": ""}


def test_the_open_round_is_the_last_without_an_end() -> None:
    log = Log(*created(BLOCK), entered(0, 10))
    assert log.ledger.open is None
    log.append({"type": "round_entered", "round": {"ended": None}})
    ledger = log.ledger
    assert ledger.open is not None and ledger.open is ledger.entry(3)
    assert log.refuse(entered(0, 1)) == ("round_unfinished", "events[0].rounds[1].ended")
    log.append({"type": "round_corrected", "id": 3, "round": block_round(1, 2), "turns": "0 6-6, 1 pass"})
    assert log.ledger.open is None and log.ledger.rounds[-1].turns == "0 6-6, 1 pass"


def test_the_history_says_what_was_undone_and_by_what() -> None:
    log = Log(*created(BLOCK), entered(0, 10), entered(1, 8))
    log.append({"type": "undone"})
    log.append({"type": "undone"})
    log.append({"type": "redone"})
    history = log.ledger.history
    assert [change.undone for change in history] == [False, False, True, False, False, False]
    assert [change.target and change.target["version"] for change in history] == [None, None, None, 3, 2, 2]
    assert history[2].after == block_round(1, 8)


def test_an_intermediate_state_must_hold_too() -> None:
    """Otherwise one undo would lead to a document that is none."""
    log = Log(*created(BLOCK))
    batch = [{"type": "round_entered", "round": {}}, entered(0, 1), {"type": "round_corrected", "id": 2,
                                                                     "round": block_round(1, 1)}]
    assert log.refuse(*batch) == ("round_unfinished", "events[0].round.ended")
    assert len(log.events) == 1


def test_places_lead_into_what_was_sent() -> None:
    log = Log(*created(BLOCK), entered(0, 10))
    bad = {"ended": "domino", "by": 0, "hands": [[], ["2-5"], ["5-2"], 3]}
    fix = {"type": "round_corrected", "id": 2, "round": bad}
    assert log.refuse(fix) == ("tile_twice", "events[0].round.hands[2]")
    assert log.refuse(entered(1, 2), entered(1, 2), {"type": "round_entered", "round": bad}) == (
        "tile_twice", "events[2].round.hands[2]")
    free = {"type": "rules_changed", "rules": {"target": 0}}
    assert log.refuse(free) == ("bad_option", "events[0].rules.target")
    assert log.refuse({"type": "opener_set", "seat": 4}) == ("not_a_seat", "events[0].seat")
    assert Log().refuse({"type": "created", "document": {**BLOCK, "players": ["A", "B", "C", ""]}}) == (
        "name_missing", "events[0].document.players[3]")


def test_a_rule_that_makes_a_round_impossible_is_refused() -> None:
    table = {"format": "scorekeeper/1", "variant": "pontas", "players": list("ABCD")}
    log = Log(*created({**table, "rounds": [{"ended": "domino", "by": 0, "plays": []}]}))
    assert log.refuse({"type": "rules_changed", "rules": {"out_bonus": True}}) == (
        "field_missing", "events[0].rounds[0].hands")


def test_numbers_of_events_have_a_limit() -> None:
    log = Log(*created(BLOCK))
    renamed = {"type": "player_renamed", "seat": 0, "name": "Eko"}
    assert log.refuse(*[renamed] * (MOST_STATES + 1)) == ("too_many_events", "events")
    assert log.refuse(*[renamed] * MOST_EVENTS) == ("too_many_events", "events")
    log.append(*[renamed] * MOST_STATES)


def test_checking_changes_nothing() -> None:
    events = stored([*created(BLOCK), entered(0, 10)])
    new: list[Event] = [{"type": "player_renamed", "seat": 0, "name": "Eko"},
                        {"type": "rules_changed", "rules": {}}]
    before = copy.deepcopy((events, new))
    check(events, new)
    assert (events, new) == before
