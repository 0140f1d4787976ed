"""Rules and house rules beyond the worked examples of the rulebook, each test named by its rule."""

from typing import Any

import pytest

from scorekeeper.core import tiles
from scorekeeper.core.tally import tally_document
from scorekeeper.core.variants import domeng as domeng_rules
from tests.core.tables import cross

Part = dict[str, Any]


def tally(variant: str, *rounds: Part, rules: Part | None = None, seats: int = 4, **parts: Any) -> Part:
    document = {"format": "scorekeeper/1", "variant": variant, "players": list("ABCDE"[:seats]), "rules": rules or {},
                "rounds": list(rounds)}
    return tally_document(document | parts)


def last(result: Part) -> Part:
    verdict: Part = result["rounds"][-1]
    return verdict


def steps(verdict: Part) -> list[tuple[str, str]]:
    return [(step["rule"], step["step"]) for step in verdict["why"]]


# -- block --------------------------------------------------------------------------------------------------

PUSH = {"ended": "blocked", "hands": [3, 3, 9, 9]}


def won(by: int, *hands: Any) -> Part:
    return {"ended": "domino", "by": by, "hands": list(hands)}


def test_b3_after_a_push_the_last_winner_leads() -> None:
    result = tally("block", won(2, 1, 1, [], 1), PUSH, PUSH)
    assert [verdict["opener"] for verdict in result["rounds"]] == [None, 2, 2]
    assert (result["next_opener"], result["opener_why"]["step"]) == (2, "last_winner_leads")


def test_b3_after_nothing_but_pushes_it_is_as_in_round_1() -> None:
    result = tally("block", PUSH, first_opener=3)
    assert (last(result)["opener"], result["next_opener"], result["opener_why"]["rule"]) == (3, None, "B2")


@pytest.mark.parametrize(("points", "blocked", "out"), [("all", 24, 26), ("net", 20, 26)])
def test_b8_net_takes_the_winners_own_pips_off_on_a_block_only(points: str, blocked: int, out: int) -> None:
    rules = {"blocked_points": points}
    assert tally("block", {"ended": "blocked", "hands": [4, 6, 8, 10]}, rules=rules)["totals"] == [blocked, 0, 0, 0]
    assert tally("block", won(0, [], 8, 8, 10), rules=rules)["totals"] == [out, 0, 0, 0]


def test_b9_the_target_is_the_houses() -> None:
    assert tally("block", won(0, [], 5, 5, 5), rules={"target": 15})["winners"] == [0]
    assert tally("block", won(0, [], 5, 5, 4), rules={"target": 15})["winners"] == []


def test_b9_rounds_after_the_end_count_nothing() -> None:
    result = tally("block", won(0, [], 5, 5, 5), won(1, 5, [], 5, 5), rules={"target": 15})
    assert (result["totals"], result["winners"], result["next_opener"]) == ([15, 0, 0, 0], [0], None)
    assert last(result)["after_end"] and last(result)["decided_by"] is None


# -- gaple --------------------------------------------------------------------------------------------------


def gaple(hands: list[Any], discards: list[Any] | None = None, by: int | None = None, **parts: Any) -> Part:
    ended = {"ended": "blocked"} if by is None else {"ended": "domino", "by": by}
    return {**ended, "hands": hands, "discards": discards or [[] for _ in hands], **parts}


def test_g8_a_tie_of_numbers_waits_for_the_tied_only() -> None:
    result = tally("gaple", gaple([6, 9, 6, ["0-6"]]), gaple([1, 2, 3, 4]), rules={"rounds": 2})
    first = result["rounds"][0]
    assert (first["needs"], first["winner"], first["decided_by"]) == ({"lowest": [0, 2]}, None, None)
    assert first["points"] == [6, 9, 6, 6]
    assert (result["rounds"][1]["opener"], result["status"], result["winners"]) == (None, "playing", [])


@pytest.mark.parametrize(("lowest", "winner", "decided"), [
    ({"0": "0-2", "2": "1-2"}, 0, "lowest_tile"), ({"0": "1-2", "2": "0-2"}, 2, "lowest_tile"),
    ({"0": "1-1", "2": "0-2"}, 2, "lowest_end"), ({"0": "2-4", "2": "1-5"}, 3, "lowest_end"),
])
def test_g8_g9_named_tiles_settle_it(lowest: Part, winner: int, decided: str) -> None:
    verdict = last(tally("gaple", gaple([6, 9, 6, ["0-6"]], lowest=lowest)))
    assert (verdict["winner"], verdict["decided_by"]) == (winner, decided)


