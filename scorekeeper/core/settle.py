"""Settling stakes: every two opponents settle the difference of their totals, with the fewest payments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations


def balances(totals: Sequence[int], side_of: Sequence[int], *, lowest_wins: bool) -> list[int]:
    """What each seat receives (or, below zero, pays), in points; the sum is 0.

    Alone, a player settles with every other; a partner settles with one opponent, so that a partnership's
    difference is paid once by each of its players.
    """
    sign = -1 if lowest_wins else 1
    found = []
    for seat, total in enumerate(totals):
        against = [totals[other] for other in range(len(totals)) if side_of[other] != side_of[seat]]
        partners = sum(side == side_of[seat] for side in side_of)
        found.append(sign * sum(total - other for other in against) // partners)
    return found


def payments(balance: Sequence[int]) -> list[tuple[int, int, int]]:
    """(payer, payee, points) that clear the balances in as few payments as can be.

    Each group of seats whose balances cancel out needs one payment fewer than it has seats, so the most groups win.
    """
    seats = [seat for seat, points in enumerate(balance) if points]
    return [payment for group in _groups(seats, balance) for payment in _clear(group, balance)]


def _groups(seats: list[int], balance: Sequence[int]) -> list[list[int]]:
    """The seats split into as many groups with a balance of 0 as can be; fine for the ten seats of a table."""
    if not seats:
        return []
    first, rest = seats[0], seats[1:]
    best: list[list[int]] = [seats]
    for size in range(1, len(rest)):
        for others in combinations(rest, size):
            if balance[first] + sum(balance[seat] for seat in others):
                continue
            left = [seat for seat in rest if seat not in others]
            split = [[first, *others], *_groups(left, balance)]
            if len(split) > len(best):
                best = split
    return best


def _clear(group: list[int], balance: Sequence[int]) -> list[tuple[int, int, int]]:
    left = {seat: balance[seat] for seat in group}
    made = []
    while any(left.values()):
        payer = min(left, key=lambda seat: left[seat])
        payee = max(left, key=lambda seat: left[seat])
        points = min(-left[payer], left[payee])
        made.append((payer, payee, points))
        left[payer] += points
        left[payee] -= points
    return made
