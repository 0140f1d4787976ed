"""A page as data, and the one Jinja environment that renders it, the same on the server and on a device."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, ModuleLoader, StrictUndefined, Undefined
from jinja2.exceptions import TemplateNotFound

from . import words

TEMPLATES = Path(__file__).parents[2] / "templates"
COMPILED = TEMPLATES.with_name("templates_compiled")  # on a device, by scripts/runtime_inside.py: no parsing there


class Missing(StrictUndefined):
    """A name nobody provided: it may be asked for (`{% if v.needs %}`), never shown."""

    __slots__ = ()
    __bool__ = Undefined.__bool__  # type: ignore[assignment]
    __iter__ = Undefined.__iter__  # type: ignore[assignment]


@dataclass
class Page:
    """What a page function returns: a template's name, its context, and the HTTP status."""

    template: str
    context: dict[str, Any] = field(default_factory=dict)
    status: int = 200


@lru_cache(maxsize=8)
def environment(language: str) -> Environment:
    """The environment for one language: autoescaping, strict about unknown names, gettext installed."""
    made = Environment(
        loader=_loader(),
        autoescape=True,
        undefined=Missing,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
    )
    made.install_gettext_translations(words.catalogue(language), newstyle=True)  # type: ignore[attr-defined]
    made.filters["grouped"] = lambda number: words.grouped(number, language)
    made.filters["json"] = lambda value: json.dumps(value, ensure_ascii=False)
    return made


def _loader() -> BaseLoader:
    sources = FileSystemLoader(TEMPLATES)
    return ChoiceLoader([ModuleLoader(COMPILED), sources]) if COMPILED.is_dir() else sources


def render(page: Page, language: str, around: dict[str, Any]) -> str:
    """The page's HTML. `around` is what the home provides: `url_for`, `csrf_token`, `theme`, `messages`."""
    frame = {"lang": language, "dir": words.direction(language), "languages": words.LANGUAGES}
    return environment(language).get_template(page.template).render(frame | around | page.context)


def exists(template: str) -> bool:
    """Whether there is a template of this name: a variant may bring a page of its own."""
    try:
        environment(words.SOURCE).get_template(template)  # on a device there are no files to look for
    except TemplateNotFound:
        return False
    return True
