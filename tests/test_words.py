"""Every text is translated into every language, with the same placeholders."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from scorekeeper.pages import words

ROOT = Path(__file__).parents[1]
TRANSLATED = sorted(set(words.LANGUAGES) - {words.SOURCE})
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")


def texts() -> set[str | tuple[str, str]]:
    """Every message id in the source and the templates."""
    with (ROOT / "translations" / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)
    keywords = {"_": None, "gettext": None, "ngettext": (1, 2), "N_": None}
    found = extract_from_dir(ROOT, methods, options, keywords)
    return {message if isinstance(message, str) else (message[0], message[1]) for _, _, message, _, _ in found}


def catalogue(language: str) -> Catalog:
    """The catalogue of a language as written."""
    return read_po(BytesIO((ROOT / "translations" / language / "LC_MESSAGES" / "messages.po").read_bytes()))


def test_there_are_texts_to_translate() -> None:
    assert len(texts()) > 200


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language: str) -> None:
    done = {
        entry.id
        for entry in catalogue(language)
        if entry.id and all(entry.string if isinstance(entry.string, (tuple, list)) else (entry.string,))
    }
    missing = sorted(str(text) for text in texts() - done)
    assert not missing, (
        f"{len(missing)} texts without a translation, `make words` collects them: {missing[:10]}"
    )


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_are_kept(language: str) -> None:
    for entry in catalogue(language):
        if not entry.id:
            continue
        ids = entry.id if isinstance(entry.id, (tuple, list)) else (entry.id,)
        strings = entry.string if isinstance(entry.string, (tuple, list)) else (entry.string,)
        wanted = set(PLACEHOLDER.findall(" ".join(ids)))
        for string in strings:
            given = set(PLACEHOLDER.findall(string or ""))
            assert given <= wanted and (given >= wanted - {"num", "n", "times"}), entry.id
