"""A round of stones entered tap by tap, how it ends, and a finished round corrected as a whole."""

from __future__ import annotations

import re
from typing import Any

import pytest

from scorekeeper.core import tiles
from scorekeeper.core.variants import VARIANTS
from scorekeeper.pages import entry, stones_kit, turns
from tests.pages.stones_table import Table, finished, pips, refused

# -- one tap a pass ----------------------------------------------------------------------------------------------------


def test_a_tap_is_a_pass_and_the_second_button_a_passebunge_d3() -> None:
    table = Table().tap("pass:2", "bunge:3")
    assert table.passes == [{"seat": 2}, {"seat": 3, "bunge": True}]
    assert table.ledger.tally()["totals"] == [0, 0, 1, 2, 0]
    assert len(table.ledger.rounds) == 1


def test_only_when_the_table_cannot_pay_it_asks_who_played_last() -> None:
    table = Table(start=[8, 8, 4, 4, 0]).tap("pass:4")
    assert table.context()["unsaid"] is None
    table.tap("pass:0")
    asked = table.context()["unsaid"]
    assert asked == {"place": 1, "seat": 0, "seats": [3, 2, 1, 0, 4]}  # Eko had just passed: Dewi is likely
    assert 'value="after:1:3"' in table.page()
    table.tap("after:1:3")
    assert table.passes[1] == {"seat": 0, "after": 3}
    assert table.ledger.tally()["totals"] == [9, 8, 4, 3, 1]
    assert table.context()["unsaid"] is None


@pytest.mark.parametrize(
    ("passes", "likely"),
    [
        ([2], 1),
        ([1, 2], 0),
        ([3, 1], 0),  # Ani played meanwhile, or Budi would not have been next
        ([0, 1, 2], 4),
        ([1, 2, 3, 4], 0),
        ([1, 2, 3, 4, 0], 0),  # the manguno's own pass
        ([2, 2], 1),
    ],
)
def test_the_best_guess_is_the_seat_before_that_did_not_just_pass(passes: list[int], likely: int) -> None:
    made = [{"seat": seat} for seat in passes]
    assert turns.last_player(made, len(made) - 1, 5) == likely


def test_the_best_guess_follows_what_was_said_before() -> None:
    made = [{"seat": 1, "after": 4}, {"seat": 2}]
    assert turns.last_player(made, 1, 5) == 4


@pytest.mark.parametrize("op", ["pass:5", "pass:", "pass:-1", "bunge:²", "pass:1000", "after:0:9", "opener:x"])
def test_a_tap_names_a_seat_of_this_table(op: str) -> None:
    assert refused(Table().tap("pass:1") if op[0] != "o" else Table(), op) == ("not_a_seat", "op")


def test_a_tap_on_a_pass_that_is_not_there() -> None:
    assert refused(Table().tap("pass:1"), "after:1:0") == ("no_pass", "op")
    assert refused(Table(), "after:²:0") == ("no_pass", "op")


def test_a_form_without_an_operation_changes_nothing() -> None:
    assert refused(Table(), "") == ("ending_missing", "ended")
    assert refused(Table(), "sing") == ("ending_missing", "ended")


# -- how it ends -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ended", ["cappu", "ceki", "pollo"])
def test_an_ending_names_who(ended: str) -> None:
    table = Table().tap("pass:0").tap("end", ended=ended, by="2")
    assert table.round == {"ended": ended, "by": 2, "passes": [{"seat": 0}]}
    assert refused(Table(), "end", ended=ended) == ("by_missing", "rounds[0].by")
    assert refused(Table(), "end", by="2") == ("ending_missing", "ended")
    assert refused(Table(), "end", ended="sung", by="2")[0] == "unknown_ending"


@pytest.mark.parametrize(
    ("tile", "left", "right", "ended"),
    [
        ("2-5", "5", "2", "ceki"),
        ("2-5", "2", "2", "cappu"),
        ("2-5", "2", "6", "cappu"),
        ("4-4", "4", "4", "pollo"),
        ("4-4", "4", "1", "cappu"),
    ],
)
def test_the_last_tile_and_the_ends_tell_which_it_is_d4(tile: str, left: str, right: str, ended: str) -> None:
    made = Table().draft("end", ended="tile", by="0", tile=tile, end_0=left, end_1=right)
    assert made.error is None and made.round == {"ended": ended, "by": 0, "passes": []}


def test_the_last_tile_needs_both_ends() -> None:
    for typed in ({}, {"tile": "2-5"}, {"tile": "2-5", "end_0": "2"}, {"tile": "2-5", "end_0": "2", "end_1": "7"}):
        assert refused(Table(), "end", ended="tile", by="0", **typed) == ("tile_missing", "tile")
    assert refused(Table(), "end", ended="tile", by="0", tile="9-9", end_0="2", end_1="2")[0] == "not_a_tile"


