"""A round of stones entered tap by tap: what each tap adds, what turns tell by themselves, how the round ends."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.core import documents, events, tiles
from scorekeeper.core.errors import Invalid
from scorekeeper.core.events import Entry, Ledger
from scorekeeper.core.variants import VARIANTS
from scorekeeper.pages import entry, stones_kit, turns, words
from scorekeeper.pages.page import render

PLAYERS = ["Ani", "Budi", "Citra", "Dewi", "Eko"]
AROUND = {
    "url_for": lambda endpoint, **values: "/" + endpoint + "".join(f"/{value}" for value in values.values()),
    "csrf_token": lambda: "token",
    "theme": "",
    "messages": [],
}


class Table:
    """A match as its events make it, played by the kit's taps."""

    def __init__(self, *, start: list[int] | None = None, camat: int | None = None, **more: Any) -> None:
        document: dict[str, Any] = {"format": documents.FORMAT, "variant": "domeng", "players": PLAYERS, **more}
        if start:
            document["start"] = {"totals": start, **({} if camat is None else {"camat": camat})}
        self.log = [{**event, "version": 1} for event in events.created(document)]

    @property
    def ledger(self) -> Ledger:
        return events.fold(self.log)

    @property
    def open(self) -> Entry | None:
        return self.ledger.open

    @property
    def round(self) -> dict[str, Any]:
        return self.ledger.rounds[-1].round

    @property
    def passes(self) -> list[dict[str, Any]]:
        return self.round["passes"]

    def draft(self, op: str, at: Entry | None = None, **typed: Any) -> entry.Draft:
        named = {name.replace("_", "-"): text for name, text in typed.items()}
        return entry.draft(self.ledger, at or self.open, {"op": op, **named})

    def tap(self, *ops: str, at: Entry | None = None, **typed: Any) -> Table:
        for op in ops:
            made = self.draft(op, at, **typed)
            if made.error:
                raise made.error
            self.write(*made.events())
        return self

    def write(self, *new: dict[str, Any]) -> None:
        events.check(self.log, new)
        for event in new:
            self.log.append({**event, "version": len(self.log) + 1})

    def page(self, language: str = "en", at: Entry | None = None) -> str:
        shown = at or self.open
        made = entry.Draft(shown, {}, shown.round if shown else None)
        return render(entry.entry_page("abc", self.ledger, made, "key"), language, AROUND)

    def context(self) -> dict[str, Any]:
        return stones_kit.context(self.ledger, entry.Draft(self.open, {}))


def pips(*numbers: int | str) -> dict[str, Any]:
    return {f"hands_{seat}": str(number) for seat, number in enumerate(numbers)}


def refused(table: Table, op: str, **typed: Any) -> tuple[str, str]:
    error = table.draft(op, **typed).error
    assert error is not None
    return error.code, error.at


# -- one tap a pass --------------------------------------------------------------------------------------------


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


# -- turn by turn ----------------------------------------------------------------------------------------------


def test_turns_tell_passebunge_and_who_played_last() -> None:
    table = Table().tap("track", "opener:3", "play", "skip", "play", "skip", "skip", "skip", "play", "skip")
    assert table.open is not None and table.open.turns == "3p-p---p-"
    assert table.passes == [
        {"seat": 4, "bunge": True, "after": 3},
        {"seat": 1, "bunge": True, "after": 0},
        {"seat": 2, "bunge": True, "after": 0},
        {"seat": 3, "after": 0},
        {"seat": 0, "after": 4},
    ]
    told = table.context()["told"]
    assert (told.seat, told.last, told.played) == (1, 4, [1, 0, 0, 1, 1])


def test_the_opener_is_known_or_asked() -> None:
    table = Table().tap("track")
    assert table.open is not None and table.open.turns == ""
    assert "Who opens?" in table.page() and 'value="opener:3"' in table.page()
    assert refused(table, "play") == ("opener_missing", "op")
    known = Table(first_opener=2).tap("track")
    assert known.open is not None and known.open.turns == "2"
    known.tap("opener:4")  # not so: Eko opens
    assert known.open is not None and known.open.turns == "4"
    known.tap("play")
    assert refused(known, "opener:1") == ("turns_unknown", "op")


