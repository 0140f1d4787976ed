"""How a round is played, where variants differ: what the engine asks of a variant, with the usual answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ..errors import Invalid
from ..tiles import SET, Tile

if TYPE_CHECKING:
    from ..documents import Match
    from ..engine.masks import State
    from ..engine.moves import Move
    from ..engine.position import Hand, Position
    from ..layout import Layout


class Finish(NamedTuple):
    """How a round came to its end, for `settle`. By seat, if nothing else is said.

    `ended`: what going out is called, None where nobody can play; `by`: who set the last tile; `hands`: the tiles
    held; `given`: those discarded, where `memory` asks for them; `fresh`: who has set no tile; `purse`: what each side
    had gained before the end, where `memory` asks for it, its totals before the round included.
    """

    ended: str | None
    by: int | None
    hands: tuple[Hand, ...]
    given: tuple[Hand, ...]
    fresh: tuple[bool, ...]
    purse: tuple[int, ...]


class Playing:
    """The engine's questions. `cross`: the first double is a spinner. `counts_passes`: a dead layout ends the round
    only after everyone has passed in turn, instead of at once. `played_by`: how many play it, where that is not every
    number it is scored for; `played_rules`: house rules that practice proposes."""

    cross = False
    counts_passes = False
    played_by: tuple[int, ...] = ()
    played_rules: ClassVar[Mapping[str, Any]] = {}
    pips_matter = 0.25  # what shedding a pip is worth against keeping a tile that fits

    def tiles_dealt(self, match: Match) -> int:
        """How many tiles each player is dealt."""
        raise NotImplementedError

    def sets_tile(self, match: Match) -> bool:
        """Whether a tile of the boneyard is set before the first turn."""
        return False

    def discards(self, match: Match) -> bool:
        """Whether a player who cannot play gives up a tile, instead of passing."""
        return False

    def first_lead(self, match: Match, hands: tuple[Hand, ...], rng: Random) -> tuple[int, Tile | None]:
        """Who leads when no earlier round says so, and the tile that must be led: the highest double dealt."""
        return highest_double(hands)

    def gains(self, layout: Layout, rules: Mapping[str, Any]) -> int:
        """The points that a play which leaves this layout brings its side at once."""
        return 0

    def memory(self, rules: Mapping[str, Any]) -> tuple[str, ...]:
        """What the points still to come depend on beside the hands and the layout: `last` (who set the last tile),
        `given` (which tiles were discarded), `purse` (who has gained what; only where sides are seats)."""
        return ()

    def discard_points(self, tile: Tile) -> int:
        """The points that discarding a tile brings its player's side."""
        return 0

    def pass_points(self, match: Match, seat: int, last: int | None, fresh: bool,
                    purse: tuple[int, ...]) -> tuple[int, ...]:
        """The points that a pass brings each side. `last` and `purse` are known where `memory` asks for them;
        `fresh`: the player has set no tile yet."""
        return (0,) * len(match.sides)

    def settle(self, match: Match, finish: Finish) -> tuple[int, ...]:
        """The points that each side gets at the end of a round, beyond those of plays, passes and discards."""
        raise NotImplementedError

    def note(self, before: Position, after: Position, move: Move) -> Any:
        """What `move` adds to the round's own record (a scoring play, a pass), or None."""
        return None

    def over(self, after: Position, seat: int, move: Move) -> tuple[str, int | None] | None:
        """How the round has ended with `seat`'s move, and by whom; None while it goes on."""
        if not after.hands[seat]:
            return self.out(after, seat, move)
        blocked = after.idle == after.seats if self.counts_passes else not after.anybody_fits()
        return self.blocked(after) if blocked else None

    def out(self, after: Position, seat: int, move: Move) -> tuple[str, int | None]:
        """The ending when a hand is empty."""
        return "domino", seat

    def blocked(self, after: Position) -> tuple[str, int | None]:
        """The ending when nobody can play."""
        return "blocked", None

    # -- what bots know of a variant ---------------------------------------------------------------------------

    def unheld(self, must: Tile) -> list[Tile]:
        """The tiles that nobody was dealt, seeing that `must` had to be led: the higher doubles."""
        return [tile for tile in SET if tile.double and tile.low > must.low]

    def prospects(self, rules: Mapping[str, Any], totals: Sequence[int], rounds: int, out: int) -> list[float]:
        """Each side's chance to win the match from these totals after so many rounds, about; `out`: the seat that
        went out in the last one, or below 0."""
        raise NotImplementedError

    # -- the simulation layer (engine/masks.py): shortcuts, tested equal to the scoring of a round ------------

    def pass_gain(self, rules: Mapping[str, Any]) -> int:
        """What a pass brings whoever set the last tile, if that was an opponent."""
        return 0

    def swift_notes(self, state: State, notes: Sequence[Any]) -> None:
        """Adds the points that the moves so far have scored to `state.points`."""

    def swift_points(self, state: State) -> list[int]:
        """What each side gains in a finished round: the `points` of its verdict."""
        raise NotImplementedError

    def round_of(self, position: Position) -> dict[str, Any]:
        """The finished round in the match document's form."""
        found: dict[str, Any] = {"ended": position.ended}
        if position.by is not None:
            found["by"] = position.by
        return found | self.parts_of(position)

    def parts_of(self, position: Position) -> dict[str, Any]:
        """The round's parts beside its ending: the hands."""
        return {"hands": texts(position.hands)}


def shares(strengths: Sequence[float]) -> list[float]:
    """Strengths as parts of 1."""
    whole = 0.0
    for each in strengths:  # not `sum`, which differs between versions of Python
        whole += each
    return [each / whole for each in strengths]


def race(totals: Sequence[int], target: int) -> list[float]:
    """Chances in a race to a target, the highest total winning once one is there: the less is missing, the better.
    Fitted to matches between Experts, like the other variants' prospects."""
    best = max(totals)
    if best >= target:
        return shares([1.0 if total == best else 0.0 for total in totals])
    missing = [(target - total) / target + 0.6 for total in totals]
    return shares([1.0 / (each * each * each) for each in missing])


def texts(hands: tuple[Hand, ...]) -> list[list[str]]:
    """Hands in their JSON form."""
    return [[tile.text for tile in hand] for hand in hands]


def highest_double(hands: Sequence[Sequence[Tile]]) -> tuple[int, Tile | None]:
    """The holder of the highest double dealt, and that double. Raises `Invalid("no_double")` where nobody has one."""
    doubles = [(tile.low, seat, tile) for seat, hand in enumerate(hands) for tile in hand if tile.double]
    if not doubles:
        raise Invalid("no_double", "no double was dealt", "hands")
    _, seat, tile = max(doubles, key=lambda found: found[0])
    return seat, tile
