"""Random valid match documents, as tables would enter them.

Everything takes its chances from a `random.Random`, so that a seed names a document. Tiles are dealt without
repetition; `count_some` then turns hands into pip numbers, as a scorer in a hurry does.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

Document = dict[str, Any]
Round = dict[str, Any]
Pips = tuple[int, int]

SET = [(low, high) for low in range(7) for high in range(low, 7)]
NAMES = ["Ani", "Budi", "Citra", "Dewi", "João", "אורי", "ချော", "🁫 Zoë", "O'Neil", "  Siti  Aminah ", "<b>"]


def make(dice: Random, variant: str) -> Document:
    """A match document of the variant: rules, sides, a start, up to ten rounds and perhaps an open one."""
    return MAKERS[variant](dice)


def text(tile: Pips) -> str:
    return f"{tile[0]}-{tile[1]}"


def half_pips(tile: str) -> Pips:
    """A tile's halves from its text, the low one first."""
    one, other = sorted(map(int, tile.split("-")))
    return one, other


def flip(dice: Random, value: Any) -> Any:
    """The same document with some tiles named by their other half first."""
    if isinstance(value, dict):
        return {key: item if key == "players" else flip(dice, item) for key, item in value.items()}
    if isinstance(value, list):
        return [flip(dice, item) for item in value]
    turned = isinstance(value, str) and len(value) == 3 and value[1] == "-" and dice.random() < 0.5
    return value[::-1] if turned else value


def _table(dice: Random, variant: str, players: int, options: dict[str, Sequence[Any]]) -> Document:
    """The document before its rounds. Of `options`, each a list of values, some are set."""
    names = dice.sample(NAMES, players)
    document: Document = {"format": "scorekeeper/1", "variant": variant, "players": names}
    rules = {name: dice.choice(values) for name, values in options.items() if dice.random() < 0.4}
    if rules or dice.random() < 0.5:
        document["rules"] = rules
    opener = dice.choice([None, *range(players)])
    if opener is not None or dice.random() < 0.1:
        document["first_opener"] = opener
    return document


def _rounds(
    dice: Random, document: Document, ended: Callable[[], Round], still_open: Callable[[], Round]
) -> Document:
    rounds = [ended() for _ in range(dice.randrange(11))]
    if dice.random() < 0.3:
        rounds.append(still_open())
    if rounds or dice.random() < 0.5:
        document["rounds"] = rounds
    return document


def _hands(dice: Random, players: int, most: int, out: int | None) -> list[list[str]]:
    """What each player still holds: at least one tile, few more often than many; nothing for who is out."""
    sizes = [0 if seat == out else min(most, 1 + int(dice.expovariate(0.8))) for seat in range(players)]
    tiles = iter(dice.sample(SET, sum(sizes)))
    return [[text(next(tiles)) for _ in range(size)] for size in sizes]


def pips(hand: list[str]) -> int:
    return sum(sum(half_pips(tile)) for tile in hand)


def _count_some(dice: Random, hands: list[Any]) -> list[Any]:
    share = dice.choice([0, 0.5, 1])
    return [pips(hand) if dice.random() < share else hand for hand in hands]


# -- block --------------------------------------------------------------------------------------------------


def block(dice: Random) -> Document:
    players = dice.choice([4, 4, 4, 3, 2])
    document = _table(dice, "block", players, {"target": [100, 30, 200], "blocked_points": ["all", "net"]})
    if dice.random() < 0.3:
        document["start"] = {"totals": [dice.randrange(-10, 30) for _ in range(players)]}

    def ended() -> Round:
        out = dice.choice([None, *range(players)])
        hands = _count_some(dice, _hands(dice, players, 7, out))
        return {"hands": hands, **({"ended": "blocked"} if out is None else {"ended": "domino", "by": out})}

    def still_open() -> Round:
        return dice.choice([{}, {"hands": _hands(dice, players, 7, None)}, {"ended": None, "by": None}])

    return _rounds(dice, document, ended, still_open)


# -- gaple --------------------------------------------------------------------------------------------------