def test_the_opener_cannot_pass_before_there_is_a_tile() -> None:
    assert refused(Table(first_opener=0).tap("track"), "skip") == ("bad_turns", "turns")


def test_the_fifth_tile_is_first_cappu_and_nothing_follows_it() -> None:
    table = Table(first_opener=1).tap("track", *["play", "skip", "skip", "skip", "skip"] * 4, "play")
    told = table.context()["told"]
    assert (told.out, told.stuck, told.seat) == (1, None, None)
    assert refused(table, "play") == ("bad_turns", "turns")
    page = table.page()
    assert 'data-by="1"' in page and 'data-ended="pollo"' in page and 'data-ended="manguno"' not in page
    table.tap("end", ended="pollo", by="1")
    assert table.ledger.rounds[-1].turns == "1" + "p----" * 4 + "p"
    assert table.ledger.tally()["rounds"][0]["decided_by"] == "pollo"


def test_when_everyone_passed_the_last_to_play_is_manguno_d5_d8() -> None:
    table = Table(first_opener=0).tap("track", "play", "play", "skip", "skip", "skip", "skip", "skip")
    told = table.context()["told"]
    assert (told.out, told.stuck, told.seat) == (None, 1, None)
    assert 'data-ended="manguno"' in table.page() and 'data-ended="ceki"' not in table.page()
    table.tap("end", ended="manguno", by="1", **pips(9, 9, 10, 11, 12))
    verdict = table.ledger.tally()["rounds"][0]
    assert verdict["points"] == [1, 2, 2, 2, 2]  # Ani passes for 1, three passebunge, Budi 1 and 1 as manguno
    assert verdict["decided_by"] == "mattikkeng"
    assert table.ledger.rounds[0].turns == "0pp-----"


def test_a_table_that_tracked_its_turns_goes_on_so_and_may_stop() -> None:
    table = Table(first_opener=0).tap("track", "play", "skip", "play", "play", "play")
    table.tap("byhand")
    assert table.open is not None and table.open.turns is None
    assert table.passes == [{"seat": 1, "bunge": True, "after": 0}]
    assert refused(table, "play") == refused(table, "track") == ("turns_unknown", "op")
    tracked = Table(first_opener=0).tap("track", "play", *["skip"] * 5)
    tracked.tap("end", ended="manguno", by="0", **pips(5, 6, 7, 8, 9))
    assert tracked.context()["tracked"] and tracked.context()["opener"] == 0
    tracked.tap("play")
    assert tracked.open is not None and tracked.open.turns == "0p"


def test_an_end_that_the_log_does_not_tell_of_leaves_the_log_out() -> None:
    table = Table(first_opener=0).tap("track", "play", *["skip"] * 5)
    table.tap("end", ended="manguno", by="1", **pips(5, 6, 7, 8, 9))
    assert table.ledger.rounds[0].turns is None


def test_a_log_in_another_programs_words_is_no_obstacle() -> None:
    table = Table()
    table.write({"type": "round_entered", "round": {"passes": [{"seat": 1}]}, "turns": "0 6-6, 1 pass"})
    assert 'value="pass:2"' in table.page()
    table.tap("pass:2")
    assert table.passes == [{"seat": 1}, {"seat": 2}]


@pytest.mark.parametrize("log", ["p", "7p", "3pp x", "0-", "0ppp\n", "0" + "p----" * 5, "0p------"])
def test_a_broken_log_is_refused(log: str) -> None:
    with pytest.raises(Invalid) as caught:
        turns.read(log, 5, 5)
    assert (caught.value.code, caught.value.at) == ("bad_turns", "turns")