def test_elsewhere_the_last_tile_tells_nothing() -> None:
    for key, variant in VARIANTS.items():
        told = variant.going_out(tiles.parse("2-5"), (2, 5))
        assert told == ("ceki" if key == "domeng" else None)


def test_blank_is_never_zero() -> None:
    typed = pips(5, 0, 7, "", 9)
    assert refused(Table(), "end", ended="manguno", by="0", **typed) == ("hand_missing", "hands[3]")
    typed["hands_3"] = "many"
    assert refused(Table(), "end", ended="manguno", by="0", **typed) == ("not_a_hand", "hands[3]")
    typed["hands_3"] = "2-5 3-3"
    made = Table().draft("end", ended="manguno", by="0", **typed)
    assert made.round and made.round["hands"] == [5, 0, 7, ["2-5", "3-3"], 9]


def test_the_closing_passes_that_were_not_tapped_are_filled_in_d8() -> None:
    table = Table().tap("pass:3", "bunge:1", "pass:2")
    assert table.context()["missing"][0] == [3, 4, 0]
    made = table.draft("end", ended="manguno", by="0", closing_4="2", closing_3="0", **pips(5, 6, 7, 8, 9))
    assert made.error is None and made.round
    assert made.round["passes"] == [
        {"seat": 3},
        {"seat": 1, "bunge": True, "after": 0},
        {"seat": 2, "after": 0},
        {"seat": 4, "bunge": True, "after": 0},
        {"seat": 0, "after": 0},
    ]


def test_closing_passes_that_cost_nothing_are_written_all_and_counted_none_d8() -> None:
    table = Table(rules={"closing_passes": False}).tap("pass:3", "pass:1", "pass:2")
    table.tap("end", ended="manguno", by="0", **pips(5, 6, 7, 8, 9))
    assert len(table.passes) == 6
    assert table.ledger.tally()["totals"] == [0, 0, 0, 1, 1]  # only the first pass, and the cucuq's stone (D6)


def test_a_pass_said_to_be_after_another_tile_closes_nothing() -> None:
    assert turns.closing([{"seat": 1, "after": 4}], 0, 5) == (0, [1, 2, 3, 4, 0])
    assert turns.closing([{"seat": 1, "after": 0}, {"seat": 2}], 0, 5) == (2, [3, 4, 0])


# -- correcting a finished round ---------------------------------------------------------------------------------------


def form_of(table: Table) -> dict[str, Any]:
    shown = stones_kit.fields(table.ledger.match, table.round)
    return {name.replace("-", "_"): text for name, text in shown.items()}


def test_what_the_form_shows_is_what_it_saves() -> None:
    table = finished()
    before = table.round
    assert stones_kit.fields(table.ledger.match, None) == {}
    table.tap("end", at=table.ledger.rounds[0], **form_of(table))
    assert table.round == before


def test_a_pass_is_changed_removed_and_added() -> None:
    table = finished()
    form = form_of(table)
    assert form["rows"] == "8"
    form |= {"seat_0": "4", "kind_1": "0", "after_2": "1", "rows": "10", "seat_8": "", "seat_9": "1", "kind_9": "2"}
    table.tap("end", at=table.ledger.rounds[0], **form)
    assert table.passes[:2] == [{"seat": 4}, {"seat": 2, "after": 1}]
    assert table.passes[-1] == {"seat": 1, "bunge": True} and len(table.passes) == 8


def test_a_broken_list_of_passes_is_refused_at_its_place() -> None:
    table = finished()
    first = table.ledger.rounds[0]
    for name, text, at in (
        ("rows", "x", "rows"),
        ("rows", "999", "rows"),
        ("seat_1", "8", "seat-1"),
        ("after_1", "-1", "after-1"),
        ("by", "9", "by"),
    ):
        error = table.draft("end", first, **(form_of(table) | {name: text})).error
        assert error is not None and error.at == at and entry.field_of(error) == at


def test_a_correction_keeps_the_log_only_while_it_tells_the_same() -> None:
    table = Table(first_opener=0).tap("track", "play", *["skip"] * 5)
    table.tap("end", ended="manguno", by="0", **pips(5, 6, 7, 8, 9))
    form = form_of(table)
    table.tap("end", at=table.ledger.rounds[0], **(form | {"hands_1": "4"}))
    assert table.ledger.rounds[0].turns == "0p-----"
    table.tap("end", at=table.ledger.rounds[0], **(form | {"kind_0": "1"}))
    assert table.ledger.rounds[0].turns is None


def test_only_passes_that_the_table_could_not_pay_ask_who_played_last() -> None:
    table = Table(start=[8, 8, 4, 4, 0]).tap("pass:4", "pass:0", "after:1:3").tap("end", ended="cappu", by="2")
    page = table.page(at=table.ledger.rounds[0])
    rows = re.findall(r'class="passrow([^"]*)"', page)
    assert rows[:2] == ["", " says"] and 'value="Save' not in page
