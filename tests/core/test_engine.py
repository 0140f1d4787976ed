"""The engine plays by the rules: tiles are conserved, every round ends and is scored as if typed."""

from __future__ import annotations

import json
import os

import pytest

from scorekeeper.core import documents, tiles
from scorekeeper.core.engine.game import begin, deal, finish
from scorekeeper.core.engine.moves import Move, parse
from scorekeeper.core.engine.position import Position, replay, start
from scorekeeper.core.errors import Invalid
from scorekeeper.core.layout import Layout
from scorekeeper.core.tally import tally, tally_document
from scorekeeper.core.tiles import Tile
from tests.core.tables import TABLES, open_match, positions

ROUNDS = int(os.environ.get("SCOREKEEPER_ROUNDS", "150"))  # per table; 10000 for a long look


def tile(text: str) -> Tile:
    return tiles.parse(text)


def table_with(hands: list[list[str]]) -> Position:
    """A round of Block with these hands, led by seat 0."""
    return start(open_match("block"), 0, [[tile(text) for text in hand] for hand in hands])


def on_table(position: Position) -> int:
    """The tiles that are held, set and discarded."""
    return position.layout.tiles + sum(map(len, position.hands)) + sum(map(len, position.discards))


@pytest.mark.parametrize("table", TABLES)
def test_tiles_are_conserved_and_every_round_ends_and_is_scored(table: str) -> None:
    match = open_match(table)
    for seed in range(ROUNDS):
        seen = list(positions(match, seed))
        assert len(seen) < 200
        assert len({on_table(position) for position in seen}) == 1
        after = finish(seen[-1])
        document = documents.write(after)
        verdict = tally_document(json.loads(json.dumps(document)))["rounds"][-1]
        assert "needs" not in verdict and "warnings" not in verdict
        assert document["rounds"][-1]["ended"] == seen[-1].ended


@pytest.mark.parametrize("table", TABLES)
def test_a_match_comes_to_its_end_round_by_round(table: str) -> None:
    match = open_match(table)
    for number in range(500):
        *_, last = positions(match, number)
        match = finish(last)
        result = tally(match)
        assert sum(result["totals"]) + result.get("table", 0) == 25 or "table" not in result
        if result["status"] == "finished":
            break
    assert result["status"] == "finished"
    assert tally_document(documents.write(match)) == result


@pytest.mark.parametrize("table", TABLES)
def test_a_position_is_its_deal_and_its_moves_and_never_changes(table: str) -> None:
    match = open_match(table)
    for seed in range(20):
        seen = list(positions(match, seed))
        texts = [str(move) for move in seen[-1].moves]
        assert [str(parse(text)) for text in texts] == texts
        for place in (0, len(texts) // 2, len(texts)):
            again = replay(begin(match, deal(match, seed)), texts[:place])
            assert again == seen[place]


def test_who_can_play_must_play_and_only_what_fits() -> None:
    for seed in range(50):
        for position in positions(open_match("block"), seed):
            fits = [each for each in position.hands[position.seat] if position.layout.fits(each)]
            assert (str(position.legal()[0]) == "pass") == (not fits) if not position.ended else True
            for move in (Move(), Move(tile("0-0"), "left"), Move(tile("6-6"), discard=True)):
                if move not in position.legal():
                    with pytest.raises(Invalid):
                        position.play(move)


def test_b2_the_holder_of_the_highest_double_must_lead_it() -> None:
    dealt = deal(open_match("block"), 1)
    assert str(dealt.must) == "6-6" and dealt.must in dealt.hands[dealt.opener]
    assert [str(move) for move in begin(open_match("block"), dealt).legal()] == ["6-6"]


def test_g3_the_winner_leads_any_tile_after_the_set_one() -> None:
    match = open_match("gaple-six")
    *_, last = positions(match, 1)
    match = finish(last)
    dealt = deal(match, 2)
    assert dealt.opener == tally(match)["next_opener"] and dealt.must is None and dealt.set_tile


def test_g5_who_cannot_play_chooses_a_tile_to_discard() -> None:
    hands = [["1-1", "1-2"], ["3-3", "3-4"], ["5-5"], ["6-6"]]
    position = start(open_match("gaple"), 1, [[tile(text) for text in hand] for hand in hands], set_tile=tile("1-3"))
    position = position.play(parse("3-4@right"))
    assert [str(move) for move in position.legal()] == ["discard 5-5"]


def test_b7_four_passes_in_a_row_block_the_round() -> None:
    hands = [["6-6", "0-0"], ["1-1", "1-2"], ["2-2", "2-3"], ["3-3", "3-4"]]
    position = table_with(hands)
    position = replay(position, ["6-6", "pass", "pass", "pass", "pass"])
    assert position.ended == "blocked"
    with pytest.raises(Invalid, match="over"):
        position.play(parse("pass"))


def test_g6_a_dead_layout_is_scored_at_once() -> None:
    for seed in range(200):
        *_, last = positions(open_match("gaple"), seed)
        if last.ended == "blocked":
            assert not last.anybody_fits() and last.idle < 4
            return
    raise AssertionError("no blocked round")


def test_a_side_may_be_left_out_only_where_it_makes_no_difference() -> None:
    plain = table_with([["2-5", "4-4"], ["2-3", "1-5"], ["6-6"], ["0-0"]]).play(parse("2-5"))
    assert str(plain.play(parse("2-3")).moves[-1]) == "2-3@left"
    alike = table_with([["5-5", "4-4"], ["5-6", "1-5"], ["6-6"], ["0-0"]]).play(parse("5-5"))
    assert str(alike.play(parse("5-6")).moves[-1]) == "5-6@left"
    both = table_with([["1-2", "4-4"], ["1-3", "5-5"], ["2-3"], ["0-0"]]).play(parse("1-2")).play(parse("1-3"))
    with pytest.raises(Invalid, match="more than one end"):
        both.play(parse("2-3"))


def test_p4_the_short_sides_open_when_both_long_ones_are_covered() -> None:
    layout = Layout(cross=True).play(tile("6-6"), "")
    assert set(layout.open()) == {"left", "right"}
    layout = layout.play(tile("6-1"), "left")
    assert "up" not in layout.open()
    layout = layout.play(tile("6-2"), "right")
    assert layout.open() == {"left": 1, "right": 2, "up": 6, "down": 6}
    layout = layout.play(tile("1-1"), "left")
    assert layout.spinner is tile("6-6") and sum(layout.counts()) == 4


def test_p4_a_spinner_played_on_a_chain_has_one_long_side_covered() -> None:
    layout = Layout(cross=True).play(tile("1-4"), "").play(tile("4-4"), "right")
    assert sorted(layout.counts()) == [1, 8]
    layout = layout.play(tile("4-6"), "right")
    assert layout.open() == {"left": 1, "right": 6, "up": 4, "down": 4}
