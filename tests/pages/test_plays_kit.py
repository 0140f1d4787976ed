"""A round of scoring plays: what a tap makes of it, what ends it, and how it is corrected as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.core import documents
from scorekeeper.core.documents import Match
from scorekeeper.core.errors import Invalid
from scorekeeper.core.events import Ledger, fold
from scorekeeper.core.variants.pontas import score_ends
from scorekeeper.pages import plays_kit
from scorekeeper.pages.entry import Draft
from scorekeeper.pages.kits import KITS, kit_of

OPEN: dict[str, Any] = {"plays": [[0, 10], [3, 5]]}
DONE: dict[str, Any] = {"ended": "domino", "by": 1, "plays": [[0, 10], [3, 5]]}


def document(**rules: Any) -> dict[str, Any]:
    return {
        "format": "scorekeeper/1",
        "variant": "pontas",
        "players": ["Ani", "Budi", "Citra", "Dewi"],
        "rules": rules,
        "rounds": [],
    }


def table(**rules: Any) -> Match:
    return documents.read(document(**rules))


def ledger(*rounds: dict[str, Any], **rules: Any) -> Ledger:
    bare = {key: value for key, value in document(**rules).items() if key != "rounds"}
    events: list[dict[str, Any]] = [{"type": "created", "document": bare}]
    events += [{"type": "round_entered", "round": one} for one in rounds]
    return fold([{**event, "version": place} for place, event in enumerate(events, 1)])


def refused(match: Match, typed: dict[str, str], round_: dict[str, Any] | None = None) -> Invalid:
    with pytest.raises(Invalid) as caught:
        plays_kit.read(match, typed, round_)
    return caught.value


def test_the_variant_is_entered_with_this_kit() -> None:
    assert kit_of(table().variant) is KITS["plays"] is plays_kit


# -- taps ----------------------------------------------------------------------------------------------------


def test_the_first_tap_opens_the_round() -> None:
    assert plays_kit.read(table(), {"op": "play:1:25"}) == {"plays": [[1, 25]]}


def test_a_tap_is_added_to_the_open_round_and_leaves_that_one_alone() -> None:
    assert plays_kit.read(table(), {"op": "play:0:30"}, OPEN) == {"plays": [[0, 10], [3, 5], [0, 30]]}
    assert OPEN["plays"] == [[0, 10], [3, 5]]


def test_the_chosen_partner_is_credited() -> None:
    typed = {"op": "play:1:25", "credit-0": "2", "credit-1": "3"}
    assert plays_kit.read(table(), typed) == {"plays": [[3, 25]]}


@pytest.mark.parametrize("seat", ["1", "4", "-1", "x", "²"])
def test_nobody_is_credited_for_the_other_side(seat: str) -> None:
    assert refused(table(), {"op": "play:0:5", "credit-0": seat}).at == "credit-0"


@pytest.mark.parametrize("op", ["play:2:5", "play:x:5", "play::5", "play", "ends:9", "bonus:"])
def test_a_side_that_is_not_there_is_refused(op: str) -> None:
    assert refused(table(), {"op": op}).code == "not_a_seat"


@pytest.mark.parametrize("points", ["", "x", "-5", "99999", "²"])
def test_points_that_are_no_number_are_refused(points: str) -> None:
    assert refused(table(), {"op": f"play:0:{points}"}).code == "not_a_score"


@pytest.mark.parametrize("op", ["", "nothing:0", "nothing:0:5"])
def test_an_unknown_tap_is_refused(op: str) -> None:
    assert refused(table(), {"op": op}).code in ("ending_missing", "not_a_seat")


def test_p7_a_pass_bonus_says_what_it_is() -> None:
    made = plays_kit.read(table(pass_bonus=20), {"op": "bonus:1", "credit-1": "3"}, OPEN)
    assert made == {"plays": [[0, 10], [3, 5], [3, 20, "pass"]]}


# -- open ends -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ends", "points"),
    [
        (["55"], 10),
        (["5", "0"], 5),
        (["66", "3"], 15),
        (["66", "55", "44", "0"], 30),
        (["4", "", "6", ""], 10),
    ],
)
def test_p5_p6_the_open_ends_score_their_sum(ends: list[str], points: int) -> None:
    typed = {"op": "ends:1"} | {f"end-{place}": end for place, end in enumerate(ends)}
    assert plays_kit.read(table(), typed) == {"plays": [[1, points]]}


@pytest.mark.parametrize(("ends", "total"), [([], 0), (["6", "5"], 11), (["66", "66", "55", "1"], 35)])
def test_p5_other_sums_score_nothing_and_are_named(ends: list[str], total: int) -> None:
    typed = {"op": "ends:0"} | {f"end-{place}": end for place, end in enumerate(ends)}
    error = refused(table(), typed)
    assert (error.code, error.facts["points"]) == ("not_a_score", total)


def test_p6_with_four_ends_required_three_score_nothing() -> None:
    three = {"op": "ends:0", "end-0": "5", "end-1": "5", "end-2": "5"}
    assert refused(table(four_ends_required=True), three).code == "not_a_score"
    assert plays_kit.read(table(four_ends_required=True), {**three, "end-3": "0"}) == {"plays": [[0, 15]]}


@pytest.mark.parametrize("end", ["7", "45", "666", "-", "x"])
def test_what_is_no_open_end_is_refused(end: str) -> None:
    assert refused(table(), {"op": "ends:0", "end-2": end}).at == "end-2"


@pytest.mark.parametrize("rules", [{}, {"score_35": True}, {"four_ends_required": True}])
def test_the_sums_on_the_page_are_those_that_the_variant_scores(rules: dict[str, Any]) -> None:
    match = table(**rules)
    for ends in range(1, 5):
        sums = plays_kit.scoring_sums(ends, match)
        for total in range(12 * ends + 1):
            spread = [min(12, max(0, total - 12 * place)) for place in range(ends)]
            assert (score_ends(spread, match.rules) > 0) == (total in sums)


# -- the end of the round ------------------------------------------------------------------------------------


def test_who_went_out_ends_the_round() -> None:
    made = plays_kit.read(table(), {"op": "end", "ending": "domino:1", "credit-0": "2"}, OPEN)
    assert made == DONE


def test_a_blocked_round_is_nobodys_doing() -> None:
    assert plays_kit.read(table(), {"op": "end", "ending": "blocked"}, OPEN) == {"ended": "blocked", **OPEN}


def test_a_round_in_which_nobody_scored_can_end() -> None:
    assert plays_kit.read(table(), {"op": "end", "ending": "blocked"}) == {"ended": "blocked", "plays": []}


def test_the_end_needs_to_be_said() -> None:
    assert refused(table(), {"op": "end"}, OPEN).code == "ending_missing"


def test_p7_with_a_bonus_for_going_out_each_opponent_is_asked_and_blank_is_not_zero() -> None:
    match, typed = table(out_bonus=True), {"op": "end", "ending": "domino:2"}
    assert refused(match, typed, OPEN).facts["seat"] == 1
    assert refused(match, {**typed, "hands-1": "0"}, OPEN).facts["seat"] == 3
    made = plays_kit.read(match, {**typed, "hands-1": "0", "hands-3": "13"}, OPEN)
    assert made == {"ended": "domino", "by": 2, "plays": OPEN["plays"], "hands": [None, 0, [], 13]}
    documents.read(document(out_bonus=True) | {"rounds": [made]})


def test_p7_a_blocked_round_asks_for_no_pips() -> None:
    made = plays_kit.read(table(out_bonus=True), {"op": "end", "ending": "blocked"}, OPEN)
    assert "hands" not in made


# -- corrections ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "round_"),
    [
        ({}, DONE),
        ({}, {"ended": "blocked", "plays": []}),
        ({"pass_bonus": 20}, {"ended": "blocked", "plays": [[1, 20, "pass"], [2, 20]]}),
        ({"out_bonus": True}, {**DONE, "hands": [7, [], ["2-5", "3-3"], None]}),
        ({}, {**DONE, "hands": [None, [], 12, 4]}),
    ],
)
def test_a_finished_round_comes_back_from_its_form_as_it_was(rules: dict[str, Any], round_: dict[str, Any]) -> None:
    match = table(**rules)
    documents.read(document(**rules) | {"rounds": [round_]})
    assert plays_kit.read(match, plays_kit.fields(match, round_), round_) == round_


def test_plays_are_changed_removed_added_and_put_in_between() -> None:
    form = plays_kit.fields(table(), {**DONE, "plays": [[0, 10], [3, 5], [1, 15]]})
    form |= {"points-0": "20", "points-1": "", "who-3": "2", "points-3": "25", "before-3": "2"}
    form |= {"who-4": "1", "points-4": "30", "before-4": ""}
    assert plays_kit.read(table(), form, DONE)["plays"] == [[0, 20], [2, 25], [1, 15], [1, 30]]


def test_a_corrected_ending_takes_the_bonus_along() -> None:
    match = table(out_bonus=True)
    round_ = {**DONE, "hands": [4, [], 6, None]}
    form = plays_kit.fields(match, round_) | {"ending": "domino:0"}
    assert refused(match, form, round_).facts["seat"] == 1
    made = plays_kit.read(match, form | {"hands-1": "3", "hands-3": "9"}, round_)
    assert made["hands"] == [[], 3, 6, 9]


@pytest.mark.parametrize(
    ("wrong", "at"),
    [
        ({"rows": "x"}, "rows"),
        ({"rows": "5000"}, "rows"),
        ({"who-0": "4"}, "who-0"),
        ({"points-1": "5x"}, "points-1"),
        ({"before-1": "x"}, "before-1"),
    ],
)
def test_a_broken_form_is_refused_at_its_place(wrong: dict[str, str], at: str) -> None:
    assert refused(table(), plays_kit.fields(table(), DONE) | wrong, DONE).at == at


def test_an_open_round_is_not_shown_as_a_list() -> None:
    assert plays_kit.fields(table(), OPEN) == {} == plays_kit.fields(table(), None)


# -- the page ------------------------------------------------------------------------------------------------


def shown(held: Ledger, typed: dict[str, str] | None = None) -> dict[str, Any]:
    entry = held.open
    return plays_kit.context(held, Draft(entry, typed or {}, entry.round if entry else None))


def test_the_page_shows_the_newest_first_and_who_is_credited_next() -> None:
    page = shown(ledger(DONE, {"plays": [[0, 10], [2, 5], [1, 15]]}))
    assert page["plays"] == [[1, 15], [2, 5], [0, 10]]
    assert page["halves"] == [
        {"index": 0, "gained": 15, "credit": 2},
        {"index": 1, "gained": 15, "credit": 1},
    ]


def test_before_the_first_tap_nothing_can_be_taken_back() -> None:
    page = shown(ledger(DONE))
    assert (page["undoable"], page["plays"], page["reached"]) == (False, [], None)
    assert [half["gained"] for half in page["halves"]] == [0, 0]


def test_a_tap_of_this_round_can_be_taken_back() -> None:
    assert shown(ledger(DONE, OPEN))["undoable"] is True


def test_p8_the_page_says_who_reached_the_target_first() -> None:
    page = shown(ledger({"plays": [[1, 30], [0, 30], [3, 20], [0, 30]]}, target=50))
    assert page["reached"] == {"rule": "P8", "step": "reached_first", "side": 1, "total": 50, "target": 50}
    assert shown(ledger({"plays": [[1, 30]]}, target=50))["reached"] is None


def test_what_can_be_tapped_follows_the_house_rules() -> None:
    plain, all_on = shown(ledger()), shown(ledger(score_35=True, pass_bonus=20, out_bonus=True))
    assert (plain["scores"][-1], plain["pass_bonus"]) == (30, 0)
    assert (all_on["scores"][-1], all_on["pass_bonus"]) == (35, 20)
    assert plain["asks_pips"] == {"domino": False, "blocked": False}
    assert all_on["asks_pips"] == {"domino": True, "blocked": False}