@given(opener=st.integers(0, 4), wanted=st.lists(st.booleans(), max_size=60))
def test_any_turns_make_a_round_that_the_core_takes(opener: int, wanted: list[bool]) -> None:
    log = f"{opener}p"
    for play in wanted:
        if turns.read(log, 5, 5).seat is None:
            break
        log += "p" if play else "-"
    told = turns.read(log, 5, 5)
    plays = [(opener + turn) % 5 for turn, sign in enumerate(log[1:]) if sign == "p"]
    assert told.played == [plays.count(seat) for seat in range(5)] and told.last == plays[-1]
    assert len(told.passes) == log.count("-")
    assert told.out == (plays[-1] if max(told.played) == 5 else None)
    assert told.stuck == (plays[-1] if log.endswith("-----") else None)
    assert (told.seat is None) == (told.out is not None or told.stuck is not None)
    table = Table()
    table.write({"type": "round_entered", "round": {"passes": told.passes}, "turns": log})
    result = table.ledger.tally()
    assert result["table"] + sum(result["totals"]) == 25 and not result["rounds"][0].get("needs")


# -- how it ends -----------------------------------------------------------------------------------------------


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


# -- correcting a finished round ------------------------------------------------------------------------------


def finished() -> Table:
    table = Table().tap("pass:0", "bunge:1", "pass:2")
    return table.tap("end", ended="manguno", by="3", **pips(9, "2-5", 10, 8, 12))


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


# -- the page --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", [*words.LANGUAGES, words.PSEUDO])
def test_every_state_has_its_page(language: str) -> None:
    fresh = Table()
    states = [
        fresh,
        Table().tap("pass:1"),
        Table(start=[5, 5, 5, 5, 5], camat=2),
        Table(start=[5, 5, 5, 5, 5]).tap("pass:2"),
        Table().tap("track"),
        Table(first_opener=1).tap("track"),
        Table(first_opener=1).tap("track", "play", "skip"),
        Table(first_opener=1).tap("track", "play", *["skip"] * 5),
        Table(rules={"closing_passes": False}).tap("byhand"),
    ]
    for table in states:
        page = table.page(language)
        assert page.count('class="place') == 5 and "style=" not in page and "onclick" not in page
    table = finished()
    assert table.page(language, table.ledger.rounds[0]).count('class="passrow') == 8 + 3


def test_stones_are_drawn_before_each_player_and_on_the_table() -> None:
    page = Table(start=[1, 2, 3, 4, 0]).page()
    held = re.findall(r'data-held="(\d+)"(.*?)(?=data-held|</form>)', page, re.DOTALL)
    assert [int(number) for number, _ in held] == [1, 2, 3, 4, 0, 15]
    assert all(part.count('class="stone"') == int(number) for number, part in held)


def test_camat_and_the_other_words_of_the_game_stay_and_are_explained() -> None:
    for language in words.LANGUAGES:
        page = Table(start=[5, 5, 5, 5, 5], camat=2).page(language)
        for word in ("passebunge", "First cappu", "Ceki", "Pollo", "Manguno", "mattikkeng", "cucuq", "camat"):
            assert word in page
    assert "the one who went out without a stone when the table was empty" in Table(start=[0] * 5, camat=2).page()


def test_undo_is_offered_for_a_tap_of_this_round_only() -> None:
    table = finished()
    assert 'value="enter"' not in table.page()
    assert 'value="enter"' in table.tap("pass:1").page()
    table.write({"type": "player_renamed", "seat": 0, "name": "Ana"})
    assert 'value="enter"' not in table.page()


def test_another_phone_was_faster_the_table_as_it_stands_is_shown() -> None:
    table = Table().tap("pass:1", "bunge:2")
    made = table.draft("pass:4")
    page = entry.entry_page("abc", table.ledger, made, "key", conflict=table.ledger.history[-1:])
    shown = render(page, "en", AROUND)
    assert page.status == 409 and "Another phone was faster" in shown and 'data-held="22"' in shown


def test_what_was_typed_for_the_end_survives_a_refusal() -> None:
    table = Table().tap("pass:1")
    made = table.draft("end", ended="manguno", by="2", **pips(5, 6, "", 8, 9))
    page = entry.entry_page("abc", table.ledger, made, "key")
    shown = render(page, "en", AROUND)
    assert page.status == 422 and 'name="hands-4" value="9"' in shown
    assert re.search(r'<option value="manguno"[^>]* selected', shown)
    assert "Citra: how many pips are left?" in shown
