"""The rules of the house, held against the tree; and each rule held against samples that break it."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import architecture as house

ROOT = Path(__file__).parent.parent


def files(*patterns: str) -> Iterator[Path]:
    """Files of the tree, sorted; a folder that does not exist has none."""
    yield from sorted(path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file())


def told(findings: Callable[[str], list[str]], paths: Iterator[Path]) -> list[str]:
    """What `findings` has to say about each file, with the file's name before it."""
    return [
        f"{path.relative_to(ROOT)}, {finding}"
        for path in paths
        for finding in findings(path.read_text("utf-8"))
    ]


def module_name(path: Path) -> str:
    """`scorekeeper.core` for scorekeeper/core/__init__.py, `scorekeeper.core.tiles` for tiles.py in it."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def python_outside_the_variants() -> Iterator[Path]:
    for path in files("app.py", "scorekeeper/**/*.py"):
        if not house.within(module_name(path), house.VARIANTS_HOME):
            yield path


# The tree -------------------------------------------------------------------------------------------


def test_imports_go_one_way() -> None:
    found = []
    for path in files("scorekeeper/**/*.py"):
        is_package = path.name == "__init__.py"
        source = path.read_text("utf-8")
        found += [
            f"{path.relative_to(ROOT)}, {finding}"
            for finding in house.import_findings(source, module_name(path), is_package)
        ]
    assert found == []


def test_the_core_throws_only_seeded_dice() -> None:
    assert told(house.dice_findings, files("scorekeeper/core/**/*.py")) == []


def test_only_a_variants_own_module_knows_it() -> None:
    assert told(house.variant_findings, python_outside_the_variants()) == []
    assert told(house.variant_text_findings, files("templates/**/*", "static/js/**/*.js")) == []


def test_templates_have_nothing_inline() -> None:
    assert told(house.inline_findings, files("templates/**/*.html", "templates/**/*.svg")) == []


def test_nothing_names_left_or_right() -> None:
    assert told(house.physical_css_findings, files("static/**/*.css")) == []
    assert told(house.physical_template_findings, files("templates/**/*.html")) == []


def test_no_file_names_a_machine_or_a_registry() -> None:
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listing.returncode:
        pytest.skip("not a git checkout")
    found = []
    for name in filter(None, listing.stdout.split("\0")):
        path = ROOT / name
        content = path.read_bytes() if path.is_file() else b""
        # This file's own samples, and pictures and the like.
        if path == Path(__file__) or b"\0" in content:
            continue
        text = content.decode("utf-8", "replace")
        found += [f"{name}, {finding}" for finding in house.place_findings(text)]
    assert found == []


# The rules themselves -------------------------------------------------------------------------------

CORE, PAGES, STORE = "scorekeeper.core.tally", "scorekeeper.pages.table", "scorekeeper.store.log"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (CORE, "import flask"),
        (CORE, "import jinja2.ext"),
        (CORE, "import time"),
        (CORE, "from datetime import datetime"),
        (CORE, "def late():\n    import os.path"),
        (CORE, "from socket import socket"),
        (CORE, "from scorekeeper.pages import table"),
        (CORE, "from scorekeeper import store"),
        (CORE, "from ..pages import table"),
        (CORE, "from .. import web"),
        (PAGES, "import flask"),
        (PAGES, "from flask_wtf import FlaskForm"),
        (PAGES, "from sqlalchemy.orm import Session"),
        (PAGES, "from scorekeeper.web import views"),
        (PAGES, "from scorekeeper import store"),
        (PAGES, "from ..store.log import append"),
        (STORE, "import scorekeeper.web.api"),
        (STORE, "from .. import pages"),
        (STORE, "from flask import g"),
        ("scorekeeper.device", "from .store import log"),
        ("scorekeeper.__main__", "import babel"),
        ("scorekeeper.__main__", "from .pages import table"),
    ],
)
def test_a_wrong_import_is_found(module: str, source: str) -> None:
    assert house.import_findings(source, module)


def test_a_package_resolves_its_relative_imports_from_itself() -> None:
    source = "from .. import errors\nfrom ...pages import table"
    found = house.import_findings(source, "scorekeeper.core.variants", is_package=True)
    assert found == ["line 2: scorekeeper.core.variants imports scorekeeper.pages.table"]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (CORE, "import json, random\nfrom dataclasses import dataclass\nfrom . import tiles"),
        (CORE, "from scorekeeper.core.variants import VARIANTS\nfrom .variants.base import Variant"),
        (PAGES, "import jinja2, wtforms\nfrom ..core import tally\nfrom scorekeeper.core.tiles import Tile"),
        (STORE, "import sqlalchemy, os, time\nfrom scorekeeper.core import tally"),
        ("scorekeeper.web.views", "import flask\nfrom ..pages import table\nfrom ..store import log"),
        ("scorekeeper.__main__", "import sys\nfrom .core import tally\nfrom scorekeeper import cli"),
    ],
)
def test_a_right_import_is_not_found(module: str, source: str) -> None:
    assert house.import_findings(source, module) == []


@pytest.mark.parametrize(
    "source",
    [
        "import random\nrandom.shuffle(tiles)",
        "import random as dice\nroll = dice.randint",
        "from random import Random, choice",
    ],
)
def test_unseeded_dice_are_found(source: str) -> None:
    assert house.dice_findings(source)


def test_seeded_dice_are_not_found() -> None:
    assert house.dice_findings("import random\nrng = random.Random(7)\nrng.shuffle(tiles)") == []
    assert house.dice_findings("from random import Random\nRandom(7).shuffle(tiles)") == []


@pytest.mark.parametrize(
    "source",
    [
        'variant == "block"',
        '"domeng" != match.key',
        'document["variant"] == "toy"',
        'match.variant.key in ("block", "toy")',
        'name in ["gaple"]',
        'match name:\n    case "pontas" | "domeng":\n        pass',
    ],
)
def test_a_variant_singled_out_in_python_is_found(source: str) -> None:
    assert house.variant_findings(source)


@pytest.mark.parametrize(
    "source",
    [
        'ended == "blocked"',
        "document['variant'] in VARIANTS",
        '"variant" not in document',
        "variant.sides == 2",
        'kinds = {"block": 1}',
    ],
)
def test_other_python_is_not_found(source: str) -> None:
    assert house.variant_findings(source) == []


@pytest.mark.parametrize(
    "text",
    [
        '{% if variant == "block" %}',
        "{% if match.variant.key == 'toy' %}",
        '{% if variant.key in ["block", "gaple"] %}',
        "{% if 'domeng' == kind %}",
        'if (form.dataset.variant === "pontas") {}',
        "switch (kind) { case 'gaple': break; }",
    ],
)
def test_a_variant_singled_out_elsewhere_is_found(text: str) -> None:
    assert house.variant_text_findings(text)


def test_other_templates_and_scripts_are_not_found() -> None:
    text = '<main data-variant="{{ variant.key }}">{% if ended == "blocked" %}{{ url("block") }}{% endif %}'
    assert house.variant_text_findings(text) == []


@pytest.mark.parametrize(
    "template",
    [
        '<p style="color: red">',
        "<p\n  style='--n: {{ n }}'>",
        '<p {% if x %}style="a:b"{% endif %}>',
        '<button onclick="save()">',
        "<body onload={{ start }}>",
        "<script>go()</script>",
        '<script type="application/json">{}</script>',
        "<style>p {}</style>",
        "<p {{ {'style': css}|xmlattr }}>",
        '<a href="javascript:go()">',
    ],
)
def test_inline_script_and_style_are_found(template: str) -> None:
    assert house.inline_findings(template)


@pytest.mark.parametrize(
    "template",
    [
        '<script type="module" src="{{ url_for(\'static\', filename=\'js/a.js\') }}"></script>',
        '<p class="style" data-style="x" data-once="1">one = "1"</p>',
        '{{ macro(a, once="x") }}{% call button(style="quiet") %}',
        '{# style="x" #}<!-- <script> -->',
        '<svg><use href="#six" fill="none" transform="rotate(90)"/></svg>',
    ],
)
def test_other_markup_is_not_found(template: str) -> None:
    assert house.inline_findings(template) == []


@pytest.mark.parametrize(
    "css",
    [
        "a { margin-left: 1px }",
        "a { padding-right : 1px }",
        "a { left: 0 }",
        "a { position: fixed; right: 0 }",
        "a { text-align: left }",
        "a { float: right }",
        "a { border-left: 1px solid }",
        "a { border-right-color: red }",
        "a { border-top-left-radius: 1px }",
        "a { padding: 0 1px 0 2px }",
        "a { inset: 0 auto 0 calc(1px + var(--a)) }",
    ],
)
def test_a_physical_direction_is_found(css: str) -> None:
    assert house.physical_css_findings(css)


@pytest.mark.parametrize(
    "css",
    [
        "a { margin-inline-start: 1px; inset-inline-end: 0; text-align: start }",
        "a { padding: 0 1px 0 1px; margin: 1px 2px 3px }",
        "a { padding: 1px calc(1px + (2px * 3)) 2px calc(1px + (2px * 3)) }",
        "a { padding-inline: max(1rem, env(safe-area-inset-left)) }",
        "a { padding: 0 max(1px, env(safe-area-inset-right)) 0 max(1px, env(safe-area-inset-left)) }",
        "/* left: 1px */ a { transform-origin: left }",
        ".left:hover, .copyright { color: red }",
    ],
)
def test_logical_css_is_not_found(css: str) -> None:
    assert house.physical_css_findings(css) == []


def test_directions_in_templates() -> None:
    assert house.physical_template_findings('<td align="left">')
    assert house.physical_template_findings("<p data-css='margin-left: 1px'>")
    assert house.physical_template_findings("<p>Tiles left: 3</p>") == []


@pytest.mark.parametrize(
    "text",
    [
        "open('/root/x')",
        "see /work/somewhere",
        "see /home/someone/project",
        "/Users/someone/x",
        "https://" + "py" + "pi.org/simple",
        "files." + "pythonhosted.org",
        "registry." + "npmjs.org",
        "deb." + "debian.org",
        "pip install " + "--extra-" + "index-url x",
    ],
)
def test_a_machine_or_a_registry_is_found(text: str) -> None:
    assert house.place_findings(text)


def test_ordinary_paths_are_not_found() -> None:
    text = "GET /home, static/root/x, $HOME/x, ~/x, /api/v1/matches, ../shared, https://example.org/home/x"
    assert house.place_findings(text) == []