def gaple(dice: Random, *, tiles_only: bool = False) -> Document:
    players = dice.choice([4, 4, 5])
    document = _table(dice, "gaple", players, {
        "rounds": [1, 3, 5, 10], "tiles_each": [6, 7], "lead": ["winner", "always_random"],
        "stuck": ["discard", "pass"], "double_blank_25": [False, True, True],
        "tied_match": ["joint", "extra_round"]})
    partners = players == 4 and dice.random() < 0.4
    if partners:
        document["sides"] = [[0, 2], [1, 3]]
    if dice.random() < 0.2:
        document["start"] = {"totals": [dice.randrange(40) for _ in range(2 if partners else players)]}
    rules = document.get("rules", {})
    limit = 5 if players == 5 else rules.get("tiles_each", 7)

    def ended() -> Round:
        round_ = _gaple_tiles(dice, players, limit, rules)
        return round_ if tiles_only else count_gaple(dice, round_, rules)

    return _rounds(dice, document, ended, dict)


def _gaple_tiles(dice: Random, players: int, limit: int, rules: dict[str, Any]) -> Round:
    """A finished round with every tile known: hands and discards together are at most `limit`."""
    out = dice.choice([None, *range(players)])
    one_each = dice.random() < 0.5  # as G13 has it, which also makes for more ties
    hands = _hands(dice, players, 1 if one_each else 3, out)
    left = [tile for tile in map(text, SET) if all(tile not in hand for hand in hands)]
    dice.shuffle(left)
    most = 0 if rules.get("stuck") == "pass" or dice.random() < 0.3 else 2
    discards = [[left.pop() for _ in range(min(dice.randint(0, most), limit - len(hand), len(left)))]
                for hand in hands]
    round_: Round = {"ended": "blocked" if out is None else "domino", "hands": hands, "discards": discards}
    if out is not None and dice.random() < 0.8:
        round_["by"] = out
    return round_


def worth(tile: str, own: list[str], rules: dict[str, Any]) -> int:
    """What a tile counts for a player with the tiles `own` (G7, G11)."""
    if rules.get("double_blank_25") and tile == "0-0":
        return 0 if sum("0" in other for other in own) > 1 else 25
    return sum(half_pips(tile))


def count_gaple(dice: Random, round_: Round, rules: dict[str, Any], *, name_all: bool = False) -> Round:
    """The round with some parts given as numbers, already counted, and perhaps the lowest tiles named."""
    share = dice.choice([0, 0.5, 1])
    lowest: dict[str, str | None] = {}
    counted: Round = {**round_, "hands": [], "discards": []}
    for seat, both in enumerate(zip(round_["hands"], round_["discards"], strict=True)):
        own = [tile for part in both for tile in part]
        for name, part in zip(("hands", "discards"), both, strict=True):
            as_number = dice.random() < share
            counted[name].append(sum(worth(tile, own, rules) for tile in part) if as_number else part)
            # The hand of a known winner is empty however it is written: only its discards can hide a tile.
            if as_number and (name == "discards" or round_.get("by") != seat):
                ranked = [(worth(tile, own, rules), half_pips(tile)) for tile in own]
                lowest[str(seat)] = text(min(ranked)[1]) if ranked else None
    if lowest and (name_all or dice.random() < 0.5):
        counted["lowest"] = lowest
    return counted


# -- pontas -------------------------------------------------------------------------------------------------


def pontas(dice: Random) -> Document:
    document = _table(dice, "pontas", 4, {
        "target": [100, 50, 200], "out_bonus": [False, True], "pass_bonus": [0, 20],
        "score_35": [False, True], "spinner_end": ["twice", "once"],
        "spinner_order": ["sides_first", "any"], "four_ends_required": [False, True]})
    if dice.random() < 0.2:
        document["sides"] = [[0, 2], [1, 3]]
    if dice.random() < 0.3:
        document["start"] = {"totals": [dice.randrange(0, 50, 5), dice.randrange(0, 50, 5)]}
    rules = document.get("rules", {})

    def plays() -> list[Any]:
        made: list[Any] = []
        for _ in range(dice.randrange(9)):
            if rules.get("pass_bonus") and dice.random() < 0.3:
                made.append([dice.randrange(4), 20, "pass"])
            else:
                fives = [5, 10, 15, 20, 25, 30, *([35] if rules.get("score_35") else [])]
                made.append([dice.randrange(4), dice.choice(fives)])
        return made

    def ended() -> Round:
        out = dice.choice([None, *range(4)])
        round_: Round = {"ended": "blocked", "plays": plays()}
        if out is not None:
            round_.update(ended="domino", by=out)
        if (rules.get("out_bonus") and out is not None) or dice.random() < 0.2:
            hands = _count_some(dice, _hands(dice, 4, 7, out))
            partner = None if out is None else (out + 2) % 4
            round_["hands"] = [None if seat == partner and dice.random() < 0.5 else hand
                               for seat, hand in enumerate(hands)]
        return round_

    return _rounds(dice, document, ended, lambda: dice.choice([{}, {"plays": plays()}]))


