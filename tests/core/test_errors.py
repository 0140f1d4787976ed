"""Broken input of every kind: each is refused with a stable code and the place where it is broken."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scorekeeper.core
from scorekeeper import cli
from scorekeeper.core import events, hands, ranking, tiles
from scorekeeper.core.arena import contest
from scorekeeper.core.engine import moves, position_json, record, session
from scorekeeper.core.errors import Invalid, shown
from scorekeeper.core.layout import Layout
from scorekeeper.core.tally import tally_document
from scorekeeper.core.variants.playing import highest_double

DEEP: Any = []
for _ in range(100_000):
    DEEP = [DEEP]
# No types of JSON, or JSON's own types where something else belongs.
NOT_WHOLE = [True, 1.0, "1", [1], {"a": 1}, DEEP, float("nan"), float("inf")]
HUGE = 10**5000
DOMENG_PASS = {"seat": 0, "after": 1}


def table(variant: str, seats: int, /, **parts: Any) -> dict[str, Any]:
    return {"format": "scorekeeper/1", "variant": variant, "players": list("ABCDE"[:seats])} | parts


def block(*rounds: Any, **parts: Any) -> dict[str, Any]:
    return table("block", 4, rounds=list(rounds), **parts)


def gaple(*rounds: Any, seats: int = 4, **parts: Any) -> dict[str, Any]:
    return table("gaple", seats, rounds=list(rounds), **parts)


def pontas(*rounds: Any, **parts: Any) -> dict[str, Any]:
    return table("pontas", 4, rounds=list(rounds), **parts)


def domeng(*rounds: Any, **parts: Any) -> dict[str, Any]:
    return table("domeng", 5, rounds=list(rounds), **parts)


def out(*hands_: Any, by: Any = 0, **parts: Any) -> dict[str, Any]:
    return {"ended": "domino", "by": by, "hands": list(hands_)} | parts


def stuck(*hands_: Any, **parts: Any) -> dict[str, Any]:
    return {"ended": "blocked", "hands": list(hands_)} | parts


def thrown(*discards: Any, **parts: Any) -> dict[str, Any]:
    """A blocked round of gaple in which each player holds 0-1, 0-2, 0-3, 0-4 besides these discards."""
    return stuck(["0-1"], ["0-2"], ["0-3"], ["0-4"], discards=list(discards), **parts)


def tied(lowest: Any, **parts: Any) -> dict[str, Any]:
    """A blocked round of gaple in which the first two are tied at 6, by numbers."""
    return stuck(6, 6, ["5-5"], ["6-6"], discards=[[], [], [], []], lowest=lowest, **parts)


def passes(*passes_: Any, **parts: Any) -> dict[str, Any]:
    return domeng({"passes": list(passes_)}, **parts)


def named(name: Any) -> dict[str, Any]:
    return block(players=["A", "B", name, "D"])


FINE = out([], 1, 2, 3)
ONE = [["1-1"], ["2-2"], ["3-3"], ["4-4"], ["5-5"]]

# What is wrong, the document, the code and the place.
BROKEN: list[tuple[str, Any, str, str]] = [
    # the document
    *((f"a document that is {type(raw).__name__}", raw, "wrong_type", "") for raw in [None, [], "x", 1, DEEP]),
    ("no format", {}, "unknown_format", "format"),
    ("the next format", block(format="scorekeeper/2"), "unknown_format", "format"),
    ("a format as a deep list", block(format=DEEP), "unknown_format", "format"),
    ("an unknown key", block(round=[]), "unknown_field", ""),
    ("half a surrogate pair as a key", block(**{"\ud800": 1}), "unknown_field", ""),
    ("no variant", {"format": "scorekeeper/1"}, "unknown_variant", "variant"),
    ("another variant", block(variant="chess"), "unknown_variant", "variant"),
    ("a variant as a deep list", block(variant=DEEP), "unknown_variant", "variant"),
    # players
    ("no players", {"format": "scorekeeper/1", "variant": "block"}, "wrong_type", "players"),
    ("players as an object", block(players={"0": "A"}), "wrong_type", "players"),
    ("one player", table("block", 1), "player_count", "players"),
    ("five in block", table("block", 5), "player_count", "players"),
    ("three in gaple", table("gaple", 3), "player_count", "players"),
    ("five in pontas", table("pontas", 5), "player_count", "players"),
    ("four in domeng", table("domeng", 4), "player_count", "players"),
    ("a name as a number", named(5), "wrong_type", "players[2]"),
    ("a name as null", named(None), "wrong_type", "players[2]"),
    ("an empty name", named(""), "name_missing", "players[2]"),
    ("a blank name", named(" \t\n\u00a0\u2003"), "name_missing", "players[2]"),
    ("an invisible name", named("\u200b\u200d\ufeff"), "name_missing", "players[2]"),
    ("only an accent", named("\u0301"), "name_missing", "players[2]"),
    ("a long name", named("x" * 41), "name_too_long", "players[2]"),
    ("a control in a name", named("A\x00B"), "name_characters", "players[2]"),
    ("an escape in a name", named("A\x1b[31mB"), "name_characters", "players[2]"),
    ("text turned round in a name", named("A\u202eB"), "name_characters", "players[2]"),
    ("an isolate in a name", named("A\u2066B"), "name_characters", "players[2]"),
    ("half a surrogate pair in a name", named("A\ud83dB"), "name_characters", "players[2]"),
    ("private use in a name", named("A\ue000"), "name_characters", "players[2]"),
    ("a noncharacter in a name", named("A\uffff"), "name_characters", "players[2]"),
    # sides
    ("sides in block", block(sides=[[0, 2], [1, 3]]), "bad_sides", "sides"),
    ("other partners in gaple", gaple(sides=[[0, 1], [2, 3]]), "bad_sides", "sides"),
    ("partners of five", gaple(seats=5, sides=[[0, 2], [1, 3]]), "bad_sides", "sides"),
    ("partners as floats", gaple(sides=[[0.0, 2], [1, 3]]), "bad_sides", "sides"),
    ("partners as truth values", gaple(sides=[[False, 2], [True, 3]]), "bad_sides", "sides"),
    ("each alone in pontas", pontas(sides=[[0], [1], [2], [3]]), "bad_sides", "sides"),
    ("sides as a deep list", gaple(sides=DEEP), "bad_sides", "sides"),
    # rules
    ("rules as a list", block(rules=[]), "wrong_type", "rules"),
    ("rules as null", block(rules=None), "wrong_type", "rules"),
    ("another variant's rule", block(rules={"rounds": 3}), "unknown_option", "rules"),
    ("a rule with a strange name", block(rules={"\ud800" * 99: 3}), "unknown_option", "rules"),
    *((f"a target of {shown(raw)}", block(rules={"target": raw}), "bad_option", "rules.target")
      for raw in [*NOT_WHOLE, None, 0, -100, 1001, HUGE]),
    ("a choice that is none", block(rules={"blocked_points": "half"}), "bad_option", "rules.blocked_points"),
    ("a number for a switch", gaple(rules={"double_blank_25": 1}), "bad_option", "rules.double_blank_25"),
    ("a switch for a number", pontas(rules={"pass_bonus": False}), "bad_option", "rules.pass_bonus"),
    ("no camats at all", domeng(rules={"camats": 0}), "bad_option", "rules.camats"),
    # start and first opener
    ("a start as a list", block(start=[0, 0, 0, 0]), "wrong_type", "start"),
    ("a start without totals", block(start={}), "side_count", "start.totals"),
    ("a start for three", block(start={"totals": [0, 0, 0]}), "side_count", "start.totals"),
    ("a start per seat", pontas(start={"totals": [0, 0, 0, 0]}), "side_count", "start.totals"),
    ("a camat in block", block(start={"totals": [0] * 4, "camat": 1}), "unknown_field", "start"),
    *((f"a start of {shown(raw)}", block(start={"totals": [0, raw, 0, 0]}), "wrong_type", "start.totals[1]")
      for raw in [*NOT_WHOLE, None, 10_001, -10_001, HUGE]),
    ("a start at the target", block(start={"totals": [0, 100, 0, 0]}), "start_decided", "start.totals"),
    ("a start at the target of the house", pontas(start={"totals": [0, 50]}, rules={"target": 50}),
     "start_decided", "start.totals"),
    ("26 stones", domeng(start={"totals": [5, 5, 5, 5, 6]}), "stones_impossible", "start.totals"),
    ("a stone less than none", domeng(start={"totals": [5, -1, 5, 5, 5]}), "stones_impossible", "start.totals"),
    ("a sixth camat", domeng(start={"totals": [0] * 5, "camat": 5}), "not_a_seat", "start.camat"),
    *((f"an opener of {shown(raw)}", block(first_opener=raw), "not_a_seat", "first_opener")
      for raw in [*NOT_WHOLE, -1, 4, HUGE, -HUGE]),
    # rounds
    ("rounds as an object", block() | {"rounds": {}}, "wrong_type", "rounds"),
    ("rounds as null", block() | {"rounds": None}, "wrong_type", "rounds"),
    ("1001 rounds", block(*[FINE] * 1001), "too_many_rounds", "rounds"),
    ("a round as a list", block(FINE, []), "wrong_type", "rounds[1]"),
    ("a round after an open one", block({}, FINE), "round_unfinished", "rounds[0].ended"),
    ("an unknown key in a round", block({"hand": []}), "unknown_field", "rounds[0]"),
    ("another variant's key in a round", block(out([], 1, 2, 3, discards=[[]] * 4)), "unknown_field", "rounds[0]"),
    ("an end that is none", block({"ended": "won"}), "unknown_ending", "rounds[0].ended"),
    ("another variant's end", block({"ended": "ceki"}), "unknown_ending", "rounds[0].ended"),
    ("an end as a deep list", block({"ended": DEEP}), "unknown_ending", "rounds[0].ended"),
    ("nobody went out", block(out([], 1, 2, 3, by=None)), "by_missing", "rounds[0].by"),
    ("somebody blocked", block(stuck(1, 2, 3, 4, by=0)), "not_asked", "rounds[0].by"),
    ("an open round that somebody ended", block({"by": 0}), "not_asked", "rounds[0].by"),
    *((f"went out: {shown(raw)}", block(out([], 1, 2, 3, by=raw)), "not_a_seat", "rounds[0].by")
      for raw in [*NOT_WHOLE, -1, 4, HUGE]),
    # hands
    ("no hands", block({"ended": "blocked"}), "field_missing", "rounds[0].hands"),
    ("hands as null", block({"ended": "blocked", "hands": None}), "wrong_type", "rounds[0].hands"),
    ("hands by seat", block({"ended": "blocked", "hands": {"0": 1}}), "wrong_type", "rounds[0].hands"),
    ("three hands", block(stuck(1, 2, 3)), "seat_count", "rounds[0].hands"),
    ("five hands", block(stuck(1, 2, 3, 4, 5)), "seat_count", "rounds[0].hands"),
    ("a blank hand", block(stuck(1, None, 3, 4)), "hand_missing", "rounds[0].hands[1]"),
    *((f"a hand of {shown(raw)}", block(stuck(1, raw, 3, 4)), "wrong_type", "rounds[0].hands[1]")
      for raw in [True, 1.0, "1-2", {}, float("nan")]),
    ("a negative hand", block(stuck(1, -1, 3, 4)), "pips_impossible", "rounds[0].hands[1]"),
    ("a huge negative hand", block(stuck(1, -HUGE, 3, 4)), "pips_impossible", "rounds[0].hands[1]"),
    ("a hand heavier than the heaviest", block(stuck(1, 70, 3, 4)), "pips_impossible", "rounds[0].hands[1]"),
    ("a huge hand", block(stuck(1, HUGE, 3, 4)), "pips_impossible", "rounds[0].hands[1]"),
    ("hands heavier than the set", block(stuck(50, 40, 40, 40)), "pips_impossible", "rounds[0].hands"),
    *((f"a tile {shown(raw)}", block(stuck(1, ["0-1", raw], 3, 4)), "not_a_tile", "rounds[0].hands[1][1]")
      for raw in ["7-0", "0-7", "22", "2_2", " 2-2", "2-2 ", "-2-2", "", "\ud800", 22, 2.2, None, True, [], {}]),
    ("a deep tile", block(stuck(1, DEEP, 3, 4)), "not_a_tile", "rounds[0].hands[1][0]"),
    ("a tile twice in a hand", block(stuck(["2-5", "5-2"], 2, 3, 4)), "tile_twice", "rounds[0].hands[0]"),
    ("a tile in two hands", block(stuck(1, ["2-5"], 3, ["2-5"])), "tile_twice", "rounds[0].hands[3]"),
    ("eight tiles", block(stuck([f"0-{n}" for n in range(7)] + ["1-1"], 2, 3, 4)), "too_many_tiles",
     "rounds[0].hands[0]"),
    ("who went out holds tiles", block(out(["1-1"], 1, 2, 3)), "hand_not_empty", "rounds[0].hands[0]"),
    ("who went out holds pips", block(out(1, 1, 2, 3)), "hand_not_empty", "rounds[0].hands[0]"),
    ("two went out", block(out([], 1, [], 3)), "hand_empty", "rounds[0].hands[2]"),
    ("one out when blocked", block(stuck([], 1, 2, 3)), "hand_empty", "rounds[0].hands[0]"),
    # gaple
    ("no discards", gaple(stuck(1, 2, 3, 4)), "field_missing", "rounds[0].discards"),
    ("a tile held and discarded", gaple(thrown(["0-2"], [], [], [])), "tile_twice", "rounds[0].discards[0]"),
    ("discards as null", gaple(thrown([], None, [], [])), "hand_missing", "rounds[0].discards[1]"),
    ("seven tiles of six", gaple(thrown([f"1-{n}" for n in range(1, 7)], [], [], []), rules={"tiles_each": 6}),
     "too_many_tiles", "rounds[0].discards[0]"),
    ("six tiles at a table of five", gaple(stuck([f"0-{n}" for n in range(6)], 1, 1, 1, 1, discards=[[]] * 5),
                                           seats=5), "too_many_tiles", "rounds[0].hands[0]"),
    ("too heavy together", gaple(stuck(40, 1, 1, 1, discards=[40, 0, 0, 0])), "pips_impossible",
     "rounds[0].discards[0]"),
    ("no room for the number", gaple(thrown([], 62, [], [])), "pips_impossible", "rounds[0].discards[1]"),
    ("nobody known out, two empty", gaple(out([], [], 1, 2, by=None, discards=[[]] * 4)), "hand_empty",
     "rounds[0].hands[0]"),
    ("lowest as a list", gaple(tied(["0-1"])), "wrong_type", "rounds[0].lowest"),
    ("lowest of seat 4", gaple(tied({"4": "0-1"})), "not_a_seat", "rounds[0].lowest"),
    ("lowest of seat 00", gaple(tied({"00": "0-1"})), "not_a_seat", "rounds[0].lowest"),
    ("lowest of an Arabic seat", gaple(tied({"\u0661": "0-1"})), "not_a_seat", "rounds[0].lowest"),
    ("lowest that is no tile", gaple(tied({"1": "0-9"})), "not_a_tile", "rounds[0].lowest.1"),
    ("lowest heavier than the hand", gaple(tied({"1": "3-4"})), "lowest_impossible", "rounds[0].lowest.1"),
    ("lowest with a lighter rest", gaple(tied({"1": "0-4"})), "lowest_impossible", "rounds[0].lowest.1"),
    ("lowest that another holds", gaple(tied({"1": "5-5"})), "lowest_impossible", "rounds[0].lowest.1"),
    ("one lowest for two", gaple(tied({"0": "0-1", "1": "0-1"})), "lowest_impossible", "rounds[0].lowest.0"),
    ("no lowest though blocked", gaple(tied({"1": None})), "lowest_impossible", "rounds[0].lowest.1"),
    ("lowest not among the tiles", gaple(tied({"2": "0-1"})), "lowest_impossible", "rounds[0].lowest.2"),
    ("two without any tile", gaple(out(0, 0, 5, 6, by=None, discards=[0] * 4, lowest={"0": None, "1": None})),
     "lowest_impossible", "rounds[0].lowest.0"),
    ("no tile, but another is out", gaple(out([], 0, 5, 6, discards=[0] * 4, lowest={"1": None})),
     "lowest_impossible", "rounds[0].lowest.1"),
    ("a 0-0 that should have counted 25",
     gaple(stuck(0, 0, 5, 6, discards=[0] * 4, lowest={"1": "0-0"}), rules={"double_blank_25": True}),
     "lowest_impossible", "rounds[0].lowest.1"),
    # pontas
    ("no plays", pontas({"ended": "blocked"}), "field_missing", "rounds[0].plays"),
    ("plays as an object", pontas({"plays": {}}), "wrong_type", "rounds[0].plays"),
    ("57 plays", pontas({"plays": [[0, 5]] * 57}), "too_many_plays", "rounds[0].plays"),
    *((f"a play {shown(raw)}", pontas({"plays": [[0, 5], raw]}), "wrong_type", "rounds[0].plays[1]")
      for raw in [5, [5], [0, 5, 5], [0, 20, "Pass"], None, {}, DEEP]),
    *((f"a score of {shown(raw)}", pontas({"plays": [[0, raw]]}), "not_a_score", "rounds[0].plays[0]")
      for raw in [*NOT_WHOLE, 0, 1, 7, 35, 40, -5, HUGE, None]),
    ("a pass bonus without the rule", pontas({"plays": [[0, 20, "pass"]]}), "not_a_score", "rounds[0].plays[0]"),
    ("another pass bonus", pontas({"plays": [[0, 25, "pass"]]}, rules={"pass_bonus": 20}), "not_a_score",
     "rounds[0].plays[0]"),
    ("seat 4 scores", pontas({"plays": [[4, 5]]}), "not_a_seat", "rounds[0].plays[0]"),
    ("a bonus without hands", pontas(out(by=0, plays=[]) | {"hands": [[], None, None, 3]},
                                     rules={"out_bonus": True}), "hand_missing", "rounds[0].hands[1]"),
    ("a partner without tiles", pontas(out([], 1, [], 3, plays=[])), "hand_empty", "rounds[0].hands[2]"),
    # domeng
    ("no passes", domeng({"ended": "cappu", "by": 0}), "field_missing", "rounds[0].passes"),
    ("passes as an object", domeng({"passes": {}}), "wrong_type", "rounds[0].passes"),
    ("201 passes", passes(*[DOMENG_PASS] * 201), "too_many_passes", "rounds[0].passes"),
    ("a pass as a seat", passes(2), "wrong_type", "rounds[0].passes[0]"),
    ("an unknown key in a pass", passes({"seat": 1, "stones": 2}), "wrong_type", "rounds[0].passes[0]"),
    ("nobody passes", passes({"bunge": True}), "not_a_seat", "rounds[0].passes[0].seat"),
    ("seat 5 passes", passes(DOMENG_PASS, {"seat": 5}), "not_a_seat", "rounds[0].passes[1].seat"),
    ("bunge as a number", passes({"seat": 1, "bunge": 1}), "wrong_type", "rounds[0].passes[0].bunge"),
    ("after nobody", passes({"seat": 1, "after": -1}), "not_a_seat", "rounds[0].passes[0].after"),
    ("manguno without hands", domeng({"ended": "manguno", "by": 0, "passes": []}), "field_missing",
     "rounds[0].hands"),
    ("manguno is out", domeng({"ended": "manguno", "by": 0, "passes": [], "hands": [[], *ONE[1:]]}), "hand_empty",
     "rounds[0].hands[0]"),
    ("cappu holds tiles", domeng({"ended": "cappu", "by": 0, "passes": [], "hands": ONE}), "hand_not_empty",
     "rounds[0].hands[0]"),
    ("six tiles in domeng", domeng({"hands": [[f"0-{n}" for n in range(6)], 1, 1, 1, 1]}), "too_many_tiles",
     "rounds[0].hands[0]"),
]

TABLE = {"type": "created", "document": table("block", 4)}
# What is wrong, the events (the last one is refused), the code and the place.
BROKEN_EVENTS: list[tuple[str, list[Any], str, str]] = [
    ("an event as text", [TABLE, "finished"], "wrong_type", "events[1]"),
    ("an event without a type", [TABLE, {}], "wrong_type", "events[1]"),
    ("a type as a list", [TABLE, {"type": ["finished"]}], "wrong_type", "events[1]"),
    ("an unknown event", [TABLE, {"type": "rewound"}], "unknown_event", "events[1].type"),
    ("the log's own words", [TABLE, {"type": "finished", "version": 2}], "unknown_field", "events[1]"),
    ("an event without its part", [TABLE, {"type": "round_voided"}], "field_missing", "events[1].id"),
    ("a match that never began", [{"type": "finished"}], "not_created", "events[0]"),
    ("a document as a list", [TABLE | {"document": []}], "not_created", "events[0]"),
    ("a broken document", [TABLE | {"document": {}}], "unknown_format", "events[0].document.format"),
    ("a deep document", [TABLE | {"document": block(first_opener=DEEP)}], "not_a_seat",
     "events[0].document.first_opener"),
    ("a document with rounds", [TABLE | {"document": block(FINE)}], "unknown_field", "events[0].document.rounds"),
    ("a match that begins twice", [TABLE, TABLE], "already_created", "events[1].type"),
    ("a round as a list", [TABLE, {"type": "round_entered", "round": []}], "wrong_type", "events[1].round"),
    ("a deep round", [TABLE, {"type": "round_entered", "round": {"hands": DEEP}}], "seat_count",
     "events[1].round.hands"),
    ("a broken round", [TABLE, {"type": "round_entered", "round": out([], 1, 2)}], "seat_count",
     "events[1].round.hands"),
    ("turns as a list", [TABLE, {"type": "round_entered", "round": FINE, "turns": []}], "wrong_type",
     "events[1].turns"),
    ("turns without end", [TABLE, {"type": "round_entered", "round": FINE, "turns": "x" * 4001}], "wrong_type",
     "events[1].turns"),
    ("half a surrogate pair in turns", [TABLE, {"type": "round_entered", "round": FINE, "turns": "\ud800"}],
     "wrong_type", "events[1].turns"),
    ("no such round", [TABLE, {"type": "round_voided", "id": 2}], "no_round", "events[1].id"),
    ("a round's id as a float", [TABLE, {"type": "round_entered", "round": FINE},
                                 {"type": "round_voided", "id": 2.0}], "no_round", "events[2].id"),
    ("the match as a round", [TABLE, {"type": "round_voided", "id": True}], "no_round", "events[1].id"),
    ("seat 4 renamed", [TABLE, {"type": "player_renamed", "seat": 4, "name": "Eko"}], "not_a_seat",
     "events[1].seat"),
    ("a deep seat renamed", [TABLE, {"type": "player_renamed", "seat": DEEP, "name": "Eko"}], "not_a_seat",
     "events[1].seat"),
    ("renamed to nothing", [TABLE, {"type": "player_renamed", "seat": 0, "name": ""}], "name_missing",
     "events[1].name"),
    ("a house rule that is none", [TABLE, {"type": "rules_changed", "rules": {"rounds": 3}}], "unknown_option",
     "events[1].rules"),
    ("house rules as a list", [TABLE, {"type": "rules_changed", "rules": []}], "wrong_type", "events[1].rules"),
    ("seat 4 leads", [TABLE, {"type": "opener_set", "seat": 4}], "not_a_seat", "events[1].seat"),
    ("stakes as a number", [TABLE, {"type": "stakes_set", "stakes": 5}], "wrong_type", "events[1].stakes"),
    ("stakes of nothing", [TABLE, {"type": "stakes_set", "stakes": {"amount": 0}}], "bad_stakes",
     "events[1].stakes.amount"),
    ("stakes as a truth value", [TABLE, {"type": "stakes_set", "stakes": {"amount": True}}], "bad_stakes",
     "events[1].stakes.amount"),
    ("a long unit", [TABLE, {"type": "stakes_set", "stakes": {"amount": 1, "unit": "x" * 9}}], "bad_stakes",
     "events[1].stakes.unit"),
    ("stakes that are bad from the start", [TABLE | {"stakes": {"amount": -1}}], "bad_stakes",
     "events[0].stakes.amount"),
    ("nothing to undo", [TABLE, {"type": "undone"}], "nothing_to_undo", "events[1]"),
    ("nothing to redo", [TABLE, {"type": "redone"}], "nothing_to_redo", "events[1]"),
    ("a round after the end", [TABLE, {"type": "finished"}, {"type": "round_entered", "round": FINE}],
     "match_over", "events[2]"),
    ("5001 events", [TABLE, *[{"type": "reopened"}] * 5000], "too_many_events", "events"),
]


LED = Layout().play(tiles.of(2, 4), "")
HANDS = [["2-4", "6-6"], ["2-3", "5-5"], ["0-1"], ["0-2"]]


def position(*moves: str, hands: Any = HANDS, opener: int = 0) -> Any:
    """A round of Block after these moves."""
    return position_json.read({"variant": "block", "opener": opener, "hands": hands, "moves": list(moves)})


def practice(**changes: Any) -> Any:
    """A practice record, with something wrong in it or not."""
    return record.read(raw_practice(**changes))


def seated(first: str) -> session.Session:
    """A practice match in which the 6-6 leads, held by a player like this; the others are the other kind."""
    started = session.new("block", {}, 1, ["easy"] * 4)
    other = "human" if first == "easy" else "easy"
    seats = [first if seat == started.position.opener else other for seat in range(4)]
    return session.new("block", {}, 1, seats)


def raw_practice(**changes: Any) -> dict[str, Any]:
    whole: dict[str, Any] = {"format": record.FORMAT, "engine": record.ENGINE, "variant": "block", "seed": 1,
             "seats": ["human", "easy", "easy", "easy"]}
    return whole | changes


# What is wrong, what is called, the code.
BROKEN_CALLS: list[tuple[str, Callable[[], Any], str]] = [
    ("a tile at the wrong end", lambda: LED.play(tiles.of(5, 5), "left"), "does_not_fit"),
    ("a deal that hides the doubles", lambda: highest_double([[tiles.of(0, 1)]]), "no_double"),
    ("a move that is no text", lambda: moves.parse(7), "not_a_move"),
    ("a move to nowhere", lambda: moves.parse("2-5@middle"), "not_a_move"),
    ("an empty hand dealt", lambda: position(hands=[[], ["2-3"], ["0-1"], ["0-2"]]), "bad_deal"),
    ("a tile that does not fit", lambda: position("2-4", "5-5"), "illegal_move"),
    ("a tile that fits two ends",
     lambda: position("1-2", "1-3", "2-3", hands=[["1-2", "6-6"], ["1-3", "5-5"], ["2-3"], ["0-2"]]), "side_missing"),
    ("a move after the end", lambda: position("2-4", "pass", hands=[["2-4"], ["2-3"], ["0-1"], ["0-2"]]), "round_over"),
    ("the next round before this one is over", lambda: seated("human").next_round(), "round_open"),
    ("a move of the human's in a bot's turn", lambda: seated("easy").play("6-6"), "not_your_turn"),
    ("a record of another engine", lambda: practice(engine=2), "other_engine"),
    ("a level that is none", lambda: practice(seats=["human", "easy", "easy", "god"]), "unknown_level"),
    ("no matches", lambda: contest("block", {}, ["easy"] * 4, 0, 1, clock=float), "bad_matches"),
    ("words for a hand", lambda: hands.parse("two and five"), "not_a_hand"),
    ("a dash and a tile", lambda: hands.parse("- 2-5"), "not_a_hand"),
    ("a match with help for the ranking", lambda: ranking.enter(raw_practice(), True), "helped"),
    ("two humans for the ranking", lambda: ranking.enter(raw_practice(seats=["human"] * 4), False), "not_alone"),
    ("a short match for the ranking", lambda: ranking.enter(raw_practice(rules={"target": 1}), False), "other_length"),
    ("an open match for the ranking", lambda: ranking.judge(practice(), block()), "not_finished"),
    ("a lost match for the ranking",
     lambda: ranking.judge(practice(), block(out(40, [], 30, 40, by=1), rules={"target": 50})), "not_won"),
    ("a fraction for a hand", lambda: hands.parse("1.5"), "not_a_hand"),
    ("five digits for a hand", lambda: hands.parse("00010"), "not_a_hand"),
    ("a file that is not there", lambda: raised(next(cli.read_documents("no/such/file"))), "no_file"),
    ("bytes that are no text", lambda: raised(cli.parse(b'{"a": "\xff"}')), "not_utf8"),
    ("text that is no JSON", lambda: raised(cli.parse(b"{'a': 1}")), "not_json"),
]


def raised(found: Any) -> None:
    if isinstance(found, Invalid):
        raise found


@pytest.mark.parametrize(("wrong", "document", "code", "at"), BROKEN, ids=[row[0] for row in BROKEN])
def test_broken_document(wrong: str, document: Any, code: str, at: str) -> None:
    with pytest.raises(Invalid) as refused:
        tally_document(document)
    assert (refused.value.code, refused.value.at) == (code, at)
    assert well_put(refused.value)


@pytest.mark.parametrize(("wrong", "log", "code", "at"), BROKEN_EVENTS, ids=[row[0] for row in BROKEN_EVENTS])
def test_broken_events(wrong: str, log: list[Any], code: str, at: str) -> None:
    if len(log) > 1 and code != "too_many_events":
        events.check([], log[:-1])
    with pytest.raises(Invalid) as refused:
        events.check([], log)
    assert (refused.value.code, refused.value.at) == (code, at)
    assert well_put(refused.value)


@pytest.mark.parametrize(("wrong", "call", "code"), BROKEN_CALLS, ids=[row[0] for row in BROKEN_CALLS])
def test_broken_call(wrong: str, call: Callable[[], Any], code: str) -> None:
    with pytest.raises(Invalid) as refused:
        call()
    assert refused.value.code == code
    assert well_put(refused.value)


def well_put(error: Invalid) -> bool:
    """Its message fits on a line, can be printed anywhere, and is answered as the format has it."""
    answered = error.as_dict()["error"]
    return (0 < len(error.message) < 200 and error.message.isprintable()
            and answered == {"code": error.code, "message": error.message, "at": error.at})


def test_every_code_is_tested() -> None:
    folder = Path(scorekeeper.core.__file__).parent
    sources = [path.read_text("utf-8") for path in [*folder.rglob("*.py"), folder.parent / "cli.py"]]
    codes = {code for source in sources for code in re.findall(r'Invalid\(\s*"(\w+)"', source)}
    tested = {row[2] for row in BROKEN} | {row[2] for row in BROKEN_EVENTS} | {row[2] for row in BROKEN_CALLS}
    assert len(codes) > 40
    assert codes == tested


def test_an_error_seen_from_outside() -> None:
    inner = Invalid("tile_twice", "2-5 appears twice", "[2]", tile="2-5")
    outer = inner.within("hands").within("rounds[1]")
    assert (outer.at, outer.code, outer.facts) == ("rounds[1].hands[2]", "tile_twice", {"tile": "2-5"})
    assert Invalid("wrong_type", "must be", "").within("rounds[1]").at == "rounds[1]"
