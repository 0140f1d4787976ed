"""Compiles the translations that are newer than their compiled form, so that nobody needs a build step for words."""

from __future__ import annotations

import os
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from scorekeeper.pages.words import CATALOGUES


def compile_stale(folder: Path = CATALOGUES) -> None:
    """Writes `messages.mo` beside each `messages.po` that changed since; safe to run in several processes."""
    for source in folder.glob("*/LC_MESSAGES/messages.po"):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        half = target.with_suffix(f".{os.getpid()}")
        with source.open("rb") as read, half.open("wb") as written:
            write_mo(written, read_po(read))
        half.replace(target)
