"""The published JSON Schemas: they take all that the reader takes, and refuse what a schema can know."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from scorekeeper import cli
from scorekeeper.core import schema
from scorekeeper.core.errors import Invalid
from scorekeeper.core.tally import tally_document
from scorekeeper.core.variants import VARIANTS
from tests.core import documents
from tests.core.test_errors import BROKEN
from tests.shared_cases import load_cases

MATCH = Draft202012Validator(schema.match_document())
TALLY = Draft202012Validator(schema.tally())
# The examples of the format's description, its pieces of rounds put into documents.
EXAMPLES = json.loads((Path(__file__).parent / "examples.json").read_text("utf-8"))
DESCRIPTION = Path(__file__).parents[3] / "shared" / "match-format.md"

# What is wrong with a document's form. Other codes are about sense: two places of it, house rules, the tiles.
FORM = {"by_missing", "field_missing", "not_a_tile", "not_asked", "player_count", "too_many_passes",
        "too_many_plays", "too_many_rounds", "unknown_ending", "unknown_field", "unknown_format",
        "unknown_option", "unknown_variant", "wrong_type"}


def plain(document: Any) -> bool:
    """Ordinary JSON; and without 1.0, which JSON Schema takes for a whole number."""
    try:
        return "1.0" not in json.dumps(document, allow_nan=False)
    except (ValueError, RecursionError):
        return False


FORMLESS = [row for row in BROKEN if row[2] in FORM and plain(row[1])]


def test_the_schemas_are_schemas() -> None:
    Draft202012Validator.check_schema(schema.match_document())
    Draft202012Validator.check_schema(schema.tally())


@pytest.mark.parametrize("document", EXAMPLES["documents"], ids=lambda document: document["variant"])
def test_an_example_is_valid(document: dict[str, Any]) -> None:
    MATCH.validate(document)
    TALLY.validate(tally_document(document))


def test_the_example_has_the_tally_that_is_described() -> None:
    result, described = tally_document(EXAMPLES["documents"][0]), EXAMPLES["tallies"][0]
    TALLY.validate({**described, "rounds": result["rounds"]})
    assert {key: result[key] for key in described if key != "rounds"} == {
        key: value for key, value in described.items() if key != "rounds"}
    for verdict, wanted in zip(result["rounds"], described["rounds"], strict=True):
        assert {key: verdict[key] for key in wanted} == wanted


@pytest.mark.skipif(not DESCRIPTION.is_file(), reason="the description is not beside this repository")
def test_the_examples_are_those_of_the_description() -> None:
    found = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", DESCRIPTION.read_text("utf-8"), re.S)]
    assert [each for each in found if each.get("format") == "scorekeeper/1"] == EXAMPLES["documents"][:1]
    assert [each for each in found if "next_opener" in each] == EXAMPLES["tallies"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_case_is_valid(variant: str) -> None:
    for case in load_cases(variant):
        MATCH.validate(case["document"])


@pytest.mark.parametrize(("wrong", "document", "code", "at"), FORMLESS, ids=[row[0] for row in FORMLESS])
def test_what_has_no_form_is_refused(wrong: str, document: Any, code: str, at: str) -> None:
    assert not MATCH.is_valid(document)


@pytest.mark.parametrize("variant", documents.MAKERS)
def test_the_schema_is_never_stricter_than_the_reader(variant: str) -> None:
    refused = 0
    for seed in range(120):
        dice = Random(f"schema {variant} {seed}")
        document = documents.mutate(dice, documents.make(dice, variant))
        if MATCH.is_valid(document):
            continue
        refused += 1
        with pytest.raises(Invalid):
            tally_document(document)
    assert refused > 40


@pytest.mark.parametrize(("of", "published"), [("match", schema.match_document()), ("tally", schema.tally())])
def test_the_command_line_prints_them(of: str, published: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", of]) == 0
    assert json.loads(capsys.readouterr().out) == published
