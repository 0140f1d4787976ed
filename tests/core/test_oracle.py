"""The scorer against a second one, `oracle.py`, on random matches."""

import copy
from random import Random
from typing import Any

import pytest

from scorekeeper.core.tally import tally_document
from tests.core import documents, oracle

SEEDS = range(1000)


def scored(document: dict[str, Any]) -> tuple[list[tuple[dict[str, Any], dict[str, Any]]], dict[str, Any]]:
    """The finished rounds up to the match's end, each with its verdict, and the tally."""
    result = tally_document(document)
    pairs = zip(document.get("rounds", []), result["rounds"], strict=True)
    return [pair for pair in pairs if pair[0].get("ended") and not pair[1].get("after_end")], result


def start_of(document: dict[str, Any], count: int) -> list[int]:
    totals: list[int] = (document.get("start") or {}).get("totals", [0] * count)
    return list(totals)


def rule(document: dict[str, Any], name: str, default: Any) -> Any:
    return document.get("rules", {}).get(name, default)


def test_block() -> None:
    for seed in SEEDS:
        document = documents.block(Random(seed))
        totals = start_of(document, len(document["players"]))
        target, last = rule(document, "target", 100), None
        pairs, result = scored(document)
        for round_, verdict in pairs:
            points, winner = oracle.block(round_, rule(document, "blocked_points", "all") == "net")
            assert (verdict["points"], verdict["winner"]) == (points, winner), (seed, round_)
            totals = [total + gained for total, gained in zip(totals, points, strict=True)]
            last = winner if winner is not None else last
        won = [seat for seat, total in enumerate(totals) if total >= target]
        assert (result["totals"], result["winners"]) == (totals, won), seed
        still_open = bool(document.get("rounds")) and not document["rounds"][-1].get("ended")
        if pairs and not won and not still_open:  # B3
            assert result["next_opener"] == last, seed


def test_gaple() -> None:
    ties = 0
    for seed in SEEDS:
        document = documents.gaple(Random(seed), tiles_only=True)
        seats = len(document["players"])
        sides = document.get("sides") or [[seat] for seat in range(seats)]
        totals = start_of(document, len(sides))
        pairs, result = scored(document)
        for number, (round_, verdict) in enumerate(pairs, 1):
            points, winner, decided = oracle.gaple(round_, rule(document, "double_blank_25", False))
            ties += decided != "lowest_total"
            side = next(place for place, side in enumerate(sides) if winner in side)
            assert (verdict["winner_seat"], verdict["winner"]) == (winner, side), (seed, round_)
            assert verdict["decided_by"] == decided, (seed, round_)
            assert verdict["points"] == [sum(points[seat] for seat in side) for side in sides], (seed, round_)
            totals = [total + gained for total, gained in zip(totals, verdict["points"], strict=True)]
            best = [side for side, total in enumerate(totals) if total == min(totals)]  # G10
            over = number >= rule(document, "rounds", 10) and (
                len(best) == 1 or rule(document, "tied_match", "joint") == "joint")
            assert over == (number == len(pairs) and result["status"] == "finished"), seed
            assert result["winners"] == (best if over else []) or number < len(pairs), seed
        assert result["totals"] == totals, seed
    assert ties > 100


def test_gaple_decides_the_same_on_numbers() -> None:
    """G7-G11: numbers instead of tiles, with each lowest tile hidden in one named, change no winner."""
    dice, ties = Random(8), 0
    for seed in SEEDS:
        document = documents.gaple(Random(seed), tiles_only=True)
        typed = copy.deepcopy(document)
        typed["rounds"] = [documents.count_gaple(dice, round_, document.get("rules", {}), name_all=True)
                           if round_.get("ended") else round_ for round_ in document.get("rounds", [])]
        verdicts, others = tally_document(document)["rounds"], tally_document(typed)["rounds"]
        for verdict, other, round_ in zip(verdicts, others, typed["rounds"], strict=True):
            kept = ("points", "winner_seat", "decided_by", "needs")
            assert [other.get(key) for key in kept] == [verdict.get(key) for key in kept], (seed, round_)
            ties += "lowest" in round_ and verdict["decided_by"] in ("lowest_tile", "lowest_end")
    assert ties > 100


