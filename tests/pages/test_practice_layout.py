"""The drawn layout: every tile is seen whole, none lies on another, and where two touch they show the same number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scorekeeper.core.engine.moves import parse
from scorekeeper.core.engine.position import Position, replay, start
from scorekeeper.core.tiles import Tile, of
from scorekeeper.core.tiles import parse as tile_of
from scorekeeper.pages.practice_layout import GAP, HALF, Drawing, Place, draw
from tests.core.tables import TABLES, open_match, positions

ROUNDS = 25


def overlap(one: Place, other: Place) -> bool:
    """Whether two tiles lie on each other."""
    return (one.x < other.x + other.width and other.x < one.x + one.width
            and one.y < other.y + other.height and other.y < one.y + one.height)


def inside(place: Place, drawing: Drawing) -> bool:
    """Whether the picture shows a tile whole."""
    x, y, width, height = drawing.box
    return (x <= place.x and y <= place.y
            and place.x + place.width <= x + width and place.y + place.height <= y + height)


def touch(one: Place, other: Place) -> set[int]:
    """The numbers that two tiles show to each other: on halves with an edge in common, or most of one."""
    found = set()
    for x, y, number in one.halves:
        for across, down, same in other.halves:
            dx, dy = abs(across - x), abs(down - y)
            if number == same and sorted((dx, dy)) [1] == HALF + GAP and min(dx, dy) <= HALF // 2:
                found.add(number)
    return found


def neighbours(position: Position) -> Iterator[tuple[int, int, int]]:
    """Pairs of tiles, by their number in the order of play, that were set on each other, and with which number."""
    ends: dict[str, tuple[int, int]] = {}  # side: the tile at that end, its open number
    count, spinner, cross = 0, None, position.match.variant.cross

    def lead(tile: Tile) -> None:
        ends["left"], ends["right"] = (0, tile.low), (0, tile.high)

    if position.first:
        lead(position.first)
        spinner = (0, position.first.low) if cross and position.first.double else None
        count = 1
    for move in position.moves:
        if not move.tile or move.discard:
            continue
        if not ends:
            lead(move.tile)
        else:
            other, number = ends.get(move.side) or spinner or (-1, -1)
            yield count, other, number
            ends[move.side] = (count, move.tile.other(number))
        if cross and move.tile.double and spinner is None:
            spinner = (count, move.tile.low)
        count += 1


@pytest.mark.parametrize("table", TABLES)
def test_every_tile_is_seen_and_touches_its_neighbour_with_the_same_number(table: str) -> None:
    match = open_match(table)
    for seed in range(ROUNDS):
        for position in positions(match, seed):
            drawing = draw(position)
            places = drawing.places
            assert [place.number for place in places] == list(range(position.layout.tiles))
            assert len({of(place.first, place.second) for place in places}) == len(places)
            for at, place in enumerate(places):
                assert inside(place, drawing), (seed, place, drawing.box)
                assert not any(overlap(place, other) for other in places[:at]), (seed, place)
            for one, other, number in neighbours(position):
                assert touch(places[one], places[other]) == {number}, (seed, places[one], places[other])


@pytest.mark.parametrize("table", TABLES)
def test_a_tile_that_could_be_set_has_a_free_place_in_the_picture(table: str) -> None:
    match = open_match(table)
    for seed in range(ROUNDS):
        for position in positions(match, seed):
            drawing = draw(position)
            assert {mark.side: mark.number for mark in drawing.marks} == position.layout.open()
            if not position.layout.tiles:
                continue
            for move in position.legal():
                if not move.tile or move.discard:
                    continue
                ghost = drawing.ghost(move.tile, move.side)
                assert inside(ghost, drawing)
                assert not any(overlap(ghost, place) for place in drawing.places)
                after = draw(position.play(move))
                if after.box[2] == drawing.box[2]:  # not drawn anew for a larger table, or about a spinner
                    shown = after.places[-1]
                    if not move.tile.double:
                        assert (shown.x, shown.y, shown.lies) == (ghost.x, ghost.y, ghost.lies)
                        assert after.places[:-1] == drawing.places


def test_a_round_of_all_tiles_in_one_line_stays_large() -> None:
    """28 tiles, the whole set: a half is still as high as a line of text on a phone 390 px wide."""
    widths = [draw(position).box[2] for seed in range(ROUNDS) for position in positions(open_match("block"), seed)]
    assert 358 / max(widths) * HALF >= 24


def test_a_spinner_lies_in_the_middle_with_four_arms_about_it() -> None:
    hands = [["6-6", "1-1"], ["1-6", "2-2"], ["2-6", "3-3"], ["3-6", "4-6"]]
    position = start(open_match("pontas"), 0, [[tile_of(text) for text in hand] for hand in hands])
    position = replay(position, ["6-6", "1-6@left", "2-6@right", "3-6@up"])
    drawing = draw(position)
    spinner, left, right, up = drawing.places
    assert (spinner.x, spinner.y, spinner.lies) == (-20, -40, False)
    assert left.x + left.width < spinner.x and left.second == 6 and left.lies
    assert right.x > spinner.x and right.first == 6 and right.lies
    assert up.y + up.height < spinner.y and up.second == 6 and not up.lies
    assert {mark.side: mark.number for mark in drawing.marks} == {"left": 1, "right": 2, "up": 3, "down": 6}


def test_a_spinner_set_on_a_chain_moves_to_the_middle() -> None:
    hands = [["1-4", "1-1"], ["4-5", "2-2"], ["5-5", "3-3"], ["0-1", "4-6"]]
    position = start(open_match("pontas"), 0, [[tile_of(text) for text in hand] for hand in hands])
    position = replay(position, ["1-4", "4-5@right", "5-5@right"])
    drawing = draw(position)
    assert (drawing.places[2].x, drawing.places[2].y) == (-20, -40)
    assert all(place.x < -20 for place in drawing.places[:2])
    ghost = drawing.ghost(tile_of("0-1"), "left")
    assert (ghost.first, ghost.second) == (0, 1) and str(parse("0-1@left")) == "0-1@left"


def test_before_the_first_tile_there_is_an_empty_table() -> None:
    drawing = draw(next(positions(open_match("block"), 1)))
    assert drawing.places == () and drawing.marks == () and drawing.box[2] > drawing.box[3] > 0