def test_g8_who_is_out_without_discards_wins_and_nobody_is_asked() -> None:
    verdict = last(tally("gaple", gaple([[], 0, 4, 6], by=0)))
    assert (verdict["winner"], verdict["decided_by"]) == (0, "lowest_tile") and "needs" not in verdict
    assert verdict["why"][-1]["tiles"] == {"0": None, "1": "0-0"}


def test_g8_a_number_0_of_discards_may_be_the_double_blank() -> None:
    round_ = gaple([[], ["0-0"], 4, 6], [0, [], [], []], by=0)
    assert last(tally("gaple", round_))["needs"] == {"lowest": [0]}
    assert last(tally("gaple", round_ | {"lowest": {"0": None}}))["winner"] == 0


def test_g8_no_tile_can_be_named_when_it_is_not_known_who_went_out() -> None:
    verdict = last(tally("gaple", {"ended": "domino", "hands": [0, 0, 4, 6], "discards": [0, 0, 0, 0],
                                   "lowest": {"0": "0-0", "1": None}}))
    assert (verdict["winner"], verdict["decided_by"]) == (1, "lowest_tile")


EXTRA = {"rounds": 1, "tied_match": "extra_round"}


def test_g10_an_extra_round_follows_a_tie_until_one_leads() -> None:
    tied, decided = gaple([5, 5, 9, 9], lowest={"0": "0-1", "1": "0-2"}), gaple([3, 2, 9, 9])
    assert tally("gaple", tied, rules=EXTRA)["status"] == "playing"
    assert ("G10", "extra_round") in steps(last(tally("gaple", tied, rules=EXTRA)))
    again = gaple([2, 2, 9, 9], lowest={"0": "0-1", "1": "1-1"})
    result = tally("gaple", tied, again, decided, rules=EXTRA)
    assert (result["totals"][:2], result["winners"]) == ([10, 9], [1])


def test_g10_a_tie_for_other_places_needs_no_extra_round() -> None:
    assert tally("gaple", gaple([3, 5, 5, 9]), rules=EXTRA)["winners"] == [0]


def test_g10_without_the_house_rule_they_win_jointly() -> None:
    tied = gaple([5, 5, 9, 9], lowest={"0": "0-1", "1": "0-2"})
    assert tally("gaple", tied, rules={"rounds": 1})["winners"] == [0, 1]


DOUBLE_BLANK = {"double_blank_25": True}


def test_g11_its_25_count_in_g8() -> None:
    verdict = last(tally("gaple", gaple([["0-0"], ["6-6", "5-5", "1-2"], 30, 30]), rules=DOUBLE_BLANK))
    assert (verdict["points"][:2], verdict["winner"], verdict["decided_by"]) == ([25, 25], 1, "lowest_tile")


def test_g11_beside_another_blank_it_counts_0_in_g8_too() -> None:
    verdict = last(tally("gaple", gaple([["0-0", "0-3"], ["1-2"], 9, 9]), rules=DOUBLE_BLANK))
    assert (verdict["points"][:2], verdict["winner"]) == ([3, 3], 0)


def test_g11_numbers_are_taken_as_counted() -> None:
    verdict = last(tally("gaple", gaple([25, 30, 30, 26]), rules=DOUBLE_BLANK))
    assert (verdict["points"], verdict["winner"]) == ([25, 30, 30, 26], 0)


@pytest.mark.parametrize(("hand", "winner"), [(3, 0), (25, 1)])
def test_g11_named_as_the_lowest_of_a_number(hand: int, winner: int) -> None:
    """Of 3 pips it can only count 0; as 25 it is alone and heavier than any tile."""
    other = {3: ["1-2"], 25: ["6-6", "5-5", "1-2"]}[hand]
    round_ = gaple([hand, other, 30, 30], lowest={"0": "0-0"})
    assert last(tally("gaple", round_, rules=DOUBLE_BLANK))["winner"] == winner