def test_gaple_asks_only_for_what_it_cannot_know() -> None:
    """Without the named tiles, the same winner, or a question to those tied who gave a number."""
    dice, asked = Random(9), 0
    for seed in SEEDS:
        document = documents.gaple(Random(seed), tiles_only=True)
        if not document.get("rounds") or not document["rounds"][0].get("ended"):
            continue
        known = tally_document(document)["rounds"][0]
        typed = documents.count_gaple(dice, document["rounds"][0], document.get("rules", {}))
        typed.pop("lowest", None)
        verdict = tally_document({**document, "rounds": [typed]})["rounds"][0]
        if "needs" not in verdict:
            assert verdict["winner_seat"] == known["winner_seat"], (seed, typed)
            continue
        asked += 1
        assert verdict["winner"] is verdict["winner_seat"] is None and verdict["needs"]["lowest"], seed
        for seat in verdict["needs"]["lowest"]:
            assert any(isinstance(typed[part][seat], int) for part in ("hands", "discards")), (seed, typed)
    assert asked > 20


def test_domeng() -> None:
    short = 0
    for seed in SEEDS:
        document = documents.domeng(Random(seed), all_known=True)
        stones = oracle.Stones(start_of(document, 5))
        camat, camats = (document.get("start") or {}).get("camat"), [0] * 5
        pairs, result = scored(document)
        for round_, verdict in pairs:
            before = list(stones.held)
            winner, elected = oracle.domeng(stones, round_, rule(document, "closing_passes", True))
            assert verdict["winner_seat"] == winner and "needs" not in verdict, (seed, round_)
            assert verdict.get("camat") == (winner if elected else None), (seed, round_)
            if elected:
                camat, camats[winner] = winner, camats[winner] + 1
            else:
                change = [now - then for now, then in zip(stones.held, before, strict=True)]
                assert verdict["points"] == change, (seed, round_)
            short += min(verdict["points"]) < 0
        if len(pairs) == len(document.get("rounds", [])):
            assert (result["totals"], result["table"]) == (stones.held, stones.table), seed
            assert (result["camat"], result["camats"]) == (camat, camats), seed
        goal = rule(document, "camats", None)
        assert result["winners"] == [seat for seat in range(5) if goal and camats[seat] >= goal], seed
    assert short > 500


def test_pontas() -> None:
    overtaken = 0
    for seed in SEEDS:
        document = documents.pontas(Random(seed))
        totals, opener = start_of(document, 2), document.get("first_opener")
        target, result = rule(document, "target", 100), tally_document(document)
        first: int | None = None
        winners: list[int] = []
        for round_, verdict in zip(document.get("rounds", []), result["rounds"], strict=True):
            if winners:
                assert verdict["after_end"] and verdict["points"] == [0, 0], seed
                continue
            assert verdict["opener"] == opener, seed
            opener = None if opener is None else (opener + 1) % 4  # P2
            before = totals
            for step in oracle.pontas(totals, round_, rule(document, "out_bonus", False)):
                totals = step
                reached = [side for side in (0, 1) if totals[side] >= target]
                first = reached[0] if first is None and reached else first
            assert verdict["points"] == [now - then for now, then in zip(totals, before, strict=True)], seed
            if first is not None and round_.get("ended"):  # P8
                winners = [1 - first if totals[1 - first] > totals[first] else first]
                overtaken += winners != [first]
        assert (result["totals"], result["winners"]) == (totals, winners), seed
    assert overtaken > 20


@pytest.mark.parametrize("variant", documents.MAKERS)
def test_a_seed_names_a_document(variant: str) -> None:
    assert documents.make(Random(7), variant) == documents.make(Random(7), variant)
