"""A second scorer, from the rulebook's words alone: slow, literal, and sharing nothing with the first.

It knows rounds in which every tile is given. Tiles are text; a player's tiles are a list.
"""

from __future__ import annotations

from typing import Any

Points = list[int]


def halves(tile: str) -> tuple[int, int]:
    return int(tile[0]), int(tile[2])


def pips(given: Any) -> int:
    return given if isinstance(given, int) else sum(a + b for a, b in map(halves, given))


def block(round_: dict[str, Any], net: bool) -> tuple[Points, int | None]:
    """B6-B8: each side's points and the winner."""
    counts = [pips(hand) for hand in round_["hands"]]
    if round_["ended"] == "domino":
        winner = round_["by"]
    else:
        if counts.count(min(counts)) > 1:
            return [0] * len(counts), None
        winner = min(range(len(counts)), key=lambda seat: counts[seat])
    scored = 0
    for seat, count in enumerate(counts):
        if seat != winner:
            scored += count
        elif net and round_["ended"] == "blocked":
            scored -= count
    return [scored if seat == winner else 0 for seat in range(len(counts))], winner


def gaple(round_: dict[str, Any], double_blank_25: bool) -> tuple[Points, int, str]:
    """G7-G9 and G11: each player's points, the winner and what decided it."""
    players = [held + thrown for held, thrown in zip(round_["hands"], round_["discards"], strict=True)]

    def value(tile: str, own: list[str]) -> int:
        a, b = halves(tile)
        if double_blank_25 and a == b == 0:
            with_blank = [other for other in own if other not in ("0-0",) and "0" in other.split("-")]
            return 0 if with_blank else 25
        return a + b

    points = [sum(value(tile, own) for tile in own) for own in players]
    left = [seat for seat in range(len(players)) if points[seat] == min(points)]
    if len(left) == 1:
        return points, left[0], "lowest_total"
    bare = [seat for seat in left if not players[seat]]
    if bare:
        return points, bare[0], "lowest_tile"
    lightest = {seat: min(value(tile, players[seat]) for tile in players[seat]) for seat in left}
    left = [seat for seat in left if lightest[seat] == min(lightest.values())]
    if len(left) == 1:
        return points, left[0], "lowest_tile"
    ends = {seat: min(min(halves(tile)) for tile in players[seat]
                      if value(tile, players[seat]) == lightest[seat]) for seat in left}
    left = [seat for seat in left if ends[seat] == min(ends.values())]
    assert len(left) == 1, "two different tiles never tie on both"
    return points, left[0], "lowest_end"


class Stones:
    """D2: a table of 25 stones that are handed over one at a time."""

    def __init__(self, held: list[int]) -> None:
        self.held = list(held)

    @property
    def table(self) -> int:
        return 25 - sum(self.held)

    def give(self, to: int, most: int, payers: list[int]) -> None:
        for _ in range(most):
            if self.table > 0:
                self.held[to] += 1
                continue
            for payer in payers:
                if payer != to and self.held[payer] > 0:
                    self.held[payer] -= 1
                    self.held[to] += 1
                    break


def domeng(stones: Stones, round_: dict[str, Any], closing_passes: bool) -> tuple[int, bool]:
    """D3-D9 on a round whose passes all say `after`: moves the stones; the winner, and are they camat now."""
    by, how = round_["by"], round_["ended"]
    passes = list(round_["passes"])
    if how == "manguno" and not closing_passes and len(passes) >= 5:
        turn = [((by + 1 + step) % 5, by) for step in range(5)]
        if [(one["seat"], one["after"]) for one in passes[-5:]] == turn:
            del passes[-5:]
    for one in passes:
        stones.give(one["seat"], 2 if one.get("bunge") else 1, [one["after"]])
    before = by - 1 if by else 4
    if how != "manguno":
        stones.give(before, {"cappu": 1, "ceki": 3, "pollo": 5}[how], [by])
        camat = stones.table == 0 and stones.held[by] == 0
        if camat:
            stones.held = [0] * 5
        return by, camat
    counts = [pips(hand) for hand in round_["hands"]]
    others = [(counts[(by + step) % 5], step, (by + step) % 5) for step in range(1, 5)]
    mattikkeng = [seat for count, _, seat in sorted(others) if count <= counts[by]]
    if not mattikkeng:
        stones.give(before, 1, [by])
        return by, False
    alone_and_lower = len(mattikkeng) == 1 and counts[mattikkeng[0]] < counts[by]
    stones.give(by, 5 if alone_and_lower else 1, mattikkeng)
    return mattikkeng[0], False


def pontas(totals: Points, round_: dict[str, Any], out_bonus: bool) -> list[Points]:
    """P5, P7: the two sides' totals after each thing that scored in a round, in order."""
    steps = []
    for seat, points, *_ in round_.get("plays", []):
        totals = [total + (points if side == seat % 2 else 0) for side, total in enumerate(totals)]
        steps.append(totals)
    if out_bonus and round_.get("ended") == "domino":
        out = round_["by"]
        bonus = sum(pips(hand) for seat, hand in enumerate(round_["hands"]) if seat % 2 != out % 2) // 5 * 5
        steps.append([total + (bonus if side == out % 2 else 0) for side, total in enumerate(totals)])
    return steps