def test_g12_the_winners_side_wins_the_round_though_its_sum_is_higher() -> None:
    result = tally("gaple", gaple([1, 8, 40, 9]), sides=[[0, 2], [1, 3]], rules={"rounds": 1})
    verdict = last(result)
    assert (verdict["winner_seat"], verdict["winner"], verdict["points"]) == (0, 0, [41, 17])
    assert result["winners"] == [1] and ("G12", "sides_sum") in steps(verdict)


def test_g12_partners_tied_with_each_other_are_told_apart() -> None:
    verdict = last(tally("gaple", gaple([["2-2"], 8, ["0-4"], 9]), sides=[[0, 2], [1, 3]]))
    assert (verdict["winner_seat"], verdict["winner"], verdict["decided_by"]) == (2, 0, "lowest_end")


def warned(*rounds: Part, **parts: Any) -> list[str]:
    return [step["step"] for step in last(tally("gaple", *rounds, **parts)).get("warnings", [])]


def test_g13_the_opener_goes_out_and_others_hold_one_tile() -> None:
    fine = gaple([[], ["1-1"], 12, 0], by=0)
    assert warned(fine, first_opener=0) == []
    assert warned(fine) == [], "who led is not known"
    assert warned(fine, first_opener=1) == ["opener_goes_out"]
    assert warned(gaple([[], ["1-1", "1-2"], 13, 0], by=0), first_opener=0) == ["one_tile_left"]
    assert warned(gaple([[], ["1-1", "1-2"], 13, 0], by=0), first_opener=2) == ["one_tile_left", "opener_goes_out"]


def test_g13_says_nothing_of_a_block_or_where_players_pass() -> None:
    odd = gaple([[], ["1-1", "1-2"], 13, 0], by=0)
    assert warned(odd, rules={"stuck": "pass"}, first_opener=1) == []
    assert warned(gaple([20, 20, 21, 13])) == []


def test_g13_a_double_blank_of_25_is_one_tile() -> None:
    assert warned(gaple([[], 25, 3, 4], by=0), rules=DOUBLE_BLANK) == []
    assert warned(gaple([[], 25, 3, 4], by=0)) == ["one_tile_left"]


def test_g13_is_seen_even_if_it_is_not_known_who_went_out() -> None:
    assert warned({"ended": "domino", "hands": [0, ["1-1", "1-2"], 3, 4], "discards": [0] * 4}) == ["one_tile_left"]


# -- pontas -------------------------------------------------------------------------------------------------

SPINNER = tiles.of(6, 6)


@pytest.mark.parametrize(("arms", "twice", "once"), [
    ([], [12], [12]),
    ([["6-3"]], [12, 3], [6, 3]),
    ([["6-3"], ["6-2"]], [3, 2], [3, 2]),
    ([["6-3"], [], ["6-2"]], [12, 3, 2], [6, 3, 2]),
    ([[], [], ["6-2"], ["6-1"]], [12, 2, 1], [6, 2, 1]),
    ([["6-3"], ["6-2"], ["6-1", "1-1"]], [3, 2, 2], [3, 2, 2]),
])
def test_p6_the_spinner_counts_until_both_long_sides_are_covered(
    arms: list[list[str]], twice: list[int], once: list[int]
) -> None:
    laid = [[tiles.parse(text) for text in arm] for arm in arms]
    layout = cross(SPINNER, laid)
    assert layout.counts() == twice
    assert layout.counts("once") == once


def test_p6_led_tiles() -> None:
    assert cross(tiles.of(5, 5), []).counts() == [10]
    assert cross(tiles.of(1, 4), []).counts() == [1, 4]


def pontas(*plays: Any, by: int | None = None, **parts: Any) -> Part:
    return {"ended": "blocked", "plays": list(plays), **parts} | ({} if by is None else {"ended": "domino", "by": by})


BONUS = {"target": 20, "out_bonus": True}


def test_p7_p8_the_bonus_counts_last_and_may_overtake() -> None:
    round_ = pontas([0, 20], [1, 15], by=1, hands=[["5-5"], [], 1, None])
    result = tally("pontas", round_, rules=BONUS)
    assert (result["totals"], result["winners"]) == ([20, 25], [1])
    assert steps(last(result))[-1] == ("P8", "overtaken")


