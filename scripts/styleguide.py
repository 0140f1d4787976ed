"""Draw every component on one page, and each rules page, with plain Jinja2, for the eye.

`python scripts/styleguide.py [folder]` writes HTML beside a link to `static/` (default: a temporary
folder) and prints the folder. Nothing here runs in the app. The sample pages live in `scripts/styleguide/`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import jinja2
from wtforms import BooleanField, Form, IntegerField, RadioField, SelectField, StringField

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"table": "table.html", "entry": "entry.html", "pad": "pad.html", "parts": "parts.html"}
VARIANTS = [
    SimpleNamespace(key=key, title=title, tagline=tagline, emblem=emblem)
    for key, title, tagline, emblem in (
        ("block", "Block to 100", "Be first to run out of tiles, and score what the others hold.", "6-4"),
        ("gaple", "Gaple", "Stuck? Discard a tile face down. Fewest points wins.", "0-0"),
        ("pontas", "Quatro Pontas", "Two pairs score whenever the open ends make fives.", "5-5"),
        ("domeng", "Domeng", "Five players and 25 stones that nobody wants.", "3-3"),
        ("toy", "A toy variant", "It has no page of its own.", "1-2"),
    )
]
OPTION = SimpleNamespace(label="Target", hint="100, unless the table says otherwise.")
TOY = SimpleNamespace(**vars(VARIANTS[-1]), options=[OPTION])


class Sample(Form):
    """A form with one field of each kind."""

    name = StringField("Name")
    target = IntegerField("Target")
    lead = SelectField("Who leads", choices=[("winner", "The previous winner"), ("always_random", "Chance")])
    tie = RadioField("Tied match", choices=[("joint", "Joint winners"), ("extra_round", "Extra round")],
                     default="joint")
    net = BooleanField("Subtract the winner's own pips")


def environment() -> jinja2.Environment:
    """The app's templates with untranslated words, and the sample pages."""
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader([ROOT / "templates", ROOT / "scripts" / "styleguide"]),
        autoescape=True, extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )
    env.install_null_translations(newstyle=True)  # type: ignore[attr-defined]
    return env


def context(theme: str, direction: str) -> dict[str, object]:
    """What every page receives, with stand-ins for the server's functions."""
    form = Sample(data={"name": "Ani", "target": 1000})
    form.target.errors = ["Between 1 and 500, please."]

    def url_for(endpoint: str, **values: object) -> str:
        return f"static/{values['filename']}" if endpoint == "static" else "#" + endpoint

    return {
        "lang": "he" if direction == "rtl" else "en", "dir": direction, "theme": theme, "messages": [],
        "url_for": url_for, "csrf_token": lambda: "token", "form": form, "variants": VARIANTS,
        "code": 404, "title": "Nothing on this table",
        "text": "This match is not on this phone, or was never shared with it.",
    }


def main() -> None:
    """Write every page in light, dark and right to left."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="styleguide-"))
    out.mkdir(parents=True, exist_ok=True)
    link = out / "static"
    if not link.exists():
        link.symlink_to(ROOT / "static")
    env = environment()
    pages = dict(PAGES, error="error.html", rules="rules/index.html")
    pages |= {f"rules-{v.key}": f"rules/{v.key}.html" for v in VARIANTS[:-1]}
    pages["rules-toy"] = "rules/_generic.html"
    looks = (("light", "light", "ltr"), ("dark", "dark", "ltr"), ("rtl", "light", "rtl"))
    for look, theme, direction in looks:
        for name, template in pages.items():
            if (ROOT / "templates" / template).exists() or (ROOT / "scripts/styleguide" / template).exists():
                html = env.get_template(template).render(context(theme, direction), variant=TOY)
                (out / f"{name}-{look}.html").write_text(html, encoding="utf-8")
    print(out)


if __name__ == "__main__":
    main()
