"""Help at the practice table: what each legal move is worth."""

from __future__ import annotations

from scorekeeper.core.arena import bot_rng
from scorekeeper.core.bots import view_of
from scorekeeper.core.bots.master import evaluate
from scorekeeper.core.engine.session import Session
from scorekeeper.core.tally import tally

SAMPLES = 600  # deals for a hint: a fifth of a second


def hints(session: Session) -> dict[str, float]:
    """What each legal move of the human's is worth by its text, in points expected from here; {} where it is not
    their turn. The human's own view is all that is looked at."""
    if not session.human:
        return {}
    position = session.position
    view = view_of(position, tuple(tally(session.match)["totals"]))
    rng = bot_rng(session.table.seed, len(position.match.rounds), position.seat, len(position.moves))
    return {str(move): value for move, value, _ in evaluate(view, rng, SAMPLES)}