# -- domeng -------------------------------------------------------------------------------------------------


def domeng(dice: Random, *, all_known: bool = False) -> Document:
    """With `all_known` each pass says who had played last, so that nothing has to wait."""
    document = _table(dice, "domeng", 5, {"camats": [None, 1, 2, 3], "closing_passes": [True, False]})
    if dice.random() < 0.5:
        held = [0] * 5
        for _ in range(dice.choice([0, 10, 20, 25])):
            held[dice.randrange(5)] += 1
        document["start"] = {"totals": held}
        if dice.random() < 0.3:
            document["start"]["camat"] = dice.randrange(5)
    says_after = 1 if all_known else dice.choice([0, 0.5, 1])

    def one_pass(seat: int, after: int) -> Round:
        made: Round = {"seat": seat}
        if dice.random() < 0.3:
            made["bunge"] = dice.random() < 0.8
        if dice.random() < says_after:
            made["after"] = after
        return made

    def passes() -> list[Round]:
        return [one_pass(dice.randrange(5), dice.randrange(5)) for _ in range(dice.randrange(12))]

    def ended() -> Round:
        by, how = dice.randrange(5), dice.choice(["cappu", "cappu", "ceki", "pollo", "manguno"])
        round_: Round = {"ended": how, "by": by, "passes": passes()}
        if how == "manguno":
            if dice.random() < 0.8:
                round_["passes"] += [one_pass((by + step) % 5, by) for step in range(1, 6)]
            round_["hands"] = _count_some(dice, _hands(dice, 5, 4, None))
        elif dice.random() < 0.1:
            round_["hands"] = _count_some(dice, _hands(dice, 5, 5, by))
        return round_

    return _rounds(dice, document, ended, lambda: dice.choice([{}, {"passes": passes()}]))


# How to make one of each variant; its keys are the variants' names.
MAKERS: dict[str, Callable[[Random], Document]] = {
    "block": block, "gaple": gaple, "pontas": pontas, "domeng": domeng}


# -- broken on purpose --------------------------------------------------------------------------------------

STRANGE: list[Any] = [None, True, False, 0, 1, -1, 7, 25, 10**20, 0.5, 1.0, "", "0-0", "6-6", "6-5", "7-7", "domino",
                      "pass", "\ud800", [], [[]], {}, [0, 5], {"seat": 0}, ["0-0", "0-0"], "x" * 5000]


def mutate(dice: Random, document: Any) -> Any:
    """The document with one to three places changed, which usually, not always, makes it invalid."""
    document = json.loads(json.dumps(document))
    for _ in range(dice.randint(1, 3)):
        spots = list(_spots(document))
        if not spots:
            break
        holder, place = dice.choice(spots)
        how = dice.randrange(5)
        if how == 0:
            del holder[place]
        elif how == 1 and isinstance(holder, list):
            holder.insert(place, holder[place])
        elif how == 2 and isinstance(holder, dict):
            holder[dice.choice(["ended", "by", "hands", "lowest", "x", "\ud800", "format"])] = holder[place]
        else:
            other, there = dice.choice(spots)
            holder[place] = copy.deepcopy(other[there]) if how == 3 else dice.choice(STRANGE)
    return document


def _spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a document, as what holds it and the key or number there."""
    places = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for place in places:
        yield value, place
        yield from _spots(value[place])