def test_p7_p8_the_bonus_that_only_draws_level_does_not_win() -> None:
    result = tally("pontas", pontas([0, 20], [1, 10], by=1, hands=[["5-5"], [], 4, None]), rules=BONUS)
    assert (result["totals"], result["winners"]) == ([20, 20], [0])
    assert steps(last(result))[-1] == ("P8", "stays_with_first")


def test_p7_p8_the_bonus_may_be_what_reaches_the_target() -> None:
    result = tally("pontas", pontas([0, 15], [1, 10], by=1, hands=[["5-5"], [], 4, None]), rules=BONUS)
    assert (result["totals"], result["winners"]) == ([15, 20], [1])


def test_p7_the_bonus_is_rounded_down_over_both_opponents() -> None:
    result = tally("pontas", pontas(by=0, hands=[[], 4, ["6-6"], 6]), rules={"out_bonus": True})
    assert result["totals"] == [10, 0]


def test_p7_making_an_opponent_pass() -> None:
    result = tally("pontas", pontas([2, 20, "pass"], [2, 20]), rules={"pass_bonus": 20})
    assert result["totals"] == [40, 0] and steps(last(result))[:2] == [("P7", "pass_bonus"), ("P5", "ends_score")]


def test_p8_the_round_is_played_to_its_end() -> None:
    result = tally("pontas", {"plays": [[0, 20], [1, 5]]}, rules={"target": 20})
    assert (result["status"], result["winners"]) == ("playing", [])
    assert ("P8", "reached_first") in steps(last(result))


# -- domeng -------------------------------------------------------------------------------------------------


def domeng(ended: str | None = None, by: int | None = None, *passes: Part, **parts: Any) -> Part:
    return {"passes": list(passes), **parts} | ({"ended": ended, "by": by} if ended else {})


def held(*stones: int, round_: Part, rules: Part | None = None, **start: Any) -> Part:
    return tally("domeng", round_, seats=5, rules=rules, start={"totals": list(stones), **start})


def test_d2_a_payer_who_is_the_receiver_gives_nothing() -> None:
    result = held(5, 5, 5, 5, 5, round_=domeng(None, None, {"seat": 2, "after": 2}))
    assert result["totals"] == [5] * 5
    assert last(result)["why"][0]["paid"] == [] and last(result)["why"][0]["lapsed"] == 1


def test_d3_what_the_table_cannot_pay_waits_for_after() -> None:
    passes = [{"seat": 0}, {"seat": 1, "bunge": True}, {"seat": 2}]
    result = held(5, 5, 5, 5, 3, round_=domeng("cappu", 3, *passes))
    assert (result["totals"], last(result)["needs"]) == ([6, 6, 6, 4, 3], {"after": [1, 2]})
    passes[1]["after"] = passes[2]["after"] = 4
    settled = held(5, 5, 5, 5, 3, round_=domeng("cappu", 3, *passes))
    assert settled["totals"] == [6, 7, 7, 4, 1] and "needs" not in last(settled)


def test_d3_who_played_last_is_not_asked_while_the_table_pays() -> None:
    assert "needs" not in last(held(5, 5, 5, 5, 4, round_=domeng(None, None, {"seat": 0})))


def test_d7_several_pay_lowest_pips_first_then_in_turn_order() -> None:
    """Seats 3, 0 and 2 are mattikkeng: of the equal ones seat 3 comes first after the manguno, seat 1."""
    hands = [4, 9, 2, 4, 12]
    assert held(5, 5, 5, 5, 5, round_=domeng("manguno", 1, hands=hands))["totals"] == [5, 6, 4, 5, 5]
    assert held(5, 10, 0, 5, 5, round_=domeng("manguno", 1, hands=hands))["totals"] == [5, 11, 0, 4, 5]
    assert held(5, 15, 0, 0, 5, round_=domeng("manguno", 1, hands=hands))["totals"] == [4, 16, 0, 0, 5]
    verdict = last(held(0, 20, 0, 0, 5, round_=domeng("manguno", 1, hands=hands)))
    assert (verdict["points"], verdict["winner"], verdict["decided_by"]) == ([0] * 5, 2, "mattikkeng")


