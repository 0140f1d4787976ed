"""Languages: which there are, which way they run, and their compiled catalogues, read with the standard library."""

from __future__ import annotations

import gettext
from pathlib import Path

CATALOGUES = Path(__file__).parents[2] / "translations"
LANGUAGES = {"en": "English", "id": "Bahasa Indonesia"}
SOURCE = "en"
PSEUDO = "en-XA"  # a made-up language for tests: longer words, running from right to left
GROUPING = {"id": "."}  # what stands between thousands, where it is no comma
_RIGHT_TO_LEFT = {"he", "ar", PSEUDO}


def direction(language: str) -> str:
    """`rtl` or `ltr`."""
    return "rtl" if language in _RIGHT_TO_LEFT else "ltr"


def grouped(number: int, language: str) -> str:
    """A whole number with its thousands apart, as the language writes it: `186,000`, `186.000`."""
    return f"{number:,}".replace(",", GROUPING.get(language, ","))


def catalogue(language: str) -> gettext.NullTranslations:
    """The translations of a language; the source language needs none."""
    if language == PSEUDO:
        return Pseudo()
    if language == SOURCE:
        return gettext.NullTranslations()
    return gettext.translation("messages", CATALOGUES, [language])


class Pseudo(gettext.NullTranslations):
    """Stretches every message by a third and brackets it, so that what is untranslated or cut off shows."""

    def gettext(self, message: str) -> str:
        return _stretch(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return _stretch(msgid1 if n == 1 else msgid2)


def _stretch(message: str) -> str:
    return f"[{message}{' ~' * (len(message) // 6)}]"
