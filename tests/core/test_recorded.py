"""Matches recorded once play again to the same bytes. Where they do not, the engine plays otherwise than it did: by
accident, or its number (`record.ENGINE`) is to be raised and they are to be recorded anew, `python -m tests.recording`.
"""

from __future__ import annotations

import json

import pytest

from scorekeeper.core.engine import record
from scorekeeper.core.tally import tally_document
from scorekeeper.core.variants import VARIANTS
from tests import recording


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_recorded_match_plays_again_to_the_same_bytes(variant: str) -> None:
    raw, document = recording.read(variant)
    assert raw["variant"] == variant and raw["engine"] == record.ENGINE
    assert json.dumps(recording.again(raw)) == json.dumps(document)
    assert tally_document(document)["status"] == "finished"


def test_the_recorded_matches_are_against_every_level_that_is_quick() -> None:
    levels = {level for variant in VARIANTS for level in recording.read(variant)[0]["seats"]}
    assert levels == {record.HUMAN, *recording.BOTS}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_recorded_match_is_what_recording_it_would_give(variant: str) -> None:
    assert recording.of_variant(variant) == recording.read(variant)[0]