def test_d7_of_equally_low_the_first_after_the_manguno_wins() -> None:
    assert last(tally("domeng", domeng("manguno", 3, hands=[5, 5, 9, 6, 9]), seats=5))["winner"] == 0
    assert last(tally("domeng", domeng("manguno", 0, hands=[6, 9, 9, 5, 5]), seats=5))["winner"] == 3


CLOSING = [{"seat": seat} for seat in (2, 3, 4, 0, 1)]


@pytest.mark.parametrize(("counts", "totals"), [(True, [2, 1, 1, 1, 1]), (False, [1, 0, 0, 0, 0])])
def test_d8_closing_passes(counts: bool, totals: list[int]) -> None:
    round_ = domeng("manguno", 1, *CLOSING, hands=[9, 2, 9, 9, 9])
    assert tally("domeng", round_, seats=5, rules={"closing_passes": counts})["totals"] == totals


def test_d8_earlier_passes_count_either_way() -> None:
    round_ = domeng("manguno", 1, {"seat": 4, "bunge": True}, *CLOSING, hands=[9, 2, 9, 9, 9])
    assert tally("domeng", round_, seats=5, rules={"closing_passes": False})["totals"] == [1, 0, 0, 0, 2]


@pytest.mark.parametrize("passes", [CLOSING[:4], CLOSING[1:] + CLOSING[:1], [one | {"after": 3} for one in CLOSING]])
def test_d8_passes_that_are_no_full_turn_after_the_manguno_count(passes: list[Part]) -> None:
    round_ = domeng("manguno", 1, *passes, hands=[9, 2, 9, 9, 9])
    assert sum(tally("domeng", round_, seats=5, rules={"closing_passes": False})["totals"]) == len(passes) + 1


def test_d9_nobody_is_elected_while_a_pass_of_the_round_waits() -> None:
    result = held(0, 7, 6, 6, 6, round_=domeng("cappu", 0, {"seat": 1}))
    assert (result["camat"], last(result)["needs"]) == (None, {"after": [0]})
    settled = held(0, 7, 6, 6, 6, round_=domeng("cappu", 0, {"seat": 1, "after": 2}))
    assert (settled["camat"], settled["table"], last(settled)["camat"]) == (0, 25, 0)


def test_d9_a_mattikkeng_who_wins_without_stones_is_no_camat() -> None:
    assert held(13, 0, 12, 0, 0, round_=domeng("manguno", 0, hands=[9, 3, 12, 12, 12]))["camat"] is None


def test_d10_a_camat_carried_over_opens_unless_another_is_known_to_have_led() -> None:
    start = {"totals": [1] * 5, "camat": 4}
    round_ = domeng("cappu", 2)
    assert last(tally("domeng", round_, seats=5, start=start))["opener"] == 4
    result = tally("domeng", round_, seats=5, start=start, first_opener=1)
    assert (last(result)["opener"], result["next_opener"], result["opener_why"]["rule"]) == (1, 4, "D10")


def test_d11_so_many_times_camat_end_the_match() -> None:
    first = domeng("cappu", 0)
    again = domeng("pollo", 0, *[{"seat": seat, "bunge": True} for seat in (1, 2, 3, 1, 2, 3, 1, 2, 3, 1)])
    start = {"totals": [0, 7, 6, 6, 6]}
    assert tally("domeng", first, again, seats=5, start=start)["camats"] == [2, 0, 0, 0, 0]
    assert tally("domeng", first, again, seats=5, start=start)["winners"] == []
    ended = tally("domeng", first, again, seats=5, start=start, rules={"camats": 2})
    assert (ended["winners"], steps(last(ended))[-1]) == ([0], ("D11", "camats_reached"))


@pytest.mark.parametrize(("tile", "ends", "how"), [
    ("2-5", (2, 5), "ceki"), ("2-5", (5, 2), "ceki"), ("2-5", (2, 2), "cappu"), ("2-5", (5, 3), "cappu"),
    ("4-4", (4, 4), "pollo"), ("4-4", (4, 2), "cappu"), ("0-6", (6, 6), "cappu"),
])
def test_d4_how_a_last_tile_counts(tile: str, ends: tuple[int, int], how: str) -> None:
    assert domeng_rules.last_tile(tiles.parse(tile), ends) == how
